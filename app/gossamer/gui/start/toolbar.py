"""The top bar: what to crawl, how hard, and the commands."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from PySide6.QtCore import QEvent, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QMouseEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QComboBox,
    QCompleter,
    QFrame,
    QHBoxLayout,
    QMenu,
    QPushButton,
    QSizePolicy,
    QSpinBox,
    QToolButton,
    QWidget,
)

from gossamer.gui.look import theme
from gossamer.gui.look.icons import icon, on_accent
from gossamer.gui.look.stylesheet import CONTROL_HEIGHT
from gossamer.gui.start.root_field import RootField
from gossamer.gui.widgets.field_label import buddy
from gossamer.model.settings_limits import MAX_REDIRECTS, MAX_WORKERS
from gossamer.model.state import Command, CrawlState

DEBOUNCE_MS: Final = 300
"""Rest after the last change of the workers before it is sent."""
_ADDRESS_MORE: Final = 60
"""So many pixels more than it must have are kept for the address before all numbers are shown."""
_BESIDE_NUMBER: Final = 44
"""Frame, padding and arrows of a number field."""
_ICON: Final = QSize(20, 16)  # a little air between icon and text
_NEXT: Final = (Command.PAUSE, Command.PAUSE_NOW, Command.RESUME, Command.START)
"""What is possible goes by one button: the first of these is wanted next."""
_ICONS: Final = {
    Command.START: "start",
    Command.PAUSE: "pause",
    Command.PAUSE_NOW: "pause",
    Command.RESUME: "resume",
}


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


class CrawlButton(QToolButton):
    """One button for what is wanted next of a crawl; its arrow has everything that is possible.

    `commanded` carries a Command.
    """

    commanded = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("go")
        self.setProperty("raised", True)
        self.setProperty("split", True)
        self.setProperty("primary", True)
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.setPopupMode(QToolButton.ToolButtonPopupMode.MenuButtonPopup)
        self.setIconSize(_ICON)
        self.setFixedHeight(CONTROL_HEIGHT)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._command = Command.START
        self._again = False
        menu = QMenu(self)
        self.choices = {command: menu.addAction("") for command in _NEXT}
        for command, action in self.choices.items():
            action.triggered.connect(lambda _on, command=command: self.commanded.emit(command))
        self.setMenu(menu)
        self.clicked.connect(lambda: self.commanded.emit(self._command))

    @property
    def command(self) -> Command:
        """What a click asks for."""
        return self._command

    def offer(self, allowed: frozenset[Command], *, edited: bool, again: bool) -> None:
        """Offer what is possible, first what is wanted next.

        That is a new crawl where another address has been `edited` in. It is called one `again`
        where a crawl of this address is shown.
        """
        possible = [command for command in _NEXT if command in allowed]
        if edited and Command.START in allowed:
            self._command = Command.START
        elif possible:
            self._command = possible[0]
        self._again = again and not edited
        for command, action in self.choices.items():
            action.setText(self._words()[command, self._again])
            action.setVisible(command in allowed)
            action.setEnabled(command in allowed)
        self.setEnabled(bool(possible))
        word = self._words()[self._command, self._again]
        if self.text() != word:
            self.setText(word)
            self.setToolTip(self._tip(self._command))
        self.tint()

    def tint(self) -> None:
        """Take the icons in the palette in force."""
        name = _ICONS[self._command]
        self.setIcon(on_accent(name) if self.isEnabled() else icon(name))
        for command, action in self.choices.items():
            action.setIcon(icon(_ICONS[command]))

    def widest(self) -> int:
        """The width with the longest of its words, with which it never changes."""
        width_of = self.fontMetrics().horizontalAdvance
        beside = self.sizeHint().width() - width_of(self.text())
        return beside + max(map(width_of, self._words().values()))

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """The second of two clicks is none: it would pause what the first one started."""
        event.accept()

    def _words(self) -> dict[tuple[Command, bool], str]:
        """What each command is called, before and after a first crawl."""
        words = {
            Command.PAUSE: self.tr("Pause"),
            Command.PAUSE_NOW: self.tr("Pause now"),
            Command.RESUME: self.tr("Resume"),
        }
        both = {
            (command, again): word for command, word in words.items() for again in (False, True)
        }
        starts = {
            (Command.START, False): self.tr("Start"),
            (Command.START, True): self.tr("Start again"),
        }
        return both | starts

    def _tip(self, command: Command) -> str:
        return {
            Command.START: self.tr("Begin a new crawl of this address (Enter)"),
            Command.PAUSE: self.tr(
                "Start no new page; press again to stop those in flight too (Space)"
            ),
            Command.PAUSE_NOW: self.tr("Stop the pages in flight too; they are fetched later"),
            Command.RESUME: self.tr("Go on with this crawl (Space)"),
        }[command]


class TopBar(QFrame):
    """URL, workers, redirect limit, one button to start, pause and resume, Cancel, Settings.

    `commanded` carries a Command; START means a new crawl of `url()`. `refused` says that Enter
    in the address asks for a new crawl while another one is not over. `workers_changed` comes
    once the number has rested for DEBOUNCE_MS.
    """

    commanded = Signal(object)
    refused = Signal()
    workers_changed = Signal(int)
    settings_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("top-bar")
        self.setProperty("bar", True)
        self._allowed = frozenset({Command.START})
        self._state = CrawlState.NEW
        self._shown = ""
        """The address of the crawl shown, or its list."""
        self.url_field = UrlField()
        self.url_field.setObjectName("url")
        self.root_field = RootField(self.url_field)
        self.workers = spin_box("workers", 1, MAX_WORKERS)
        self.redirects = spin_box("redirects", 0, MAX_REDIRECTS)
        self._rest = QTimer(self, singleShot=True, interval=DEBOUNCE_MS)
        self.go = CrawlButton()
        self._cancel = QPushButton(self.tr("Cancel"))
        self._cancel.setObjectName("cancel")
        self._cancel.setIconSize(_ICON)
        self._cancel.setFixedHeight(CONTROL_HEIGHT)
        self._cancel.setToolTip(self.tr("End this crawl; what is found is kept"))
        self._settings = QToolButton()
        self._settings.setObjectName("settings")
        self._settings.setProperty("quiet", True)
        self._settings.setIconSize(QSize(20, 20))
        self._settings.setFixedSize(CONTROL_HEIGHT, CONTROL_HEIGHT)
        self._settings.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._settings.setAccessibleName(self.tr("Settings"))
        self._settings.setToolTip(self.tr("Settings of this crawl"))
        self._optional = self._lay_out()
        self._connect()
        self._tint()
        self.set_state(CrawlState.NEW, self._allowed)

    def button(self, command: Command) -> QAbstractButton:
        """The button that a command is given with."""
        return self._cancel if command is Command.CANCEL else self.go

    def url(self) -> str:
        """What is typed in the URL field, trimmed."""
        return self.url_field.currentText().strip()

    def set_url(self, url: str) -> None:
        """Put the address of the crawl shown into the URL field, unless that crawled a list."""
        self.url_field.setEditText(url)
        self._shown = self._wanted()
        self._offer()

    def show_numbers(self, workers: int, redirects: int) -> None:
        """Show these numbers; they are nobody's wish, so `workers_changed` is not emitted."""
        self.workers.setValue(workers)
        self.redirects.setValue(redirects)
        self._rest.stop()

    def set_state(self, state: CrawlState, allowed: frozenset[Command]) -> None:
        """Offer what is `allowed`, and nothing else."""
        self._state, self._allowed = state, allowed
        self._offer()
        if Command.CANCEL in allowed:
            self._cancel.setEnabled(True)
        elif self._cancel.isEnabled():
            # Qt would go to whatever is next; here nothing happens by a space.
            if self._cancel.hasFocus():
                self.url_field.setFocus(Qt.FocusReason.OtherFocusReason)
            self._cancel.setEnabled(False)

    def showEvent(self, event: QShowEvent) -> None:
        """Make room for every word of the button: the bar does not move when it changes.

        How wide they are is known when the window has its style sheet, which is when it is shown.
        """
        super().showEvent(event)
        self.go.setFixedWidth(self.go.widest())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Leave the address its room: what the settings have as well gives way to it."""
        super().resizeEvent(event)
        self._share(event.size().width())

    def minimumSizeHint(self) -> QSize:
        """As narrow as it is without what can give way."""
        layout = self.layout()
        least = super().minimumSizeHint()
        if layout is None:
            return least
        shown = [group for group in self._optional if not group.isHidden()]
        spare = sum(group.sizeHint().width() + layout.spacing() for group in shown)
        return QSize(least.width() - spare, least.height())

    def changeEvent(self, event: QEvent) -> None:
        """Follow the palette."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._tint()

    def _share(self, width: int) -> None:
        """Show what there is room for beside the address, the first of the optional parts first."""
        layout = self.layout()
        gap = layout.spacing() if layout is not None else 0
        left = width - self.minimumSizeHint().width() - _ADDRESS_MORE
        for group in self._optional:
            left -= group.sizeHint().width() + gap
            group.setVisible(left >= 0)

    def _offer(self) -> None:
        edited = bool(self._shown) and self._wanted() != self._shown
        had_focus = self.go.hasFocus()
        self.go.offer(self._allowed, edited=edited, again=self._state is not CrawlState.NEW)
        if had_focus and not self.go.isEnabled():
            self.url_field.setFocus(Qt.FocusReason.OtherFocusReason)

    def _wanted(self) -> str:
        roots = self.root_field.roots
        return roots.text if roots.is_list else self.url()

    def _submit(self) -> None:
        if Command.START in self._allowed:
            self.commanded.emit(Command.START)
        else:
            self.refused.emit()

    def _connect(self) -> None:
        self.url_field.submitted.connect(self._submit)
        self.url_field.editTextChanged.connect(lambda _text: self._offer())
        self.root_field.changed.connect(self._offer)
        self._rest.timeout.connect(lambda: self.workers_changed.emit(self.workers.value()))
        self.workers.valueChanged.connect(lambda _value: self._rest.start())
        self.go.commanded.connect(self.commanded)
        self._cancel.clicked.connect(lambda: self.commanded.emit(Command.CANCEL))
        self._settings.clicked.connect(self.settings_wanted)

    def _lay_out(self) -> tuple[QWidget, QWidget]:
        """The numbers, which can be hidden each with its name; that is the first one last."""
        row = QHBoxLayout(self)
        row.setContentsMargins(theme.SPACE_M, theme.SPACE_S, theme.SPACE_S, theme.SPACE_S)
        row.setSpacing(theme.SPACE_S)
        row.addWidget(self.root_field, 1)
        workers = _named(self.tr("&Workers"), self.workers)
        redirects = _named(self.tr("&Redirect limit"), self.redirects)
        for part in (workers, redirects, self.go, self._cancel, self._settings):
            row.addWidget(part)
        in_order(*self.root_field.stops(), self.workers, self.redirects, self.go, self._cancel)
        return workers, redirects

    def _tint(self) -> None:
        self.go.tint()
        self._cancel.setIcon(icon("cancel"))
        self._settings.setIcon(icon("settings"))


def _named(text: str, spin: QSpinBox) -> QWidget:
    """A number with its name, which are shown or hidden together."""
    group = QWidget()
    row = QHBoxLayout(group)
    row.setContentsMargins(theme.SPACE_XS, 0, theme.SPACE_XS, 0)
    row.setSpacing(theme.SPACE_S)
    row.addWidget(buddy(text, spin))
    row.addWidget(spin)
    return group


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
