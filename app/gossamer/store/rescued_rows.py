"""Rows of a damaged project as the values that a page worker gives."""

import sqlite3
from typing import Final

from gossamer.model.link_kinds import LinkAction, LinkKind
from gossamer.model.outcome import Outcome
from gossamer.model.page import PageFacts, RedirectKind, Visit
from gossamer.model.response_warnings import known_codes
from gossamer.store.bulk_insert import listed

KINDS: Final = listed(LinkKind)
ACTIONS: Final = listed(LinkAction)
"""Those that this version knows, for an SQL text."""


def visit_of(row: sqlite3.Row) -> Visit:
    """The answer as the page worker gave it."""
    lines = (line.partition(": ") for line in row["headers"].split("\n")[:-1])
    kind = row["redirect_kind"]
    return Visit(
        outcome=Outcome(row["outcome"]),
        status=row["status"],
        reason=row["reason"],
        headers=[(name, value) for name, _, value in lines],
        location=row["redirect"],
        content_type=row["type_text"] or "",
        charset=row["charset_text"] or "",
        size_bytes=row["size_bytes"],
        raw_bytes=row["raw_bytes"],
        ttfb_ms=row["ttfb_ms"] or 0,
        elapsed_ms=row["elapsed_ms"] or 0,
        fetched_at=row["fetched_at"],
        detail=row["detail"] or "",
        warnings=known_codes(row["warning_codes"]),
        facts=None if row["word_count"] is None else _facts(row),
        redirect_kind=RedirectKind(kind) if kind in RedirectKind.__members__.values() else None,
        redirect_delay_s=row["redirect_delay_s"],
        robots_header=row["header_text"] or "",
    )


def _facts(row: sqlite3.Row) -> PageFacts:
    return PageFacts(
        title=row["title"],
        h1=row["h1"],
        description=row["description"],
        robots=row["robots_text"],
        canonical=row["canonical"],
        language=row["language_text"],
        word_count=row["word_count"],
        content_hash=row["content_hash"] or b"",
    )
