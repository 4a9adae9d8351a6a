"""The dialog on crawlers' access: matrix, robots.txt tester, llms.txt."""

import csv
from collections.abc import Iterator
from functools import partial
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QCoreApplication, QEvent
from pytestqt.qtbot import QtBot
from shiboken6 import isValid

from gossamer.export.access_reports import write_robots_changes
from gossamer.gui.actions.view_actions import ViewAction
from gossamer.gui.context_menu.url_menu import IN_WORKSPACE
from gossamer.gui.crawler_access.access_dialog import AccessDialog
from gossamer.gui.crawler_access.robots_tester import AT_ONCE, RobotsTester
from gossamer.gui.details.detail_table import DetailTable
from gossamer.gui.export.list_saver import ListSaver
from gossamer.gui.project.reader_thread import ProjectReader
from gossamer.model.known_crawlers import KNOWN_CRAWLERS
from gossamer.model.outcome import Outcome
from gossamer.model.site_checks import SiteCheck, SiteCheckRow
from gossamer.robots.robots_trial import RobotsChange, RobotsVerdict
from tests.fakes.project_rows import FakeRows

SITE = "https://example.com"
ROBOTS = "User-agent: *\nDisallow: /private/\n\nUser-agent: GPTBot\nDisallow: /\n"
LLMS = "# Example\n\n## Pages\n\n- [Gone](/gone)\n- [Elsewhere](https://other.example/)\n"


@pytest.fixture
def rows() -> FakeRows:
    rows = FakeRows()
    for path in ("/", "/private/a", "/new/a"):
        rows.add(f"{SITE}{path}", Outcome.PAGE, status=200)
    rows.add(f"{SITE}/gone", Outcome.CLIENT_ERROR, status=404)
    rows.robots = {SITE: (200, ROBOTS), "https://a.example": (404, "")}
    rows.checks = [
        SiteCheckRow(
            *(SITE, SiteCheck.LLMS_TXT, f"{SITE}/llms.txt", Outcome.FILE, 200),
            final_url=f"{SITE}/llms.txt",
            text=LLMS,
        ),
        SiteCheckRow(
            *(SITE, SiteCheck.MADE_UP_URL, f"{SITE}/none", Outcome.PAGE, 200),
            final_url=f"{SITE}/none",
        ),
    ]
    return rows


@pytest.fixture
def reader(rows: FakeRows, tmp_path: Path) -> Iterator[ProjectReader]:
    reader = ProjectReader(lambda _: rows, together_ms=0)
    reader.open(tmp_path)
    yield reader
    reader.close()


@pytest.fixture
def dialog(reader: ProjectReader, qtbot: QtBot) -> AccessDialog:
    dialog = AccessDialog(reader, f"{SITE}/", "Gossamer/1.0")
    qtbot.addWidget(dialog)
    dialog.show()
    qtbot.waitUntil(lambda: dialog.matrix.rows.rowCount() > 0 and not dialog.tester.is_running)
    return dialog


def cells(view: DetailTable[Any], place: int) -> list[str]:
    model = view.rows
    return [model.index(row, place).data() for row in range(model.rowCount())]


def test_each_known_crawler_has_a_row(dialog: AccessDialog) -> None:
    names = cells(dialog.matrix, 0)
    assert names == [each.name for each in KNOWN_CRAWLERS]
    results = dict(zip(names, cells(dialog.matrix, 3), strict=True))
    lines = dict(zip(names, cells(dialog.matrix, 5), strict=True))
    assert results["GPTBot"] == "✕ may not fetch"
    assert lines["GPTBot"] == "5: Disallow: /"
    assert results["Googlebot"] == "✓ may use"


def test_the_host_of_the_crawl_comes_first_with_what_it_answers(dialog: AccessDialog) -> None:
    assert dialog.host.currentText() == SITE
    assert dialog.host.count() == 2
    assert "for URLs that do not exist" in dialog.findings.text()


def test_another_url_has_its_own_verdicts(dialog: AccessDialog, qtbot: QtBot) -> None:
    dialog.url.setText(f"{SITE}/private/a")
    qtbot.waitUntil(lambda: cells(dialog.matrix, 3)[:1] == ["✕ may not fetch"])
    dialog.url.setText("no such thing://")
    qtbot.waitUntil(lambda: dialog.matrix.rows.rowCount() == 0)


def test_llms_txt_is_summed_up_with_its_links(dialog: AccessDialog, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: dialog.links.rows.rowCount() == 2)
    assert cells(dialog.links, 4) == ["✕ broken", "not crawled"]
    assert "2 links, 1 broken, 0 not indexable" in dialog.llms.text()
    assert "It follows the proposed form." in dialog.llms.text()


def test_an_edited_file_is_tried_on_all_urls_while_it_is_typed(
    dialog: AccessDialog, qtbot: QtBot
) -> None:
    tester = dialog.tester
    assert "0 newly blocked, 0 newly allowed, of 4 URLs" in tester.counts.text()
    tester.editor.setPlainText("User-agent: *\nDisallow: /new/\nDisalow: /x\n")
    qtbot.waitUntil(lambda: tester.table.rows.rowCount() == 2)
    assert "1 newly blocked, 1 newly allowed" in tester.counts.text()
    assert cells(tester.table, 1) == ["✕ disallowed", "✓ allowed"]
    assert cells(tester.table, 3) == ["2: Disallow: /private/", ""]
    assert cells(tester.table, 4) == ["", "2: Disallow: /new/"]
    assert "Line 3" in tester.faults.item(0).text()
    tester.revert_button.click()
    qtbot.waitUntil(lambda: "0 newly blocked" in tester.counts.text())


def test_a_row_leads_to_its_url(dialog: AccessDialog, qtbot: QtBot) -> None:
    tester = dialog.tester
    tester.editor.setPlainText("")
    qtbot.waitUntil(lambda: tester.table.rows.rowCount() == 1)
    with qtbot.waitSignal(dialog.url_selected) as followed:
        tester.table.activated.emit(tester.table.rows.index(0, 0))
    assert followed.args == [2]


def test_one_url_is_tried_by_both_files(dialog: AccessDialog, qtbot: QtBot) -> None:
    tester = dialog.tester
    tester.url.setText(f"{SITE}/private/b")
    qtbot.waitUntil(lambda: tester.verdict.text() == "✕ disallowed · 2: Disallow: /private/")
    tester.editor.setPlainText("User-agent: *\nAllow: /\n")
    qtbot.waitUntil(lambda: "after: ✓ allowed · 2: Allow: /" in tester.verdict.text())
    tester.url.setText("https://other.example/")
    assert SITE in tester.verdict.text()


def test_the_crawler_can_be_chosen(dialog: AccessDialog, qtbot: QtBot) -> None:
    tester = dialog.tester
    assert tester.crawler.itemText(0) == "Gossamer (this crawl)"
    tester.crawler.setCurrentIndex(tester.crawler.findText("GPTBot"))
    tester.editor.setPlainText("")
    qtbot.waitUntil(lambda: "4 newly allowed" in tester.counts.text())


def test_the_list_is_saved(dialog: AccessDialog, qtbot: QtBot, tmp_path: Path) -> None:
    tester = dialog.tester
    tester.editor.setPlainText("")
    qtbot.waitUntil(lambda: tester.save_button.isEnabled() and not tester.is_running)
    with qtbot.waitSignal(tester.saver.finished):
        tester.save(tmp_path / "list.csv")
    with (tmp_path / "list.csv").open(encoding="utf-8-sig", newline="") as file:
        (row,) = csv.DictReader(file)
    assert row == {
        "Address": f"{SITE}/private/a",
        "Before": "Disallowed",
        "After": "Allowed",
        "Line Before": "2: Disallow: /private/",
        "Line After": "",
    }


def test_a_list_that_cannot_be_saved_leaves_the_file_as_it_was(
    dialog: AccessDialog, qtbot: QtBot, tmp_path: Path
) -> None:
    tester = dialog.tester
    tester.editor.setPlainText("")
    qtbot.waitUntil(lambda: tester.save_button.isEnabled() and not tester.is_running)
    with qtbot.waitSignal(tester.saver.finished):
        tester.save(tmp_path / "none" / "list.csv")
    assert "cannot be written" in tester.counts.text()
    older = tmp_path / "list.csv"
    older.write_text("older")
    beside = tmp_path / "link.csv"
    beside.hardlink_to(older)
    with qtbot.waitSignal(tester.saver.finished):
        tester.save(older)
    assert older.read_bytes().startswith(b"\xef\xbb\xbfAddress,")
    assert beside.read_text() == "older", "the new file was made aside and renamed"


def test_saving_tells_its_progress_and_can_be_cancelled(
    dialog: AccessDialog, qtbot: QtBot, tmp_path: Path
) -> None:
    tester = dialog.tester
    tester.editor.setPlainText("")
    qtbot.waitUntil(lambda: tester.save_button.isEnabled() and not tester.is_running)
    label = tester.save_button.text()
    list_ = tmp_path / "list.csv"
    list_.write_text("older")
    with (
        qtbot.waitSignal(tester.saver.progressed) as share,
        qtbot.waitSignal(tester.saver.finished),
    ):
        tester.save(list_)
        assert tester.counts.text() == "Saving the list: 0 %"
        assert tester.save_button.text() != label
    assert share.args == [100]
    assert list_.read_bytes().startswith(b"\xef\xbb\xbfAddress,")
    assert tester.save_button.text() == label
    assert "newly allowed" in tester.counts.text()


def test_a_list_whose_saving_is_cancelled_leaves_the_file_as_it_was(
    qtbot: QtBot, tmp_path: Path
) -> None:
    saver, allowed = ListSaver(), RobotsVerdict(allowed=True, line=None)
    change = RobotsChange(f"{SITE}/a", allowed, allowed)
    write = partial(write_robots_changes, _Endless([change] * 2))
    list_ = tmp_path / "list.csv"
    list_.write_text("older")
    with qtbot.waitSignal(saver.finished) as finished:
        saver.save(list_, write)
        saver.cancel()
    assert finished.args == [""]
    assert not saver.is_saving
    saver.save(list_, write)
    saver.stop()
    assert not saver.is_saving
    assert [each.name for each in tmp_path.iterdir()] == ["list.csv"]
    assert list_.read_text() == "older"


class _Endless(list[RobotsChange]):
    """A list of changes without an end, so that only cancelling ends its saving."""

    def __iter__(self) -> Iterator[RobotsChange]:
        return cycle(super().__iter__())


def test_many_urls_are_tried_in_parts_and_can_be_stopped(
    rows: FakeRows, reader: ProjectReader, qtbot: QtBot
) -> None:
    count = 2 * AT_ONCE + 10
    rows.urls.clear()
    for number in range(count):
        rows.add(f"{SITE}/private/{number}")
    tester = RobotsTester(reader, "Gossamer/1.0", typing_ms=0)
    qtbot.addWidget(tester)
    tester.show_file(SITE, 200, ROBOTS)
    tester.editor.setPlainText("")
    qtbot.waitUntil(lambda: f"{count:,} newly allowed" in tester.counts.text())
    qtbot.waitUntil(lambda: not tester.is_running)
    tester.crawler.setCurrentIndex(1)
    assert tester.stop_button.isVisibleTo(tester)
    tester.stop_button.click()
    assert not tester.stop_button.isVisibleTo(tester)


@pytest.mark.parametrize("way", ["close", "reject"])
def test_answers_that_come_after_the_dialog_was_closed_are_dropped(
    reader: ProjectReader, qtbot: QtBot, way: str
) -> None:
    """Escape rejects a dialog, which gives it no event of being closed."""
    dialog = AccessDialog(reader, f"{SITE}/", "Gossamer/1.0")
    dialog.show()
    qtbot.waitUntil(lambda: dialog.matrix.rows.rowCount() > 0 and not dialog.tester.is_running)
    tester = dialog.tester
    tester.crawler.setCurrentIndex(1)
    assert tester.stop_button.isVisibleTo(tester)
    tester.url.setText(f"{SITE}/private/b")
    dialog.url.setText(f"{SITE}/private/b")
    getattr(dialog, way)()
    assert not tester.is_running
    QCoreApplication.sendPostedEvents(dialog, QEvent.Type.DeferredDelete)
    assert not isValid(dialog)
    answers: list[str] = []
    reader.submit(lambda rows: rows.robots_origins(), answers.extend, key="later", background=True)
    qtbot.waitUntil(lambda: bool(answers))


def test_a_remark_leads_to_its_line(dialog: AccessDialog, qtbot: QtBot) -> None:
    tester = dialog.tester
    tester.editor.setPlainText("User-agent: *\nhello\n")
    qtbot.waitUntil(lambda: "Line 2" in tester.faults.item(0).text())
    tester.faults.itemActivated.emit(tester.faults.item(0))
    assert tester.editor.textCursor().blockNumber() == 1


def test_menus_offer_nothing_that_leads_to_panels_the_dialog_does_not_have(
    dialog: AccessDialog,
) -> None:
    for table in (dialog.matrix, dialog.tester.table, dialog.links):
        offered = set(table.url_actions.actions)
        assert ViewAction.COPY_ADDRESS in offered
        assert not offered & IN_WORKSPACE
