"""Catches unexpected exceptions, writes them to the log, and shows one crash dialog.

Sources are uncaught exceptions (main thread, other threads, the event loop, tasks), Qt's own
messages and crashes in native code (the log alone: nothing can be shown any more).
"""

import asyncio
import contextlib
import faulthandler
import io
import logging
import logging.handlers
import os
import sys
import threading
import time
import traceback
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Final

from PySide6.QtCore import (
    QMessageLogContext,
    QObject,
    Qt,
    QtMsgType,
    QUrl,
    Signal,
    qInstallMessageHandler,
)
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtWidgets import QMessageBox, QPushButton, QWidget

from gossamer.gui.widgets.help_context import explain
from gossamer.ipc.log_file import opened_log, same_file
from gossamer.store.atomic_files import make_private
from gossamer.store.locking.lock_file import try_lock

_LOG: Final = logging.getLogger("gossamer.gui")
_LOG_BYTES: Final = 1_000_000
_TRIES: Final = 10
_TRY_EVERY_S: Final = 0.02
_LEVELS: Final = {
    QtMsgType.QtDebugMsg: logging.DEBUG,
    QtMsgType.QtInfoMsg: logging.DEBUG,
    QtMsgType.QtWarningMsg: logging.WARNING,
    QtMsgType.QtCriticalMsg: logging.ERROR,
    QtMsgType.QtFatalMsg: logging.CRITICAL,
}


class _PrivateLog(logging.handlers.RotatingFileHandler):
    """Readable for its owner alone: it contains addresses of private sites."""

    def _open(self) -> io.TextIOWrapper:
        return io.TextIOWrapper(
            os.fdopen(opened_log(Path(self.baseFilename)), "ab"), encoding=self.encoding
        )


class CrashReporter(QObject):
    """Collects unexpected exceptions from any thread. `happened` carries the text of each.

    Connect `happened` to a CrashDialog; the connection crosses threads by itself.
    """

    happened = Signal(str)

    def report(self, error: BaseException) -> None:
        """Log `error` with its traceback and notify listeners."""
        _LOG.error("unexpected error", exc_info=error)
        self.happened.emit("".join(traceback.format_exception(error)))

    def on_exception(
        self, kind: type[BaseException], error: BaseException, trace: TracebackType | None
    ) -> None:
        """Report an uncaught exception, as `sys.excepthook`."""
        del kind
        if isinstance(error, KeyboardInterrupt):
            raise error
        self.report(error.with_traceback(trace))

    def on_thread(self, args: threading.ExceptHookArgs) -> None:
        """Report what ended a thread, as `threading.excepthook`."""
        if args.exc_value is not None:
            self.report(args.exc_value)

    def on_loop(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """Report what the event loop could not deliver to anybody."""
        del loop
        error = context.get("exception")
        if isinstance(error, BaseException):
            self.report(error)
        else:
            _LOG.error("event loop: %s", context.get("message"))
            self.happened.emit(str(context.get("message")))

    def on_qt(self, kind: QtMsgType, context: QMessageLogContext, message: str) -> None:
        """Handle a message of Qt. Warnings are only logged, worse is shown."""
        del context
        level = _LEVELS.get(kind, logging.WARNING)
        _LOG.log(level, "Qt: %s", message)
        if level >= logging.ERROR:
            self.happened.emit(message)

    @contextlib.contextmanager
    def installed(self, log_file: Path) -> Iterator[None]:
        """Receive everything, and log to `log_file`, inside; without a log where none can be."""
        with contextlib.ExitStack() as logs:
            try:
                logs.enter_context(_logs(log_file))
            except OSError as e:  # a home that is read-only or full: projects may be elsewhere
                _LOG.warning("no log: %s", e)
            hooks = sys.excepthook, threading.excepthook
            sys.excepthook, threading.excepthook = self.on_exception, self.on_thread
            qt_handler = qInstallMessageHandler(self.on_qt)
            try:
                yield
            finally:
                qInstallMessageHandler(qt_handler)
                sys.excepthook, threading.excepthook = hooks


@contextlib.contextmanager
def _logs(log_file: Path) -> Iterator[None]:
    """Log to `log_file` (1 MB, three old ones kept), and crashes of native code beside it."""
    make_private(log_file.parent)
    # A file of its own: what crashes must not depend on a handler that may have rotated.
    crash_log = log_file.with_suffix(".crash.log")
    crashes = _opened_in_use(crash_log)
    handler = _PrivateLog(
        log_file, maxBytes=_LOG_BYTES, backupCount=3, encoding="utf-8", delay=True
    )
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    root = logging.getLogger()
    root.addHandler(handler)
    was_enabled = faulthandler.is_enabled()
    faulthandler.enable(crashes)
    try:
        yield
    finally:
        faulthandler.disable()
        if was_enabled:
            faulthandler.enable()
        root.removeHandler(handler)
        handler.close()
        _close_unless_needed(crashes, crash_log)


def _opened_in_use(log: Path) -> IO[str]:
    """A log that several windows write to, which none removes while another has it open."""
    for _ in range(_TRIES):
        opened = os.fdopen(opened_log(log), "a", encoding="utf-8")
        with contextlib.suppress(OSError):
            if sys.platform != "win32":  # which removes no open file
                try_lock(opened.fileno(), shared=True)
            if same_file(opened.fileno(), log):
                return opened
        opened.close()  # a window that ends is removing it
        time.sleep(_TRY_EVERY_S)
    return os.fdopen(opened_log(log), "a", encoding="utf-8")


def _close_unless_needed(opened: IO[str], log: Path) -> None:
    """Close it and, if it is empty and no other window has it open, remove it."""
    with opened, contextlib.suppress(OSError):
        if sys.platform == "win32":
            opened.close()
        else:
            try_lock(opened.fileno())
        if not log.stat().st_size:
            log.unlink()


class CrashDialog(QMessageBox):
    """The crash dialog: the first exception opens it, later ones are appended."""

    MAX_DETAILS = 20_000

    def __init__(self, log_file: Path, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("fault")
        self.setWindowModality(Qt.WindowModality.NonModal)
        self.setIcon(QMessageBox.Icon.Warning)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setWindowTitle(self.tr("Unexpected error"))
        explain(self, "questions")
        self.setText(
            self.tr(
                "Gossamer ran into an unexpected error. Your crawl is safe in its project file, "
                "and you can keep working."
            )
        )
        self.setInformativeText(
            self.tr("See the log in {folder} for details.").format(folder=log_file.parent)
        )
        self._log_file = log_file
        self._add(self.tr("Copy details")).clicked.connect(self._copy)
        self._add(self.tr("Open log folder")).clicked.connect(self._open_folder)
        self.addButton(QMessageBox.StandardButton.Close)

    def show_fault(self, text: str) -> None:
        """Show the technical `text` of a fault; one dialog, however many come."""
        details = self.detailedText()
        self.setDetailedText((details + "\n" + text if details else text)[-self.MAX_DETAILS :])
        if not self.isVisible():
            self.show()

    def _add(self, text: str) -> QPushButton:
        return self.addButton(text, QMessageBox.ButtonRole.ActionRole)

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self.detailedText())

    def _open_folder(self) -> None:
        QDesktopServices.openUrl(QUrl.fromLocalFile(str(self._log_file.parent)))
