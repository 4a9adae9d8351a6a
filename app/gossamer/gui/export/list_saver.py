"""Saves the list of a dialog on a separate thread: it may have 200,000 rows."""

import threading
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Signal

from gossamer.gui.text.translated_sentences import spoken
from gossamer.model.errors import KnownError

if TYPE_CHECKING:
    from gossamer.export.row_counter import RowCounter
    from gossamer.model.translatable import Translatable

_NAME: Final = "list saver"
WriteList = Callable[[Path, "RowCounter"], None]
"""Writes a list to a file on the thread, counting rows. KnownError, ExportCancelled."""


class ListSaver(QObject):
    """Writes one list at a time. `progressed` carries the percentage that is written.

    `finished` carries the reason why it could not be saved; "" if it was saved or cancelled.
    """

    progressed = Signal(int)
    finished = Signal(str)
    _over = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._cancelled = threading.Event()
        self._thread: threading.Thread | None = None
        self._over.connect(self._finish)

    @property
    def is_saving(self) -> bool:
        """Whether a list is being written."""
        return self._thread is not None

    def save(self, path: Path, write: WriteList) -> None:
        """Start to write a list."""
        self.stop()
        self._cancelled = threading.Event()
        self._thread = threading.Thread(
            target=self._write, args=(path, write, self._cancelled), name=_NAME
        )
        self._thread.start()

    def cancel(self) -> None:
        """Stop soon and leave the file as it was; `finished` follows."""
        self._cancelled.set()

    def stop(self) -> None:
        """Stop, leave the file as it was, and wait for that; `finished` does not follow."""
        self.cancel()
        thread, self._thread = self._thread, None
        if thread is not None:
            thread.join()

    def _write(self, path: Path, write: WriteList, cancelled: threading.Event) -> None:
        from gossamer.export.row_counter import ExportCancelled, RowCounter  # noqa: PLC0415 - the start does without

        shown = -1

        def report(rows: int, expected: int) -> None:
            nonlocal shown
            percent = 100 * rows // max(1, expected)
            if percent != shown:
                shown = percent
                self.progressed.emit(percent)

        why: Translatable | None = None
        try:
            write(path, RowCounter(report, cancelled.is_set))
            report(1, 1)
        except ExportCancelled:
            pass
        except KnownError as e:
            why = e.said
        self._over.emit((threading.current_thread(), why))

    def _finish(self, result: "tuple[threading.Thread, Translatable | None]") -> None:
        thread, why = result
        if thread is self._thread:  # no other list has been started since
            self._thread = None
            thread.join()
            self.finished.emit("" if why is None else spoken(why))
