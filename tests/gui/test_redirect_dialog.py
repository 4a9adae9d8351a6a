"""The dialog that checks a table of old and new addresses."""

import csv
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple, cast

import pytest
from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot
from shiboken6 import isValid

from gossamer.audit.redirect_check import CheckedRedirect, RedirectResult
from gossamer.export.formats import TABLE_SUFFIXES
from gossamer.gui.actions.window_actions import WindowAction
from gossamer.gui.export.format_names import name_filters
from gossamer.gui.project.reader_thread import ProjectReader
from gossamer.gui.redirects.pair_check import AT_ONCE
from gossamer.gui.redirects.redirect_dialog import RedirectDialog
from gossamer.gui.tables.item_roles import DISPLAY
from gossamer.model.crawl_state import CrawlState
from gossamer.model.outcome import Outcome
from gossamer.session.redirect_table_files import read_redirect_table
from gossamer.urls.expected_redirects import ExpectedRedirect, ExpectedRedirects
from tests.fakes.crawled import SITE, Crawled
from tests.gui.conftest import Play
from tests.gui.stage import Stage, until

PAIRS = [("/old", "/new"), ("/detour", "/new"), ("/lost", "/new"), ("/gone", "/new")]
PAIRS += [("/still", "/new"), ("/never", "/new")]


def fill(path: Path) -> None:
    """What was found of a site that has moved, all but of /never."""
    with Crawled(path) as crawled:
        crawled.redirect("/old", "/new")
        crawled.redirect("/detour", "/old", status=302)
        crawled.redirect("/lost", "/")
        crawled.failed("/gone", Outcome.CLIENT_ERROR, status=404)
        for page in ("/new", "/", "/still"):
            crawled.page(page)


def write_table(path: Path, site: str = SITE) -> Path:
    path.write_text("".join(f"{site}{old},{site}{new}\n" for old, new in PAIRS), encoding="utf-8")
    return path


@pytest.fixture
def reader(tmp_path: Path) -> Iterator[ProjectReader]:
    fill(tmp_path / "moved.gossamer")
    reader = ProjectReader(together_ms=0)
    reader.open(tmp_path / "moved.gossamer")
    yield reader
    reader.close()


@pytest.fixture
def dialog(reader: ProjectReader, qtbot: QtBot) -> RedirectDialog:
    """It reads tables at once."""
    dialog = RedirectDialog(reader, typing_ms=0)
    qtbot.addWidget(dialog)
    dialog.turn_to(has_crawl=True, is_under_way=False)
    dialog.table_wanted.connect(
        lambda path, base: dialog.show_table(path, read_redirect_table(path, base))
    )
    dialog.show()
    return dialog


def cells(dialog: RedirectDialog, column: int) -> list[str]:
    rows = dialog.table.rows
    return [rows.index(row, column).data(DISPLAY) for row in range(rows.rowCount())]


def choose(dialog: RedirectDialog, name: str) -> None:
    dialog.choice.setCurrentIndex(
        next(n for n in range(dialog.choice.count()) if dialog.choice.itemText(n).startswith(name))
    )


def test_what_is_not_right_is_listed_and_the_rest_when_chosen(
    dialog: RedirectDialog, qtbot: QtBot, tmp_path: Path
) -> None:
    dialog.read_table(write_table(tmp_path / "moves.csv"))
    qtbot.waitUntil(lambda: dialog.table.rows.rowCount() == 4)
    assert cells(dialog, 1) == ["✕ Wrong target", "✕ Broken", "✕ Not redirected", "? Not checked"]
    assert cells(dialog, 4) == [f"{SITE}/", "", "", ""]
    assert cells(dialog, 6)[-1] == "not in this crawl"
    assert dialog.counts.text() == "2 of 6 right; of these, 1 by several redirects, 1 temporary"
    assert "6 pairs" in dialog.file.text()
    choose(dialog, "All pairs")
    qtbot.waitUntil(lambda: dialog.table.rows.rowCount() == 6)
    assert cells(dialog, 3)[:2] == ["1", "2"]
    assert "6" in dialog.choice.currentText()
    choose(dialog, "Broken")
    qtbot.waitUntil(lambda: cells(dialog, 2) == ["404"])


class Batches(ProjectReader):
    """Has the pairs checked when it is told so."""

    take: Callable[[list[CheckedRedirect]], None]
    fail: Callable[[], None] | None = None

    def submit(
        self,
        read: Callable[..., Any],
        done: Callable[..., None],
        *,
        key: str,
        on_failure: Callable[[], None] | None = None,
        **_: object,
    ) -> None:
        del read
        if key.startswith("redirects"):
            self.take, self.fail = done, on_failure


class Counted(NamedTuple):
    """A pair that is right; `looks` has an entry for each time that its result was asked for."""

    looks: list[int]
    is_right: bool = True
    is_chain: bool = False
    is_temporary: bool = False

    @property
    def result(self) -> RedirectResult:
        self.looks.append(1)
        return RedirectResult.RIGHT


def test_the_result_of_each_pair_is_counted_once_however_many_there_are(qtbot: QtBot) -> None:
    reader = Batches()
    dialog = RedirectDialog(reader)
    qtbot.addWidget(dialog)
    dialog.turn_to(has_crawl=True, is_under_way=False)
    path, batches, looks = Path("moves.csv"), 10, list[int]()
    pairs = [ExpectedRedirect(n, f"{SITE}/{n}", SITE) for n in range(batches * AT_ONCE)]
    dialog.read_table(path)
    dialog.show_table(path, ExpectedRedirects(tuple(pairs)))
    for _ in range(batches):
        reader.take([cast("CheckedRedirect", Counted(looks))] * AT_ONCE)
    assert dialog.counts.text().startswith("2,000 of 2,000 right")
    assert len(looks) == len(pairs)


def test_a_crawl_that_cannot_be_read_ends_the_check(qtbot: QtBot) -> None:
    reader = Batches()
    dialog = RedirectDialog(reader)
    qtbot.addWidget(dialog)
    dialog.turn_to(has_crawl=True, is_under_way=False)
    path = Path("moves.csv")
    pairs = [ExpectedRedirect(n, f"{SITE}/{n}", SITE) for n in range(2 * AT_ONCE)]
    dialog.read_table(path)
    dialog.show_table(path, ExpectedRedirects(tuple(pairs)))
    reader.take([CheckedRedirect(each, RedirectResult.BROKEN) for each in pairs[:AT_ONCE]])
    assert dialog.counts.text() == "Checking: 50%"
    assert reader.fail is not None
    reader.fail()
    assert dialog.counts.text() == ""
    assert dialog.table.note.text() == "The crawl could not be read."
    assert not dialog.save_button.isEnabled()
    dialog.check()
    assert dialog.table.note.text() == "Checking…"


def test_paths_ask_for_their_site_and_are_checked_when_it_is_typed(
    dialog: RedirectDialog, qtbot: QtBot, tmp_path: Path
) -> None:
    dialog.read_table(write_table(tmp_path / "moves.csv", ""))
    assert dialog.message.isVisible()
    assert "enter the site" in dialog.message.text()
    assert dialog.table.note.text() == "Enter the site that the paths belong to."
    assert not dialog.request.isEnabled()
    QTest.keyClicks(dialog.base, f"{SITE}/")
    qtbot.waitUntil(lambda: dialog.table.rows.rowCount() == 4)
    assert not dialog.message.isVisible()
    assert dialog.request.isEnabled()


def test_a_line_that_is_no_pair_is_named_and_nothing_is_checked(
    dialog: RedirectDialog, tmp_path: Path
) -> None:
    table = tmp_path / "moves.csv"
    table.write_text(f"{SITE}/old,{SITE}/new\n{SITE}/a\n{SITE}/b\n", encoding="utf-8")
    dialog.read_table(table)
    assert dialog.message.text().startswith("Line 2:")
    assert "1 more like it" in dialog.message.text()
    assert dialog.table.note.text() == "Correct the table and choose it again."
    assert not dialog.request.isEnabled()
    assert not dialog.save_button.isEnabled()


def test_all_pairs_are_saved_whatever_is_listed(
    dialog: RedirectDialog, qtbot: QtBot, tmp_path: Path
) -> None:
    dialog.read_table(write_table(tmp_path / "moves.csv"))
    qtbot.waitUntil(dialog.save_button.isEnabled)
    dialog.save_button.click()
    asked = dialog.findChild(QFileDialog, "save-redirects")
    assert asked is not None
    assert asked.nameFilters() == name_filters(TABLE_SUFFIXES)
    asked.reject()
    out = tmp_path / "checked.csv"
    with qtbot.waitSignal(dialog.saver.finished) as finished:
        dialog.save(out)
    assert finished.args == [""]
    with out.open(encoding="utf-8-sig", newline="") as file:
        results = [row["Result"] for row in csv.DictReader(file)]
    assert results == ["right", "right", "wrong target", "broken", "not redirected", "not checked"]
    with qtbot.waitSignal(dialog.saver.finished):
        dialog.save(tmp_path / "checked.docx")
    assert "cannot be written" in dialog.message.text()
    assert dialog.save_button.isEnabled()


def test_many_pairs_are_checked_in_parts_and_another_table_begins_anew(
    dialog: RedirectDialog, qtbot: QtBot, tmp_path: Path
) -> None:
    many = [ExpectedRedirect(n, f"{SITE}/old", f"{SITE}/new") for n in range(2 * AT_ONCE + 1)]
    path = tmp_path / "moves.csv"
    dialog.table_wanted.disconnect()
    dialog.read_table(path)
    dialog.show_table(path, ExpectedRedirects(tuple(many)))
    assert dialog.counts.text().startswith("Checking")
    dialog.show_table(path, ExpectedRedirects(tuple(many[:1])))
    qtbot.waitUntil(lambda: dialog.counts.text().startswith("1 of 1 right"))
    dialog.show_table(path, ExpectedRedirects(tuple(many)))
    qtbot.waitUntil(lambda: dialog.counts.text().startswith(f"{len(many)} of {len(many)} right"))
    assert dialog.table.note.text() == "Every old address leads to its new one."


@pytest.mark.parametrize("way", ["close", "reject"])
def test_answers_that_come_after_the_dialog_was_closed_are_dropped(
    reader: ProjectReader, qtbot: QtBot, tmp_path: Path, way: str
) -> None:
    dialog = RedirectDialog(reader)
    dialog.turn_to(has_crawl=True, is_under_way=False)
    path = write_table(tmp_path / "moves.csv")
    dialog.read_table(path)
    dialog.show_table(path, read_redirect_table(path))
    dialog.show()
    getattr(dialog, way)()
    QCoreApplication.sendPostedEvents(dialog, QEvent.Type.DeferredDelete)
    assert not isValid(dialog)
    answers: list[str] = []
    reader.submit(lambda rows: rows.robots_origins(), answers.extend, key="later", background=True)
    reader.submit(lambda _: ["over"], answers.extend, key="last", background=True)
    qtbot.waitUntil(lambda: bool(answers))


def test_the_addresses_are_requested_by_a_crawl_and_checked_when_it_is_over(
    play: Play, tmp_path: Path
) -> None:
    async def scene(stage: Stage) -> None:
        stage.trigger(WindowAction.CHECK_REDIRECTS)
        (dialog,) = stage.window.findChildren(RedirectDialog)
        dialog.read_table(write_table(tmp_path / "moves.csv"))
        await until(dialog.request.isEnabled)
        assert dialog.table.note.text() == "Request the addresses to check them."
        dialog.request.click()
        await until(lambda: bool(stage.sessions.made) and "start" in stage.session.asked)
        session = stage.session
        assert session.settings.list_only
        assert session.settings.roots[:2] == (f"{SITE}/old", f"{SITE}/detour")
        assert session.settings.roots[-1] == f"{SITE}/new"
        await until(lambda: "not finished" in dialog.about_crawl.text())
        await until(lambda: dialog.counts.text().startswith("0 of 6 right"))
        session.path.unlink()
        fill(session.path)
        stage.window.reader.open(session.path)
        session.tell(state=CrawlState.FINISHED)
        await until(lambda: dialog.counts.text().startswith("2 of 6 right"))
        await until(lambda: dialog.table.rows.rowCount() == 4)

    play(scene)
