"""Fits windows to the screen, and provides a page that scrolls when it is too tall."""

from typing import Final

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QGuiApplication, QWindow
from PySide6.QtWidgets import QFrame, QScrollArea, QStyle, QWidget

_SHARE: Final = 0.7
"""The maximum share of the screen's height; the rest is for the dialog's own parts, a title bar, a
dock."""
_FRAME: Final = 8
_TITLE: Final = 40
"""The frame that a desktop adds to a window: it is unknown before the window is shown."""
_DIALOGS: Final = frozenset({Qt.WindowType.Dialog, Qt.WindowType.Window})
_SEEN: Final = "was-kept-on-screen"


def fitted(size: tuple[int, int], free: QRect) -> QSize:
    """`size`, limited to what a screen has `free` for a window with its frame."""
    return QSize(min(size[0], free.width() - _FRAME), min(size[1], free.height() - _TITLE))


def place(window: QWidget, size: tuple[int, int]) -> None:
    """Put the window in the middle of the first screen, in this size but no larger than it."""
    free = QGuiApplication.primaryScreen().availableGeometry()
    window.resize(fitted(size, free))
    frame = window.frameGeometry()
    frame.setHeight(frame.height() + _TITLE)
    frame.moveCenter(free.center())
    window.move(frame.topLeft())


def keep_dialog_on_screen(window: QWindow | None) -> None:
    """Move and shrink a dialog that has got the focus, so that all its frame is visible.

    Only when it first has it: only then is its frame known, and later it stays where the user
    puts it. A window without a parent window is no dialog.
    """
    if window is None or window.type() not in _DIALOGS or window.transientParent() is None:
        return
    if window.property(_SEEN) or window.windowStates() != Qt.WindowState.WindowNoState:
        return
    window.setProperty(_SEEN, True)
    frame = window.frameGeometry()
    wanted = moved_within(frame, window.screen().availableGeometry())
    if wanted != frame:
        window.setGeometry(wanted.marginsRemoved(window.frameMargins()))


def moved_within(frame: QRect, free: QRect) -> QRect:
    """`frame`, moved and if need be shrunk to fit into `free`; its top takes precedence."""
    size = frame.size().boundedTo(free.size())
    left = max(free.left(), min(frame.left(), free.right() + 1 - size.width()))
    top = max(free.top(), min(frame.top(), free.bottom() + 1 - size.height()))
    return QRect(left, top, size.width(), size.height())


class PageScroll(QScrollArea):
    """Scrolls its widget vertically where that is taller than the room there is.

    A widget made below the viewport is styled once: one that is moved into it is styled again with
    all its children.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        # The ground is the dialog's. Tab walks through the fields, not over their frame.
        self.viewport().setAutoFillBackground(False)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._kept: QWidget | None = None
        bar = self.verticalScrollBar()
        bar.rangeChanged.connect(self._show_kept)
        bar.actionTriggered.connect(self._keep_nothing)

    def keep_in_sight(self, widget: QWidget) -> None:
        """Scroll to a part of the page, until the user scrolls or it goes to its top.

        A page that has just been shown gets its height bit by bit, during its layout.
        """
        self._kept = widget
        self._show_kept()

    def go_to_top(self) -> None:
        """Show the beginning of the page."""
        self._keep_nothing()
        self.verticalScrollBar().setValue(0)

    def _show_kept(self) -> None:
        if self._kept is not None:
            self.ensureWidgetVisible(self._kept)

    def _keep_nothing(self) -> None:
        self._kept = None

    def setWidget(self, widget: QWidget) -> None:
        """Scroll this."""
        super().setWidget(widget)
        widget.setAutoFillBackground(False)

    def sizeHint(self) -> QSize:
        """All of the page, as far as the screen allows."""
        page = self.widget()
        wanted = super().sizeHint() if page is None else page.sizeHint()
        highest = int(self.screen().availableGeometry().height() * _SHARE)
        return QSize(wanted.width() + self._bar_width(), min(wanted.height(), highest))

    def minimumSizeHint(self) -> QSize:
        """It cannot be narrower than the page."""
        page, least = self.widget(), super().minimumSizeHint()
        narrowest = least.width() if page is None else page.minimumSizeHint().width()
        return QSize(narrowest + self._bar_width(), least.height())

    def _bar_width(self) -> int:
        return self.style().pixelMetric(QStyle.PixelMetric.PM_ScrollBarExtent)
