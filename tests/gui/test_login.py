"""Logging in from the window: a browser beside it, and what becomes of what that is given."""

import asyncio
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication, QCheckBox, QLabel, QLineEdit, QPushButton

from gossamer.gui.actions.window_actions import WindowAction
from gossamer.gui.settings.form_login_dialog import FormLoginDialog
from gossamer.gui.settings.login_dialog import LoginDialog
from gossamer.gui.settings.settings_dialog import SettingsDialog
from gossamer.model.crawl_state import CrawlState
from gossamer.model.errors import UsageError
from gossamer.model.html_forms import FieldType, FormField, FormMethod, PageForm
from gossamer.model.messages.login_messages import LoginSeen
from gossamer.model.outcome import Outcome
from gossamer.model.secrets import Login, LoginCookie, OriginSecrets, Secrets
from gossamer.model.translatable import Translatable
from tests.fakes.crawled import Crawled
from tests.gui.conftest import Play
from tests.gui.fakes import FakeFormLogin, FakeSession
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
        assert "click Done" in beside.step.text()
        assert beside.seen.text() == "So far: 1 cookie and 1 stored value."
        beside.done_button.click()
        await until(lambda: bool(state_of(dialog)))
        assert state_of(dialog) == f"Logged in to {SITE}: 1 cookie and 1 stored value."
        assert login.settings.roots == (f"{SITE}/x",)
        dialog.accept()
        session = await stage.start(f"{SITE}/x")
        assert session.logins == [LOGIN]

    play(scene)


def test_a_page_that_still_asks_for_a_password_is_told_of(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        stage.window.parts.address.setEditText(f"{SITE}/x")
        dialog = open_settings(stage)
        press_log_in(dialog)
        stage.sessions.login_windows[0].seen = LoginSeen(1, 0, asks_password=True)
        beside = login_dialog(dialog)
        assert beside is not None
        await until(lambda: "still asks for a password" in beside.seen.text())

    play(scene)


def test_a_certificate_that_the_browser_does_not_show_is_told_of(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        stage.window.parts.address.setEditText(f"{SITE}/x")
        dialog = open_settings(stage)
        dialog.field("certificate").write("jo.pem")
        press_log_in(dialog)
        beside = login_dialog(dialog)
        assert beside is not None
        said = [label.text() for label in beside.findChildren(QLabel) if label.isVisible()]
        assert any("does not send your certificate" in text for text in said)

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


def test_a_browser_that_was_given_nothing_counts_as_no_login(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        stage.window.parts.address.setEditText(f"{SITE}/x")
        dialog = open_settings(stage)
        press_log_in(dialog)
        beside = login_dialog(dialog)
        assert beside is not None
        await until(beside.done_button.isEnabled)
        stage.sessions.login_windows[0].finish()  # as when its window is closed
        await until(lambda: "nobody is logged in" in beside.message.text())
        assert not beside.done_button.isVisible()
        assert state_of(dialog) == ""
        beside.retry_button.click()
        assert beside.message.text() == ""
        again = stage.sessions.login_windows[1]
        again.found = LOGIN
        await until(beside.done_button.isEnabled)
        beside.done_button.click()
        await until(lambda: bool(state_of(dialog)))

    play(scene)


async def paused_for_login(stage: Stage) -> FakeSession:
    """A crawl whose login has expired, with the notice that says so."""
    session = await stage.start(f"{SITE}/x")
    notice = Translatable("Paused: it asks for the login again.")
    session.tell(state=CrawlState.PAUSED, notice=notice, login_url=f"{SITE}/account")
    await until(lambda: "asks for the login" in stage.message("crawl"))
    return session


def log_in_again(stage: Stage) -> LoginDialog:
    stage.answer("crawl", "Log in again…")
    (dialog,) = stage.window.findChildren(LoginDialog)
    return dialog


def test_a_crawl_whose_login_has_expired_goes_on_when_somebody_has_logged_in_again(
    play: Play,
) -> None:
    async def scene(stage: Stage) -> None:
        session = await paused_for_login(stage)
        beside = log_in_again(stage)
        [login] = stage.sessions.login_windows
        assert login.url == f"{SITE}/account"
        login.found = LOGIN
        await until(beside.done_button.isEnabled)
        session.asked.clear()
        beside.done_button.click()
        await until(lambda: session.logins == [LOGIN])
        await until(lambda: session.asked == ["start"])

    play(scene)


async def taking_a_login(stage: Stage) -> FakeSession:
    """A session that examines what is known before it takes the login that was given late."""
    session = await paused_for_login(stage)
    session.gate = asyncio.Event()
    beside = log_in_again(stage)
    stage.sessions.login_windows[0].found = LOGIN
    await until(beside.done_button.isEnabled)
    session.asked.clear()
    beside.done_button.click()
    await until(lambda: session.logins == [LOGIN])
    return session


def test_a_crawl_that_is_cancelled_while_its_login_is_taken_does_not_go_on(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        session = await taking_a_login(stage)
        assert session.gate is not None
        stage.trigger(WindowAction.CANCEL)
        await until(lambda: session.asked == ["cancel"])
        session.gate.set()
        await until(lambda: "use login" not in stage.window.tasks.names())
        assert session.asked == ["cancel"]

    play(scene)


def test_closing_does_not_wait_for_a_login_to_be_taken(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        session = await taking_a_login(stage)
        await stage.crawl.close()
        assert (session.asked[0], session.asked[-1]) == ("interrupt", "close")

    play(scene)


def test_a_login_in_mid_crawl_is_told_with_what_it_does_not_change(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        session = await stage.start(f"{SITE}/x")
        session.tell(fetched=3)
        stage.trigger(WindowAction.LOG_IN)
        (beside,) = stage.window.findChildren(LoginDialog)
        cookies = Login(cookies=(LoginCookie("session", "s"), LoginCookie("seen", "1")))
        stage.sessions.login_windows[0].found = Secrets({SITE: OriginSecrets(login=cookies)})
        await until(beside.done_button.isEnabled)
        beside.done_button.click()
        await until(lambda: stage.message("login") != "")
        assert stage.message("login") == (
            f"Logged in to {SITE}: 2 cookies."
            " URLs that were requested before are not requested again."
        )

    play(scene)


def test_nobody_is_said_to_be_logged_in_when_the_login_has_expired(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        await stage.start(f"{SITE}/x")
        stage.trigger(WindowAction.LOG_IN)
        (beside,) = stage.window.findChildren(LoginDialog)
        stage.sessions.login_windows[0].found = LOGIN
        await until(beside.done_button.isEnabled)
        beside.done_button.click()
        await until(lambda: "Logged in" in stage.message("login"))
        expired = Translatable("Paused: it asks for the login again.")
        stage.sessions.last.tell(
            state=CrawlState.PAUSED, notice=expired, login_url=f"{SITE}/account"
        )
        await until(lambda: stage.message("crawl") != "")
        assert stage.message("login") == ""

    play(scene)


def test_who_does_not_log_in_again_is_still_told_why_the_crawl_is_paused(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        session = await paused_for_login(stage)
        beside = log_in_again(stage)
        assert stage.message("crawl") == ""
        beside.reject()
        await until(lambda: "asks for the login" in stage.message("crawl"))
        assert session.logins == []

    play(scene)


def test_other_pauses_offer_no_login(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        session = await stage.start(f"{SITE}/x")
        session.tell(state=CrawlState.PAUSED, notice=Translatable("Paused: too many failures."))
        await until(lambda: "too many" in stage.message("crawl"))
        with pytest.raises(LookupError):
            stage.answer("crawl", "Log in again…")

    play(scene)


def test_a_login_from_the_menu_is_shown_on_the_start_page_until_it_is_forgotten(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        stage.window.parts.address.setEditText(f"{SITE}/x")
        stage.trigger(WindowAction.LOG_IN)
        (beside,) = stage.window.findChildren(LoginDialog)
        [login] = stage.sessions.login_windows
        login.found = LOGIN
        await until(beside.done_button.isEnabled)
        beside.done_button.click()
        page = stage.window.parts.start_page
        await until(lambda: page.login.text().startswith(f"Logged in to {SITE}"))
        stage.window.parts.address.setEditText("https://b.example/")
        assert page.login.text() == ""
        stage.window.parts.address.setEditText(f"{SITE}/x")
        page.login.button.click()
        assert page.login.text() == ""
        session = await stage.start(f"{SITE}/x")
        assert session.logins == []

    play(scene)


def test_a_login_from_the_menu_goes_to_the_crawl_that_is_shown(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        session = await stage.start(f"{SITE}/x")
        stage.trigger(WindowAction.LOG_IN)
        (beside,) = stage.window.findChildren(LoginDialog)
        stage.sessions.login_windows[0].found = LOGIN
        await until(beside.done_button.isEnabled)
        beside.done_button.click()
        await until(lambda: session.logins == [LOGIN])
        assert SITE in stage.message("login")

    play(scene)


def test_a_crawl_that_found_only_a_login_page_offers_to_log_in(play: Play, tmp_path: Path) -> None:
    path = tmp_path / "closed.gossamer"
    with Crawled(path) as crawled:
        crawled.redirect("/", "https://id.example/login", outcome=Outcome.REDIRECT_OUT_OF_SCOPE)

    async def scene(stage: Stage) -> None:
        stage.crawl.open(path)
        await stage.shows("Paused")
        stage.session.tell(state=CrawlState.FINISHED)
        await until(lambda: "asks for a login" in stage.message("hint"))
        stage.answer("hint", "Log in…")
        [login] = stage.sessions.login_windows
        assert login.settings.roots == stage.session.settings.roots

    play(scene)


def test_the_menu_asks_for_an_address_first(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        stage.trigger(WindowAction.LOG_IN)
        assert stage.sessions.login_windows == []
        assert "Enter the site" in stage.window.parts.start_page.message.text()

    play(scene)


def test_forgetting_credentials_forgets_the_login_too(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        stage.window.parts.address.setEditText(f"{SITE}/x")
        dialog = open_settings(stage)
        dialog.take_login(LOGIN)
        forget = dialog.findChild(QPushButton, "forget-secrets")
        assert forget is not None
        forget.click()
        assert state_of(dialog) == ""
        dialog.accept()
        assert (await stage.start(f"{SITE}/x")).logins == []

    play(scene)


def test_a_search_in_the_settings_finds_the_buttons_of_a_section(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        dialog = open_settings(stage)
        button = dialog.findChild(QPushButton, "log-in")
        assert button is not None
        for typed in ("log in", "login", "forget"):
            dialog.search.setText("xyzzy")
            assert not button.isVisible()
            dialog.search.setText(typed)
            assert button.isVisible(), typed

    play(scene)


def test_the_crawl_can_call_itself_what_the_browser_of_the_login_does(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        stage.window.parts.address.setEditText(f"{SITE}/x")
        dialog = open_settings(stage)
        dialog.show_section("access")
        button = dialog.findChild(QPushButton, "login-agent")
        assert button is not None
        assert not button.isVisible()
        login = Login(cookies=(LoginCookie("id", "s3cret"),), user_agent="Browser/1")
        dialog.take_login(Secrets({SITE: OriginSecrets(login=login)}))
        assert button.isVisible()
        button.click()
        assert not button.isVisible()
        dialog.accept()
        session = await stage.start(f"{SITE}/x")
        assert session.settings.user_agent == "Browser/1"

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
        assert beside.retry_button.isVisible()

    play(scene)


def test_without_an_address_there_is_nothing_to_log_in_to(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        dialog = open_settings(stage)
        press_log_in(dialog)
        assert stage.sessions.login_windows == []
        assert "Enter the site" in dialog.message.accessibleName()

    play(scene)


FORM = PageForm(
    f"{SITE}/in",
    FormMethod.POST,
    fields=(
        FormField("csrf", FieldType.HIDDEN, "t0k"),
        FormField("user", FieldType.TEXT, label="User name:"),
        FormField("word", FieldType.PASSWORD, label="Password"),
        FormField("stay", FieldType.CHOICE, "1", "Remember me", is_on=False),
    ),
)
CODE_FORM = PageForm(
    f"{SITE}/code", FormMethod.POST, fields=(FormField("otp", FieldType.TEXT, is_code=True),)
)


def open_form_login(stage: Stage) -> tuple[SettingsDialog, FormLoginDialog, FakeFormLogin]:
    stage.window.parts.address.setEditText(f"{SITE}/x")
    dialog = open_settings(stage)
    button = dialog.findChild(QPushButton, "log-in-with-form")
    assert button is not None
    button.click()
    [beside] = dialog.findChildren(FormLoginDialog)
    [login] = stage.sessions.form_logins
    return dialog, beside, login


async def read_form(beside: FormLoginDialog) -> None:
    beside.url.setText(f"{SITE}/login")
    beside.read_button.click()
    await until(beside.read_button.isEnabled)


def test_a_form_is_filled_in_and_goes_with_the_next_crawl(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        dialog, beside, login = open_form_login(stage)
        login.forms, login.following, login.secrets = [FORM], [CODE_FORM, None], LOGIN
        assert beside.url.text() == f"{SITE}/x"
        assert not beside.submit_button.isEnabled()
        await read_form(beside)
        assert "csrf" in beside.note.text()
        assert beside.field("word").echoMode() is QLineEdit.EchoMode.Password
        beside.field("user").setText("jo")
        beside.field("word").setText("s3cret")
        [box] = [box for box in beside.findChildren(QCheckBox) if box.text() == "Remember me"]
        box.setChecked(True)
        beside.submit_button.click()
        await until(lambda: "asks for more" in beside.note.text())
        beside.field("otp").setText("123456")
        beside.submit_button.click()
        await until(lambda: bool(state_of(dialog)))
        assert login.typed == [{"user": "jo", "word": "s3cret"}, {"otp": "123456"}]
        assert login.steps[0].fixed == (("stay", "1"),)
        assert not login.is_open
        dialog.accept()
        session = await stage.start(f"{SITE}/x")
        assert session.logins == [LOGIN]
        assert session.settings.login_form == login.recorded

    play(scene)


def test_a_wrong_password_can_be_corrected(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        _, beside, login = open_form_login(stage)
        login.forms, login.secrets = [FORM], LOGIN
        login.following = [UsageError("The site shows the form again."), None]
        await read_form(beside)
        beside.field("word").setText("wrong")
        beside.submit_button.click()
        await until(lambda: "form again" in beside.message.text())
        beside.field("word").setText("right")
        beside.submit_button.click()
        await until(lambda: not login.is_open)
        assert [typed["word"] for typed in login.typed] == ["wrong", "right"]

    play(scene)


def test_what_is_wrong_with_a_form_has_room_and_the_password_is_typed_anew(play: Play) -> None:
    def cut_off(beside: FormLoginDialog) -> list[str]:
        texts = [each for each in beside.findChildren(QLabel) if each.isVisible()]
        return [each.text() for each in texts if each.height() < each.heightForWidth(each.width())]

    async def scene(stage: Stage) -> None:
        _, beside, login = open_form_login(stage)
        beside.url.setText(f"{SITE}/{'long/' * 40}")
        beside.read_button.click()
        await until(beside.read_button.isEnabled)
        assert cut_off(beside) == []
        assert beside.focusWidget() is beside.url
        login.forms = [FORM]
        login.following = [UsageError("The site shows the form again, so it is wrong. " * 4)]
        await read_form(beside)
        beside.field("word").setText("wrong")
        beside.submit_button.click()
        await until(lambda: "form again" in beside.message.text())
        assert cut_off(beside) == []
        assert beside.field("word").height() >= beside.field("word").minimumHeight()
        assert beside.focusWidget() is beside.field("word")
        assert beside.field("word").selectedText()

    play(scene)


def test_a_page_without_a_form_is_told_and_another_can_be_tried(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        dialog, beside, login = open_form_login(stage)
        await read_form(beside)
        assert "no login form" in beside.message.text()
        assert not beside.submit_button.isEnabled()
        login.forms = [FORM, CODE_FORM]
        await read_form(beside)
        assert beside.forms.count() == 2
        beside.submit_button.click()
        assert beside.message.text() == "Fill in the form first."
        beside.reject()
        await until(lambda: not login.is_open)
        assert state_of(dialog) == ""

    play(scene)


def test_a_crawl_that_can_log_in_again_by_itself_does(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        session = await stage.start(f"{SITE}/x")
        session.renews_login = True
        session.tell(state=CrawlState.PAUSED, login_url=f"{SITE}/account")
        await until(lambda: session.state is CrawlState.RUNNING)
        assert session.asked.count("renew login") == 1

    play(scene)


def test_a_crawl_that_cannot_log_in_again_by_itself_says_why(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        session = await stage.start(f"{SITE}/x")
        session.renewal_error = UsageError("The site shows the form again.")
        session.tell(state=CrawlState.PAUSED, login_url=f"{SITE}/account")
        await until(lambda: "form again" in stage.message("renewal"))
        assert session.state is CrawlState.PAUSED

    play(scene)
