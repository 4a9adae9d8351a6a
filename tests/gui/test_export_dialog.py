"""The export dialog: shows what will be written, writes on a thread, never overwrites unasked."""

import asyncio
import csv
import errno
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtGui import QStandardItem, QStandardItemModel
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QComboBox,
    QLineEdit,
    QStyleOptionViewItem,
    QWidget,
)
from pytestqt.qtbot import QtBot

from gossamer.audit.sitemap_export_rules import SitemapRule
from gossamer.export.archive_exports import ARCHIVE_EXPORTS, ArchiveRequest
from gossamer.export.export_selection import ExportSelection, ExportView
from gossamer.export.exporter import ExportRequest, export, preview
from gossamer.export.formats import REPORT
from gossamer.export.link_sheets import LINKS
from gossamer.export.output_tree import MARKER
from gossamer.export.row_counter import ExportCancelled
from gossamer.export.sheet import FormatOptions
from gossamer.export.url_views import SITEMAP_CHECK
from gossamer.export.view_bundles import BUNDLES, BundleRequest
from gossamer.export.view_catalogue import VIEWS
from gossamer.gui.export.column_list import ColumnList
from gossamer.gui.export.export_dialog import ExportDialog
from gossamer.gui.export.export_preview import PreviewDelegate
from gossamer.gui.runtime.saved_ui_state import UiState
from gossamer.gui.runtime.window_tasks import WindowTasks
from gossamer.gui.tables.item_roles import DISPLAY
from gossamer.model.errors import OutputError, ProjectError, UsageError
from gossamer.model.file_names import MAX_NAME_BYTES
from gossamer.model.project_queries import Filter, Order, Table, View
from tests.cases import each_case
from tests.fakes.crawled import Crawled
from tests.gui.conftest import Run
from tests.gui.fakes import FakeExporter
from tests.gui.stage import until

SHOWN = Table(View.ERRORS, Filter("x"), Order("status"), ("status", "address"))


class Opened:
    """An export dialog with what it talks to."""

    def __init__(
        self, folder: Path, tasks: WindowTasks, table: Table | None, name: str = "example"
    ) -> None:
        self.exporter = FakeExporter()
        self.out = folder / "out.csv"
        self.closed = False
        self.tasks = tasks
        self.memory = UiState(folder / "window.ini")
        self.dialog = ExportDialog(
            folder / f"{name}.gossamer",
            tasks,
            memory=self.memory,
            shown=table,
            exporter=self.exporter,
        )
        self.dialog.show()

    def text(self) -> str:
        return self.dialog.message.text()

    def type_path(self, path: Path | str) -> None:
        self.dialog.path.setText(str(path))
        self.dialog.path.textEdited.emit(str(path))

    def choose(self, view: str, suffix: str | None = None) -> None:
        choices = self.dialog.choices
        choices.source.setCurrentIndex(choices.source.findData(view))
        if suffix is not None:
            choices.set_suffix(suffix)

    async def previewed(self) -> None:
        """Wait for the preview of what is chosen."""
        wanted = self.dialog.choices.selected()
        await until(lambda: self.exporter.selections[-1:] != [] and self.tasks.names() == [])
        assert self.exporter.selections[-1].source == wanted

    def header(self) -> list[str]:
        model = self.dialog.preview.model
        return [
            str(model.headerData(place, Qt.Orientation.Horizontal))
            for place in range(model.columnCount())
        ]

    def begin(self, out: Path | None = None) -> None:
        """Start the export, to a file if one is named."""
        if out is not None:
            self.type_path(out)
        self.exporter.go.set()
        self.dialog.export()

    async def request(self) -> ExportRequest:
        """Export, wait for the end, and say what was requested."""
        self.type_path(self.out)
        self.exporter.go.set()
        count = len(self.exporter.requests)
        self.dialog.export()
        await until(lambda: len(self.exporter.requests) > count and self.text() != "")
        request = self.exporter.requests[-1]
        assert isinstance(request, ExportRequest)
        return request


@asynccontextmanager
async def opened(
    folder: Path, table: Table | None = None, name: str = "example"
) -> AsyncIterator[Opened]:
    crashes: list[Exception] = []
    async with asyncio.TaskGroup() as group:
        result = Opened(folder, WindowTasks(group, print, crashes.append), table, name)
        await result.previewed()
        yield result
        result.exporter.go.set()
    if not result.closed:
        result.dialog.close()
    assert crashes == []


# ---------------------------------------------------------------- writing


def test_an_export_from_dialog_to_file(run: Run[None], tmp_path: Path) -> None:
    async def main() -> None:
        async with opened(tmp_path) as scene:
            scene.choose("links")
            scene.type_path(scene.out)
            scene.dialog.export()
            await until(lambda: scene.dialog.share() == 617 / 1234)
            assert not scene.out.exists()
            scene.exporter.go.set()
            await until(lambda: scene.text() != "")
            assert scene.text() == "Saved 1,234 rows to out.csv."
            assert scene.dialog.message.answer("Open folder").isVisible()
            (request,) = scene.exporter.requests
            assert isinstance(request, ExportRequest)
            assert (request.selection.source, request.out) == (LINKS, scene.out)
            assert all(name.startswith("window") for name in scene.exporter.threads)

    run(main())


def test_the_keyboard_can_go_on_after_an_export(run: Run[None], tmp_path: Path) -> None:
    async def main() -> None:
        async with opened(tmp_path) as scene:
            scene.type_path(scene.out)
            scene.dialog.activateWindow()
            button = scene.dialog.findChild(QAbstractButton, "export-go")
            assert button is not None
            button.setFocus()
            button.click()
            scene.exporter.go.set()
            await until(lambda: scene.text() != "" and button.isEnabled())
            assert scene.dialog.focusWidget() is button

    run(main())


def test_cancel_ends_the_export_and_keeps_the_dialog(run: Run[None], tmp_path: Path) -> None:
    async def main() -> None:
        async with opened(tmp_path) as scene:
            scene.type_path(scene.out)
            scene.dialog.export()
            await until(lambda: scene.dialog.share() > 0)
            scene.dialog.reject()
            assert scene.dialog.isVisible()
            scene.exporter.go.set()
            await until(lambda: "No file was written" in scene.text())
            assert not scene.out.exists()

    run(main())


def test_a_place_that_cannot_be_written_is_one_sentence(run: Run[None], tmp_path: Path) -> None:
    async def main() -> None:
        async with opened(tmp_path) as scene:
            scene.exporter.error = OutputError("The folder is read-only; choose another.")
            await scene.request()
            assert scene.text() == "The folder is read-only; choose another."

    run(main())


def test_a_file_that_exists_is_replaced_only_when_asked(run: Run[None], tmp_path: Path) -> None:
    async def main() -> None:
        async with opened(tmp_path) as scene:
            scene.out.write_text("old", "utf-8")
            scene.exporter.go.set()
            scene.type_path(scene.out)
            scene.dialog.export()
            assert "already exists" in scene.text()
            assert scene.exporter.requests == []
            scene.dialog.message.answer("Replace").click()
            await until(lambda: "rows" in scene.text())
            assert scene.out.read_text("utf-8") == "x"

    run(main())


def test_an_export_needs_a_name_and_a_column(run: Run[None], tmp_path: Path) -> None:
    async def main() -> None:
        async with opened(tmp_path) as scene:
            scene.type_path("  ")
            scene.dialog.export()
            assert scene.text() == "Enter a file name."
            scene.type_path(scene.out)
            scene.dialog.choices.columns.check_all(checked=False)
            scene.dialog.export()
            assert scene.text() == "Choose at least one column."
            assert scene.exporter.requests == []

    run(main())


def test_rows_omitted_by_sitemap_rules_are_reported(run: Run[None], tmp_path: Path) -> None:
    async def main() -> None:
        async with opened(tmp_path) as scene:
            scene.exporter.left_out = {"noindex": 2, "canonicalised": 3}
            await scene.request()
            assert scene.text() == "Saved 1,234 rows to out.csv. The rules left out 5 more."

    run(main())


# ---------------------------------------------------------------- several tables


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_several_tables_go_into_a_folder(run: Run[None], tmp_path: Path, suffix: str) -> None:
    async def main() -> None:
        async with opened(tmp_path) as scene:
            scene.choose("issues", suffix)
            assert Path(scene.dialog.path.text()).name == "example issues"
            assert scene.dialog.path.accessibleName() == "Folder to write to"
            assert not scene.dialog.choices.columns.isVisible()
            assert scene.header() == []
            scene.begin(tmp_path / "tables")
            await until(lambda: scene.text() != "")
            assert scene.text() == "Saved 1,234 rows to 2 files in tables."
            (request,) = scene.exporter.requests
            assert isinstance(request, BundleRequest)
            assert request.bundle is BUNDLES["issues"]
            assert (request.out, request.suffix) == (tmp_path / "tables", suffix)

    run(main())


def test_several_tables_go_into_one_workbook(run: Run[None], tmp_path: Path) -> None:
    async def main() -> None:
        async with opened(tmp_path) as scene:
            scene.choose("all_reports", ".xlsx")
            assert Path(scene.dialog.path.text()).name == "example all_reports.xlsx"
            scene.begin(tmp_path / "all")
            await until(lambda: scene.text() != "")
            assert scene.text() == "Saved 1,234 rows to all.xlsx."

    run(main())


def test_a_folder_with_files_is_replaced_only_when_asked(run: Run[None], tmp_path: Path) -> None:
    async def main() -> None:
        async with opened(tmp_path) as scene:
            (tmp_path / "tables").mkdir()
            (tmp_path / "tables" / "old.csv").touch()
            scene.choose("issues")
            scene.begin(tmp_path / "tables")
            assert "is not empty" in scene.text()
            assert scene.exporter.requests == []
            scene.dialog.message.answer("Replace").click()
            await until(lambda: "Saved" in scene.text())

    run(main())


def test_a_folder_that_may_not_be_read_is_left_to_the_export(
    run: Run[None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def main() -> None:
        async with opened(tmp_path) as scene:
            (tmp_path / "tables").mkdir()
            scene.choose("issues")
            with monkeypatch.context() as forbidding:
                forbidding.setattr("gossamer.gui.runtime.file_checks.os.scandir", _forbid)
                scene.exporter.error = OutputError("The folder is read-only; choose another.")
                scene.begin(tmp_path / "tables")
            await until(lambda: scene.text() == "The folder is read-only; choose another.")

    run(main())


def _forbid(path: object) -> None:
    raise PermissionError(errno.EACCES, "Permission denied", str(path))


def test_the_home_folder_of_nobody_is_a_path_as_any_other(run: Run[None], tmp_path: Path) -> None:
    async def main() -> None:
        async with opened(tmp_path) as scene:
            scene.type_path("~nobody-is-called-so/pages.csv")
            assert scene.dialog.destination.target() == Path("~nobody-is-called-so/pages.csv")

    run(main())


# ---------------------------------------------------------------- the audit before


def test_an_export_of_issues_waits_for_the_audit(run: Run[None], tmp_path: Path) -> None:
    async def main() -> None:
        async with opened(tmp_path) as scene:
            scene.exporter.audited = False
            scene.choose("issues_overview")
            scene.begin(scene.out)
            await until(lambda: scene.dialog.share() == 1 / 4)
            assert scene.exporter.requests == []
            scene.exporter.audited = True
            scene.exporter.audit_ended.set()
            await until(lambda: "Saved" in scene.text())
            assert scene.exporter.audits == 1

    run(main())


def test_cancel_ends_the_audit_before_an_export(run: Run[None], tmp_path: Path) -> None:
    async def main() -> None:
        async with opened(tmp_path) as scene:
            scene.exporter.audited = False
            scene.choose("issues_overview")
            scene.begin(scene.out)
            await until(lambda: scene.exporter.audits == 1)
            scene.dialog.reject()
            await until(lambda: "No file was written" in scene.text())
            assert scene.exporter.requests == []

    run(main())


def test_nothing_is_exported_after_an_audit_that_failed(run: Run[None], tmp_path: Path) -> None:
    async def main() -> None:
        async with opened(tmp_path) as scene:
            scene.exporter.audited = False
            scene.exporter.audit_ended.set()
            scene.choose("issues_overview")
            scene.begin(scene.out)
            await until(lambda: "did not complete" in scene.text())
            assert scene.exporter.requests == []

    run(main())


@pytest.mark.parametrize("view", ["pages", "links"])
def test_views_that_no_rule_decides_need_no_audit(
    run: Run[None], tmp_path: Path, view: str
) -> None:
    async def main() -> None:
        async with opened(tmp_path) as scene:
            scene.exporter.audited = False
            scene.choose(view)
            await scene.request()
            assert scene.exporter.audits == 0

    run(main())


# ---------------------------------------------------------------- choosing


def test_the_folder_and_the_format_of_the_last_export_come_first(
    run: Run[None], tmp_path: Path
) -> None:
    async def main() -> None:
        (tmp_path / "mine").mkdir()
        async with opened(tmp_path) as scene:
            scene.out = tmp_path / "mine" / "out.jsonl"
            await scene.request()
        async with opened(tmp_path) as scene:
            assert Path(scene.dialog.path.text()) == tmp_path / "mine" / "example pages.jsonl"

    run(main())


def test_exporting_the_table_as_shown(run: Run[None], tmp_path: Path) -> None:
    async def main() -> None:
        async with opened(tmp_path, SHOWN) as scene:
            assert scene.dialog.choices.source.currentText() == "The table as shown"
            assert Path(scene.dialog.path.text()).name == "example errors.csv"
            request = await scene.request()
            assert request.selection.source == SHOWN

    run(main())


def test_columns_are_chosen_and_moved_with_the_keyboard(run: Run[None], tmp_path: Path) -> None:
    async def main() -> None:
        async with opened(tmp_path) as scene:
            columns = scene.dialog.choices.columns
            assert columns.chosen() == ("A", "B", "C") == tuple(scene.header())
            columns.setCurrentRow(1)
            QTest.keyClick(columns, Qt.Key.Key_Space)
            assert scene.header() == ["A", "C"]
            columns.setCurrentRow(2)
            QTest.keyClick(columns, Qt.Key.Key_Up, Qt.KeyboardModifier.AltModifier)
            QTest.keyClick(columns, Qt.Key.Key_Up, Qt.KeyboardModifier.AltModifier)
            QTest.keyClick(columns, Qt.Key.Key_Up, Qt.KeyboardModifier.AltModifier)
            assert scene.header() == ["C", "A"]
            assert (await scene.request()).selection.columns == ("C", "A")
            reads = len(scene.exporter.selections)
            columns.check_all(checked=True)
            assert scene.header() == ["C", "A", "B"]
            assert len(scene.exporter.selections) == reads, "columns are no reason to read again"

    run(main())


def test_a_column_is_moved_with_the_arrows_of_a_keypad_as_with_those_of_a_mac(qtbot: QtBot) -> None:
    """There, all arrows count as keys of the keypad."""
    columns = ColumnList()
    qtbot.addWidget(columns)
    columns.set_names(("URL", "Title"), ("URL",))
    modifiers = Qt.KeyboardModifier
    keypad = modifiers.AltModifier | modifiers.KeypadModifier
    QTest.keyClick(columns, Qt.Key.Key_Down, keypad)
    assert columns.names() == ("Title", "URL")


def test_hidden_columns_are_listed_after_visible_ones(run: Run[None], tmp_path: Path) -> None:
    async def main() -> None:
        async with opened(tmp_path) as scene:
            columns = ColumnList()
            columns.set_names(("A", "B", "C"), ("C", "A"))
            assert [columns.item(row).text() for row in range(3)] == ["C", "A", "B"]
            assert columns.chosen() == ("C", "A")
            del scene

    run(main())


def test_all_columns_are_selected_until_those_of_the_view_are_known(
    run: Run[None], tmp_path: Path
) -> None:
    async def main() -> None:
        async with opened(tmp_path) as scene:
            scene.dialog.choices.columns.check_all(checked=False)
            scene.exporter.look.clear()
            scene.choose("links")
            request = await scene.request()
            assert (request.selection.source, request.selection.columns) == (LINKS, ())
            scene.exporter.look.set()

    run(main())


def test_changing_the_rows_keeps_the_columns(run: Run[None], tmp_path: Path) -> None:
    async def main() -> None:
        async with opened(tmp_path) as scene:
            scene.choose("sitemap", ".csv")
            await scene.previewed()
            columns = scene.dialog.choices.columns
            columns.setCurrentRow(0)
            QTest.keyClick(columns, Qt.Key.Key_Space)
            reads = len(scene.exporter.selections)
            scene.dialog.choices.rules[SitemapRule.NOINDEX].setChecked(False)
            await until(lambda: len(scene.exporter.selections) > reads)
            await until(lambda: scene.tasks.names() == [])
            assert columns.chosen() == ("B", "C")
            assert scene.header() == ["B", "C"]

    run(main())


def test_csv_options(run: Run[None], tmp_path: Path) -> None:
    async def main() -> None:
        async with opened(tmp_path) as scene:
            choices = scene.dialog.choices
            choices.delimiter.setCurrentText("Semicolon")
            choices.mark.setChecked(True)
            assert (await scene.request()).options == FormatOptions(";", byte_order_mark=True)
            choices.set_suffix(".xlsx")
            assert not choices.delimiter.isVisible()
            scene.out = scene.out.with_suffix(".xlsx")
            assert (await scene.request()).options == FormatOptions()

    run(main())


def test_sitemap_options(run: Run[None], tmp_path: Path) -> None:
    async def main() -> None:
        async with opened(tmp_path) as scene:
            choices = scene.dialog.choices
            assert not choices.rules[SitemapRule.NOINDEX].isVisible()
            scene.choose("sitemap")
            assert choices.suffix() == ".xml"
            assert choices.rules[SitemapRule.NOINDEX].isVisible()
            assert not choices.columns.isVisible()
            choices.rules[SitemapRule.NOINDEX].setChecked(False)
            choices.lastmod.setChecked(False)
            choices.hreflang.setChecked(True)
            choices.base.setText("example.com/maps")
            scene.out = scene.out.with_suffix(".xml")
            request = await scene.request()
            assert request.selection.lifted == {SitemapRule.NOINDEX}
            assert request.selection.columns == ()
            assert request.selection.alternates
            assert request.options == FormatOptions(base="https://example.com/maps", lastmod=False)
            choices.base.setText("http://")
            scene.dialog.export()
            assert "has no host" in scene.text()

    run(main())


def test_the_html_report_has_no_table_options(run: Run[None], tmp_path: Path) -> None:
    async def main() -> None:
        async with opened(tmp_path) as scene:
            reads = len(scene.exporter.selections)
            scene.choose("report")
            assert scene.dialog.choices.format.count() == 1
            assert scene.header() == []
            scene.out = scene.out.with_suffix(".html")
            request = await scene.request()
            assert request.selection.source is REPORT
            assert scene.text() == "Report saved to out.html."
            assert scene.dialog.message.answer("Open report").isVisible()
            assert len(scene.exporter.selections) == reads

    run(main())


def test_the_suggested_name_follows_the_choices_until_edited(
    run: Run[None], tmp_path: Path
) -> None:
    async def main() -> None:
        async with opened(tmp_path) as scene:
            dialog = scene.dialog
            scene.choose("errors")
            assert Path(dialog.path.text()).name == "example errors.csv"
            scene.choose("errors", ".xlsx")
            assert Path(dialog.path.text()).name == "example errors.xlsx"
            scene.choose("sitemap")
            assert Path(dialog.path.text()).name == "example sitemap.xml"
            scene.type_path("mine.xml.gz")
            assert dialog.choices.suffix() == ".xml.gz"
            scene.choose("pages")
            assert dialog.path.text() == "mine.csv"
            scene.type_path("mine.jsonl")
            assert dialog.choices.suffix() == ".jsonl"

    run(main())


def test_the_suggested_name_is_a_valid_file_name(run: Run[None], tmp_path: Path) -> None:
    async def main() -> None:
        async with opened(tmp_path, name="fdp\u202e\n" + "漢" * 80) as scene:
            scene.choose("errors")
            name = Path(scene.dialog.path.text()).name
            assert name.startswith("fdp--漢")
            assert name.endswith("漢 errors.csv")
            assert len(name.encode()) <= MAX_NAME_BYTES

    run(main())


def test_a_name_without_a_suffix_gets_that_of_the_format(run: Run[None], tmp_path: Path) -> None:
    async def main() -> None:
        async with opened(tmp_path) as scene:
            scene.out = tmp_path / "v1.2"
            assert (await scene.request()).out == tmp_path / "v1.2.csv"

    run(main())


# ---------------------------------------------------------------- looking


def test_the_preview_shows_what_will_be_written(run: Run[None], tmp_path: Path) -> None:
    async def main() -> None:
        async with opened(tmp_path) as scene:
            model = scene.dialog.preview.model
            cells = [
                [model.data(model.index(row, place), DISPLAY) for place in range(3)]
                for row in range(model.rowCount(QModelIndex()))
            ]
            assert cells == [["one", "1", ""], ["two", "2", "x"]]
            assert scene.dialog.preview.note.text() == "First 2 of 1,234 rows"

    run(main())


def test_the_preview_cuts_addresses_in_the_middle_and_other_texts_at_their_end() -> None:
    cells = QStandardItemModel()
    modes = []
    for text in ("https://example.com/a/long/way", "Redirect loop: this redirect leads back."):
        cells.appendRow(QStandardItem(text))
        option = QStyleOptionViewItem()
        PreviewDelegate().initStyleOption(option, cells.index(cells.rowCount() - 1, 0))
        modes.append(option.textElideMode)
    assert modes == [Qt.TextElideMode.ElideMiddle, Qt.TextElideMode.ElideRight]


@pytest.mark.parametrize(
    ("rows_in_all", "is_exact", "said"),
    [(2, True, "2 rows"), (3_061, False, "First 2 of about 3,061 rows")],
)
def test_the_preview_distinguishes_estimates_from_counts(
    run: Run[None], tmp_path: Path, rows_in_all: int, is_exact: bool, said: str
) -> None:
    async def main() -> None:
        async with opened(tmp_path) as scene:
            scene.exporter.rows_in_all, scene.exporter.is_exact = rows_in_all, is_exact
            scene.choose("links")
            await until(lambda: scene.dialog.preview.note.text() == said)

    run(main())


def test_a_failed_preview_explains_itself(run: Run[None], tmp_path: Path) -> None:
    async def main() -> None:
        async with opened(tmp_path) as scene:
            scene.exporter.refusal = ProjectError("The project is gone; open another.")
            scene.choose("links")
            table = scene.dialog.preview.table
            await until(lambda: table.accessibleDescription() == str(scene.exporter.refusal))
            assert scene.header() == []

    run(main())


def test_a_preview_that_arrives_after_closing_is_ignored(run: Run[None], tmp_path: Path) -> None:
    async def main() -> None:
        async with opened(tmp_path) as scene:
            window = QWidget()  # or closing the dialog would end the program
            window.show()
            reads = len(scene.exporter.selections)
            scene.exporter.look.clear()
            scene.choose("links")
            await until(lambda: len(scene.exporter.selections) > reads)
            scene.dialog.close()
            scene.closed = True
            scene.exporter.look.set()
            await until(lambda: scene.tasks.names() == [])
            window.hide()

    run(main())


# ---------------------------------------------------------------- all of it


def test_the_list_of_what_to_export_shows_its_longest_text(run: Run[None], tmp_path: Path) -> None:
    async def main() -> None:
        async with opened(tmp_path) as scene:
            source = scene.dialog.choices.source
            longest = max((source.itemText(index) for index in range(source.count())), key=len)
            room = source.view().minimumWidth()
            assert room >= source.fontMetrics().horizontalAdvance(longest)

    run(main())


def test_every_field_can_be_reached_and_has_a_name(run: Run[None], tmp_path: Path) -> None:
    async def main() -> None:
        async with opened(tmp_path, SHOWN) as scene:
            kinds = (QComboBox, QLineEdit, ColumnList, QAbstractButton)
            found: list[QWidget] = [w for kind in kinds for w in scene.dialog.findChildren(kind)]
            fields = [w for w in found if not w.objectName().startswith("qt_")]
            assert len(fields) > 15
            for field in fields:
                name = field.accessibleName()
                assert name or (isinstance(field, QAbstractButton) and field.text()), field
                assert field.focusPolicy() & Qt.FocusPolicy.TabFocus, field

    run(main())


@pytest.fixture
def real_project(tmp_path: Path) -> Path:
    path = tmp_path / "real.gossamer"
    with Crawled(path) as crawled:
        crawled.page("/", title="Home")
        crawled.redirect("/old", "/")
    return path


@each_case("view", [v for v in VIEWS.values() if v is not SITEMAP_CHECK], ids=lambda v: v.name)
def test_every_view_is_previewed_and_written(real_project: Path, view: ExportView) -> None:
    selection, document = ExportSelection(view), view is REPORT
    out = real_project.with_suffix(".html" if document else ".csv")
    steps: list[tuple[int, int]] = []
    written = export(real_project, selection, out, progress=lambda *step: steps.append(step))
    assert steps[-1] == (written.rows, written.rows)
    if not document:
        previewed = preview(real_project, selection, 20)
        assert len(previewed.rows) == written.rows
        with out.open(encoding="utf-8", newline="") as file:
            assert tuple(next(csv.reader(file))) == previewed.columns
    with pytest.raises(ExportCancelled):
        export(real_project, selection, out, cancelled=lambda: True)


# ---------------------------------------------------------------- archives


def test_a_web_archive_is_exported_with_a_name_of_its_own(run: Run[None], tmp_path: Path) -> None:
    async def main() -> None:
        async with opened(tmp_path) as scene:
            scene.choose("wacz")
            dialog = scene.dialog
            assert Path(dialog.path.text()).name == "example.wacz"
            assert not dialog.choices.columns.isVisible()
            scene.begin(tmp_path / "handed on")
            out = tmp_path / "handed on.wacz"
            await until(lambda: scene.text().startswith("Saved 1,234 pages"))
            assert str(out) in scene.text()
            assert dialog.message.answer("Open folder").isVisible()
            assert scene.exporter.requests == [ArchiveRequest(ARCHIVE_EXPORTS["wacz"], out)]
            scene.choose("links")
            assert dialog.path.text().endswith(".csv"), "a typed name gets the suffix that fits"

    run(main())


def test_an_offline_copy_is_a_new_folder_that_can_be_opened(run: Run[None], tmp_path: Path) -> None:
    async def main() -> None:
        async with opened(tmp_path) as scene:
            scene.choose("offline")
            assert Path(scene.dialog.path.text()).name == "example offline"
            taken = tmp_path / "taken"
            taken.mkdir()
            (taken / "file").touch()
            scene.exporter.error = OutputError("It is not empty.")
            scene.begin(taken)
            await until(lambda: scene.text() == "It is not empty.")
            scene.exporter.error = None
            scene.begin(tmp_path / "copy")
            await until(lambda: scene.text().startswith("Saved 1,234 pages"))
            assert scene.dialog.message.answer("Open copy").isVisible()
            earlier = tmp_path / "earlier"
            earlier.mkdir()
            (earlier / MARKER).touch()
            asked = len(scene.exporter.requests)
            scene.begin(earlier)
            assert "earlier export will be replaced" in scene.text()
            assert len(scene.exporter.requests) == asked

    run(main())


def test_a_project_without_an_archive_is_told_before_an_export(
    run: Run[None], tmp_path: Path
) -> None:
    async def main() -> None:
        async with opened(tmp_path) as scene:
            scene.choose("offline")
            await until(lambda: scene.tasks.names() == [])
            note = scene.dialog.preview.table.accessibleDescription
            assert "open its index.html" in note()
            scene.exporter.refusal = UsageError("There is no archive.")
            scene.choose("wacz")
            await until(lambda: note() == "There is no archive.")

    run(main())
