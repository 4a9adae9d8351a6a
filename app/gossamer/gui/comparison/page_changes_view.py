"""The details of a page that differs: its changes, its texts side by side, and all its fields."""

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QTabWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from gossamer.gui.comparison.change_texts import all_changes, change_name, fate, field_name
from gossamer.gui.comparison.compared_contents import ComparedContents
from gossamer.gui.details.side_by_side_view import SideBySideText, TextSection
from gossamer.gui.look import theme
from gossamer.gui.tables.table_columns import SPECS, ColumnSpec
from gossamer.gui.tables.value_tree import ValueTree
from gossamer.gui.text import local_formatting as formatting
from gossamer.gui.text.translated_sentences import labelled
from gossamer.gui.widgets.stacked_column import column_of
from gossamer.model.comparison_field_choice import COMPARABLE
from gossamer.model.comparison_results import ComparedPage, PageChange
from gossamer.model.fields.field_declaration import FieldKind
from gossamer.model.fields.url_record import UrlRecord
from gossamer.urls.url_folders import display_url

_SHARES: Final = (0.24, 0.38)
_TEXTS: Final = frozenset({FieldKind.TEXT, FieldKind.SNIPPET, FieldKind.ADDRESS})
_NOTHING: Final = ComparedContents(None, None, None)


class PageChangesView(QWidget):
    """Shows one page of a comparison.

    `contents_wanted` carries the ComparedPage whose contents are to be shown with `show_contents`;
    `open_wanted` whether the page is to be opened in the later crawl, and its id there.
    """

    contents_wanted = Signal(object)
    open_wanted = Signal(bool, int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._page: ComparedPage | None = None
        self._contents = _NOTHING
        self.address = QLabel()
        self.address.setTextFormat(Qt.TextFormat.PlainText)
        self.address.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.address.setProperty("heading", True)
        self.fate = QLabel()
        self.fate.setTextFormat(Qt.TextFormat.PlainText)
        self.fate.setProperty("muted", True)
        self.open_before = QPushButton(self.tr("Open in the earlier crawl"))
        self.open_after = QPushButton(self.tr("Open in the later crawl"))
        heads = [self.tr("Field"), self.tr("Before"), self.tr("After")]
        self.changes = ValueTree(self.tr("Changes of this page"), heads, _SHARES)
        self.texts = SideBySideText(
            self.tr("Texts before and after"),
            self.tr(
                "Title, description and the other texts compared here are the same. The text of "
                "the page itself is not in both projects: it is kept with the setting "
                "“Full-text search”. The content similarity among the changes shows how much it "
                "differs."
            ),
        )
        self.fields = ValueTree(
            self.tr("All fields of this page"), heads, _SHARES, self.tr("Reading…")
        )
        for tree in (self.changes, self.fields):
            tree.setRootIsDecorated(False)
        self.only_differences = QCheckBox(self.tr("Only differences"))
        self.tabs = QTabWidget()
        self._lay_out()
        self.open_before.clicked.connect(lambda: self._open(is_after=False))
        self.open_after.clicked.connect(lambda: self._open(is_after=True))
        self.tabs.currentChanged.connect(self._want_contents)
        self.only_differences.toggled.connect(self._list_fields)
        self.show_page(None)

    def show_page(self, page: ComparedPage | None) -> None:
        """Turn to another page."""
        self._page, self._contents = page, _NOTHING
        for tree in (self.changes, self.fields):
            tree.clear()
        for button, url_id in (
            (self.open_before, None if page is None else page.before_id),
            (self.open_after, None if page is None else page.after_id),
        ):
            button.setEnabled(url_id is not None)
        if page is None:
            self.address.setText(self.tr("Select a page to see what has changed."))
            self.fate.clear()
            self.texts.show_note("")
            return
        self.address.setText(formatting.clean(display_url(page.url)))
        self.fate.setText(self._words(page))
        for change in all_changes(page):
            row = QTreeWidgetItem(self.changes, [change.name, change.before, change.after])
            for column in range(3):
                row.setToolTip(column, formatting.tooltip(row.text(column)))
        why_none = {
            PageChange.NEW: self.tr("This page is new: the earlier crawl does not have it."),
            PageChange.MISSING: self.tr("The later crawl has not got this page."),
        }.get(page.change, self.tr("The parts of this page that were compared are the same."))
        self.changes.note.show_text(why_none)
        if page.change in {PageChange.NEW, PageChange.MISSING}:
            self.texts.show_note(why_none)
        else:
            self._show_texts(page)
        self._want_contents()

    def show_contents(self, page: ComparedPage, contents: ComparedContents) -> None:
        """Show the text and all fields of a page, if it is still the one."""
        if page == self._page:
            self._contents = contents
            self.fields.note.show_text(self.tr("Nothing differs."))
            self._list_fields()
            if contents.texts is not None:
                self._show_texts(page)

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.setContentsMargins(theme.SPACE_S, theme.SPACE_S, theme.SPACE_S, theme.SPACE_XS)
        head.setSpacing(theme.SPACE_S)
        words = QVBoxLayout()
        words.setSpacing(0)
        words.addWidget(self.address)
        words.addWidget(self.fate)
        head.addLayout(words, 1)
        head.addWidget(self.open_before)
        head.addWidget(self.open_after)
        # A long address gives way to the buttons, and not the window to it.
        for label in (self.address, self.fate):
            label.setMinimumWidth(1)
        bar = QWidget()
        row = QHBoxLayout(bar)
        row.setContentsMargins(theme.SPACE_S, theme.SPACE_XS, theme.SPACE_S, theme.SPACE_XS)
        row.addWidget(self.only_differences)
        row.addStretch(1)
        self.tabs.setDocumentMode(True)
        self.tabs.tabBar().setAccessibleName(self.tr("What has changed"))
        self.tabs.addTab(self.changes, self.tr("Changes"))
        self.tabs.addTab(self.texts, self.tr("Texts side by side"))
        self.tabs.addTab(column_of(bar, self.fields, filling=self.fields), self.tr("All fields"))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(head)
        column.addWidget(self.tabs, 1)

    def _words(self, page: ComparedPage) -> str:
        words = change_name(page.change)
        if page.change is PageChange.MISSING:
            words = labelled(words, fate(page))
        if page.before_url and page.before_url != page.url:
            before = formatting.clean(display_url(page.before_url))
            words = f"{words} · {labelled(self.tr('Before'), before)}"
        return words

    def _show_texts(self, page: ComparedPage) -> None:
        from gossamer.extract.text_comparison import side_by_side  # noqa: PLC0415 - the start does without

        sections = [
            TextSection(
                field_name(change.field),
                side_by_side(_paragraphs(change.before), _paragraphs(change.after)),
            )
            for change in page.fields
            if COMPARABLE[change.field].kind in _TEXTS
        ]
        if (whole := self._contents.texts) is not None:
            sections.append(TextSection(self.tr("Text of the page"), whole))
            if not any(each.differs for each in sections):
                self.texts.show_note(self.tr("The texts of this page are the same."))
                return
        heads = (self.tr("Before"), self.tr("After"))
        self.texts.show_sections(heads, sections, only_differences=True)

    def _want_contents(self) -> None:
        is_seen = self.tabs.currentWidget() is not self.changes
        if self._page is not None and is_seen and self._contents == _NOTHING:
            self.fields.note.show_text(self.tr("Reading…"))
            self.contents_wanted.emit(self._page)

    def _list_fields(self) -> None:
        self.fields.clear()
        before, after = self._contents.before, self._contents.after
        only = self.only_differences.isChecked()
        for spec in SPECS:
            texts = _text(spec, before), _text(spec, after)
            differs = texts[0] != texts[1]
            if not any(texts) or (only and not differs):
                continue
            row = QTreeWidgetItem(self.fields, [spec.header, *texts])
            for column in range(3):
                row.setToolTip(column, formatting.tooltip(row.text(column)))
                if differs:
                    font = row.font(column)
                    font.setBold(True)
                    row.setFont(column, font)

    def _open(self, *, is_after: bool) -> None:
        page = self._page
        url_id = None if page is None else page.after_id if is_after else page.before_id
        if url_id is not None:
            self.open_wanted.emit(is_after, url_id)


def _paragraphs(value: object) -> Sequence[str]:
    return [str(value)] if value else []


def _text(spec: ColumnSpec, record: UrlRecord | None) -> str:
    return "" if record is None else spec.text(record)
