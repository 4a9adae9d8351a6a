"""The input for the root URL or URL list that the next crawl starts from."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from PySide6.QtCore import QObject, QSignalBlocker, Qt, QTimer, Signal
from PySide6.QtWidgets import (
    QButtonGroup,
    QComboBox,
    QCompleter,
    QFrame,
    QHBoxLayout,
    QPushButton,
    QSizePolicy,
    QSpinBox,
    QStackedWidget,
    QToolButton,
    QWidget,
)

from gossamer.gui.look import theme
from gossamer.gui.look.icons import icon
from gossamer.gui.look.stylesheet import CONTROL_HEIGHT
from gossamer.urls.url_list import AddressList, AddressListReader

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
        self.setAccessibleName(self.tr("URL of the website to crawl"))
        self.setFixedHeight(CONTROL_HEIGHT)
        line = self.lineEdit()
        if line is not None:
            line.setPlaceholderText(self.tr("Website URL, e.g. example.com"))
            line.returnPressed.connect(self.submitted)
        completer = self.completer()
        if completer is not None:
            completer.setFilterMode(Qt.MatchFlag.MatchContains)
            completer.setCompletionMode(QCompleter.CompletionMode.PopupCompletion)
            completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)

    def show_address(self, address: str) -> None:
        """Show an address that nobody types here: where it is long, from its beginning."""
        self.setEditText(address)
        line = self.lineEdit()
        if line is not None:
            line.setCursorPosition(0)

    def set_history(self, urls: Sequence[str]) -> None:
        """Offer `urls`, newest first; what is typed stays, so nobody hears of a change."""
        typed = self.currentText()
        with QSignalBlocker(self):
            self.clear()
            self.addItems(list(urls))
            self.setEditText(typed)


def in_order(*widgets: QWidget) -> None:
    """Make Tab go from each to the next, in reading order."""
    for before, after in pairwise(widgets):
        QWidget.setTabOrder(before, after)


def spin_box(name: str, low: int, high: int) -> QSpinBox:
    """A number field as in the top bar, called `name`."""
    spin = QSpinBox()
    spin.setObjectName(name)
    spin.setRange(low, high)
    spin.setGroupSeparatorShown(True)
    spin.setFont(theme.tabular(spin.font()))
    spin.setFixedHeight(CONTROL_HEIGHT)
    spin.setAlignment(Qt.AlignmentFlag.AlignRight)
    spin.setFixedWidth(spin.fontMetrics().horizontalAdvance("00,000") + _BESIDE_NUMBER)
    return spin


_TYPED: Final = 5
"""As many addresses are shown in the field for one."""
_SLICE: Final = 300
"""Words of a list read between two checks for other work: some 3 ms."""


class Roots(QObject):
    """The roots of the next crawl: one URL or a list, and how to crawl the list.

    `changed` says that one of these has changed. `found` is empty as long as the list is `reading`.
    """

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.is_list = False
        self.only = True
        """For a list: fetch just these addresses, follow no links."""
        self.text = ""
        self.found = AddressList()
        self._reader: AddressListReader | None = None
        self._next = QTimer(self, interval=0)
        self._next.timeout.connect(self._read_on)

    @property
    def reading(self) -> bool:
        """Whether the list has not been read to its end."""
        return self._reader is not None

    def choose(self, *, is_list: bool) -> None:
        """Switch to the list, or to a site."""
        if is_list != self.is_list:
            self.is_list = is_list
            self.changed.emit()

    def follow_links(self, *, follow: bool) -> None:
        """Crawl from the addresses of the list, or fetch only these."""
        if follow is self.only:
            self.only = not follow
            self.changed.emit()

    def take(self, text: str) -> None:
        """Use `text` as the list, and read its contents."""
        if text == self.text:
            return
        self.text = text
        self.found = AddressList()
        self._reader = AddressListReader(text)
        self.changed.emit()
        self._read_on()

    def copy_from(self, other: "Roots") -> None:
        """Show what `other` shows."""
        self.is_list, self.only = other.is_list, other.only
        self.take(other.text)
        self.changed.emit()

    def show(self, roots: Sequence[str], *, only: bool) -> None:
        """Show what a crawl started from: few addresses as they are typed into a field."""
        was_list = self.is_list and self.found.addresses == tuple(roots)
        self.is_list = only or was_list or len(roots) > _TYPED
        if self.is_list:
            self.only = only
            # They were read when the crawl was made, and may be very many.
            self._stop()
            self.text, self.found = "\n".join(roots), AddressList(tuple(roots))
        self.changed.emit()

    def _read_on(self) -> None:
        reader = self._reader
        if reader is None:
            return
        if reader.read(_SLICE):
            self._next.start()
            return
        self._stop()
        self.found = reader.found
        self.changed.emit()

    def _stop(self) -> None:
        self._next.stop()
        self._reader = None


_LIST: Final = 1


class RootField(QWidget):
    """The root URL field, or a summary of the URL list, depending on the switch.

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
        self.site.setToolTip(self.tr("Crawl a website from one URL"))
        self.list.setToolTip(self.tr("Check a list of URLs, pasted or from a file"))
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
        """The Tab stops, in reading order."""
        return self.site, self.list, self._address, self.summary

    def _show(self) -> None:
        roots = self.roots
        (self.list if roots.is_list else self.site).setChecked(True)
        self._stack.setCurrentIndex(_LIST if roots.is_list else 0)
        words = self._words(roots)
        self.summary.setText(words)
        self.summary.setAccessibleName(self.tr("URL list: {words}").format(words=words))
        self.changed.emit()

    def _words(self, roots: Roots) -> str:
        """The result of reading the list, and what is to be done with it."""
        if roots.reading:
            return self.tr("Reading the list…")
        found = roots.found
        if not found.addresses:
            return self.tr("Paste or open a URL list…")
        what = self.tr("only these") if roots.only else self.tr("crawl from these")
        parts = [self.tr("%Ln URL(s)", "", len(found.addresses)), what]
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
