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
"""The width of frame and scroll bars around the picture in full size."""
_MARK_WIDTH: Final = 5
"""In pixels of the picture, so that marks are visible in a thumbnail, too."""
_ENTER: Final = frozenset({Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space})


class ScreenshotView(QWidget):
    """Shows a picture, or a sentence about why there is none."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._unmarked = QPixmap()
        self._picture = QPixmap()
        """The picture with marks."""
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
    def has_picture(self) -> bool:
        """Whether a picture is shown."""
        return not self._picture.isNull()

    def text(self) -> str:
        """The sentence shown; "" beside a picture."""
        return "" if self._note.isHidden() else self._note.text()

    def show_picture(self, jpeg: bytes, why_none: str) -> None:
        """Show a picture, or `why_none` if there is none."""
        picture = QPixmap()
        picture.loadFromData(jpeg, "JPG")  # whatever a project has: SVG could load files
        self._unmarked = self._picture = picture
        self._note.setVisible(picture.isNull())
        self._note.setText(why_none)
        has_picture = not picture.isNull()
        name = self.tr("Screenshot of the rendered page")
        self.setAccessibleName(name)
        self.setAccessibleDescription("" if has_picture else why_none)
        self.setToolTip(self.tr("Click to enlarge") if has_picture else "")
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus if has_picture else Qt.FocusPolicy.NoFocus)
        shape = Qt.CursorShape.PointingHandCursor if has_picture else Qt.CursorShape.ArrowCursor
        self.setCursor(shape)
        self.update()

    def mark(self, boxes: Sequence[QRect]) -> None:
        """Mark these parts of the picture, in its pixels, and no others."""
        self._picture = self._unmarked
        if boxes and self.has_picture:
            self._picture = QPixmap(self._unmarked)
            with QPainter(self._picture) as painter:
                painter.setPen(QPen(theme.colour("error"), _MARK_WIDTH))
                painter.drawRects([box.adjusted(-1, -1, 1, 1) for box in boxes])
        self.update()

    def enlarge(self) -> QDialog | None:
        """Show the picture in full size; None without a picture."""
        if not self.has_picture:
            return None
        dialog = QDialog(self.window())
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setWindowTitle(self.tr("Screenshot of the rendered page"))
        explain(dialog, "window/details-rendered-page")
        picture = QLabel()
        picture.setPixmap(self._picture)
        scroll = QScrollArea()
        scroll.setWidget(picture)
        column = QVBoxLayout(dialog)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(scroll)
        wanted = self._picture.size() + QSize(_BESIDE, _BESIDE)
        dialog.resize(fitted((wanted.width(), wanted.height()), self.screen().availableGeometry()))
        dialog.show()
        return dialog

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the picture in proportion, from the top, with a thin frame."""
        super().paintEvent(event)
        if not self.has_picture:
            return
        room = self.rect().adjusted(theme.SPACE_S, theme.SPACE_S, -theme.SPACE_S, -theme.SPACE_S)
        size = self._picture.size().scaled(room.size(), Qt.AspectRatioMode.KeepAspectRatio)
        target = QRect(room.topLeft(), size)
        target.moveLeft(room.left() + (room.width() - size.width()) // 2)
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
            scaled = self._picture.scaled(
                size * self.devicePixelRatioF(),
                Qt.AspectRatioMode.IgnoreAspectRatio,
                Qt.TransformationMode.SmoothTransformation,
            )
            painter.drawPixmap(target, scaled)
            painter.setPen(theme.colour("accent" if self.hasFocus() else "border"))
            painter.drawRect(target.adjusted(-1, -1, 0, 0))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Enlarge the picture on a click."""
        super().mouseReleaseEvent(event)
        if event.button() == Qt.MouseButton.LeftButton:
            self.enlarge()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enlarge the picture on Enter and Space."""
        if event.key() in _ENTER and self.enlarge() is not None:
            return
        super().keyPressEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        """Use the colours of a new palette."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self.update()
