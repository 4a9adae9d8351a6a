"""The dialog of all keys: made from the actions themselves, to search and to print."""

from itertools import groupby
from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtGui import QPagedPaintDevice, QTextDocument
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QHeaderView,
    QLabel,
    QLineEdit,
    QMainWindow,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
)

from gossamer.gui.help.shortcut_list import KeyHelp, shortcuts, table_of
from gossamer.gui.look import theme
from gossamer.gui.look.stylesheet import CONTROL_HEIGHT
from gossamer.gui.widgets.help_context import explain
from gossamer.gui.widgets.window_geometry import fitted

NAME: Final = "shortcuts-dialog"
_SIZE: Final = (560, 680)


class ShortcutsDialog(QDialog):
    """The modeless dialog of the keys; deletes itself when closed."""

    def __init__(self, window: QMainWindow) -> None:
        super().__init__(window)
        self.setObjectName(NAME)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Keyboard shortcuts"))
        explain(self, "keyboard")
        self._keys = shortcuts()
        self.search = QLineEdit()
        self.search.setPlaceholderText(self.tr("Search keys and what they do"))
        self.search.setAccessibleName(self.search.placeholderText())
        self.search.setClearButtonEnabled(True)
        self.search.setMinimumHeight(CONTROL_HEIGHT)
        self.nothing = QLabel(self.tr("No key does this."))
        self.nothing.setProperty("muted", True)
        self.list = QTreeWidget()
        self.list.setAccessibleName(self.windowTitle())
        self.list.setHeaderLabels([self.tr("Action"), self.tr("Key")])
        self.list.setRootIsDecorated(False)
        self.list.setItemsExpandable(False)
        self.list.header().setStretchLastSection(False)
        self.list.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        self.list.header().setSectionResizeMode(1, QHeaderView.ResizeMode.ResizeToContents)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        self.print_button = buttons.addButton(
            self.tr("Print…"), QDialogButtonBox.ButtonRole.ActionRole
        )
        self.print_button.clicked.connect(self._choose_printer)
        self.print_button.setAutoDefault(False)
        buttons.rejected.connect(self.reject)
        self.search.textChanged.connect(self._show)
        column = QVBoxLayout(self)
        column.setContentsMargins(theme.SPACE_M, theme.SPACE_M, theme.SPACE_M, theme.SPACE_M)
        for widget in (self.search, self.list, self.nothing, buttons):
            column.addWidget(widget)
        self._show("")
        self.resize(fitted(_SIZE, self.screen().availableGeometry()))

    def shown(self) -> list[KeyHelp]:
        """The keys that have what was typed in their name, their action or their place."""
        words = self.search.text().casefold().split()
        return [
            key
            for key in self._keys
            if all(word in f"{key.place} {key.does} {key.keys}".casefold() for word in words)
        ]

    def print_to(self, device: QPagedPaintDevice) -> None:
        """Print those that are shown."""
        document = QTextDocument()
        title = f"<h1>{self.windowTitle()}</h1>"
        document.setHtml(f"{title}{table_of(self.shown())}")
        document.print_(device)

    def _show(self, _typed: str) -> None:
        self.list.clear()
        for place, keys in groupby(self.shown(), lambda key: key.place):
            head = QTreeWidgetItem(self.list, [place])
            head.setFirstColumnSpanned(True)
            head.setFlags(Qt.ItemFlag.ItemIsEnabled)
            font = head.font(0)
            font.setBold(True)
            head.setFont(0, font)
            for key in keys:
                QTreeWidgetItem(head, [key.does, key.keys])
        self.list.expandAll()
        self.nothing.setVisible(not self.list.topLevelItemCount())
        self.print_button.setEnabled(bool(self.list.topLevelItemCount()))

    def _choose_printer(self) -> None:
        from PySide6.QtPrintSupport import (  # noqa: PLC0415 - for those alone who print
            QPrintDialog,
            QPrinter,
        )

        printer = QPrinter()
        dialog = QPrintDialog(printer, self)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.accepted.connect(lambda: self.print_to(printer))
        dialog.setModal(True)
        dialog.show()


def show_shortcuts(window: QMainWindow) -> ShortcutsDialog:
    """Open it, or bring it to the front."""
    dialog = window.findChild(ShortcutsDialog, NAME)
    if dialog is None or not dialog.isVisible():
        dialog = ShortcutsDialog(window)
    dialog.show()
    dialog.activateWindow()
    return dialog
