"""The SQL console of the window: on a fake port, and with the process that answers."""

import asyncio
import csv
import gc
from collections.abc import AsyncIterator, Callable, Coroutine, Iterable, Iterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QGuiApplication, QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog, QWidget
from pytestqt.qtbot import QtBot
from shiboken6 import isValid

from gossamer.export.formats import TABLE_SUFFIXES
from gossamer.gui.actions.window_actions import WindowAction
from gossamer.gui.export.format_names import name_filters
from gossamer.gui.look import theme
from gossamer.gui.runtime.saved_ui_state import UiState
from gossamer.gui.runtime.window_tasks import WindowTasks
from gossamer.gui.sql.limit_fields import LimitFields
from gossamer.gui.sql.query_completion import completions
from gossamer.gui.sql.query_interfaces import MOST_ROWS, QueryProcesses, QueryResultPage
from gossamer.gui.sql.result_rows import ROWS_PER_TURN, ResultRows, sorted_positions
from gossamer.gui.sql.sql_editor import SqlEditor
from gossamer.gui.sql.sql_window import SqlWindow
from gossamer.gui.tables.item_roles import DISPLAY
from gossamer.model.errors import UsageError
from gossamer.model.query_limits import QueryLimits
from gossamer.model.query_list import MAX_QUERIES
from gossamer.session.query_history import query_history
from gossamer.sql_console.query_plan import PlanStep, plan_steps
from gossamer.sql_console.query_process import USUAL_LIMITS
from gossamer.sql_console.query_templates import TEMPLATES
from tests.fakes.finished_crawl import finished_crawl
from tests.gui.conftest import Play, Run
from tests.gui.stage import Stage, until

ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT sum(i) FROM n"
PROJECT = Path("site.gossamer")


class FakeQueries:
    """Answers what it was given, once it `may_answer`."""

    def __init__(self) -> None:
        self.asked: list[tuple[Path, str]] = []
        self.limits: list[tuple[QueryLimits, int]] = []
        self.answer = QueryResultPage(
            ("address", "n"), ResultRows.of([("=a\tb", 2), (None, 10)]), 0.25
        )
        self.error: UsageError | None = None
        self.may_answer = asyncio.Event()
        self.may_answer.set()
        self.cancelled = 0
        self.site_queries = ["SELECT 'of the site'"]

    async def kept(self, project: Path) -> Sequence[str]:
        return list(self.site_queries) if project == PROJECT else []

    async def keep(self, project: Path, sql: str) -> None:
        if project == PROJECT:
            self.site_queries.insert(0, sql)

    async def ask(
        self, project: Path, sql: str, limits: QueryLimits = USUAL_LIMITS, most_rows: int = 1
    ) -> QueryResultPage:
        self.limits.append((limits, most_rows))
        await self._wait(project, sql)
        return self.answer

    async def columns(self, project: Path, view: str) -> Sequence[str]:
        assert project == PROJECT
        return ("hop_1", f"of_{view}")

    async def plan(
        self, project: Path, sql: str, limits: QueryLimits = USUAL_LIMITS
    ) -> Sequence[PlanStep]:
        self.limits.append((limits, 0))
        await self._wait(project, sql)
        return plan_steps([(1, 0, 0, "SCAN l")])

    async def export(
        self, project: Path, sql: str, out: Path, limits: QueryLimits = USUAL_LIMITS
    ) -> int:
        self.limits.append((limits, 0))
        await self._wait(project, sql)
        return len(out.name)

    async def _wait(self, project: Path, sql: str) -> None:
        self.asked.append((project, sql))
        try:
            await self.may_answer.wait()
        except asyncio.CancelledError:
            self.cancelled += 1
            raise
        if self.error is not None:
            raise self.error


class Console:
    """A console on a fake port, with what it remembers."""

    def __init__(self, window: SqlWindow, port: FakeQueries, memory: UiState) -> None:
        self.window = window
        self.port = port
        self.memory = memory

    async def run(self, sql: str) -> None:
        self.window.editor.setPlainText(sql)
        self.window.run.click()
        await until(self.window.run.isEnabled)

    def cells(self) -> list[list[object]]:
        model = self.window.table.result
        return [
            [model.index(row, column).data(DISPLAY) for column in range(model.columnCount())]
            for row in range(model.rowCount())
        ]


@asynccontextmanager
async def opened(folder: Path) -> AsyncIterator[Console]:
    crashes: list[Exception] = []
    async with asyncio.TaskGroup() as group:
        tasks = WindowTasks(group, lambda said: pytest.fail(str(said)), crashes.append)
        port, memory = FakeQueries(), UiState(folder / "window.ini")
        desk = QWidget()  # the application ends with its last window
        desk.show()
        window = SqlWindow(port, tasks, memory, desk)
        window.turn_to(PROJECT)
        window.show()
        try:
            yield Console(window, port, memory)
        finally:
            if isValid(window):
                window.close()
            tasks.cancel_all()
            desk.hide()
            desk.deleteLater()
    assert crashes == []


Scene = Callable[[Console], Coroutine[Any, Any, None]]
Show = Callable[[Scene], None]


@pytest.fixture
def show(run: Run[None], tmp_path: Path) -> Show:
    def show_scene(scene: Scene) -> None:
        async def main() -> None:
            async with opened(tmp_path) as console:
                await scene(console)

        run(main())

    return show_scene


def test_rows_are_shown_with_their_number_and_can_be_copied(show: Show) -> None:
    async def scene(console: Console) -> None:
        window = console.window
        await console.run("SELECT 1")
        assert console.port.asked == [(PROJECT, "SELECT 1")]
        assert console.cells() == [["=a b", "2"], ["NULL", "10"]]
        assert window.status.text() == "2 rows in 250 ms"
        window.table.selectAll()
        window.table.copy.trigger()
        await until(lambda: "copied" in window.status.text())
        assert QGuiApplication.clipboard().text() == "address\tn\n'=a b\t2\n\t10\n"

    show(scene)


def test_it_fits_on_a_small_screen_at_200_percent(show: Show) -> None:
    async def scene(console: Console) -> None:
        window = console.window
        window.resize(660, 330)
        await until(lambda: window.width() <= 683)
        await console.run("SELECT 1")
        for field in (window.limits.time, window.limits.rows, window.status, window.export):
            corner = field.mapTo(window, field.rect().bottomRight())
            assert window.rect().contains(corner)

    show(scene)


def test_it_says_when_not_all_rows_are_shown_and_exports_all(show: Show) -> None:
    async def scene(console: Console) -> None:
        console.port.answer = QueryResultPage(("n",), ResultRows.of([(1,)] * 3), 0.1, has_more=True)
        await console.run("SELECT 1")
        assert console.window.status.text() == "The first 3 rows, in 100 ms; export for all."
        console.window.export.click()
        dialog = console.window.findChild(QFileDialog, "export-result")
        assert dialog is not None
        assert dialog.nameFilters() == name_filters(TABLE_SUFFIXES)
        dialog.reject()
        console.window.save(Path("ten.jsonl"))
        await until(console.window.run.isEnabled)
        assert console.window.status.text() == "9 rows saved to ten.jsonl"
        console.port.answer = QueryResultPage(("n",), ResultRows.of([(1,)]), 0.1, is_current=False)
        await console.run("SELECT count(*) FROM issues")
        assert "issues are missing" in console.window.status.text()

    show(scene)


def test_an_error_is_told_and_the_rows_before_stay(show: Show) -> None:
    async def scene(console: Console) -> None:
        await console.run("SELECT 1")
        console.port.error = UsageError("There is no {what}.", what="<b>")
        await console.run("SELECT b")
        assert console.window.message.text() == "There is no <b>."
        assert len(console.cells()) == 2
        console.port.error = None
        await console.run("SELECT 2")
        assert console.window.message.isHidden()
        assert console.memory.queries() == ["SELECT 2", "SELECT 1"]

    show(scene)


@pytest.mark.parametrize("way", ["cancel", "close", "another project"])
def test_a_query_that_runs_is_ended(show: Show, way: str) -> None:
    async def scene(console: Console) -> None:
        window, port = console.window, console.port
        port.may_answer.clear()
        window.editor.setPlainText("SELECT 1")
        window.run.click()
        await until(lambda: len(port.asked) == 1)
        window.ask()
        assert not window.run.isEnabled()
        if way == "cancel":
            window.cancel.click()
        elif way == "close":
            window.close()
        else:
            window.turn_to(Path("other.gossamer"))
        await until(lambda: port.cancelled == 1)
        assert len(port.asked) == 1
        assert console.memory.queries() == (["SELECT 1"] if way == "close" else [])
        if way != "close":
            port.may_answer.set()
            await console.run("SELECT 2")
            assert len(console.cells()) == 2

    show(scene)


def test_why_it_is_slow_is_told_in_steps(show: Show) -> None:
    async def scene(console: Console) -> None:
        window = console.window
        window.editor.setPlainText("SELECT 1")
        window.why.click()
        await until(window.why.isEnabled)
        first, second = window.plan.toPlainText().split("\n")
        assert first == "reads every row of the links"
        assert "source_id" in second
        assert window.tabs.currentWidget() is window.plan

    show(scene)


def test_what_is_selected_is_run_and_templates_and_recent_queries_are_put_in(show: Show) -> None:
    async def scene(console: Console) -> None:
        window = console.window
        console.memory.remember_query("SELECT elsewhere")
        template = next(iter(TEMPLATES.values()))
        window.templates.menu().actions()[0].trigger()
        assert window.editor.toPlainText() == template.sql
        await console.run("SELECT 1\nFROM a\n-- old")
        cursor = window.editor.textCursor()
        cursor.setPosition(0)
        cursor.setPosition(len("SELECT 1\nFROM a"), cursor.MoveMode.KeepAnchor)
        window.editor.setTextCursor(cursor)
        QTest.keyClick(window.editor, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
        await until(lambda: len(console.memory.queries()) == 3)
        assert console.port.asked[-1][1] == "SELECT 1\nFROM a"
        menu = window.recent.menu()
        menu.aboutToShow.emit()
        assert [each.text() for each in menu.actions()] == [
            "SELECT 1 FROM a",
            "SELECT 1 FROM a -- old",
            "SELECT 'of the site'",
            "",
            "SELECT elsewhere",
        ]
        assert menu.actions()[3].isSeparator()
        menu.actions()[1].trigger()
        assert window.editor.toPlainText().endswith("-- old")

    show(scene)


def test_the_last_queries_are_kept_and_long_ones_are_not(tmp_path: Path) -> None:
    memory = UiState(tmp_path / "window.ini")
    for n in range(MAX_QUERIES + 5):
        memory.remember_query(f"SELECT {n},\n'ä\"'")
    memory.remember_query(f"SELECT '{'x' * 30_000}'")
    memory.flush()
    kept = UiState(tmp_path / "window.ini").queries()
    assert len(kept) == MAX_QUERIES
    assert kept[0] == f"SELECT {MAX_QUERIES + 4},\n'ä\"'"


def colours_of(editor: SqlEditor, line: int) -> dict[str, QColor]:
    """The coloured parts of a line."""
    block = editor.document().findBlockByNumber(line)
    return {
        block.text()[each.start : each.start + each.length]: each.format.foreground().color()
        for each in block.layout().formats()
    }


def test_words_are_coloured_also_in_comments_and_texts_of_several_lines(qtbot: QtBot) -> None:
    editor = SqlEditor()
    qtbot.addWidget(editor)
    editor.setPlainText("SELECT 'it''s\nFROM' /* a\nwhere\n*/ FROM x")
    assert colours_of(editor, 0)["SELECT"] == theme.colour("accent")
    assert colours_of(editor, 0)["'it''s"] == theme.colour("ok")
    assert colours_of(editor, 1) == {"FROM'": theme.colour("ok"), "/* a": theme.colour("muted")}
    assert colours_of(editor, 2) == {"where": theme.colour("muted")}
    assert colours_of(editor, 3) == {"*/": theme.colour("muted"), "FROM": theme.colour("accent")}


def test_names_of_views_and_their_columns_are_offered() -> None:
    assert "anchor" in completions("")
    found = completions("SELECT  FROM internal")
    assert {"status_code", "broken_links", "SELECT"} < set(found)
    assert "anchor" not in found


@pytest.mark.qt_log_ignore("grabbing the keyboard|propagateSizeHints|support raise")
def test_a_word_is_completed_as_it_is_typed(qtbot: QtBot) -> None:
    editor = SqlEditor()
    qtbot.addWidget(editor)
    editor.show()
    QTest.keyClicks(editor, "select st")
    assert editor.popup.isVisible()
    QTest.keyClicks(editor, "atus_c")
    editor.completer.activated.emit(editor.completer.currentCompletion())
    assert editor.toPlainText() == "select status_code"


@pytest.mark.qt_log_ignore("grabbing the keyboard|propagateSizeHints|support raise")
def test_escape_ends_the_nearest_thing_first(show: Show) -> None:
    async def scene(console: Console) -> None:
        window, editor = console.window, console.window.editor
        await console.run("SELECT 1")
        editor.moveCursor(QTextCursor.MoveOperation.End)
        editor.setFocus()
        QTest.keyClicks(editor, " st")
        assert editor.popup.isVisible()
        QTest.keyClick(editor.popup, Qt.Key.Key_Escape)
        assert not editor.popup.isVisible()
        console.port.may_answer.clear()
        window.run.click()
        await until(lambda: len(console.port.asked) == 2)
        QTest.keyClick(editor, Qt.Key.Key_Escape)
        await until(lambda: console.port.cancelled == 1)
        assert window.focusWidget() is editor
        QTest.keyClick(editor, Qt.Key.Key_Escape)
        assert window.focusWidget() is window.table
        assert window.isVisible()
        QTest.keyClick(window.table, Qt.Key.Key_Escape)
        assert not window.isVisible()
        assert console.memory.queries() == ["SELECT 1 st", "SELECT 1"]

    show(scene)


def test_a_template_that_was_only_looked_at_is_no_recent_query(show: Show) -> None:
    async def scene(console: Console) -> None:
        for text in ("", " \n", next(iter(TEMPLATES.values())).sql):
            console.window.editor.setPlainText(text)
        console.window.close()
        assert console.memory.queries() == []

    show(scene)


def test_the_project_shown_is_asked_by_a_process(play: Play, tmp_path: Path) -> None:
    project = tmp_path / "shown.gossamer"
    finished_crawl(project, pages=3)

    async def scene(stage: Stage) -> None:
        await stage.start()
        stage.trigger(WindowAction.SQL)
        (window,) = stage.window.findChildren(SqlWindow)
        window.turn_to(project)
        window.editor.setPlainText("SELECT address FROM internal ORDER BY 1")
        window.run.click()
        await until(lambda: window.table.result.rowCount() > 0 or window.message.isVisible())
        assert window.message.text() == ""
        shown = window.table.result.rows
        rows = list(shown.rows(range(len(shown))))
        await until(lambda: "keep query" not in stage.tasks.names())
        assert query_history(project) == ["SELECT address FROM internal ORDER BY 1"]
        out = tmp_path / "out.csv"
        window.save(out)
        await until(out.exists)
        with out.open(encoding="utf-8-sig", newline="") as file:
            assert [tuple(row) for row in csv.reader(file)] == [("address",), *rows]
        await until(window.run.isEnabled)
        window.editor.setPlainText("SELECT adress FROM internal")
        window.run.click()
        await until(window.message.isVisible)
        assert "adress" in window.message.text()
        window.editor.setPlainText(ENDLESS)
        window.run.click()
        await until(window.cancel.isEnabled)
        window.cancel.click()
        await until(lambda: "query" not in stage.tasks.names())
        assert window.status.text() == "Cancelled"
        stage.trigger(WindowAction.NEW)
        await until(lambda: not stage.window.findChildren(SqlWindow))

    play(scene)


def test_at_most_so_many_rows_are_read(run: Run[Any], tmp_path: Path) -> None:
    project = tmp_path / "asked.gossamer"
    finished_crawl(project, pages=1)
    numbers = (
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT {}) SELECT i FROM n"
    )

    async def scene() -> None:
        port = QueryProcesses()
        for count, has_more in ((MOST_ROWS, False), (MOST_ROWS + 1, True)):
            answer = await port.ask(project, numbers.format(count))
            assert (len(answer.rows), answer.has_more) == (MOST_ROWS, has_more)

    run(scene())


def test_a_click_on_a_heading_sorts_the_rows_that_are_there(show: Show) -> None:
    rows = [("b", 10), (None, 9), ("A", None), ("a", 100), ("b", 2)]

    async def scene(console: Console) -> None:
        table = console.window.table
        assert "Start with a template" in table.accessibleDescription()
        console.port.answer = QueryResultPage(("t", "n"), ResultRows([]), 0.1)
        await console.run("SELECT 0")
        assert table.accessibleDescription() == "No rows."
        console.port.answer = QueryResultPage(("t", "n"), ResultRows.of(rows), 0.1)
        await console.run("SELECT 1")
        header = console.window.table.horizontalHeader()

        async def sorted_by(column: int, order: Qt.SortOrder) -> list[list[object]]:
            before = console.cells()
            header.setSortIndicator(column, order)
            await until(lambda: console.cells() != before)
            return console.cells()

        up, down = Qt.SortOrder.AscendingOrder, Qt.SortOrder.DescendingOrder
        assert [n for _, n in await sorted_by(1, up)] == ["NULL", "2", "9", "10", "100"]
        assert [n for _, n in await sorted_by(1, down)] == ["100", "10", "9", "2", "NULL"]
        assert [t for t, _ in await sorted_by(0, up)] == ["NULL", "A", "a", "b", "b"]
        console.window.table.selectRow(0)
        assert await console.window.table.text_of([0, 3]) == "t\tn\n\t9\nb\t10\n"
        assert [n for _, n in await sorted_by(-1, up)] == ["10", "9", "NULL", "100", "2"]
        assert len(console.port.asked) == 2, "the query is not asked again"
        await sorted_by(1, down)
        console.port.answer = QueryResultPage(("t", "n"), ResultRows.of(rows), 0.1)
        await console.run("SELECT 2")
        assert header.sortIndicatorSection() == -1
        assert console.cells()[0] == ["b", "10"]

    show(scene)


def test_no_turn_of_the_window_handles_more_than_a_part_of_the_rows(show: Show) -> None:
    """Whether they are shown, sorted, copied or replaced; and garbage collection has no part."""
    handled = busiest = 0

    class Counted(ResultRows):
        def row(self, place: int) -> tuple[Any, ...]:
            nonlocal handled
            handled += place not in self._unpacked
            return super().row(place)

        def rows(self, places: Iterable[int]) -> Iterator[tuple[Any, ...]]:
            nonlocal handled
            for row in super().rows(places):
                handled += 1
                yield row

    async def scene(console: Console) -> None:
        loop = asyncio.get_running_loop()
        turns: asyncio.Handle | None = None

        def turn() -> None:
            nonlocal handled, busiest, turns
            busiest, handled = max(busiest, handled), 0
            turns = loop.call_soon(turn)

        turn()
        rows = Counted.of((n % 7, str(n), None) for n in range(5 * ROWS_PER_TURN))
        assert not any(map(gc.is_tracked, rows._packed))  # noqa: SLF001 - what it is for
        console.port.answer = QueryResultPage(("a", "b", "c"), rows, 0.1)
        await console.run("SELECT 1")
        table = console.window.table
        for column in range(3):
            before = console.window.table.result.position(1)
            table.horizontalHeader().setSortIndicator(column, Qt.SortOrder.DescendingOrder)
            await until(lambda: not console.window.is_learning())
            assert column == 2 or table.result.position(1) != before
        table.selectAll()
        table.copy.trigger()
        await until(lambda: "copied" in console.window.status.text())
        console.port.answer = QueryResultPage(("n",), ResultRows.of([(1,)]), 0.1)
        await console.run("SELECT 2")
        await until(lambda: not len(rows))
        assert turns is not None
        turns.cancel()
        assert 0 < busiest <= 2 * ROWS_PER_TURN, "a part, and what is painted in the same turn"

    show(scene)


def test_a_million_selected_rows_are_neither_looked_at_nor_copied_at_once(show: Show) -> None:
    """Qt would ask for each row which columns are selected, whenever it paints their names."""

    async def scene(console: Console) -> None:
        asked = 0

        class Counted(ResultRows):
            def __len__(self) -> int:
                nonlocal asked
                asked += 1
                return super().__len__()

        console.port.answer = QueryResultPage(("n",), Counted.of([(1,)] * 60_000), 0.1)
        await console.run("SELECT 1")
        table = console.window.table
        asked = 0
        table.selectAll()
        table.horizontalHeader().grab()
        assert asked < 1_000
        table.copy.trigger()
        await until(lambda: "copied" in console.window.status.text())
        assert console.window.status.text() == "The first 50,000 rows copied; export for all"
        assert QGuiApplication.clipboard().text().count("\n") == 50_001

    show(scene)


@pytest.mark.parametrize("meanwhile", ["sorted", "replaced", "forgotten"])
def test_rows_are_copied_as_they_were_shown(show: Show, meanwhile: str) -> None:
    count = 3 * ROWS_PER_TURN

    async def scene(console: Console) -> None:
        table = console.window.table
        rows = ResultRows.of([(i,) for i in range(count)])
        table.show_result(("n",), rows)
        async with asyncio.TaskGroup() as group:
            copy = group.create_task(table.text_of(range(count)))
            await asyncio.sleep(0)
            if meanwhile == "sorted":
                table.result.arrange(range(count - 1, -1, -1))
            else:
                table.show_result(("other",), ResultRows.of([("x",)] * (2 * count)))
            if meanwhile == "forgotten":
                group.create_task(rows.forget())
        assert copy.result() == "".join(f"{line}\n" for line in ("n", *range(count)))
        assert len(rows) == (0 if meanwhile == "forgotten" else count)

    show(scene)


def test_rows_that_are_sorted_are_forgotten_afterwards(run: Run[Any]) -> None:
    async def scene() -> None:
        count = 3 * ROWS_PER_TURN
        rows = ResultRows.of([(i,) for i in range(count)])
        async with asyncio.TaskGroup() as group:
            found = group.create_task(sorted_positions(rows, 0, descending=True))
            await asyncio.sleep(0)
            group.create_task(rows.forget())
        assert found.result() == list(range(count - 1, -1, -1))
        assert len(rows) == 0

    run(scene())


def test_an_address_that_is_double_clicked_is_wanted(show: Show) -> None:
    """Or what its row names: an address, or the id of a URL."""
    wanted: list[str | int] = []

    async def scene(console: Console) -> None:
        window = console.window
        window.url_wanted.connect(wanted.append)
        rows = [("https://a.example/", 2, "https://b.example/"), (None, 1, "x")]
        console.port.answer = QueryResultPage(("address", "n", "other"), ResultRows.of(rows), 0.1)
        await console.run("SELECT 1")
        for row, column in ((0, 0), (0, 1), (0, 2), (1, 0), (1, 2)):
            window.table.doubleClicked.emit(window.table.result.index(row, column))
        window.table.setCurrentIndex(window.table.result.index(0, 2))
        window.table.show_url.trigger()
        console.port.answer = QueryResultPage(
            ("n", "url_id"), ResultRows.of([(3, 7), (3, None)]), 0.1
        )
        await console.run("SELECT 2")
        for row, column in ((0, 0), (0, 1), (1, 0), (1, 1)):
            window.table.doubleClicked.emit(window.table.result.index(row, column))

    show(scene)
    a, b = "https://a.example/", "https://b.example/"
    assert wanted == [a, a, b, b, 7, 7]


def test_limits_are_those_of_the_fields_and_stay(show: Show) -> None:
    async def scene(console: Console) -> None:
        window = console.window
        await console.run("SELECT 1")
        assert console.port.limits == [(USUAL_LIMITS, MOST_ROWS)]
        fields = window.limits
        for field, value in ((fields.time, 5), (fields.memory, 64), (fields.rows, 100)):
            field.setValue(value)
            field.editingFinished.emit()
        await console.run("SELECT 1")
        window.why.click()
        await until(window.why.isEnabled)
        limits = QueryLimits(5.0, 64 * 1024 * 1024)
        assert console.port.limits[1:] == [(limits, 100), (limits, 0)]
        again = LimitFields(console.memory)
        assert (again.limits(), again.most_rows()) == (limits, 100)
        again.deleteLater()
        console.memory.remember_query_limits([10**12] * 3)  # by an editor
        LimitFields(console.memory).deleteLater()

    show(scene)


def test_columns_behind_a_name_are_those_of_its_view() -> None:
    sql = "SELECT i. FROM internal AS i JOIN links l"
    assert "status_code" in completions(sql, "i")
    assert not {"anchor", "SELECT", "internal"} & set(completions(sql, "i"))
    assert "anchor" in completions(sql, "L")
    assert "status_code" in completions("SELECT internal. FROM x", "internal")
    assert {"status_code", "anchor"} < set(completions("SELECT i.", "i")), "FROM comes later"
    known = {"redirect_chains": ("hop_1",)}
    assert completions("SELECT r. FROM redirect_chains r", "r", known) == ["hop_1"]
    assert "hop_1" in completions("SELECT  FROM redirect_chains", "", known)


@pytest.mark.qt_log_ignore("grabbing the keyboard|propagateSizeHints|support raise")
def test_columns_that_only_the_project_knows_are_asked_for_once(show: Show) -> None:
    async def scene(console: Console) -> None:
        editor = console.window.editor
        wanted: list[str] = []
        editor.columns_wanted.connect(wanted.append)
        editor.setPlainText("SELECT * FROM redirect_chains r WHERE ")
        editor.moveCursor(QTextCursor.MoveOperation.End)
        QTest.keyClicks(editor, "r")
        await until(lambda: not console.window.is_learning())
        QTest.keyClicks(editor, ".ho")
        assert editor.popup.isVisible()
        assert editor.completer.currentCompletion() == "hop_1"
        assert wanted == ["redirect_chains"]

    show(scene)
