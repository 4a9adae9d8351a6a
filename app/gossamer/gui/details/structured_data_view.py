"""The structured data of a page as a tree of items, with errors beside what they are about."""

from collections.abc import Iterator
from typing import Final

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtWidgets import QTreeWidget, QTreeWidgetItem, QVBoxLayout, QWidget

from gossamer.gui.details.fetch_bar import FetchBar, reason_unread
from gossamer.gui.look import theme
from gossamer.gui.look.icons import icon
from gossamer.gui.tables.empty_state import EmptyStateText
from gossamer.gui.tables.value_tree import ValueTree
from gossamer.gui.text import local_formatting as formatting
from gossamer.gui.text.local_formatting import QT_TRANSLATE_NOOP, translator
from gossamer.gui.text.translated_sentences import listed
from gossamer.model.fields.url_record import UrlRecord
from gossamer.model.messages.page_contents_messages import (
    DataFault,
    DataItem,
    FaultKind,
    PageContents,
)

_tr = translator("StructuredData")
_NAME, _VALUE, _NOTE = range(3)
_MAX_ROWS: Final = 3_000
"""The most rows of a tree; more take too long to make."""
_EXPANDED_ROWS: Final = 200
_SHARES: Final = (0.3, 0.27)
"""The shares of the first two columns in the width."""
_ERRORS: Final = frozenset(
    {
        FaultKind.PARSE_ERROR,
        FaultKind.NO_CONTEXT,
        FaultKind.UNKNOWN_TYPE,
        FaultKind.UNKNOWN_PROPERTY,
        FaultKind.MISSING_REQUIRED,
    }
)
_LINE: Final = int(Qt.ItemDataRole.UserRole)
_IS_FAULT: Final = _LINE + 1
_MISSING: Final = frozenset({FaultKind.MISSING_REQUIRED, FaultKind.MISSING_RECOMMENDED})
_OF_PROPERTIES: Final = frozenset(
    {FaultKind.UNKNOWN_PROPERTY, FaultKind.MISPLACED_PROPERTY, FaultKind.SUPERSEDED_PROPERTY}
)
"""Faults of a present property, which are shown beside it."""
_SENTENCES: Final = {
    FaultKind.PARSE_ERROR: QT_TRANSLATE_NOOP("StructuredData", "Cannot be parsed: {detail}"),
    FaultKind.NO_CONTEXT: QT_TRANSLATE_NOOP(
        "StructuredData", "No @context, so the vocabulary is unknown"
    ),
    FaultKind.UNKNOWN_TYPE: QT_TRANSLATE_NOOP("StructuredData", "schema.org has no type {name}"),
    FaultKind.UNKNOWN_PROPERTY: QT_TRANSLATE_NOOP(
        "StructuredData", "schema.org has no property {name}"
    ),
    FaultKind.MISPLACED_PROPERTY: QT_TRANSLATE_NOOP(
        "StructuredData", "{subject} has no property {name}"
    ),
    FaultKind.SUPERSEDED_PROPERTY: QT_TRANSLATE_NOOP("StructuredData", "superseded by {detail}"),
    FaultKind.MISSING_REQUIRED: QT_TRANSLATE_NOOP(
        "StructuredData", "missing, required for {subject}"
    ),
    FaultKind.MISSING_RECOMMENDED: QT_TRANSLATE_NOOP(
        "StructuredData", "missing, recommended for {subject}"
    ),
}


def fault_words(fault: DataFault) -> str:
    """A short description of a fault."""
    words = _tr(_SENTENCES[fault.kind]).format(
        subject=fault.subject, name=fault.name, detail=fault.detail
    )
    if fault.line and not fault.detail:
        words = f"{words} · {_line(fault.line)}"
    return formatting.clean(words)


def all_faults(contents: PageContents) -> Iterator[DataFault]:
    """The faults of the page and of all its items."""
    yield from contents.faults
    waiting = list(contents.items)
    while waiting:
        item = waiting.pop()
        yield from item.faults
        waiting += [value for _, value in item.properties if isinstance(value, DataItem)]


class StructuredDataView(QWidget):
    """`wanted` carries an address, and whether to request it even if it is cached.

    `stopped` cancels the request. `line_wanted` carries an address and the source line of a row.
    """

    line_wanted = Signal(str, int)
    wanted = Signal(str, bool)
    stopped = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._url = ""
        self._known = ""
        self._contents: PageContents | None = None
        self.bar = FetchBar(self.tr("Fetch"), self.tr("Fetch again"))
        self.tree = ValueTree(
            self.tr("Structured data"),
            [self.tr("Item or property"), self.tr("Value"), self.tr("Note")],
            _SHARES,
        )
        self.note = EmptyStateText(self.tree)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.bar)
        column.addWidget(self.tree, 1)
        self.bar.wanted.connect(self.fetch)
        self.bar.stopped.connect(self._stop)
        self.tree.itemClicked.connect(self._request_line_of_fault)
        self.tree.itemActivated.connect(self._request_line)
        self._show()

    def show_record(self, record: UrlRecord | None) -> None:
        """Show a URL; its structured data is fetched on request only."""
        url = "" if record is None else record.url
        self._known = "" if record is None else record.structured_types or ""
        if url == self._url:
            return
        if self.bar.is_waiting:
            self.stopped.emit()
        self._url, self._contents = url, None
        self.stop_waiting()

    def fetch(self) -> None:
        """Ask for the page; the server is asked only for another page or on a repeated request."""
        is_again = self._contents is not None
        self.bar.is_waiting = True
        self._show()
        self.wanted.emit(self._url, is_again)

    def show_contents(self, contents: PageContents) -> None:
        """Show the structured data, if it is still wanted."""
        if contents.url == self._url:
            self._contents = contents
            self.stop_waiting()

    def show_error(self, text: str) -> None:
        """Show why the request failed."""
        self.stop_waiting()
        self.note.setText(text)
        self.note.show()

    def stop_waiting(self) -> None:
        """Stop waiting for a result."""
        self.bar.is_waiting = False
        self._show()

    def changeEvent(self, event: QEvent) -> None:
        """Use the colours of a new palette."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._show()

    def _request_line_of_fault(self, row: QTreeWidgetItem) -> None:
        if row.data(_NOTE, _IS_FAULT):
            self._request_line(row)

    def _request_line(self, row: QTreeWidgetItem) -> None:
        """Ask for the source line of a row or its nearest ancestor, if one is known."""
        at: QTreeWidgetItem | None = row
        while at is not None:
            if line := at.data(_NAME, _LINE):
                self.line_wanted.emit(self._url, line)
                return
            at = at.parent()

    def _stop(self) -> None:
        self.stopped.emit()
        self.stop_waiting()

    def _show(self) -> None:
        contents = self._contents
        self.bar.show_state(
            "" if contents is None else _summary(contents),
            can_fetch=bool(self._url),
            is_waiting=self.bar.is_waiting,
            is_again=contents is not None,
        )
        self.tree.clear()
        if contents is not None:
            _Rows(self.tree).fill(contents)
        self.tree.setHeaderHidden(not self.tree.topLevelItemCount())
        self.note.setVisible(not self.tree.topLevelItemCount())
        self.note.setText(self._why_empty())

    def _why_empty(self) -> str:
        if self.bar.is_waiting:
            return self.tr("Fetching…")
        if not self._url:
            return self.tr("The structured data of the selected page appears here.")
        if self._contents is not None:
            if not self._contents.fetched.is_read:
                return reason_unread(self._contents.fetched)
            return self.tr("This page has no structured data.")
        words = self.tr(
            "Items are not stored. Press Fetch to request this page again, as the crawl does."
        )
        if self._known:
            types = self.tr("When it was crawled, the page had: {types}.")
            words = f"{types.format(types=formatting.clean(self._known))}\n{words}"
        return words


class _Rows:
    """Makes the rows of a tree."""

    def __init__(self, tree: QTreeWidget) -> None:
        self._tree = tree
        self._left = _MAX_ROWS

    def fill(self, contents: PageContents) -> None:
        root = self._tree.invisibleRootItem()
        for fault in contents.faults:
            name = "JSON-LD" if not fault.subject else formatting.clean(fault.subject)
            self._fault(root, name, fault)
        for item in contents.items:
            self._item(root, item, "", {})
        if self._left > _MAX_ROWS - _EXPANDED_ROWS:
            self._tree.expandAll()
        else:
            self._tree.expandToDepth(0)

    def _item(
        self, above: QTreeWidgetItem, item: DataItem, name: str, notes: dict[str, DataFault]
    ) -> None:
        types = formatting.clean(listed(item.types)) or _tr("(no type)")
        where = f"{item.format} · {_line(item.line)}" if item.line else item.format
        parts = (name, types, "") if name else (types, "", where)
        row = self._row(above, *parts)
        if row is None:
            return
        row.setData(_NAME, _LINE, item.line)
        font = row.font(_NAME)
        font.setBold(True)
        row.setFont(_VALUE if name else _NAME, font)
        if name in notes:
            self._mark(row, notes[name])
        if item.id:
            self._row(row, "@id", item.id, "")
        self._features(row, item)
        for fault in item.faults:
            if fault.kind in _MISSING or fault.kind is FaultKind.UNKNOWN_TYPE:
                self._fault(row, _alternatives(fault.name), fault)
        own = {fault.name: fault for fault in item.faults if fault.kind in _OF_PROPERTIES}
        for property_name, value in item.properties:
            self._property(row, property_name, value, own)

    def _property(
        self,
        row: QTreeWidgetItem,
        name: str,
        value: str | DataItem,
        notes: dict[str, DataFault],
    ) -> None:
        if isinstance(value, DataItem):
            self._item(row, value, name, notes)
            return
        line = self._row(row, name, value, "")
        if line is not None and name in notes:
            self._mark(line, notes[name])

    def _features(self, row: QTreeWidgetItem, item: DataItem) -> None:
        lacking = {
            fault.subject for fault in item.faults if fault.kind is FaultKind.MISSING_REQUIRED
        }
        for feature in item.features:
            is_met = feature not in lacking
            words = _tr("all required properties are there")
            note = words if is_met else _tr("required properties are missing")
            line = self._row(row, _tr("Rich result"), feature, note)
            if line is not None:
                line.setIcon(_NAME, icon("finished" if is_met else "error"))
                line.setForeground(_NOTE, theme.colour("ok" if is_met else "error"))

    def _fault(self, above: QTreeWidgetItem, name: str, fault: DataFault) -> None:
        row = self._row(above, name, "", "")
        if row is not None:
            self._mark(row, fault)

    @staticmethod
    def _mark(row: QTreeWidgetItem, fault: DataFault) -> None:
        is_error = fault.kind in _ERRORS
        words = fault_words(fault)
        row.setIcon(_NAME, icon("error" if is_error else "warning"))
        row.setText(_NOTE, words)
        row.setData(_NOTE, _IS_FAULT, True)
        if fault.line:
            row.setData(_NAME, _LINE, fault.line)
        row.setToolTip(_NOTE, formatting.tooltip(words))
        row.setForeground(_NOTE, theme.colour("error" if is_error else "warning"))

    def _row(
        self, above: QTreeWidgetItem, name: str, value: str, note: str
    ) -> QTreeWidgetItem | None:
        self._left -= 1
        if self._left < 0:
            return None
        if not self._left:
            name, value, note = "…", "", _tr("More rows are not shown.")
        texts = [formatting.clean(text) for text in (name, value, note)]
        row = QTreeWidgetItem(above, texts)
        if value:
            row.setToolTip(_VALUE, formatting.tooltip(value))
        if note:
            row.setForeground(_NOTE, theme.colour("muted"))
        return row


def _line(line: int) -> str:
    return _tr("line {n}").format(n=formatting.number(line))


def _alternatives(name: str) -> str:
    joined, *others = name.split("|")
    for other in others:
        joined = _tr("{one} or {other}").format(one=joined, other=other)
    return joined


def _summary(contents: PageContents) -> str:
    if not contents.fetched.is_read:
        return ""
    faults = list(all_faults(contents))
    errors = sum(fault.kind in _ERRORS for fault in faults)
    parts = [
        _tr("%Ln item(s)", len(contents.items)),
        _tr("%Ln error(s)", errors),
        _tr("%Ln warning(s)", len(faults) - errors),
    ]
    if contents.fetched.truncated:
        parts.append(_tr("the page was cut off"))
    return " · ".join(parts)
