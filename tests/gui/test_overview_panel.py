"""The overview: what each element counts, and that a click on it shows just that."""

from itertools import pairwise

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QEvent, QPoint, QSize, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtTest import QAbstractItemModelTester, QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from gossamer.gui.look import theme
from gossamer.gui.overview import chart_data
from gossamer.gui.overview.chart_data import MAX_SPANS, Throughput
from gossamer.gui.overview.chart_widget import Chart, RowsTarget
from gossamer.gui.overview.overview_panel import OverviewPanel
from gossamer.model.crawl_state import CrawlState
from gossamer.model.messages.crawl_messages import Progress
from gossamer.model.outcome import Outcome
from gossamer.model.overview_data import OverviewData
from gossamer.model.project_queries import NO_RESPONSE, Filter, Order, View, facet_values
from tests.gui.overview_samples import FIGURES, PROGRESS

pytestmark = pytest.mark.styled


@pytest.fixture
def overview(qtbot: QtBot) -> OverviewPanel:
    overview = OverviewPanel()
    qtbot.addWidget(overview)
    overview.resize(280, 1800)
    overview.show()
    return overview


def counts(chart: Chart) -> list[tuple[str, float]]:
    return [(mark.label, mark.value) for mark in chart.marks()]


def click(chart: Chart, row: int) -> None:
    """Click into the middle of what is drawn for a mark."""
    at = chart.area(row).pointAtPercent(0)
    middle = chart.visualRect(chart.model_.index(row)).center()
    inside = middle if chart.indexAt(middle).row() == row else at.toPoint()
    QTest.mouseClick(chart.viewport(), Qt.MouseButton.LeftButton, pos=inside)


def all_charts(overview: OverviewPanel) -> list[Chart]:
    return [chart for section in overview.charts.sections for chart in section.charts]


def test_charts_are_made_when_the_panel_is_first_shown_with_all_that_was_reported(
    qtbot: QtBot,
) -> None:
    overview = OverviewPanel()
    qtbot.addWidget(overview)
    overview.restore_state(b'{"version": 1, "closed": ["hosts"]}')
    for seconds in range(5):
        state = CrawlState.RUNNING
        overview.show_progress(Progress(state=state, fetched=10 * seconds, seconds=seconds))
    assert not overview.findChildren(Chart)
    assert b"hosts" in overview.save_state()
    with qtbot.waitSignal(overview.figures_wanted):
        overview.show()
    assert overview.charts.responses.middle == "40"
    assert [mark.value for mark in overview.charts.speed.marks()] == [10, 10, 10]
    assert not next(each for each in overview.charts.sections if each.key == "hosts").is_open


def test_charts_are_up_to_date_when_the_panel_is_shown_again(overview: OverviewPanel) -> None:
    overview.show_progress(PROGRESS)
    overview.hide()
    overview.show_progress(replace(PROGRESS, fetched=101))
    assert overview.charts.responses.middle == "100"
    overview.show()
    assert overview.charts.responses.middle == "101"


@pytest.mark.parametrize("width", [170, 200, 240, 270, 320, 500])
def test_the_legend_of_a_donut_chart_is_complete_at_any_width(
    overview: OverviewPanel, qtbot: QtBot, width: int
) -> None:
    ring = overview.charts.responses
    overview.show_progress(PROGRESS)
    ring.setFixedWidth(width)
    qtbot.waitUntil(lambda: ring.size() == QSize(width, ring.sizeHint().height()))
    room = ring.viewport().rect()
    metrics = ring.metrics()
    for row, mark in enumerate(ring.marks()):
        assert room.contains(ring.visualRect(ring.model_.index(row)))
        words = metrics.horizontalAdvance(mark.label) + metrics.horizontalAdvance(mark.drawn)
        assert ring.line_of(row).width() >= words + 20


def test_responses_are_summed_by_status_class(overview: OverviewPanel) -> None:
    overview.show_progress(PROGRESS)
    assert [(label[:3], count) for label, count in counts(overview.charts.responses)] == [
        ("2xx", 81),
        ("3xx", 7),
        ("4xx", 7),
        ("5xx", 2),
        ("No ", 2),
    ]
    ring = overview.charts.responses
    assert (ring.middle, ring.below) == ("100", "requests completed")


def test_the_donut_chart_is_complete_and_shows_the_smallest_share(overview: OverviewPanel) -> None:
    overview.show_progress(
        Progress(state=CrawlState.RUNNING, fetched=100_001, statuses={200: 100_000, 404: 1})
    )
    sectors = overview.charts.responses.sectors()
    assert sum(span for _, span in sectors) == pytest.approx(360)
    assert sectors[2][1] == 3
    assert sectors[1][1] == 0
    begin, span = sectors[0]
    assert begin == 0
    assert span == pytest.approx(357)


def test_outcomes_are_ordered_by_frequency_without_queued_urls(overview: OverviewPanel) -> None:
    overview.show_progress(PROGRESS)
    assert counts(overview.charts.outcomes) == [("Out of scope", 300), ("Page", 70), ("Timeout", 2)]


def test_what_did_not_change_since_the_last_crawl_is_among_the_outcomes(
    overview: OverviewPanel,
) -> None:
    overview.show_progress(replace(PROGRESS, unchanged=40))
    assert counts(overview.charts.outcomes)[-1] == ("Unchanged since last crawl", 40)


def test_depths_beyond_the_last_column_are_summed(overview: OverviewPanel) -> None:
    overview.show_figures(FIGURES)
    columns = overview.charts.depths.marks()
    assert [(mark.text, mark.value) for mark in columns[:3]] == [("0", 1), ("1", 0), ("2", 5)]
    assert (columns[-1].text, columns[-1].value) == ("12+", 9)
    assert columns[-1].target == RowsTarget(
        View.PAGES, Filter(facets=facet_values(depth={12, 13, 900}))
    )


def test_a_depth_beyond_the_last_column_alone_is_not_called_by_the_depth_of_that_column() -> None:
    last = chart_data.depths({0: 1, 15: 3})[-1]
    assert (last.text, last.label) == ("12+", "Depth: 12+")
    last = chart_data.depths({0: 1, 12: 3})[-1]
    assert (last.text, last.label) == ("12", "Depth: 12")


def test_response_times_and_percentiles(overview: OverviewPanel) -> None:
    overview.show_figures(FIGURES)
    assert [(m.text, m.value) for m in overview.charts.times.marks()] == [
        ("<0.1", 900),
        ("<0.2", 50),
        ("<0.5", 0),
        ("<1", 40),
        ("<3", 0),
        (">3", 10),
    ]
    told = [(mark.label, mark.value_text) for mark in overview.charts.percentiles.marks()]
    assert told == [("Median", "40 ms"), ("90%", "40 ms"), ("99%", "700 ms")]
    assert overview.charts.percentiles.marks()[2].target == RowsTarget(
        View.ALL, Filter(time_ms=(700, None))
    )


def test_hosts_show_their_current_state(overview: OverviewPanel) -> None:
    overview.show_progress(PROGRESS)
    assert [(mark.label, mark.value_text) for mark in overview.charts.hosts.marks()] == [
        ("busy.test", "3 in flight"),
        ("tired.test", "backing off, 12 s"),
    ]
    overview.show_progress(Progress(state=CrawlState.FINISHED, hosts=PROGRESS.hosts))
    assert not overview.charts.hosts.marks()


@pytest.mark.parametrize(
    ("name", "row", "shown"),
    [
        ("responses", 0, RowsTarget(View.ALL, Filter(facets=facet_values(status_class={2})))),
        (
            "responses",
            4,
            RowsTarget(View.ERRORS, Filter(facets=facet_values(status_class={NO_RESPONSE}))),
        ),
        ("outcomes", 1, RowsTarget(View.ALL, Filter(facets=facet_values(outcome={Outcome.PAGE})))),
        ("depths", 2, RowsTarget(View.PAGES, Filter(facets=facet_values(depth={2})))),
        ("times", 1, RowsTarget(View.ALL, Filter(time_ms=(100, 200)))),
        ("types", 1, RowsTarget(View.ALL, Filter(facets=facet_values(content_type={"image/png"})))),
        (
            "hosts",
            0,
            RowsTarget(
                View.ALL,
                Filter(facets=facet_values(origin={"http://busy.test", "https://busy.test"})),
            ),
        ),
    ],
)
def test_a_click_shows_the_rows_that_were_counted(
    overview: OverviewPanel, qtbot: QtBot, name: str, row: int, shown: RowsTarget
) -> None:
    overview.show_progress(PROGRESS)
    overview.show_figures(FIGURES)
    qtbot.waitUntil(lambda: overview.charts.responses.width() > 200)
    with qtbot.waitSignal(overview.rows_wanted) as wanted:
        click(getattr(overview.charts, name), row)
    assert wanted.args == [shown]


def test_a_click_on_a_page_shows_it(overview: OverviewPanel, qtbot: QtBot) -> None:
    overview.show_figures(FIGURES)
    assert overview.charts.slowest.marks()[0].label == "/café/slow"
    with qtbot.waitSignal(overview.url_wanted) as wanted:
        click(overview.charts.slowest, 1)
    assert wanted.args == [8]


def test_show_all_sorts_the_pages(overview: OverviewPanel, qtbot: QtBot) -> None:
    section = next(each for each in overview.charts.sections if each.key == "largest")
    with qtbot.waitSignal(overview.rows_wanted) as wanted:
        section.every.click()
    assert wanted.args == [RowsTarget(View.PAGES, order=Order("size", descending=True))]


def test_elements_with_a_count_of_zero_cannot_be_clicked(
    overview: OverviewPanel, qtbot: QtBot
) -> None:
    overview.show_figures(FIGURES)
    with qtbot.assertNotEmitted(overview.rows_wanted):
        click(overview.charts.times, 2)


def test_the_keyboard_reaches_every_element(overview: OverviewPanel, qtbot: QtBot) -> None:
    overview.show_progress(PROGRESS)
    overview.charts.outcomes.setFocus(Qt.FocusReason.TabFocusReason)
    assert overview.charts.outcomes.currentIndex().row() == 0
    QTest.keyClick(overview.charts.outcomes, Qt.Key.Key_Down)
    QTest.keyClick(overview.charts.outcomes, Qt.Key.Key_Right)
    QTest.keyClick(overview.charts.outcomes, Qt.Key.Key_Right)
    assert overview.charts.outcomes.currentIndex().row() == 2
    QTest.keyClick(overview.charts.outcomes, Qt.Key.Key_Home)
    with qtbot.waitSignal(overview.rows_wanted) as wanted:
        QTest.keyClick(overview.charts.outcomes, Qt.Key.Key_Return)
    assert wanted.args == [
        RowsTarget(View.ALL, Filter(facets=facet_values(outcome={Outcome.OUT_OF_SCOPE})))
    ]


def test_every_element_has_an_accessible_name_and_exact_number(overview: OverviewPanel) -> None:
    overview.show_progress(PROGRESS)
    overview.show_figures(FIGURES)
    for chart in all_charts(overview):
        assert chart.accessibleName()
        QAbstractItemModelTester(chart.model_)
        for row in range(chart.model_.rowCount()):
            assert chart.model_.data(chart.model_.index(row))
    said = overview.charts.responses.model_.data(overview.charts.responses.model_.index(0))
    assert said == "2xx Successful: 81"
    tip = overview.charts.responses.model_.data(
        overview.charts.responses.model_.index(0), Qt.ItemDataRole.ToolTipRole
    )
    assert "81% of all" in str(tip)


def test_clickable_elements_show_a_pointing_hand_cursor(overview: OverviewPanel) -> None:
    overview.show_progress(PROGRESS)
    chart = overview.charts.outcomes
    at = chart.visualRect(chart.model_.index(2)).center()
    no = Qt.MouseButton.NoButton
    keys = Qt.KeyboardModifier.NoModifier
    chart.mouseMoveEvent(
        QMouseEvent(QEvent.Type.MouseMove, at.toPointF(), at.toPointF(), no, no, keys)
    )
    assert chart.is_hovered(2)
    assert chart.viewport().cursor().shape() is Qt.CursorShape.PointingHandCursor
    assert chart.indexAt(at).row() == 2
    assert not chart.indexAt(QPoint(5, 5_000)).isValid()


def test_the_panel_paints_empty_full_and_cleared(
    overview: OverviewPanel, qapp: QApplication
) -> None:
    assert qapp is not None
    empty = overview.grab().toImage()
    overview.show_progress(PROGRESS)
    overview.show_progress(Progress(state=CrawlState.RUNNING, fetched=120, seconds=2.5))
    overview.show_progress(Progress(state=CrawlState.RUNNING, fetched=140, seconds=4.5))
    overview.show_progress(Progress(state=CrawlState.RUNNING, fetched=140, seconds=6.5))
    overview.show_figures(FIGURES)
    full = overview.grab().toImage()
    assert full != empty
    overview.clear()
    assert not any(chart.marks() for chart in all_charts(overview))
    assert not overview.grab().isNull()


def test_more_counters_do_not_move_the_charts(overview: OverviewPanel) -> None:
    overview.show_progress(PROGRESS)
    overview.show_figures(FIGURES)
    before = [chart.sizeHint() for chart in all_charts(overview)]
    overview.show_figures(OverviewData(depths={n: n for n in range(50)}, times={1: 1}))
    overview.show_progress(Progress(state=CrawlState.RUNNING, fetched=1, outcomes={1: 1}))
    assert [chart.sizeHint() for chart in all_charts(overview)] == before


def test_collapsed_sections_stay_collapsed(overview: OverviewPanel, qtbot: QtBot) -> None:
    QTest.mouseClick(overview.charts.sections[2].heading, Qt.MouseButton.LeftButton)
    assert not overview.charts.times.isVisible()
    assert overview.charts.depths.isVisible()
    other = OverviewPanel()
    qtbot.addWidget(other)
    other.restore_state(overview.save_state())
    assert [section.is_open for section in other.charts.sections].index(False) == 2
    for damaged in (b"", b"\xff", b"{}", b'{"version": 99, "closed": ["speed"]}'):
        other.restore_state(damaged)
    assert [section.is_open for section in other.charts.sections].count(False) == 1


def test_the_speed_chart_has_a_bounded_number_of_points() -> None:
    throughput = Throughput()
    assert throughput.spans() == []
    for tenth in range(20_000):
        throughput.add(tenth / 10, tenth * 5)
    spans = throughput.spans()
    assert MAX_SPANS // 2 <= len(spans) < MAX_SPANS
    assert all(span.per_second == pytest.approx(50) for span in spans)
    assert all(one.end_s == two.start_s for one, two in pairwise(spans))


def test_the_average_speed_of_an_earlier_crawl_is_shown(overview: OverviewPanel) -> None:
    done = replace(PROGRESS, state=CrawlState.FINISHED, seconds=10.0, fetched=580)
    overview.show_progress(done)
    (mark,) = overview.charts.speed.marks()
    assert mark.value_text == "average: 58.0 URLs/s"
    assert not overview.charts.speed.grab().isNull()


def test_the_text_of_an_empty_section_wraps_when_the_panel_is_made_narrow(
    overview: OverviewPanel, qtbot: QtBot
) -> None:
    chart = overview.charts.speed
    overview.resize(600, 1800)
    one_line = chart.metrics().height() + theme.SPACE_S
    qtbot.waitUntil(lambda: chart.height() == one_line)
    overview.resize(170, 1800)
    qtbot.waitUntil(lambda: chart.height() > one_line)
    assert chart.height() == chart.sizeHint().height()


def test_empty_sections_are_as_high_as_their_text(overview: OverviewPanel) -> None:
    words = 2 * overview.fontMetrics().lineSpacing() + theme.SPACE_S
    heights = [chart.sizeHint().height() for chart in all_charts(overview) if not chart.marks()]
    assert len(heights) >= 8
    assert max(heights) <= words


def test_a_resumed_crawl_starts_from_its_current_counts() -> None:
    throughput = Throughput()
    throughput.add(100.0, 1_000)
    for second in range(1, 5):
        throughput.add(100.0 + second, 1_000 + 10 * second)
    assert [(s.start_s, s.per_second) for s in throughput.spans()][:2] == [(100, 10), (101, 10)]
    throughput.add(0.0, 0)
    assert throughput.spans() == []


def test_the_panel_fits_any_width(overview: OverviewPanel) -> None:
    overview.show_progress(PROGRESS)
    overview.show_figures(FIGURES)
    overview.resize(200, 1800)
    page = overview.charts.sections[0].parentWidget()
    assert page is not None
    assert page.minimumSizeHint().width() <= 200
    for chart in all_charts(overview):
        for row in range(chart.model_.rowCount()):
            assert chart.visualRect(chart.model_.index(row)).right() <= chart.viewport().width()
