"""The project shown is audited again from its archive: progress, cancel, and what came of it."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from gossamer.gui.actions.window_actions import WindowAction
from gossamer.gui.sql.result_rows import ResultRows
from gossamer.gui.sql.sql_window import SqlWindow
from gossamer.model.crawl_state import CrawlState
from gossamer.model.errors import KnownError, UsageError
from gossamer.model.messages.process_messages import ProcessStep
from gossamer.session import audit_again
from gossamer.session.audit_again import AuditedAgain
from tests.gui.conftest import Play
from tests.gui.stage import Stage, until


class Run:
    """Stands for the run: says how far it is, and goes on when it is told to."""

    def __init__(self) -> None:
        self.may_end = asyncio.Event()
        self.error: KnownError | None = None
        self.was_cancelled = False
        self.projects: list[Path] = []

    async def audit_again(
        self,
        project: Path,
        *,
        on_step: Callable[[ProcessStep], None],
        let_go: Callable[[], Awaitable[None]],
    ) -> AuditedAgain:
        self.projects.append(project)
        on_step(ProcessStep("Reading pages", 1, 4))
        try:
            await self.may_end.wait()
        except asyncio.CancelledError:
            self.was_cancelled = True
            raise
        await let_go()
        if self.error is not None:
            raise self.error
        return AuditedAgain(kept_facts=3)


async def begun(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> Run:
    run = Run()
    monkeypatch.setattr(audit_again, "audit_again", run.audit_again)
    action = stage.window.action_set[WindowAction.AUDIT_AGAIN]
    assert not action.isEnabled()
    await stage.start()
    assert not action.isEnabled()
    stage.session.tell(state=CrawlState.FINISHED, seconds=1.0)
    await until(action.isEnabled)
    stage.trigger(WindowAction.AUDIT_AGAIN)
    await until(lambda: "Reading pages, 25 %" in stage.message("audit-again"))
    return run


def test_it_tells_how_far_it_is_and_opens_what_came_of_it(
    play: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scene(stage: Stage) -> None:
        run = await begun(stage, monkeypatch)
        path, opened = stage.session.path, len(stage.sessions.made)
        stage.trigger(WindowAction.SQL)
        (console,) = stage.window.findChildren(SqlWindow)
        console.editor.setPlainText("SELECT 1")
        console.table.show_result(("id",), ResultRows.of([(1,)]))
        stage.trigger(WindowAction.AUDIT_AGAIN)  # one is enough
        run.may_end.set()
        await until(lambda: "was audited again" in stage.message("audit-again"))
        assert "facts of the crawl: 3" in stage.message("audit-again")
        await until(lambda: len(stage.sessions.made) > opened)
        assert stage.session.path == path
        assert run.projects == [path]
        await until(console.run.isEnabled)
        assert console.isVisible()
        assert console.editor.toPlainText() == "SELECT 1"
        assert console.table.result.rowCount() == 0, "its ids are those of the project before"

    play(scene)


def test_cancelled_it_leaves_the_project_open(play: Play, monkeypatch: pytest.MonkeyPatch) -> None:
    async def scene(stage: Stage) -> None:
        run = await begun(stage, monkeypatch)
        session = stage.session
        stage.answer("audit-again", "Cancel")
        await until(lambda: run.was_cancelled and stage.message("audit-again") == "")
        assert stage.session is session
        assert stage.window.action_set[WindowAction.AUDIT_AGAIN].isEnabled()

    play(scene)


def test_why_it_failed_is_said_beside_the_project_that_is_shown_again(
    play: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scene(stage: Stage) -> None:
        run = await begun(stage, monkeypatch)
        path, opened = stage.session.path, len(stage.sessions.made)
        run.error = UsageError("The disk is full.")
        run.may_end.set()
        await until(lambda: len(stage.sessions.made) > opened)
        await until(lambda: not {"audit-again", "open project"} & {*stage.tasks.names()})
        assert stage.session.path == path
        assert stage.message("crawl") == "The disk is full."

    play(scene)
