"""Measuring how pages load: from a table or the details to the measures of each page."""

import pytest
from msgspec.structs import replace
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from gossamer.gui.actions.view_actions import ViewAction
from gossamer.gui.details.detail_views import DetailViews
from gossamer.gui.details.page_load_window import DEFAULT_RUNS, NAME, PageLoadWindow
from gossamer.model.errors import UsageError
from gossamer.model.messages.page_contents_messages import PageFetchOutcome
from gossamer.model.messages.page_load_messages import LoadReport, LoadRun
from gossamer.model.outcome import Outcome
from gossamer.model.page_load_limits import MAX_PAGES
from gossamer.model.project_queries import View
from tests.gui.conftest import Play
from tests.gui.desk import BASE, Desk
from tests.gui.stage import Stage, until

READ = PageFetchOutcome(Outcome.PAGE, 200, is_read=True)
RUN = LoadRun(100, 900, 2000, 0.02, 0, 120, 7, 20_480, 2, 1024)
SLOWER = replace(RUN, ttfb_ms=300, lcp_ms=5000, cls=0.2)
SLOWEST = replace(RUN, ttfb_ms=1000, lcp_ms=9000, cls=0.2)
MISSING = LoadReport(0, "", PageFetchOutcome(Outcome.CLIENT_ERROR, 404))
HOME, OTHER = f"{BASE}/", f"{BASE}/other"


def loaded(*runs: LoadRun) -> LoadReport:
    return LoadReport(0, HOME, READ, list(runs))


def rows(window: PageLoadWindow) -> list[list[str]]:
    """Every row of the tree, as far as it has texts."""
    tree, found = window.tree, list[list[str]]()
    each = tree.topLevelItem(0)
    while each:
        texts = (each.text(column) for column in range(tree.columnCount()))
        found.append([text for text in texts if text])
        each = tree.itemBelow(each)
    return found


@pytest.fixture
def window(qtbot: QtBot) -> PageLoadWindow:
    window = PageLoadWindow([HOME, OTHER])
    qtbot.addWidget(window)
    window.show()
    return window


def test_each_measure_has_median_lowest_and_highest_and_a_rating_in_words(
    window: PageLoadWindow,
) -> None:
    window.show_report(loaded(RUN, SLOWER, SLOWEST), 3)
    shown = rows(window)
    assert shown[0] == [f"{HOME} · 3 runs"]
    assert shown[1] == ["Time to First Byte", "300 ms", "100 ms", "1.00 s", "good"]
    assert shown[3] == ["Largest Contentful Paint", "5.00 s", "2.00 s", "9.00 s", "poor"]
    assert shown[4] == [
        "Cumulative Layout Shift",
        *("0.200", "0.020", "0.200"),
        "needs improvement",
    ]
    assert shown[6] == ["DOM elements", "120", "120", "120"]
    assert shown[8] == ["Transferred", "20.0 KiB", "20.0 KiB", "20.0 KiB"]
    assert shown[-1] == [OTHER], "not measured yet"


def test_what_was_not_measured_is_a_dash_without_a_rating(window: PageLoadWindow) -> None:
    window.show_report(loaded(replace(RUN, fcp_ms=None)), 1)
    nothing = "\N{EN DASH}"
    assert rows(window)[2] == ["First Contentful Paint", nothing, nothing, nothing]


def test_the_table_is_copied_with_the_address_on_each_line(window: PageLoadWindow) -> None:
    assert not window.copy.isEnabled()
    window.show_report(loaded(RUN), 1)
    window.copy.click()
    head, first, *_ = QGuiApplication.clipboard().text().splitlines()
    assert head == "Address\tMeasure\tMedian\tLowest\tHighest\tRating"
    assert first == f"{HOME}\tTime to First Byte\t100 ms\t100 ms\t100 ms\tgood"


def test_a_page_that_the_browser_does_not_show_says_so(window: PageLoadWindow) -> None:
    window.show_report(LoadReport(0, HOME, READ), 5)
    assert rows(window)[1] == ["The browser did not show this page. Render it to see why."]


def test_the_selected_rows_of_a_table_are_measured_each_address_once(desk: Desk) -> None:
    view = desk.table.view
    view.selectAll()
    actions = desk.table._url_actions[view]  # noqa: SLF001 - its menu
    with desk.qtbot.waitSignal(actions.measuring_wanted) as wanted:
        actions.actions[ViewAction.MEASURE_LOADING].trigger()
    [urls] = wanted.args or [[]]
    assert len(urls) == len(set(urls)) == len(desk.rows.urls)


def test_the_details_offer_it_for_their_page(desk: Desk) -> None:
    view = desk.details.views.rendered_page
    assert not view.measure.isEnabled()
    desk.details.tabs.bring_to_front(DetailViews.rendered_page)
    desk.details.select_url(1)
    desk.until(view.measure.isEnabled)
    with desk.qtbot.waitSignal(view.measuring_wanted) as wanted:
        view.measure.click()
    assert wanted.args == [HOME]


def opened(stage: Stage, *urls: str) -> PageLoadWindow:
    """The window, as the details and the tables open it."""
    actions = stage.window.workspace.table.url_actions
    actions.measuring_wanted.emit(list(urls))
    window = stage.window.findChild(PageLoadWindow, NAME)
    assert window is not None
    return window


def test_pages_are_loaded_run_by_run_and_one_that_is_missing_only_once(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        inspection = (await stage.start()).inspection
        inspection.loads = [MISSING, loaded(RUN), loaded(SLOWER)]
        window = opened(stage, HOME, OTHER)
        assert window.runs.value() == DEFAULT_RUNS
        window.runs.setValue(2)
        window.start.click()
        assert window.state.text() == "0 of 4 runs"
        assert not window.runs.isEnabled()
        await until(lambda: not window.is_measuring)
        assert inspection.asked == [(HOME, "1 loads"), *[(OTHER, "1 loads")] * 2]
        assert rows(window)[:3] == [[HOME], ["Not found."], [f"{OTHER} · 2 runs"]]
        assert window.progress.value() == window.progress.maximum() == 4
        assert window.start.text() == "Measure"

    play(scene)


def test_stop_keeps_the_runs_there_are_and_asks_for_no_more(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        inspection = (await stage.start()).inspection
        inspection.loads = [loaded(RUN), loaded(RUN)]
        window = opened(stage, HOME)
        window.tree.show_report(loaded(RUN))
        inspection.gate.clear()
        window.start.click()
        await until(lambda: len(inspection.asked) == 1)
        assert window.start.text() == "Stop"
        window.start.click()
        await until(lambda: "measure loading" not in stage.tasks.names())
        inspection.gate.set()
        assert len(inspection.loads) == 2, "nothing was answered"
        assert not window.is_measuring
        assert window.runs.isEnabled()

    play(scene)


def test_closing_the_window_stops_the_measuring(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        inspection = (await stage.start()).inspection
        inspection.gate.clear()
        window = opened(stage, HOME)
        window.start.click()
        await until(lambda: len(inspection.asked) == 1)
        window.reject()
        await until(lambda: "measure loading" not in stage.tasks.names())

    play(scene)


def test_without_a_browser_the_window_says_so_in_one_sentence(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        inspection = (await stage.start()).inspection
        inspection.error = UsageError("There is no browser x.")
        window = opened(stage, HOME)
        window.start.click()
        await until(lambda: window.message.text() == "There is no browser x.")
        assert not window.is_measuring

    play(scene)


def test_more_pages_than_can_be_measured_are_refused_with_the_number(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        await stage.start()
        space = stage.window.workspace
        urls = [f"{HOME}{n}" for n in range(MAX_PAGES + 1)]
        space.table.set_view(View.LINKS)
        for part in (space.table, space.discovery):
            space.table.summary.show_message("")
            part.url_actions.measuring_wanted.emit(urls)
            assert stage.window.findChild(PageLoadWindow, NAME) is None
            assert str(MAX_PAGES) in space.table.summary.selection.text()

    play(scene)
