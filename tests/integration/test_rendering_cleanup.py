"""What browsers leave behind that are not started, or whose end nobody waits for: nothing."""

import asyncio
import tempfile
import traceback
from collections.abc import Coroutine
from contextlib import suppress
from pathlib import Path

import psutil
import pytest

from gossamer.render.browser_discovery import BrowserKind, BrowserProgram
from gossamer.render.browser_process import BrowserProcess, BrowserStartError
from gossamer.render.page_deadline import PageDeadline
from gossamer.render.page_renderer import PageRenderer
from gossamer.render.page_requests import PageRequest, PageResponse, ResourceResult
from gossamer.render.rendered_page import RenderJob
from tests.fakes.browsers import NEEDS_BROWSER, NEEDS_FULL_BROWSER, browser, full_browser
from tests.fakes.processes import child_processes
from tests.integration.crawling import run

NOT_A_BROWSER = BrowserProgram("/nowhere/chromium", BrowserKind.FULL)
OPEN_FILES = Path("/proc/self/fd")
NEEDS_PROC = pytest.mark.skipif(not OPEN_FILES.exists(), reason="needs /proc")


def profiles() -> list[str]:
    """The profiles that this process owns."""
    links = []
    for file in OPEN_FILES.iterdir():
        with suppress(OSError):
            links.append(str(file.readlink()))
    return [link for link in links if "gossamer-browser-" in link]


async def cancelled_after(turns: int, work: Coroutine[None, None, None]) -> None:
    """Cancel what is at work when it has had some turns of the loop."""
    async with asyncio.TaskGroup() as group:
        task = group.create_task(work)
        for _ in range(turns):
            await asyncio.sleep(0)
        task.cancel()
    await asyncio.get_running_loop().shutdown_default_executor()


@NEEDS_PROC
@pytest.mark.parametrize("turns", [1, 2, 3])
def test_a_browser_whose_start_is_cancelled_leaves_no_profile(turns: int) -> None:
    async def start() -> None:
        with suppress(BrowserStartError):
            async with BrowserProcess(NOT_A_BROWSER):
                pytest.fail("there is no such browser")

    run(cancelled_after(turns, start()))
    assert profiles() == []


@NEEDS_PROC
@NEEDS_BROWSER
@pytest.mark.parametrize("turns", [1, 2, 3])
def test_a_browser_ends_with_its_profile_when_its_end_is_cancelled(turns: int) -> None:
    async def main() -> None:
        process = await BrowserProcess(browser()).__aenter__()
        assert len(profiles()) == 1
        await cancelled_after(turns, process.__aexit__(None, None, None))

    run(main())
    assert profiles() == []
    assert child_processes() == []


@NEEDS_PROC
@NEEDS_FULL_BROWSER
@pytest.mark.parametrize("name", ["t", "t" * 80], ids=["short", "too long for a socket"])
def test_a_browser_with_windows_leaves_no_socket(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nor does it prepare pages of its own beside an empty one: they take as long as a page."""

    async def main() -> None:
        async with BrowserProcess(full_browser()) as process:
            assert len(profiles()) == 1
            seen = await process.devtools.call("Target.getTargets", {"filter": [{}]})
        assert {each["type"] for each in seen["targetInfos"]} == {"page", "tab"}

    with tempfile.TemporaryDirectory(dir="/tmp") as parent:
        folder = Path(parent) / name
        folder.mkdir()
        monkeypatch.setenv("TMPDIR", str(folder))
        monkeypatch.setattr(tempfile, "tempdir", None)
        run(main())
        assert list(folder.iterdir()) == []
        monkeypatch.undo()
    assert profiles() == []


async def no_answer(_request: PageRequest, _deadline: PageDeadline) -> ResourceResult:
    return ResourceResult(failure="none")


def kill_all() -> None:
    """Kill all but servers of fixtures, and wait until it is dead."""
    ours = child_processes(recursive=False)
    killed = [each for each in child_processes() if each not in ours]
    for each in (*ours, *killed):
        with suppress(psutil.NoSuchProcess):
            each.kill()
    psutil.wait_procs(killed)


@NEEDS_PROC
@NEEDS_BROWSER
def test_a_browser_that_dies_between_two_pages_is_replaced_and_leaves_nothing() -> None:
    job = RenderJob("http://site.test/", PageResponse(200, [("Content-Type", "text/html")], b"<p>"))

    async def main() -> list[int]:
        left: list[int] = []
        async with PageRenderer(browser()) as renderer:
            for _ in range(2):
                await renderer.render(job, no_answer)
                tabs = renderer._current  # noqa: SLF001 - it is to have heard of the end
                assert tabs is not None
                await asyncio.to_thread(kill_all)
                await tabs.browser.gone.wait()
                await renderer.render(job, no_answer)
                left += [len(profiles()), len(child_processes(recursive=False))]
        return left

    assert run(main()) == [1, 1, 1, 1]


def test_a_browser_that_does_not_start_keeps_nothing_of_the_pages_that_wanted_it() -> None:
    async def depth(renderer: PageRenderer) -> int:
        job = RenderJob("http://site.test/", PageResponse(200, []))
        with pytest.raises(BrowserStartError) as failed:
            await renderer.render(job, no_answer)
        return len(traceback.extract_tb(failed.value.__traceback__))

    async def main() -> list[int]:
        async with PageRenderer(NOT_A_BROWSER) as renderer:
            return [await depth(renderer) for _ in range(5)]

    _, *later = run(main())
    assert len(set(later)) == 1
