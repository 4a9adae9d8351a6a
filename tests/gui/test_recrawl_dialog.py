"""Crawling a project again from the window, and what is offered when that has ended."""

from pathlib import Path

import pytest
from PySide6.QtTest import QSignalSpy
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from gossamer.gui.actions.window_actions import WindowAction
from gossamer.gui.comparison.compare_dialog import CompareDialog
from gossamer.gui.crawl.recrawl_dialog import RecrawlDialog
from gossamer.gui.runtime.saved_ui_state import RecentProject
from gossamer.gui.start.recent_crawl_list import RecentProjects
from gossamer.model.crawl_state import CrawlState
from gossamer.model.errors import UsageError
from gossamer.model.facets import FacetCount
from gossamer.model.fields.derived_freshness_fields import FreshnessStatus
from gossamer.model.outcome import Outcome
from gossamer.model.project_queries import Filter, View
from gossamer.model.secrets import HttpAuth, OriginSecrets, Secrets
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.translatable import said
from gossamer.session.recrawl import update_path
from gossamer.store.reading.reader import Reader
from tests.gui.conftest import Play
from tests.gui.stage import Stage, until


def test_only_what_is_chosen_otherwise_is_changed(qtbot: QtBot) -> None:
    settings = CrawlSettings(roots=("example.com",))
    dialog = RecrawlDialog(Path("/x.gossamer"), settings, None)
    qtbot.addWidget(dialog)
    assert dialog.changes() == {}
    wanted = QSignalSpy(dialog.recrawl_wanted)
    for name, box in dialog.options.items():
        box.setChecked(not getattr(settings, name))
    dialog.as_update.setChecked(True)
    expected = {name: not getattr(settings, name) for name in dialog.options}
    dialog.accept()
    assert wanted.at(0) == [expected, True]


def test_a_long_name_of_a_project_wraps(qtbot: QtBot) -> None:
    settings = CrawlSettings(roots=("example.com",))
    dialog = RecrawlDialog(Path(f"/{'long name ' * 12}.gossamer"), settings, None)
    qtbot.addWidget(dialog)
    dialog.show()
    assert dialog.width() == dialog.minimumWidth()
    assert dialog.height() == dialog.heightForWidth(dialog.width())
    texts = [each for each in dialog.findChildren(QLabel) if each.isVisible()]
    assert all(each.wordWrap() or each.sizeHint().width() <= dialog.width() for each in texts)
    assert all(each.height() >= each.heightForWidth(each.width()) for each in texts)


async def again(stage: Stage, *, update: bool) -> None:
    """Crawl, end it, and crawl again."""
    await stage.start()
    assert not stage.window.action_set[WindowAction.CRAWL_AGAIN].isEnabled()
    stage.session.tell(state=CrawlState.FINISHED, seconds=1.0)
    await until(stage.window.action_set[WindowAction.CRAWL_AGAIN].isEnabled)
    stage.trigger(WindowAction.CRAWL_AGAIN)
    dialog = stage.window.findChild(RecrawlDialog)
    assert dialog is not None
    dialog.as_update.setChecked(update)
    count = len(stage.sessions.made)
    dialog.start.click()
    await until(lambda: len(stage.sessions.made) > count and "start" in stage.session.asked)


def test_a_crawl_that_followed_another_leads_to_the_comparison(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        await again(stage, update=False)
        earlier, later = (each.path for each in stage.sessions.made)
        with Reader(later) as reader:
            base = reader.summary().previous
        assert base is not None
        assert Path(base.path) == earlier
        assert stage.message("recrawl") == ""
        stage.session.tell(state=CrawlState.FINISHED, seconds=1.0)
        await until(lambda: stage.message("recrawl") != "")
        message = stage.window.messages.about("recrawl")
        assert message is not None
        (answer,) = message._buttons  # noqa: SLF001 - its text has the date
        assert answer.text().startswith("Compare with the crawl of ")
        answer.click()
        dialog = stage.window.findChild(CompareDialog)
        assert dialog is not None
        assert dialog.is_comparing
        dialog.stop_wanted.emit()

    play(scene)


def test_pages_that_are_gone_or_no_longer_linked_are_counted(
    play: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    counted = {
        "since_last_crawl": [FacetCount(FreshnessStatus.SAME.value, 4)],
        "outcome": [
            FacetCount(Outcome.PAGE, 4),
            FacetCount(Outcome.GONE, 2),
            FacetCount(Outcome.NO_LONGER_LINKED, 3),
        ],
    }
    real = Reader.facet

    def facet(reader: Reader, view: View, filter_: Filter, facet: str) -> list[FacetCount]:
        found = counted.get(facet) if not filter_.facets else None
        return real(reader, view, filter_, facet) if found is None else found

    monkeypatch.setattr(Reader, "facet", facet)

    async def scene(stage: Stage) -> None:
        await again(stage, update=False)
        stage.session.tell(state=CrawlState.FINISHED, seconds=1.0)
        await until(lambda: stage.message("recrawl") != "")
        assert "Pages: Same: 4, Gone: 2, No longer linked: 3." in stage.message("recrawl")

    play(scene)


def test_secrets_of_the_crawl_shown_are_handed_over_to_the_crawl_after_it(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        await stage.start()
        typed = Secrets.same_for(["https://example.com"], OriginSecrets(auth=HttpAuth("me", "x")))
        stage.session.secrets_for_recrawl = typed
        stage.session.tell(state=CrawlState.FINISHED, seconds=1.0)
        await until(stage.window.action_set[WindowAction.CRAWL_AGAIN].isEnabled)
        button = stage.window.top_bar.go
        button.menu().aboutToShow.emit()
        action = stage.window.action_set[WindowAction.CRAWL_AGAIN]
        assert action in button.menu().actions()
        action.trigger()
        dialog = stage.window.findChild(RecrawlDialog)
        assert dialog is not None
        dialog.start.click()
        await until(lambda: stage.sessions.handed_over == [typed])

    play(scene)


def test_an_update_stands_aside_until_it_is_put_in_place(
    play: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scene(stage: Stage) -> None:
        await again(stage, update=True)
        earlier = stage.sessions.made[0].path
        assert stage.session.path == update_path(earlier)
        put: list[Path] = []
        monkeypatch.setattr("gossamer.session.recrawl.finish_update", put.append)
        stage.session.tell(state=CrawlState.FINISHED, seconds=1.0)
        await until(lambda: stage.message("recrawl") != "")
        assert put == []
        stage.answer("recrawl", f"Replace {earlier.name}")
        await until(lambda: put == [earlier] and stage.session.path == earlier)

    play(scene)


def test_why_an_update_could_not_replace_is_said_beside_the_project_that_is_shown_again(
    play: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_file: Path) -> None:
        raise UsageError("The disk is full.")

    monkeypatch.setattr("gossamer.session.recrawl.update_failure", lambda _: None)
    monkeypatch.setattr("gossamer.session.recrawl.finish_update", fail)

    async def scene(stage: Stage) -> None:
        await again(stage, update=True)
        earlier = stage.sessions.made[0].path
        stage.session.tell(state=CrawlState.FINISHED, seconds=1.0)
        await until(lambda: stage.message("recrawl") != "")
        stage.answer("recrawl", f"Replace {earlier.name}")
        await until(lambda: stage.session.path == earlier)
        await until(lambda: not {"replace project", "open project"} & {*stage.tasks.names()})
        assert stage.message("crawl") == "The disk is full."

    play(scene)


def test_an_update_that_failed_replaces_nothing_and_leads_back(
    play: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    why = said("It has moved.")
    monkeypatch.setattr("gossamer.session.recrawl.update_failure", lambda _: why)

    async def scene(stage: Stage) -> None:
        await again(stage, update=True)
        earlier = stage.sessions.made[0].path
        stage.session.tell(state=CrawlState.FINISHED, seconds=1.0)
        await until(lambda: stage.message("recrawl") != "")
        told = f"{earlier.name} was not replaced. It has moved. The crawl of "
        assert told in stage.message("recrawl")
        message = stage.window.messages.about("recrawl")
        assert message is not None
        (show,) = message._buttons  # noqa: SLF001 - its text has the date
        assert show.text().startswith("Show the crawl of ")
        show.click()
        await until(lambda: stage.session.path == earlier)

    play(scene)


def test_only_one_dialog_asks(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        await stage.start()
        stage.session.tell(state=CrawlState.FINISHED, seconds=1.0)
        await until(stage.window.action_set[WindowAction.CRAWL_AGAIN].isEnabled)
        stage.trigger(WindowAction.CRAWL_AGAIN)
        stage.trigger(WindowAction.CRAWL_AGAIN)
        dialogs = stage.window.findChildren(RecrawlDialog)
        assert [each.isVisible() for each in dialogs].count(True) == 1

    play(scene)


def test_recent_crawls_can_be_compared_and_crawled_again_without_opening_them(
    qtbot: QtBot,
) -> None:
    recent = RecentProjects()
    qtbot.addWidget(recent)
    paths = [Path("/one.gossamer"), Path("/two.gossamer")]
    recent.show_projects([RecentProject(paths[0], "one.example", 0)])
    assert recent.compare.isHidden()
    recent.show_projects([RecentProject(path, "one.example", 0) for path in paths])
    assert not recent.compare.isHidden()
    compare, recrawl = QSignalSpy(recent.compare_wanted), QSignalSpy(recent.recrawl_wanted)
    recent.compare.click()
    for action in recent.rows[1].actions():
        action.trigger()
    assert [compare.at(n)[0] for n in range(compare.count())] == [None, paths[1]]
    assert recrawl.at(0) == [paths[1]]
