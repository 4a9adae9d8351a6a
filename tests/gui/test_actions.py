"""The declarations of actions, and the menus, buttons and context menus made of them."""

import re
from collections import Counter
from itertools import groupby

import pytest
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QMenu, QWidget
from pytestqt.qtbot import QtBot

from gossamer.gui.actions.action_declaration import Menu, SelectionState, WindowState
from gossamer.gui.actions.view_actions import ViewAction, add_view_action
from gossamer.gui.actions.window_actions import WindowAction
from gossamer.gui.context_menu.bulk_action_menu import possible_actions
from gossamer.model.crawl_state import Command, CrawlState, allowed
from gossamer.model.messages.crawl_messages import BulkActionKind
from gossamer.model.outcome import Outcome
from gossamer.store.reading.crawl_snapshot import read_identity
from tests.gui.conftest import Play
from tests.gui.stage import Stage

A = WindowAction
OF_A_PROJECT = {A.DUPLICATE, A.SAVE_COPY, A.EXPORT, A.DELETE, A.TABLE, A.PANELS, A.RESET_LAYOUT}
OF_A_CRAWL = {A.START, A.PAUSE_OR_RESUME, A.PAUSE, A.PAUSE_NOW, A.RESUME, A.CANCEL, A.RETRY_ERRORS}


def enabled(state: WindowState) -> set[WindowAction]:
    return {action for action in OF_A_PROJECT | OF_A_CRAWL if action.value.enabled(state)}


@pytest.mark.parametrize(
    ("crawl", "expected"),
    [
        (CrawlState.NEW, {A.START}),
        (CrawlState.RUNNING, {A.PAUSE_OR_RESUME, A.PAUSE, A.PAUSE_NOW, A.CANCEL}),
        (CrawlState.PAUSING, {A.PAUSE_OR_RESUME, A.PAUSE_NOW, A.RESUME, A.CANCEL}),
        (CrawlState.PAUSED, {A.PAUSE_OR_RESUME, A.RESUME, A.CANCEL}),
        (CrawlState.CANCELLING, set()),
        (CrawlState.CANCELLED, {A.START, A.PAUSE_OR_RESUME, A.RESUME}),
        (CrawlState.FINISHED, {A.START}),
    ],
)
def test_enabled_actions_follow_the_state_of_the_crawl(
    crawl: CrawlState, expected: set[WindowAction]
) -> None:
    assert enabled(WindowState(allowed(crawl))) == expected


def test_a_project_can_be_copied_exported_and_deleted_once_there_is_one() -> None:
    assert enabled(WindowState(frozenset(), has_project=True)) == OF_A_PROJECT
    assert enabled(WindowState(frozenset(), has_errors=True)) == {A.RETRY_ERRORS}


def test_every_action_can_be_performed_in_some_state() -> None:
    states = [
        WindowState(
            allowed(crawl), has_project=has_project, has_errors=has_project, is_auditing=is_auditing
        )
        for crawl in CrawlState
        for has_project in (False, True)
        for is_auditing in (False, True)
    ]
    assert [a for a in WindowAction if not any(a.value.enabled(state) for state in states)] == []


def test_every_action_is_connected(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        assert stage.window.action_set.not_performed == frozenset()

    play(scene)


def test_no_two_actions_of_the_window_share_a_shortcut() -> None:
    keys = [QKeySequence(each.value.shortcut).toString() for each in WindowAction]
    used = [key for key in keys if key]
    assert sorted(used) == sorted(set(used))


def test_menus_have_their_actions_in_the_order_of_declaration(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        window = stage.window
        bars = [action.menu() for action in window.menuBar().actions()]
        for menu, bar in zip(Menu, bars, strict=True):
            assert isinstance(bar, QMenu)
            shown = [action for action in bar.actions() if not action.isSeparator()]
            declared = [each for each in WindowAction if each.value.menu is menu]
            assert shown == [window.action_set[each] for each in declared]
            groups = [list(those) for _, those in groupby(declared, lambda x: x.value.group)]
            assert len(bar.actions()) - len(shown) == len(groups), "a line before each group"

    play(scene)


def test_start_is_labelled_start_again_for_the_same_address(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        await stage.start()
        stage.session.tell(state=CrawlState.FINISHED)
        await stage.shows("Finished")
        start = stage.window.action_set[A.START]
        assert (start.text(), start.iconText()) == ("&Start again", "Start again")
        stage.window.top_bar.url_field.setEditText("other.example")
        assert start.iconText() == "Start"
        assert stage.window.action_set.state.commands == {Command.START}

    play(scene)


def test_start_again_continues_the_series_and_another_address_begins_one(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        series = []
        for address in ("example.com", "example.com", "other.example"):
            session = await stage.start(address)
            session.tell(state=CrawlState.FINISHED)
            await stage.shows("Finished")
            series.append(read_identity(session.path)[0])
        assert series[0] == series[1] != series[2]

    play(scene)


def test_a_context_menu_is_in_the_declared_order_whoever_adds_to_it_first(qtbot: QtBot) -> None:
    view = QWidget()
    qtbot.addWidget(view)
    wanted = [ViewAction.COPY_ADDRESS, ViewAction.COPY_ROWS, ViewAction.CANCEL, ViewAction.COLUMNS]
    for declared in reversed(wanted):
        add_view_action(view, declared, lambda: None)
    texts = ["" if each.isSeparator() else each.text() for each in view.actions()]
    copy, rows, cancel, columns = (declared.value.text for declared in wanted)
    assert texts == ["", copy, rows, "", cancel, "", columns]


def test_in_a_tree_an_action_says_that_it_acts_on_all_below(qtbot: QtBot) -> None:
    view = QWidget()
    qtbot.addWidget(view)

    def text(declared: ViewAction) -> str:
        return add_view_action(view, declared, lambda: None, with_all_below=True).text()

    assert text(ViewAction.CANCEL) == "Cancel with everything below"
    assert text(ViewAction.EXCLUDE_FOLDER) == "Exclude this folder"


@pytest.mark.parametrize(
    ("outcomes", "expected"),
    [
        (
            {Outcome.PENDING},
            {
                BulkActionKind.FIRST,
                BulkActionKind.HOLD,
                BulkActionKind.CANCEL,
                BulkActionKind.EXCLUDE,
            },
        ),
        ({Outcome.PAGE, Outcome.OUT_OF_SCOPE}, {BulkActionKind.RECRAWL, BulkActionKind.EXCLUDE}),
        ({Outcome.OUT_OF_SCOPE, Outcome.UNSUPPORTED_SCHEME}, set()),
        (
            set(),
            {
                BulkActionKind.RECRAWL,
                BulkActionKind.FIRST,
                BulkActionKind.HOLD,
                BulkActionKind.RELEASE,
                BulkActionKind.CANCEL,
                BulkActionKind.EXCLUDE,
            },
        ),
    ],
)
def test_enabled_url_actions_follow_from_outcomes(
    outcomes: set[Outcome], expected: set[BulkActionKind]
) -> None:
    assert possible_actions(outcomes) == expected


def test_follow_redirect_is_enabled_only_where_redirects_can_occur() -> None:
    can_follow = ViewAction.FOLLOW_REDIRECT.value.enabled
    assert can_follow(SelectionState(has_urls=True))
    assert not can_follow(SelectionState(has_urls=True, may_redirect=False))
    assert not can_follow(SelectionState())


def test_an_access_key_leads_to_one_action_of_its_menu() -> None:
    keys = Counter(
        (action.value.menu, key.lower())
        for action in WindowAction
        for key in re.findall("&(.)", action.value.text)
    )
    assert [key for key, actions in keys.items() if actions > 1] == []
