"""The overview: sums by class of answer, bounded depths, the commonest outcomes."""

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.gui.overview import Overview, Row
from app.model.messages import Progress
from app.model.outcome import Outcome
from app.model.state import CrawlState


@pytest.fixture
def overview(qtbot: QtBot) -> Overview:
    overview = Overview()
    qtbot.addWidget(overview)
    overview.resize(280, 500)
    overview.show()
    return overview


PROGRESS = Progress(
    state=CrawlState.RUNNING,
    fetched=100,
    statuses={200: 80, 204: 1, 301: 5, 302: 2, 404: 6, 429: 1, 503: 2, 999: 1},
    outcomes={
        Outcome.PENDING: 500,
        Outcome.PAGE: 70,
        Outcome.OUT_OF_SCOPE: 300,
        Outcome.TIMEOUT: 2,
        Outcome.FILE: 0,
    },
)


def test_answers_are_summed_by_class(overview: Overview) -> None:
    overview.show_progress(PROGRESS)
    assert [(row.label[:3], row.count) for row in overview.answers.rows()] == [
        ("2xx", 81),
        ("3xx", 7),
        ("4xx", 7),
        ("5xx", 2),
        ("No ", 2),
    ]


def test_the_commonest_outcomes_come_first_without_the_waiting(overview: Overview) -> None:
    overview.show_progress(PROGRESS)
    assert overview.outcomes.rows() == [
        Row("Out of scope", 300, "skipped"),
        Row("Page", 70, "ok"),
        Row("Timeout", 2, "warning"),
    ]


def test_depths_beyond_the_last_column_are_summed(overview: Overview) -> None:
    overview.show_depths({0: 1, 2: 5, 12: 3, 13: 4, 900: 2})
    columns = overview.depths.columns()
    assert columns[:3] == [("0", 1), ("1", 0), ("2", 5)]
    assert columns[-1] == ("12+", 9)
    assert sum(count for _, count in columns) == 15


def test_it_paints_empty_full_and_cleared(overview: Overview, qapp: QApplication) -> None:
    assert qapp is not None
    empty = overview.grab().toImage()
    overview.show_progress(PROGRESS)
    overview.show_depths({0: 1, 1: 7})
    full = overview.grab().toImage()
    assert full != empty
    overview.clear()
    assert overview.answers.rows() == []
    assert overview.depths.columns() == []
    assert not overview.grab().isNull()


def test_more_counters_do_not_move_the_charts(overview: Overview) -> None:
    overview.show_progress(PROGRESS)
    before = overview.answers.sizeHint(), overview.depths.sizeHint()
    overview.show_depths({n: n for n in range(50)})
    assert (overview.answers.sizeHint(), overview.depths.sizeHint()) == before
