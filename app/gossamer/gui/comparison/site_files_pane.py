"""The robots.txt files and sitemaps that differ, with their texts side by side."""

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QSplitter, QTreeWidgetItem, QVBoxLayout, QWidget

from gossamer.export.comparison_site_files import what_changed
from gossamer.gui.comparison.comparison_interfaces import ComparisonRows
from gossamer.gui.details.side_by_side_view import SideBySideText
from gossamer.gui.project.reader_thread import BackgroundReader
from gossamer.gui.tables.value_tree import ValueTree
from gossamer.gui.text import local_formatting as formatting
from gossamer.gui.text.translated_sentences import spoken
from gossamer.model.site_file_changes import SiteFileChange, SiteFileKind
from gossamer.urls.url_folders import display_url

_SHARES: Final = (0.5,)
_MOST_LINES: Final = 2_000


class SiteFilesPane(QWidget):
    """Lists files; below stands what differs in the chosen one."""

    def __init__(
        self, reader: BackgroundReader[ComparisonRows], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._reader = reader
        self._files: Sequence[SiteFileChange] = ()
        heads = [self.tr("File"), self.tr("What has changed")]
        self.list = ValueTree(
            self.tr("Robots.txt and sitemaps that differ"), heads, _SHARES, self.tr("Reading…")
        )
        self.list.setRootIsDecorated(False)
        self.texts = SideBySideText(
            self.tr("Robots.txt before and after"),
            self.tr("The texts are the same."),
            is_source=True,
        )
        split = QSplitter(Qt.Orientation.Vertical)
        split.setChildrenCollapsible(False)
        split.addWidget(self.list)
        split.addWidget(self.texts)
        split.setStretchFactor(1, 2)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(split)
        self.list.currentItemChanged.connect(lambda *_: self._show_text())

    def read(self) -> None:
        """Read which files differ."""
        self._reader.submit(lambda rows: rows.site_files(), self._show, key="site files")

    def _show(self, files: Sequence[SiteFileChange]) -> None:
        self._files = files
        self.list.clear()
        self.list.note.show_text(self.tr("No robots.txt and no sitemap has changed."))
        for each in files:
            words = spoken(what_changed(each))
            QTreeWidgetItem(self.list, [formatting.clean(display_url(each.url)), words])
        first = self.list.topLevelItem(0)
        if first is not None:
            self.list.setCurrentItem(first)
        else:
            self._show_text()

    def _show_text(self) -> None:
        from gossamer.extract.text_comparison import side_by_side  # noqa: PLC0415 - the start does without

        place = self.list.indexOfTopLevelItem(self.list.currentItem() or QTreeWidgetItem())
        if not 0 <= place < len(self._files):
            self.texts.show_note("")
            return
        file = self._files[place]
        if file.kind is SiteFileKind.SITEMAP:
            self.texts.show_note(self.tr("The texts of sitemaps are not kept."))
            return
        was, now = (x.splitlines()[:_MOST_LINES] for x in (file.before_text, file.after_text))
        heads = (self.tr("Before"), self.tr("After"))
        self.texts.show_texts(heads, side_by_side(was, now), only_differences=True)
