"""A browser's profile whose processes were all killed at once: the next crawl or window of any kind
removes it, with what the browser knew of its pages."""

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from gossamer.session.abandoned_profiles import remove_abandoned_profiles
from tests.integration.crawling import crawl_all, run
from tests.sites import Site

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
