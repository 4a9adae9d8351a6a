"""The button with the saved filters of the series: to use, save and remove them."""

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QInputDialog, QMenu, QToolButton, QWidget

from gossamer.gui.look.icons import icon
from gossamer.gui.text import local_formatting as formatting
from gossamer.gui.widgets.sticky_menu import refilling
from gossamer.model.portable_filters import SavedFilter


class SavedFilterButton(QToolButton):
    """Offers the filters passed to `show_filters`.

    `opened` says that the menu is about to open, and they should be read; `wanted` carries the
    SavedFilter to use, `save_wanted` the name under which to save the present filter,
    `remove_wanted` the name of one to remove.
    """

    opened = Signal()
    wanted = Signal(object)
    save_wanted = Signal(str)
    remove_wanted = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(self.tr("Saved filters"))
        self.setToolTip(self.tr("Saved filters: the same in every crawl of this site"))
        self.setIcon(icon("bookmark"))
        self.setIconSize(QSize(14, 14))
        self.setProperty("quiet", True)
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.filters = QMenu(self)
        self.setMenu(self.filters)
        self.filters.aboutToShow.connect(self.opened)
        self._names: list[str] = []
        self.show_filters(())

    def show_filters(self, saved: Sequence[SavedFilter]) -> None:
        """Offer these."""
        self._names = [each.name for each in saved]
        menu = self.filters
        for old in menu.findChildren(QMenu):
            old.deleteLater()
        with refilling(menu):
            for each in saved:
                action = menu.addAction(_shown(each.name))
                action.triggered.connect(lambda _on, each=each: self.wanted.emit(each))
            if not saved:
                menu.addAction(self.tr("No saved filters yet")).setEnabled(False)
            menu.addSeparator()
            save = menu.addAction(self.tr("Save this filter…"))
            save.triggered.connect(lambda _on: self._ask())
            if saved:
                remove = menu.addMenu(self.tr("Remove"))
                for name in self._names:
                    action = remove.addAction(_shown(name))
                    action.triggered.connect(lambda _on, name=name: self.remove_wanted.emit(name))

    def _ask(self) -> None:
        """Ask for the name; the dialog is closed with its window."""
        dialog = QInputDialog(self)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setWindowTitle(self.tr("Save this filter"))
        dialog.setLabelText(self.tr("Name; a filter of the same name is replaced"))
        dialog.setComboBoxItems(self._names)
        dialog.setComboBoxEditable(True)
        dialog.setTextValue("")
        dialog.textValueSelected.connect(self.save_wanted)
        dialog.open()


def _shown(name: str) -> str:
    return formatting.clean(name).replace("&", "&&")
