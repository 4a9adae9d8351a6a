"""Renders the SVG icons of resources/icons in the colours of the current palette.

The drawings are our own: lines of 1.5 on a grid of 16, in `currentColor`, whose edges fall on whole
pixels. Each is rendered once per colour, sharp at 100 to 200 % scaling, when it is first painted.
The icon of the program itself keeps its own colours. Icon fonts were tried instead (QtAwesome 1.4):
the first 15 icons took 230 ms and 40 MiB, where these take 15 ms and 4 MiB.
"""

from functools import cache
from typing import ClassVar, Final

from PySide6.QtCore import QByteArray, QRect, QSize, Qt
from PySide6.QtGui import QIcon, QIconEngine, QPainter, QPalette, QPixmap
from PySide6.QtSvg import QSvgRenderer

from gossamer.gui.look.theme import Role, colour, is_dark, palette, scheme
from gossamer.model.program_resources import resource_path

NAMES: Final[dict[str, Role]] = {
    "page": "ok",
    "redirect": "redirect",
    "error": "error",
    "warning": "warning",
    "skipped": "skipped",
    "queued": "pending",
    "file": "muted",
    "folder": "muted",
    "site": "accent",
    "cancelled": "muted",
    "finished": "ok",
    "start": "text",
    "pause": "text",
    "resume": "text",
    "cancel": "text",
    "settings": "text",
    "export": "text",
    "archive": "text",
    "open": "text",
    "filter": "muted",
    "columns": "muted",
    "tree": "text",
    "table": "text",
    "links": "text",
    "regex": "muted",
    "search": "muted",
    "copy": "text",
    "compare": "text",
    "added": "ok",
    "missing": "error",
    "changed": "accent",
    "external": "text",
    "close": "muted",
    "new": "text",
    "recent": "muted",
    "reset": "muted",
    "info": "accent",
    "opportunity": "accent",
    "count": "muted",
    "audit": "text",
    "more": "muted",
    "note": "redirect",
    "help": "muted",
    "back": "text",
    "forward": "text",
    "bookmark": "muted",
    "panel": "muted",
    "gossamer": "text",
}
"""Every icon and the default role of its colour."""

_SIZES: Final = (16, 20, 24, 32, 48)
_APP_SIZES: Final = (16, 20, 24, 32, 48, 64, 128, 256)
_SMALL: Final = 24
"""Up to this size in pixels the program's icon is drawn with fewer threads."""


class PaletteIcon(QIconEngine):
    """An icon engine that paints the icon `name` in the current palette.

    Widgets, actions and models keep such an icon across changes of the palette.
    """

    _clones: ClassVar[list[QIconEngine]] = []
    """Qt owns a copy that it requests, unknown to PySide: it must not be collected."""

    def __init__(self, name: str, role: Role | None) -> None:
        super().__init__()
        self._name = name
        self._role = role

    def paint(self, painter: QPainter, rect: QRect, mode: QIcon.Mode, state: QIcon.State) -> None:
        """Draw it into `rect`."""
        self._drawn().paint(painter, rect, Qt.AlignmentFlag.AlignCenter, mode, state)

    def pixmap(self, size: QSize, mode: QIcon.Mode, state: QIcon.State) -> QPixmap:
        """Draw it as a pixmap of this size."""
        return self._drawn().pixmap(size, 1.0, mode, state)

    def actualSize(self, size: QSize, mode: QIcon.Mode, state: QIcon.State) -> QSize:
        """As large as requested."""
        del mode, state
        return size

    def clone(self) -> QIconEngine:
        """Return a copy, which Qt makes of an icon that is changed."""
        copy = PaletteIcon(self._name, self._role)
        self._clones.append(copy)
        return copy

    def _drawn(self) -> QIcon:
        return _icon(self._name, self._role, dark=is_dark())


@cache
def icon(name: str, role: Role | None = None) -> QIcon:
    """The icon `name` (a key of NAMES) in the colour of `role`, in the current palette.

    Cheap after the first call: models may call it for each cell. Needs a QGuiApplication.
    """
    if name == "gossamer":
        return _app_icon()
    return QIcon(PaletteIcon(name, role or NAMES[name]))


@cache
def blank_icon() -> QIcon:
    """An icon that shows nothing: the texts of rows with and without one stand in line."""
    pixmap = QPixmap(QSize(_SIZES[0], _SIZES[0]))
    pixmap.fill(Qt.GlobalColor.transparent)
    return QIcon(pixmap)


@cache
def on_accent(name: str) -> QIcon:
    """The icon `name` for a button filled with the accent colour."""
    return QIcon(PaletteIcon(name, None))


@cache
def _icon(name: str, role: Role | None, *, dark: bool) -> QIcon:
    del dark  # only part of the cache's key
    drawing = _drawing(name)
    result = QIcon()
    tint = scheme().on_accent if role is None else colour(role)
    faded = palette(scheme()).color(QPalette.ColorGroup.Disabled, QPalette.ColorRole.Text)
    # Without a mode of its own, a selected icon would be washed with the highlight.
    as_it_is = (QIcon.Mode.Normal, QIcon.Mode.Selected)
    for shade, modes in ((tint, as_it_is), (faded, (QIcon.Mode.Disabled,))):
        renderer = _renderer(drawing.replace("currentColor", shade.name()))
        for size in _SIZES:
            pixmap = _pixmap(renderer, size)
            for mode in modes:
                result.addPixmap(pixmap, mode)
    return result


def _app_icon() -> QIcon:
    result = QIcon()
    small, large = (_renderer(_drawing(name)) for name in ("gossamer-small", "gossamer"))
    for size in _APP_SIZES:
        result.addPixmap(_pixmap(small if size <= _SMALL else large, size))
    return result


def _drawing(name: str) -> str:
    return resource_path("icons", f"{name}.svg").read_text("utf-8")


def _renderer(drawing: str) -> QSvgRenderer:
    return QSvgRenderer(QByteArray(drawing.encode()))


def _pixmap(renderer: QSvgRenderer, size: int) -> QPixmap:
    result = QPixmap(QSize(size, size))
    result.fill(Qt.GlobalColor.transparent)
    with QPainter(result) as painter:
        renderer.render(painter)
    return result
