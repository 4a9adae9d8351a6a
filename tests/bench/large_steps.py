"""What a user does with a large project, one thing after the other: see `large_probe`."""

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Final

from PySide6.QtCore import QModelIndex
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QAbstractItemView, QTreeView

from gossamer.gui.actions.window_actions import WindowAction
from gossamer.gui.main_window import MainWindow
from gossamer.gui.overview.chart_widget import RowsTarget
from gossamer.gui.tables.query_table import QueryTable
from gossamer.gui.trees.lazy_tree import LazyTreeModel
from gossamer.gui.trees.tree_panel import TreePanel
from gossamer.gui.workspace.dock_panels import Panel
from gossamer.model.facets import FACETS
from gossamer.model.outcome import Verdict
from gossamer.model.project_queries import Filter, View, facet_values
from tests.bench.large_issue_steps import issue_steps
from tests.bench.large_step import Step, readable

_PLACES: Final = (0.5, 0.9999, 0.25, 0.75, 0.0)
_TEXTS: Final = ("harbour", "99999", "museum-12", "no such text")
_FILTERS: Final = (
    Filter(facets=facet_values(status={404})),
    Filter(facets=facet_values(verdict={Verdict.BROKEN})),
    Filter(facets=facet_values(depth={3})),
    Filter(facets=facet_values(content_type={"text/html"})),
    Filter(facets=facet_values(origin={"https://example.com"})),
    Filter(time_ms=(500, 1000)),
)
_FAR: Final = (0.99, 0.5)
"""What is looked for in a tree: URLs that were found so late."""


def steps(window: MainWindow, project: Path) -> Iterator[Step]:
    """What a user does with a project, in order."""
    yield Step("open", lambda: window.crawl_target(str(project)), lambda: readable(window))
    yield from _table_steps(window)
    yield from _overview_steps(window)
    yield from _link_steps(window)
    for view in View:
        yield Step("turn to a tab", partial(_show, window, view), partial(readable, window))
        yield from _facet_steps(window, view)
    yield from issue_steps(window)
    yield from _selection_steps(window)
    yield from _detail_steps(window)
    space = window.workspace
    for panel, dock in ((space.discovery, Panel.DISCOVERY), (space.folders, Panel.FOLDERS)):
        yield Step(
            "turn to a tree",
            partial(space.docks.bring_to_front, dock),
            partial(_has_rows, panel.model, QModelIndex()),
        )
        yield from _tree_steps(window, panel)


# ---------------------------------------------------------------- tables


def _table_steps(window: MainWindow) -> Iterator[Step]:
    table = window.workspace.table
    there = partial(readable, window)
    scroll = table.view.verticalScrollBar()
    for place in _PLACES:
        yield Step("scroll", partial(scroll.setValue, int(place * scroll.maximum())), there)
    yield from _sort_steps(window, "sort")
    yield Step("scroll in a sorted table", lambda: scroll.setValue(scroll.maximum() // 3), there)
    yield Step("sort by discovery", table.view.sort_header.sort_by_discovery, there)
    yield from _filter_steps(window, View.ALL, "filter")


def _link_steps(window: MainWindow) -> Iterator[Step]:
    yield Step("turn to links", partial(_show, window, View.LINKS), partial(readable, window))
    scroll = window.workspace.table.view.verticalScrollBar()
    for place in _PLACES:
        to = partial(scroll.setValue, int(place * scroll.maximum()))
        yield Step("scroll in links", to, partial(readable, window))
    yield from _sort_steps(window, "sort links")
    back = window.workspace.table.view.sort_header.sort_by_discovery
    yield Step("sort links by discovery", back, partial(readable, window))
    yield from _filter_steps(window, View.LINKS, "filter links")


def _sort_steps(window: MainWindow, what: str) -> Iterator[Step]:
    view = window.workspace.table.view
    for number, spec in enumerate(view.rows.kind.columns):
        for descending in (False, True):
            sort = partial(view.sort_header.sort_by, number, descending=descending)
            yield Step(f"{what} by {spec.column}", sort, partial(readable, window))


def _filter_steps(window: MainWindow, view: View, what: str) -> Iterator[Step]:
    field, model = window.workspace.table.bar.field, window.workspace.table.model

    def filtered() -> bool:
        return model.query.filter_.text == field.text() and readable(window)

    for text in _TEXTS:
        yield Step(f"{what} by text", partial(field.setText, text), filtered)
    yield Step(f"end of {what}", field.clear, filtered)
    for each in _FILTERS:
        yield Step(f"{what} by facet", partial(_show, window, view, each), filtered)
    yield Step(f"end of {what}", partial(_show, window, view), filtered)


def _facet_steps(window: MainWindow, view: View) -> Iterator[Step]:
    menus = window.workspace.table.bar.menu
    for facet in FACETS:
        if facet == "found_on" or (facet == "kind" and view is not View.LINKS):
            continue
        opened = menus.menu_of(facet).aboutToShow.emit
        yield _answered(window, f"count a facet of {view}", opened)


def _overview_steps(window: MainWindow) -> Iterator[Step]:
    space = window.workspace
    overview, shown = space.overview, partial(space.show_panels, WindowAction.SIDE, shown=True)
    yield Step("show the overview", shown, lambda: bool(overview.charts.depths.marks()))
    for section in overview.charts.sections:
        for chart in section.charts:
            targets = [mark.target for mark in chart.marks() if isinstance(mark.target, RowsTarget)]
            for target in targets[:2]:
                click = partial(overview.rows_wanted.emit, target)
                yield Step("click on a chart", click, partial(readable, window))


def _selection_steps(window: MainWindow) -> Iterator[Step]:
    table = window.workspace.table
    yield Step("turn to a tab", partial(_show, window, View.ALL), partial(readable, window))
    yield _answered(window, "select all", table.view.selectAll)
    for keys in ("Ctrl+C", "Ctrl+Shift+C"):
        yield _answered(window, "copy all", partial(_press, table.view, keys))
    yield Step("select a row", lambda: table.view.selectRow(5), partial(readable, window))


# ---------------------------------------------------------------- details and trees


def _detail_steps(window: MainWindow) -> Iterator[Step]:
    """The links to the root, to which every page links."""
    details = window.workspace.details
    rows, scroll = details.views.inlinks.rows, details.views.inlinks.verticalScrollBar()
    yield Step("links to the root", partial(details.show_inlinks, 1), lambda: bool(rows.rowCount()))
    yield _answered(window, "count the links to the root", lambda: None)
    for _ in range(5):
        grown = partial(_grown, details.views.inlinks, scroll.maximum())
        yield Step("read on in links", partial(_to_end, details.views.inlinks), grown)


def _tree_steps(window: MainWindow, panel: TreePanel) -> Iterator[Step]:
    """Open the first node, again and again; read on where it is long; look for what is far."""
    model, view = panel.model, panel.view
    node = QModelIndex()
    while model.rowCount(node):
        node = model.index(0, 0, node)
        if not model.hasChildren(node):
            break
        yield Step("open a node", partial(view.expand, node), partial(_has_rows, model, node))
    for _ in range(5):
        grown = partial(_grown, view, view.verticalScrollBar().maximum())
        yield Step("read on in a tree", partial(_to_end, view), grown)
    known = window.workspace.table.model.rowCount()
    for place in _FAR:
        url_id = int(known * place) // 10 * 10
        for far in (url_id, url_id + 7):
            yield Step(
                "find in a tree", partial(panel.select_url, far), partial(_is_at, panel, far)
            )


def _has_rows(model: LazyTreeModel, node: QModelIndex) -> bool:
    return model.rowCount(node) > 0


def _is_at(panel: TreePanel, url_id: int) -> bool:
    return panel.model.url_id(panel.view.currentIndex()) == url_id


def _to_end(view: QAbstractItemView) -> None:
    view.verticalScrollBar().setValue(view.verticalScrollBar().maximum())


def _grown(view: QAbstractItemView | QTreeView, rows: int) -> bool:
    return view.verticalScrollBar().maximum() != rows


def _show(window: MainWindow, view: View, filter_: Filter | None = None) -> None:
    window.workspace.table.show_rows(view, filter_)


def _press(view: QueryTable, keys: str) -> None:
    wanted = QKeySequence(keys)
    action = next(each for each in view.actions() if each.shortcut() == wanted)
    action.activate(QAction.ActionEvent.Trigger)


def _answered(window: MainWindow, what: str, act: Callable[[], object]) -> Step:
    """A step that is over when the reader has answered all that was asked of it."""
    answers: list[None] = []

    def acted() -> None:
        act()
        window.reader.submit(
            lambda _: None, answers.append, key=f"probe {id(answers)}", background=True
        )

    return Step(what, acted, lambda: bool(answers))
