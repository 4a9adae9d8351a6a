"""Logging in from a terminal: what ends it, what is kept, and what is said where it cannot be."""

import asyncio
import os
import shutil
import signal
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from gossamer.child_processes.login_process import browser_for_login
from gossamer.cli import EXIT_INTERRUPTED, EXIT_NO_BROWSER
from gossamer.model.errors import UsageError
from tests.architecture.checkout import ROOT
from tests.e2e.program import gossamer_alone, gossamer_started
from tests.e2e.terminal import at_terminal
from tests.fakes.x_server import x_server
from tests.patience import PATIENCE_S
from tests.sites import Site
from tests.sites.cookie_sites import told

SESSION = "s3cret-session"
PROMPT = "gossamer: Log in to the site in the browser window that has opened, then press Enter"


@pytest.fixture(autouse=True)
def _own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in ("CONFIG", "DATA", "CACHE", "STATE"):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(tmp_path / name.lower()))
    monkeypatch.setenv("TEST_KEYRING", str(tmp_path.parent / f"{tmp_path.name}-keyring.json"))
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", "tests.fakes.keyring_backend.FileKeyring")
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    # Chromium makes a socket there: its path must be short.
    with TemporaryDirectory(prefix="g-") as folder:
        monkeypatch.setenv("TMPDIR", folder)
        yield


@pytest.fixture
def _desktop(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A display for browser windows."""
    if shutil.which("Xvfb") is None:
        pytest.skip("Xvfb is not installed")
    with x_server(1280, 900) as display:
        monkeypatch.setenv("DISPLAY", display)
        try:
            browser_for_login("")
        except UsageError as e:
            pytest.skip(str(e))
        yield


@pytest.fixture
def members(site: Site) -> Site:
    """A site that sets a cookie on its start page, whose script then asks for `/there`."""
    cookie = ("Set-Cookie", f"session={SESSION}; Path=/; HttpOnly")
    site.page("/", body="<script>fetch('/there')</script>", headers=[cookie])
    site.page("/there")
    return site


def shown(members: Site) -> None:
    """Wait for the start page to be in the browser, with its cookie."""
    asyncio.run(members.wait_until(lambda: "/there" in members.paths, PATIENCE_S))


@pytest.mark.usefixtures("_desktop")
def test_enter_ends_a_login_and_the_keyring_keeps_it_for_crawls(
    members: Site, tmp_path: Path
) -> None:
    with at_terminal("login", members.url("/"), "--remember", cwd=tmp_path) as (process, keys):
        assert process.stderr is not None
        assert process.stderr.read(len(PROMPT)) == PROMPT
        shown(members)
        os.write(keys, b"\n")
        out, err = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 0, err
    assert "  cookies: session\n" in out
    assert "  user agent: Mozilla/5.0 " in out
    assert SESSION not in out + err

    crawl = ("crawl", members.url("/there"), "--login", "-o", "x.gossamer", "--no-robots")
    done = gossamer_started(*crawl, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "Using the saved login" in done.stderr
    assert told(members.requests[-1]) == {"session": SESSION}
    assert SESSION.encode() not in (tmp_path / "x.gossamer").read_bytes()

    assert gossamer_started("forget", members.url("/"), cwd=tmp_path).returncode == 0
    assert Path(os.environ["TEST_KEYRING"]).read_text("utf-8") == "{}"


@pytest.mark.usefixtures("_desktop")
def test_an_interrupt_closes_the_browser(members: Site, tmp_path: Path) -> None:
    with at_terminal("login", members.url("/"), cwd=tmp_path) as (process, _):
        shown(members)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == EXIT_INTERRUPTED, err
    assert list(Path(os.environ["TMPDIR"]).glob("gossamer-browser-*")) == []


def test_without_a_screen_the_exit_code_says_that_there_is_no_browser(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    for words in (["login"], ["crawl", "--login", "-o", "x.gossamer"]):
        done = gossamer_alone(*words, "http://127.0.0.1:1/", cwd=tmp_path)
        assert done.returncode == EXIT_NO_BROWSER
        assert "Logging in needs a screen" in done.stderr
    assert not (tmp_path / "x.gossamer").exists()


def test_without_a_browser_the_exit_code_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DISPLAY", ":0")
    monkeypatch.setenv("PATH", str(tmp_path))
    done = gossamer_alone("login", "http://127.0.0.1:1/", cwd=tmp_path)
    assert done.returncode == EXIT_NO_BROWSER
    assert "Logging in needs a browser with a window" in done.stderr
