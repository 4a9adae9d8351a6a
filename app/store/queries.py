"""The SQL of a reader: columns, joins and conditions for views, filters and orders."""

from collections.abc import Sequence
from dataclasses import dataclass

from app.model.outcome import Outcome
from app.model.rows import UNLINKED
from app.model.text import clean_text
from app.model.views import Column, Filter, Order, View
from app.store.bulk import Value


@dataclass(frozen=True, slots=True)
class Query:
    """An SQL text, made of our own words and parameter marks, and the values for the marks."""

    sql: str
    values: tuple[Value, ...] = ()


DEPTH = f"CASE WHEN u.depth < {UNLINKED} THEN u.depth END"
"""Clicks from a root; NULL where no clicks lead."""
RECORD_COLUMNS = (
    f"u.id, u.url, u.state, u.outcome, {DEPTH}, u.hops, u.parent, v.status, v.reason,"
    " ct.value, cs.value, la.value, v.size_bytes, v.raw_bytes, v.ttfb_ms, v.elapsed_ms,"
    " v.fetched_at, v.tries, v.truncated, v.title, v.h1, v.description, ro.value, v.canonical,"
    " v.word_count, v.content_hash, v.redirect, v.redirect_kind, rh.value, v.last_modified,"
    " coalesce(v.detail, de.value),"
    " coalesce(n.links, 0), coalesce(n.sources, 0), coalesce(v.outlinks, 0)"
)
_VISIT = " LEFT JOIN visit v ON v.id = u.id"
_CONTENT_TYPE = " LEFT JOIN text ct ON ct.id = v.content_type"
_LANGUAGE = " LEFT JOIN text la ON la.id = v.language"
_INLINKS = " LEFT JOIN inlink_count n ON n.id = u.id"
RECORD_JOINS = (
    _VISIT
    + _CONTENT_TYPE
    + " LEFT JOIN text cs ON cs.id = v.charset"
    + _LANGUAGE
    + " LEFT JOIN text ro ON ro.id = v.robots"
    + " LEFT JOIN text rh ON rh.id = v.robots_header"
    + " LEFT JOIN text de ON de.id = u.detail"
    + _INLINKS
)
NODE_COLUMNS = (
    "u.id, u.url, u.parent, u.outcome, v.status, v.title,"
    " (SELECT count(*) FROM url c WHERE c.parent = u.id), v.redirect"
)
NODE_JOINS = _VISIT
LINK_COLUMNS = (
    "l.source, s.url, l.target, t.url, l.position, l.kind, l.action, tx.value, re.value, el.value,"
    " fr.value, t.outcome,"
    " tv.status, sv.title"
)
LINK_JOINS = (
    " CROSS JOIN url s ON s.id = l.source"
    " CROSS JOIN url t ON t.id = l.target"
    " LEFT JOIN visit sv ON sv.id = l.source"
    " LEFT JOIN visit tv ON tv.id = l.target"
    " LEFT JOIN text tx ON tx.id = l.text"
    " LEFT JOIN text re ON re.id = l.rel"
    " LEFT JOIN text el ON el.id = l.element"
    " LEFT JOIN text fr ON fr.id = l.fragment"
)
_INDEXED = "(SELECT indexed FROM project)"
"""URLs with a higher id are not in `url_key` and `folder_url` yet."""
BY_URL = f"""
    SELECT u.id FROM url_key k JOIN url u ON u.id = k.id WHERE k.key = ?1 AND u.url = ?2
    UNION ALL SELECT id FROM url WHERE id > {_INDEXED} AND url = ?2
"""  # noqa: S608 - our own words
"""The id of a URL: parameters are its key and its text."""
IN_FOLDER = f"""
    u.id IN (
        SELECT * FROM (SELECT id FROM folder_url
            WHERE folder = ?1 AND id > ?2 ORDER BY id LIMIT ?3)
        UNION ALL SELECT * FROM (
            SELECT id FROM url WHERE folder = ?1 AND id > max(?2, {_INDEXED}) ORDER BY id LIMIT ?3
        )
    ) ORDER BY u.id LIMIT ?3
"""  # noqa: S608 - our own words
"""The condition and order of URLs in a folder: parameters are folder, id before, how many."""
_SUBTREE = (
    "u.folder IN (WITH RECURSIVE below(id) AS (SELECT ? UNION ALL"
    " SELECT f.id FROM below b JOIN folder f ON f.parent = b.id) SELECT id FROM below)"
)

# What a column is sorted by, and the joins that takes. Numbers that are never missing where
# there was a visit are NULL without one, and so come last.
_SORTS: dict[Column, tuple[str, str]] = {
    Column.ADDRESS: ("u.url", ""),
    Column.STATUS: ("v.status", _VISIT),
    Column.OUTCOME: ("u.outcome", ""),
    Column.CONTENT_TYPE: ("ct.value", _VISIT + _CONTENT_TYPE),
    Column.TITLE: ("v.title COLLATE NOCASE", _VISIT),
    Column.H1: ("v.h1 COLLATE NOCASE", _VISIT),
    Column.DESCRIPTION: ("v.description COLLATE NOCASE", _VISIT),
    Column.DEPTH: (DEPTH, ""),
    Column.WORDS: ("v.word_count", _VISIT),
    Column.SIZE: ("v.size_bytes", _VISIT),
    Column.TIME: ("v.elapsed_ms", _VISIT),
    Column.INLINKS: ("coalesce(n.links, 0)", _INLINKS),
    Column.UNIQUE_INLINKS: ("coalesce(n.sources, 0)", _INLINKS),
    Column.OUTLINKS: ("coalesce(v.outlinks, 0)", _VISIT),
    Column.REDIRECT: ("v.redirect", _VISIT),
    Column.LANGUAGE: ("la.value COLLATE NOCASE", _VISIT + _LANGUAGE),
    Column.CANONICAL: ("v.canonical", _VISIT),
    Column.LAST_MODIFIED: ("v.last_modified", _VISIT),
    Column.FETCHED_AT: ("v.fetched_at", _VISIT),
}


def matching_ids(
    view: View, filter_: Filter, order: Order, *, after: int = 0, limit: int | None = None
) -> Query:
    """The ids of the URLs of a view that pass the filter, sorted; only ids above `after`."""
    conditions = ["u.id > ?"]
    values: list[Value] = [after]
    joins = ""
    outcomes = view.outcomes & (filter_.outcomes or view.outcomes)
    if len(outcomes) < len(Outcome):
        conditions.append(_one_of("u.outcome", sorted(outcomes)))
    if filter_.text:
        pattern = f"%{_escaped(clean_text(filter_.text))}%"
        conditions.append(r"(u.url LIKE ? ESCAPE '\' OR v.title LIKE ? ESCAPE '\')")
        values += (pattern, pattern)
        joins = _VISIT
    if filter_.folder is not None:
        conditions.append(_SUBTREE)
        values.append(filter_.folder)
    if filter_.statuses:
        conditions.append(_one_of("v.status", sorted(filter_.statuses)))
        joins = _VISIT
    sort, sort_joins = _sorted_by(order)
    joins = sort_joins if sort_joins.startswith(joins) else joins + sort_joins
    where = " AND ".join(conditions)
    sql = f"SELECT u.id FROM url u{joins} WHERE {where} ORDER BY {sort}"  # noqa: S608 - our own words
    if limit is not None:
        sql += " LIMIT ?"
        values.append(limit)
    return Query(sql, tuple(values))


def _sorted_by(order: Order) -> tuple[str, str]:
    direction = "DESC" if order.descending else "ASC"
    if order.column is None:
        return f"u.id {direction}", ""
    expression, joins = _SORTS[order.column]
    return f"{expression} {direction} NULLS LAST, u.id", joins


def _one_of(expression: str, numbers: Sequence[int]) -> str:
    """The condition that an expression is one of these numbers."""
    return f"{expression} IN ({', '.join(str(int(number)) for number in numbers)})"


def _escaped(text: str) -> str:
    for special in "\\%_":
        text = text.replace(special, "\\" + special)
    return text
