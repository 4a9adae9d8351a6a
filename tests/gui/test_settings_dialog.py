"""The settings dialog: every field there and back, and a wrong one said in a sentence."""

from typing import Any

import msgspec
import pytest
from PySide6.QtWidgets import QCheckBox
from pytestqt.qtbot import QtBot

from app.gui.settings_dialog import SettingsDialog
from app.model.settings import CrawlSettings, HostMatch, Parser

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
    "headers": (("X-A", "b: c"), ("Cookie", "d")),
    "accept_language": "de, en;q=0.5",
    "proxy": "http://127.0.0.1:3128",
    "allow_bad_tls": True,
    "obey_robots": False,
    "parser": Parser.BEAUTIFULSOUP,
}


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
        ("proxy", "socks5://127.0.0.1:9", "proxy"),
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
