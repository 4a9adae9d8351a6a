"""Crawling again, cancelling and excluding what is selected."""

from pathlib import Path

import pytest
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QAbstractItemView

from gossamer.gui.actions.view_actions import ViewAction
from gossamer.gui.context_menu import bulk_action_menu
from gossamer.gui.context_menu.bulk_action_menu import BulkActionMenu
from gossamer.model.crawl_state import CrawlState
from gossamer.model.messages.crawl_messages import BulkActionKind, UrlSelection
from gossamer.model.outcome import Outcome
from gossamer.model.project_queries import View
from tests.cases import each_case
from tests.gui.conftest import Play, Run
from tests.gui.desk import BASE, Desk
from tests.gui.stage import Stage, staged, until

Wanted = list[tuple[BulkActionKind, UrlSelection]]


@pytest.fixture
def wanted(desk: Desk) -> Wanted:
    """What the panels ask of the crawl."""
    wanted: Wanted = []
    for panel in (desk.discovery, desk.folders, desk.table):
        panel.bulk_action_wanted.connect(
            lambda action, selection: wanted.append((action, selection))
        )
    return wanted


def action(view: QAbstractItemView, text: str) -> QAction:
    return next(each for each in view.actions() if each.text().startswith(text))


def test_selected_rows_are_crawled_again_or_cancelled(desk: Desk, wanted: Wanted) -> None:
    desk.table.view.selectRow(4)
    action(desk.table.view, "Crawl again").trigger()
    desk.until(lambda: wanted == [(BulkActionKind.RECRAWL, UrlSelection(ids=(5,)))])
    desk.rows.change(2, outcome=Outcome.PENDING)
    desk.refresh()
    desk.table.view.selectAll()
    cancel = action(desk.table.view, "Cancel")
    desk.until(cancel.isEnabled)
    cancel.trigger()
    desk.until(
        lambda: wanted[1:] == [(BulkActionKind.CANCEL, UrlSelection(ids=(1, 2, 3, 4, 5, 6)))]
    )


# No two neighbours are alike: what is waited for is not what was there.
@each_case(
    ("outcome", "possible"),
    [
        (Outcome.PENDING, {"Crawl first", "Skip for now", "Cancel"}),
        (Outcome.PAGE, {"Crawl again"}),
        (Outcome.HELD, {"Crawl first", "Put back in the queue", "Cancel"}),
        (Outcome.CHECKED, {"Crawl again"}),
        (Outcome.OUT_OF_SCOPE, set()),
        (Outcome.CLIENT_ERROR, {"Crawl again"}),
        (Outcome.UNSUPPORTED_SCHEME, set()),
        (Outcome.CANCELLED, {"Crawl again"}),
        (Outcome.PENDING, {"Crawl first", "Skip for now", "Cancel"}),
        (Outcome.BLOCKED_BY_ROBOTS, {"Crawl again"}),
    ],
)
def test_only_actions_with_an_effect_are_enabled(
    desk: Desk, outcome: Outcome, possible: set[str]
) -> None:
    names = ("Crawl again", "Crawl first", "Skip for now", "Put back in the queue", "Cancel")
    view = desk.table.view

    def offered() -> set[str]:
        return {name for name in names if action(view, name).isEnabled()}

    desk.rows.change(2, outcome=outcome)
    desk.refresh()
    view.selectRow(1)
    desk.until(lambda: offered() == possible)
    (actions,) = view.findChildren(BulkActionMenu)
    actions.set_read_only(read_only=True)
    assert offered() == set()
    assert not actions.actions[ViewAction.EXCLUDE_FOLDER].isEnabled()
    actions.set_read_only(read_only=False)


def test_actions_on_links_apply_to_their_targets(desk: Desk, wanted: Wanted) -> None:
    desk.table.set_view(View.LINKS)
    desk.until(lambda: desk.table.model.rowCount() == 6)
    desk.table.view.selectAll()
    action(desk.table.view, "Crawl again").trigger()
    desk.until(lambda: wanted == [(BulkActionKind.RECRAWL, UrlSelection(ids=(2, 3, 4, 5, 6, 1)))])


def test_a_selection_of_too_many_rows_is_reported(
    desk: Desk, wanted: Wanted, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bulk_action_menu, "MAX_ROWS", 3)
    desk.table.view.selectAll()
    action(desk.table.view, "Crawl again").trigger()
    assert desk.table.summary.selection.text() == "Too many rows: select at most 3"
    assert wanted == []


def test_the_folder_of_a_row_is_excluded_but_never_the_site(desk: Desk, wanted: Wanted) -> None:
    desk.table.view.selectRow(1)
    action(desk.table.view, "Exclude").trigger()
    desk.until(lambda: wanted == [(BulkActionKind.EXCLUDE, UrlSelection(folder=f"{BASE}/docs/"))])
    desk.table.view.selectRow(0)
    action(desk.table.view, "Exclude").trigger()
    desk.until(lambda: "the whole site" in desk.table.summary.selection.text())
    assert len(wanted) == 1


def test_actions_on_a_tree_node_apply_to_all_below_it(desk: Desk, wanted: Wanted) -> None:
    tree = desk.discovery
    desk.until(lambda: tree.model.index_of(3).isValid())
    tree.view.setCurrentIndex(tree.model.index_of(3))
    action(tree.view, "Crawl again").trigger()
    action(tree.view, "Cancel").trigger()
    assert wanted == [
        (BulkActionKind.RECRAWL, UrlSelection(below=3)),
        (BulkActionKind.CANCEL, UrlSelection(below=3)),
    ]


def test_actions_on_a_folder_apply_to_all_in_it(desk: Desk, wanted: Wanted) -> None:
    tree = desk.folders
    desk.until(lambda: tree.model.rowCount() == 1)
    tree.view.expandAll()
    docs = tree.model.index(0, 0, tree.model.index(0, 0))
    desk.until(lambda: tree.model.index(0, 0, tree.model.index(0, 0)).isValid())
    docs = tree.model.index(0, 0, tree.model.index(0, 0))
    tree.view.setCurrentIndex(docs)
    action(tree.view, "Cancel").trigger()
    action(tree.view, "Exclude").trigger()
    assert wanted == [
        (BulkActionKind.CANCEL, UrlSelection(folder=f"{BASE}/docs/")),
        (BulkActionKind.EXCLUDE, UrlSelection(folder=f"{BASE}/docs/")),
    ]


def test_a_node_is_held_back_released_and_crawled_first(desk: Desk, wanted: Wanted) -> None:
    tree = desk.discovery
    desk.until(lambda: tree.model.index_of(3).isValid())
    tree.view.setCurrentIndex(tree.model.index_of(3))
    for text in ("Skip for now with", "Put back in the queue with", "Crawl first with"):
        action(tree.view, text).trigger()
    below = UrlSelection(below=3)
    assert wanted == [
        (BulkActionKind.HOLD, below),
        (BulkActionKind.RELEASE, below),
        (BulkActionKind.FIRST, below),
    ]


def test_without_a_selection_no_action_is_enabled(desk: Desk) -> None:
    view = desk.table.view
    texts = (
        "Crawl again",
        "Crawl first",
        "Skip for now",
        "Put back in the queue",
        "Cancel",
        "Exclude",
    )
    assert not any(action(view, text).isEnabled() for text in texts)
    view.selectRow(0)
    offered = {text for text in texts if action(view, text).isEnabled()}
    assert offered == {"Crawl again", "Exclude"}


def test_a_finished_crawl_offers_to_release_what_is_held_back(
    tmp_path: Path, run: Run[None]
) -> None:
    async def scenario() -> None:
        async with staged(tmp_path) as stage:
            session = await stage.start()
            session.tell(state=CrawlState.FINISHED, outcomes={Outcome.PAGE: 3, Outcome.HELD: 1200})
            await until(lambda: "1,200" in stage.message("aside"))
            stage.answer("aside", "Put all back")
            await until(lambda: session.actions == [(BulkActionKind.RELEASE, UrlSelection())])

    run(scenario())


def test_an_excluded_folder_can_be_included_again_with_one_click(play: Play) -> None:
    async def scenario(stage: Stage) -> None:
        session = await stage.start()
        folder = UrlSelection(folder="https://example.com/caf%C3%A9/")
        stage.window.workspace.bulk_action_wanted.emit(BulkActionKind.EXCLUDE, folder)
        await until(lambda: session.actions == [(BulkActionKind.EXCLUDE, folder)])
        said = "https://example.com/café/ is now excluded from this crawl."
        assert stage.message("excluded") == said
        stage.answer("excluded", "Undo")
        await until(lambda: session.actions[1:] == [(BulkActionKind.INCLUDE, folder)])
        assert stage.message("excluded") == ""

    play(scenario)


def test_the_window_sends_url_actions_to_the_session(tmp_path: Path, run: Run[None]) -> None:
    async def scenario() -> None:
        async with staged(tmp_path) as stage:
            session = await stage.start()
            wanted = (BulkActionKind.EXCLUDE, UrlSelection(folder="https://example.com/a/"))
            stage.window.workspace.bulk_action_wanted.emit(*wanted)
            await until(lambda: session.actions == [wanted])
            assert session.state is CrawlState.RUNNING

    run(scenario())
