"""A browser's profile whose processes were all killed at once: the next crawl or window of any kind
removes it, with what the browser knew of its pages."""

import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, cast

import pytest

from gossamer.crawl_host import crawl_host
from gossamer.crawl_host.crawl_host import CrawlHost, FetcherPool
from gossamer.crawl_host.writer_thread import StoreThread
from gossamer.model.errors import ProjectError
from gossamer.model.messages.crawl_messages import (
    HostCommand,
    HostHeartbeat,
    Report,
    Start,
    Trouble,
)
from gossamer.session.abandoned_profiles import remove_abandoned_profiles
from tests.integration.crawling import crawl_all, run
from tests.patience import PATIENCE_S
from tests.sites import Site

if TYPE_CHECKING:
    from gossamer.ipc.channel import Channel

_OWNER = """
import os
from gossamer.render.browser_profile import BrowserProfile
(BrowserProfile().path / "Cookies").touch()
os._exit(1)
"""


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder for temporary files, with the profile of a process that ended without a word."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setenv("TMPDIR", str(folder))
    monkeypatch.setattr(tempfile, "tempdir", None)
    subprocess.run([sys.executable, "-c", _OWNER], check=False)
    assert len(list(folder.glob("gossamer-browser-*/Cookies"))) == 1
    yield folder
    monkeypatch.undo()


class Heard:
    """What the shell hears of a host that removes a profile until the shell has heard enough."""

    congested = False

    def __init__(self) -> None:
        self._has_trouble = False
        self._enough = threading.Event()

    def send(self, report: Report) -> None:
        self._has_trouble |= isinstance(report, Trouble)
        if self._has_trouble and isinstance(report, HostHeartbeat):
            self._enough.set()

    def wait(self) -> None:
        """Take that long for the removal."""
        self.has_enough = self._enough.wait(PATIENCE_S)


def test_the_next_crawl_removes_it_without_a_browser(
    site: Site, tmp_path: Path, temporary: Path
) -> None:
    site.page("/")
    crawl_all(tmp_path / "a.gossamer", site.url("/"))
    assert list(temporary.iterdir()) == []


def test_so_does_a_shell(temporary: Path) -> None:
    run(remove_abandoned_profiles())
    assert list(temporary.iterdir()) == []


def test_a_computer_without_a_folder_for_temporary_files_has_none(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def nowhere() -> str:
        raise FileNotFoundError

    monkeypatch.setattr(tempfile, "gettempdir", nowhere)
    run(remove_abandoned_profiles())


def test_a_host_tells_of_its_trouble_before_it_is_removed_and_shows_that_it_lives_meanwhile(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    heard = Heard()
    monkeypatch.setattr(crawl_host, "remove_abandoned_profiles", heard.wait)

    async def main() -> int:
        host = CrawlHost(cast("FetcherPool", None), StoreThread())
        host.receive([Start(str(tmp_path / "none.gossamer"))])
        return await host.serve(cast("Channel[HostCommand]", heard))

    assert run(main()) == ProjectError.exit_code
    assert heard.has_enough
