"""Secrets in the window: they go to the crawl they were typed for, and into no file."""

from functools import partial
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication, QCheckBox, QPushButton, QWidget

from gossamer.gui.actions.window_actions import WindowAction
from gossamer.gui.settings.form_login_dialog import FormLoginDialog
from gossamer.gui.settings.login_dialog import LoginDialog
from gossamer.gui.settings.settings_dialog import SettingsDialog
from gossamer.model.errors import UsageError
from gossamer.model.secrets import NOTHING_SECRET, HttpAuth, OriginSecrets, SecretNames
from gossamer.session.secrets_file import SecretsFile, secrets_path
from tests.gui.conftest import Play
from tests.gui.stage import Stage, until

SECRET = OriginSecrets(auth=HttpAuth("jo", "s3cret"))


def settings_dialogs() -> list[SettingsDialog]:
    """Those that are open."""
    dialogs = [w for w in QApplication.topLevelWidgets() if isinstance(w, SettingsDialog)]
    return [dialog for dialog in dialogs if dialog.isVisible()]


def has_said(dialog: SettingsDialog, sentence: str) -> bool:
    return sentence in dialog.message.accessibleName()


def type_password(stage: Stage, *, remember: bool = False) -> None:
    """Open the settings, type user and password, save."""
    stage.trigger(WindowAction.SETTINGS)
    [dialog] = settings_dialogs()
    dialog.field("user").write("jo")
    dialog.field("password").write("s3cret")
    dialog.field("remember").write(remember)
    dialog.accept()


def test_secrets_typed_before_the_address_are_used_for_the_next_crawl(
    play: Play, tmp_path: Path
) -> None:
    async def scene(stage: Stage) -> None:
        type_password(stage)
        session = await stage.start("https://a.example/x")
        assert session.given == [SECRET]
        await stage.session.cancel()
        await stage.shows("Cancelled")
        assert "remember" not in session.asked
        stage.window.remember()

    play(scene)
    for path in tmp_path.rglob("*"):
        assert path.is_dir() or b"s3cret" not in path.read_bytes()


def test_a_crawl_of_another_site_gets_no_secrets(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        for typed, given in (
            ("https://a.example/", SECRET),
            ("https://b.example/", NOTHING_SECRET),
            ("http://a.example/", NOTHING_SECRET),
            ("https://a.example/ https://b.example/", NOTHING_SECRET),
            ("a.example/deep", SECRET),
        ):
            if typed == "https://a.example/":
                stage.window.start_page.url_field.setEditText(typed)
                type_password(stage)
            session = await stage.start(typed)
            assert session.given == [given], typed
            await session.cancel()
            await stage.shows("Cancelled")

    play(scene)


def test_missing_secrets_are_entered_in_the_settings(play: Play, tmp_path: Path) -> None:
    async def scene(stage: Stage) -> None:
        project = tmp_path / "kept.gossamer"
        project.touch()
        stage.crawl.open(project)
        await until(lambda: bool(stage.sessions.made))
        stage.session.missing_secrets = (SecretNames(origin="https://kept.example", user="jo"),)
        await until(lambda: stage.window.top_bar.url() == "kept.example")
        type_password(stage, remember=True)
        assert stage.session.given == [SECRET]
        await until(lambda: "remember" in stage.session.asked)

    play(scene)


def remember_box(widget: QWidget) -> QCheckBox:
    boxes = [box for box in widget.findChildren(QCheckBox) if box.text().startswith("Remember in")]
    assert len(boxes) == 1
    return boxes[0]


def test_the_settings_and_the_login_say_where_they_store_secrets(
    play: Play, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))

    async def scene(stage: Stage) -> None:
        for place, detail in (
            ("Remember in the system keyring", ""),
            ("Remember in the secrets file", str(secrets_path())),
        ):
            stage.trigger(WindowAction.SETTINGS)
            [dialog] = settings_dialogs()
            assert remember_box(dialog).text() == place
            assert detail in dialog.field("remember").hint
            dialog.reject()
            login = LoginDialog(stage.window)
            assert remember_box(login).text() == place
            assert detail in remember_box(login).toolTip()
            login.deleteLater()
            SecretsFile().choose()

    play(scene)


def test_secrets_in_the_keyring_can_be_deleted(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        stage.sessions.remembered.add("https://a.example")
        for typed, said in (
            ("", "Enter the site's URL first"),
            ("https://b.example/", "No credentials are stored for https://b.example"),
            ("https://a.example/x", "Removed the stored credentials for https://a.example"),
        ):
            stage.window.start_page.url_field.setEditText(typed)
            stage.trigger(WindowAction.SETTINGS)
            [dialog] = settings_dialogs()
            button = dialog.findChild(QPushButton, "forget-secrets")
            assert button is not None
            button.click()
            await until(partial(has_said, dialog, said))
            dialog.reject()
        assert stage.sessions.remembered == set()

    play(scene)


def test_a_keyring_that_cannot_be_opened_is_reported_in_the_dialog(
    play: Play,
) -> None:
    async def scene(stage: Stage) -> None:
        stage.sessions.keyring_error = UsageError("The keyring is locked.")
        stage.window.start_page.url_field.setEditText("https://a.example/")
        stage.trigger(WindowAction.SETTINGS)
        [dialog] = settings_dialogs()
        button = dialog.findChild(QPushButton, "forget-secrets")
        assert button is not None
        button.click()
        await until(lambda: dialog.message.accessibleName() == "The keyring is locked.")
        dialog.reject()

    play(scene)


def use(user: str, password: str) -> None:
    """Type them in the dialog that is open, and accept it."""
    [dialog] = settings_dialogs()
    dialog.field("user").write(user)
    dialog.field("password").write(password)
    dialog.accept()
    dialog.setParent(None)


def test_the_crawl_shown_gets_no_password_of_the_address_typed_in_the_bar(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        session = await stage.start("https://a.example/")
        stage.window.top_bar.url_field.setEditText("https://b.example/")
        stage.trigger(WindowAction.SETTINGS)
        use("jo", "for b")
        issues = stage.window.workspace.table.issues_area.pane
        issues.threshold_wanted.emit("content_min_words")
        [dialog] = settings_dialogs()
        assert dialog.field("password").read() == ""
        use("ann", "for a")
        assert session.given == [NOTHING_SECRET, OriginSecrets(auth=HttpAuth("ann", "for a"))]
        kept = stage.window.next_crawl.access.of(["https://b.example/"])
        assert kept.secrets.auth == HttpAuth("jo", "for b")

    play(scene)


def test_a_login_for_the_dialog_of_a_crawl_is_for_its_site(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        await stage.start("https://a.example/")
        stage.trigger(WindowAction.SETTINGS)
        [dialog] = settings_dialogs()
        stage.window.top_bar.url_field.setEditText("https://b.example/")
        dialog.form_login_wanted.emit()
        [login] = dialog.findChildren(FormLoginDialog)
        assert login.url.text() == "https://a.example/"
        login.reject()
        dialog.reject()

    play(scene)
