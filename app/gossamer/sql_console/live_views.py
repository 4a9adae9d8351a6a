"""The views of the SQL console whose rows are URLs, links or issues, as SQL on the tables.

Names and columns are those of exports, in a form that needs no quotes in a query: letters, digits
and underscores. What a query does not use is not read.
"""

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Final, NamedTuple

from gossamer.audit.rule_catalogue import name_key
from gossamer.export.cell_sql import link_cells, report_link_cells, url_cell
from gossamer.export.export_selection import ExportView
from gossamer.export.url_cells import shown_heading
from gossamer.export.view_catalogue import VIEWS
from gossamer.export.view_names import OTHER_NAMES
from gossamer.export.view_rows import ViewLinks, ViewUrls
from gossamer.model.project_queries import LinkEnd
from gossamer.store.field_sql import LINK_JOINS, URL_JOINS, joins_of
from gossamer.store.reading.ignored_rows import OPEN_ROWS

ISSUES: Final = "issues"
ISSUE_RULES: Final = "issue_rule"
"""The table that `issues` takes the names of issues from."""
RULE_COLUMNS: Final = ("rule", "name", "type", "priority")
ADDRESS: Final = "address"
URL_ID: Final = "url_id"
"""The column, besides those of exports, that joins views of URLs, links and issues."""
_NAMES: Final[Mapping[str, str]] = {
    **OTHER_NAMES,
    "all_urls": "all",
    LinkEnd.INLINKS.value: "all_inlinks",
    LinkEnd.OUTLINKS.value: "all_outlinks",
}
"""Other names of views: `all` is a word of SQL."""


class LiveView(NamedTuple):
    """A view on tables: its columns, and its query."""

    columns: tuple[str, ...]
    sql: str


def column_names(headings: Iterable[str]) -> tuple[str, ...]:
    """The names of columns under these headings, all different."""
    found: list[str] = []
    for heading in headings:
        name = name_key(heading.replace("%", " percent ")) or "column"
        name = f"_{name}" if name[0].isdigit() else name
        again, wanted = 2, name
        while wanted in found:
            wanted, again = f"{name}_{again}", again + 1
        found.append(wanted)
    return tuple(found)


def view_of(name: str) -> ExportView | None:
    """The view of exports with this name in queries; None if there is none."""
    key = name_key(name)
    return _views().get(_NAMES.get(key, key))


@cache
def _views() -> Mapping[str, ExportView]:
    return {name_key(view.name): view for view in VIEWS.values() if view.build is not None}


def view_names() -> tuple[str, ...]:
    """The names of all views, with their aliases."""
    short = ("internal", *(each.value for each in LinkEnd))
    own = (name if name != "all" else "all_urls" for name in _views())
    return (ISSUES, *short, *own)


@cache
def live_view(name: str, *, is_indexed: bool = True) -> LiveView | None:
    """The view with this name if it is one on tables; else None.

    Unless the project `is_indexed`, not all links can be found by their targets: see `inlink`.
    """
    if name_key(name) == ISSUES:
        return _ISSUES_VIEW
    view = view_of(name)
    if view is None or view.rows is None:
        return None
    if isinstance(view.rows, ViewUrls):
        return _of_urls(view.rows)
    return _of_links(view.rows, is_indexed=is_indexed)


def _of_urls(rows: ViewUrls) -> LiveView:
    cells = [url_cell(heading, of_report=rows.is_report) for heading in rows.headings]
    shown = map(shown_heading, rows.headings) if rows.is_report else rows.headings
    columns = (*column_names(shown), URL_ID)
    selected = _selected((*cells, "u.id"), columns)
    joins = _joined(URL_JOINS, f"{selected} {rows.condition}")
    return LiveView(columns, _query(selected, "url u", joins, rows.condition))


def _of_links(rows: ViewLinks, *, is_indexed: bool) -> LiveView:
    cells = report_link_cells() if rows.is_report else link_cells()
    columns = (*column_names(cells), "source_id", "destination_id")
    selected = _selected((*cells.values(), "l.source", "l.target"), columns)
    # SQLite chooses which end it begins with: a query names one of them.
    known = {alias: sql.replace(" CROSS JOIN ", " JOIN ") for alias, sql in LINK_JOINS.items()}
    joins = _joined(known, f"s.id u.id {selected} {rows.condition}")
    if not rows.by_target:
        return LiveView(columns, _query(selected, "link l", joins, rows.condition))
    by_target = _query(
        selected.replace("l.target AS", "i.target AS"),
        "inlink i JOIN link l ON l.source = i.source AND l.target = i.target",
        joins.replace("u.id = l.target", "u.id = i.target"),
        rows.condition,
    )
    if is_indexed:
        return LiveView(columns, by_target)
    waiting = "SELECT DISTINCT source FROM unindexed_source"
    others = f"({waiting}) w JOIN link l ON l.source = w.source"
    found = _query(selected, others, joins, rows.condition)
    return LiveView(columns, f"{by_target} AND i.source NOT IN ({waiting}) UNION ALL {found}")


def _query(selected: str, table: str, joins: str, condition: str) -> str:
    return f"SELECT {selected} FROM {table}{joins} WHERE {condition}"  # noqa: S608 - our own words


def _selected(cells: Iterable[str], columns: Iterable[str]) -> str:
    return ", ".join(f"{sql} AS `{name}`" for sql, name in zip(cells, columns, strict=True))


def _joined(known: Mapping[str, str], sql: str) -> str:
    needed = joins_of(sql)
    return "".join(join for alias, join in known.items() if alias in needed)


_ISSUES_VIEW: Final = LiveView(
    ("address", "issue_name", "issue_type", "issue_priority", "evidence", URL_ID),
    "SELECT u.url AS address, r.name AS issue_name, r.type AS issue_type,"  # noqa: S608 - our own words
    " r.priority AS issue_priority, o.value AS evidence, o.id AS url_id"
    f" FROM ({OPEN_ROWS.replace('i.id AS id', 'i.id AS id, i.value AS value')}) o"
    f" JOIN {ISSUE_RULES} r ON r.rule = o.rule JOIN url u ON u.id = o.id",
)
