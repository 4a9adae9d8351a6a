"""Logging in from the window: a browser beside it, and what becomes of what that is given."""

from PySide6.QtWidgets import QApplication, QLabel, QPushButton

from gossamer.gui.actions.window_actions import WindowAction
from gossamer.gui.settings.login_dialog import LoginDialog
from gossamer.gui.settings.settings_dialog import SettingsDialog
from gossamer.model.errors import UsageError
from gossamer.model.messages.login_messages import LoginSeen
from gossamer.model.secrets import Login, LoginCookie, OriginSecrets, Secrets
from tests.gui.conftest import Play
from tests.gui.stage import Stage, until

SITE = "https://a.example"
LOGIN = Secrets(
    {
        SITE: OriginSecrets(
            login=Login(
                cookies=(LoginCookie("session", "s3cret"),), local_storage=(("token", "t0ken"),)
            )
        )
    }
)


def open_settings(stage: Stage) -> SettingsDialog:
    stage.trigger(WindowAction.SETTINGS)
    dialogs = [w for w in QApplication.topLevelWidgets() if isinstance(w, SettingsDialog)]
    [dialog] = [dialog for dialog in dialogs if dialog.isVisible()]
    return dialog


def press_log_in(dialog: SettingsDialog) -> None:
    button = dialog.findChild(QPushButton, "log-in")
    assert button is not None
    button.click()


def login_dialog(dialog: SettingsDialog) -> LoginDialog | None:
    return dialog.findChild(LoginDialog)


def state_of(dialog: SettingsDialog) -> str:
    label = dialog.findChild(QLabel, "login-state")
    assert label is not None
    return label.text()


def test_a_login_goes_with_the_next_crawl_of_its_site(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        stage.window.parts.address.setEditText(f"{SITE}/x")
        dialog = open_settings(stage)
        press_log_in(dialog)
        [login] = stage.sessions.login_windows
        beside = login_dialog(dialog)
        assert beside is not None
        login.found, login.seen = LOGIN, LoginSeen(1, 1)
        assert not beside.done_button.isEnabled()
        await until(beside.done_button.isEnabled)
        assert "Chrome" in beside.step.text()
        assert beside.seen.text() == "So far: 1 cookie and 1 stored value."
        beside.done_button.click()
        await until(lambda: bool(state_of(dialog)))
        assert state_of(dialog) == f"Logged in to {SITE}: 1 cookie and 1 stored value."
        assert login.settings.roots == (f"{SITE}/x",)
        dialog.accept()
        session = await stage.start(f"{SITE}/x")
        assert session.logins == [LOGIN]

    play(scene)


def test_cancelling_closes_the_browser(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        stage.window.parts.address.setEditText(f"{SITE}/x")
        dialog = open_settings(stage)
        press_log_in(dialog)
        [login] = stage.sessions.login_windows
        beside = login_dialog(dialog)
        assert beside is not None
        await until(beside.done_button.isEnabled)
        beside.reject()
        await until(lambda: login.closed)
        assert state_of(dialog) == ""

    play(scene)


def test_why_there_is_no_window_is_said(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        stage.sessions.login_refusal = UsageError("Logging in needs a browser with a window.")
        stage.window.parts.address.setEditText(f"{SITE}/x")
        dialog = open_settings(stage)
        press_log_in(dialog)
        beside = login_dialog(dialog)
        assert beside is not None
        await until(lambda: "needs a browser" in beside.message.accessibleName())
        assert not beside.done_button.isEnabled()

    play(scene)


def test_without_an_address_there_is_nothing_to_log_in_to(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        dialog = open_settings(stage)
        press_log_in(dialog)
        assert stage.sessions.login_windows == []
        assert "Enter the site" in dialog.message.accessibleName()

    play(scene)
