"""Reads what the project has of a rendered page, for the view of it."""

from enum import Enum, auto
from typing import Final

from msgspec.structs import asdict
from PySide6.QtCore import QObject, Signal

from gossamer.gui.project.reader_interfaces import ProjectRows
from gossamer.gui.project.reader_thread import ProjectReader
from gossamer.model.archive_record import ArchiveRecord
from gossamer.model.fields.rendering_fields import RenderingFields
from gossamer.model.fields.url_record import UrlRecord
from gossamer.model.link_kinds import OUTLINK_KINDS
from gossamer.model.messages.page_contents_messages import PageFetchOutcome
from gossamer.model.messages.page_rendering_messages import (
    OriginLink,
    RenderingReport,
    compared_facts,
    tally_links,
)
from gossamer.model.rendering import Rendering

_MAX_LINKS: Final = 5_000
"""The most links of a page that are counted by origin."""
_STORED_FIELDS: Final = RenderingFields.__struct_fields__


class _Reading(Enum):
    NEEDED = auto()
    UNDER_WAY = auto()
    DONE = auto()


class StoredRenderingReading(QObject):
    """Reads the rendering of one page at a time, once for each state of the page.

    `found` carries a RenderingReport with the ArchiveRecords of the response and of the DOM, or
    None; `failed` says that it cannot be read.
    """

    found = Signal(object, object, object)
    failed = Signal()

    def __init__(self, reader: ProjectReader, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._reader = reader
        self._key = f"rendering {id(self)}"
        self._record: UrlRecord | None = None
        self._reading = _Reading.DONE

    @property
    def is_done(self) -> bool:
        """Whether there is nothing to be read, or no longer."""
        return self._reading is _Reading.DONE

    def begin(self, record: UrlRecord | None) -> None:
        """Note which page is shown, in which state; nothing is read yet."""
        self._reader.forget(self._key)
        self._record = record
        is_rendered = record is not None and record.render_outcome is not None
        self._reading = _Reading.NEEDED if is_rendered else _Reading.DONE

    def read(self) -> None:
        """Read it, unless that is done."""
        record = self._record
        if record is None or self._reading is not _Reading.NEEDED:
            return
        self._reading = _Reading.UNDER_WAY
        self._reader.submit(
            lambda rows: (
                _stored_rendering(rows, record),
                rows.archive_record(record.id),
                rows.dom_record(record.id),
            ),
            self._take,
            key=self._key,
            on_failure=self._fail,
        )

    def _take(
        self, read: tuple[RenderingReport, ArchiveRecord | None, ArchiveRecord | None]
    ) -> None:
        self._reading = _Reading.DONE
        self.found.emit(*read)

    def _fail(self) -> None:
        self._reading = _Reading.DONE
        self.failed.emit()


def _stored_rendering(rows: ProjectRows, record: UrlRecord) -> RenderingReport:
    """The rendering of a page in the project."""
    fields = {name: value for name, value in asdict(record).items() if name in _STORED_FIELDS}
    details, jpeg = rows.rendering_details(record.id), rows.screenshot(record.id)
    rendering = Rendering(**fields, details=details, screenshot=jpeg or b"")
    links = rows.links_of_kinds(record.id, OUTLINK_KINDS, _MAX_LINKS)
    return RenderingReport(
        0,
        record.url,
        PageFetchOutcome(record.outcome, record.status, record.detail, is_read=True),
        rendering,
        facts=compared_facts(record, rendering),
        links=tally_links(OriginLink(a.target_url, a.text, a.kind, a.traits) for a in links),
    )
