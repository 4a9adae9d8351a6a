"""The light and dark palettes, spacing and tabular digits, on top of Qt's Fusion style.

The current palette is read from the application, so that there is only one source: `colour` returns
that of whatever `use` applied last. A widget that keeps a colour or an icon updates it on
`QEvent.Type.PaletteChange`; models need nothing, as views query them again when they repaint.
"""

from dataclasses import dataclass
from functools import cache
from typing import Final, Literal, get_args

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QFont, QGuiApplication, QPalette
from PySide6.QtWidgets import QApplication

from gossamer.gui.look.stylesheet import StylesheetColours, stylesheet
from gossamer.model.program_resources import resource_path

Role = Literal[
    "text",
    "ok",
    "redirect",
    "error",
    "warning",
    "skipped",
    "pending",
    "muted",
    "accent",
    "border",
    "outline",
    "track",
]
"""What a colour means.

`border` divides areas, `outline` surrounds fields, `track` is the background of bars; all others
are readable as text.
"""

TEXT_ROLES: Final[tuple[Role, ...]] = tuple(
    role for role in get_args(Role) if role not in {"border", "outline", "track"}
)
ThemeChoice = Literal["system", "light", "dark"]

SPACE_XS: Final = 4
UNLIMITED: Final = (1 << 24) - 1
"""The largest size of a widget: Qt's QWIDGETSIZE_MAX."""
SPACE_S: Final = 8
SPACE_M: Final = 12
SPACE_L: Final = 16
"""The spacing scale, in device-independent pixels. Margins and gaps are one of these."""


@dataclass(frozen=True, slots=True)
class ColourScheme:
    """A complete set of colours. All text roles stay readable on the tint `highlight`."""

    window: QColor
    base: QColor
    alternate: QColor
    button: QColor
    highlight: QColor
    on_accent: QColor
    roles: dict[Role, QColor]


LIGHT: Final = ColourScheme(
    window=QColor("#f4f5f7"),
    base=QColor("#ffffff"),
    alternate=QColor("#f8f9fb"),
    button=QColor("#ffffff"),
    highlight=QColor("#d9e6fb"),
    on_accent=QColor("#ffffff"),
    roles={
        "text": QColor("#1b2027"),
        "ok": QColor("#136f2d"),
        "redirect": QColor("#6d3bc2"),
        "error": QColor("#b8201f"),
        "warning": QColor("#875000"),
        "skipped": QColor("#59626d"),
        "pending": QColor("#3f6285"),
        "muted": QColor("#565f6a"),
        "accent": QColor("#1f57c8"),
        "border": QColor("#d3d8de"),
        "outline": QColor("#868f9a"),
        "track": QColor("#e6e9ed"),
    },
)
DARK: Final = ColourScheme(
    window=QColor("#1f2227"),
    base=QColor("#17191d"),
    alternate=QColor("#1b1e23"),
    button=QColor("#2b2f36"),
    highlight=QColor("#28415f"),
    on_accent=QColor("#101828"),
    roles={
        "text": QColor("#e3e6ea"),
        "ok": QColor("#5fce82"),
        "redirect": QColor("#c3a3fa"),
        "error": QColor("#ff8a80"),
        "warning": QColor("#e8b84a"),
        "skipped": QColor("#a8b1bc"),
        "pending": QColor("#9dbce0"),
        "muted": QColor("#a5afba"),
        "accent": QColor("#82b1ff"),
        "border": QColor("#3a4048"),
        "outline": QColor("#6b7480"),
        "track": QColor("#2d3239"),
    },
)


@cache
def is_dark() -> bool:
    """Whether the current palette is the dark one. Asked for each cell that is painted."""
    return QGuiApplication.palette().color(QPalette.ColorRole.Base).lightness() < 128  # noqa: PLR2004 - the middle of Qt's scale


def scheme() -> ColourScheme:
    """The current colours."""
    return DARK if is_dark() else LIGHT


def colour(role: Role) -> QColor:
    """The colour of `role` in the current palette. Do not change the result."""
    return scheme().roles[role]


def use_palette(choice: ThemeChoice) -> ColourScheme:
    """Have widgets made in Fusion and our colours; `use` styles them. Needs a QApplication.

    "system" follows the desktop; if the platform does not know (Unknown), that is light.
    """
    app = _application()
    dark = choice == "dark" or (
        choice == "system" and app.styleHints().colorScheme() is Qt.ColorScheme.Dark
    )
    colours = DARK if dark else LIGHT
    if not app.styleSheet() and app.style().name().lower() != "fusion":
        app.setStyle("Fusion")
    app.setPalette(palette(colours))
    is_dark.cache_clear()
    return colours


def use(choice: ThemeChoice) -> None:
    """Style the application: Fusion, our palette, our style sheet. Needs a QApplication.

    Styling whole windows at once takes half the time of styling widget by widget.
    """
    sheet = _sheet(use_palette(choice))
    app = _application()
    if app.styleSheet() != sheet:  # each widget would be styled again
        app.setStyleSheet(sheet)


def _application() -> QApplication:
    app = QApplication.instance()
    if not isinstance(app, QApplication):
        raise TypeError("a theme needs a QApplication")
    return app


def _sheet(colours: ColourScheme) -> str:
    roles = colours.roles
    return stylesheet(
        StylesheetColours(
            window=colours.window.name(),
            base=colours.base.name(),
            button=colours.button.name(),
            highlight=colours.highlight.name(),
            text=roles["text"].name(),
            muted=roles["muted"].name(),
            faded=_between(roles["muted"], colours.window).name(),
            border=roles["border"].name(),
            outline=roles["outline"].name(),
            track=roles["track"].name(),
            accent=roles["accent"].name(),
            error=roles["error"].name(),
            ok=roles["ok"].name(),
            redirect=roles["redirect"].name(),
            warning=roles["warning"].name(),
            on_accent=colours.on_accent.name(),
            controls=resource_path("icons", "controls").as_posix(),
            kind="dark" if colours is DARK else "light",
        )
    )


def palette(colours: ColourScheme) -> QPalette:
    """`colours` as a Qt palette, disabled colours included."""
    roles = colours.roles
    group = QPalette.ColorGroup
    role = QPalette.ColorRole
    result = QPalette(colours.button, colours.window)
    for name, value in (
        (role.Window, colours.window),
        (role.Base, colours.base),
        (role.AlternateBase, colours.alternate),
        (role.Button, colours.button),
        (role.ToolTipBase, colours.base),
        (role.Highlight, colours.highlight),
        (role.Mid, roles["border"]),
        (role.Midlight, roles["track"]),
        (role.Accent, roles["accent"]),
        (role.Link, roles["accent"]),
        (role.LinkVisited, roles["redirect"]),
        (role.PlaceholderText, roles["muted"]),
        (role.BrightText, roles["error"]),
    ):
        result.setColor(name, value)
    for name in (role.WindowText, role.Text, role.ButtonText, role.HighlightedText):
        result.setColor(name, roles["text"])
        result.setColor(group.Disabled, name, _between(roles["muted"], colours.window))
    result.setColor(role.ToolTipText, roles["text"])
    result.setColor(group.Disabled, role.Highlight, roles["track"])
    return result


def mixed(role: Role, share: float) -> QColor:
    """The background of a view with this share of the colour of `role` in it."""
    ground, ink = scheme().base, colour(role)
    channels = (
        (ground.red(), ink.red()),
        (ground.green(), ink.green()),
        (ground.blue(), ink.blue()),
    )
    return QColor(*(round(a + (b - a) * share) for a, b in channels))


def tabular(font: QFont) -> QFont:
    """A copy of `font` whose digits are all equally wide, so that counters do not wobble."""
    result = QFont(font)
    result.setFeature(QFont.Tag("tnum"), 1)
    return result


def _between(a: QColor, b: QColor) -> QColor:
    return QColor(
        (a.red() + b.red()) // 2, (a.green() + b.green()) // 2, (a.blue() + b.blue()) // 2
    )
