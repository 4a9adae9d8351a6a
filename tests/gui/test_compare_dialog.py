"""Choosing two crawls, comparing them, and what follows when that takes long or fails."""

import asyncio
import threading
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QSize, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog, QPushButton
from pytestqt.qtbot import QtBot

from gossamer.comparison.project_comparison import ComparisonOptions, compare
from gossamer.export.comparison_export import COMPARISON_SUFFIXES
from gossamer.export.row_counter import ExportCancelled
from gossamer.gui.actions.window_actions import WindowAction
from gossamer.gui.comparison import compare_dialog
from gossamer.gui.comparison.compare_dialog import CompareDialog
from gossamer.gui.comparison.comparison_export_form import ComparisonExport
from gossamer.gui.comparison.comparison_window import ComparisonWindow
from gossamer.gui.comparison.mapping_form import MappingForm
from gossamer.gui.shell.comparison_controller import ComparisonController, usual_pair
from gossamer.gui.text import local_formatting as formatting
from gossamer.model.errors import KnownError, OutputError, ProjectError
from gossamer.model.messages.process_messages import ProcessStep
from gossamer.model.series_contents import CrawlSnapshot
from gossamer.urls.url_mapping import UrlMapping
from tests.fakes.crawled import SITE, Crawled
from tests.gui.conftest import Play
from tests.gui.stage import Stage, until
from tests.patience import PATIENCE_S


class FakeComparisons:
    """Compares in this process, once `gate` is set; `events` tells what happened."""

    def __init__(self, crawls: Sequence[CrawlSnapshot], folder: Path) -> None:
        self.crawls = list(crawls)
        self.folder = folder
        self.events: list[str] = []
        self.gate = asyncio.Event()
        self.gate.set()
        self.error: KnownError | None = None
        self.exporting = threading.Event()
        self.exporting.set()

    def crawls_of(self, project: Path) -> list[CrawlSnapshot]:
        return [each for each in self.crawls if Path(each.project).parent == project.parent]

    def others(self, remembered: Sequence[Path], beside: Path | None) -> list[CrawlSnapshot]:
        del remembered, beside
        return self.crawls

    def look(self, project: Path) -> CrawlSnapshot:
        raise ProjectError("There is no project {path}.", path=project)

    @asynccontextmanager
    async def comparison(
        self,
        before: Path,
        after: Path,
        mapping: UrlMapping,
        on_step: Callable[[ProcessStep], None],
    ) -> AsyncIterator[Path]:
        on_step(ProcessStep("Comparing pages", 30, 100))
        try:
            await self.gate.wait()
            if self.error is not None:
                raise self.error
            result = self.folder / "result.comparison"
            compare(before, after, result, ComparisonOptions(mapping))
            self.events.append("compared")
            yield result
        finally:
            self.events.append("removed")

    async def audit(self, project: Path, on_step: Callable[[ProcessStep], None]) -> None:
        on_step(ProcessStep("Duplicates", 1, 4))
        self.events.append(f"audited {project.stem}")

    def export(
        self,
        comparison: Path,
        target: Path,
        progress: Callable[[int, int], None],
        cancelled: Callable[[], bool],
    ) -> None:
        assert comparison.exists()
        progress(1, 2)
        self.exporting.wait(PATIENCE_S)
        if cancelled():
            raise ExportCancelled
        if not target.parent.is_dir():
            raise OutputError("{path} is not there.", path=target.parent)
        target.write_text("x")


def snapshot(path: Path, day: int, root: str = SITE) -> CrawlSnapshot:
    return CrawlSnapshot(created_at=86400.0 * day, project=str(path), root=root, urls=day)


def compared_crawls(folder: Path) -> list[CrawlSnapshot]:
    """Two crawls that exist, the later first."""
    for name, title in (("one", "A"), ("two", "B")):
        with Crawled(folder / f"{name}.gossamer") as crawled:
            crawled.page("/", title=title)
    return [snapshot(folder / "two.gossamer", 2), snapshot(folder / "one.gossamer", 1)]


def test_the_crawl_shown_is_compared_with_the_one_before_it() -> None:
    crawls = [snapshot(Path(f"/{day}"), day) for day in (3, 2, 1)]
    other = snapshot(Path("/x"), 2, "https://other.example")
    assert usual_pair([*crawls, other], Path("/2")) == (Path("/1"), Path("/2"))
    assert usual_pair([*crawls, other], Path("/1")) == (Path("/1"), Path("/2"))
    assert usual_pair([*crawls, other], None) == (Path("/2"), Path("/3"))
    assert usual_pair([other], Path("/x")) == (None, Path("/x"))
    assert usual_pair([], Path("/2")) == (None, Path("/2"))


def test_the_form_suggests_copies_and_shows_what_becomes_of_an_address(qtbot: QtBot) -> None:
    form = MappingForm()
    qtbot.addWidget(form)
    form.suggest("https://example.com/", "https://example.com/docs/")
    assert not form.wanted.isChecked()
    assert not form.mapping()
    form.suggest("https://test.example.com:8443/shop/", "https://example.com/shop/")
    assert form.wanted.isChecked()
    assert form.example.text() == (
        "https://test.example.com:8443/shop/docs/page?id=1 is compared with "
        "https://example.com/shop/docs/page?id=1"
    )
    assert form.mapping().map("https://test.example.com:8443/a") == "https://example.com/a"
    form.after.setText("example")
    assert "maps no addresses" in form.example.text()


@pytest.fixture
def dialog(qtbot: QtBot) -> CompareDialog:
    dialog = CompareDialog()
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, on=False)
    qtbot.addWidget(dialog)
    dialog.show()
    return dialog


@pytest.mark.styled
def test_a_crawl_on_offer_is_read_whole_where_the_screen_has_room(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compare_dialog, "fitted", lambda size, _free: QSize(*size))
    dialog = CompareDialog()
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, on=False)
    qtbot.addWidget(dialog)
    dialog.show()
    name = "www.example.com 2026-11-28 18.01.26.gossamer"
    crawls = [
        replace(snapshot(Path(f"/{n}/{name}"), 1, "www.example.com"), urls=123_456) for n in (1, 2)
    ]
    dialog.show_crawls(crawls, Path(crawls[0].project), Path(crawls[1].project))
    needed = dialog.before.fontMetrics().horizontalAdvance(dialog.before.currentText())
    assert needed + 40 <= dialog.before.width()


def test_only_two_different_crawls_and_a_whole_mapping_can_be_compared(
    dialog: CompareDialog, qtbot: QtBot
) -> None:
    one, two = snapshot(Path("/1"), 1), snapshot(Path("/2"), 2)
    dialog.show_crawls([two, one], None, Path("/2"))
    assert not dialog.compare.isEnabled()
    dialog.before.setCurrentIndex(0)
    assert dialog.note.text() == "Choose two different crawls."
    dialog.before.setCurrentIndex(1)
    assert dialog.compare.isEnabled()
    dialog.swap.click()
    assert dialog.note.text() == "The crawl chosen as earlier is the later one."
    dialog.mapping.wanted.setChecked(True)
    assert not dialog.compare.isEnabled()
    dialog.mapping.before.setText("https://a.example/")
    dialog.mapping.after.setText("https://b.example/")
    with qtbot.waitSignal(dialog.compare_wanted) as wanted:
        dialog.compare.click()
    assert wanted.args[:2] == [Path("/2"), Path("/1")]
    # What is found later leaves the choice as it is.
    dialog.show_crawls([two, one, snapshot(Path("/0"), 0)], Path("/0"), Path("/1"))
    assert dialog.before.currentText().startswith(dialog.before.itemText(0))


def test_the_time_of_each_crawl_is_looked_at_a_few_times_however_many_there_are(
    dialog: CompareDialog, monkeypatch: pytest.MonkeyPatch
) -> None:
    usual, told = formatting.moment, list[float]()

    def moment(unix_s: float) -> str:
        told.append(unix_s)
        return usual(unix_s)

    monkeypatch.setattr(formatting, "moment", moment)
    found = [snapshot(Path(f"/{at}.gossamer"), at) for at in range(100)]
    dialog.show_crawls(found, None, None)
    assert len(told) <= 4 * len(found)


def controller(stage: Stage, port: FakeComparisons) -> ComparisonController:
    parts, tasks = stage.window.parts, stage.tasks
    return ComparisonController(parts, stage.crawl, tasks, stage.memory, lambda: port)


def test_a_comparison_is_there_as_long_as_its_window(play: Play, tmp_path: Path) -> None:
    async def scene(stage: Stage) -> None:
        port = FakeComparisons(compared_crawls(tmp_path), tmp_path)
        controller(stage, port).choose()
        dialog = stage.window.findChild(CompareDialog)
        assert dialog is not None
        await until(dialog.compare.isEnabled)
        dialog.compare.click()
        await until(lambda: stage.window.findChild(ComparisonWindow) is not None)
        window = stage.window.findChild(ComparisonWindow)
        assert window is not None
        await until(lambda: window.summary is not None)
        assert window.summary is not None
        assert window.summary.changed == 1
        await until(lambda: stage.window.findChild(CompareDialog) is None)
        assert port.events == ["compared"]
        await until(lambda: window.changes.table.rows.loaded)
        window.page_wanted.emit(tmp_path / "one.gossamer", 1)
        await until(
            lambda: stage.sessions.last.path.stem == "one" if stage.sessions.made else False
        )
        QTest.keyClick(window, Qt.Key.Key_Escape)
        await until(lambda: port.events == ["compared", "removed"])

    play(scene)


async def comparison(stage: Stage, port: FakeComparisons) -> ComparisonWindow:
    """The window of the crawls one and two, compared."""
    one, two = (port.folder / f"{name}.gossamer" for name in ("one", "two"))
    controller(stage, port).compare(one, two)
    await until(lambda: stage.window.findChild(ComparisonWindow) is not None)
    window = stage.window.findChild(ComparisonWindow)
    assert window is not None
    return window


def test_a_page_of_the_crawl_shown_is_selected_whatever_path_leads_to_it(
    play: Play, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scene(stage: Stage) -> None:
        port = FakeComparisons(compared_crawls(tmp_path), tmp_path)
        (tmp_path / "link").symlink_to(tmp_path)
        session = await stage.start()
        session.path = tmp_path / "link" / "one.gossamer"
        window = await comparison(stage, port)
        selected: list[int | None] = []
        monkeypatch.setattr(stage.window.workspace.details, "select_url", selected.append)
        window.page_wanted.emit(tmp_path / "one.gossamer", 1)
        await until(lambda: selected == [1])
        assert stage.crawl.session is session
        QTest.keyClick(window, Qt.Key.Key_Escape)

    play(scene)


def test_a_page_of_a_crawl_that_is_gone_is_not_selected_in_the_next(
    play: Play, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scene(stage: Stage) -> None:
        port = FakeComparisons(compared_crawls(tmp_path), tmp_path)
        window = await comparison(stage, port)
        selected: list[int | None] = []
        monkeypatch.setattr(stage.window.workspace.details, "select_url", selected.append)
        refused: list[object] = []
        stage.crawl.refused.connect(refused.append)
        window.page_wanted.emit(tmp_path / "gone.gossamer", 1)
        await until(lambda: len(refused) == 1)
        stage.crawl.open(tmp_path / "two.gossamer")
        await until(lambda: stage.crawl.session is not None)
        assert 1 not in selected
        QTest.keyClick(window, Qt.Key.Key_Escape)

    play(scene)


def test_a_comparison_can_be_stopped_and_says_why_it_failed(play: Play, tmp_path: Path) -> None:
    async def scene(stage: Stage) -> None:
        port = FakeComparisons(compared_crawls(tmp_path), tmp_path)
        port.gate.clear()
        controller(stage, port).choose()
        dialog = stage.window.findChild(CompareDialog)
        assert dialog is not None
        await until(dialog.compare.isEnabled)
        dialog.compare.click()
        await until(lambda: dialog.stage.text() == "Comparing pages")
        assert dialog.progress.value() == 30
        QTest.keyClick(dialog, Qt.Key.Key_Escape)
        await until(lambda: port.events == ["removed"])
        assert dialog.isVisible()
        port.error = ProjectError("{path} is damaged.", path="x")
        port.gate.set()
        dialog.compare.click()
        await until(lambda: dialog.message.text() == "x is damaged.")
        assert dialog.compare.isEnabled()

    play(scene)


def test_where_a_comparison_fails_other_crawls_are_on_offer(play: Play, tmp_path: Path) -> None:
    async def scene(stage: Stage) -> None:
        port = FakeComparisons(compared_crawls(tmp_path), tmp_path)
        port.error = ProjectError("{path} is damaged.", path="x")
        controller(stage, port).compare(tmp_path / "x.gossamer", tmp_path / "two.gossamer")
        dialog = stage.window.findChild(CompareDialog)
        assert dialog is not None
        await until(lambda: dialog.before.count() == 2)
        assert dialog.message.text() == "x is damaged."
        assert dialog.compare.isEnabled()

    play(scene)


def test_crawls_are_audited_and_compared_again_on_request(play: Play, tmp_path: Path) -> None:
    async def scene(stage: Stage) -> None:
        port = FakeComparisons(compared_crawls(tmp_path), tmp_path)
        made = controller(stage, port)
        made.compare(tmp_path / "one.gossamer", tmp_path / "two.gossamer")
        await until(lambda: stage.window.findChild(ComparisonWindow) is not None)
        window = stage.window.findChild(ComparisonWindow)
        assert window is not None
        window.audit_wanted.emit()
        await until(lambda: port.events.count("compared") == 2)
        assert port.events == ["compared", "removed", "audited one", "audited two", "compared"]

    play(scene)


def test_a_folder_that_has_moved_is_mapped_on_request(play: Play, tmp_path: Path) -> None:
    """Its pages are compared with what they were, instead of being new and missing."""
    for name, folder in (("one", "old"), ("two", "new")):
        with Crawled(tmp_path / f"{name}.gossamer") as crawled:
            pages = [f"/{folder}/{number}" for number in range(12)]
            crawled.page("/", *pages, title="Home")
            for page in pages:
                crawled.page(page, title=f"Page {page[-1]}", word_count=ord(folder[0]))

    async def scene(stage: Stage) -> None:
        port = FakeComparisons([], tmp_path)
        made = controller(stage, port)
        made.compare(tmp_path / "one.gossamer", tmp_path / "two.gossamer")
        windows = stage.window.findChildren
        await until(lambda: any(each.summary for each in windows(ComparisonWindow)))
        [first] = windows(ComparisonWindow)
        assert first.summary is not None
        assert first.summary.missing == 12
        told = first.messages.about("moved")
        assert told is not None
        [apply] = [b for b in told.findChildren(QPushButton) if b.text() == "Map and compare again"]
        apply.click()
        await until(lambda: port.events.count("compared") == 2)
        await until(lambda: any(w.summary for w in windows(ComparisonWindow) if w is not first))
        second = next(w.summary for w in windows(ComparisonWindow) if w is not first and w.summary)
        assert (second.missing, second.changed) == (0, 12)

    play(scene)


def test_a_comparison_is_exported_and_that_can_be_cancelled(play: Play, tmp_path: Path) -> None:
    async def scene(stage: Stage) -> None:
        port = FakeComparisons(compared_crawls(tmp_path), tmp_path)
        controller(stage, port).compare(tmp_path / "one.gossamer", tmp_path / "two.gossamer")
        await until(lambda: stage.window.findChild(ComparisonWindow) is not None)
        window = stage.window.findChild(ComparisonWindow)
        assert window is not None
        await until(lambda: window.summary is not None)
        window.export.click()
        dialog = window.findChild(QFileDialog, "comparison-file")
        assert dialog is not None
        offered = dialog.nameFilters()
        assert offered[:3] == [
            "Excel workbook, everything (*.xlsx)",
            "Report, everything (*.html)",
            "CSV, the changes (*.csv)",
        ]
        assert {each.rpartition("*")[2].rstrip(")") for each in offered} == {*COMPARISON_SUFFIXES}
        dialog.reject()
        exporting = window.findChild(ComparisonExport)
        assert exporting is not None

        def told() -> str:
            message = window.messages.about("export")
            return "" if message is None else message.text()

        exporting.write(tmp_path / "changes.csv")
        await until(lambda: told() == "Saved to changes.csv.")
        exporting.write(tmp_path / "no such folder" / "changes.csv")
        await until(lambda: told().endswith("no such folder is not there."))
        port.exporting.clear()
        exporting.write(tmp_path / "other.csv")
        await until(lambda: told() == "Exporting… 50 %")
        # To close the window gives it up; the comparison is there until that has ended.
        window.close()
        port.exporting.set()
        await until(lambda: port.events == ["compared", "removed"])
        assert not (tmp_path / "other.csv").exists()

    play(scene)


def test_the_action_opens_the_dialog_with_a_page_of_help(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        stage.trigger(WindowAction.COMPARE)
        dialog = stage.window.findChild(CompareDialog)
        assert dialog is not None
        assert not dialog.compare.isEnabled()
        assert dialog.property("help") == "window/compare"

    play(scene)


def test_crawls_of_one_minute_differ_and_a_mapping_chosen_stays(dialog: CompareDialog) -> None:
    found = [replace(snapshot(Path(f"/{at}.gossamer"), 1), created_at=at) for at in (3, 2, 1)]
    dialog.show_crawls(found, Path("/2.gossamer"), Path("/3.gossamer"))
    words = [dialog.before.itemText(row) for row in range(3)]
    assert len({each.rsplit(" · ", 1)[0] for each in words}) == 3
    assert words[0].endswith("3.gossamer")
    dialog.mapping.wanted.click()
    dialog.mapping.before.setText("https://a.example/")
    dialog.before.setCurrentIndex(2)
    assert dialog.mapping.wanted.isChecked()
    assert dialog.mapping.before.text() == "https://a.example/"
