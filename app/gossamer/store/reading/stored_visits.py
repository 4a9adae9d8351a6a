"""Converts stored rows back into the visits that page workers report."""

import sqlite3
from collections.abc import Iterable, Mapping
from itertools import groupby
from operator import itemgetter
from typing import Any, Final

from gossamer.model.custom_definitions import CustomFailure, CustomResult
from gossamer.model.fields.page_facts import PageFacts
from gossamer.model.link_kinds import LinkAction, LinkKind
from gossamer.model.link_traits import MAX_TRAITS
from gossamer.model.outcome import Outcome
from gossamer.model.visit import Link, Visit
from gossamer.store.bulk_insert import listed
from gossamer.store.field_sql import LINK_TEXTS, VISIT_COLUMNS, StoredColumn, is_of_page
from gossamer.store.header_texts import HeaderTexts
from gossamer.store.writing.visit_writer import MADE_HERE

KINDS: Final = listed(LinkKind)
ACTIONS: Final = listed(LinkAction)
"""Those that this version knows, for an SQL text."""
SELECTED: Final = ", ".join(
    [
        *(f"{each.sql} AS {each.name}" for each in VISIT_COLUMNS),
        *("coalesce(hn.value, '') AS header_names", "v.header_values"),
    ]
)
JOINED: Final = "".join(
    [
        *(each.join for each in VISIT_COLUMNS if each.storage.pooled),
        " LEFT JOIN text hn ON hn.id = v.header_names",
    ]
)
_LINK_TEXTS: Final = {each.name: each for each in LINK_TEXTS}
_LINK_VALUES: Final = {
    **{name: f"coalesce({each.sql}, '')" for name, each in _LINK_TEXTS.items()},
    "traits": f"CASE WHEN l.traits BETWEEN 0 AND {MAX_TRAITS} THEN l.traits ELSE 0 END",
}
LINK_SELECTED: Final = ", ".join(
    _LINK_VALUES[name] for name in Link._fields if name in _LINK_VALUES
)
"""In the order in which `PageLinks.of` takes them."""
LINK_JOINED: Final = "".join(each.join for each in LINK_TEXTS)
VISITS: Final = f"""
    SELECT v.id, u.outcome, {SELECTED}
    FROM visit v JOIN url u USING (id) {JOINED} WHERE v.id > ? ORDER BY v.id LIMIT ?
"""  # noqa: S608 - our own words
"""Those with ids above one, up to a number of them, as `visit_of` takes them."""
LINKS: Final = f"""
    SELECT l.source, l.position, l.action, u.id, l.kind, {LINK_SELECTED}
    FROM link l LEFT JOIN url u ON u.id = l.target AND l.kind IN ({KINDS})
        AND l.action IN ({ACTIONS}) {LINK_JOINED}
    WHERE l.source BETWEEN ? AND ? ORDER BY l.source, l.position
"""  # noqa: S608 - numbers
"""Those of the pages with these ids and all between; from the target on, as for `PageLinks.of`.
A link that leads to no URL we know, or is none that we write, has no target.
"""
_OF_PAGES: Final = [each for each in VISIT_COLUMNS if is_of_page(each)]
_OF_ANSWERS: Final = [
    each for each in VISIT_COLUMNS if not is_of_page(each) and each.name not in MADE_HERE
]


def visit_of(
    row: sqlite3.Row | Mapping[str, Any],
    custom: list[CustomResult],
    text: bytes | None = None,
    *,
    is_strict: bool = False,
) -> Visit:
    """The visit as the page worker reported it; `row` has what is SELECTED, and a few more.

    What is no value that we write is left out; ValueError instead if `is_strict`.
    """
    facts = stored_values(row, _OF_PAGES, is_strict=is_strict)
    outcome = Outcome(row["outcome"])
    return Visit(
        outcome=outcome,
        canonical_header=facts.pop("canonical_header", None) if outcome is Outcome.FILE else None,
        headers=HeaderTexts(row["header_names"], row["header_values"]).headers,
        ttfb_ms=row["ttfb_ms"] or 0,
        elapsed_ms=row["elapsed_ms"] or 0,
        facts=PageFacts(**facts) if facts else None,
        custom=custom,
        text=text,
        **stored_values(row, _OF_ANSWERS, is_strict=is_strict),
    )


def custom_by_page(rows: Iterable[tuple[Any, ...]]) -> dict[int, list[CustomResult]]:
    """The custom results in rows of id, definition, value and failure, in that order, by id."""
    found: dict[int, list[CustomResult]] = {}
    for (url_id, definition), group in groupby(rows, key=itemgetter(0, 1)):
        values, failures = zip(*((value, failure) for _, _, value, failure in group), strict=True)
        failure = None if failures[0] is None else CustomFailure(failures[0])
        known = [value for value in values if value is not None]
        found.setdefault(url_id, []).append(CustomResult(definition, known, failure))
    return found


def stored_values(
    row: sqlite3.Row | Mapping[str, Any], columns: list[StoredColumn], *, is_strict: bool
) -> dict[str, Any]:
    """What these columns have, by the names under which a page worker reports it."""
    found = {}
    for each in columns:
        value = stored = row[each.name]
        if value is not None and each.storage.salvage is not None:
            value = each.storage.salvage(value)
            if value is None and is_strict:
                raise ValueError(f"{each.name} cannot be {stored!r}")
        if value is not None:
            found[each.field.field.filled or each.name] = value
    return found
