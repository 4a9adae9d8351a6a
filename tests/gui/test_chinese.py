"""The window in Chinese: no English word is left anywhere, and everything fits."""

import re
from collections.abc import Iterable, Iterator
from functools import cache, partial
from http import HTTPStatus
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QLabel, QSizePolicy, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from gossamer.gui.export.export_dialog import ExportDialog
from gossamer.gui.help.about_dialog import show_about
from gossamer.gui.overview.overview_panel import OverviewPanel
from gossamer.gui.runtime.saved_ui_state import UiState
from gossamer.gui.settings.settings_dialog import SettingsDialog, SettingsDialogSubject
from gossamer.gui.tables.query_table_model import QueryModel
from gossamer.gui.text import language
from gossamer.model.crawl_state import CrawlState
from gossamer.model.outcome import Outcome
from gossamer.model.project_queries import View
from gossamer.model.secrets import SecretNames
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.settings.user_agents import PRESETS
from gossamer.model.translatable import Translatable
from tests.fakes.project_rows import FakeRows
from tests.gui.conftest import Run
from tests.gui.desk import BASE, Desk
from tests.gui.fakes import FakeExporter
from tests.gui.overview_samples import FIGURES, PROGRESS
from tests.gui.spoken_texts import ROWS, spoken_texts
from tests.gui.stage import Stage, staged, until

pytestmark = pytest.mark.styled

WORD = re.compile(r"[A-Za-z][A-Za-z0-9.-]*[A-Za-z0-9]")
NOT_OURS = re.compile(
    r"\w+://\S*|mailto:\S*|<[^<>]*>|/\S+|\S*example\.com\S*|\(&?\w\)|(?<!\w)\*?\.\w+|'[^']*'|%\d|--[a-z-]+|en_GB\S*|EN_A_VS_AN"
)
"""Addresses, markup, paths, access keys, suffixes, what is quoted literally, options."""
LATIN = frozenset(
    [
        "Accept-Language",
        "Chrome",
        "Chromium",
        "Dask",
        "SQL",
        "local",
        "AA",
        "AAA",
        "axe",
        "axe-core",
        "WCAG",
        "DOM",
        "Edge",
        "KB",
        "Shadow",
        "x800",
        "Alt",
        "ASCII",
        "Authorization",
        "Beautiful",
        "aff",
        "dic",
        "Hunspell",
        "LanguageTool",
        "AN",
        "EN",
        "VS",
        "blank",
        "llms.txt",
        "Ctrl",
        "CSS",
        "CSV",
        "PDF",
        "Parquet",
        "WACZ",
        "html",
        "image",
        "text",
        "LanguageTool",
        "MB",
        "blank",
        "Cookie",
        "Delete",
        "rel",
        "Enter",
        "English",
        "Escape",
        "Excel",
        "Gossamer",
        "Graph",
        "HTML",
        "H1",
        "HTTP",
        "JS",
        "JavaScript",
        "HttpOnly",
        "Hunspell",
        "AMP",
        "CO2",
        "Design",
        "Flesch",
        "H1-1",
        "H1-2",
        "H2",
        "H2-1",
        "H2-2",
        "Sustainable",
        "Web",
        "h1",
        "Hreflang",
        "SERP",
        "hreflang",
        "nav",
        "footer",
        "http",
        "https",
        "JSON",
        "JSON-LD",
        "LanguageTool",
        "Microdata",
        "RDFa",
        "X-Robots-Tag",
        "blank",
        "llms.txt",
        "next",
        "prev",
        "JavaScript",
        "KiB",
        "Lines",
        "Location",
        "MIT",
        "Meta",
        "MiB",
        "nofollow",
        "Nofollow",
        "noindex",
        "Open",
        "PySide6",
        "Qt",
        "Refresh",
        "Rel",
        "Robots",
        "SameSite",
        "Shift",
        "Soup",
        "TLS",
        "HTTPS",
        "PEM",
        "PKCS",
        "URL",
        "UTF-8",
        "XML",
        "XPath",
        "LGPL",
        "lastmod",
        "llms.txt",
        "robots.txt",
        "next",
        "prev",
        "X-Robots-Tag",
        "JSON-LD",
        "Microdata",
        "RDFa",
        "selectolax",
        "xx",
    ]
)
"""What Chinese people write in Latin letters too."""

ANSWERED = frozenset({"OK", "Moved", "Permanently", "Not", "Found"})
"""What servers say beside their status codes."""


_PHRASES = "|".join(re.escape(status.phrase) for status in HTTPStatus)
REASON_PHRASE = re.compile(rf"(?<![^>])({_PHRASES})(?![^<])")
"""Servers say them, and tables and their tooltips show what they say."""


def english_in(texts: Iterable[tuple[str, str]], known: frozenset[str] = frozenset()) -> str:
    """The texts that have a word which is not Chinese and not excused."""
    found: dict[str, None] = {}
    for where, text in texts:
        if wrong := english_words(text) - known:
            found[f"{where}: {text!r} has {sorted(wrong)}"] = None
    return "\n".join(found)


@cache
def english_words(text: str) -> frozenset[str]:
    """Those that are not excused. Tables say most things in many rows."""
    ours = NOT_OURS.sub(" ", REASON_PHRASE.sub("", text).replace("\n", " "))
    return frozenset(WORD.findall(ours)) - LATIN


@pytest.fixture(autouse=True)
def chinese(english: None, compiled_translations: None) -> Iterator[None]:
    """The window speaks Chinese; whatever test comes next begins in English again."""
    del english, compiled_translations
    language.use("zh_CN")
    yield
    language.use("en")


TYPED = frozenset(
    ["jo", "id", "X-Key", "pages.csv", "website", "crawler", "zh-CN", "en", "Name", "name", "value"]
)
"""What is typed into the dialogs, or may be: secrets, a file, a user agent, headers."""
PROJECT = frozenset({"crawl", "gossamer"})
"""Words in the name of the project file on the stage."""


def every_outcome() -> FakeRows:
    """A site on which everything has happened."""
    rows = FakeRows()
    root = rows.add(f"{BASE}/", Outcome.PAGE, status=200, title="标题", elapsed_ms=5)
    for outcome in Outcome:
        status = {Outcome.REDIRECT: 301, Outcome.CLIENT_ERROR: 404}.get(outcome)
        rows.add(f"{BASE}/{int(outcome)}/", outcome, parent=root, status=status, elapsed_ms=2000)
        rows.link(root, len(rows.urls), "链接")
    return rows


def test_chinese_texts_fit_in_the_panels(qtbot: QtBot) -> None:
    desk = Desk(qtbot, every_outcome())
    desk.reader.open(Path("a.gossamer"))
    for panel in desk.panels:
        panel.set_project(Path("a.gossamer"))
    desk.until(lambda: desk.table.model.rowCount() == desk.rows.view_counts()[View.ALL])
    desk.details.select_url(1)
    assert desk.table.bar.menu.menu_of("verdict")  # makes the menus of all facets
    for view in View:
        desk.table.set_view(view)
        desk.until(lambda: desk.table.model.loaded)
        ask_for_rows(desk.table.model)
        desk.until(partial(is_read, desk.table.model))
        # The other views show some of the same rows.
        rows = ROWS if view in {View.ALL, View.LINKS} else 1
        assert english_in(spoken_texts(desk.table, rows), ANSWERED) == ""
    for panel in desk.panels:
        assert english_in(spoken_texts(panel)) == ""


def ask_for_rows(model: QueryModel) -> None:
    """Have rows read, as by painting them; only then do they say anything."""
    for row in range(model.rowCount()):
        model.data(model.index(row, 0))


def is_read(model: QueryModel) -> bool:
    """Whether all rows have come."""
    return all(model.record(row) is not None for row in range(model.rowCount()))


def test_chinese_texts_fit_in_the_overview(qtbot: QtBot) -> None:
    overview = OverviewPanel()
    qtbot.addWidget(overview)
    overview.show()
    overview.show_progress(PROGRESS)
    overview.show_figures(FIGURES)
    hosts = frozenset({"busy.test", "tired.test", "text", "image", "html", "png", "p", "br"})
    assert english_in(spoken_texts(overview), hosts) == ""


def stage_is(stage: Stage, state: CrawlState) -> bool:
    """Whether the crawl on the stage is in that state."""
    return stage.crawl.state is state


def dialogs(folder: Path, stage: Stage) -> Iterator[QWidget]:
    yield show_about(stage.window)
    yield ExportDialog(
        folder / "a.gossamer",
        stage.tasks,
        stage.window,
        memory=UiState(folder / "export.ini"),
        exporter=FakeExporter(),
    )
    needs = (SecretNames(origin=BASE, user="jo", cookies=("id",), headers=("X-Key",)),)
    yield SettingsDialog(
        CrawlSettings(roots=()), stage.window, about=SettingsDialogSubject(needs=needs)
    )


def test_chinese_texts_fit_in_the_window_its_menus_and_dialogs(
    run: Run[None], tmp_path: Path
) -> None:
    async def scene() -> None:
        async with staged(tmp_path) as stage:
            window = stage.window
            assert english_in(spoken_texts(window)) == ""
            window.start_page.url_field.setEditText("example.com")
            window.start_page.submitted.emit()
            await until(lambda: bool(stage.sessions.made) and "start" in stage.session.asked)
            for state in CrawlState:
                stage.session.tell(state=state, notice=Translatable(Outcome.TIMEOUT.sentence))
                await until(partial(stage_is, stage, state))
                assert english_in(spoken_texts(window), PROJECT) == "", state
            for dialog in dialogs(tmp_path, stage):
                known = TYPED.union(PRESETS)
                dialog.show()
                for _page in pages(dialog):
                    pass  # all of it is made
                assert english_in(spoken_texts(dialog), known) == ""
                dialog.close()
                dialog.deleteLater()

    run(scene())


def pages(dialog: QWidget) -> Iterator[None]:
    """The pages of a dialog, one after the other in front; one that has none is a page itself."""
    if not isinstance(dialog, SettingsDialog):
        yield
        return
    for row in range(dialog.sections.count()):
        dialog.sections.setCurrentRow(row)
        yield


def cut_off(root: QWidget) -> list[str]:
    """The buttons and labels in sight whose text needs more room than they have."""
    found = []
    for widget in root.findChildren(QWidget):
        if not isinstance(widget, (QAbstractButton, QLabel)) or not widget.isVisible():
            continue
        may_be_cut = widget.sizePolicy().horizontalPolicy() is QSizePolicy.Policy.Ignored
        wraps = isinstance(widget, QLabel) and widget.wordWrap()
        only = Qt.ToolButtonStyle.ToolButtonIconOnly
        has_only_icon = isinstance(widget, QToolButton) and (
            not widget.icon().isNull() and widget.toolButtonStyle() is only
        )
        if widget.text() and not (may_be_cut or wraps or has_only_icon):
            needs = widget.sizeHint().width()
            if needs > widget.width():
                found.append(f"{widget.text()!r} has {widget.width()} of {needs} pixels")
    return found


def test_chinese_texts_fit_a_small_screen(run: Run[None], tmp_path: Path) -> None:
    async def scene() -> None:
        async with staged(tmp_path) as stage:
            window = stage.window
            window.resize(1280, 720)
            assert cut_off(window) == []
            window.start_page.url_field.setEditText("example.com")
            window.start_page.submitted.emit()
            await until(lambda: bool(stage.sessions.made) and "start" in stage.session.asked)
            await until(window.workspace.isVisible)
            assert window.width() == 1280
            assert cut_off(window) == []
            for dialog in dialogs(tmp_path, stage):
                dialog.show()
                assert dialog.width() <= 1280
                assert dialog.height() <= 720
                for _page in pages(dialog):
                    assert dialog.width() <= 1280
                    assert cut_off(dialog) == []
                dialog.close()
                dialog.deleteLater()

    run(scene())


def test_the_check_finds_a_button_that_is_too_narrow(qtbot: QtBot) -> None:
    dialog = SettingsDialog(CrawlSettings(roots=()))
    qtbot.addWidget(dialog)
    dialog.show()
    dialog.show_section("access")
    button = dialog.findChild(QAbstractButton, "forget-secrets")
    assert isinstance(button, QAbstractButton)
    button.setFixedWidth(40)
    assert [words for words in cut_off(dialog) if button.text() in words]
