"""The chips of the active filters."""

from collections.abc import Mapping
from typing import Final

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QSizePolicy, QToolButton, QWidget

from gossamer.gui.look.icons import icon
from gossamer.gui.look.theme import SPACE_S, SPACE_XS
from gossamer.gui.widgets.flow_layout import FlowLayout
from gossamer.model.project_queries import Facet

_CROSS: Final = QSize(12, 12)


class FilterChips(QWidget):
    """The active filters as chips, wrapped over several rows; hidden without filters."""

    removed = Signal(object)
    """The facet whose chip was removed."""
    edited = Signal(object, object)
    """The facet whose chip was clicked, and the button that it was."""
    cleared = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._texts: dict[Facet, str] = {}
        self.chips: dict[Facet, QFrame] = {}
        self._flow = FlowLayout(self, SPACE_XS)
        self._flow.setContentsMargins(SPACE_S, 0, SPACE_S, SPACE_XS)
        self._all = QToolButton()
        self._all.setText(self.tr("Clear all"))
        self._all.setObjectName("clear-filters")
        self._all.setProperty("quiet", True)
        self._all.clicked.connect(self.cleared)
        self._flow.addWidget(self._all)
        policy = QSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.hide()

    def show_filters(self, texts: Mapping[Facet, str]) -> None:
        """Show a chip for each facet with these words."""
        if dict(texts) == self._texts:
            return
        self._texts = dict(texts)
        for chip in self.chips.values():
            self._flow.removeWidget(chip)
            chip.hide()
            chip.deleteLater()
        self._flow.removeWidget(self._all)
        self.chips = {facet: self._chip(facet, text) for facet, text in texts.items()}
        for chip in self.chips.values():
            self._flow.addWidget(chip)
            chip.show()
        self._flow.addWidget(self._all)
        self._all.setVisible(len(self.chips) > 1)
        self.setVisible(bool(self.chips))
        self.updateGeometry()

    def _chip(self, facet: Facet, text: str) -> QFrame:
        chip = QFrame(self)
        chip.setProperty("chip", True)
        words = QToolButton()
        words.setText(text.replace("&", "&&"))
        words.setToolTip(self.tr("Change this filter"))
        words.setAccessibleName(self.tr("Change the filter {filter}").format(filter=text))
        words.clicked.connect(lambda: self.edited.emit(facet, words))
        cross = QToolButton()
        cross.setObjectName("chip-cross")
        cross.setIcon(icon("close"))
        cross.setIconSize(_CROSS)
        cross.setToolTip(self.tr("Remove this filter"))
        cross.setAccessibleName(self.tr("Remove the filter {filter}").format(filter=text))
        cross.clicked.connect(lambda: self.removed.emit(facet))
        for button in (words, cross):
            button.setProperty("quiet", True)
            button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        row = QHBoxLayout(chip)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(words)
        row.addWidget(cross)
        return chip
