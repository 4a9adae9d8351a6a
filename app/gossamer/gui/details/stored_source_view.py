"""Shows the archived source of a page, or its difference from the current source."""

from PySide6.QtCore import Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QCheckBox, QStackedWidget, QWidget

from gossamer.gui.details.fetch_bar import FetchBar, reason_unread
from gossamer.gui.details.side_by_side_view import SideBySideText, TextSection
from gossamer.gui.details.source_view import source_text
from gossamer.gui.tables.empty_state import EmptyStateText
from gossamer.gui.text import local_formatting as formatting
from gossamer.gui.widgets.stacked_column import column_of
from gossamer.model.archive_record import ArchiveRecord
from gossamer.model.messages.inspection_messages import PageSource, StoredSource
from gossamer.urls.url_folders import display_url


class StoredSourceView(QWidget):
    """Shows the stored source, or the difference, which the user has to request.

    `wanted` carries an address, its ArchiveRecord, whether to compare with the current source, and
    whether to request the page even if it is cached; `stopped` cancels.
    """

    wanted = Signal(str, object, bool, bool)
    stopped = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._url = ""
        self._record: ArchiveRecord | None = None
        self._compares = False
        self._found: StoredSource | None = None
        self._error = ""
        self._shown = ""
        self._is_waiting = False
        self.bar = FetchBar(self.tr("Fetch and compare"), self.tr("Fetch and compare again"))
        self.only_differences = QCheckBox(self.tr("Only differences"))
        self.only_differences.setChecked(True)
        self.bar.row.addWidget(self.only_differences)
        self.text = source_text(self.tr("Stored page source"))
        self.note = EmptyStateText(self.text)
        self.difference = SideBySideText(
            self.tr("Differences of the page sources"),
            self.tr("The sources are the same, except for white space."),
            is_source=True,
        )
        self._stack = QStackedWidget()
        self._stack.addWidget(self.text)
        self._stack.addWidget(self.difference)
        column_of(self.bar, self._stack, filling=self._stack, inside=self)
        self.bar.wanted.connect(lambda: self._ask(again=True))
        self.bar.stopped.connect(self._stop)
        self.only_differences.toggled.connect(self._show)
        self._show()

    # ------------------------------------------------------------ for others

    def show_record(self, url: str, record: ArchiveRecord | None) -> None:
        """Show an address with its record in the archive."""
        if (url, record) != (self._url, self._record):
            self._stop()
            self._url, self._record, self._found, self._error = url, record, None, ""
            self._show()
            self._read_if_seen()

    def show_difference(self, *, wanted: bool) -> None:
        """Show the difference, which needs a request, or the stored source."""
        self._stop()
        self._compares, self._error = wanted, ""
        self._show()
        if wanted and self._record is not None and (self._found is None or not self._found.now):
            self._ask()
        self._read_if_seen()

    def show_stored(self, found: StoredSource) -> None:
        """Show the source or difference, if it is still wanted."""
        if found.url == self._url:
            self._is_waiting, self._found, self._error = False, found, ""
            self._show()

    def show_error(self, text: str) -> None:
        """Show why the request failed."""
        self._is_waiting, self._error = False, text
        self._show()

    def stop_waiting(self) -> None:
        """Stop waiting for a result."""
        self._is_waiting = False
        self._show()

    def showEvent(self, event: QShowEvent) -> None:
        """Read the stored source."""
        super().showEvent(event)
        self._read_if_seen()

    # ------------------------------------------------------------ what is shown

    def _read_if_seen(self) -> None:
        """Read the archive if the view is visible, which needs no request."""
        is_read = self._found is not None or bool(self._error)
        is_seen = self.isVisible() and not self._compares
        if is_seen and self._record is not None and not is_read and not self._is_waiting:
            self._ask()

    def _ask(self, *, again: bool = False) -> None:
        self._is_waiting, self._error = True, ""
        self._show()
        self.wanted.emit(self._url, self._record, self._compares, again)

    def _stop(self) -> None:
        if self._is_waiting:
            self.stopped.emit()
            self.stop_waiting()

    def _show(self) -> None:
        found = self._found
        is_compared = found is not None and found.now is not None
        self.bar.show_state(
            self._state(),
            can_fetch=self._record is not None,
            is_waiting=self._is_waiting,
            is_again=is_compared,
        )
        self.bar.button.setVisible(self._compares)
        self.only_differences.setVisible(self._compares)
        self._stack.setCurrentWidget(self.difference if self._compares else self.text)
        if self._compares:
            self._show_difference()
        else:
            self._show_text(None if found is None or self._error else found.source)

    def _show_text(self, source: PageSource | None) -> None:
        shown = "" if source is None else source.text
        if shown != self._shown:  # not what Qt has: there a no-break space is a space
            self._shown = shown
            self.text.setPlainText(shown)
        self.note.setVisible(not shown)
        self.note.setText(self._why_empty(source))

    def _show_difference(self) -> None:
        found = self._found
        if found is None or found.now is None or self._is_waiting or self._error:
            self.difference.show_note(self._why_not_compared())
        elif found.source is not None and not found.source.text:
            self.difference.show_note(self._why_empty(found.source))
        elif not found.now.is_read:
            self.difference.show_note(reason_unread(found.now))
        elif found.difference.is_cut and not TextSection("", found.difference).differs:
            self.difference.show_note(
                self.tr("The compared parts are the same; the sources continue after them.")
            )
        else:
            heads = (self.tr("As stored"), self.tr("As fetched now"))
            only = self.only_differences.isChecked()
            self.difference.show_texts(heads, found.difference, only_differences=only)

    def _state(self) -> str:
        found = self._found
        address = formatting.clean(display_url(self._url))
        if found is None or found.source is None:
            return address
        source = found.source
        parts = [
            self.tr("Stored {moment}").format(moment=formatting.iso_moment(found.date)),
            f"{source.status or ''} {source.reason}".strip(),
            source.content_type,
            source.charset,
            self.tr("cut off") if source.truncated else "",
            self.tr("same content as an earlier record") if found.repeats else "",
            address,
        ]
        return " · ".join(formatting.clean(part) for part in parts if part)

    def _why_empty(self, source: PageSource | None) -> str:
        if source is None:
            return self._error or (self.tr("Reading the archive…") if self._is_waiting else "")
        if not source.is_text:
            only = self.tr("The content type is {type}; only text can be shown.")
            return only.format(type=formatting.clean(source.content_type))
        return self.tr("The stored response is empty.")

    def _why_not_compared(self) -> str:
        if self._is_waiting:
            return self.tr("Fetching…")
        return self._error or self.tr(
            "Press Fetch and compare to request this page again, as the crawl does, and see what "
            "has changed."
        )
