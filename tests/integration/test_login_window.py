"""Somebody logs in in a real browser window: typed keys, a second factor, and nothing left."""

import asyncio
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import psutil
import pytest

from gossamer.child_processes.login_process import browser_for_login
from gossamer.model.errors import CrawlHostError, UsageError
from gossamer.model.messages.login_messages import LoginSeen
from gossamer.model.secrets import Secrets
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.session.login import BrowserLogin
from tests.fakes.x_server import x_server
from tests.integration.crawling import run
from tests.patience import PATIENCE_S
from tests.sites import Site
from tests.sites.login_site import CODE, PASSWORD, SESSION, TOKEN, USER, LoginSite

KEYS = frozenset({"Tab", "Return", "ctrl+a", "ctrl+w"})
AGAIN_S = 15.0


@pytest.fixture
def profiles(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Where browsers have their profiles. Chromium makes a socket there: its path must be short."""
    with TemporaryDirectory(prefix="g-") as folder:
        monkeypatch.setenv("TMPDIR", folder)
        monkeypatch.setattr(tempfile, "tempdir", None)
        yield Path(folder)


@pytest.fixture(scope="module")
def desktop() -> Iterator[str]:
    """A display for browser windows."""
    for program in ("Xvfb", "xdotool", "openbox"):
        if shutil.which(program) is None:
            pytest.skip(f"{program} is not installed")
    with x_server(1280, 900) as display, pytest.MonkeyPatch.context() as patch:
        patch.setenv("DISPLAY", display)
        try:
            browser_for_login("")
        except UsageError as e:
            pytest.skip(str(e))
        manager = subprocess.Popen(["openbox"], stderr=subprocess.DEVNULL)
        try:
            yield display
        finally:
            manager.terminate()
            manager.wait()


def browsers(profiles: Path) -> list[psutil.Process]:
    """The browsers that run with a profile in that folder."""
    mark = f"--user-data-dir={profiles}"
    found = []
    for process in psutil.process_iter():
        try:
            if any(argument.startswith(mark) for argument in process.cmdline()):
                found.append(process)
        except psutil.Error:
            continue  # it has just ended
    return found


async def type_keys(*words: str) -> None:
    """Type words and keys into the window that has the focus."""
    for word in words:
        await xdotool(*(["key", word] if word in KEYS else ["type", word]))


async def click_into_page() -> None:
    await xdotool("mousemove", "500", "300", "click", "1")


async def xdotool(*arguments: str) -> None:
    assert await exit_code_of_xdotool(*arguments) == 0


async def exit_code_of_xdotool(*arguments: str) -> int:
    acting = await asyncio.create_subprocess_exec("xdotool", *arguments, stdout=subprocess.DEVNULL)
    return await acting.wait()


async def log_in_as_jo(site: Site) -> None:
    await site.wait_until(lambda: "/login" in site.paths, PATIENCE_S)
    words = ("ctrl+a", USER, "Tab", "ctrl+a", PASSWORD, "Return")
    await send_form(site, "Log in|Wrong", words, lambda: "/code" in site.paths)
    await send_form(site, "Code", ("ctrl+a", CODE, "Return"), lambda: "/account" in site.paths[-3:])
    await shown("members")


async def send_form(
    site: Site, title: str, words: tuple[str, ...], sent: Callable[[], bool]
) -> None:
    """Fill a page in, again where it had its title before it took any input."""
    for _ in range(int(PATIENCE_S / AGAIN_S)):
        await shown(title)
        await click_into_page()
        await type_keys(*words)
        with suppress(TimeoutError):
            await site.wait_until(sent, AGAIN_S)
            return
    raise AssertionError(f"the page {title} takes no input")


async def shown(title: str) -> None:
    """Wait for the browser's window to have this title."""
    search = ("search", "--sync", "--onlyvisible", "--name", title)
    async with asyncio.timeout(PATIENCE_S):
        while await exit_code_of_xdotool(*search):
            pass  # a window went away while it looked at each


def logged_in(site: Site, *, by_closing: bool) -> Secrets:
    """What is known after Jo has logged in, and has closed the browser or pressed Done."""

    async def main() -> Secrets:
        login = BrowserLogin(CrawlSettings(roots=(site.url("/"),)), site.url("/login"))
        stored = asyncio.Event()

        def note(seen: LoginSeen) -> None:
            if seen.stored_values == len(("token", "tab")):
                stored.set()

        async with asyncio.TaskGroup() as group:
            running = group.create_task(login.run(on_seen=note))
            await log_in_as_jo(site)
            if by_closing:
                await stored.wait()
                await type_keys("ctrl+w")
            else:
                login.finish()
            return await running

    return run(main())


@pytest.mark.usefixtures("desktop")
@pytest.mark.parametrize("by_closing", [False, True])
def test_what_a_person_is_given_for_logging_in_becomes_secrets(
    site: Site, profiles: Path, *, by_closing: bool
) -> None:
    LoginSite(site)
    secrets = logged_in(site, by_closing=by_closing)
    assert list(secrets.origins) == [site.url("/").rstrip("/")]
    login = secrets.of(site.url("/").rstrip("/")).login
    assert {each.name: each.value for each in login.cookies}["session"] == SESSION
    assert ("token", TOKEN) in login.local_storage
    assert ("tab", "1") in login.session_storage
    assert SESSION not in repr(secrets)
    assert TOKEN not in repr(secrets)
    assert browsers(profiles) == []
    assert profiles_in(profiles) == []


@pytest.mark.usefixtures("desktop")
def test_cancelling_a_login_closes_the_window(site: Site, profiles: Path) -> None:
    LoginSite(site)

    async def main() -> None:
        login = BrowserLogin(CrawlSettings(roots=(site.url("/"),)), site.url("/login"))
        async with asyncio.TaskGroup() as group:
            running = group.create_task(login.run())
            await site.wait_until(lambda: "/login" in site.paths, PATIENCE_S)
            assert browsers(profiles)
            running.cancel()

    run(main())
    assert browsers(profiles) == []
    assert profiles_in(profiles) == []


@pytest.mark.usefixtures("desktop")
def test_a_login_window_whose_process_is_killed_leaves_nothing(site: Site, profiles: Path) -> None:
    LoginSite(site)

    async def main() -> None:
        login = BrowserLogin(CrawlSettings(roots=(site.url("/"),)), site.url("/login"))

        async def log_in() -> None:
            with pytest.raises(CrawlHostError, match="process of the login window exited"):
                await login.run()

        async with asyncio.TaskGroup() as group:
            group.create_task(log_in(), name="log in")
            await site.wait_until(lambda: "/login" in site.paths, PATIENCE_S)
            kill_owners(browsers(profiles))
        assert profiles_in(profiles) == []

    run(main())
    assert browsers(profiles) == []


def kill_owners(running: list[psutil.Process]) -> None:
    """Kill the processes that have started these browsers."""
    owners = set()
    for each in running:
        with suppress(psutil.NoSuchProcess):  # one that a browser needs for a moment
            owners.add(each.parent())
    for owner in owners - set(running):
        assert owner is not None
        owner.kill()


def profiles_in(folder: Path) -> list[Path]:
    return list(folder.glob("gossamer-browser-*"))


@pytest.mark.usefixtures("desktop")
def test_the_window_does_not_reach_into_private_networks(site: Site) -> None:
    """The crawl is of a public site, which embeds what only this computer should reach."""
    with Site("127.0.0.2") as private:
        private.page("/secret")
        site.page("/login", title="Log in")

        async def main() -> Secrets:
            opened = asyncio.Event()
            settings = CrawlSettings(roots=("http://203.0.113.7/",))
            login = BrowserLogin(settings, private.url("/secret"))
            async with asyncio.TaskGroup() as group:
                running = group.create_task(login.run(opened.set))
                await opened.wait()
                await shown("secret|127.0.0.2")
                login.finish()
                return await running

        assert run(main()) == Secrets()
        assert private.paths == []


def test_without_a_screen_a_sentence_says_what_to_do(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)

    async def main() -> None:
        with pytest.raises(UsageError, match="Logging in needs a screen"):
            await BrowserLogin(CrawlSettings(roots=(site.url("/"),))).run()

    run(main())
