"""The folders of two crawls as a tree: how many URLs each had, and has."""

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QTreeWidgetItem, QWidget
from shiboken6 import isValid

from gossamer.gui.comparison.comparison_interfaces import ComparisonRows
from gossamer.gui.look import theme
from gossamer.gui.look.icons import icon
from gossamer.gui.project.reader_thread import BackgroundReader
from gossamer.gui.tables.item_roles import RIGHT
from gossamer.gui.tables.value_tree import ValueTree
from gossamer.gui.text import local_formatting as formatting
from gossamer.model.comparison_results import FolderCounts
from gossamer.urls.url_folders import display_name, display_url

_SHARES: Final = (0.58, 0.14, 0.14)
_NAME, _BEFORE, _AFTER, _CHANGE = range(4)
_FOLDER: Final = int(Qt.ItemDataRole.UserRole)
_MOST: Final = 2_000
"""Folders that are listed below one: more take longer than a window may stand still."""


class FolderDifferencesTree(ValueTree):
    """Folders are read when the one above them is opened."""

    def __init__(
        self, reader: BackgroundReader[ComparisonRows], parent: QWidget | None = None
    ) -> None:
        columns = [self.tr("Folder"), self.tr("Before"), self.tr("After"), self.tr("Change")]
        super().__init__(
            self.tr("Folders before and after"), columns, _SHARES, self.tr("No URLs."), parent
        )
        self._reader = reader
        self._only_changed = False
        for column in range(_BEFORE, len(columns)):
            self.headerItem().setTextAlignment(column, Qt.AlignmentFlag(RIGHT))
        self.itemExpanded.connect(self._read_below)

    def read(self) -> None:
        """Show the sites."""
        self._read("", None)

    def show_only_changed(self, only: bool) -> None:  # noqa: FBT001 - a signal's argument
        """Show only folders whose number of URLs has changed, or all."""
        self._only_changed = only
        self.read()

    def _read(self, address: str, above: QTreeWidgetItem | None) -> None:
        self._reader.submit(
            lambda rows: rows.folders(address),
            lambda found: self._show(found, above),
            key=f"folders {id(self)} {address}",
        )

    def _read_below(self, item: QTreeWidgetItem) -> None:
        folder = item.data(_NAME, _FOLDER)
        first = item.child(0)
        if (
            isinstance(folder, FolderCounts)
            and first is not None
            and not first.data(_NAME, _FOLDER)
        ):
            self._read(folder.address, item)

    def _show(self, found: Sequence[FolderCounts], above: QTreeWidgetItem | None) -> None:
        if above is None:
            self.clear()
        elif not isValid(above):
            return  # listed again meanwhile
        else:
            above.takeChildren()
        shown = [each for each in found if not self._only_changed or each.before != each.after]
        rows = [_row(each) for each in shown[:_MOST]]
        if len(shown) > _MOST:
            words = self.tr("%Ln more folder(s) are not shown", "", len(shown) - _MOST)
            rows.append(QTreeWidgetItem([words]))
        if above is None:
            self.addTopLevelItems(rows)
            if len(rows) == 1:
                rows[0].setExpanded(True)
        else:
            above.addChildren(rows)


def _row(folder: FolderCounts) -> QTreeWidgetItem:
    is_site = folder.level == 0
    name = folder.address if is_site else folder.address.rstrip("/").rpartition("/")[2]
    row = QTreeWidgetItem([formatting.clean(display_url(name) if is_site else display_name(name))])
    row.setIcon(_NAME, icon("site" if is_site else "folder"))
    row.setToolTip(_NAME, formatting.tooltip(display_url(folder.address)))
    row.setData(_NAME, _FOLDER, folder)
    difference = folder.after - folder.before
    sign = "+" if difference > 0 else "\N{MINUS SIGN}"
    change = f"{sign}{formatting.number(abs(difference))}" if difference else "\N{EN DASH}"
    for column, text in (
        (_BEFORE, formatting.number(folder.before)),
        (_AFTER, formatting.number(folder.after)),
        (_CHANGE, change),
    ):
        row.setText(column, text)
        row.setTextAlignment(column, Qt.AlignmentFlag(RIGHT))
    row.setForeground(_CHANGE, theme.colour("accent" if difference else "muted"))
    # What is below is not known yet: a row that is replaced when the folder is opened.
    row.addChild(QTreeWidgetItem(["…"]))
    return row
