"""The page shown before a crawl: the address field, recent projects, the demo site."""

from pathlib import Path
from typing import Final

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QAction, QFont, QResizeEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSizePolicy,
    QSpacerItem,
    QVBoxLayout,
    QWidget,
)

from gossamer.gui.actions.action_set import ActionSet
from gossamer.gui.actions.window_actions import WindowAction
from gossamer.gui.look import theme
from gossamer.gui.look.icons import icon, on_accent
from gossamer.gui.look.stylesheet import CONTROL_HEIGHT
from gossamer.gui.start.cluster_field import ClusterField
from gossamer.gui.start.recent_crawl_list import SHOWN, RecentProjects
from gossamer.gui.start.root_field import RootField, UrlField, in_order, spin_box
from gossamer.gui.text import local_formatting as formatting
from gossamer.gui.text.translated_sentences import spoken
from gossamer.gui.widgets.labels import buddy, wrap_text
from gossamer.gui.widgets.message_bar import InlineMessage
from gossamer.gui.widgets.window_geometry import PageScroll
from gossamer.model.settings.crawl_settings import SETTINGS
from gossamer.model.settings.limit_settings import MAX_REDIRECTS, MAX_WORKERS
from gossamer.model.translatable import Translatable

_WIDTH: Final = 660
_ABOVE: Final = 2 / 9
"""The share of the height that is left free above, at most."""
_SEEN: Final = 3
"""Recent crawls that must be visible below the head."""
_TALL: Final = 40
_SIGN: Final = 64
_PROFILE: Final = 180
_PROFILE_CHARACTERS: Final = 2
_ICON: Final = QSize(20, 16)
_FILLS: Final = QSizePolicy.Policy.Expanding
_FIXED: Final = QSizePolicy.Policy.Fixed


class StartPageMessage(QWidget):
    """A notice with one action, shown as long as it applies."""

    pressed = Signal()

    def __init__(self, label: str, name: str) -> None:
        super().__init__()
        self.setObjectName(name)
        self._text = QLabel()
        wrap_text(self._text)
        self.button = QPushButton(label)
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
    """The start page. Emits signals for what the user wants; does nothing itself."""

    submitted = Signal()
    """Enter was pressed in the address."""
    project_wanted = Signal(object)
    folder_wanted = Signal(object)

    def __init__(self, actions: ActionSet, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("start-page")
        self.url_field = UrlField()
        self.url_field.setObjectName("start-url")
        self.url_field.setFixedHeight(_TALL)
        self.url_field.submitted.connect(self.submitted)
        self.root_field = RootField(self.url_field)
        self.workers = spin_box("start-workers", 1, MAX_WORKERS)
        self.where = ClusterField("start-where")
        self.redirects = spin_box("start-redirects", 0, MAX_REDIRECTS)
        self.profile = _profile_box()
        self.render_pages = render_box("start-render")
        self.keep_pages = _check_box("start-archive", "archive")
        self.differs = StartPageMessage(self.tr("Reset"), "start-differs")
        self.elsewhere = StartPageMessage(self.tr("Enter them again"), "start-elsewhere")
        self.login = StartPageMessage(self.tr("Forget login"), "start-login")
        self.message = InlineMessage()
        self._start = _action_button("start-crawl", actions[WindowAction.START])
        self._start.setIcon(on_accent("start"))
        self._start.setProperty("primary", True)
        self._start.setFixedHeight(_TALL)
        self._demo = _action_button("start-demo", actions[WindowAction.DEMO])
        self._open = _action_button("start-open", actions[WindowAction.OPEN])
        self._import = _action_button("start-import", actions[WindowAction.IMPORT])
        self._settings = _action_button("start-settings", actions[WindowAction.SETTINGS])
        self._folder = Path()
        self.saved = _folder_button()
        self.saved.clicked.connect(lambda: self.folder_wanted.emit(self._folder))
        self.recent = RecentProjects()
        self.recent.project_wanted.connect(self.project_wanted)
        self._notes = QWidget()
        self._head = self._make_head()
        self._form = self._make_form()
        self._above = QSpacerItem(0, 0, _FILLS, _FIXED)
        self._lay_out()

    def url(self) -> str:
        """The text of the field, trimmed."""
        return self.url_field.currentText().strip()

    def show_folder(self, folder: Path) -> None:
        """Show where crawls are saved."""
        self._folder = folder
        self.saved.setText(self.tr("Crawls folder"))
        self.saved.setToolTip(formatting.tooltip(str(folder), self.tr("Open folder")))
        self.saved.setAccessibleDescription(str(folder))
        self.saved.show()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Leave out the head if there is no room for it above form and recent crawls.

        None of that depends on what is currently shown: the form stays where it is.
        """
        super().resizeEvent(event)
        high = event.size().height()
        # Their room is kept: nothing moves when they come or go.
        notes = [note.sizeHint().height() for note in (self.differs, self.message)]
        self._notes.setMinimumHeight(sum(notes) + theme.SPACE_S)
        form = self._form.sizeHint().height() + 2 * theme.SPACE_M
        head = self._head.sizeHint().height() + theme.SPACE_L
        self._head.setVisible(high >= head + form + self.recent.room(_SEEN))
        free = high - form - self.recent.room(SHOWN) - (0 if self._head.isHidden() else head)
        above = max(theme.SPACE_M, min(int(high * _ABOVE), free))
        self._above.changeSize(0, above, _FILLS, _FIXED)
        self._column.invalidate()

    def _lay_out(self) -> None:
        block = QWidget()
        block.setMaximumWidth(_WIDTH)
        block.setSizePolicy(_FILLS, QSizePolicy.Policy.Maximum)
        parts = QVBoxLayout(block)
        parts.setContentsMargins(theme.SPACE_S, 0, theme.SPACE_S, theme.SPACE_M)
        parts.setSpacing(theme.SPACE_M)
        for part in (self._head, self._form, self.recent):
            parts.addWidget(part)
        centred = QHBoxLayout()
        centred.addStretch(1)
        centred.addWidget(block, 100, Qt.AlignmentFlag.AlignTop)
        centred.addStretch(1)
        inner = QWidget()
        self._column = QVBoxLayout(inner)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)
        self._column.addItem(self._above)
        self._column.addLayout(centred, 1)
        scroll = PageScroll()
        scroll.setWidget(inner)
        self._bar = scroll.verticalScrollBar()
        self._bar.rangeChanged.connect(self._keep_width)
        page = QVBoxLayout(self)
        page.setContentsMargins(0, 0, 0, 0)
        page.addWidget(scroll)
        self._keep_width(0, 0)
        in_order(
            *self.root_field.stops(),
            self.workers,
            self.where,
            self.redirects,
            self.profile,
            self.render_pages,
            self.keep_pages,
            self._start,
            self._settings,
            self._demo,
            self._open,
            self._import,
            self.saved,
        )

    def _keep_width(self, low: int, high: int) -> None:
        """Keep the room of a scroll bar, so that nothing moves when there is one."""
        room = 0 if high > low else self._bar.sizeHint().width()
        self._column.setContentsMargins(0, 0, room, 0)

    def _make_form(self) -> QWidget:
        """Everything to fill in and press; remarks on it are below."""
        field = QHBoxLayout()
        field.setSpacing(theme.SPACE_S)
        field.addWidget(self.root_field, 1)
        field.addWidget(self._start)
        notes = QVBoxLayout(self._notes)
        notes.setContentsMargins(0, 0, 0, 0)
        notes.setSpacing(theme.SPACE_S)
        for note in (self.login, self.differs, self.elsewhere, self.message):
            notes.addWidget(note)
        notes.addStretch(1)
        form = QWidget()
        form.setSizePolicy(_FILLS, _FIXED)
        column = QVBoxLayout(form)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(theme.SPACE_M)
        column.addLayout(field)
        column.addLayout(self._numbers())
        column.addLayout(self._choices())
        column.addLayout(self._ways())
        column.addWidget(self._notes)
        return form

    def _make_head(self) -> QWidget:
        sign = QLabel()
        pixels = QSize(_SIGN, _SIGN)
        sign.setPixmap(icon("gossamer").pixmap(pixels, self.devicePixelRatioF()))
        title = QLabel("Gossamer")
        title.setFont(_scaled(self.font(), 2.0))
        subtitle = QLabel(self.tr("See every page of a website, and what to fix on it."))
        subtitle.setProperty("muted", True)
        words = QVBoxLayout()
        words.setSpacing(theme.SPACE_XS)
        words.addWidget(title)
        words.addWidget(subtitle)
        head = QWidget()
        head.setSizePolicy(_FILLS, _FIXED)
        row = QHBoxLayout(head)
        row.setContentsMargins(0, 0, 0, theme.SPACE_S)
        row.setSpacing(theme.SPACE_L)
        row.addWidget(sign)
        row.addLayout(words, 1)
        return head

    def _numbers(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(theme.SPACE_S)
        row.addWidget(buddy(self.tr("&Workers"), self.workers))
        row.addWidget(self.workers)
        row.addSpacing(theme.SPACE_XS)
        row.addWidget(buddy(self.tr("Where"), self.where))
        row.addWidget(self.where, 1)
        row.addSpacing(theme.SPACE_XS)
        row.addWidget(buddy(self.tr("&Redirect limit"), self.redirects))
        row.addWidget(self.redirects)
        return row

    def _choices(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(theme.SPACE_S)
        row.addWidget(buddy(self.tr("&Profile"), self.profile))
        row.addWidget(self.profile, 2)
        row.addSpacing(theme.SPACE_XS)
        row.addWidget(self.render_pages)
        row.addWidget(self.keep_pages)
        row.addStretch(1)
        self._settings.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        row.addWidget(self._settings)
        return row

    def _ways(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(theme.SPACE_XS)
        row.addWidget(self._demo)
        row.addWidget(self._open)
        row.addWidget(self._import)
        row.addWidget(self.saved)
        row.addStretch(1)
        return row


def _action_button(name: str, action: QAction) -> QPushButton:
    button = QPushButton(action.icon(), action.iconText())
    button.setObjectName(name)
    button.setIconSize(_ICON)
    button.clicked.connect(action.trigger)
    return button


def _folder_button() -> QPushButton:
    button = QPushButton(icon("folder"), "")
    button.setObjectName("start-saved")
    button.setIconSize(_ICON)
    button.setFlat(True)
    button.setProperty("link", True)
    button.hide()
    return button


def render_box(name: str) -> QCheckBox:
    """The choice whether a new crawl renders pages; a tooltip says what that costs."""
    return _check_box(name, "render")


def _check_box(name: str, setting: str) -> QCheckBox:
    declared = SETTINGS[setting]
    box = QCheckBox(spoken(Translatable(declared.label)))
    box.setObjectName(name)
    hint = spoken(Translatable(declared.hint))
    box.setToolTip(formatting.tooltip(hint))
    box.setAccessibleDescription(hint)
    return box


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
