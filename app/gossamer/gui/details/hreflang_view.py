"""The language versions of a page, as a matrix."""

from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from types import MappingProxyType
from typing import Final, NamedTuple

from msgspec.structs import replace
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, Qt, Signal
from PySide6.QtWidgets import QWidget

from gossamer.gui.look.icons import icon
from gossamer.gui.look.outcome_style import NO_STATUS, sentence
from gossamer.gui.look.theme import Role, colour
from gossamer.gui.project.reader_interfaces import ProjectRows
from gossamer.gui.project.reader_thread import ProjectReader
from gossamer.gui.tables.empty_state import EmptyStateLabel
from gossamer.gui.tables.item_roles import (
    ACCESSIBLE,
    ALIGNMENT,
    DECORATION,
    DISPLAY,
    FOREGROUND,
    LEFT,
    TOOLTIP,
)
from gossamer.gui.tables.table_model import ROOT, AnyIndex
from gossamer.gui.tables.table_view import AddressDelegate, TableView
from gossamer.gui.text import local_formatting as formatting
from gossamer.gui.text.local_formatting import translator
from gossamer.gui.text.translated_sentences import listed
from gossamer.model.fields.indexability import Indexability
from gossamer.model.fields.link_record import LinkRecord
from gossamer.model.fields.url_record import UrlRecord
from gossamer.model.hreflang_codes import comparable_code
from gossamer.model.link_kinds import LinkKind
from gossamer.model.outcome import PAGES
from gossamer.urls.url_folders import display_url

_tr = translator("Hreflang")
_MAX_PAGES: Final = 200
"""The most pages of a set that are shown; no site needs more languages."""
_MAX_LANGUAGES: Final = 400
"""The most columns."""
_MAX_LINKS: Final = 400
_ALTERNATES: Final = frozenset({LinkKind.ALTERNATE})
_ADDRESS_WIDTH: Final = 40
_CELL_WIDTH: Final = 24
_OK: Final = 200
X_DEFAULT: Final = "x-default"


class ReturnLink(Enum):
    """Whether the target of an annotation links back to its page."""

    SELF = "self"
    PRESENT = "present"
    MISSING = "missing"
    UNKNOWN = "unknown"
    """The target was not read as a page."""


class HreflangCell(NamedTuple):
    """An annotation of a page for a language: its target, and whether that links back."""

    link: LinkRecord
    link_back: ReturnLink
    is_judged: bool
    """Whether the crawl knows how the target responds, or that robots.txt blocks it."""

    @property
    def role(self) -> Role:
        """The colour of the cell."""
        is_not_ok = self.is_judged and self.link.target_status != _OK
        if is_not_ok or self.link_back is ReturnLink.MISSING:
            return "error"
        return "muted" if self.link_back is ReturnLink.UNKNOWN else "ok"


class HreflangSet(NamedTuple):
    """The pages of a set, their languages, and each annotation by page and language."""

    pages: tuple[UrlRecord, ...] = ()
    languages: tuple[str, ...] = ()
    annotations: Mapping[tuple[int, str], list[HreflangCell]] = MappingProxyType({})


def read_set(rows: ProjectRows, url_id: int) -> HreflangSet:
    """The set of a page: itself and the pages in its annotations."""
    named = _alternates(rows, url_id)
    if not named:
        return HreflangSet()
    ids = list(dict.fromkeys([url_id, *(link.target_id for link in named)]))[:_MAX_PAGES]
    by_page = {page: named if page == url_id else _alternates(rows, page) for page in ids}
    targets = {page: {link.target_id for link in links} for page, links in by_page.items()}
    records = rows.records(ids)
    known = {record.id: record for record in records}
    annotations: dict[tuple[int, str], list[HreflangCell]] = {}
    for page, links in by_page.items():
        for link in links:
            link_back = _return_link(link, targets, known)
            cell = HreflangCell(link, link_back, _is_judged(link, known))
            annotations.setdefault((page, language_of(link)), []).append(cell)
    # Those of the page itself come first.
    languages = list(dict.fromkeys(language for _, language in annotations))[:_MAX_LANGUAGES]
    ordered = sorted(languages, key=lambda language: (language == X_DEFAULT, language))
    return HreflangSet(tuple(records), tuple(ordered), annotations)


def language_of(link: LinkRecord) -> str:
    """The language of an annotation, normalized as the rules compare it."""
    return comparable_code(link.text)


def _alternates(rows: ProjectRows, page: int) -> list[LinkRecord]:
    """The annotations of a page and of its sitemap entries."""
    own = rows.links_of_kinds(page, _ALTERNATES, _MAX_LINKS)
    entries = [replace(link, source_id=page) for link in rows.sitemap_alternates(page)]
    return [link for link in (*own, *entries) if link.text][:_MAX_LINKS]


def _return_link(
    link: LinkRecord, targets: dict[int, set[int]], known: dict[int, UrlRecord]
) -> ReturnLink:
    if link.target_id == link.source_id:
        return ReturnLink.SELF
    if link.source_id in targets.get(link.target_id, set()):
        return ReturnLink.PRESENT
    record = known.get(link.target_id)
    is_read = record is not None and record.outcome in PAGES
    return ReturnLink.MISSING if is_read else ReturnLink.UNKNOWN


def _is_judged(link: LinkRecord, known: dict[int, UrlRecord]) -> bool:
    record = known.get(link.target_id)
    if record is None:  # one of too many
        return link.target_status is not None
    return record.indexability_reason is not Indexability.UNKNOWN


def _worst(found: Sequence[HreflangCell]) -> Role:
    roles = {each.role for each in found}
    return next(role for role in _SIGNS if role in roles)


def _words(found: Sequence[HreflangCell]) -> str:
    return "\n".join(map(annotation_words, found))


_SIGNS: Final[dict[Role, str]] = {"error": "error", "muted": "info", "ok": "finished"}
"""The icons of the colours of cells, the worst first."""
_CELLS: Final[dict[int, Callable[[Sequence[HreflangCell]], object]]] = {
    DISPLAY: lambda found: listed(map(_cell_text, found)),
    TOOLTIP: lambda found: formatting.tooltip(_words(found)),
    ACCESSIBLE: _words,
    FOREGROUND: lambda found: colour(_worst(found)),
    DECORATION: lambda found: icon(_SIGNS[_worst(found)]),
}


class HreflangModel(QAbstractTableModel):
    """A row for each page of the set, a column for each language."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._set = HreflangSet()

    def show_set(self, found: HreflangSet) -> None:
        """Show another set, or the current state of the same set."""
        if found != self._set:
            self.beginResetModel()
            self._set = found
            self.endResetModel()

    def page(self, row: int) -> UrlRecord:
        """The page in this row."""
        return self._set.pages[row]

    def annotations(self, index: AnyIndex) -> list[HreflangCell]:
        """The annotations of the page in a row for the language in a column."""
        if index.column() < 1:
            return []
        key = (self.page(index.row()).id, self._set.languages[index.column() - 1])
        return self._set.annotations.get(key, [])

    def rowCount(self, parent: AnyIndex = ROOT) -> int:
        """How many pages there are."""
        return 0 if parent.isValid() else len(self._set.pages)

    def columnCount(self, parent: AnyIndex = ROOT) -> int:
        """The page, and its languages."""
        return 0 if parent.isValid() else 1 + len(self._set.languages)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = DISPLAY
    ) -> str | int | None:
        """The languages."""
        if orientation is not Qt.Orientation.Horizontal or role not in {DISPLAY, ALIGNMENT}:
            return None
        if role == ALIGNMENT:
            return LEFT
        return _tr("Page") if section == 0 else formatting.clean(self._set.languages[section - 1])

    def data(self, index: AnyIndex, role: int = DISPLAY) -> object:
        """A cell: the target of the annotation, with an icon for its return link."""
        if index.column() == 0:
            address = formatting.clean(display_url(self.page(index.row()).url))
            return address if role == DISPLAY else None
        found = self.annotations(index)
        if not found:
            return _tr("none") if role == ACCESSIBLE else None
        make = _CELLS.get(role)
        return None if make is None else make(found)


def _cell_text(each: HreflangCell) -> str:
    status = each.link.target_status
    address = display_url(each.link.target_url)
    if status != _OK:
        address = f"{NO_STATUS if status is None else status} {address}"
    return formatting.clean(address)


def annotation_words(each: HreflangCell) -> str:
    """A description of an annotation."""
    link = each.link
    words = {
        ReturnLink.SELF: _tr("the page names itself"),
        ReturnLink.PRESENT: _tr("the return link is there"),
        ReturnLink.MISSING: _tr("the return link is missing"),
        ReturnLink.UNKNOWN: _tr("not read, so the return link is not known"),
    }
    result = sentence(link.target_outcome, link.target_status)
    address = formatting.clean(display_url(link.target_url))
    return f"{formatting.clean(link.text)}: {address}\n{result} · {words[each.link_back]}"


class HreflangView(TableView):
    """The matrix of the set of a page. Enter or a double click shows the URL of a cell."""

    url_wanted = Signal(int)

    def __init__(self, reader: ProjectReader, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._reader = reader
        self._key = f"hreflang {id(self)}"
        self.about: int | None = None
        self.rows = HreflangModel(self)
        self.setModel(self.rows)
        self.setItemDelegate(AddressDelegate(self))
        self.setSelectionBehavior(TableView.SelectionBehavior.SelectItems)
        self.note = EmptyStateLabel(self)
        self.activated.connect(self._go)

    def show_url(self, url_id: int | None) -> None:
        """Show the set of another page."""
        self._reader.forget(self._key)
        self.about = url_id
        self.rows.show_set(HreflangSet())
        self.refresh()

    def refresh(self) -> None:
        """Read the set again."""
        url_id = self.about
        if url_id is not None:
            self._reader.submit(
                lambda rows: read_set(rows, url_id), self._show, key=self._key, background=True
            )

    def save_columns(self) -> bytes:
        """Nothing: its columns are languages, which differ from set to set."""
        return b""

    def _show(self, found: HreflangSet) -> None:
        self.rows.show_set(found)
        self._share_width()
        self.fill(anew=True)

    def _share_width(self) -> None:
        """Share the width among a few languages, because their cells contain addresses."""
        languages = self.rows.columnCount() - 1
        first, least = self.width_of(_ADDRESS_WIDTH), self.width_of(_CELL_WIDTH)
        left = (self.viewport().width() - first) // max(languages, 1)
        self.setColumnWidth(0, first)
        for column in range(1, languages + 1):
            self.setColumnWidth(column, min(max(left, least), first))

    def _go(self, index: QModelIndex) -> None:
        found = self.rows.annotations(index)
        self.url_wanted.emit(found[0].link.target_id if found else self.rows.page(index.row()).id)
