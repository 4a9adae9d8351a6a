"""Reads HTML and DOM of a page from the archive, for the view of the rendered page."""

from PySide6.QtCore import QObject, Signal

from gossamer.model.archive_record import ArchiveRecord
from gossamer.model.messages.page_rendering_messages import StoredDomComparison


class StoredDomReading(QObject):
    """What the archive has of one page, once it is read.

    `wanted` carries an address with the records of its response and of its DOM; `stopped` cancels
    that; `changed` says that there is something else to show.
    """

    wanted = Signal(str, object, object)
    stopped = Signal()
    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._url = ""
        self._html: ArchiveRecord | None = None
        self.record: ArchiveRecord | None = None
        """That of the DOM."""
        self.found: StoredDomComparison | None = None
        self.error = ""
        self.is_waiting = False

    def begin(self, url: str, html: ArchiveRecord | None, dom: ArchiveRecord | None) -> None:
        """Note where the archive has a page, if it does; nothing is read yet.

        What is being read is no longer wanted: an error does not say which page it is about.
        """
        if self.is_waiting:
            self.stopped.emit()
        self._url, self._html, self.record = url, html, dom
        self.found, self.error, self.is_waiting = None, "", False

    def read(self) -> None:
        """Read it, unless that is done."""
        is_known = self.found is not None or bool(self.error) or self.is_waiting
        if self._html is not None and self.record is not None and not is_known:
            self.is_waiting = True
            self.wanted.emit(self._url, self._html, self.record)

    def show_stored(self, found: StoredDomComparison) -> None:
        """Take what was read, if it is still wanted."""
        if found.url == self._url:
            self.found, self.is_waiting = found, False
            self.changed.emit()

    def show_error(self, text: str) -> None:
        """Take the reason why it cannot be read."""
        self.error, self.is_waiting = text, False
        self.changed.emit()

    def stop_waiting(self) -> None:
        """Stop waiting: it is read when the page is next looked at."""
        self.is_waiting = False
        self.changed.emit()
