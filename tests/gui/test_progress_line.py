"""The progress line: the right words and numbers, and nothing that jumps."""

import msgspec
import pytest
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from gossamer.gui.crawl.progress_line import ProgressLine
from gossamer.gui.text.translated_sentences import host_of
from gossamer.gui.widgets.sparkline import SAMPLES
from gossamer.model.crawl_state import CrawlState
from gossamer.model.messages.crawl_messages import Progress, Retry
from gossamer.model.outcome import Outcome
from gossamer.model.project_queries import View
from gossamer.model.translatable import said
from tests.gui.paints import Paints

pytestmark = pytest.mark.styled

RUNNING = Progress(
    state=CrawlState.RUNNING,
    seconds=42.9,
    fetched=1234,
    queued=4444,
    pages=1000,
    redirects=12,
    errors=3,
    pages_per_second=41.23,
)


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def line(qtbot: QtBot, clock: Clock) -> ProgressLine:
    line = ProgressLine(clock=clock)
    qtbot.addWidget(line)
    line.resize(1000, 32)
    line.show()
    return line


def test_a_running_crawl_in_one_line(line: ProgressLine) -> None:
    line.show_progress(RUNNING)
    assert line.counts.text() == (
        "Crawling · 1,234 of 5,678 · 41.2 pages/s · 12 redirects · 3 errors · 0:42"
    )
    assert line.bar.share() == pytest.approx(1234 / 5678, abs=0.001)


def test_what_did_not_change_is_counted_where_a_site_is_crawled_again(line: ProgressLine) -> None:
    line.show_progress(msgspec.structs.replace(RUNNING, unchanged=1200))
    assert "1,234 of 5,678 · 1,200 unchanged · 41.2 pages/s" in line.counts.text()


def test_a_count_of_one_is_singular(line: ProgressLine) -> None:
    line.show_progress(msgspec.structs.replace(RUNNING, redirects=1, errors=1))
    assert "1 redirect · 1 error ·" in line.counts.text()


def test_a_stopped_crawl_shows_its_average_speed(line: ProgressLine) -> None:
    finished = msgspec.structs.replace(RUNNING, state=CrawlState.FINISHED, seconds=100.0)
    line.show_progress(finished)
    assert line.counts.text().startswith("Finished · ")
    assert "10.0 pages/s" in line.counts.text()
    assert line.bar.share() == 1.0
    cancelled = msgspec.structs.replace(finished, state=CrawlState.CANCELLED, silent_after_ms=12)
    line.show_progress(cancelled)
    assert line.counts.text().endswith("1:40 · last connection closed after 12 ms")


def test_a_new_crawl_has_no_division_by_zero(line: ProgressLine) -> None:
    line.show_progress(Progress(state=CrawlState.NEW))
    assert line.bar.share() == 0.0
    assert "0.0 pages/s" in line.counts.text()


@pytest.mark.parametrize("state", list(CrawlState))
def test_every_state_has_a_label_and_is_painted(line: ProgressLine, state: CrawlState) -> None:
    line.show_progress(msgspec.structs.replace(RUNNING, state=state))
    assert line.counts.text().split(" · ")[0]
    assert not line.grab().isNull()


def test_it_can_be_painted_immediately_after_clearing(line: ProgressLine) -> None:
    line.show_progress(RUNNING)
    line.clear()
    assert not line.grab().isNull()
    assert line.counts.text() == ""


def test_longer_numbers_do_not_resize_the_bar(line: ProgressLine) -> None:
    line.show_progress(RUNNING)
    before = line.sizeHint(), line.counts.sizeHint()
    line.show_progress(msgspec.structs.replace(RUNNING, fetched=10**9, queued=10**9))
    assert (line.sizeHint(), line.counts.sizeHint()) == before


def test_the_bar_is_painted_with_the_rest_of_the_window_not_at_once(line: ProgressLine) -> None:
    line.show_progress(RUNNING)
    QApplication.processEvents()
    paints = Paints(line.bar)
    line.show_progress(msgspec.structs.replace(RUNNING, fetched=3000))
    assert paints.number == 0
    QApplication.processEvents()
    assert paints.number == 1


def test_the_sparkline_samples_every_second_and_drops_the_oldest(
    line: ProgressLine, clock: Clock
) -> None:
    for tick in range(10 * (SAMPLES + 5)):
        clock.now = 100.0 + tick / 10
        line.show_progress(msgspec.structs.replace(RUNNING, pages_per_second=float(tick)))
    values = list(line.sparkline.values)
    assert len(values) == SAMPLES
    assert values[-1] == 10.0 * (SAMPLES + 4)
    assert not line.grab().isNull()


def test_a_paused_crawl_adds_no_samples(line: ProgressLine, clock: Clock) -> None:
    line.show_progress(RUNNING)
    clock.now += 5
    line.show_progress(msgspec.structs.replace(RUNNING, state=CrawlState.PAUSED))
    assert len(line.sparkline.values) == 1


def test_digits_are_aligned_in_columns(line: ProgressLine) -> None:
    metrics = QFontMetrics(line.counts.font())
    assert metrics.horizontalAdvance("1111") == metrics.horizontalAdvance("8888")


@pytest.mark.parametrize(
    ("root", "host"),
    [
        ("https://example.com/docs/", "example.com"),
        ("example.com", "example.com"),
        ("me:secret@example.com:81/x", "example.com:81"),
        ("http://[::1", "http://[::1"),
        ("", ""),
    ],
)
def test_crawls_are_titled_by_their_host(root: str, host: str) -> None:
    assert host_of(root) == host


def test_the_reason_for_waiting_replaces_the_counts(line: ProgressLine) -> None:
    retry = Retry(said("{host} refuses connections", host="a.test"), 4, 2, 4)
    line.show_progress(Progress(state=CrawlState.RUNNING, queued=1, seconds=3.0, retry=retry))
    assert line.counts.text() == (
        "Crawling · a.test refuses connections; retrying in 4 s (attempt 2 of 4). · 0:03"
    )
    line.show_progress(RUNNING)
    assert "1,234 of 5,678" in line.counts.text()


def test_what_is_started_replaces_the_counts(line: ProgressLine) -> None:
    starting = said("Waiting for the first node of the cluster at {address}…", address="tcp://a:1")
    line.show_progress(Progress(state=CrawlState.RUNNING, queued=1, starting=starting))
    assert line.counts.text() == (
        "Crawling · Waiting for the first node of the cluster at tcp://a:1… · 0:00"
    )


@pytest.mark.parametrize("outcome", [Outcome.CONNECTION_REFUSED, Outcome.BLOCKED_BY_ROBOTS])
def test_a_crawl_without_responses_is_not_green(line: ProgressLine, outcome: Outcome) -> None:
    empty = Progress(state=CrawlState.FINISHED, outcomes={int(outcome): 1})
    line.show_progress(empty)
    assert line.counts.text().startswith("No pages found · ")
    assert line.bar.property("role") == "error"
    found = {int(outcome): 1, int(Outcome.PAGE): 1}
    line.show_progress(msgspec.structs.replace(empty, outcomes=found))
    assert line.counts.text().startswith("Finished · ")
    assert line.bar.property("role") == "ok"


def test_counts_return_to_their_place_when_the_state_gets_shorter(line: ProgressLine) -> None:
    line.show_progress(RUNNING)
    usual = line.counts.button(View.ALL).x()
    ended = msgspec.structs.replace(RUNNING, state=CrawlState.FINISHED, pages=0, outcomes={})
    for other in (CrawlState.CANCELLING, CrawlState.PAUSING, CrawlState.CANCELLED):
        line.show_progress(msgspec.structs.replace(ended, state=other))
        line.show_progress(RUNNING)
        assert line.counts.button(View.ALL).x() == usual
    line.show_progress(RUNNING, elsewhere=True)
    line.show_progress(RUNNING)
    assert line.counts.button(View.ALL).x() == usual
