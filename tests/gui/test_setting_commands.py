"""The command palette finds settings by their names and opens the form at them."""

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from gossamer.gui.actions.window_actions import WindowAction
from gossamer.gui.settings.settings_dialog import SettingsDialog, SettingsTarget
from tests.gui.conftest import Play
from tests.gui.stage import Stage


def test_a_setting_is_found_by_its_name_and_shown_in_the_form(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        window = stage.window
        window.activateWindow()
        window.command_bar.open()
        QTest.keyClicks(window.command_bar.field, "use sitemaps")
        assert window.command_bar.names() == ["Read the site's sitemaps"]
        QTest.keyClick(window.command_bar.field, Qt.Key.Key_Return)
        dialog = window.findChild(SettingsDialog)
        assert dialog is not None
        assert dialog.row("use_sitemaps").isVisible()
        dialog.reject()

    play(scene)


def test_a_setting_is_shown_also_while_the_defaults_are_open(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        bar = stage.window.command_bar
        stage.window.activateWindow()
        stage.trigger(WindowAction.DEFAULT_SETTINGS)
        bar.open()
        QTest.keyClicks(bar.field, "use sitemaps")
        QTest.keyClick(bar.field, Qt.Key.Key_Return)
        found = stage.window.findChildren(SettingsDialog)
        [dialog] = [each for each in found if each.isVisible()]
        assert dialog.about.subject is not SettingsTarget.DEFAULTS
        assert dialog.row("use_sitemaps").isVisible()
        dialog.reject()

    play(scene)


def test_a_secret_is_found_though_it_is_no_setting(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        bar = stage.window.command_bar
        stage.window.activateWindow()
        bar.open()
        QTest.keyClicks(bar.field, "log in")
        assert "User" in bar.names()
        bar.field.clear()
        QTest.keyClicks(bar.field, "password")
        assert bar.names()[0] == "Password"
        QTest.keyClick(bar.field, Qt.Key.Key_Return)
        dialog = stage.window.findChild(SettingsDialog)
        assert dialog is not None
        assert dialog.focusWidget() is dialog.field("password").widget
        dialog.reject()

    play(scene)


def test_menus_come_before_settings_which_options_and_hints_find_too(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        bar = stage.window.command_bar
        bar.open()
        QTest.keyClicks(bar.field, "sitemaps")
        assert bar.names()[0] == "Read the site's sitemaps", "the tab is in a menu that is disabled"
        bar.field.clear()
        QTest.keyClicks(bar.field, "check")
        assert bar.names()[:2] == ["Check redirects…", "Check"]
        bar.field.clear()
        QTest.keyClicks(bar.field, "max-pages")
        assert bar.names() == ["Page limit"]
        bar.field.clear()
        QTest.keyClicks(bar.field, "javascript")
        assert bar.names() == ["Render pages", "JavaScript"]

    play(scene)
