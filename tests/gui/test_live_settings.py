"""Three sets of settings that never mix: the defaults, a project's, and those of the next crawl."""

from pathlib import Path

from msgspec.structs import replace
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QCheckBox, QLabel

from gossamer.gui.actions.window_actions import WindowAction
from gossamer.gui.settings.settings_dialog import SettingsDialog, SettingsTarget
from gossamer.gui.settings.settings_page import SettingsForm
from gossamer.gui.text.translated_sentences import setting_labels
from gossamer.model.crawl_state import CrawlState
from gossamer.model.errors import UsageError
from gossamer.model.messages.crawl_messages import Progress
from gossamer.model.secrets import HttpAuth, OriginSecrets
from gossamer.model.settings.crawl_settings import REUSABLE, CrawlSettings
from gossamer.model.settings.rendering_choices import RenderMode
from gossamer.model.settings.scope_settings import HostMatch
from gossamer.session.live_settings import CHANGEABLE, changes_between
from gossamer.session.profile_store import ProfileStore
from tests.gui.conftest import Play
from tests.gui.stage import Stage, until

BASE = CrawlSettings(roots=("a.test",), exclude=("/old/",), max_depth=3)
THEIRS = CrawlSettings(
    roots=("kept.example",),
    workers=7,
    max_redirects=4,
    rate=0.5,
    exclude=("/private/",),
    obey_robots=False,
    user_agent="Theirs/1",
)


def dialog_of(stage: Stage) -> SettingsDialog:
    """The settings dialog that is open."""
    [dialog] = [each for each in stage.window.findChildren(SettingsDialog) if each.isVisible()]
    return dialog


def change(stage: Stage, **values: object) -> None:
    """Put values into the dialog and press its button."""
    stage.trigger(WindowAction.SETTINGS)
    dialog = dialog_of(stage)
    for name, value in values.items():
        dialog.field(name).write(value)
    dialog.accept()
    dialog.setParent(None)


def differs(stage: Stage) -> str:
    """The line above Start."""
    return stage.window.start_page.differs.text()


async def open_project(stage: Stage, folder: Path, settings: CrawlSettings = THEIRS) -> None:
    path = folder / "theirs.gossamer"
    path.touch()
    stage.sessions.stored = settings
    count = len(stage.sessions.made)
    stage.crawl.open(path)
    await until(lambda: len(stage.sessions.made) > count)
    await until(lambda: stage.crawl.session is stage.sessions.last)


async def leave(stage: Stage) -> None:
    """New crawl."""
    stage.trigger(WindowAction.NEW)
    await until(stage.window.start_page.isVisible)


# ---------------------------------------------------------------- what a new crawl begins with


def test_opening_a_project_does_not_change_settings_of_later_crawls(
    play: Play, tmp_path: Path
) -> None:
    async def scene(stage: Stage) -> None:
        await open_project(stage, tmp_path)
        assert stage.window.top_bar.workers.value() == 7
        await leave(stage)
        assert stage.window.start_page.workers.value() == 10
        assert differs(stage) == ""
        session = await stage.start("example.com")
        assert session.settings == CrawlSettings(roots=("example.com",))

    play(scene)


def test_a_change_in_a_crawl_does_not_affect_other_crawls(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        session = await stage.start("a.test")
        change(stage, rate=0.2, exclude=("/a/",))
        await until(lambda: session.settings.rate == 0.2)
        session.tell(state=CrawlState.FINISHED)
        await stage.shows("Finished")
        await leave(stage)
        other = await stage.start("b.test")
        assert other.settings == CrawlSettings(roots=("b.test",))
        other.tell(state=CrawlState.FINISHED)
        await stage.shows("Finished")
        stage.trigger(WindowAction.DEMO)
        await until(lambda: len(stage.sessions.made) == 3)
        assert stage.session.settings.rate is None

    play(scene)


def test_settings_of_the_next_crawl_are_listed_and_apply_to_it_alone(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        change(stage, rate=2.0, exclude=("/a/",), obey_robots=False)
        assert differs(stage) == (
            "3 settings differ from the defaults: Rate, Exclude, Obey robots.txt."
        )
        first = await stage.start("a.test")
        assert (first.settings.rate, first.settings.obey_robots) == (2.0, False)
        first.tell(state=CrawlState.FINISHED)
        await stage.shows("Finished")
        await leave(stage)
        assert differs(stage) == ""
        second = await stage.start("b.test")
        assert second.settings == CrawlSettings(roots=("b.test",))

    play(scene)


def test_a_refused_start_keeps_the_settings_of_the_next_crawl(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        change(stage, rate=2.0)
        stage.sessions.refusal = UsageError("No.")
        stage.window.start_page.url_field.setEditText("a.test")
        stage.window.start_page.submitted.emit()
        await until(lambda: stage.window.start_page.message.text() == "No.")
        stage.sessions.refusal = None
        assert (await stage.start("a.test")).settings.rate == 2.0

    play(scene)


def test_many_differences_are_counted_and_reset_with_one_click(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        change(stage, max_redirects=1, max_depth=2, max_pages=3, rate=4.0, guard=False, workers=5)
        assert differs(stage) == (
            "6 settings differ from the defaults: Workers, Redirect limit, Depth limit, Page limit,"
            " Rate, 1 more."
        )
        page = stage.window.start_page
        assert (page.workers.value(), page.redirects.value()) == (5, 1)
        page.differs.button.click()
        assert differs(stage) == ""
        assert (page.workers.value(), page.redirects.value()) == (10, 10)

    play(scene)


def test_the_start_page_changes_the_next_crawl(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        stage.window.start_page.workers.setValue(3)
        assert differs(stage) == "1 setting differs from the defaults: Workers."
        stage.window.start_page.workers.setValue(10)
        assert differs(stage) == ""

    play(scene)


def test_a_new_crawl_with_these_settings_says_where_they_are_from(
    play: Play, tmp_path: Path
) -> None:
    async def scene(stage: Stage) -> None:
        await open_project(stage, tmp_path, replace(THEIRS, insecure_hosts=("kept.example:443",)))
        stage.trigger(WindowAction.DUPLICATE)
        await until(stage.window.start_page.isVisible)
        said = differs(stage)
        assert said.startswith("6 settings differ from the defaults: Workers, Redirect limit, Ra")
        assert said.endswith("From project theirs.")
        page = stage.window.start_page
        assert (page.url(), page.workers.value()) == ("kept.example", 7)
        page.submitted.emit()
        await until(lambda: len(stage.sessions.made) == 2)
        assert stage.session.settings == THEIRS, "but for trust in certificates"
        await leave(stage)
        assert differs(stage) == ""

    play(scene)


def test_the_same_address_started_again_keeps_the_settings_of_its_crawl(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        change(stage, rate=2.0)
        first = await stage.start("a.test")
        first.settings = replace(first.settings, insecure_hosts=("a.test:443",))
        first.tell(state=CrawlState.FINISHED)
        await stage.shows("Finished")
        stage.trigger(WindowAction.START)
        await until(lambda: len(stage.sessions.made) == 2)
        assert stage.session.settings == CrawlSettings(roots=("a.test",), rate=2.0)
        await stage.shows("Crawling")
        stage.session.tell(state=CrawlState.FINISHED)
        await stage.shows("Finished")
        stage.window.top_bar.url_field.setEditText("b.test")
        stage.trigger(WindowAction.START)
        await until(lambda: len(stage.sessions.made) == 3)
        assert stage.session.settings == CrawlSettings(roots=("b.test",)), "another address"

    play(scene)


# ---------------------------------------------------------------- defaults and profiles


def test_defaults_change_only_when_saved_explicitly(play: Play, tmp_path: Path) -> None:
    async def scene(stage: Stage) -> None:
        change(stage, user_agent="Mine/1")
        assert not ProfileStore(tmp_path).has_defaults
        stage.trigger(WindowAction.SETTINGS)
        dialog_of(stage).profiles.save_defaults()
        dialog_of(stage).reject()
        assert ProfileStore(tmp_path).defaults().user_agent == "Mine/1"
        assert differs(stage) == ""
        await open_project(stage, tmp_path)
        await leave(stage)
        assert (await stage.start("a.test")).settings.user_agent == "Mine/1"

    play(scene)


def test_the_dialog_of_the_defaults_offers_what_any_crawl_may_have(
    play: Play, tmp_path: Path
) -> None:
    async def scene(stage: Stage) -> None:
        stage.trigger(WindowAction.DEFAULT_SETTINGS)
        dialog = dialog_of(stage)
        assert dialog.windowTitle() == "Default settings"
        left_out = {row.field.name for row in dialog.page.rows if row.isHidden()}
        assert {"insecure_hosts", "sitemaps", "headers", "user", "password"} <= left_out
        dialog.search.setText("certificates")
        assert dialog.row("insecure_hosts").isHidden()
        dialog.field("rate").write(1.5)
        dialog.accept()
        assert ProfileStore(tmp_path).defaults().rate == 1.5
        assert differs(stage) == ""
        assert (await stage.start("a.test")).settings.rate == 1.5

    play(scene)


def test_unreadable_defaults_are_reported(play: Play, tmp_path: Path) -> None:
    (tmp_path / "defaults.toml").write_text("workers = 'many'")

    async def scene(stage: Stage) -> None:
        assert "defaults.toml is not a settings file" in differs(stage)
        assert (await stage.start("a.test")).settings == CrawlSettings(roots=("a.test",))

    play(scene)


def test_a_profile_is_chosen_on_the_start_page(play: Play, tmp_path: Path) -> None:
    ProfileStore(tmp_path).save("My shop", {"rate": 3.0, "max_depth": 2})

    async def scene(stage: Stage) -> None:
        box = stage.window.start_page.profile
        titles = [box.itemText(index) for index in range(box.count())]
        assert titles[0] == "None"
        assert titles[-1] == "My shop"
        box.setCurrentIndex(box.findData("My shop"))
        box.activated.emit(box.currentIndex())
        assert differs(stage) == "2 settings differ from the defaults: Depth limit, Rate."
        first = await stage.start("a.test")
        assert (first.settings.rate, first.settings.max_depth) == (3.0, 2)
        await leave(stage)
        assert differs(stage) != "", "it stays chosen, and is shown"
        stage.window.start_page.differs.button.click()
        assert (differs(stage), box.currentData()) == ("", "")

    play(scene)


def test_an_invalid_profile_is_reported(play: Play, tmp_path: Path) -> None:
    ProfileStore(tmp_path).save("x", {"rate": 3.0})
    (tmp_path / "profiles" / "x.toml").write_text("rate = ")

    async def scene(stage: Stage) -> None:
        page = stage.window.start_page
        page.profile.setCurrentIndex(page.profile.findData("x"))
        page.profile.activated.emit(page.profile.currentIndex())
        assert "x.toml is not a settings file" in page.message.text()
        assert (page.profile.currentData(), differs(stage)) == ("", "")

    play(scene)


def test_profiles_are_saved_renamed_and_deleted_in_the_dialog(play: Play, tmp_path: Path) -> None:
    async def scene(stage: Stage) -> None:
        kept = ProfileStore(tmp_path)
        stage.trigger(WindowAction.SETTINGS)
        dialog = dialog_of(stage)
        menu = dialog.profiles
        dialog.field("rate").write(2.0)
        menu.save("shop")
        assert kept.changes("shop")["rate"] == 2.0
        dialog.field("rate").write(4.0)
        menu.save("shop")
        assert kept.changes("shop")["rate"] == 2.0, "asked first"
        dialog.message.answer("Replace").click()
        assert kept.changes("shop")["rate"] == 4.0
        menu.rename("shop", "store")
        assert kept.names() == ["store"]
        box = stage.window.start_page.profile
        assert box.findData("store") > 0
        menu.delete("store")
        assert kept.names() == []
        assert box.findData("store") == -1
        dialog.message.answer("Undo").click()
        assert kept.changes("store")["rate"] == 4.0
        menu.save("polite")
        assert dialog.message.text() == ("The profile polite is built in; choose another name.")
        menu.fill()
        names = {action.objectName() for action in menu.menu().actions()}
        assert {"profile-polite", "profile-store", "save-profile", "save-defaults"} <= names

    play(scene)


def test_a_setting_is_called_what_the_form_says_and_takes_no_form_to_know(
    qapp: QApplication,
) -> None:
    form = SettingsForm()
    said = {
        field.name: field.widget.text() if isinstance(field.widget, QCheckBox) else field.label
        for field in form.of_settings()
    }
    assert {*REUSABLE, "insecure_hosts", "sitemaps"} <= set(said)
    before = len(qapp.allWidgets())
    assert setting_labels(said) == list(said.values())
    assert setting_labels(["roots", "turns", "workers"]) == ["Workers"]
    assert len(qapp.allWidgets()) == before


# ---------------------------------------------------------------- the crawl shown


def test_the_dialog_says_whose_settings_they_are(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        for title, line in (
            ("Settings of the next crawl", "For the next crawl only. The defaults do not change."),
            ("Settings of this crawl", "Changes apply to this crawl immediately."),
        ):
            stage.trigger(WindowAction.SETTINGS)
            dialog = dialog_of(stage)
            first = dialog.findChild(QLabel, "settings-subject")
            assert isinstance(first, QLabel)
            assert dialog.windowTitle() == title
            assert first.text().startswith(line)
            dialog.reject()
            dialog.setParent(None)
            if stage.crawl.session is None:
                await stage.start("a.test")

    play(scene)


def test_a_running_crawl_takes_changes_at_once_and_disables_the_rest(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        session = await stage.start()
        stage.trigger(WindowAction.SETTINGS)
        dialog = dialog_of(stage)
        open_to_change = {row.field.name for row in dialog.page.rows if row.isEnabled()}
        secrets = {"user", "password", "digest", "cookies", "remember", "headers"}
        secrets |= {"certificate", "passphrase"}
        elsewhere = {"login_form"}  # not in this dialog
        assert open_to_change == CHANGEABLE - elsewhere | secrets
        dialog.write({"host_match": HostMatch.LENIENT})
        assert dialog.field("host_match").read() is HostMatch.STRICT
        dialog.reject()
        dialog.setParent(None)
        change(stage, rate=3.0, user_agent="Test/1")
        await until(lambda: bool(stage.message("settings")))
        assert session.changed == [{"rate": 3.0, "user_agent": "Test/1"}]
        assert stage.message("settings") == "Changed for this crawl: Rate, User agent."

    play(scene)


def test_an_impossible_change_is_refused_in_the_dialog(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        change(stage, max_depth=5)
        session = await stage.start()
        stage.trigger(WindowAction.SETTINGS)
        dialog = dialog_of(stage)
        dialog.field("max_depth").write(2)
        dialog.accept()
        assert dialog.isVisible()
        assert "Max depth can only be raised" in dialog.message.text()
        assert session.changed == []
        dialog.reject()

    play(scene)


def test_the_message_about_changes_goes_with_its_crawl(play: Play, tmp_path: Path) -> None:
    async def scene(stage: Stage) -> None:
        session = await stage.start()
        change(stage, rate=3.0)
        await until(lambda: bool(stage.message("settings")))
        session.tell(state=CrawlState.FINISHED)
        await leave(stage)
        assert stage.message("settings") == ""
        await open_project(stage, tmp_path)
        assert stage.message("settings") == ""

    play(scene)


def test_the_settings_dialog_closes_with_its_crawl(play: Play, tmp_path: Path) -> None:
    async def scene(stage: Stage) -> None:
        await stage.start()
        stage.trigger(WindowAction.SETTINGS)
        dialog = dialog_of(stage)
        assert dialog.about.subject is SettingsTarget.CRAWL
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, on=False)
        await open_project(stage, tmp_path)
        assert not dialog.isVisible()

    play(scene)


def test_patterns_are_added_to_those_of_the_crawl() -> None:
    after = replace(BASE, exclude=("/old/", "/new/"), max_depth=2, rate=2.0)
    present = replace(BASE, exclude=("/old/", "/folder/"))
    wanted = changes_between(BASE, after, present)
    assert wanted == {"exclude": ("/old/", "/folder/", "/new/"), "max_depth": 2, "rate": 2.0}


# ---------------------------------------------------------------- typed credentials


def test_credentials_for_another_address_are_not_sent_and_said_so(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        page = stage.window.start_page
        page.url_field.setEditText("https://a.test/x")
        change(stage, user="jo", cookies=(("id", "s3cret"),))
        assert page.elsewhere.text() == ""
        page.url_field.setEditText("b.test")
        assert page.elsewhere.text() == (
            "The credentials you entered are for https://a.test and are not sent to b.test."
        )
        page.elsewhere.button.click()
        dialog = dialog_of(stage)
        assert dialog.field("user").read() == ""
        dialog.field("user").write("jo")
        dialog.field("password").write("other")
        dialog.accept()
        assert page.elsewhere.text() == ""
        session = await stage.start("b.test")
        assert session.given == [OriginSecrets(auth=HttpAuth("jo", "other"))]
        page.url_field.setEditText("")
        assert page.elsewhere.text() == ""

    play(scene)


def test_a_crawl_started_without_the_typed_credentials_says_so(play: Play, tmp_path: Path) -> None:
    async def scene(stage: Stage) -> None:
        stage.window.start_page.url_field.setEditText("https://a.test/x")
        change(stage, cookies=(("id", "s3cret"),))
        first = await stage.start("https://a.test/x")
        assert stage.message("elsewhere") == ""
        first.tell(state=CrawlState.FINISHED)
        await stage.shows("Finished")
        stage.window.top_bar.url_field.setEditText("b.test")
        stage.trigger(WindowAction.START)
        await until(lambda: bool(stage.message("elsewhere")))
        assert stage.message("elsewhere") == (
            "The credentials you entered are for https://a.test and are not sent to b.test."
        )
        stage.answer("elsewhere", "Enter them again")
        assert dialog_of(stage).about.subject is SettingsTarget.CRAWL
        dialog_of(stage).reject()
        await open_project(stage, tmp_path)
        assert stage.message("elsewhere") == ""

    play(scene)


def test_another_address_typed_beside_a_crawl_has_its_own_settings_and_rendering(
    play: Play, tmp_path: Path
) -> None:
    async def scene(stage: Stage) -> None:
        stage.sessions.reopened = Progress(state=CrawlState.FINISHED, fetched=3)
        await open_project(stage, tmp_path)
        bar = stage.window.top_bar
        shown = bar.url()
        assert not bar.render_pages.isChecked()
        bar.url_field.setEditText("other.example")
        bar.render_pages.click()
        stage.trigger(WindowAction.SETTINGS)
        dialog = dialog_of(stage)
        assert dialog.about.subject is SettingsTarget.NEXT
        assert dialog.field("render").read() is RenderMode.ON
        dialog.reject()
        dialog.setParent(None)
        bar.url_field.setEditText(shown)
        assert not bar.render_pages.isChecked(), "that is said of the crawl shown"
        session = await stage.start("other.example")
        assert session.settings.render is RenderMode.ON

    play(scene)


def test_a_crawl_goes_on_where_the_bar_says_and_another_one_begins_there(
    play: Play, tmp_path: Path
) -> None:
    async def scene(stage: Stage) -> None:
        stage.sessions.reopened = Progress(state=CrawlState.PAUSED, fetched=3)
        await open_project(stage, tmp_path)
        bar = stage.window.top_bar
        session = stage.session
        bar.where.setEditText("local:2")
        bar.where.activated.emit(0)
        await until(lambda: session.settings.cluster == "local:2")
        bar.where.setEditText("nowhere")
        bar.where.activated.emit(0)
        assert bar.where.address() == "local:2", "the other is refused"
        bar.url_field.setEditText("other.example")
        assert not bar.where.address(), "that is another crawl"
        bar.where.setEditText("tcp://10.0.0.5:8786")
        bar.where.activated.emit(0)
        assert stage.window.next_crawl.settings.cluster == "tcp://10.0.0.5:8786"
        assert session.settings.cluster == "local:2"

    play(scene)


def test_a_crawl_is_begun_anew_with_rendering_from_the_bar(play: Play, tmp_path: Path) -> None:
    async def scene(stage: Stage) -> None:
        stage.sessions.reopened = Progress(state=CrawlState.FINISHED, fetched=3)
        await open_project(stage, tmp_path)
        bar = stage.window.top_bar
        bar.url_field.set_history(["other.example", bar.url()])
        bar.render_pages.click()
        stage.window.next_crawl.changed.emit()  # as after a login
        session = await stage.start(bar.url())
        assert session.settings.roots == THEIRS.roots
        assert session.settings.render is RenderMode.ON
        assert session.settings.rate == THEIRS.rate

    play(scene)
