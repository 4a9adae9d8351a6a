"""The settings dialog: every field there and back, and a wrong one said in a sentence."""

from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QCheckBox,
    QComboBox,
    QFileDialog,
    QInputDialog,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QToolButton,
)
from pytestqt.qtbot import QtBot

from gossamer.gui.crawl.session_interfaces import NO_ACCESS, TypedCredentials
from gossamer.gui.look import theme
from gossamer.gui.settings.path_button import PathButton
from gossamer.gui.settings.settings_dialog import SettingsDialog, SettingsDialogSubject
from gossamer.gui.widgets.help_mark import HelpMark
from gossamer.gui.widgets.window_geometry import PageScroll
from gossamer.model.client_certificate import ClientCertificate
from gossamer.model.secrets import HttpAuth, OriginSecrets, SecretNames
from gossamer.model.settings.built_in_profiles import CHANGES, Profile
from gossamer.model.settings.crawl_settings import SETTINGS, CrawlSettings, for_another_crawl
from gossamer.model.settings.rendering_choices import RenderMode
from gossamer.model.settings.user_agents import PRESETS
from tests.fakes.settings import another_value

SECRET = {"headers"}
"""Settings as typed that the dialog hands on among the secrets."""
OTHER: dict[str, Any] = {
    name: another_value(name)
    for name, setting in SETTINGS.items()
    if setting.section and name not in SECRET
} | {
    # What a spin box rounds, or could take for "no limit" or for the default.
    "timeout_s": 12.5,
    "max_body_bytes": 1234567,
    "external_rate": 0.333,
    "max_depth": 0,
    "check_kinds": (),
}


def test_every_setting_that_people_type_has_a_field(qtbot: QtBot) -> None:
    dialog, _ = dialog_on(CrawlSettings(roots=()), qtbot)
    secrets = {"user", "password", "digest", "cookies", "remember", "certificate", "passphrase"}
    assert {row.field.name for row in dialog.page.rows} == {*OTHER, *SECRET, *secrets}


def test_what_is_typed_of_digest_and_a_certificate_is_among_the_secrets(qtbot: QtBot) -> None:
    dialog, _ = dialog_on(CrawlSettings(roots=()), qtbot)
    typed = {"user": "jo", "password": "x", "digest": True, "certificate": "a.pem"}
    for name, value in typed.items():
        dialog.field(name).write(value)
    dialog.field("passphrase").write("open")
    _, access = dialog.read_with_secrets()
    assert access.secrets.auth == HttpAuth("jo", "x", is_digest=True)
    assert access.secrets.certificate == ClientCertificate("a.pem", "open")


def test_a_certificate_is_browsed_for_where_the_last_one_was(qtbot: QtBot, tmp_path: Path) -> None:
    dialog, _ = dialog_on(CrawlSettings(roots=()), qtbot)
    (tmp_path / "jo.p12").touch()
    dialog.field("certificate").write(str(tmp_path / "old.pem"))
    dialog.show_setting("certificate")
    [button] = dialog.row("certificate").findChildren(PathButton)
    button.click()
    [chooser] = dialog.findChildren(QFileDialog, "choose-path")
    assert chooser.directory().path() == str(tmp_path)
    chooser.fileSelected.emit(str(tmp_path / "jo.p12"))
    chooser.close()
    assert dialog.field("certificate").read() == str(tmp_path / "jo.p12")


def test_a_path_of_an_unknown_user_does_not_keep_from_browsing(qtbot: QtBot) -> None:
    line = QLineEdit("~no-such-user/jo.p12")
    qtbot.addWidget(line)
    button = PathButton(line)
    qtbot.addWidget(button)
    button.click()
    assert button.findChildren(QFileDialog, "choose-path")


def test_every_page_of_the_dialog_fits_a_low_screen(qtbot: QtBot) -> None:
    dialog = SettingsDialog(CrawlSettings(roots=()))
    qtbot.addWidget(dialog)
    dialog.show()
    dialog.resize(dialog.width(), 400)
    assert dialog.height() == 400
    for row in range(dialog.sections.count()):
        dialog.sections.setCurrentRow(row)
        for page in dialog.findChildren(PageScroll):
            assert page.sizeHint().height() <= dialog.screen().availableGeometry().height() * 0.7
            assert page.horizontalScrollBar().maximum() == 0


def test_the_parts_of_the_dialog_keep_their_margins(qtbot: QtBot) -> None:
    dialog = SettingsDialog(CrawlSettings(roots=()))
    qtbot.addWidget(dialog)
    dialog.show()
    assert dialog.sections.mapTo(dialog, QPoint(0, 0)).x() >= theme.SPACE_S
    assert dialog.profiles.height() == dialog.search.height()


def test_labels_are_aligned_with_their_fields(qtbot: QtBot) -> None:
    dialog = SettingsDialog(CrawlSettings(roots=()))
    qtbot.addWidget(dialog)
    dialog.show()
    field = dialog.field("workers").widget
    (label,) = (each for each in dialog.findChildren(QLabel) if each.buddy() is field)
    text_top = label.mapTo(dialog, QPoint(0, label.contentsMargins().top())).y()
    field_top = field.mapTo(dialog, QPoint(0, 0)).y()
    above = text_top - field_top
    below = field_top + field.height() - (text_top + label.fontMetrics().height())
    assert abs(above - below) <= 1


def test_a_message_does_not_move_fields(qtbot: QtBot) -> None:
    dialog = SettingsDialog(CrawlSettings(roots=()))
    qtbot.addWidget(dialog)
    dialog.show()
    QApplication.processEvents()
    fixed = (dialog.search, dialog.sections, dialog.profiles, dialog.language)
    before = [part.mapTo(dialog, QPoint(0, 0)) for part in fixed]
    dialog.message.show_text("info", "Saved.")
    QApplication.processEvents()
    assert [part.mapTo(dialog, QPoint(0, 0)) for part in fixed] == before


def test_the_question_for_a_name_shows_its_title(qtbot: QtBot) -> None:
    dialog = SettingsDialog(CrawlSettings(roots=()))
    qtbot.addWidget(dialog)
    dialog.show()
    dialog.profiles.fill()
    menu = dialog.profiles.menu()
    next(a for a in menu.actions() if a.objectName() == "save-profile").trigger()
    (question,) = dialog.findChildren(QInputDialog)
    title = question.windowTitle()
    assert question.width() > question.fontMetrics().horizontalAdvance(title) + 100
    question.reject()


def dialog_on(settings: CrawlSettings, qtbot: QtBot) -> tuple[SettingsDialog, list[CrawlSettings]]:
    dialog = SettingsDialog(settings)
    chosen: list[CrawlSettings] = []
    dialog.chosen.connect(chosen.append)
    qtbot.addWidget(dialog)
    dialog.show()
    return dialog, chosen


@pytest.mark.parametrize("settings", [CrawlSettings(roots=()), CrawlSettings(roots=(), **OTHER)])
def test_untouched_settings_are_returned_unchanged(settings: CrawlSettings, qtbot: QtBot) -> None:
    dialog, chosen = dialog_on(settings, qtbot)
    dialog.accept()
    assert chosen == [settings]


def test_each_setting_can_be_changed_alone(qtbot: QtBot) -> None:
    dialog, _ = dialog_on(CrawlSettings(roots=("a.example",)), qtbot)
    for name, value in OTHER.items():
        dialog.field(name).write(value)
        assert dialog.read() == CrawlSettings(roots=("a.example",), **{name: value}), name
        dialog.row(name).reset()
        assert dialog.read() == CrawlSettings(roots=("a.example",)), name


def test_each_setting_shows_its_default_and_can_be_reset(qtbot: QtBot) -> None:
    dialog, chosen = dialog_on(CrawlSettings(roots=(), **OTHER), qtbot)
    assert [name for name in OTHER if not dialog.field(name).default] == []
    assert dialog.field("content_exclude").default == "nav, footer"
    dialog.restore_defaults()
    dialog.accept()
    assert chosen == [CrawlSettings(roots=())]


@pytest.mark.parametrize(
    ("name", "value", "part"),
    [
        ("exclude", ("(",), "not a regular expression"),
        ("user_agent", "a\tb\x07", "control character"),
        ("headers", (("bad name", "x"),), "not a header name"),
        ("proxy", "ftp://127.0.0.1:9", "proxy"),
    ],
)
def test_an_invalid_value_is_explained_inline_and_not_accepted(
    name: str, value: object, part: str, qtbot: QtBot
) -> None:
    dialog, chosen = dialog_on(CrawlSettings(roots=()), qtbot)
    dialog.field(name).write(value)
    dialog.accept()
    assert chosen == []
    assert part in dialog.message.text()
    assert dialog.isVisible()
    dialog.restore_defaults()
    dialog.accept()
    assert len(chosen) == 1


def test_a_header_line_without_a_colon_is_refused(qtbot: QtBot) -> None:
    dialog, chosen = dialog_on(CrawlSettings(roots=()), qtbot)
    widget = dialog.field("headers").widget
    widget.setPlainText("Accept-Language de")  # type: ignore[attr-defined] # the field's own kind
    dialog.accept()
    assert chosen == []
    assert "Name: value" in dialog.message.text()


def test_every_field_has_a_name_for_screen_readers(qtbot: QtBot) -> None:
    dialog, _ = dialog_on(CrawlSettings(roots=()), qtbot)
    for name in (*OTHER, *SECRET):
        widget = dialog.field(name).widget
        assert widget.accessibleName() or isinstance(widget, QCheckBox)


SECRETS = OriginSecrets(
    auth=HttpAuth("jo", "s3cret"),
    cookies=(("id", "1=2"), ("theme", "dark")),
    headers=(("X-Pass", "k: l"), ("X-B", "d")),
)


def test_secrets_are_kept_apart_from_settings(qtbot: QtBot) -> None:
    dialog, chosen = dialog_on(CrawlSettings(roots=(), public_headers=(("X-A", "b"),)), qtbot)
    dialog.field("user").write("jo")
    dialog.field("password").write("s3cret")
    dialog.field("cookies").write(SECRETS.cookies)
    dialog.field("headers").write(SECRETS.headers)
    dialog.field("remember").write(True)
    dialog.accept()
    assert chosen == [CrawlSettings(roots=(), public_headers=(("X-A", "b"),))]
    assert dialog.access == TypedCredentials(SECRETS, remember=True)


def test_unchanged_secrets_are_kept_until_the_defaults_are_restored(qtbot: QtBot) -> None:
    access = TypedCredentials(SECRETS, remember=True)
    for restore in (False, True):
        dialog = SettingsDialog(CrawlSettings(roots=()), about=SettingsDialogSubject(access=access))
        qtbot.addWidget(dialog)
        if restore:
            dialog.restore_defaults()
        dialog.accept()
        assert dialog.access == (NO_ACCESS if restore else access)


def test_a_password_is_not_shown(qtbot: QtBot) -> None:
    dialog, _ = dialog_on(CrawlSettings(roots=()), qtbot)
    password = dialog.field("password").widget
    assert isinstance(password, QLineEdit)
    assert password.echoMode() is QLineEdit.EchoMode.Password


@pytest.mark.parametrize(
    ("field", "value", "part"),
    [("cookies", (("", "s3cret"),), "name=value"), ("user", "a:b", "colon")],
)
def test_an_invalid_secret_is_refused_without_quoting_it(
    field: str, value: object, part: str, qtbot: QtBot
) -> None:
    dialog, chosen = dialog_on(CrawlSettings(roots=()), qtbot)
    dialog.field(field).write(value)
    dialog.accept()
    assert chosen == []
    assert part in dialog.message.text()
    assert "s3cret" not in dialog.message.text()


def test_the_dialog_names_the_secrets_a_project_lacks(qtbot: QtBot) -> None:
    needs = (SecretNames(origin="https://a.example", user="jo"),)
    dialog = SettingsDialog(CrawlSettings(roots=()), about=SettingsDialogSubject(needs=needs))
    qtbot.addWidget(dialog)
    dialog.show()
    shown = [label.text() for label in dialog.findChildren(QLabel) if label.isVisible()]
    assert any("the password of jo for https://a.example" in text for text in shown)


def test_a_user_agent_can_be_chosen_by_name(qtbot: QtBot) -> None:
    dialog, chosen = dialog_on(CrawlSettings(roots=()), qtbot)
    box = dialog.field("user_agent").widget
    assert isinstance(box, QComboBox)
    box.textActivated.emit("googlebot")
    assert box.currentText() == PRESETS["googlebot"]
    dialog.field("user_agent").write("Bingbot")
    dialog.accept()
    assert chosen[0].user_agent == PRESETS["bingbot"]


def shown_settings(dialog: SettingsDialog) -> set[str]:
    return {row.field.name for row in dialog.page.rows if row.isVisible()}


def test_a_search_finds_settings_by_a_word(qtbot: QtBot) -> None:
    dialog, _ = dialog_on(CrawlSettings(roots=()), qtbot)
    everything = shown_settings(dialog)
    dialog.search.setText("robots")
    assert shown_settings(dialog) == {"obey_robots"}
    dialog.search.setText("EXPRESSIONS empty")
    assert shown_settings(dialog) == {"include"}
    dialog.search.setText("sitemaps")
    assert shown_settings(dialog) >= {"use_sitemaps", "sitemaps"}
    hidden = [dialog.sections.item(row).isHidden() for row in range(dialog.sections.count())]
    assert hidden.count(False) == 1
    dialog.search.setText("xyzzy")
    assert shown_settings(dialog) == set()
    dialog.search.clear()
    assert shown_settings(dialog) == everything


def test_a_single_setting_can_be_reset_to_its_default(qtbot: QtBot) -> None:
    dialog, chosen = dialog_on(CrawlSettings(roots=(), workers=77, max_depth=3), qtbot)
    found = dialog.row("workers").findChildren(QToolButton)
    buttons = [button for button in found if not isinstance(button, HelpMark)]
    assert [button.isVisible() for button in buttons] == [True]
    buttons[0].click()
    assert not buttons[0].isVisible()
    dialog.accept()
    assert chosen == [CrawlSettings(roots=(), max_depth=3)]


def test_a_row_is_complete_once_its_section_is_shown(qtbot: QtBot) -> None:
    dialog, _ = dialog_on(CrawlSettings(roots=()), qtbot)
    row = dialog.row("exclude")
    row.field.write(("(",))
    assert not row.findChildren(QLabel)
    assert dialog.field("exclude").widget.accessibleName() == row.field.label
    dialog.show_setting("exclude")
    texts = [label.text() for label in row.findChildren(QLabel)]
    assert texts == [row.field.label, row.error()]
    assert "not a regular expression" in row.error()
    assert row.findChild(HelpMark) is not None


def test_an_invalid_value_is_explained_while_it_is_typed(qtbot: QtBot) -> None:
    dialog, _ = dialog_on(CrawlSettings(roots=()), qtbot)
    dialog.show_setting("exclude")
    row = dialog.row("exclude")
    assert row.error() == ""
    row.field.write(("(",))
    notes = [label.text() for label in row.findChildren(QLabel)]
    assert any("not a regular expression" in text for text in notes)
    row.field.write(("a",))
    notes = [label.text() for label in row.findChildren(QLabel)]
    assert not any("not a regular expression" in text for text in notes)


def test_a_profile_changes_its_own_settings_only(qtbot: QtBot) -> None:
    dialog, chosen = dialog_on(CrawlSettings(roots=(), max_depth=3, obey_robots=False), qtbot)
    dialog.profiles.use(Profile.POLITE)
    dialog.accept()
    assert chosen == [CrawlSettings(roots=(), max_depth=3, **CHANGES[Profile.POLITE])]  # type: ignore[arg-type] # field by field
    assert chosen[0].rate == 1.0


def test_a_section_is_a_page(qtbot: QtBot) -> None:
    dialog, _ = dialog_on(CrawlSettings(roots=()), qtbot)
    assert "workers" in shown_settings(dialog)
    assert "user_agent" not in shown_settings(dialog)
    dialog.show_section("requests")
    assert dialog.sections.currentItem().text() == "Requests"
    assert "user_agent" in shown_settings(dialog)
    assert "workers" not in shown_settings(dialog)


def test_every_setting_is_on_one_page(qtbot: QtBot) -> None:
    dialog, _ = dialog_on(CrawlSettings(roots=()), qtbot)
    found: list[str] = []
    dialog.sections.setFocus()
    for row in range(dialog.sections.count()):
        assert dialog.sections.currentRow() == row
        found += shown_settings(dialog)
        QTest.keyClick(dialog.sections, Qt.Key.Key_Down)
    assert sorted(found) == sorted(row.field.name for row in dialog.page.rows)


def test_a_search_finds_what_is_on_other_pages_and_ends_at_a_section(qtbot: QtBot) -> None:
    dialog, _ = dialog_on(CrawlSettings(roots=()), qtbot)
    dialog.show_section("pace")
    pace = shown_settings(dialog)
    dialog.search.setText("robots")
    assert shown_settings(dialog) == {"obey_robots"}
    dialog.search.clear()
    assert shown_settings(dialog) == pace
    dialog.search.setText("robots")
    marked = dialog.sections.visualItemRect(dialog.sections.currentItem()).center()
    QTest.mouseClick(dialog.sections.viewport(), Qt.MouseButton.LeftButton, pos=marked)
    assert dialog.search.text() == ""
    assert shown_settings(dialog) > {"obey_robots", "user_agent"}


def test_the_dialog_opens_the_page_with_the_invalid_value(qtbot: QtBot) -> None:
    dialog, chosen = dialog_on(CrawlSettings(roots=()), qtbot)
    dialog.field("exclude").write(("(",))
    dialog.accept()
    assert not chosen
    assert "exclude" in shown_settings(dialog)
    assert dialog.focusWidget() is dialog.field("exclude").widget


def test_of_several_invalid_values_the_message_is_about_the_one_that_is_shown(
    qtbot: QtBot,
) -> None:
    dialog, chosen = dialog_on(CrawlSettings(roots=()), qtbot)
    dialog.field("exclude").write(("(",))
    widget = dialog.field("public_headers").widget
    assert isinstance(widget, QPlainTextEdit)
    widget.setPlainText("no colon")
    dialog.accept()
    assert not chosen
    assert "exclude" in shown_settings(dialog)
    assert dialog.message.text() == dialog.row("exclude").error()


def test_the_chosen_section_is_highlighted(qtbot: QtBot) -> None:
    dialog, _ = dialog_on(CrawlSettings(roots=()), qtbot)
    dialog.resize(800, 500)
    for row in range(dialog.sections.count()):
        item = dialog.sections.item(row)
        place = dialog.sections.visualItemRect(item).center()
        QTest.mouseClick(dialog.sections.viewport(), Qt.MouseButton.LeftButton, pos=place)
        assert dialog.sections.currentRow() == row, item.text()


def test_a_search_selects_the_first_matching_section(qtbot: QtBot) -> None:
    dialog, _ = dialog_on(CrawlSettings(roots=()), qtbot)
    dialog.sections.setCurrentRow(dialog.sections.count() - 1)
    names = [dialog.sections.item(row).text() for row in range(dialog.sections.count())]
    for name in ("Reading", "Requests"):
        dialog.search.setText(name)
        row = dialog.sections.currentRow()
        assert not dialog.sections.item(row).isHidden()
        hidden = [dialog.sections.item(n).isHidden() for n in range(len(names))]
        assert row == hidden.index(False)


def test_the_names_of_user_agents_are_read_whole(qtbot: QtBot) -> None:
    dialog, _ = dialog_on(CrawlSettings(roots=()), qtbot)
    box = dialog.field("user_agent").widget
    assert isinstance(box, QComboBox)
    width_of = box.fontMetrics().horizontalAdvance
    assert box.view().minimumWidth() > max(width_of(box.itemText(n)) for n in range(box.count()))


def test_settings_are_exported_and_imported(qtbot: QtBot, tmp_path: Path) -> None:
    file = tmp_path / "settings.toml"
    wanted = CrawlSettings(roots=(), **OTHER)
    dialog, _ = dialog_on(wanted, qtbot)
    dialog.profiles.export_to(file)
    assert str(file) in dialog.message.text()
    other, chosen = dialog_on(CrawlSettings(roots=()), qtbot)
    other.profiles.import_from(file)
    other.accept()
    assert chosen == [for_another_crawl(wanted)], "trust in certificates stays where it is"


def test_exported_settings_hold_no_secrets(qtbot: QtBot, tmp_path: Path) -> None:
    file = tmp_path / "settings.toml"
    dialog, _ = dialog_on(CrawlSettings(roots=()), qtbot)
    dialog.field("headers").write((("X-Pass", "s3cret"),))
    dialog.field("password").write("s3cret")
    dialog.profiles.export_to(file)
    assert "s3cret" not in file.read_text()


def test_an_invalid_settings_file_is_reported_in_the_dialog(qtbot: QtBot, tmp_path: Path) -> None:
    file = tmp_path / "settings.toml"
    file.write_text("workers = 'many'")
    dialog, _ = dialog_on(CrawlSettings(roots=()), qtbot)
    dialog.profiles.import_from(file)
    assert "is not a settings file" in dialog.message.text()
    dialog.profiles.export_to(tmp_path / "missing" / "settings.toml")
    assert "cannot be written" in dialog.message.text()
    assert dialog.read() == CrawlSettings(roots=())


def test_a_setting_without_effect_is_disabled_and_says_what_it_needs(qtbot: QtBot) -> None:
    shown, _ = dialog_on(CrawlSettings(roots=("a.test",)), qtbot)
    row = shown.row("screenshots")
    assert not row.field.widget.isEnabled()
    assert row.toolTip() == "No effect without “Render pages”."
    shown.field("render").write(RenderMode.AUTO)
    assert row.field.widget.isEnabled()
    assert row.toolTip() == ""


def test_the_label_and_the_button_of_a_setting_without_effect_are_disabled(qtbot: QtBot) -> None:
    shown, _ = dialog_on(CrawlSettings(roots=("a.test",)), qtbot)
    shown.show_setting("dictionary_folder")
    row = shown.row("dictionary_folder")
    [label] = [each for each in row.findChildren(QLabel) if each.text() == row.field.label]
    beside = row.field.beside
    assert beside is not None
    parts = (row.field.widget, label, beside)
    assert not any(part.isEnabled() for part in parts)
    shown.field("check_spelling").write(True)
    assert all(part.isEnabled() for part in parts)
