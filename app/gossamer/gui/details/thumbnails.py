"""Makes thumbnails of image files. Nothing but the given bytes is loaded.

May be called in any thread; it takes up to a second.
"""

from typing import Final, NamedTuple

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QRectF, QSize, Qt
from PySide6.QtGui import QImage, QImageIOHandler, QImageReader, QPainter
from PySide6.QtSvg import QSvgRenderer

from gossamer.model.messages.page_image_messages import ImageFile, ImageFormat

MAX_SIDE: Final = 512
"""The largest side of a thumbnail in pixels."""
_MAX_PIXELS: Final = 40_000_000
"""Larger images are not decoded, because most formats cannot be decoded in part."""
_ALLOCATION_MIB: Final = 192
_MAX_ICONS: Final = 32
"""The most sizes of an icon that are read."""


class Thumbnail(NamedTuple):
    """The intrinsic size of an image in pixels, 0 if it is not known, and its thumbnail.

    There is no picture if the image cannot be decoded or `is_too_wide`.
    """

    width: int = 0
    height: int = 0
    picture: QImage | None = None
    is_too_wide: bool = False


def thumbnail(file: ImageFile) -> Thumbnail:
    """The thumbnail of an image file."""
    if file.format is ImageFormat.SVG:
        return _drawn(file)
    return _decoded(file.body, file.format) if file.body and file.format else Thumbnail()


def _decoded(body: bytes, kind: ImageFormat) -> Thumbnail:
    QImageReader.setAllocationLimit(_ALLOCATION_MIB)
    data = QByteArray(body)
    buffer = QBuffer(data)
    buffer.open(QIODevice.OpenModeFlag.ReadOnly)
    reader = QImageReader(buffer, kind.value.encode())
    reader.setAutoDetectImageFormat(False)
    reader.setAutoTransform(True)
    if kind is ImageFormat.ICO:
        _turn_to_largest(reader)
    size = reader.size()
    if size.isEmpty():
        return Thumbnail()
    turned = reader.transformation() & QImageIOHandler.Transformation.TransformationRotate90
    width, height = size.toTuple()
    if turned:
        width, height = height, width
    if width * height > _MAX_PIXELS:
        return Thumbnail(width, height, is_too_wide=True)
    if max(width, height) > MAX_SIDE:
        reader.setScaledSize(_bounded(size))
    picture = reader.read()
    return Thumbnail(width, height, None if picture.isNull() else picture)


def _turn_to_largest(reader: QImageReader) -> None:
    """Select the largest of the images in an icon."""
    widths = {}
    for index in range(min(reader.imageCount(), _MAX_ICONS)):
        if reader.jumpToImage(index):
            widths[reader.size().width()] = index
    if widths:
        reader.jumpToImage(widths[max(widths)])


def _drawn(file: ImageFile) -> Thumbnail:
    renderer = QSvgRenderer(QByteArray(file.body)) if file.body else None
    if renderer is None or not renderer.isValid() or renderer.defaultSize().isEmpty():
        return Thumbnail(file.width, file.height)
    own = QSize(file.width, file.height) if file.width and file.height else renderer.defaultSize()
    size = _bounded(own) if max(own.toTuple()) > MAX_SIDE else own
    picture = QImage(size, QImage.Format.Format_ARGB32_Premultiplied)
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    renderer.setAspectRatioMode(Qt.AspectRatioMode.KeepAspectRatio)
    renderer.render(painter, QRectF(0, 0, size.width(), size.height()))
    painter.end()
    return Thumbnail(file.width, file.height, picture)


def _bounded(size: QSize) -> QSize:
    bounded = size.scaled(MAX_SIDE, MAX_SIDE, Qt.AspectRatioMode.KeepAspectRatio)
    return bounded.expandedTo(QSize(1, 1))
