"""The whole widget tree as those meet it who see, point or click differently."""

import re
from collections.abc import Callable, Coroutine, Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSpinBox,
    QComboBox,
    QDialog,
    QLineEdit,
    QTabBar,
    QWidget,
)

import gossamer
from gossamer.gui.actions.window_actions import WindowAction
from gossamer.gui.crawler_access import access_dialog
from gossamer.gui.history import history_window
from gossamer.gui.redirects import redirect_dialog
from gossamer.gui.settings.settings_dialog import SettingsDialog
from gossamer.gui.sql import sql_window
from tests.gui.conftest import Run
from tests.gui.stage import Stage, staged, until

pytestmark = pytest.mark.styled

Scene = Callable[[Stage], Coroutine[Any, Any, None]]
Play = Callable[[Scene], None]

TARGET = 24
"""The least width and height of what is clicked, in pixels: WCAG 2.2, 2.5.8."""
MOST_STEPS = 200
_COLOUR = re.compile(r"#[0-9a-fA-F]{6}\b|Qt\.GlobalColor\.(?!transparent)|QColor\(\s*\d")
_WHERE_COLOURS_ARE = {"theme.py"}


@pytest.fixture
def play(run: Run[None], tmp_path: Path) -> Play:
    def play_scene(scene: Scene) -> None:
        async def main() -> None:
            async with staged(tmp_path) as stage:
                stage.window.activateWindow()
                await scene(stage)

        run(main())

    return play_scene


async def start_page(stage: Stage) -> QWidget:
    await until(stage.window.start_page.isVisible)
    return stage.window


async def workspace(stage: Stage) -> QWidget:
    await stage.start()
    return stage.window


async def settings(stage: Stage) -> QWidget:
    stage.trigger(WindowAction.SETTINGS)
    shown = await dialog(stage, "settings-dialog")
    assert isinstance(shown, SettingsDialog)
    for section in reversed(range(shown.sections.count())):
        shown.sections.setCurrentRow(section)  # the descriptions of its rows are made
    return shown


async def export(stage: Stage) -> QWidget:
    await stage.start()
    stage.trigger(WindowAction.EXPORT)
    return await dialog(stage, "export-dialog")


async def dialog(stage: Stage, name: str) -> QWidget:
    found = stage.window.findChild(QDialog, name)
    assert found is not None
    found.activateWindow()
    await until(lambda: found.isVisible() and found.focusWidget() is not None)
    return found


Place = Callable[[Stage], Coroutine[Any, Any, QWidget]]


@pytest.mark.parametrize("place", [start_page, workspace, settings, export])
def test_everybody_finds_and_reaches_what_a_window_offers(play: Play, place: Place) -> None:
    """One window for all of it, which takes longer to build than to look at."""

    async def scene(stage: Stage) -> None:
        window = await place(stage)
        found = {
            "focusable without a name": [each for each in takers(window) if not spoken_name(each)],
            "too small to click": too_small(window),
            "out of reach of Tab": out_of_reach(window),
        }
        stage.window.workspace.show_panels(WindowAction.SIDE, shown=True)
        stage.window.workspace.show_panels(WindowAction.DETAILS, shown=True)
        found["buttons and fields without a name"] = nameless(window)
        found["names or descriptions with markup"] = names_with_markup(window)
        assert not any(found.values()), found

    play(scene)


DIALOGS = {
    WindowAction.CRAWLER_ACCESS: access_dialog.NAME,
    WindowAction.CHECK_REDIRECTS: redirect_dialog.NAME,
    WindowAction.HISTORY: history_window.NAME,
    WindowAction.SQL: sql_window.NAME,
}


def test_every_focusable_widget_of_other_dialogs_has_an_accessible_name(play: Play) -> None:
    """Each opens from one window, which takes longer to build than to look at."""

    async def scene(stage: Stage) -> None:
        await stage.start()
        found = {}
        for action, name in DIALOGS.items():
            stage.trigger(action)
            shown = await dialog(stage, name)
            found[name] = [widget for widget in takers(shown) if not spoken_name(widget)]
            shown.close()
        assert not any(found.values()), found

    play(scene)


def nameless(window: QWidget) -> list[str]:
    """Those too that the mouse alone reaches, and what has the keyboard in a combo box."""
    kinds = (*window.findChildren(QAbstractButton), *window.findChildren(QLineEdit))
    return [
        f"{type(each).__name__} {each.objectName()} of {type(each.parent()).__name__}"
        for each in kinds
        if each.isVisible() and not said(each, QAccessible.Text.Name)
    ]


def names_with_markup(window: QWidget) -> list[str]:
    texts = (QAccessible.Text.Name, QAccessible.Text.Description)
    read = [said(each, text) for each in window.findChildren(QWidget) for text in texts]
    return [text for text in read if "<" in text]


def said(widget: QWidget, text: QAccessible.Text) -> str:
    """What a screen reader has of a widget."""
    spoken = QAccessible.queryAccessibleInterface(widget)
    return "" if spoken is None else spoken.text(text)


def out_of_reach(window: QWidget) -> list[QWidget]:
    """What Tab does not stop at, though it should."""
    reached: list[QWidget] = []
    for _ in range(MOST_STEPS):
        focused = window.focusWidget()
        assert focused is not None
        if focused in reached:
            break
        reached.append(focused)
        QTest.keyClick(focused, Qt.Key.Key_Tab)
    return [each for each in takers(window) if each not in reached]


def too_small(window: QWidget) -> dict[str, object]:
    """What is clicked, by its name, with its size."""
    return {
        widget.objectName() or spoken_name(widget): widget.size().toTuple()
        for widget in window.findChildren(QWidget)
        if isinstance(widget, QAbstractButton | QComboBox | QAbstractSpinBox)
        and widget.isVisible()
        and not is_inner(widget)
        and min(widget.width(), widget.height()) < TARGET
    }


def test_colours_are_defined_in_the_palettes_only() -> None:
    folder = Path(gossamer.__file__).parent / "gui"
    found = [
        f"{path.name}:{number}"
        for path in sorted(folder.rglob("*.py"))
        if path.name not in _WHERE_COLOURS_ARE
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if _COLOUR.search(line)
    ]
    assert found == []


def takers(window: QWidget) -> Iterator[QWidget]:
    """The widgets in sight that Tab should stop at."""
    for widget in window.findChildren(QWidget):
        by_tab = widget.focusPolicy() & Qt.FocusPolicy.TabFocus == Qt.FocusPolicy.TabFocus
        alive = widget.isVisible() and widget.isEnabled() and widget.window() is window
        if by_tab and alive and not widget.focusProxy() and not is_inner(widget):
            yield widget


def is_inner(widget: QWidget) -> bool:
    """Whether Qt put it into another widget, which speaks for it and can be used without it."""
    parent = widget.parentWidget()
    return widget.objectName().startswith("qt_") or isinstance(
        parent, QComboBox | QAbstractSpinBox | QAbstractItemView | QLineEdit | QTabBar
    )


def spoken_name(widget: QWidget) -> str:
    """What a screen reader calls it."""
    known = QAccessible.queryAccessibleInterface(widget)
    return known.text(QAccessible.Text.Name).strip() if known is not None else ""
