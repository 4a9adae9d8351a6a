"""Conditions and orders of the rows of a comparison, in SQL."""

from typing import Final

from gossamer.model.comparison_filters import ISSUE_SECTION
from gossamer.model.comparison_results import (
    BrokenLinkFilter,
    ComparisonFilter,
    ComparisonOrder,
    FilterMove,
    PageChange,
)
from gossamer.model.project_queries import Facet
from gossamer.model.project_queries import Value as FacetValue
from gossamer.store.bulk_insert import Value, listed

_IN_SET: Final = "SELECT id FROM filter_set WHERE section = ? AND value = ?"
_MOVES: Final = {
    FilterMove.ADDED: "p.before_set IS NOT NULL AND {after} AND NOT {before}",
    FilterMove.NEW: f"p.change = {int(PageChange.NEW)} AND {{after}}",
    FilterMove.REMOVED: "p.after_set IS NOT NULL AND {before} AND NOT {after}",
    FilterMove.MISSING: f"p.change = {int(PageChange.MISSING)} AND {{before}}",
    FilterMove.BEGAN: "0",
    FilterMove.ENDED: "0",
    FilterMove.UNKNOWN: "0",
    FilterMove.UNKNOWN_BEFORE: "0",
}


def page_condition(filter_: ComparisonFilter) -> tuple[str, tuple[Value, ...]]:
    """The condition of pages `p`, and its values."""
    conditions: list[str] = []
    values: list[Value] = []
    changes = filter_.changes if filter_.moved is None else frozenset(PageChange)
    conditions.append(f"p.change IN ({listed(changes)})")
    if filter_.has_moved:
        conditions.append(f"p.moved IS NOT NULL AND p.change <> {int(PageChange.NEW)}")
    if filter_.field:
        conditions.append("p.id IN (SELECT page FROM field_change WHERE field = ?)")
        values.append(filter_.field)
    if filter_.moved is not None:
        sql, of_move = _moved(*filter_.moved)
        conditions.append(sql)
        values += of_move
    if filter_.text:
        like = f"%{_escaped(filter_.text)}%"
        conditions.append(
            r"(p.url LIKE ? ESCAPE '\' OR p.id IN (SELECT page FROM field_change"
            r" WHERE before LIKE ? ESCAPE '\' OR after LIKE ? ESCAPE '\'))"
        )
        values += (like, like, like)
    return " AND ".join(conditions), tuple(values)


def _moved(
    section: Facet, value: FacetValue, move: FilterMove | None
) -> tuple[str, tuple[Value, ...]]:
    moves = tuple(FilterMove) if move is None else (move,)
    if section == ISSUE_SECTION:
        sql = f"SELECT page FROM issue_change WHERE rule = ? AND move IN ({listed(moves)})"  # noqa: S608 - numbers
        return f"p.id IN ({sql})", (value,)
    before, after = (f"coalesce(p.{side}_set IN ({_IN_SET}), 0)" for side in ("before", "after"))
    found = [_MOVES[each].format(before=before, after=after) for each in moves]
    number = sum(each.count("?") for each in found) // 2
    return f"({' OR '.join(found)})", (section, value) * number


_SORTS: Final = {"address": "p.url", "change": "p.change"}


def page_order(filter_: ComparisonFilter, order: ComparisonOrder) -> tuple[str, tuple[Value, ...]]:
    """What they are sorted by, and its values."""
    direction = "DESC" if order.descending else "ASC"
    if order.column in {"before", "after"} and filter_.field:
        value = f"SELECT {order.column} FROM field_change WHERE field = ? AND page = p.id"  # noqa: S608 - our own words
        return f"({value}) {direction} NULLS LAST, p.id", (filter_.field,)
    if order.column in _SORTS:
        return f"{_SORTS[order.column]} {direction}, p.id", ()
    return f"p.id {direction if not order.column else 'ASC'}", ()


def _escaped(text: str) -> str:
    for special in "\\%_":
        text = text.replace(special, "\\" + special)
    return text


BROKEN_LINKS: Final = (
    "broken_link b JOIN address s ON s.id = b.source JOIN address t ON t.id = b.target"
)
_LINK_SORTS: Final = {
    "source": "s.url",
    "target": "t.url",
    "change": "b.move",
    "before": "coalesce(t.before_status, t.before_outcome)",
    "after": "coalesce(t.after_status, t.after_outcome)",
}


def link_condition(filter_: BrokenLinkFilter) -> tuple[str, tuple[Value, ...]]:
    """The condition of BROKEN_LINKS, and its values."""
    sql = f"b.move IN ({listed(filter_.moves)})"
    if not filter_.text:
        return sql, ()
    like = f"%{_escaped(filter_.text)}%"
    return rf"{sql} AND (s.url LIKE ? ESCAPE '\' OR t.url LIKE ? ESCAPE '\')", (like, like)


def link_order(order: ComparisonOrder) -> str:
    """What they are sorted by."""
    direction = "DESC" if order.descending else "ASC"
    if order.column in _LINK_SORTS:
        return f"{_LINK_SORTS[order.column]} {direction} NULLS LAST, b.id"
    return f"b.move, b.id {direction}"
