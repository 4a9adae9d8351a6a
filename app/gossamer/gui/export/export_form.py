"""The fields of the export dialog, and the export selection made from them."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final, TypeAlias, TypeVar

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QFormLayout,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from gossamer.audit.sitemap_export_rules import SitemapRule
from gossamer.export.archive_exports import ARCHIVE_EXPORTS, ArchiveExport, ArchiveRequest
from gossamer.export.csv_format import DELIMITERS
from gossamer.export.export_selection import ExportSelection, ExportView
from gossamer.export.exporter import ExportRequest
from gossamer.export.formats import REPORT, TABLE_SUFFIXES, suffixes_for
from gossamer.export.sheet import FormatOptions
from gossamer.export.sitemap_format import sitemap_folder
from gossamer.export.sitemap_sheet import SITEMAP
from gossamer.export.url_views import PAGES
from gossamer.export.view_bundles import (
    BUNDLES,
    WORKBOOK,
    BundleRequest,
    Request,
    ViewBundle,
)
from gossamer.export.view_catalogue import REPORTS, TABS, VIEWS
from gossamer.gui.export.column_list import ColumnList
from gossamer.gui.export.format_names import format_name
from gossamer.gui.look import theme
from gossamer.gui.text.translated_sentences import spoken
from gossamer.gui.widgets.labels import centre_labels
from gossamer.model.project_queries import LinkEnd, LinksOf, Table
from gossamer.model.translatable import Translatable

_W = TypeVar("_W", bound=QWidget)
HEIGHT: Final = 28
"""The minimum height of a field."""
_LABELS_WIDTH: Final = 72
_Source: TypeAlias = ExportView | Table | LinksOf | ViewBundle | ArchiveExport
_LISTED: Final[tuple[tuple[ExportView | ViewBundle | ArchiveExport, ...], ...]] = (
    (REPORT, *BUNDLES.values()),
    tuple(ARCHIVE_EXPORTS.values()),
    tuple(view for view in VIEWS.values() if view not in {REPORT, *REPORTS, *TABS}),
    REPORTS,
    TABS,
)
"""The entries of the list in groups, with a separator between groups."""
_TEXT_FORMATS: Final = frozenset({".csv", ".tsv"})
_SITEMAPS: Final = frozenset({".xml", ".xml.gz"})


class ExportChoices(QWidget):
    """The fields of the export form; shows only those that apply.

    `renamed` is emitted when another file name fits, `reselected` when other rows are chosen,
    `rearranged` when other columns are.
    """

    renamed = Signal()
    reselected = Signal()
    rearranged = Signal()

    def __init__(self, shown: Table | LinksOf | None, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.shown_name = ""
        """What the file name calls the table as shown; "" for the name of its tab."""
        self._sources: dict[int, _Source] = {}
        self.source = _named(QComboBox(), "export-view", self.tr("What to export"))
        self.source.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.format = _named(QComboBox(), "export-format", self.tr("File format"))
        self.delimiter = _named(QComboBox(), "export-delimiter", self.tr("Delimiter"))
        self.mark = QCheckBox(self.tr("Byte order mark (for Excel)"))
        self.lastmod = QCheckBox(self.tr("Last modified dates"))
        self.lastmod.setChecked(True)
        self.hreflang = QCheckBox(self.tr("hreflang alternates"))
        self.base = _named(QLineEdit(), "export-base", self.tr("Base URL of the sitemaps"))
        self.columns = _named(ColumnList(), "export-columns", self.tr("Columns"))
        self.rules = {
            rule: QCheckBox(spoken(Translatable(rule.declaration.name))) for rule in SitemapRule
        }
        self._form = QFormLayout()
        self._column_box = QWidget()
        self._rule_box = QWidget()
        self._lay_out()
        self._fill(shown)
        self._connect()
        self._offer_formats()

    # ------------------------------------------------------------ what is chosen

    def selected(self) -> _Source:
        """What is to be exported."""
        return self._sources[self.source.currentIndex()]

    def selection(self) -> ExportSelection | None:
        """The rows and columns to export; None for several tables and for archived pages."""
        source = self.selected()
        if isinstance(source, ViewBundle | ArchiveExport):
            return None
        return self._selection_of(source)

    def _selection_of(self, source: ExportView | Table | LinksOf) -> ExportSelection:
        lifted = [rule for rule, box in self.rules.items() if not box.isChecked()]
        return ExportSelection(
            source,
            self.columns.chosen() if self.has_columns() else (),
            lifted=frozenset(lifted if source is SITEMAP else ()),
            alternates=self.hreflang.isChecked() and source is SITEMAP,
        )

    def request(self, out: Path) -> Request:
        """The request to write all choices to `out`. UsageError for an invalid address."""
        source = self.selected()
        if isinstance(source, ViewBundle):
            return BundleRequest(source, out, self.suffix(), self.options())
        if isinstance(source, ArchiveExport):
            return ArchiveRequest(source, out)
        return ExportRequest(self._selection_of(source), out, self.options())

    def selected_name(self) -> str:
        """What the file name calls the export; "" where the suffix suffices."""
        source = self.selected()
        if isinstance(source, ArchiveExport) and source.suffix:
            return ""
        if isinstance(source, ViewBundle | ArchiveExport):
            return source.name
        if isinstance(source, Table) and self.shown_name:
            return self.shown_name
        return self._selection_of(source).name

    def file_suffix(self) -> str:
        """The suffix of the file to write; "" for a folder."""
        return "" if self.is_folder() else self.suffix()

    def is_folder(self) -> bool:
        """Whether the export writes several files to a folder."""
        source = self.selected()
        if isinstance(source, ArchiveExport):
            return not source.suffix
        return isinstance(source, ViewBundle) and self.suffix() != WORKBOOK

    def is_copy(self) -> bool:
        """Whether that folder is an offline copy, which may replace only an earlier copy."""
        return self.is_folder() and isinstance(self.selected(), ArchiveExport)

    def options(self) -> FormatOptions:
        """The options of the format. UsageError for an invalid address."""
        suffix, base = self.suffix(), self.base.text().strip()
        return FormatOptions(
            delimiter=self.delimiter.currentData() if suffix == ".csv" else None,
            byte_order_mark=self.mark.isChecked() and suffix in _TEXT_FORMATS,
            base=sitemap_folder(base) if base and suffix in _SITEMAPS else None,
            lastmod=self.lastmod.isChecked(),
            say=spoken if suffix == ".html" else str,
        )

    def suffix(self) -> str:
        """The suffix of the format."""
        return str(self.format.currentData())

    def set_suffix(self, suffix: str | None) -> None:
        """Choose the format of this suffix, if it fits the selection."""
        index = self.format.findData(suffix)
        if index >= 0:
            self.format.setCurrentIndex(index)

    def selection_has_rows(self) -> bool:
        """Whether one table is chosen, or a document made from one."""
        return not isinstance(self.selected(), ViewBundle | ArchiveExport)

    def has_columns(self) -> bool:
        """Whether there are columns to choose."""
        return self.selection_has_rows() and self.suffix() not in {*_SITEMAPS, ".html"}

    def offer_columns(self, names: Sequence[str], chosen: Sequence[str]) -> None:
        """Offer these columns for choice; `chosen` are checked at first.

        For the same view, earlier choices stay and new columns are checked.
        """
        known = self.columns.names()
        if known:
            kept = [name for name in self.columns.chosen() if name in names]
            chosen = [*kept, *(name for name in names if name not in known)]
        self.columns.set_names(names, chosen)
        self.rearranged.emit()

    # ------------------------------------------------------------ what is offered

    def _fill(self, shown: Table | LinksOf | None) -> None:
        if shown is not None:
            self._sources[0] = shown
            self.source.addItem(self._words(shown))
        for group in _LISTED:
            if line := self.source.count():
                self.source.insertSeparator(line)
                # Qt calls it so in English.
                self.source.setItemData(line, "", Qt.ItemDataRole.AccessibleDescriptionRole)
            for each in group:
                self._sources[self.source.count()] = each
                self.source.addItem(spoken(Translatable(each.label)), each.name)
        if shown is None:
            self.source.setCurrentIndex(self.source.findData(PAGES.name))
        for name, text in (
            ("comma", self.tr("Comma")),
            ("semicolon", self.tr("Semicolon")),
            ("tab", self.tr("Tab")),
            ("pipe", self.tr("Vertical bar")),
        ):
            self.delimiter.addItem(text, DELIMITERS[name])
        for box in self.rules.values():
            box.setChecked(True)
        # Where the field is narrower, the list still shows every text in full.
        self.source.view().setMinimumWidth(self.source.sizeHint().width())

    def _words(self, shown: Table | LinksOf) -> str:
        if isinstance(shown, Table):
            return self.tr("The table as shown")
        if shown.end is LinkEnd.INLINKS:
            return self.tr("Inlinks of %Ln URL(s)", "", len(shown.urls))
        return self.tr("Outlinks of %Ln URL(s)", "", len(shown.urls))

    def _offer_formats(self) -> None:
        """Offer the formats that fit; the chosen one stays if it fits."""
        before = self.format.currentData()
        blocked = self.format.blockSignals(True)
        self.format.clear()
        source = self.selected()
        if isinstance(source, ViewBundle):
            for suffix in TABLE_SUFFIXES:
                self.format.addItem(self._folder_text(suffix), suffix)
        elif isinstance(source, ArchiveExport):
            text = self.tr("WACZ file") if source.suffix else self.tr("Folder")
            self.format.addItem(text, source.suffix)
        else:
            for suffix in suffixes_for(source):
                self.format.addItem(format_name(suffix), suffix)
        if before not in _SITEMAPS and self.selected() is not SITEMAP:
            self.set_suffix(before)
        self.format.blockSignals(blocked)
        self._show_fields()

    def _show_fields(self) -> None:
        """Show only the options of this format."""
        suffix = self.suffix()
        is_sitemap = self.selected() is SITEMAP
        self._form.setRowVisible(self.delimiter, suffix == ".csv")
        self._form.setRowVisible(self.mark, suffix in _TEXT_FORMATS)
        self._form.setRowVisible(self.base, suffix in _SITEMAPS)
        self._form.setRowVisible(self.lastmod, suffix in _SITEMAPS)
        self._form.setRowVisible(self.hreflang, is_sitemap)
        self._rule_box.setVisible(is_sitemap)
        self._column_box.setVisible(self.has_columns())
        self.renamed.emit()

    def _reselect(self) -> None:
        # Until its columns are known, another view is exported with all of them.
        self.columns.set_names((), ())
        self._offer_formats()
        self.reselected.emit()

    def _folder_text(self, suffix: str) -> str:
        name = format_name(suffix)
        return (
            name if suffix == WORKBOOK else self.tr("Folder of {format} files").format(format=name)
        )

    # ------------------------------------------------------------ assembly

    def _connect(self) -> None:
        self.source.currentIndexChanged.connect(self._reselect)
        self.format.currentIndexChanged.connect(self._show_fields)
        self.columns.changed.connect(self.rearranged)
        for box in (*self.rules.values(), self.hreflang):
            box.toggled.connect(self.reselected)

    def _lay_out(self) -> None:
        form = self._form
        form.setContentsMargins(0, 0, 0, 0)
        form.setHorizontalSpacing(theme.SPACE_M)
        form.setVerticalSpacing(theme.SPACE_S)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        self.base.setPlaceholderText(self.tr("The site root"))
        for text, field in (
            (self.tr("&What"), self.source),
            (self.tr("Fo&rmat"), self.format),
            (self.tr("&Delimiter"), self.delimiter),
            ("", self.mark),
            (self.tr("Served &at"), self.base),
            ("", self.lastmod),
            ("", self.hreflang),
        ):
            label = QLabel(text)
            label.setBuddy(field)
            label.setMinimumWidth(_LABELS_WIDTH)
            form.addRow(label, field)
        centre_labels(form)
        self._lay_out_rules()
        self._lay_out_columns()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(theme.SPACE_M)
        column.addLayout(form)
        column.addWidget(self._rule_box)
        column.addWidget(self._column_box, 1)
        column.addStretch(0)

    def _lay_out_rules(self) -> None:
        grid = QGridLayout(self._rule_box)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setVerticalSpacing(theme.SPACE_S)
        title = QLabel(self.tr("Leave out"))
        title.setProperty("muted", True)
        grid.addWidget(title, 0, 0)
        for index, box in enumerate(self.rules.values()):
            box.setAccessibleName(self.tr("Leave out: {what}").format(what=box.text()))
            grid.addWidget(box, 1 + index, 0)

    def _lay_out_columns(self) -> None:
        title = QLabel(self.tr("&Columns"))
        title.setProperty("muted", True)
        title.setBuddy(self.columns)
        every = QPushButton(self.tr("All"))
        none = QPushButton(self.tr("None"))
        every.clicked.connect(lambda: self.columns.check_all(checked=True))
        none.clicked.connect(lambda: self.columns.check_all(checked=False))
        head = QHBoxLayout()
        head.setSpacing(theme.SPACE_XS)
        head.addWidget(title, 1)
        for button, words in ((every, self.tr("All columns")), (none, self.tr("No columns"))):
            button.setProperty("flat", True)
            button.setAutoDefault(False)
            button.setAccessibleName(words)
            head.addWidget(button)
        self.columns.setToolTip(
            self.tr("Drag columns to reorder them, or press Alt and an arrow key")
        )
        column = QVBoxLayout(self._column_box)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(theme.SPACE_XS)
        column.addLayout(head)
        column.addWidget(self.columns, 1)


def _named(widget: _W, name: str, accessible: str) -> _W:
    widget.setObjectName(name)
    widget.setAccessibleName(accessible)
    if isinstance(widget, QComboBox | QLineEdit):
        widget.setMinimumHeight(HEIGHT)
    return widget
