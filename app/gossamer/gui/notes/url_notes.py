"""The notes about the URL shown in the details."""

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from gossamer.gui.notes.note_list import NoteList
from gossamer.gui.project.reader_interfaces import ProjectRows
from gossamer.gui.project.reader_thread import ProjectReader
from gossamer.model.fields.url_record import UrlRecord
from gossamer.model.series_contents import Note, NoteSubject
from gossamer.urls.url_folders import display_url


class UrlNotes(NoteList):
    """Reads them whenever a URL is shown, or shown again. `counted` carries their number."""

    counted = Signal(object)

    def __init__(self, reader: ProjectReader, parent: QWidget | None = None) -> None:
        super().__init__("", parent)
        self._reader = reader
        self.url = ""
        """What the notes are about; "" for no URL."""
        self.show_record(None)

    def show_record(self, record: UrlRecord | None) -> None:
        """Show the notes about a URL, or none."""
        url = "" if record is None else record.url
        if url != self.url:
            self.url = url
            self.about = display_url(url)
            self._show(url, [])
        self.set_enabled(enabled=bool(url))
        self.note.show_text(
            self.tr("No notes about this URL. They are kept from crawl to crawl.")
            if url
            else self.tr("Notes about the selected URL appear here.")
        )
        if url:

            def read(rows: ProjectRows) -> list[Note]:
                return [
                    each
                    for each in rows.notes()
                    if each.subject is NoteSubject.URL and each.about == url
                ]

            self._reader.submit(
                read,
                lambda notes: self._show(url, notes),
                key=f"url notes {id(self)}",
                background=True,
            )

    def _show(self, url: str, notes: Sequence[Note]) -> None:
        if url != self.url:
            return
        if notes != self.notes:
            self.show_notes(notes)
        self.counted.emit(len(notes) or None)
