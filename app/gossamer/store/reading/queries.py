"""Builds the reader's SQL queries from views, filters and sort orders."""

from collections.abc import Collection, Iterable, Sequence
from itertools import chain
from typing import Final

from msgspec import Struct

from gossamer.model.custom_definitions import number_in
from gossamer.model.fields.indexability import reason_sql
from gossamer.model.fields.link_record import LINK_COLUMNS, LINK_FIELDS, POSITION_BITS, LinkRecord
from gossamer.model.fields.url_record import URL_COLUMNS, URL_FIELDS, UrlRecord
from gossamer.model.issue_columns import IssueMeasure, header_of, issue_column_of, part_of
from gossamer.model.link_kinds import INLINK_KINDS, OUTLINK_KINDS, LinkKind
from gossamer.model.outcome_counts import FORMER
from gossamer.model.project_queries import MAX_SOURCES, Facet, Filter, Order, View
from gossamer.model.search_query import RELEVANCE
from gossamer.store.bulk_insert import Value, listed, marks
from gossamer.store.field_sql import LINK_JOINS, URL_JOINS, columns_sql, joins_of, read_sql
from gossamer.store.reading.filter_conditions import (
    FACET_SQL,
    FAR,
    FOUND_SQL,
    HAVE_FACET,
    LinkSelectivity,
    condition,
    joined,
    of_targets,
)
from gossamer.store.reading.search_ranking import HIT_RANK
from gossamer.store.reading.worst_errors import FOUND_HERE
from gossamer.store.redirect_chains import CHAIN_JOINS
from gossamer.store.writing.inlink_tables import of_kinds
from gossamer.urls.url_parts import UrlPart


class SqlQuery(Struct, frozen=True):
    """An SQL query made of our own SQL and parameter marks, with the values of the marks."""

    sql: str
    values: tuple[Value, ...] = ()


RECORD_SELECTED, RECORD_JOINS = columns_sql(UrlRecord, URL_FIELDS, URL_JOINS, late=CHAIN_JOINS)
"""Without what is known of chains: see `chain_ends`."""
UNRENDERED_SELECTED, UNRENDERED_JOINS = columns_sql(
    UrlRecord, URL_FIELDS, URL_JOINS, late={*CHAIN_JOINS, "r"}
)
"""The same for a project in which no page was rendered."""
IS_OURS = f"outcome NOT IN ({listed(FORMER)})"
"""No former page."""
NODE_COLUMNS = (
    "u.id, u.url, u.parent, u.outcome, v.status, v.title,"  # noqa: S608 - our own words
    f" (SELECT count(*) FROM url c WHERE c.parent = u.id AND c.{IS_OURS}), v.redirect, "
    + FOUND_HERE
)
NODE_JOINS = URL_JOINS["v"]
HOP_COLUMNS = (
    "u.id, u.url, u.outcome, v.status, v.elapsed_ms, v.redirect_kind, (SELECT count(*) FROM"  # noqa: S608 - our own words
    f" (SELECT 1 FROM link l WHERE l.target = u.id AND l.kind = {int(LinkKind.REDIRECT)}"
    f" LIMIT {MAX_SOURCES}))"
)
LINK_SELECTED, LINK_READING = columns_sql(LinkRecord, LINK_FIELDS, LINK_JOINS)
SITEMAP_ALTERNATES = f"""
    link e CROSS JOIN link l
    ON l.source = e.source AND l.position > e.position AND l.kind = {int(LinkKind.ALTERNATE)}
    AND l.position < coalesce((
        SELECT n.position FROM link n
        WHERE n.source = e.source AND n.position > e.position
        AND n.kind = {int(LinkKind.SITEMAP)} ORDER BY n.position LIMIT 1
    ), l.position + 1)
"""  # noqa: S608 - our own words
"""The alternates `l` of entries `e` of sitemaps: they follow it, up to the next entry."""
OF_ENTRIES = (
    f"e.target = ? AND e.kind = {int(LinkKind.SITEMAP)} ORDER BY e.source, l.position LIMIT 1000"
)
INLINKS = """
    (
        SELECT source FROM (
            SELECT source FROM inlink
            WHERE target = ?1 AND source >= ?2 ORDER BY source LIMIT 1 + ?4
        )
        UNION
        SELECT l.source FROM unindexed_source n CROSS JOIN link l ON l.source = n.source
        WHERE l.target = ?1 AND l.source >= ?2
    ) i CROSS JOIN link l ON l.source = i.source AND l.target = ?1
"""
"""Links to a URL, with those that `inlink` lacks yet: see INLINKS_AFTER for the parameters."""
INLINKS_AFTER = "(i.source, l.position) > (?2, ?3) ORDER BY i.source, l.position LIMIT ?4"
"""The URL's id, the source and position before, how many."""
LINK_COUNTS = f"""
    WITH late (source, counts) AS (
        SELECT l.source, {of_kinds(INLINK_KINDS)}
        FROM (SELECT DISTINCT source FROM unindexed_source) n
        CROSS JOIN link l ON l.source = n.source WHERE l.target = ?1
        AND NOT EXISTS (SELECT 1 FROM inlink i WHERE i.target = ?1 AND i.source = l.source)
    )
    SELECT coalesce((SELECT links FROM inlink_count WHERE id = ?1), 0)
            + (SELECT count(*) FROM late WHERE counts),
        coalesce((SELECT sources FROM inlink_count WHERE id = ?1), 0)
            + (SELECT count(DISTINCT source) FROM late WHERE counts),
        coalesce(sum({of_kinds(OUTLINK_KINDS)}), 0),
        coalesce((SELECT others FROM inlink_count WHERE id = ?1), 0)
            + (SELECT count(*) FROM late WHERE NOT counts),
        coalesce(sum(NOT {of_kinds(OUTLINK_KINDS)}), 0)
    FROM link WHERE source = ?1
"""  # noqa: S608 - our own numbers
"""See `LinkCounts`: the id of the URL is the parameter."""
LINKS_BY_TARGET = """
    SELECT id AS target, links + others AS links FROM inlink_count WHERE links + others > 0
    UNION ALL SELECT l.target, count(*) AS links
    FROM (SELECT DISTINCT source FROM unindexed_source) n CROSS JOIN link l ON l.source = n.source
    WHERE NOT EXISTS (SELECT 1 FROM inlink i WHERE i.target = l.target AND i.source = l.source)
    GROUP BY l.target
"""
"""How many links lead to each URL; one of which not all are counted yet comes twice."""
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

# Numbers that are never missing where there was a visit are NULL without one, and so come last.
# Texts are folded once, which is cheaper than a collation that folds both at each comparison.
_SORTS: Final = {
    is_of_links: {
        each.column: f"lower({read_sql(each)})" if each.field.folded else read_sql(each)
        for each in columns
    }
    for is_of_links, columns in ((False, URL_COLUMNS), (True, LINK_COLUMNS))
}
"""What each column is sorted by; of links under True."""


_ISSUE_SORTS: Final = {
    IssueMeasure.VALUE: "SELECT ei.value FROM issue ei",
    IssueMeasure.ADDRESS: "SELECT eu.url FROM issue ei JOIN url eu ON eu.id = ei.value",
    IssueMeasure.STATUS: "SELECT ev.status FROM issue ei JOIN visit ev ON ev.id = ei.value",
    IssueMeasure.REASON: f"SELECT {reason_sql('eu', 'ev')} FROM issue ei"  # noqa: S608 - our own SQL
    " JOIN url eu ON eu.id = ei.value LEFT JOIN visit ev ON ev.id = eu.id",
}
"""What a rule measured of URL u, row by row by primary keys: a table of an issue has no others."""


def _sort_sql(view: View, column: str | None) -> str | None:
    """What a view is sorted by; None for a column that it has not."""
    measured = None if view.is_of_links else issue_column_of(column or "")
    if measured is not None:
        rule, measure = measured
        return f"({_ISSUE_SORTS[measure]} WHERE ei.rule = {rule} AND ei.id = u.id)"
    if not view.is_of_links and (shown := _evidence_sort(column or "")):
        return shown
    if column == RELEVANCE and not view.is_of_links:
        return HIT_RANK
    number = None if view.is_of_links else number_in(column or "")
    if number is None:
        return _SORTS[view.is_of_links].get(column or "")
    return (
        "(SELECT CASE typeof(c.value) WHEN 'text' THEN lower(c.value) ELSE c.value END"  # noqa: S608 - a number
        f" FROM custom_value c WHERE c.definition = {number} AND c.id = u.id AND c.position = 0)"
    )


def _evidence_sort(column: str) -> str | None:
    """What a column of evidence that no rule measured is sorted by; None for any other column."""
    part, header = part_of(column), header_of(column)
    if part in frozenset(UrlPart):
        return f"url_part('{part}', u.url)"
    if header is not None and header.replace("-", "").isalpha():
        names = "(SELECT value FROM text WHERE id = v.header_names)"
        return f"header_text('{header}', {names}, v.header_values)"
    return None


def matching_ids(
    view: View,
    filter_: Filter,
    order: Order,
    *,
    after: int = 0,
    limit: int | None = None,
    reach: LinkSelectivity = FAR,
) -> SqlQuery:
    """The ids of the rows of a view that pass the filter, sorted; only ids above `after`.

    With a `limit`: the first so many in the order of discovery, if they are links.
    """
    keys = [
        (expression, key.descending)
        for key in order.keys
        if (expression := _sort_sql(view, key.column)) is not None
    ]
    joins = frozenset[str]().union(*(joins_of(expression) for expression, _ in keys))
    # Sorting twenty million links to show the first of them would take minutes.
    cut = view.is_of_links and bool(keys)
    rows = (
        _first_links(view, filter_, joins, reach, after, limit)
        if cut
        else _rows(view, filter_, joins, reach, after)
    )
    row_id, by_id, _ = _IDS[view.is_of_links]
    sql = f"SELECT {row_id} FROM {rows.sql} ORDER BY "  # noqa: S608 - our own words
    sql += ", ".join([*_sorted_by(keys), *_by_id(by_id, order)])
    if limit is None or cut:
        return SqlQuery(sql, rows.values)
    return SqlQuery(f"{sql} LIMIT ?", (*rows.values, limit))


def facet_counts(
    view: View, filter_: Filter, facet: Facet, limit: int, reach: LinkSelectivity
) -> SqlQuery:
    """The values of a facet among the rows that pass the filter, and how many have each.

    The most frequent `limit` of them; NULL is no value.
    """
    expression, joins = FACET_SQL[facet]
    number, rows = "1", _rows(view, filter_, frozenset(joins), reach, 0)
    if view.is_of_links and joins:
        number, rows = "l.links", _targets(view, filter_, frozenset(joins), reach)
    # Without the inner LIMIT, SQLite computes the value twice: for the condition and for the group.
    return SqlQuery(
        f"SELECT of_facet, sum(number) FROM (SELECT {expression} AS of_facet, {number} AS number"  # noqa: S608 - our own words
        f" FROM {rows.sql} AND {HAVE_FACET.get(facet, '1')} LIMIT -1)"
        " WHERE of_facet IS NOT NULL GROUP BY of_facet ORDER BY 2 DESC, 1 LIMIT ?",
        (*rows.values, limit),
    )


def issue_counts(view: View, filter_: Filter, rows_of: str, reach: LinkSelectivity) -> SqlQuery:
    """The numbers of audit rules, and how many rows that pass the filter each has in `rows_of`.

    Of links, their targets count. The most frequent first.
    """
    if view.is_of_links:
        rows = _targets(view, filter_, frozenset(), reach)
        ids = f"SELECT l.target AS id, sum(l.links) AS rows FROM {rows.sql} GROUP BY l.target"  # noqa: S608 - our own words
    else:
        rows = _rows(view, filter_, frozenset(), reach, 0)
        ids = f"SELECT u.id, 1 AS rows FROM {rows.sql}"  # noqa: S608 - our own words
    return SqlQuery(
        f"WITH wanted AS MATERIALIZED ({ids}) SELECT i.rule, sum(w.rows)"  # noqa: S608 - our own words
        f" FROM ({rows_of}) i CROSS JOIN wanted w ON w.id = i.id"
        " GROUP BY i.rule ORDER BY 2 DESC, 1",
        rows.values,
    )


def custom_counts(filter_: Filter, view: View) -> SqlQuery:
    """Values of the facet `custom`, and how many of the rows that pass the filter have each."""
    rows = _rows(view, filter_, frozenset(), FAR, 0)
    cases = " ".join(f"WHEN {sql} THEN '{each}'" for each, sql in FOUND_SQL.items())
    return SqlQuery(
        f"WITH wanted AS MATERIALIZED (SELECT u.id FROM {rows.sql})"  # noqa: S608 - our own words
        f" SELECT c.definition || ':' || CASE {cases} END, count(*) FROM custom_value c"
        " CROSS JOIN wanted w ON w.id = c.id WHERE c.position = 0 GROUP BY 1 ORDER BY 2 DESC, 1",
        rows.values,
    )


def folder_counts(view: View, filter_: Filter, reach: LinkSelectivity) -> SqlQuery:
    """How many of the rows that pass the filter are right in each folder; of links, their pages."""
    end, number, rows = "u", "count(*)", _rows(view, filter_, frozenset("u"), reach, 0)
    if view.is_of_links:
        end, number, rows = "s", "sum(l.links)", _grouped("source", view, filter_, {"s"}, reach)
    return SqlQuery(
        f"SELECT {end}.folder, {number} FROM {rows.sql}"  # noqa: S608 - our own words
        f" AND {end}.folder IS NOT NULL GROUP BY 1",
        rows.values,
    )


def _rows(
    view: View, filter_: Filter, joins: frozenset[str], reach: LinkSelectivity, after: int
) -> SqlQuery:
    """FROM and WHERE: the rows of a view that pass the filter, with these joins."""
    found = condition(view, filter_, reach)
    table = joined(view, found.joins | joins)
    _, _, above = _IDS[view.is_of_links]
    return SqlQuery(f"{table} WHERE {above} AND {found.sql}", (*_after(view, after), *found.values))


def _first_links(
    view: View,
    filter_: Filter,
    joins: frozenset[str],
    reach: LinkSelectivity,
    after: int,
    most: int | None,
) -> SqlQuery:
    """FROM and WHERE: the first links that pass the filter; at most so many, if that is given."""
    rows = _rows(view, filter_, frozenset(), reach, after)
    first = f"(SELECT l.* FROM {rows.sql} ORDER BY l.source, l.position LIMIT ?) l"  # noqa: S608 - our own words
    table = joined(view, joins, first)
    return SqlQuery(f"{table} WHERE 1", (*rows.values, -1 if most is None else most))


def _targets(
    view: View, filter_: Filter, joins: frozenset[str], reach: LinkSelectivity
) -> SqlQuery:
    """FROM and WHERE: the targets of the links that pass the filter; `l.links` lead to each."""
    if filter_ != of_targets(filter_):
        return _grouped("target", view, filter_, joins, reach)
    # How many links lead to a target is known: not one link has to be looked at.
    found = condition(view.targets, filter_)
    table = joined(view, found.joins | joins, f"({LINKS_BY_TARGET}) l")
    return SqlQuery(f"{table} WHERE {found.sql}", found.values)


def _grouped(
    end: str, view: View, filter_: Filter, joins: Collection[str], reach: LinkSelectivity
) -> SqlQuery:
    """FROM and WHERE: the ends of the links that pass the filter; each has `l.links` of them.

    What is joined to them is looked up in the order of the file, a third of the times.
    """
    rows = _rows(view, filter_, frozenset(), reach, 0)
    ends = f"(SELECT l.{end}, count(*) AS links FROM {rows.sql} GROUP BY l.{end}) l"  # noqa: S608 - our own words
    return SqlQuery(f"{joined(view, joins, ends)} WHERE 1", rows.values)


def links_among(ids: Sequence[int]) -> SqlQuery:
    """FROM: the links `l` with these ids. `IN (VALUES …)` would look at every link there is."""
    places = [divmod(each, 1 << POSITION_BITS) for each in ids]
    marks = ", ".join(["(?, ?)"] * len(places))
    return SqlQuery(
        f"(VALUES {marks}) w CROSS JOIN link l ON l.source = w.column1 AND l.position = w.column2",
        tuple(chain.from_iterable(places)),
    )


def sitemaps_among(ids: Sequence[int]) -> SqlQuery:
    """Those of these ids of URLs that a sitemap names."""
    return SqlQuery(
        f"SELECT target FROM link WHERE kind = {int(LinkKind.SITEMAP)}"  # noqa: S608 - our own words
        f" AND target IN ({marks(len(ids))})",
        tuple(ids),
    )


_IDS = {
    False: ("u.id", ("u.id",), "u.id > ?"),
    True: (
        f"l.source << {POSITION_BITS} | l.position",
        ("l.source", "l.position"),
        "(l.source, l.position) > (?, ?)",
    ),
}
"""The id of a row, its parts, and the condition that it is above one; of links under True."""


def _after(view: View, after: int) -> tuple[int, ...]:
    if not view.is_of_links:
        return (after,)
    return (after >> POSITION_BITS, after & ((1 << POSITION_BITS) - 1)) if after else (0, -1)


def _sorted_by(keys: Iterable[tuple[str, bool]]) -> list[str]:
    return [
        f"{expression} {'DESC' if descending else 'ASC'} NULLS LAST"
        for expression, descending in keys
    ]


def _by_id(columns: tuple[str, ...], order: Order) -> list[str]:
    """Equal rows come in order of discovery; that order itself can be turned round."""
    turned = order.column is None and order.descending
    return [f"{column} DESC" if turned else column for column in columns]
