"""Draws the icons of the program and of its files from their SVG files, in every size and format.

Usage: .venv/bin/python packaging/program_icons.py [--theme] FOLDER

writes the icon theme below FOLDER/share/icons/hicolor, as below a prefix such as /usr, and for
Windows and macOS FOLDER/NAME.ico and NAME.icns of each icon; with --theme the theme only.
"""

from __future__ import annotations

import itertools
import os
import struct
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

import desktop_metadata as about
from PySide6.QtCore import QBuffer, QIODevice, Qt
from PySide6.QtGui import QImage, QImageWriter, QPainter
from PySide6.QtSvg import QSvgRenderer
from script_arguments import script_arguments

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop_metadata import Icon

LINUX_SIZES: Final = (16, 22, 24, 32, 48, 64, 96, 128, 192, 256, 512)
WINDOWS_SIZES: Final = (16, 20, 24, 32, 40, 48, 64, 256)
MACOS_TYPES: Final = {
    b"icp4": 16,
    b"icp5": 32,
    b"ic11": 32,  # 16 for displays with twice the pixels, and so on
    b"ic12": 64,
    b"ic07": 128,
    b"ic13": 256,
    b"ic08": 256,
    b"ic14": 512,
    b"ic09": 512,
    b"ic10": 1024,
}
"""The kinds of picture in an icns file that are PNG files, with their sizes in pixels."""
SMALL: Final = 24
"""Up to this size a simpler drawing is used, as the window does."""
_PNG_ENTRY: Final = 256
"""The size from which Windows reads PNG; smaller ones are bitmaps, for programs that do not."""


def write_icon_theme(prefix: Path) -> list[Path]:
    """Write every icon in each size below `prefix`/share/icons/hicolor; returns the paths."""
    theme = prefix / "share" / "icons" / "hicolor"
    made = []
    for icon, size in itertools.product(about.ICONS, LINUX_SIZES):
        path = theme / f"{size}x{size}" / icon.context / f"{icon.name}.png"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(png(drawn(icon, size)))
        made.append(path)
    return made


def write_ico(path: Path, icon: Icon = about.PROGRAM_ICON) -> None:
    """Write the icon as Windows wants it."""
    pictures = [(size, _ico_picture(drawn(icon, size), size)) for size in WINDOWS_SIZES]
    offset = 6 + 16 * len(pictures)
    head, bodies = struct.pack("<HHH", 0, 1, len(pictures)), b""
    for size, body in pictures:
        side = size % 256  # 0 is 256
        where = offset + len(bodies)
        head += struct.pack("<BBBBHHII", side, side, 0, 0, 1, 32, len(body), where)
        bodies += body
    path.write_bytes(head + bodies)


def write_icns(path: Path, icon: Icon = about.PROGRAM_ICON) -> None:
    """Write the icon as macOS wants it."""
    chunks = [(kind, png(drawn(icon, size))) for kind, size in MACOS_TYPES.items()]
    body = b"".join(kind + struct.pack(">I", 8 + len(data)) + data for kind, data in chunks)
    path.write_bytes(b"icns" + struct.pack(">I", 8 + len(body)) + body)


def drawn(icon: Icon, size: int) -> QImage:
    """The icon, `size` pixels wide and high, on nothing."""
    source = (icon.small_drawing if size <= SMALL else None) or icon.drawing
    image = QImage(size, size, QImage.Format.Format_ARGB32)
    image.fill(Qt.GlobalColor.transparent)
    renderer = QSvgRenderer(source.read_bytes())
    if not renderer.isValid():
        raise ValueError(f"{source} is no SVG file")
    with QPainter(image) as painter:
        renderer.render(painter)
    return image


def png(image: QImage) -> bytes:
    """The image as a PNG file."""
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    QImageWriter(buffer, b"png").write(image)
    return bytes(buffer.data().data())


def _ico_picture(image: QImage, size: int) -> bytes:
    """A PNG file, or a bitmap without file header: rows from below, then a mask of nothing."""
    if size >= _PNG_ENTRY:
        return png(image)
    head = struct.pack("<IiiHHIIiiII", 40, size, 2 * size, 1, 32, 0, 0, 0, 0, 0, 0)
    pixels = bytes(image.flipped(Qt.Orientation.Vertical).constBits())
    mask_row = (size + 31) // 32 * 4
    return head + pixels + bytes(mask_row * size)


def main(arguments: Sequence[str]) -> int:
    """Write all of them below the folder that is named."""
    (name,), options = script_arguments(
        __doc__, arguments, operands=range(1, 2), options={"--theme"}
    )
    folder = Path(name)
    write_icon_theme(folder)
    if "--theme" in options:
        return 0
    for icon in about.ICONS:
        write_ico(folder / f"{icon.name}.ico", icon)
        write_icns(folder / f"{icon.name}.icns", icon)
    return 0


if __name__ == "__main__":
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    sys.exit(main(sys.argv[1:]))
