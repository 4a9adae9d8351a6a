"""The top bar: what to crawl, how hard, and the four commands."""

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QEvent, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import (
    QComboBox,
    QCompleter,
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSizePolicy,
    QSpinBox,
    QToolButton,
    QWidget,
)

from gossamer.gui import theme
from gossamer.gui.icons import icon, on_accent
from gossamer.gui.words import without_key
from gossamer.model.settings import MAX_REDIRECTS, MAX_WORKERS
from gossamer.model.state import ALLOWED, Command, CrawlState

DEBOUNCE_MS: Final = 300
"""Rest after the last change of the workers before it is sent."""
CONTROL_HEIGHT: Final = 30
_ICON: Final = QSize(20, 16)  # a little air between icon and text
_PAUSES: Final = frozenset({Command.PAUSE, Command.PAUSE_NOW})
_THEN: Final = {
    Command.START: Command.PAUSE,
    Command.PAUSE: Command.RESUME,
    Command.RESUME: Command.PAUSE,
    Command.CANCEL: Command.RESUME,
}
"""What is wanted next by whoever pressed a button."""


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


class TopBar(QFrame):
    """URL, workers, redirects, Start, Pause, Resume, Cancel, Settings.

    `commanded` carries a Command; START means a new crawl of `url()`. `workers_changed` comes
    once the number has rested for DEBOUNCE_MS.
    """

    commanded = Signal(object)
    workers_changed = Signal(int)
    settings_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("top-bar")
        self.setProperty("bar", True)
        self._state = CrawlState.NEW
        self.url_field = UrlField()
        self.url_field.setObjectName("url")
        self.url_field.submitted.connect(self._submit)
        self.workers = spin_box("workers", 1, MAX_WORKERS)
        self.redirects = spin_box("redirects", 0, MAX_REDIRECTS)
        self._rest = QTimer(self, singleShot=True, interval=DEBOUNCE_MS)
        self._rest.timeout.connect(lambda: self.workers_changed.emit(self.workers.value()))
        self.workers.valueChanged.connect(lambda _value: self._rest.start())
        self._buttons = {
            Command.START: self._button("start", self.tr("Start")),
            Command.PAUSE: self._button("pause", self.tr("Pause")),
            Command.RESUME: self._button("resume", self.tr("Resume")),
            Command.CANCEL: self._button("cancel", self.tr("Cancel")),
        }
        self._buttons[Command.START].setProperty("primary", True)
        self._settings = QToolButton()
        self._settings.setObjectName("settings")
        self._settings.setProperty("quiet", True)
        self._settings.setIconSize(QSize(20, 20))
        self._settings.setFixedSize(CONTROL_HEIGHT, CONTROL_HEIGHT)
        self._settings.setAccessibleName(self.tr("Settings"))
        self._settings.setToolTip(self.tr("Settings of the next crawl"))
        self._settings.clicked.connect(self.settings_wanted)
        self._connect()
        self._lay_out()
        self._tint()
        self.set_state(CrawlState.NEW)

    def button(self, command: Command) -> QPushButton:
        """The button of a command; the one of PAUSE serves PAUSE_NOW as well."""
        return self._buttons[Command.PAUSE if command in _PAUSES else command]

    def url(self) -> str:
        """What is typed in the URL field, trimmed."""
        return self.url_field.currentText().strip()

    def set_url(self, url: str) -> None:
        """Put `url` into the URL field."""
        self.url_field.setEditText(url)

    def show_numbers(self, workers: int, redirects: int) -> None:
        """Show these numbers; they are nobody's wish, so `workers_changed` is not emitted."""
        self.workers.setValue(workers)
        self.redirects.setValue(redirects)
        self._rest.stop()

    def set_state(self, state: CrawlState) -> None:
        """Enable what `gossamer.model.state.ALLOWED` allows in `state`, and nothing else."""
        self._state = state
        allowed = ALLOWED[state]
        possible = {
            command
            for command in self._buttons
            if (_PAUSES & allowed if command is Command.PAUSE else command in allowed)
        }
        for command in possible:
            self._buttons[command].setEnabled(True)
        self._hand_on_focus(possible)
        for command in self._buttons.keys() - possible:
            self._buttons[command].setEnabled(False)
        pause = self._buttons[Command.PAUSE]
        now = Command.PAUSE_NOW in allowed and Command.PAUSE not in allowed
        text = self.tr("Pause now") if now else self.tr("Pause")
        if pause.text() != text:
            pause.setText(text)

    def showEvent(self, event: QShowEvent) -> None:
        """Make room for both words of the pause button: the bar does not move when they change.

        How wide they are is known when the window has its style sheet, which is when it is shown.
        """
        super().showEvent(event)
        pause = self._buttons[Command.PAUSE]
        word = pause.text()
        pause.setText(self.tr("Pause now"))
        pause.setMinimumWidth(pause.sizeHint().width())
        pause.setText(word)

    def changeEvent(self, event: QEvent) -> None:
        """Follow the palette."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._tint()

    def _hand_on_focus(self, possible: set[Command]) -> None:
        """Leave a button that is about to be disabled.

        Qt would go to the next one, which may be Cancel: the space bar would end the crawl.
        """
        for command, button in self._buttons.items():
            if command not in possible and button.hasFocus():
                then = _THEN.get(command)
                heir = self._buttons[then] if then and then in possible else self.url_field
                heir.setFocus(Qt.FocusReason.OtherFocusReason)

    def _submit(self) -> None:
        if Command.START in ALLOWED[self._state]:
            self.commanded.emit(Command.START)

    def _pause(self) -> None:
        now = Command.PAUSE not in ALLOWED[self._state]
        self.commanded.emit(Command.PAUSE_NOW if now else Command.PAUSE)

    def _button(self, name: str, text: str) -> QPushButton:
        button = QPushButton(text)
        button.setObjectName(name)
        button.setIconSize(_ICON)
        button.setFixedHeight(CONTROL_HEIGHT)
        return button

    def _connect(self) -> None:
        for command in (Command.START, Command.RESUME, Command.CANCEL):
            self._buttons[command].clicked.connect(
                lambda _checked, command=command: self.commanded.emit(command)
            )
        pause = self._buttons[Command.PAUSE]
        pause.clicked.connect(self._pause)
        self._buttons[Command.PAUSE].setToolTip(
            self.tr("Start no new page; press again to stop those in flight too (Space)")
        )
        self._buttons[Command.START].setToolTip(self.tr("Begin a new crawl (Enter)"))
        self._buttons[Command.RESUME].setToolTip(self.tr("Go on with this crawl (Space)"))
        self._buttons[Command.CANCEL].setToolTip(self.tr("End this crawl; what is found is kept"))

    def _lay_out(self) -> None:
        row = QHBoxLayout(self)
        row.setContentsMargins(theme.SPACE_M, theme.SPACE_S, theme.SPACE_S, theme.SPACE_S)
        row.setSpacing(theme.SPACE_S)
        row.addWidget(self.url_field, 1)
        for text, spin in (
            (self.tr("&Workers"), self.workers),
            (self.tr("&Redirects"), self.redirects),
        ):
            row.addSpacing(theme.SPACE_XS)
            row.addWidget(buddy(text, spin))
            row.addWidget(spin)
        row.addSpacing(theme.SPACE_S)
        for button in self._buttons.values():
            row.addWidget(button)
        row.addWidget(self._settings)

    def _tint(self) -> None:
        for button in self._buttons.values():
            primary = bool(button.property("primary"))
            name = button.objectName()
            button.setIcon(on_accent(name) if primary else icon(name))
        self._settings.setIcon(icon("settings"))


def spin_box(name: str, low: int, high: int) -> QSpinBox:
    """A number field as the top bar has them, called `name`."""
    spin = QSpinBox()
    spin.setObjectName(name)
    spin.setRange(low, high)
    spin.setGroupSeparatorShown(True)
    spin.setFont(theme.tabular(spin.font()))
    spin.setFixedHeight(CONTROL_HEIGHT)
    spin.setAlignment(Qt.AlignmentFlag.AlignRight)
    spin.setMinimumWidth(72)
    return spin


def buddy(text: str, field: QWidget) -> QLabel:
    """A label that names `field` for the eye, the keyboard and the screen reader."""
    label = QLabel(text)
    label.setBuddy(field)
    field.setAccessibleName(without_key(text))
    return label
