"""What is seen before there is a crawl: a large field, earlier projects, the demo site."""

from pathlib import Path
from typing import Final

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QFont
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from gossamer.gui import theme
from gossamer.gui.icons import icon, on_accent
from gossamer.gui.messages import InlineMessage
from gossamer.gui.models import display
from gossamer.gui.recent_projects import RecentProjects
from gossamer.gui.root_field import RootField
from gossamer.gui.top_bar import CONTROL_HEIGHT, UrlField, buddy, in_order, spin_box
from gossamer.model.settings import MAX_REDIRECTS, MAX_WORKERS

_WIDTH: Final = 660
_ABOVE: Final = 2
_BELOW: Final = 7
"""How the free height is shared."""
_TALL: Final = 40
_SIGN: Final = 64
_PROFILE: Final = 180
_PROFILE_CHARACTERS: Final = 4
_ICON: Final = QSize(20, 16)


class Note(QWidget):
    """One sentence and what can be done about it, shown as long as there is something to say."""

    pressed = Signal()

    def __init__(self, answer: str, name: str) -> None:
        super().__init__()
        self.setObjectName(name)
        self._text = QLabel()
        self._text.setTextFormat(Qt.TextFormat.PlainText)
        self._text.setWordWrap(True)
        self.button = QPushButton(answer)
        self.button.clicked.connect(self.pressed)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(theme.SPACE_S)
        row.addWidget(self._text, 1)
        row.addWidget(self.button, 0, Qt.AlignmentFlag.AlignTop)
        self.hide()

    def text(self) -> str:
        """The sentence shown, "" when hidden."""
        return "" if self.isHidden() else self._text.text()

    def say(self, sentence: str) -> None:
        """Show a sentence, or nothing."""
        self._text.setText(sentence)
        self.setVisible(bool(sentence))


class StartPage(QWidget):
    """The empty window. Signals tell what the person wants; the page does nothing itself."""

    start_wanted = Signal()
    demo_wanted = Signal()
    open_wanted = Signal()
    settings_wanted = Signal()
    project_wanted = Signal(object)
    folder_wanted = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("start-page")
        self.url_field = UrlField()
        self.url_field.setObjectName("start-url")
        self.url_field.setFixedHeight(_TALL)
        self.url_field.submitted.connect(self.start_wanted)
        self.root_field = RootField(self.url_field)
        self.workers = spin_box("start-workers", 1, MAX_WORKERS)
        self.redirects = spin_box("start-redirects", 0, MAX_REDIRECTS)
        self.profile = _profile_box()
        self.differs = Note(self.tr("Reset"), "start-differs")
        self.elsewhere = Note(self.tr("Type them again"), "start-elsewhere")
        self.message = InlineMessage()
        self._sign = QLabel()
        self._start = self._link("start-crawl", self.tr("Start"))
        self._start.setProperty("primary", True)
        self._start.setFixedHeight(_TALL)
        self._start.clicked.connect(self.start_wanted)
        self._demo = self._link("start-demo", self.tr("Crawl the demo site"))
        self._demo.clicked.connect(self.demo_wanted)
        self._open = self._link("start-open", self.tr("Open a project…"))
        self._open.clicked.connect(self.open_wanted)
        self._settings = self._link("start-settings", self.tr("Settings…"))
        self._settings.clicked.connect(self.settings_wanted)
        self._folder = Path()
        self.saved = self._link("start-saved", "")
        self.saved.setFlat(True)
        self.saved.setProperty("link", True)
        self.saved.clicked.connect(lambda: self.folder_wanted.emit(self._folder))
        self.saved.hide()
        self.recent = RecentProjects()
        self.recent.project_wanted.connect(self.project_wanted)
        self._lay_out()
        self._tint()

    def url(self) -> str:
        """What is typed in the field, trimmed."""
        return self.url_field.currentText().strip()

    def show_folder(self, folder: Path) -> None:
        """Say where crawls are saved."""
        self._folder = folder
        self.saved.setText(self.tr("Where crawls are saved"))
        self.saved.setToolTip(display.tooltip(str(folder), self.tr("Open folder")))
        self.saved.setAccessibleDescription(str(folder))
        self.saved.show()

    def changeEvent(self, event: QEvent) -> None:
        """Follow the palette."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._tint()

    def _link(self, name: str, text: str) -> QPushButton:
        button = QPushButton(text)
        button.setObjectName(name)
        button.setIconSize(_ICON)
        return button

    def _lay_out(self) -> None:
        field = QHBoxLayout()
        field.setSpacing(theme.SPACE_S)
        field.addWidget(self.root_field, 1)
        field.addWidget(self._start)
        block = QWidget()
        block.setMaximumWidth(_WIDTH)
        block.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Maximum)
        column = QVBoxLayout(block)
        column.setSpacing(theme.SPACE_M)
        column.addLayout(self._head())
        column.addSpacing(theme.SPACE_S)
        column.addLayout(field)
        column.addWidget(self.differs)
        column.addLayout(self._numbers())
        column.addLayout(self._ways())
        # Their room is kept: nothing moves when they come or go.
        for place in (self.differs, self.message):
            keeping = place.sizePolicy()
            keeping.setRetainSizeWhenHidden(True)
            place.setSizePolicy(keeping)
        column.addWidget(self.elsewhere)
        column.addWidget(self.message)
        column.addWidget(self.recent)
        centred = QHBoxLayout()
        centred.addStretch(1)
        centred.addWidget(block, 100, Qt.AlignmentFlag.AlignTop)
        centred.addStretch(1)
        # The head stays where it is when a message or earlier crawls appear below it.
        in_order(
            *self.root_field.stops(),
            self.workers,
            self.redirects,
            self.profile,
            self._start,
            self._settings,
            self._demo,
        )
        page = QVBoxLayout(self)
        page.addStretch(_ABOVE)
        page.addLayout(centred, _BELOW)

    def _head(self) -> QHBoxLayout:
        title = QLabel("Gossamer")
        title.setFont(_scaled(self.font(), 2.0))
        subtitle = QLabel(self.tr("See every page and every redirect of a website."))
        subtitle.setProperty("muted", True)
        words = QVBoxLayout()
        words.setSpacing(theme.SPACE_XS)
        words.addWidget(title)
        words.addWidget(subtitle)
        head = QHBoxLayout()
        head.setSpacing(theme.SPACE_L)
        head.addWidget(self._sign)
        head.addLayout(words, 1)
        return head

    def _numbers(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(theme.SPACE_S)
        row.addWidget(buddy(self.tr("&Workers"), self.workers))
        row.addWidget(self.workers)
        row.addSpacing(theme.SPACE_S)
        row.addWidget(buddy(self.tr("&Redirect limit"), self.redirects))
        row.addWidget(self.redirects)
        row.addSpacing(theme.SPACE_S)
        row.addWidget(buddy(self.tr("&Profile"), self.profile))
        row.addWidget(self.profile, 2)
        row.addStretch(1)
        self._settings.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        row.addWidget(self._settings)
        return row

    def _ways(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(theme.SPACE_S)
        row.addWidget(self._demo)
        row.addWidget(self._open)
        row.addWidget(self.saved)
        row.addStretch(1)
        return row

    def _tint(self) -> None:
        pixels = QSize(_SIGN, _SIGN)
        self._sign.setPixmap(icon("gossamer").pixmap(pixels, self.devicePixelRatioF()))
        self._start.setIcon(on_accent("start"))
        self._demo.setIcon(icon("site"))
        self._open.setIcon(icon("open"))
        self._settings.setIcon(icon("settings"))
        self.saved.setIcon(icon("folder"))


def _profile_box() -> QComboBox:
    box = QComboBox()
    box.setObjectName("start-profile")
    box.setFixedHeight(CONTROL_HEIGHT)
    box.setMaximumWidth(_PROFILE)
    # Its list has room for long names; the row is full on a small screen.
    box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
    box.setMinimumContentsLength(_PROFILE_CHARACTERS)
    return box


def _scaled(font: QFont, factor: float) -> QFont:
    result = QFont(font)
    result.setPointSizeF(max(1.0, font.pointSizeF()) * factor)
    return result
