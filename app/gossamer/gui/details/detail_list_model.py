"""Lists about one URL: its links, its redirect chain, its headers."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from gossamer.gui.look.icons import icon
from gossamer.gui.look.outcome_style import icon_name, role, sentence
from gossamer.gui.look.theme import colour
from gossamer.gui.project.reader_port import ProjectRows
from gossamer.gui.project.reader_thread import ProjectReader
from gossamer.gui.tables.item_roles import (
    ACCESSIBLE,
    ALIGNMENT,
    DECORATION,
    DISPLAY,
    FOREGROUND,
    LEFT,
    RIGHT,
    TOOLTIP,
)
from gossamer.gui.text import formatting
from gossamer.model.outcome import Outcome
from gossamer.model.project_queries import LinkEnd

BATCH: Final = 200
"""Rows read at once; more when the end of the list comes into sight."""

_MAX_REREAD: Final = 1_000
"""A list longer than this is not compared with the project file again while a crawl runs."""

T = TypeVar("T")
AnyIndex = QModelIndex | QPersistentModelIndex
_ROOT: Final = QModelIndex()


@dataclass(frozen=True, slots=True)
class DetailColumn(Generic[T]):
    """One column: its translated name, its width in characters, the text of a row.

    `spoken` is what screen readers say where that is more than the text.

    `signed` columns carry icon and colour of the row's outcome; `address` columns lose their
    middle first when they are too narrow; the `filling` column takes what the others leave.
    """

    header: str
    width: int
    text: Callable[[T], str]
    numeric: bool = False
    address: bool = False
    filling: bool = False
    signed: bool = False
    spoken: Callable[[T], str] | None = None


@dataclass(frozen=True, slots=True)
class DetailListSpec(Generic[T]):
    """What a list shows. `read` gives at most `limit` rows after `last` (None: from the start).

    `target` is the URL a row leads to, `fate` its outcome and status. `link` has the address of the
    page that a link stands on and that of its target, where rows are links.
    """

    fields: tuple[DetailColumn[T], ...]
    read: Callable[[ProjectRows, int, T | None, int], list[T]]
    target: Callable[[T], int | None] = lambda _: None
    fate: Callable[[T], tuple[Outcome, int | None] | None] = lambda _: None
    link: Callable[[T], tuple[str, str]] | None = None
    end: LinkEnd | None = None
    """From which end they are looked at then."""


class DetailListModel(QAbstractTableModel, Generic[T]):
    """Rows of a Listing for one URL, read in batches."""

    def __init__(
        self, listing: DetailListSpec[T], reader: ProjectReader, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self.listing = listing
        self._reader = reader
        self._key = f"detail list {id(self)}"
        self._url_id: int | None = None
        self._rows: list[T] = []
        self._complete = True
        self._reading = False

    @property
    def url_id(self) -> int | None:
        """The URL the list is about."""
        return self._url_id

    def show_url(self, url_id: int | None) -> None:
        """Turn to another URL; None empties the list."""
        self._reader.forget(self._key)
        self.beginResetModel()
        self._url_id = url_id
        self._rows = []
        self._reading = False
        self._complete = url_id is None
        self.endResetModel()
        self.fetchMore(QModelIndex())

    def refresh(self) -> None:
        """Compare with the project file, and take over what changed."""
        url_id, read = self._url_id, self.listing.read
        if url_id is None or self._reading or len(self._rows) > _MAX_REREAD:
            return
        limit = max(len(self._rows), BATCH)
        self._reader.submit(
            lambda rows: (read(rows, url_id, None, limit), limit),
            lambda found: self._replace(*found),
            key=self._key,
            background=True,
        )

    def row(self, row: int) -> T | None:
        """What is in a row."""
        return self._rows[row] if 0 <= row < len(self._rows) else None

    def target(self, row: int) -> int | None:
        """The URL that a row leads to."""
        return self.listing.target(self._rows[row]) if 0 <= row < len(self._rows) else None

    def rowCount(self, parent: AnyIndex = _ROOT) -> int:
        """How many rows were read."""
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: AnyIndex = _ROOT) -> int:
        """The fields of the listing."""
        return 0 if parent.isValid() else len(self.listing.fields)

    def canFetchMore(self, parent: AnyIndex) -> bool:
        """Whether there are rows that were not read."""
        return not parent.isValid() and not self._complete

    def fetchMore(self, parent: AnyIndex) -> None:
        """Ask for the next batch."""
        url_id, read = self._url_id, self.listing.read
        if parent.isValid() or self._complete or self._reading or url_id is None:
            return
        self._reading = True
        last = self._rows[-1] if self._rows else None
        self._reader.submit(
            lambda rows: read(rows, url_id, last, BATCH),
            self._append,
            key=self._key,
            lost=self._lose,
        )

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = DISPLAY
    ) -> str | int | None:
        """Names of the columns, aligned like their cells."""
        fields = self.listing.fields
        if orientation is not Qt.Orientation.Horizontal or not 0 <= section < len(fields):
            return None
        if role == DISPLAY:
            return fields[section].header
        return _alignment(fields[section]) if role == ALIGNMENT else None

    def data(self, index: AnyIndex, role: int = DISPLAY) -> Any:  # noqa: ANN401 - a Qt variant
        """The cell at `index`."""
        if not 0 <= index.row() < len(self._rows):
            return None
        field = self.listing.fields[index.column()]
        row = self._rows[index.row()]
        if role == DISPLAY:
            return formatting.clean(field.text(row))
        if role == ACCESSIBLE:
            return formatting.clean((field.spoken or field.text)(row))
        if role == ALIGNMENT:
            return _alignment(field)
        if role == TOOLTIP:
            fate = self.listing.fate(row) if field.signed else None
            return formatting.tooltip(field.text(row), sentence(*fate) if fate else None)
        return self._signs(field, row, role) if field.signed else None

    def _signs(self, field: DetailColumn[T], row: T, wanted: int) -> object:
        fate = self.listing.fate(row)
        if fate is None or not field.signed:
            return None
        if wanted == DECORATION:
            return icon(icon_name(*fate))
        return colour(role(*fate)) if wanted == FOREGROUND else None

    def _append(self, found: list[T]) -> None:
        self._reading = False
        self._complete = len(found) < BATCH
        if found:
            first = len(self._rows)
            self.beginInsertRows(QModelIndex(), first, first + len(found) - 1)
            self._rows += found
            self.endInsertRows()
        else:
            self.layoutChanged.emit()

    def _lose(self) -> None:
        self._reading = False

    def _replace(self, found: list[T], limit: int) -> None:
        """Put `found` in place of the rows, touching only what lies between equal ends."""
        old = self._rows
        start = 0
        while start < min(len(old), len(found)) and old[start] == found[start]:
            start += 1
        end = 0
        while end < min(len(old), len(found)) - start and old[-1 - end] == found[-1 - end]:
            end += 1
        if start + end < len(old):
            self.beginRemoveRows(QModelIndex(), start, len(old) - end - 1)
            self._rows = old[:start] + old[len(old) - end :]
            self.endRemoveRows()
        if start + end < len(found):
            self.beginInsertRows(QModelIndex(), start, len(found) - end - 1)
            self._rows = found
            self.endInsertRows()
        self._complete = len(found) < limit


def _alignment(field: DetailColumn[Any]) -> int:
    return RIGHT if field.numeric else LEFT
