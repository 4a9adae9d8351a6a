"""Notifications of the desktop: what other systems are asked to run, and those the window shows.

The commands for macOS and Windows are compared with golden files: nothing here can run them.
"""

import asyncio
import json
import os
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.notifying.channels import DesktopChannel
from gossamer.notifying.delivery_failure import DeliveryError
from gossamer.notifying.desktop_delivery import command_for, desktop_words, toast_xml
from gossamer.notifying.window_delivery import send_by_window
from tests.fakes.notifications import NASTY, NOW, digest, message, told

GOLDEN = Path(__file__).parent.parent / "data" / "notifications"
NASTY_TEXT = "\"; say 'x' & del *; $(touch x) `y` </text><text> %PATH% \x00\ufffe\ud800\n2 < 3"


@pytest.mark.parametrize("platform", ["darwin", "win32"])
def test_other_systems_run_these_commands(platform: str) -> None:
    """To agree anew: delete the files in tests/data/notifications, run this twice, read the diff.

    Each command is an argument a line; texts are arguments or variables, never parts of a script.
    """
    words, variables = command_for(platform, "https://a.example/: \"x\" & 'y'", "Errors: 3\n<b>")
    text = "".join(f"{json.dumps(word)}\n" for word in words)
    text += "".join(f"{name}={json.dumps(value)}\n" for name, value in variables.items())
    golden = GOLDEN / f"{platform}.txt"
    if not golden.exists():
        golden.parent.mkdir(exist_ok=True)
        golden.write_bytes(text.encode())
        pytest.fail(f"{golden} was missing; it is written now")
    assert text == golden.read_bytes().decode()


@pytest.mark.parametrize("platform", ["darwin", "win32"])
def test_no_text_becomes_part_of_a_script(platform: str) -> None:
    plain, _ = command_for(platform, "a", "b")
    nasty, _ = command_for(platform, NASTY_TEXT, NASTY_TEXT)
    end = plain.index("--") + 1 if platform == "darwin" else len(plain)
    assert nasty[:end] == plain[:end]
    assert len(nasty) == len(plain)


@given(title=st.text(), text=st.text())
def test_a_toast_is_an_xml_document_with_two_texts(title: str, text: str) -> None:
    toast = ET.fromstring(toast_xml(title, text).encode())  # noqa: S314 - our own document
    assert [each.tag for each in toast.iter()] == ["toast", "visual", "binding", "text", "text"]
    shown = [each.text or "" for each in toast.iter("text")]
    if (title + text).isprintable() and (title + text).isascii():
        assert shown == [title, text]


def test_a_nasty_toast_has_no_more_elements() -> None:
    toast = ET.fromstring(toast_xml(NASTY_TEXT, NASTY).encode())  # noqa: S314 - our own document
    assert len(list(toast.iter())) == 5
    assert "del *" in "".join(toast.itertext())


@pytest.mark.parametrize("is_open", [True, False])
def test_the_window_shows_what_is_for_the_desktop_as_long_as_it_is_open(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, *, is_open: bool
) -> None:
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", f"unix:path={tmp_path / 'none'}")
    sent = message(digest(told("Pages have changed", "/a")))
    read, write = os.pipe()
    if not is_open:
        os.close(read)
    with os.fdopen(write, "w") as output:
        monkeypatch.setattr(sys, "stdout", output)
        sending = send_by_window(DesktopChannel(), sent, "en", NOW)
        if not is_open:  # what the system has is tried, which is nothing here
            with pytest.raises(DeliveryError, match="no desktop session"):
                asyncio.run(sending)
            return
        asyncio.run(sending)
    with os.fdopen(read) as lines:
        shown = json.loads(lines.readline())
        assert lines.read() == ""
    assert (shown["title"], shown["text"]) == desktop_words(sent)
