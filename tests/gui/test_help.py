"""The help: where F1 leads, what it answers in both languages, which keys it lists."""

import re
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt, QUrl
from PySide6.QtGui import QDesktopServices, QPdfWriter
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QMainWindow, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from gossamer.audit.rule_catalogue import RULES
from gossamer.gui.actions.window_actions import WindowAction
from gossamer.gui.help import about_dialog
from gossamer.gui.help.about_dialog import AboutDialog, open_folder, show_about
from gossamer.gui.help.help_pages import HelpPage, HelpPages, slug
from gossamer.gui.help.help_window import NAME, HelpWindow, open_help
from gossamer.gui.help.shortcut_list import shortcuts
from gossamer.gui.help.shortcuts_dialog import ShortcutsDialog, show_shortcuts
from gossamer.gui.help.table_pages import FIELDS
from gossamer.gui.notes.note_editor import NoteEditor
from gossamer.gui.tables.table_columns import LINK_SPECS, SPECS
from gossamer.gui.tables.table_tabs import TABS, page_about_tab
from gossamer.gui.text import language
from gossamer.gui.widgets.help_context import START, explain, page_about_field, page_for
from gossamer.model.project_queries import View
from gossamer.model.settings.crawl_settings import SETTINGS
from gossamer.session import default_paths
from gossamer.session.default_paths import projects_folder
from tests.cases import each_case
from tests.gui.conftest import Play
from tests.gui.desk import Desk, small_site
from tests.gui.stage import Stage, until

CLASS = re.compile(r"^class (\w+)(?:\(([^)]*)\))?:\n((?:(?: .*)?\n)*)", re.MULTILINE)
"""A class of a module: its name, those that it is derived from, and its lines."""


def help_of(stage: Stage) -> HelpWindow:
    found = stage.window.findChild(HelpWindow, NAME)
    assert found is not None
    return found


@pytest.fixture(scope="module")
def in_english() -> HelpPages:
    return HelpPages("en")


@pytest.fixture(scope="module")
def in_chinese() -> HelpPages:
    return HelpPages("zh_CN")


def text_of(pages: HelpPages, name: str) -> HelpPage:
    page = pages.page(name)
    assert page is not None, name
    return page


def test_both_languages_have_the_same_topics_and_answers(
    in_english: HelpPages, in_chinese: HelpPages
) -> None:
    topics = [page.name for page in in_english.all if page.name.startswith("window/")]
    assert len(topics) > 10
    for name in topics:
        ours, theirs = text_of(in_english, name), text_of(in_chinese, name)
        assert theirs.name == f"zh/{name}"
        assert ours.title != theirs.title
        for mark in ("## ", "\n- "):
            assert ours.text.count(mark) == theirs.text.count(mark), name


@each_case(
    ("words", "page"),
    [
        ("crawls saved", "window/files"),
        ("Discovery Folders", "window/trees"),
        ("red cross", "window/trees"),
        ("URLs skipped", "window/table"),
        ("JavaScript", "window/start"),
        ("only these URLs", "window/list"),
        ("site that is not mine", "window/start"),
        ("Digest", "window/login"),
        ("login has expired", "window/login"),
        ("PKCS", "window/login"),
        ("skipped for now", "window/table"),
        ("redirect counts once", "window/redirects"),
        ("colleague", "window/share"),
        ("exit codes", "command-line"),
        ("broken bookmark fragment", "issues/url-broken-bookmark"),
        ("max_depth", "settings"),
    ],
)
def test_the_help_answers_common_questions(words: str, page: str, in_english: HelpPages) -> None:
    assert page in {each.name for each in in_english.found(words)}


def test_pages_whose_titles_have_the_words_come_first(in_english: HelpPages) -> None:
    found = in_english.found("login")
    assert found[0].is_called("login")
    assert not found[-1].is_called("login")


def test_pages_with_a_heading_about_the_words_come_before_those_that_mention_them(
    in_english: HelpPages,
) -> None:
    assert in_english.found("delete all data")[0].name == "questions"
    both = {page.name for page in in_english.found("remove everything")[:2]}
    assert both == {"data-folders", "questions"}


def test_every_link_within_the_help_leads_to_a_page(
    in_english: HelpPages, in_chinese: HelpPages
) -> None:
    """But for those to pages for developers, which are left out."""
    dead = set()
    for pages in (in_english, in_chinese):
        for page in pages.all:
            links = re.findall(r'href="([^"]+)"' if page.is_html else r"\]\(([^) ]+)\)", page.text)
            ours = {link.partition("#")[0] for link in links if ":" not in link}
            ours = {link for link in ours if not link.endswith((".png", ".svg"))}
            dead |= {link for link in ours if not pages.linked(page, link)}
    allowed = re.compile(
        r"(\.\./)*(adr/.+|glossary|architecture|packaging|contributing|licence)\.md|\.\./\.\./.+"
    )
    assert {link for link in dead if not allowed.fullmatch(link)} == set()


def test_what_is_declared_has_a_page_in_the_language_of_the_window(in_english: HelpPages) -> None:
    for name, setting in SETTINGS.items():
        if setting.section:
            page = text_of(in_english, f"settings/{name}")
            assert page.title
            assert in_english.linked(page, "settings.md") == "settings"
    for rule in RULES.values():
        assert rule.reference in text_of(in_english, f"issues/{rule.slug}").text.replace(
            "&amp;", "&"
        )
    assert "1000" in text_of(in_english, "settings/max_similar").text
    assert in_english.page("issues/there-is-none") is None


def test_context_help_follows_the_focus(qtbot: QtBot) -> None:
    outer = QWidget()
    inner = QWidget(outer)
    qtbot.addWidget(outer)
    assert page_for(inner) == START == page_for(None)
    explain(outer, "window/table")
    assert page_for(inner) == "window/table"
    explain(inner, "window/list")
    assert page_for(inner) == "window/list"


def test_every_help_context_has_a_page(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        pages = HelpPages()
        asked = {widget.property("help") for widget in stage.window.findChildren(QWidget)} - {None}
        assert asked
        assert {name for name in asked if pages.page(name) is None} == set()

    play(scene)


def test_f1_opens_the_page_about_the_focused_panel(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        await stage.start()
        window = stage.window
        window.activateWindow()
        window.workspace.table.view.setFocus()
        QTest.keyClick(window.workspace.table.view, Qt.Key.Key_F1)
        shown = help_of(stage)
        assert shown.page() == "tabs/all"
        assert "All columns" not in shown.view.toPlainText()
        assert window.findChildren(HelpWindow) == [shown]
        rule = RULES[next(iter(RULES))]
        window.workspace.table.issues.explanation.show_rule(rule)
        assert page_for(window.workspace.table.issues.explanation) == f"issues/{rule.slug}"

    play(scene)


def test_f1_in_a_setting_beside_the_address_opens_the_page_about_it(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        start, bar = stage.window.start_page, stage.window.parts.top_bar
        for field, name in (
            (start.workers, "workers"),
            (bar.workers, "workers"),
            (start.redirects, "max_redirects"),
            (bar.redirects, "max_redirects"),
            (start.render_pages, "render"),
            (bar.render_pages, "render"),
            (start.keep_pages, "archive"),
        ):
            assert page_for(field) == f"settings/{name}"
        assert page_for(start.profile) == "settings"
        assert page_for(start.url_field) == "window/start"

    play(scene)


def test_f1_in_a_column_opens_the_page_about_it(qtbot: QtBot) -> None:
    """Not in the first one: there the keyboard is at first, and the tab is what it is about."""
    desk = Desk(qtbot, small_site())
    desk.open()
    panel = desk.table
    columns = [spec.column for spec in panel.urls.rows.kind.columns]
    for column, page in (("address", "tabs/all"), ("depth", "columns/urls/depth")):
        panel.urls.setCurrentIndex(panel.urls.rows.index(1, columns.index(column)))
        assert page_for(panel.urls) == page
    panel.set_view(View.ERRORS)
    assert page_for(panel.bar.tab_row) == "tabs/errors"
    desk.reader.close()


def test_the_menu_of_a_header_leads_to_the_page_about_the_column(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        await stage.start()
        urls = stage.window.workspace.table.urls
        header = urls.horizontalHeader()
        column = urls.rows.kind.index("depth")
        at = QPoint(header.sectionViewportPosition(column) + 5, 5)
        about = urls.header_menu(at).actions()[0]
        assert about.text() == "About the column Crawl depth"
        about.trigger()
        assert help_of(stage).page() == "columns/urls/depth"

    play(scene)


def test_f1_in_the_details_opens_the_page_about_the_tab_in_front(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        assert page_for(stage.window.workspace.table.bar.text.field) == "window/table"
        tabs = stage.window.workspace.details.tabs
        for tab in tabs.declared:
            tabs.bring_to_front(tab.view)
            assert page_for(tabs.tabBar()) == page_for(tabs.front) == tab.page

    play(scene)


def test_every_column_tab_and_details_tab_has_a_page_in_both_languages(
    play: Play, in_english: HelpPages, in_chinese: HelpPages
) -> None:
    names = [page_about_field(each.field) for each in SPECS + LINK_SPECS if each.field is not None]
    names += [page_about_tab(tab) for tab in TABS]

    async def scene(stage: Stage) -> None:
        names.extend(tab.page for tab in stage.window.workspace.details.tabs.declared)

    play(scene)
    assert len(names) > 200
    for pages in (in_english, in_chinese):
        assert [name for name in names if pages.page(name) is None] == []
    errors = text_of(in_english, "tabs/errors")
    assert in_english.linked(errors, "columns/urls/depth.md") == "columns/urls/depth"


def test_the_settings_are_explained_in_chinese(in_chinese: HelpPages) -> None:
    language.use("zh_CN")
    try:
        one, all_ = (text_of(in_chinese, name).text for name in ("settings/max_depth", "settings"))
    finally:
        language.use("en")
    meaning = "距起始网址的最多点击次数"
    assert meaning in one
    assert meaning in all_
    assert "Maximum clicks" not in one + all_
    assert "## 没有尽头的网站" in all_
    assert "## Sites without end" not in all_


def test_links_to_headings_of_the_settings_lead_there_in_chinese(
    in_english: HelpPages, in_chinese: HelpPages
) -> None:
    headings = re.findall(r"^## (.+)$", text_of(in_english, "settings").text, re.MULTILINE)
    page = text_of(in_chinese, "settings")
    theirs = [slug(each) for each in re.findall(r"^## (.+)$", page.text, re.MULTILINE)]
    assert [page.fragments[slug(each)] for each in headings] == theirs
    assert page.fragments["sites-without-end"] == "没有尽头的网站"


def test_columns_are_explained_in_chinese(in_chinese: HelpPages) -> None:
    language.use("zh_CN")
    try:
        texts = {name: text_of(in_chinese, name).text for name in FIELDS}
    finally:
        language.use("en")
    docs = {name: each.field.doc for name, each in FIELDS.items() if each.field.doc}
    assert [name for name, doc in docs.items() if doc[1:] in texts[name]] == []
    assert "第一个非空的 `<title>`" in texts["columns/urls/title"]


def test_every_dialog_says_what_f1_opens() -> None:
    """Those that others are derived from leave it to these."""
    folder = Path(__file__).parents[2] / "app" / "gossamer" / "gui"
    source = "\n".join(path.read_text(encoding="utf-8") for path in folder.rglob("*.py"))
    bases: dict[str, set[str]] = {}
    classes: dict[str, str] = {}
    for name, derived, body in CLASS.findall(source):
        bases[name], classes[name] = {each.strip() for each in derived.split(",")}, body
    dialogs = {"QDialog", "QMessageBox"}
    while more := {name for name in bases if bases[name] & dialogs} - dialogs:
        dialogs |= more
    last = dialogs - {"QMessageBox"} - set().union(*bases.values())
    assert len(last) > 20
    assert [name for name in last if not re.search(r"(?<![.\w])explain\(", classes[name])] == []


def test_f1_works_in_a_dialog_that_blocks_the_window(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        editor = NoteEditor("the site", "", stage.window)
        editor.open()
        await until(lambda: QApplication.activeModalWidget() is editor)
        await until(lambda: stage.window.action_set[WindowAction.HELP] in editor.actions())
        stage.trigger(WindowAction.HELP)
        shown = editor.findChild(HelpWindow, NAME)
        assert shown is not None, "one of the window itself would be blocked, too"
        assert shown.page() == "window/history"

    play(scene)


def test_the_help_goes_back_and_forward_and_follows_links(
    play: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: opened.append(url.toString()))

    async def scene(stage: Stage) -> None:
        shown = open_help(stage.window, "window/table")
        for typed in ("colleag", "colleague"):
            shown.search.setText(typed)
        assert shown.page() == "window/share"
        shown.search.setText("xyzzy")
        assert shown.lists.currentWidget() is shown.nothing
        shown.back.click()
        assert shown.page() == "window/table"
        assert not shown.back.isEnabled()
        shown.forward.click()
        assert shown.page() == "window/share"
        shown.show_page("tutorial")
        assert not shown.forward.isEnabled()
        shown.show_page("there/is-none")
        assert shown.page() == "index"
        shown.view.anchorClicked.emit(QUrl("command-line.md#exit-codes"))
        assert shown.page() == "command-line"
        assert shown.view.textCursor().block().text() == "Exit codes"
        shown.view.anchorClicked.emit(QUrl("https://example.com/"))
        assert (shown.page(), opened) == ("command-line", ["https://example.com/"])

    play(scene)


def test_keys_are_listed_as_the_actions_declare_them(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        keys = {(key.does, key.keys) for key in shortcuts()}
        assert ("Help", "F1") in keys
        assert ("Pause or resume", "Space") in keys
        assert ("Show inlinks", "Ctrl+I") in keys
        assert ("Filter rows", "Ctrl+F") in keys
        assert ("Regular expression", "Alt+R") in keys
        assert len({key.does for key in shortcuts()}) == len(keys), "one name, one action"
        deleting = {key.place: key.does for key in shortcuts() if key.keys == "Del"}
        assert deleting == {
            "In the list of ignored issues": "Stop ignoring",
            "In tables and trees": "Cancel the selected URLs",
        }
        stage.trigger(WindowAction.SHORTCUTS)
        [dialog] = stage.window.findChildren(ShortcutsDialog)
        assert dialog.shown() == shortcuts()
        dialog.search.setText("filter rows")
        assert [key.keys for key in dialog.shown()] == ["Ctrl+F"]
        dialog.search.setText("ctrl+.")
        assert [key.does for key in dialog.shown()] == ["Cancel the crawl"]
        dialog.search.setText("xyzzy")
        assert not dialog.print_button.isEnabled()
        text = open_help(stage.window, "keyboard").view.toPlainText()
        for does, key in keys:
            assert does in text
            assert key in text

    play(scene)


def test_keys_can_be_printed(qtbot: QtBot, tmp_path: Path) -> None:
    window = QMainWindow()
    qtbot.addWidget(window)
    dialog = show_shortcuts(window)
    assert show_shortcuts(window) is dialog
    sizes = []
    for typed in ("", "ctrl+."):
        dialog.search.setText(typed)
        paper = tmp_path / f"{len(typed)}.pdf"
        dialog.print_to(QPdfWriter(str(paper)))
        sizes.append(paper.stat().st_size)
    assert sizes[0] > sizes[1] > 0


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
    open_folder(tmp_path / ("long" * 100))
    assert opened[-1] == str(tmp_path)
    assert shown.objectName() == about_dialog.NAME


def test_the_menu_shows_the_nearest_folder_where_there_can_be_no_logs(
    play: Play, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    logs = tmp_path / "file" / "logs"
    monkeypatch.setattr(default_paths, "user_log_path", lambda *_, **__: logs)
    opened: list[str] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: opened.append(url.toLocalFile()))

    async def scene(stage: Stage) -> None:
        stage.trigger(WindowAction.OPEN_LOG)
        stage.trigger(WindowAction.REPORT)
        assert opened == [str(tmp_path)] * 2
        show_about(stage.window)
        about = stage.window.findChild(AboutDialog)
        assert about is not None
        assert logs in about.folders.values()
        about.close()

    play(scene)
