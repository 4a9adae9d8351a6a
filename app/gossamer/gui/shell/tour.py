"""The short tour on the first start: a few steps, each pointing at a part of the window."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtWidgets import (
    QApplication,
    QFrame,
    QHBoxLayout,
    QLabel,
    QMainWindow,
    QPushButton,
    QVBoxLayout,
    QWidget,
)
from shiboken6 import isValid

from gossamer.gui.look import theme

_WIDTH: Final = 24
"""Of the bubble, in characters of text twice as wide as the average one."""
_GAP: Final = 10
_LINE: Final = 3
_LAID_OUT: Final = frozenset({QEvent.Type.Resize, QEvent.Type.Move})


@dataclass(frozen=True, slots=True)
class TourStep:
    """A step: its text, and what it points at; nothing if that is not visible."""

    text: str
    target: Callable[[], QWidget | None]


class Tour(QFrame):
    """A bubble in the window, and a frame around what it points at.

    Esc, a click elsewhere or a typed letter ends it. It takes the keyboard focus on Tab alone, so
    that what is typed between two of its steps goes where it points, and returns it when it ends.
    `left` says that it was ended with Esc or its own button. It deletes itself when it ends.
    """

    left = Signal()

    def __init__(self, window: QMainWindow, steps: list[TourStep]) -> None:
        super().__init__(window)
        self.setObjectName("tour")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._steps = steps
        self._at = 0
        self._target: QWidget | None = None
        self._before = window.focusWidget()
        self.frame = QFrame(window)
        self.frame.setObjectName("tour-frame")
        self.frame.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        accent = theme.colour("accent").name()
        base = theme.colour("border").name()
        self.frame.setStyleSheet(
            f"#tour-frame {{ border: {_LINE}px solid {accent}; border-radius: 6px; }}"
        )
        self.setStyleSheet(
            "#tour { background: palette(base); border: 1px solid "
            f"{base}; border-top: {_LINE}px solid {accent}; border-radius: 6px; }}"
        )
        self.said = QLabel()
        self.said.setWordWrap(True)
        self.said.setTextFormat(Qt.TextFormat.PlainText)
        self.number = QLabel()
        self.number.setProperty("muted", True)
        self.leave = QPushButton(self.tr("S&kip"))
        self.leave.setProperty("flat", True)
        self.next = QPushButton()
        self.next.setProperty("primary", True)
        for button in (self.leave, self.next):
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.leave.clicked.connect(self._leave)
        self.next.clicked.connect(self._go_on)
        self._lay_out()
        self._show()
        app = QApplication.instance()
        if app is not None:
            app.installEventFilter(self)

    def end(self) -> None:
        """Leave it."""
        app = QApplication.instance()
        if app is not None:
            app.removeEventFilter(self)
        if self.window().focusWidget() in {self.leave, self.next}:
            self._return_focus()
        self.hide()
        self.frame.hide()
        self.frame.deleteLater()
        self.deleteLater()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Leave with Esc, a click elsewhere or a typed letter; follow the window's size."""
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            if event.key() == Qt.Key.Key_Escape:
                self._leave()
                return True
            if event.text().strip():
                self.end()
        elif isinstance(event, QMouseEvent) and event.type() == QEvent.Type.MouseButtonPress:
            inside = self.rect().contains(self.mapFromGlobal(event.globalPosition().toPoint()))
            if not inside and isinstance(watched, QWidget):
                self.end()
        elif event.type() in _LAID_OUT and watched in {self.window(), self._target}:
            QTimer.singleShot(0, self, self._place)  # once what is in it is laid out, too
        return False

    def _return_focus(self) -> None:
        before = self._before
        if before is not None and isValid(before) and before.isVisible():
            before.setFocus(Qt.FocusReason.PopupFocusReason)

    def _leave(self) -> None:
        self.end()
        self.left.emit()

    def _go_on(self) -> None:
        self._at += 1
        if self._at < len(self._steps):
            self._show()
        else:
            self.end()

    def _show(self) -> None:
        step = self._steps[self._at]
        self.said.setText(step.text)
        self.setAccessibleName(step.text)
        self.number.setText(
            self.tr("{step} of {steps}").format(step=self._at + 1, steps=len(self._steps))
        )
        last = self._at == len(self._steps) - 1
        self.next.setText(self.tr("&Done") if last else self.tr("&Next"))
        self.leave.setVisible(not last)
        self._place()

    def _place(self) -> None:
        """Below what it points at, above it if there is no room, else in the middle."""
        target = self._target = self._steps[self._at].target()
        self.adjustSize()
        room = self.window().rect()
        if target is None or not target.isVisible():
            self.frame.hide()
            bubble = QRect(QPoint(), self.size())
            bubble.moveCenter(room.center())
        else:
            around = QRect(target.mapTo(self.window(), QPoint()), target.size())
            margin = 2 * _LINE
            self.frame.setGeometry(around.adjusted(-margin, -margin, margin, margin) & room)
            self.frame.show()
            self.frame.raise_()
            bubble = placed(self.rect(), around, room)
        self.setGeometry(bubble)
        self.show()
        self.raise_()

    def _lay_out(self) -> None:
        self.said.setFixedWidth(self.fontMetrics().averageCharWidth() * 2 * _WIDTH)
        buttons = QHBoxLayout()
        buttons.setSpacing(theme.SPACE_S)
        buttons.addWidget(self.number)
        buttons.addStretch(1)
        buttons.addWidget(self.leave)
        buttons.addWidget(self.next)
        column = QVBoxLayout(self)
        column.setContentsMargins(theme.SPACE_L, theme.SPACE_M, theme.SPACE_L, theme.SPACE_M)
        column.setSpacing(theme.SPACE_M)
        column.addWidget(self.said)
        column.addLayout(buttons)


def placed(bubble: QRect, around: QRect, room: QRect) -> QRect:
    """The position of the bubble: below what it is about, else above or over it; within `room`.

    It is to the right of what is higher than wide. Large parts of the window leave no room around
    them: it is then in their middle.
    """
    at = QRect(bubble)
    at.moveCenter(around.center())
    is_high = around.height() > around.width()
    if is_high and around.right() + 2 * _GAP + at.width() <= room.right():
        at.moveLeft(around.right() + _GAP)
    elif around.bottom() + _GAP + at.height() <= room.bottom():
        at.moveTop(around.bottom() + _GAP)
    elif around.top() - _GAP - at.height() >= room.top():
        at.moveBottom(around.top() - _GAP)
    at.moveLeft(max(room.left() + _GAP, min(at.left(), room.right() - at.width() - _GAP)))
    at.moveTop(max(room.top() + _GAP, min(at.top(), room.bottom() - at.height() - _GAP)))
    return at
