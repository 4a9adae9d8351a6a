"""The window tells of crawls that end by themselves, once each."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, cast

import pytest
from PySide6.QtCore import QObject, Signal

from gossamer.gui.runtime.window_tasks import WindowTasks
from gossamer.gui.shell.notification_controller import NotificationController
from gossamer.model.crawl_state import CrawlState
from gossamer.model.messages.crawl_messages import Progress
from gossamer.model.translatable import said
from gossamer.notifying.conditions import EndKind

if TYPE_CHECKING:
    from gossamer.gui.crawl.crawl_controller import CrawlController

PROJECT = Path("a.gossamer")
RUNNING, PAUSED, FINISHED = CrawlState.RUNNING, CrawlState.PAUSED, CrawlState.FINISHED


class Crawl(QObject):
    """What the controller hears of a crawl."""

    opened = Signal(object)
    progressed = Signal(object)
    troubled = Signal(object)
    session = SimpleNamespace(path=PROJECT, state=CrawlState.NEW)
    began_here = False
    is_elsewhere = False
    is_demo = False

    def report(self, state: CrawlState, **more: Any) -> None:
        self.progressed.emit(Progress(state=state, **more))


def told_of(
    crawl: Crawl, act: Callable[[NotificationController], None]
) -> list[tuple[Path, EndKind]]:
    """What is told while that happens to a crawl."""
    told: list[tuple[Path, EndKind]] = []

    async def notify(project: Path, ending: EndKind) -> None:
        told.append((project, ending))

    async def main() -> None:
        async with asyncio.TaskGroup() as group:
            tasks = WindowTasks(group, lambda _: None, lambda _: None)
            follows = cast("CrawlController", crawl)
            act(NotificationController(crawl, follows, tasks, None, notify))

    asyncio.run(main())
    return told


@pytest.mark.usefixtures("qapp")
@pytest.mark.parametrize(
    ("reports", "told"),
    [
        ([(RUNNING, {}), (RUNNING, {}), (FINISHED, {}), (FINISHED, {})], [EndKind.FINISHED]),
        ([(FINISHED, {})], []),  # it was opened so
        ([(RUNNING, {}), (PAUSED, {})], []),  # by a user
        ([(RUNNING, {}), (CrawlState.CANCELLED, {})], []),
        (
            [(RUNNING, {}), (PAUSED, {"notice": said("The disk is full.")})],
            [EndKind.PAUSED],
        ),
        (
            [
                (RUNNING, {}),
                (PAUSED, {"notice": said("The disk is full.")}),
                (PAUSED, {"starting": said("Logging in…"), "waits": True}),
                (PAUSED, {"notice": said("The disk is full.")}),
            ],
            [EndKind.PAUSED],  # a login that fails is no other run
        ),
        ([(RUNNING, {}), (PAUSED, {"notice": said("No network."), "waits": True})], []),
        (
            [
                (RUNNING, {}),
                (PAUSED, {"notice": said("No network."), "waits": True}),
                (RUNNING, {}),
                (FINISHED, {}),
            ],
            [EndKind.FINISHED],
        ),
    ],
)
def test_a_crawl_that_ends_by_itself_is_told_of_once(
    reports: list[tuple[CrawlState, dict[str, Any]]], told: list[EndKind]
) -> None:
    crawl = Crawl()

    def act(_: NotificationController) -> None:
        for state, more in reports:
            crawl.report(state, **more)

    assert told_of(crawl, act) == [(PROJECT, each) for each in told]


@pytest.mark.usefixtures("qapp")
def test_a_long_wait_is_told_of_once_and_so_is_the_end_after_it() -> None:
    crawl = Crawl()
    waiting = {"notice": said("The disk is full."), "waits": True}
    timers: list[bool] = []

    def act(controller: NotificationController) -> None:
        crawl.report(RUNNING)
        crawl.report(PAUSED, **waiting)
        timers.append(controller.wait.isActive())
        controller.wait.timeout.emit()
        controller.wait.stop()
        crawl.report(PAUSED, **waiting)
        timers.append(controller.wait.isActive())
        crawl.report(FINISHED)

    assert told_of(crawl, act) == [(PROJECT, EndKind.PAUSED), (PROJECT, EndKind.FINISHED)]
    assert timers == [True, False]


@pytest.mark.usefixtures("qapp")
@pytest.mark.parametrize(
    ("state", "began_here", "is_told"),
    [(FINISHED, False, False), (FINISHED, True, True), (CrawlState.NEW, True, True)],
)
def test_a_crawl_that_is_over_before_it_reports_is_told_of_if_it_was_begun_here(
    state: CrawlState, *, began_here: bool, is_told: bool
) -> None:
    crawl = Crawl()
    crawl.session = SimpleNamespace(path=PROJECT, state=state)
    crawl.began_here = began_here

    def act(_: NotificationController) -> None:
        crawl.opened.emit(crawl.session)
        crawl.report(FINISHED)

    assert told_of(crawl, act) == ([(PROJECT, EndKind.FINISHED)] if is_told else [])


@pytest.mark.usefixtures("qapp")
def test_a_crawl_that_fails_is_told_of_once() -> None:
    crawl = Crawl()

    def act(_: NotificationController) -> None:
        crawl.report(RUNNING)
        crawl.troubled.emit(said("The crawl process ended."))
        crawl.troubled.emit(said("The crawl process ended."))

    assert told_of(crawl, act) == [(PROJECT, EndKind.FAILED)]


@pytest.mark.usefixtures("qapp")
@pytest.mark.parametrize("name", ["is_elsewhere", "is_demo"])
def test_crawls_of_others_and_the_demo_are_not_told_of(name: str) -> None:
    crawl = Crawl()
    setattr(crawl, name, True)

    def act(_: NotificationController) -> None:
        crawl.report(RUNNING)
        crawl.report(FINISHED)

    assert told_of(crawl, act) == []


class Notifier:
    """Remembers what it shows."""

    can_show = True

    def __init__(self) -> None:
        self.shown: list[str] = []

    def show(self, title: str, _text: str) -> None:
        self.shown.append(title)


@pytest.mark.usefixtures("qapp")
@pytest.mark.parametrize("is_first", [True, False])
@pytest.mark.parametrize(
    ("by_rules", "has_desktop", "shown"),
    [
        (["rule"], True, ["rule"]),
        ([], True, ["finished"]),  # its conditions did not hold
        ([], False, ["finished"]),
    ],
)
def test_the_end_of_a_crawl_is_shown_once_by_a_rule_or_by_the_window(
    by_rules: list[str], shown: list[str], *, has_desktop: bool, is_first: bool
) -> None:
    crawl, notifier = Crawl(), Notifier()

    async def main() -> None:
        async with asyncio.TaskGroup() as group:
            tasks = WindowTasks(group, lambda _: None, lambda _: None)
            may_go_on = asyncio.Event()

            async def notify(_project: Path, _ending: EndKind) -> None:
                await may_go_on.wait()
                for title in by_rules:
                    controller.show_by_rule(title, "")

            async def tells_desktop(_project: Path) -> bool:
                return has_desktop

            controller = NotificationController(
                *(crawl, cast("CrawlController", crawl), tasks, cast("Any", notifier)),
                *(notify, tells_desktop),
            )
            crawl.report(RUNNING)
            if is_first:
                controller.announce("finished", "")
            crawl.report(FINISHED)
            if not is_first:
                controller.announce("finished", "")
            for _ in range(10):
                await asyncio.sleep(0)
            assert notifier.shown == ([] if has_desktop else shown)
            may_go_on.set()

    asyncio.run(main())
    assert notifier.shown == shown
