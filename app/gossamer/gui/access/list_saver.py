"""Saves the list of the robots.txt tester on a thread of its own: it may have 200,000 rows."""

import threading
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Signal

from gossamer.gui.text.translated_sentences import spoken
from gossamer.model.errors import KnownError
from gossamer.robots.robots_trial import RobotsChange

if TYPE_CHECKING:
    from gossamer.model.translatable import Translatable

_NAME: Final = "robots list"


class ListSaver(QObject):
    """Writes one list at a time. `progressed` has the percentage that is written.

    `finished` has the sentence why it could not be saved, "" if it was or was cancelled.
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

    def save(self, path: Path, changes: Sequence[RobotsChange]) -> None:
        """Begin to write a list as CSV."""
        self.stop()
        self._cancelled = threading.Event()
        self._thread = threading.Thread(
            target=self._write, args=(path, changes, self._cancelled), name=_NAME
        )
        self._thread.start()

    def cancel(self) -> None:
        """Leave the file as it was, soon; `finished` follows."""
        self._cancelled.set()

    def stop(self) -> None:
        """Leave the file as it was, and wait for that; nothing follows."""
        self.cancel()
        thread, self._thread = self._thread, None
        if thread is not None:
            thread.join()

    def _write(
        self, path: Path, changes: Sequence[RobotsChange], cancelled: threading.Event
    ) -> None:
        from gossamer.export.access_reports import write_robots_changes  # noqa: PLC0415 - the start does without
        from gossamer.export.exporter import ExportCancelled, RowCounter  # noqa: PLC0415 - likewise

        counter = RowCounter(None, cancelled.is_set)
        shown = -1

        def check() -> None:
            nonlocal shown
            counter.check()
            counter.rows += 1
            percent = 100 * counter.rows // len(changes)
            if percent != shown:
                shown = percent
                self.progressed.emit(percent)

        why: Translatable | None = None
        try:
            write_robots_changes(path, changes, check)
        except ExportCancelled:
            pass
        except KnownError as e:
            why = e.said
        self._over.emit((threading.current_thread(), why))

    def _finish(self, result: "tuple[threading.Thread, Translatable | None]") -> None:
        thread, why = result
        if thread is self._thread:  # no other list is written since
            self._thread = None
            thread.join()
            self.finished.emit("" if why is None else spoken(why))
