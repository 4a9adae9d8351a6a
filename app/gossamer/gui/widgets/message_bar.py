"""Shows inline messages with buttons in the window, never as modal dialogs."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Literal

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QApplication,
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)
from shiboken6 import isValid

from gossamer.gui.look import theme
from gossamer.gui.look.icons import icon
from gossamer.gui.widgets.labels import wrap_text

Kind = Literal["info", "warning", "error", "finished"]
_ROLES: Final[dict[Kind, theme.Role]] = {
    "info": "accent",
    "warning": "warning",
    "error": "error",
    "finished": "ok",
}
_TINT: Final = 0.10
_ICON: Final = 16


@dataclass(frozen=True, slots=True)
class MessageButton:
    """A button of a message. Closes it, unless the message stays, then calls `act`."""

    text: str
    act: Callable[[], None]


class InlineMessage(QFrame):
    """A message with an icon, buttons and a close button. Hidden until `show_text`."""

    closed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._kind: Kind = "info"
        self._stays = False
        self._focused_before: QWidget | None = None
        """The widget that had the focus before it moved into this message."""
        self._sign = QLabel()
        self._text = QLabel()
        wrap_text(self._text)
        self._text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._close = QToolButton()
        self._close.setProperty("quiet", True)
        self._close.setAccessibleName(self.tr("Close this message"))
        self._close.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._close.clicked.connect(self.dismiss)
        self._buttons: list[QPushButton] = []
        self._button_row = QHBoxLayout()
        self._button_row.setSpacing(theme.SPACE_S)
        row = QHBoxLayout(self)
        row.setContentsMargins(theme.SPACE_L, theme.SPACE_XS, theme.SPACE_S, theme.SPACE_XS)
        row.setSpacing(theme.SPACE_S)
        row.addWidget(self._sign)
        row.addWidget(self._text, 1)
        row.addLayout(self._button_row)
        row.addWidget(self._close)
        self._tint_icons()
        self.hide()
        application = QApplication.instance()
        if isinstance(application, QApplication):
            application.focusChanged.connect(self._remember_focus)

    @property
    def stays(self) -> bool:
        """Whether the user cannot close it: it is shown as long as it holds."""
        return self._stays

    def show_text(
        self, kind: Kind, text: str, *buttons: MessageButton, stays: bool = False
    ) -> None:
        """Show one sentence; the first button is the recommended one."""
        self._kind = kind
        self._stays = stays
        self._close.setVisible(not stays)
        self.reword(text)
        self._drop_buttons()
        for declared in buttons:
            button = QPushButton(declared.text)
            # A click leaves the focus where it is: the button is gone in a moment.
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            button.clicked.connect(lambda _checked, act=declared.act: self._pressed(act))
            self._button_row.addWidget(button)
            self._buttons.append(button)
        self._tint_icons()
        self.show()
        self.update()

    def reword(self, text: str) -> None:
        """Change the text: the buttons stay, with the focus if one has it."""
        self._text.setText(text)
        self.setAccessibleName(text)

    def text(self) -> str:
        """The sentence shown, "" when hidden."""
        return "" if self.isHidden() else self._text.text()

    def answer(self, text: str) -> QPushButton:
        """The button called `text`; LookupError if there is none."""
        for button in self._buttons:
            if button.text() == text:
                return button
        raise LookupError(text)

    def dismiss(self) -> None:
        """Close the message without using a button, if it does not stay."""
        if self._stays:
            return
        self.withdraw()
        self.closed.emit()

    def withdraw(self) -> None:
        """Hide the message; the focus returns to where it was before."""
        before, focused = self._focused_before, QApplication.focusWidget()
        has_focus = focused is not None and self.isAncestorOf(focused)
        if has_focus and before is not None and isValid(before):
            before.setFocus(Qt.FocusReason.OtherFocusReason)
        self.hide()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Fill with a light tint of the kind's colour between two lines."""
        del event
        tint = QColor(theme.colour(_ROLES[self._kind]))
        tint.setAlphaF(_TINT)
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), theme.scheme().base)
            painter.fillRect(self.rect(), tint)
            for y in (0, self.height() - 1):
                painter.fillRect(0, y, self.width(), 1, theme.colour("border"))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape closes the message."""
        if event.key() == Qt.Key.Key_Escape:
            self.dismiss()
        else:
            super().keyPressEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        """Follow the palette."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._tint_icons()

    def _remember_focus(self, old: QWidget | None, new: QWidget | None) -> None:
        if new is not None and self.isAncestorOf(new):
            if old is not None and not self.isAncestorOf(old):
                self._focused_before = old
        elif new is not None:
            self._focused_before = None

    def _pressed(self, act: Callable[[], None]) -> None:
        self.dismiss()
        act()

    def _drop_buttons(self) -> None:
        for button in self._buttons:
            self._button_row.removeWidget(button)
            button.hide()
            button.deleteLater()
        self._buttons.clear()

    def _tint_icons(self) -> None:
        name = {"warning": "warning", "error": "error"}.get(self._kind, self._kind)
        self._sign.setPixmap(icon(name).pixmap(QSize(_ICON, _ICON), self.devicePixelRatioF()))
        self._close.setIcon(icon("close"))


class MessageColumn(QWidget):
    """A column of messages, at most one per subject, the newest last.

    One that is shown stays in its place when it is replaced: it may be of progress.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._messages: dict[str, InlineMessage] = {}
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Maximum)

    def tell(
        self, subject: str, kind: Kind, text: str, *buttons: MessageButton, stays: bool = False
    ) -> None:
        """Show a sentence about `subject`, replacing any earlier one.

        A message that `stays` only goes when it is withdrawn.
        """
        message = self._messages.get(subject)
        if message is None:
            message = InlineMessage(self)
            message.setObjectName(f"message-{subject}")
        layout = self.layout()
        if message.isHidden() and layout is not None:
            self._messages.pop(subject, None)
            self._messages[subject] = message
            layout.addWidget(message)
        message.show_text(kind, text, *buttons, stays=stays)

    def withdraw(self, *subjects: str) -> None:
        """Hide any messages about these subjects."""
        for subject in subjects:
            if (message := self._messages.get(subject)) is not None:
                message.withdraw()

    def withdraw_newest(self) -> bool:
        """Hide the newest message that can be closed; False if there was none."""
        for message in reversed(self._messages.values()):
            if not message.isHidden() and not message.stays:
                message.dismiss()
                return True
        return False

    def about(self, subject: str) -> InlineMessage | None:
        """The message about `subject`, if one is shown."""
        message = self._messages.get(subject)
        return None if message is None or message.isHidden() else message
