"""The selected image of a page: a thumbnail, and what is known about its size."""

from collections.abc import Iterable
from typing import Final

from PySide6.QtCore import QEvent, QRect, QSize, Qt
from PySide6.QtGui import QImage, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QWidget

from gossamer.gui.details.fetch_bar import reason_unread
from gossamer.gui.details.thumbnails import Thumbnail
from gossamer.gui.look import theme
from gossamer.gui.text import local_formatting as formatting
from gossamer.gui.text.local_formatting import translator
from gossamer.model.messages.page_image_messages import MAX_FILE_BYTES, ImageFile, ImageFormat

_tr = translator("ImagePane")
_CHECK: Final = 8
"""The side of the squares behind transparent parts."""
_LEAST: Final = QSize(96, 64)
_FORMATS: Final = {
    ImageFormat.PNG: "PNG",
    ImageFormat.JPEG: "JPEG",
    ImageFormat.GIF: "GIF",
    ImageFormat.WEBP: "WebP",
    ImageFormat.BMP: "BMP",
    ImageFormat.ICO: "ICO",
    ImageFormat.SVG: "SVG",
    ImageFormat.AVIF: "AVIF",
    ImageFormat.JPEG_XL: "JPEG XL",
    ImageFormat.TIFF: "TIFF",
}


def dimensions(width: int | str, height: int | str) -> str:
    """Width and height with a multiplication sign between them."""
    return f"{width} \N{MULTIPLICATION SIGN} {height}"


def file_facts(file: ImageFile, shown: Thumbnail) -> list[str]:
    """What is known about an image file: format, intrinsic size, size in bytes."""
    name = "" if file.format is None else _FORMATS[file.format]
    size = dimensions(shown.width, shown.height) if shown.width else ""
    length = formatting.size(file.size_bytes) if file.fetched.is_read else ""
    return [name, size and _tr("{size} px").format(size=size), length]


def reason_not_shown(file: ImageFile, shown: Thumbnail) -> str:
    """A sentence about why there is no thumbnail; "" if there is one."""
    if shown.picture is not None:
        return ""
    if not file.fetched.is_read:
        if file.is_too_large:
            return _tr("Files of more than {size} are not shown.").format(
                size=formatting.size(MAX_FILE_BYTES)
            )
        is_empty = file.fetched.status is not None and file.fetched.status // 100 == 2  # noqa: PLR2004 - success
        return (
            _tr("The file is empty.")
            if is_empty and not file.fetched.detail
            else reason_unread(file.fetched)
        )
    if file.format is None:
        words = _tr("The file is not an image of a known format.")
        return "\n".join(filter(None, (words, formatting.clean(file.content_type))))
    return _reason_not_decoded(file.format, shown, has_body=bool(file.body))


def _reason_not_decoded(kind: ImageFormat, shown: Thumbnail, *, has_body: bool) -> str:
    if not has_body and kind is ImageFormat.SVG:
        return _tr("Only SVG images made of plain shapes are shown: others could load files.")
    if not has_body:
        return _tr("{format} images cannot be shown here.").format(format=_FORMATS[kind])
    if shown.is_too_wide:
        return _tr("The image has too many pixels to be shown.")
    return _tr("The file is damaged: it cannot be decoded.")


class ImagePane(QWidget):
    """Shows a thumbnail with facts beside it, or a sentence instead."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.picture = _Picture()
        self.facts = QLabel()
        self.facts.setTextFormat(Qt.TextFormat.PlainText)
        self.facts.setWordWrap(True)
        self.facts.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.facts.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        self.facts.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Ignored)
        self.facts.setMinimumWidth(_LEAST.width())
        row = QHBoxLayout(self)
        row.setContentsMargins(theme.SPACE_S, theme.SPACE_S, theme.SPACE_S, theme.SPACE_S)
        row.setSpacing(theme.SPACE_M)
        row.addWidget(self.picture, 1)
        row.addWidget(self.facts, 1)

    def show_note(self, text: str) -> None:
        """Show why there is no image."""
        self._show(None, "", [], text)

    def show_image(
        self, name: str, file: ImageFile, shown: Thumbnail, more: Iterable[str] = ()
    ) -> None:
        """Show the image `name` with the facts about its file and `more`."""
        facts = (" · ".join(filter(None, file_facts(file, shown))), *more)
        self._show(shown.picture, name, facts, reason_not_shown(file, shown))

    def _show(self, image: QImage | None, name: str, facts: Iterable[str], note: str) -> None:
        text = "\n".join(filter(None, (note, *facts)))
        self.picture.show_image(image)
        self.picture.setVisible(image is not None)
        self.picture.setAccessibleName(name)
        self.facts.setText(text)


class _Picture(QWidget):
    """Paints an image as large as fits, up to its own size."""

    def __init__(self) -> None:
        super().__init__()
        self._image: QImage | None = None
        self.setMinimumSize(_LEAST)

    def show_image(self, image: QImage | None) -> None:
        """Paint this image."""
        self._image = image
        self.update()

    def changeEvent(self, event: QEvent) -> None:
        """Use the colours of a new palette."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the image in the middle, with squares behind transparent parts."""
        del event
        if self._image is None:
            return
        size = self._image.size()
        room = self.size()
        if size.width() > room.width() or size.height() > room.height():
            size = size.scaled(room, Qt.AspectRatioMode.KeepAspectRatio)
        area = QRect(0, 0, max(size.width(), 1), max(size.height(), 1))
        area.moveCenter(self.rect().center())
        painter = QPainter(self)
        if self._image.hasAlphaChannel():
            _paint_squares(painter, area)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        painter.drawImage(area, self._image)
        painter.setPen(theme.colour("border"))
        painter.drawRect(area.adjusted(0, 0, -1, -1))


def _paint_squares(painter: QPainter, area: QRect) -> None:
    painter.fillRect(area, theme.scheme().base)
    for y in range(0, area.height(), _CHECK):
        for x in range(y // _CHECK % 2 * _CHECK, area.width(), 2 * _CHECK):
            square = QRect(area.left() + x, area.top() + y, _CHECK, _CHECK)
            painter.fillRect(square & area, theme.colour("track"))
