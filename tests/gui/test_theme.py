"""The palettes: readable everywhere a text role may stand, and one truth about which is on."""

import itertools

import pytest
from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QColor, QFont, QFontMetricsF
from PySide6.QtWidgets import QApplication, QLabel, QMenu

from gossamer.gui.look import theme
from tests.cases import each_case

pytestmark = pytest.mark.styled

SCHEMES = {"light": theme.LIGHT, "dark": theme.DARK}
GROUNDS = ("window", "base", "alternate", "button", "highlight")


def luminance(colour: QColor) -> float:
    """Relative luminance as WCAG 2.2 defines it."""

    def linear(part: float) -> float:
        return part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4

    red, green, blue = (linear(c) for c in (colour.redF(), colour.greenF(), colour.blueF()))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(a: QColor, b: QColor) -> float:
    low, high = sorted((luminance(a), luminance(b)))
    return (high + 0.05) / (low + 0.05)


@each_case(("name", "role", "ground"), list(itertools.product(SCHEMES, theme.TEXT_ROLES, GROUNDS)))
def test_every_text_colour_has_contrast_on_every_background(
    name: str, role: theme.Role, ground: str
) -> None:
    scheme = SCHEMES[name]
    assert contrast(scheme.roles[role], getattr(scheme, ground)) >= 4.5


@pytest.mark.parametrize("name", SCHEMES)
def test_text_on_an_accent_button_is_readable(name: str) -> None:
    scheme = SCHEMES[name]
    assert contrast(scheme.on_accent, scheme.roles["accent"]) >= 4.5


@pytest.mark.parametrize("name", SCHEMES)
def test_field_outlines_have_contrast(name: str) -> None:
    scheme = SCHEMES[name]
    assert contrast(scheme.roles["outline"], scheme.base) >= 3


@pytest.mark.parametrize(("choice", "dark"), [("light", False), ("dark", True)])
def test_the_chosen_theme_is_applied(
    qapp: QApplication, choice: theme.ThemeChoice, dark: bool
) -> None:
    theme.use(choice)
    assert theme.is_dark() is dark
    assert theme.colour("ok") == SCHEMES[choice].roles["ok"]
    assert qapp.palette().base().color() == SCHEMES[choice].base


@pytest.mark.usefixtures("qapp")
def test_an_unchanged_theme_is_not_applied_again() -> None:
    """To apply_theme a whole window anew takes a fifth of a second, at the start too."""
    theme.use("light")
    label = QLabel()
    label.ensurePolished()
    changes: list[QEvent.Type] = []

    class Watch(QObject):
        def eventFilter(self, _: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
            changes.append(event.type())
            return False

    watch = Watch()
    label.installEventFilter(watch)
    theme.use("system")
    assert changes == []
    theme.use("dark")
    assert QEvent.Type.StyleChange in changes


def test_a_platform_that_knows_no_scheme_gets_the_light_one(qapp: QApplication) -> None:
    theme.use("dark")
    assert qapp.styleHints().colorScheme().name != "Dark"
    theme.use("system")
    assert not theme.is_dark()


def test_digits_have_equal_width(qapp: QApplication) -> None:
    assert qapp is not None
    metrics = QFontMetricsF(theme.tabular(QFont()))
    assert {metrics.horizontalAdvance(d) for d in "0123456789"} == {metrics.horizontalAdvance("0")}


def test_a_menu_that_is_higher_than_the_screen_stays_one_column() -> None:
    menu = QMenu()
    actions = [menu.addAction(f"Entry {number}") for number in range(100)]
    assert menu.sizeHint().height() > menu.screen().availableGeometry().height()
    assert len({menu.actionGeometry(each).x() for each in actions}) == 1
