"""The screenshot of a rendered page, scaled to fit; a click shows it in full size."""

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QEvent, QRect, QSize, Qt
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPalette, QPen, QPixmap
from PySide6.QtWidgets import QDialog, QLabel, QScrollArea, QVBoxLayout, QWidget

from gossamer.gui.look import theme
from gossamer.gui.widgets.help_context import explain
from gossamer.gui.widgets.window_geometry import fitted

_USUAL: Final = QSize(260, 195)
_BESIDE: Final = 24
"""The width of frame and scroll bars around the screenshot in full size."""
_MARK_WIDTH: Final = 5
"""In pixels of the screenshot, so that marks are visible in a thumbnail, too."""
_ENTER: Final = frozenset({Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space})


class ScreenshotView(QWidget):
    """Shows a screenshot, or a sentence about why there is none."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._unmarked = QPixmap()
        self._screenshot = QPixmap()
        """The screenshot with marks."""
        self._note = QLabel(self)
        self._note.setWordWrap(True)
        self._note.setTextFormat(Qt.TextFormat.PlainText)
        self._note.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._note.setProperty("muted", True)
        self._note.setMargin(theme.SPACE_S)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self._note)
        self.setBackgroundRole(QPalette.ColorRole.Base)
        self.setAutoFillBackground(True)
        self.setMinimumWidth(_USUAL.width() // 2)

    def sizeHint(self) -> QSize:
        """Room for a thumbnail."""
        return _USUAL

    @property
    def has_screenshot(self) -> bool:
        """Whether a screenshot is shown."""
        return not self._screenshot.isNull()

    def text(self) -> str:
        """The sentence shown; "" beside a screenshot."""
        return "" if self._note.isHidden() else self._note.text()

    def show_screenshot(self, jpeg: bytes, why_none: str) -> None:
        """Show a screenshot, or `why_none` if there is none."""
        screenshot = QPixmap()
        screenshot.loadFromData(jpeg, "JPG")  # whatever a project has: SVG could load files
        self._unmarked = self._screenshot = screenshot
        self._note.setVisible(screenshot.isNull())
        self._note.setText(why_none)
        has_screenshot = not screenshot.isNull()
        name = self.tr("Screenshot of the rendered page")
        self.setAccessibleName(name)
        self.setAccessibleDescription("" if has_screenshot else why_none)
        self.setToolTip(self.tr("Click to enlarge") if has_screenshot else "")
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus if has_screenshot else Qt.FocusPolicy.NoFocus)
        shape = Qt.CursorShape.PointingHandCursor if has_screenshot else Qt.CursorShape.ArrowCursor
        self.setCursor(shape)
        self.update()

    def mark(self, boxes: Sequence[QRect]) -> None:
        """Mark these parts of the screenshot, in its pixels, and no others."""
        self._screenshot = self._unmarked
        if boxes and self.has_screenshot:
            self._screenshot = QPixmap(self._unmarked)
            with QPainter(self._screenshot) as painter:
                painter.setPen(QPen(theme.colour("error"), _MARK_WIDTH))
                painter.drawRects([box.adjusted(-1, -1, 1, 1) for box in boxes])
        self.update()

    def enlarge(self) -> QDialog | None:
        """Show the screenshot in full size; None without a screenshot."""
        if not self.has_screenshot:
            return None
        dialog = QDialog(self.window())
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setWindowTitle(self.tr("Screenshot of the rendered page"))
        explain(dialog, "window/details-rendered-page")
        screenshot = QLabel()
        screenshot.setPixmap(self._screenshot)
        scroll = QScrollArea()
        scroll.setWidget(screenshot)
        column = QVBoxLayout(dialog)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(scroll)
        wanted = self._screenshot.size() + QSize(_BESIDE, _BESIDE)
        dialog.resize(fitted((wanted.width(), wanted.height()), self.screen().availableGeometry()))
        dialog.show()
        return dialog

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the screenshot in proportion, from the top, with a thin frame."""
        super().paintEvent(event)
        if not self.has_screenshot:
            return
        room = self.rect().adjusted(theme.SPACE_S, theme.SPACE_S, -theme.SPACE_S, -theme.SPACE_S)
        size = self._screenshot.size().scaled(room.size(), Qt.AspectRatioMode.KeepAspectRatio)
        target = QRect(room.topLeft(), size)
        target.moveLeft(room.left() + (room.width() - size.width()) // 2)
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
            scaled = self._screenshot.scaled(
                size * self.devicePixelRatioF(),
                Qt.AspectRatioMode.IgnoreAspectRatio,
                Qt.TransformationMode.SmoothTransformation,
            )
            painter.drawPixmap(target, scaled)
            painter.setPen(theme.colour("accent" if self.hasFocus() else "border"))
            painter.drawRect(target.adjusted(-1, -1, 0, 0))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Enlarge the screenshot on a click."""
        super().mouseReleaseEvent(event)
        if event.button() == Qt.MouseButton.LeftButton:
            self.enlarge()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enlarge the screenshot on Enter and Space."""
        if event.key() in _ENTER and self.enlarge() is not None:
            return
        super().keyPressEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        """Use the colours of a new palette."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self.update()
