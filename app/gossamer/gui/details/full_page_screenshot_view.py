"""Shows the screenshot of a whole page, which scrolls and has links to follow."""

from collections import OrderedDict
from typing import Final

from PySide6.QtCore import QPoint, QRect, QRectF, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPixmap, QResizeEvent
from PySide6.QtWidgets import QAbstractScrollArea, QFrame, QWidget

from gossamer.model.messages.stored_page_messages import (
    FullPageScreenshot,
    PageScreen,
    ScreenshotLink,
)

_MOST_DECODED: Final = 6
"""The most strips kept decoded: about 6 MB each, at a scale of 2 about 24 MB."""
_NARROWEST, _WIDEST = 480, 1_600
"""The limits of the width of the page's screen in CSS pixels."""
_MOST_SCALE: Final = 2.0
_STEP: Final = 40
"""The pixels that an arrow key scrolls."""


class FullPageScreenshotView(QAbstractScrollArea):
    """Decodes only visible strips, one at a time.

    `followed` carries the clicked link, `pointed` the address of the link under the pointer, ""
    for none.
    """

    followed = Signal(str)
    pointed = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._screenshot: FullPageScreenshot | None = None
        self._decoded: OrderedDict[int, QPixmap] = OrderedDict()
        self._pointed = ""
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName(self.tr("Screenshot of the archived page"))
        self.setAccessibleDescription(
            self.tr("“Text and images” shows the page as text that can be read and copied.")
        )
        self.verticalScrollBar().setSingleStep(_STEP)
        self.viewport().setMouseTracking(True)

    def show_screenshot(self, screenshot: FullPageScreenshot | None) -> None:
        """Show a screenshot, scrolled to its top; None for none."""
        self._screenshot = screenshot
        self._decoded.clear()
        self._point_at("")
        self._arrange()
        self.verticalScrollBar().setValue(0)
        self.viewport().update()

    def screen_of(self, room: int) -> PageScreen:
        """The screen on which a page fits into a width in pixels, including the scroll bar.

        The view does not know its own width before it is shown.
        """
        bar = self.verticalScrollBar().sizeHint().width()
        width = min(max(room - bar, _NARROWEST), _WIDEST)
        return PageScreen(width, min(max(self.devicePixelRatioF(), 1.0), _MOST_SCALE))

    def link_at(self, position: QPoint) -> ScreenshotLink | None:
        """The link at a position of the viewport; of several, the last one of the page."""
        screenshot = self._screenshot
        if screenshot is None:
            return None
        zoom = self._zoom()
        x = (position.x() - self._left()) / zoom
        y = (position.y() + self.verticalScrollBar().value()) / zoom
        for link in reversed(screenshot.links):
            if 0 <= x - link.x < link.width and 0 <= y - link.y < link.height:
                return link
        return None

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the visible strips."""
        painter = QPainter(self.viewport())
        painter.fillRect(event.rect(), self.palette().base())
        screenshot = self._screenshot
        if screenshot is None:
            return
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        zoom, top = self._zoom(), self.verticalScrollBar().value()
        high = screenshot.strip_height * zoom
        first = int((top + event.rect().top()) // high)
        last = int((top + event.rect().bottom()) // high)
        for number in range(first, min(last + 1, len(screenshot.strips))):
            height = min(
                screenshot.strip_height, screenshot.height - number * screenshot.strip_height
            )
            target = QRectF(
                self._left(), number * high - top, screenshot.width * zoom, height * zoom
            )
            strip = self._strip(number)
            painter.drawPixmap(target, strip, QRectF(strip.rect()))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fit the screenshot into the width."""
        super().resizeEvent(event)
        self._arrange()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Scroll to top and end on Home and End, and by a page on Space."""
        bar = self.verticalScrollBar()
        positions = {
            Qt.Key.Key_Home: bar.minimum(),
            Qt.Key.Key_End: bar.maximum(),
            Qt.Key.Key_Space: bar.value() + bar.pageStep(),
        }
        position = positions.get(Qt.Key(event.key()))
        if position is None:
            super().keyPressEvent(event)
        else:
            bar.setValue(position)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Emit the target of the link under the pointer."""
        super().mouseMoveEvent(event)
        link = self.link_at(event.position().toPoint())
        self._point_at("" if link is None else link.url)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Follow a link within the page, or emit the link."""
        super().mouseReleaseEvent(event)
        link = self.link_at(event.position().toPoint())
        if link is None or event.button() != Qt.MouseButton.LeftButton:
            return
        if link.place >= 0:
            self.verticalScrollBar().setValue(round(link.place * self._zoom()))
        else:
            self.followed.emit(link.url)

    def _point_at(self, url: str) -> None:
        if url != self._pointed:
            self._pointed = url
            shape = Qt.CursorShape.PointingHandCursor if url else Qt.CursorShape.ArrowCursor
            self.viewport().setCursor(shape)
            self.pointed.emit(url)

    def _zoom(self) -> float:
        """View pixels per CSS pixel: a screenshot that is too wide is scaled to fit."""
        width = self._screenshot.width if self._screenshot is not None else 1
        return min(1.0, max(1, self.viewport().width()) / width)

    def _left(self) -> int:
        width = self._screenshot.width if self._screenshot is not None else 0
        return max(0, round((self.viewport().width() - width * self._zoom()) / 2))

    def _arrange(self) -> None:
        bar, room = self.verticalScrollBar(), QRect(self.viewport().rect())
        height = 0 if self._screenshot is None else round(self._screenshot.height * self._zoom())
        bar.setPageStep(room.height())
        bar.setRange(0, max(0, height - room.height()))

    def _strip(self, number: int) -> QPixmap:
        strip = self._decoded.get(number)
        if strip is None:
            strip = QPixmap()
            if self._screenshot is not None:
                strip.loadFromData(self._screenshot.strips[number], "JPG")
            self._decoded[number] = strip
            if len(self._decoded) > _MOST_DECODED:
                self._decoded.popitem(last=False)
        self._decoded.move_to_end(number)
        return strip
