"""The help: where F1 leads, what it answers in both languages, which keys it lists."""

import re
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QDesktopServices
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from gossamer.gui.actions.window_actions import WindowAction
from gossamer.gui.help import about_dialog
from gossamer.gui.help.about_dialog import AboutDialog, open_folder, show_about
from gossamer.gui.help.help_window import (
    NAME,
    SHORTCUTS,
    START,
    HelpWindow,
    explain,
    page_for,
    pages,
    parsed,
    shortcuts,
)
from gossamer.session.default_paths import projects_folder
from tests.gui.conftest import Play
from tests.gui.stage import Stage


def help_of(stage: Stage) -> HelpWindow:
    found = stage.window.findChild(HelpWindow, NAME)
    assert found is not None
    return found


def test_both_languages_have_the_same_pages_and_answers() -> None:
    english, chinese = pages("en"), pages("zh_CN")
    assert [page.name for page in english] == [page.name for page in chinese]
    for ours, theirs in zip(english, chinese, strict=True):
        assert ours.title != theirs.title
        for mark in ("## ", "\n- "):
            assert ours.text.count(mark) == theirs.text.count(mark), ours.name


@pytest.mark.parametrize(
    ("words", "page"),
    [
        ("crawls saved", "files"),
        ("Discovery Folders", "trees"),
        ("red cross", "trees"),
        ("URLs skipped", "table"),
        ("JavaScript", "start"),
        ("only these URLs", "list"),
        ("site that is not mine", "start"),
        ("Digest", "login"),
        ("login has expired", "login"),
        ("PKCS", "login"),
        ("skipped for now", "table"),
        ("redirect counts once", "redirects"),
        ("colleague", "share"),
    ],
)
def test_the_help_answers_common_questions(words: str, page: str) -> None:
    assert page in {each.name for each in pages("en") if each.has(words)}


def test_a_help_text_is_split_at_its_headings() -> None:
    one, two = parsed("# [a] First\n\nText\n\n# no head\n# [b] Second *one*\nMore")
    assert (one.name, one.title, one.text) == ("a", "First", "Text\n\n# no head")
    assert two.has("ONE more")
    assert not two.has("text")


def test_context_help_follows_the_focus(qtbot: QtBot) -> None:
    outer = QWidget()
    inner = QWidget(outer)
    qtbot.addWidget(outer)
    assert page_for(inner) == START == page_for(None)
    explain(outer, "table")
    assert page_for(inner) == "table"
    explain(inner, "list")
    assert page_for(inner) == "list"


def test_every_help_context_has_a_page(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        known = {page.name for page in pages()}
        asked = {widget.property("help") for widget in stage.window.findChildren(QWidget)} - {None}
        assert asked
        assert asked <= known

    play(scene)


def test_f1_opens_the_page_about_the_focused_panel(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        await stage.start()
        window = stage.window
        window.activateWindow()
        window.workspace.table.view.setFocus()
        QTest.keyClick(window.workspace.table.view, Qt.Key.Key_F1)
        shown = help_of(stage)
        assert shown.page() == "table"
        assert "regular expression" in shown.text.toPlainText()
        shown.search.setText("colleague")
        assert shown.page() == "share"
        shown.search.setText("nothing has these words")
        assert shown.page() == ""
        shown.show_page(SHORTCUTS)
        assert shown.page() == SHORTCUTS
        assert window.findChildren(HelpWindow) == [shown]

    play(scene)


def test_keys_are_listed_as_the_actions_declare_them(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        keys = {(key.does, key.keys) for key in shortcuts()}
        assert ("Help", "F1") in keys
        assert ("Pause or resume", "Space") in keys
        assert ("Show inlinks", "Ctrl+I") in keys
        assert ("Filter rows", "Ctrl+F") in keys
        assert ("Regular expression", "Alt+R") in keys
        stage.trigger(WindowAction.SHORTCUTS)
        text = help_of(stage).text.toPlainText()
        for does, key in keys:
            assert does in text
            assert key in text

    play(scene)


def test_about_leads_to_the_help_and_the_licence(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        stage.trigger(WindowAction.ABOUT)
        [shown] = stage.window.findChildren(AboutDialog)
        links = shown.findChild(QLabel, "about-links")
        assert links is not None
        assert re.findall('href="(.*?)"', links.text()) == ["help", "licence"]
        assert shown.licence.isHidden()
        links.linkActivated.emit("licence")
        assert shown.licence.isVisible()
        licence = Path(__file__).parents[2] / "LICENSE"
        assert shown.licence.toPlainText().strip() == licence.read_text(encoding="utf-8").strip()
        links.linkActivated.emit("help")
        assert help_of(stage).isVisible()
        assert help_of(stage).page() == START

    play(scene)


def test_about_shows_where_projects_are_saved(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    opened: list[str] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: opened.append(url.toLocalFile()))
    parent = QWidget()
    qtbot.addWidget(parent)
    shown = show_about(parent)
    assert isinstance(shown, AboutDialog)
    assert shown.folders["Projects"] == projects_folder()
    for button in shown.findChildren(QPushButton):
        if button.text() == "Open folder":
            button.click()
    assert len(opened) == len(shown.folders)
    open_folder(tmp_path / "not" / "there")
    assert opened[-1] == str(tmp_path)
    assert shown.objectName() == about_dialog.NAME
