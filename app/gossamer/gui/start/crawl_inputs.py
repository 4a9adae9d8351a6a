"""The fields of a crawl that the start page and the tool bar share: its address and its numbers."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QComboBox, QCompleter, QSizePolicy, QSpinBox, QWidget

from gossamer.gui.look import theme
from gossamer.gui.look.stylesheet import CONTROL_HEIGHT

_BESIDE_NUMBER: Final = 44
"""Frame, padding and arrows of a number field."""


class UrlField(QComboBox):
    """An editable field for a root URL with the history of earlier ones below it."""

    submitted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setEditable(True)
        self.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setMinimumContentsLength(16)
        self.setAccessibleName(self.tr("Address of the website to crawl"))
        self.setFixedHeight(CONTROL_HEIGHT)
        line = self.lineEdit()
        if line is not None:
            line.setPlaceholderText(self.tr("Address of a website, like example.com"))
            line.returnPressed.connect(self.submitted)
        completer = self.completer()
        if completer is not None:
            completer.setFilterMode(Qt.MatchFlag.MatchContains)
            completer.setCompletionMode(QCompleter.CompletionMode.PopupCompletion)
            completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)

    def set_history(self, urls: Sequence[str]) -> None:
        """Offer `urls`, newest first; what is typed stays."""
        typed = self.currentText()
        self.clear()
        self.addItems(list(urls))
        self.setEditText(typed)


def in_order(*widgets: QWidget) -> None:
    """Let Tab go from each to the next, in the order of reading."""
    for before, after in pairwise(widgets):
        QWidget.setTabOrder(before, after)


def spin_box(name: str, low: int, high: int) -> QSpinBox:
    """A number field as the top bar has them, called `name`."""
    spin = QSpinBox()
    spin.setObjectName(name)
    spin.setRange(low, high)
    spin.setGroupSeparatorShown(True)
    spin.setFont(theme.tabular(spin.font()))
    spin.setFixedHeight(CONTROL_HEIGHT)
    spin.setAlignment(Qt.AlignmentFlag.AlignRight)
    spin.setFixedWidth(spin.fontMetrics().horizontalAdvance("00,000") + _BESIDE_NUMBER)
    return spin
