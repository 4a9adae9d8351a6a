"""The settings dialog: every field there and back, and a wrong one said in a sentence."""

from typing import Any

import msgspec
import pytest
from PySide6.QtWidgets import QCheckBox, QComboBox, QLabel, QLineEdit
from pytestqt.qtbot import QtBot

from app.gui.page_scroll import PageScroll
from app.gui.sessions import NO_ACCESS, Access
from app.gui.settings_dialog import SettingsDialog
from app.model.secrets import BasicAuth, OriginSecrets, SecretNames
from app.model.settings import CrawlSettings, HostMatch, Parser
from app.model.user_agents import PRESETS

OTHER: dict[str, Any] = {
    "workers": 77,
    "max_redirects": 3,
    "max_tries": 2,
    "max_depth": 0,
    "max_pages": 5000,
    "timeout_s": 12.5,
    "include": ("/docs/", "a b"),
    "exclude": (r"\.pdf$",),
    "host_match": HostMatch.LENIENT,
    "processes": 3,
    "rate": 2.5,
    "user_agent": "Test/1",
    "headers": (("X-A", "b: c"), ("X-B", "d")),
    "accept_language": "de, en;q=0.5",
    "proxy": "http://127.0.0.1:3128",
    "allow_bad_tls": True,
    "obey_robots": False,
    "parser": Parser.BEAUTIFULSOUP,
}


def test_it_fits_a_low_screen_whatever_page_is_in_front(qtbot: QtBot) -> None:
    dialog = SettingsDialog(CrawlSettings(roots=()))
    qtbot.addWidget(dialog)
    dialog.show()
    dialog.resize(dialog.width(), 400)
    assert dialog.height() == 400
    for page in dialog.findChildren(PageScroll):
        assert page.sizeHint().height() <= dialog.screen().availableGeometry().height() * 0.7
        assert page.horizontalScrollBar().maximum() == 0


def dialog_on(settings: CrawlSettings, qtbot: QtBot) -> tuple[SettingsDialog, list[CrawlSettings]]:
    dialog = SettingsDialog(settings)
    chosen: list[CrawlSettings] = []
    dialog.chosen.connect(chosen.append)
    qtbot.addWidget(dialog)
    dialog.show()
    return dialog, chosen


@pytest.mark.parametrize("settings", [CrawlSettings(roots=()), CrawlSettings(roots=(), **OTHER)])
def test_settings_that_nobody_touched_come_back_as_they_were(
    settings: CrawlSettings, qtbot: QtBot
) -> None:
    dialog, chosen = dialog_on(settings, qtbot)
    dialog.accept()
    assert chosen == [settings]


@pytest.mark.parametrize("name", sorted(OTHER))
def test_each_setting_can_be_changed(name: str, qtbot: QtBot) -> None:
    dialog, chosen = dialog_on(CrawlSettings(roots=("a.example",)), qtbot)
    dialog.field(name).write(OTHER[name])
    dialog.accept()
    assert chosen == [CrawlSettings(roots=("a.example",), **{name: OTHER[name]})]


@pytest.mark.parametrize("name", sorted(OTHER))
def test_each_setting_shows_its_default_and_goes_back_to_it(name: str, qtbot: QtBot) -> None:
    dialog, chosen = dialog_on(CrawlSettings(roots=(), **OTHER), qtbot)
    field = dialog.field(name)
    assert field.default
    dialog.restore_defaults()
    dialog.accept()
    assert getattr(chosen[0], name) == getattr(CrawlSettings(roots=()), name)


def test_what_no_field_covers_is_kept(qtbot: QtBot) -> None:
    settings = CrawlSettings(roots=(), max_body_bytes=4096, max_url_length=100)
    dialog, chosen = dialog_on(settings, qtbot)
    dialog.accept()
    assert chosen == [settings]


@pytest.mark.parametrize(
    ("name", "value", "part"),
    [
        ("exclude", ("(",), "not a regular expression"),
        ("user_agent", "a\tb\x07", "control character"),
        ("headers", (("bad name", "x"),), "not a header name"),
        ("proxy", "ftp://127.0.0.1:9", "proxy"),
    ],
)
def test_a_wrong_value_is_said_inline_and_nothing_is_chosen(
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
    for name in msgspec.structs.asdict(CrawlSettings(roots=())):
        if name in OTHER:
            widget = dialog.field(name).widget
            assert widget.accessibleName() or isinstance(widget, QCheckBox)


SECRETS = OriginSecrets(
    auth=BasicAuth("jo", "s3cret"),
    cookies=(("id", "1=2"), ("theme", "dark")),
    headers=(("X-Api-Key", "k"),),
)


def test_secrets_are_no_settings(qtbot: QtBot) -> None:
    dialog, chosen = dialog_on(CrawlSettings(roots=(), headers=(("X-A", "b"),)), qtbot)
    dialog.field("user").write("jo")
    dialog.field("password").write("s3cret")
    dialog.field("cookies").write(SECRETS.cookies)
    dialog.field("headers").write((("X-Api-Key", "k"), ("X-A", "b")))
    dialog.field("remember").write(True)
    dialog.accept()
    assert chosen == [CrawlSettings(roots=(), headers=(("X-A", "b"),))]
    assert dialog.access == Access(SECRETS, remember=True)


def test_secrets_that_nobody_touched_stay_and_go_with_the_defaults(qtbot: QtBot) -> None:
    access = Access(SECRETS, remember=True)
    for restore in (False, True):
        dialog = SettingsDialog(CrawlSettings(roots=()), access=access)
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
def test_a_secret_that_cannot_be_sent_is_said_without_quoting_it(
    field: str, value: object, part: str, qtbot: QtBot
) -> None:
    dialog, chosen = dialog_on(CrawlSettings(roots=()), qtbot)
    dialog.field(field).write(value)
    dialog.accept()
    assert chosen == []
    assert part in dialog.message.text()
    assert "s3cret" not in dialog.message.text()


def test_the_dialog_says_what_a_project_lacks(qtbot: QtBot) -> None:
    needs = (SecretNames(origin="https://a.example", user="jo"),)
    dialog = SettingsDialog(CrawlSettings(roots=()), needs=needs)
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
