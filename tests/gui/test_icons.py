"""Icons: every name is drawn on one grid, tinted to the palette, and sharp."""

import pytest
from PySide6.QtCore import QSize
from PySide6.QtGui import QIcon, QImage
from PySide6.QtWidgets import QApplication

from gossamer.gui.look import icons, theme
from gossamer.model.program_resources import resource_path
from tests.cases import each_case

pytestmark = pytest.mark.styled


def strongest_colour(icon: QIcon) -> str:
    image = icon.pixmap(QSize(48, 48)).toImage().convertToFormat(QImage.Format.Format_ARGB32)
    opaque = [
        image.pixelColor(x, y)
        for x in range(image.width())
        for y in range(image.height())
        if image.pixelColor(x, y).alpha() == 255
    ]
    assert opaque, "nothing is drawn"
    return opaque[0].name()


@each_case("name", sorted(icons.NAMES))
def test_every_icon_is_drawn(qapp: QApplication, name: str) -> None:
    assert qapp is not None
    theme.use("light")
    assert strongest_colour(icons.icon(name))


def test_an_icon_follows_the_palette(qapp: QApplication) -> None:
    assert qapp is not None
    for choice, scheme in (("light", theme.LIGHT), ("dark", theme.DARK)):
        theme.use(choice)  # type: ignore[arg-type] # two of its three words
        assert strongest_colour(icons.icon("error")) == scheme.roles["error"].name()
        assert strongest_colour(icons.icon("page", "muted")) == scheme.roles["muted"].name()


def test_an_icon_is_rendered_once(qapp: QApplication) -> None:
    assert qapp is not None
    assert icons.icon("page").cacheKey() == icons.icon("page").cacheKey()


def test_every_icon_file_is_used_and_has_the_common_style() -> None:
    drawings = {path.stem: path.read_text("utf-8") for path in resource_path("icons").glob("*.svg")}
    assert drawings.keys() == {*icons.NAMES, "gossamer-small"}
    for name, drawing in drawings.items():
        if not name.startswith("gossamer"):
            assert 'viewBox="0 0 16 16" fill="none" stroke="currentColor"' in drawing, name
            assert 'stroke-width="1.5" stroke-linecap="round"' in drawing, name


@pytest.mark.parametrize("name", ["table", "columns", "panel"])
def test_straight_lines_have_sharp_edges(qapp: QApplication, name: str) -> None:
    """The upper edge of a frame begins on a whole pixel."""
    assert qapp is not None
    image = icons.icon(name).pixmap(QSize(16, 16)).toImage()
    assert [image.pixelColor(8, y).alpha() for y in (1, 2)] == [0, 255]
