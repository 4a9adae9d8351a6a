"""Faults: every source ends in the one log and tells the one dialog."""

import asyncio
import faulthandler
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QMessageLogContext, QtMsgType, qWarning
from PySide6.QtWidgets import QApplication

from gossamer.gui.runtime import crash_reports
from gossamer.gui.runtime.crash_reports import CrashDialog, CrashReporter
from gossamer.store.locking.lock_file import try_lock
from tests.gui.conftest import Run


class Collected:
    """Faults installed on a log file, and what they told."""

    def __init__(self, log_file: Path) -> None:
        self.crashes = CrashReporter()
        self.log_file = log_file
        self.told: list[str] = []
        self.crashes.happened.connect(self.told.append)

    def log(self) -> str:
        return self.log_file.read_text("utf-8")


@pytest.fixture
def collected(tmp_path: Path, qapp: QApplication) -> Iterator[Collected]:
    assert qapp is not None
    result = Collected(tmp_path / "log" / "window.log")
    with result.crashes.installed(result.log_file):
        yield result


def test_an_uncaught_exception_is_logged_and_shown(collected: Collected) -> None:
    try:
        _ = 1 / len(collected.told)
    except ZeroDivisionError as e:
        sys.excepthook(type(e), e, e.__traceback__)
    assert "ZeroDivisionError" in collected.log()
    assert "test_an_uncaught_exception" in collected.told[0]


def test_an_exception_in_a_thread_is_shown_on_the_main_thread(
    collected: Collected, qapp: QApplication
) -> None:
    def fail() -> None:
        raise LookupError("in a thread")

    thread = threading.Thread(target=fail)
    thread.start()
    thread.join()
    qapp.processEvents()
    assert "in a thread" in collected.log()
    assert "in a thread" in collected.told[0]


def test_exceptions_of_the_event_loop_are_shown(collected: Collected, run: Run[None]) -> None:
    async def main() -> None:
        loop = asyncio.get_running_loop()
        seen = asyncio.Event()
        collected.crashes.happened.connect(seen.set)
        loop.set_exception_handler(collected.crashes.on_loop)

        def fail() -> None:
            raise OSError("in a callback")

        try:
            loop.call_soon(fail)
            await seen.wait()
        finally:
            loop.set_exception_handler(None)

    run(main())
    assert "in a callback" in collected.log()
    assert len(collected.told) == 1


def test_a_qt_warning_is_logged_but_not_shown(collected: Collected) -> None:
    qWarning("a wobbly warning")
    assert "a wobbly warning" in collected.log()
    assert collected.told == []


def test_a_critical_qt_message_is_shown(collected: Collected) -> None:
    collected.crashes.on_qt(QtMsgType.QtCriticalMsg, QMessageLogContext(), "out of threads")
    assert "out of threads" in collected.log()
    assert collected.told == ["out of threads"]


def test_the_exception_hooks_are_restored(tmp_path: Path, qapp: QApplication) -> None:
    assert qapp is not None
    before = sys.excepthook, threading.excepthook
    with CrashReporter().installed(tmp_path / "window.log"):
        assert sys.excepthook != before[0]
    assert (sys.excepthook, threading.excepthook) == before


def test_the_window_starts_where_no_log_can_be(tmp_path: Path, qapp: QApplication) -> None:
    del qapp
    (tmp_path / "file").touch()
    reporter = CrashReporter()
    with reporter.installed(tmp_path / "file" / "window.log"):
        assert sys.excepthook == reporter.on_exception
    assert sys.excepthook != reporter.on_exception


def test_another_window_may_have_removed_the_empty_log_of_crashes(
    tmp_path: Path, qapp: QApplication
) -> None:
    del qapp
    with (
        CrashReporter().installed(tmp_path / "window.log"),
        CrashReporter().installed(tmp_path / "window.log"),
    ):
        assert (tmp_path / "window.crash.log").exists()
    assert list(tmp_path.iterdir()) == []


def test_the_log_of_crashes_stays_where_another_window_has_it_open(
    tmp_path: Path, qapp: QApplication
) -> None:
    del qapp
    log = tmp_path / "window.crash.log"
    with CrashReporter().installed(tmp_path / "window.log"):
        with CrashReporter().installed(tmp_path / "window.log"):
            pass
        with log.open("a") as crashed:
            faulthandler.dump_traceback(crashed)
        assert log.stat().st_size
    assert log.stat().st_size, "it says something"


def test_a_crash_log_that_is_being_removed_is_recreated(
    tmp_path: Path, qapp: QApplication, monkeypatch: pytest.MonkeyPatch
) -> None:
    del qapp
    log = tmp_path / "window.crash.log"
    lock = try_lock

    def remove_and_lock(descriptor: int, *, shared: bool = False) -> None:
        monkeypatch.undo()
        log.unlink()
        lock(descriptor, shared=shared)

    monkeypatch.setattr(crash_reports, "try_lock", remove_and_lock)
    with CrashReporter().installed(tmp_path / "window.log"):
        assert log.exists()


def test_many_faults_share_one_dialog_of_bounded_size(qapp: QApplication, tmp_path: Path) -> None:
    assert qapp is not None
    dialog = CrashDialog(tmp_path / "window.log")
    dialog.show_fault("first")
    dialog.show_fault("second")
    assert dialog.isVisible()
    assert not dialog.isModal()
    assert dialog.detailedText() == "first\nsecond"
    dialog.show_fault("x" * 100_000)
    assert len(dialog.detailedText()) == CrashDialog.MAX_DETAILS
    dialog.close()
    dialog.deleteLater()
