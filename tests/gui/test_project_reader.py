"""The reader thread: what a user asked comes first, the latest wins, nothing hangs."""

import threading
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest
from PySide6.QtWidgets import QTreeWidget
from pytestqt.qtbot import QtBot
from shiboken6 import delete

from gossamer.gui.project.reader_interfaces import ProjectRows
from gossamer.gui.project.reader_thread import ProjectReader
from gossamer.model.errors import ProjectError
from gossamer.model.translatable import Translatable
from tests.fakes.project_rows import FakeRows, InterruptedReadError
from tests.patience import PATIENCE_S

PATH = Path("a.gossamer")


class SlowRows(FakeRows):
    """A project whose summary takes until it is interrupted or released."""

    def __init__(self) -> None:
        super().__init__()
        self.entered = threading.Event()
        self.leave = threading.Event()
        self.interrupted = threading.Event()

    def interrupt(self) -> None:
        super().interrupt()
        self.interrupted.set()
        self.leave.set()

    def slow(self, answer: str) -> Callable[[ProjectRows], str]:
        """A read that waits; once interrupted it raises, as the real reader does."""

        def read(_: ProjectRows) -> str:
            self.entered.set()
            assert self.leave.wait(PATIENCE_S)
            if self.interrupted.is_set():
                self.interrupted.clear()
                raise InterruptedReadError
            return answer

        return read


@pytest.fixture
def rows() -> SlowRows:
    return SlowRows()


@pytest.fixture
def reader(qtbot: QtBot, rows: SlowRows) -> Iterator[ProjectReader]:
    assert qtbot is not None
    reader = ProjectReader(lambda _: rows)
    reader.open(PATH)
    yield reader
    rows.leave.set()
    reader.close()


def test_queries_run_on_a_worker_thread_and_answer_on_the_main_thread(
    qtbot: QtBot, reader: ProjectReader
) -> None:
    read_on: list[int] = []
    done_on: list[int] = []
    for key in "abc":
        reader.submit(
            lambda _: read_on.append(threading.get_ident()),
            lambda _: done_on.append(threading.get_ident()),
            key=key,
        )
    qtbot.waitUntil(lambda: len(done_on) == 3)
    assert len(set(read_on)) == 1
    assert set(done_on) == {threading.get_ident()}
    assert set(read_on) != set(done_on)


def test_the_latest_request_for_a_key_replaces_earlier_ones(
    qtbot: QtBot, reader: ProjectReader, rows: SlowRows
) -> None:
    answers: list[str] = []
    reader.submit(rows.slow("first"), answers.append, key="a")
    assert rows.entered.wait(PATIENCE_S)
    reader.submit(lambda _: "second", answers.append, key="a")
    reader.submit(lambda _: "third", answers.append, key="a")
    qtbot.waitUntil(lambda: answers == ["third"])
    assert rows.interrupts >= 1


def test_an_outdated_answer_is_dropped(qtbot: QtBot, reader: ProjectReader, rows: SlowRows) -> None:
    answers: list[str] = []
    reader.submit(rows.slow("old"), answers.append, key="a")
    rows.leave.set()
    # No event is handled between these lines: the first answer waits to be delivered.
    assert rows.entered.wait(PATIENCE_S)
    reader.submit(lambda _: "new", answers.append, key="a")
    reader.submit(lambda _: "end", answers.append, key="z")
    qtbot.waitUntil(lambda: "end" in answers)
    assert answers == ["new", "end"]


def test_a_click_interrupts_a_refresh_which_is_run_again(
    qtbot: QtBot, reader: ProjectReader, rows: SlowRows
) -> None:
    answers: list[str] = []
    reader.submit(rows.slow("refresh"), answers.append, key="a", background=True)
    assert rows.entered.wait(PATIENCE_S)
    reader.submit(lambda _: "click", answers.append, key="b")
    qtbot.waitUntil(lambda: len(answers) == 2)
    assert answers == ["click", "refresh"]


def test_one_refresh_does_not_cancel_another(
    qtbot: QtBot, reader: ProjectReader, rows: SlowRows
) -> None:
    answers: list[str] = []
    reader.submit(rows.slow("one"), answers.append, key="a", background=True)
    assert rows.entered.wait(PATIENCE_S)
    reader.submit(lambda _: "two", answers.append, key="b", background=True)
    assert rows.interrupts == 0
    rows.leave.set()
    qtbot.waitUntil(lambda: answers == ["one", "two"])


def test_results_of_a_refresh_are_delivered_together_without_delaying_clicks(
    qtbot: QtBot, rows: SlowRows
) -> None:
    reader = ProjectReader(lambda _: rows, together_ms=60_000)
    reader.open(PATH)
    answers: list[str] = []
    reader.submit(lambda _: "one", answers.append, key="a", background=True)
    reader.submit(rows.slow("two"), answers.append, key="b", background=True)
    assert rows.entered.wait(PATIENCE_S), "the first was answered"
    rows.leave.set()
    reader.submit(lambda _: "click", answers.append, key="c")
    qtbot.waitUntil(lambda: answers == ["click"])

    def all_have_come() -> bool:
        reader._background_due.timeout.emit()  # noqa: SLF001 - instead of waiting for it
        return len(answers) == 3

    qtbot.waitUntil(all_have_come)
    assert answers == ["click", "one", "two"]
    reader.close()


def test_abandoned_queries_are_cancelled(
    qtbot: QtBot, reader: ProjectReader, rows: SlowRows
) -> None:
    answers: list[str] = []
    reader.submit(rows.slow("counts"), answers.append, key="a")
    assert rows.entered.wait(PATIENCE_S)
    rows.entered.clear()
    reader.submit(lambda _: "rows", answers.append, key="b")
    reader.forget("a")
    qtbot.waitUntil(lambda: answers == ["rows"])
    assert rows.interrupts == 1
    assert not rows.entered.is_set(), "it was begun again"


def test_a_failed_query_is_reported_in_one_sentence_to_the_caller(
    qtbot: QtBot, reader: ProjectReader
) -> None:
    def fail(_: ProjectRows) -> None:
        raise ProjectError("The file is damaged; crawl again.")

    lost: list[bool] = []
    with qtbot.waitSignal(reader.failed) as failed:
        reader.submit(fail, lambda _: None, key="a", on_failure=lambda: lost.append(True))
    assert failed.args == [Translatable("The file is damaged; crawl again.")]
    assert lost == [True]


def test_a_bug_in_a_query_is_raised_and_the_thread_continues(
    qtbot: QtBot, reader: ProjectReader
) -> None:
    answers: list[int] = []
    with qtbot.captureExceptions() as crashes:
        reader.submit(lambda _: 1 // 0, answers.append, key="a")
        qtbot.waitUntil(lambda: bool(crashes))
    assert crashes[0][0] is ZeroDivisionError
    reader.submit(lambda _: 7, answers.append, key="a")
    qtbot.waitUntil(lambda: answers == [7])


def test_a_bug_in_a_refresh_does_not_withhold_other_results(
    qtbot: QtBot, reader: ProjectReader
) -> None:
    answers: list[int] = []
    with qtbot.captureExceptions() as crashes:
        reader.submit(lambda _: 1 // 0, answers.append, key="a", background=True)
        reader.submit(lambda _: 7, answers.append, key="b", background=True)
        qtbot.waitUntil(lambda: answers == [7])
    assert [fault[0] for fault in crashes] == [ZeroDivisionError]


def test_a_project_that_cannot_be_opened_says_why(qtbot: QtBot) -> None:
    def refuse(_: Path) -> ProjectRows:
        raise ProjectError("There is no such project.")

    reader = ProjectReader(refuse)
    lost: list[bool] = []
    with qtbot.waitSignal(reader.failed) as failed:
        reader.open(PATH)
    assert failed.args == [Translatable("There is no such project.")]
    reader.submit(lambda _: 1, lambda _: None, key="a", on_failure=lambda: lost.append(True))
    qtbot.waitUntil(lambda: bool(lost))
    reader.close()


def test_another_project_cancels_queries_of_the_first(qtbot: QtBot) -> None:
    first, second = SlowRows(), FakeRows()
    reader = ProjectReader(lambda path: first if path == PATH else second)
    answers: list[str] = []
    reader.open(PATH)
    reader.submit(first.slow("first"), answers.append, key="a")
    assert first.entered.wait(PATIENCE_S)
    reader.submit(lambda _: "also first", answers.append, key="b")
    reader.open(Path("b.gossamer"))
    reader.submit(lambda rows: "second" if rows is second else "?", answers.append, key="c")
    qtbot.waitUntil(lambda: answers == ["second"])
    qtbot.waitUntil(lambda: first.closed)
    reader.close()
    assert second.closed


def test_closing_ends_the_thread_during_a_query(qtbot: QtBot) -> None:
    assert qtbot is not None
    before = set(threading.enumerate())
    rows = SlowRows()
    reader = ProjectReader(lambda _: rows)
    reader.open(PATH)
    answers: list[str] = []
    reader.submit(rows.slow("late"), answers.append, key="a")
    assert rows.entered.wait(PATIENCE_S)
    reader.close()
    assert rows.closed
    assert [t for t in threading.enumerate() if t not in before] == []
    reader.close()
    reader.open(PATH)
    reader.submit(lambda _: "again", answers.append, key="a")
    qtbot.waitUntil(lambda: answers == ["again"])
    reader.close()


def test_cancelled_requests_are_not_delivered(qtbot: QtBot, reader: ProjectReader) -> None:
    answers: list[str] = []
    reader.submit(lambda _: "unwanted", answers.append, key="a")
    reader.forget("a")
    reader.submit(lambda _: "end", answers.append, key="b")
    qtbot.waitUntil(lambda: bool(answers))
    assert answers == ["end"]


def test_nothing_is_delivered_to_what_was_deleted(qtbot: QtBot, reader: ProjectReader) -> None:
    answers: list[str] = []
    tree = QTreeWidget()
    columns = 2
    reader.submit(lambda _: columns, tree.setColumnCount, key="method")
    reader.submit(lambda _: columns, partial(tree.setColumnCount), key="partial")
    reader.submit(lambda _: "x", lambda text: tree.setHeaderLabel(text), key="closure")  # noqa: PLW0108 - a closure is what is tried
    delete(tree)
    reader.submit(lambda _: "end", answers.append, key="end")
    qtbot.waitUntil(lambda: answers == ["end"])


def test_a_full_queue_drops_its_oldest_request_and_says_so(qtbot: QtBot, rows: SlowRows) -> None:
    reader = ProjectReader(lambda _: rows, max_waiting=3)
    reader.open(PATH)
    answers: list[str] = []
    lost: list[str] = []
    reader.submit(rows.slow("running"), answers.append, key="running")
    assert rows.entered.wait(PATIENCE_S)
    for key in "abcde":
        reader.submit(
            partial(_echo, key), answers.append, key=key, on_failure=partial(lost.append, key)
        )
    rows.leave.set()
    qtbot.waitUntil(lambda: len(answers) == 4)
    assert answers == ["running", "c", "d", "e"]
    assert lost == ["a", "b"]
    reader.close()


def _echo(answer: str, rows: ProjectRows) -> str:
    assert rows is not None
    return answer


def test_an_unresponsive_disk_delays_neither_another_project_nor_closing(
    qtbot: QtBot,
) -> None:
    dead, answers = Path("dead.gossamer"), threading.Event()
    read: list[str] = []
    before = set(threading.enumerate())

    def opener(path: Path) -> ProjectRows:
        if path == dead:
            assert answers.wait(PATIENCE_S)
        return FakeRows()

    reader = ProjectReader(opener, patience_s=0.2)
    reader.open(dead)
    reader.submit(lambda _: "dead", read.append, key="a")
    reader.open(PATH)
    reader.submit(lambda _: "living", read.append, key="a")
    qtbot.waitUntil(lambda: read == ["living"])
    reader.open(dead)
    reader.close()
    answers.set()
    qtbot.waitUntil(lambda: set(threading.enumerate()) <= before)
    assert read == ["living"]
