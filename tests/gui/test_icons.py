"""Icons: every name is drawn, tinted to the palette, sharp, and the licence is with them."""

import pytest
from PySide6.QtCore import QSize
from PySide6.QtGui import QIcon, QImage
from PySide6.QtWidgets import QApplication

from gossamer.gui import icons, theme
from gossamer.model.resources import resource_path


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


@pytest.mark.parametrize("name", sorted(icons.NAMES))
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


def test_every_drawing_is_known_and_licensed() -> None:
    folder = resource_path("icons")
    drawings = {path.stem for path in folder.glob("*.svg")}
    assert drawings == {*icons.NAMES, "gossamer-small"}
    assert "ISC License" in (folder / "LICENSE").read_text("utf-8")
