"""The field for where a crawl fetches: on this computer, or on the nodes of a cluster."""

from typing import Final

from PySide6.QtCore import Signal
from PySide6.QtGui import QFocusEvent
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
        self._offer({})  # most people name no cluster: the file is read when the field is used
        self.activated.connect(self._choose)
        line = self.lineEdit()
        if line is not None:
            line.editingFinished.connect(self._choose)

    @property
    def is_here(self) -> bool:
        """Whether this computer is chosen, whatever is being typed."""
        return not self._told

    def address(self) -> str:
        """Where the crawl fetches: the address of a cluster, "" for this computer."""
        typed = self.currentText().strip()
        if typed == self._here:
            return ""
        self._read_names()
        return self._names.get(typed, typed)

    def show_address(self, address: str) -> None:
        """Show this choice, without reporting it."""
        self._told = address
        if address:
            self._read_names()
        names = [name for name, each in self._names.items() if each == address]
        self.setEditText(next(iter(names), address) or self._here)
        line = self.lineEdit()
        if line is not None:
            line.setCursorPosition(0)  # a long address is read from its beginning

    def showPopup(self) -> None:
        """Offer the names as they are now."""
        self._read_names()
        super().showPopup()

    def focusInEvent(self, event: QFocusEvent) -> None:
        """As showPopup: the arrow keys choose without it."""
        self._read_names()
        super().focusInEvent(event)

    def _read_names(self) -> None:
        try:
            names = cluster_names()
        except UsageError:  # the command line says what is wrong with the file
            names = {}
        if names != self._names:
            self._offer(names)

    def _offer(self, names: dict[str, str]) -> None:
        typed, self._names = self.currentText(), names
        self.clear()
        self.addItems([self._here, *names, _TRIAL])
        self.setEditText(typed or self._here)

    def _choose(self) -> None:
        address, before = self.address(), self._told
        self.show_address(address)
        if address != before:
            self.chosen.emit(address)
