"""The field for where a crawl fetches: on this computer, or on the nodes of a cluster."""

from typing import Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox

from gossamer.gui.look.stylesheet import CONTROL_HEIGHT
from gossamer.gui.text import local_formatting as formatting
from gossamer.gui.text.translated_sentences import spoken
from gossamer.gui.widgets.help_context import explain
from gossamer.model.errors import UsageError
from gossamer.model.settings.crawl_settings import SETTINGS
from gossamer.model.translatable import Translatable
from gossamer.session.cluster_names import cluster_names

_CHARACTERS: Final = 14
_TRIAL: Final = "local:2"


class ClusterField(QComboBox):
    """Chooses this computer, a named cluster, or one whose address is typed.

    `chosen` carries the address of a cluster, "" for this computer; as typed, if it is invalid.
    """

    chosen = Signal(str)

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setObjectName(name)
        self.setEditable(True)
        self.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        self.setFixedHeight(CONTROL_HEIGHT)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(_CHARACTERS)
        hint = spoken(Translatable(SETTINGS["cluster"].hint))
        self.setToolTip(formatting.tooltip(hint))
        self.setAccessibleDescription(hint)
        explain(self, "how-to/cluster")
        self._here = self.tr("This computer")
        self._names: dict[str, str] = {}
        self._told = ""
        self._offer()
        self.activated.connect(self._choose)
        line = self.lineEdit()
        if line is not None:
            line.editingFinished.connect(self._choose)

    def address(self) -> str:
        """Where the crawl fetches: the address of a cluster, "" for this computer."""
        typed = self.currentText().strip()
        return "" if typed == self._here else self._names.get(typed, typed)

    def show_address(self, address: str) -> None:
        """Show this choice, without reporting it."""
        self._told = address
        names = [name for name, each in self._names.items() if each == address]
        self.setEditText(next(iter(names), address) or self._here)
        line = self.lineEdit()
        if line is not None:
            line.setCursorPosition(0)  # a long address is read from its beginning

    def showPopup(self) -> None:
        """Offer the names as they are now."""
        self._offer()
        super().showPopup()

    def _offer(self) -> None:
        typed = self.currentText()
        try:
            self._names = cluster_names()
        except UsageError:  # the command line says what is wrong with the file
            self._names = {}
        self.clear()
        self.addItems([self._here, *self._names, _TRIAL])
        self.setEditText(typed or self._here)

    def _choose(self) -> None:
        address, before = self.address(), self._told
        self.show_address(address)
        if address != before:
            self.chosen.emit(address)
