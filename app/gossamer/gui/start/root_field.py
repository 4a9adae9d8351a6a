"""The place for the address, with the switch beside it between a site and a list of addresses."""

from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QButtonGroup,
    QFrame,
    QHBoxLayout,
    QPushButton,
    QSizePolicy,
    QStackedWidget,
    QToolButton,
    QWidget,
)

from gossamer.gui.look import theme
from gossamer.gui.look.icons import icon
from gossamer.gui.start.root_input import Roots

_LIST: Final = 1


class RootField(QWidget):
    """`address`, or what is known of the list; the switch says which.

    `list_wanted` asks for the list to be shown and edited.
    """

    list_wanted = Signal()
    changed = Signal()
    """Another address may be wanted, or another list."""

    def __init__(self, address: QWidget, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._address = address
        self.roots = Roots(self)
        self.site = self._segment("root-site", self.tr("Site"))
        self.list = self._segment("root-list", self.tr("List"))
        self.site.setToolTip(self.tr("Crawl a website from one address"))
        self.list.setToolTip(self.tr("Check a list of addresses: pasted, or from a file"))
        self.summary = QPushButton()
        self.summary.setObjectName("list-summary")
        self.summary.setProperty("link", True)
        self.summary.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.summary.setFixedHeight(address.height())
        self.summary.clicked.connect(self.list_wanted)
        self._stack = QStackedWidget()
        self._stack.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._stack.addWidget(address)
        self._stack.addWidget(self.summary)
        self._lay_out(address.height())
        self._connect()
        self.bind(self.roots)
        self.summary.setIcon(icon("table"))

    def bind(self, roots: Roots) -> None:
        """Show these, which are shown elsewhere too."""
        self.roots.changed.disconnect(self._show)
        self.roots = roots
        roots.changed.connect(self._show)
        self._show()

    def stops(self) -> tuple[QWidget, ...]:
        """Where Tab stops, in the order of reading."""
        return self.site, self.list, self._address, self.summary

    def _show(self) -> None:
        roots = self.roots
        (self.list if roots.is_list else self.site).setChecked(True)
        self._stack.setCurrentIndex(_LIST if roots.is_list else 0)
        words = self._words(roots)
        self.summary.setText(words)
        self.summary.setAccessibleName(self.tr("List of addresses: {words}").format(words=words))
        self.changed.emit()

    def _words(self, roots: Roots) -> str:
        """What the list comes to, and what is to be done with it."""
        if roots.reading:
            return self.tr("Reading the list…")
        found = roots.found
        if not found.addresses:
            return self.tr("Paste or open a list of addresses…")
        what = self.tr("only these") if roots.only else self.tr("crawl from these")
        parts = [self.tr("%Ln address(es)", "", len(found.addresses)), what]
        if found.wrong:
            parts.append(self.tr("%Ln line(s) left out", "", len(found.wrong)))
        return " · ".join(parts)

    def _choose(self, chosen: QToolButton) -> None:
        self.roots.choose(is_list=chosen is self.list)
        if self.roots.is_list and not self.roots.text:
            self.list_wanted.emit()

    def _segment(self, name: str, text: str) -> QToolButton:
        button = QToolButton()
        button.setObjectName(name)
        button.setText(text)
        button.setCheckable(True)
        button.setProperty("segment", True)
        button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        return button

    def _connect(self) -> None:
        group = QButtonGroup(self)
        for button in (self.site, self.list):
            group.addButton(button)
        group.buttonClicked.connect(self._choose)
        self.roots.changed.connect(self._show)

    def _lay_out(self, height: int) -> None:
        switch = QFrame()
        switch.setObjectName("root-switch")
        switch.setFixedHeight(height)
        segments = QHBoxLayout(switch)
        segments.setContentsMargins(2, 2, 2, 2)
        segments.setSpacing(0)
        for button in (self.site, self.list):
            button.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Expanding)
            segments.addWidget(button)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(theme.SPACE_S)
        row.addWidget(switch)
        row.addWidget(self._stack, 1)
