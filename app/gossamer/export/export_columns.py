"""The columns of URLs and links, by the names that people's spreadsheets already know."""

from collections.abc import Callable
from datetime import UTC, datetime
from http import HTTPStatus
from typing import Any, TypeAlias

from gossamer.export.sheet import Cell
from gossamer.model.link_kinds import LinkAction
from gossamer.model.url_record import UrlRecord

UrlColumn: TypeAlias = tuple[str, Callable[[UrlRecord], Cell]]
LinkColumn: TypeAlias = tuple[str, str, Callable[[Any], Cell]]


def status_text(status: int | None, reason: str | None) -> str | None:
    """What the server said beside the status code, or what the standard says."""
    if reason or status is None:
        return reason or None
    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return None


LINK_ACTIONS = {
    LinkAction.FOLLOW: "followed",
    LinkAction.CHECK: "checked",
    LinkAction.RECORD: "recorded",
    LinkAction.NOFOLLOW: "not followed: nofollow",
}

URL_COLUMNS: tuple[UrlColumn, ...] = (
    ("Address", lambda r: r.url),
    ("Content Type", lambda r: r.content_type),
    ("Status Code", lambda r: r.status),
    ("Status", lambda r: status_text(r.status, r.reason)),
    ("Title 1", lambda r: r.title),
    ("Title 1 Length", lambda r: _length(r.title)),
    ("Meta Description 1", lambda r: r.description),
    ("Meta Description 1 Length", lambda r: _length(r.description)),
    ("H1-1", lambda r: r.h1),
    ("H1-1 Length", lambda r: _length(r.h1)),
    ("Meta Robots 1", lambda r: r.robots),
    ("X-Robots-Tag 1", lambda r: r.robots_header),
    ("Canonical Link Element 1", lambda r: r.canonical),
    ("Size (bytes)", lambda r: r.size_bytes),
    ("Transferred (bytes)", lambda r: r.raw_bytes),
    ("Word Count", lambda r: r.word_count),
    ("Crawl Depth", lambda r: r.depth),
    ("Inlinks", lambda r: r.inlinks),
    ("Unique Inlinks", lambda r: r.unique_inlinks),
    ("Outlinks", lambda r: r.outlinks),
    ("Hash", lambda r: None if r.content_hash is None else r.content_hash.hex()),
    ("Response Time", lambda r: None if r.elapsed_ms is None else r.elapsed_ms / 1000),
    ("Last Modified", lambda r: r.last_modified),
    ("Redirect URL", lambda r: r.redirect),
    ("Number of Redirects", lambda r: r.chain_length),
    ("Chain Type", lambda r: r.chain_type and r.chain_type.value),
    ("Final Address", lambda r: r.final_url),
    ("Final Status Code", lambda r: r.final_status),
    ("Language", lambda r: r.language),
    ("Charset", lambda r: r.charset),
    ("Crawl Timestamp", lambda r: _timestamp(r.fetched_at)),
    ("Outcome", lambda r: r.outcome.sentence),
    ("Warnings", lambda r: "; ".join(warning.label for warning in r.warnings)),
    ("Detail", lambda r: r.detail),
    ("Verdict", lambda r: r.verdict.value),
)
"""All that is known of a URL.

Sizes are in bytes, the response time is in seconds, dates are ISO 8601 in UTC.
"""

LINK_COLUMNS: tuple[LinkColumn, ...] = (
    ("Type", "kind", lambda kind: kind.declaration.export_name),
    ("Source", "source_url", str),
    ("Destination", "target_url", str),
    ("Anchor", "text", str),
    ("Status Code", "target_status", lambda status: status),
    ("Outcome", "target_outcome", lambda outcome: outcome.sentence),
    ("Follow", "rel", lambda rel: "false" if "nofollow" in rel.split() else "true"),
    ("Rel", "rel", str),
    ("Position", "position", lambda position: position + 1),
    ("Element", "element", str),
    ("Fragment", "fragment", str),
    ("Action", "action", LINK_ACTIONS.__getitem__),
    ("Source Title", "source_title", lambda title: title),
)
"""Each with the field of `LinkRecord` that alone it tells, and how.

Status code and outcome are the destination's. The position counts from 1 in the source."""


COLUMNS_OF_TABLES = {
    "address": "Address",
    "status": "Status Code",
    "outcome": "Outcome",
    "content_type": "Content Type",
    "title": "Title 1",
    "h1": "H1-1",
    "description": "Meta Description 1",
    "depth": "Crawl Depth",
    "words": "Word Count",
    "size": "Size (bytes)",
    "time": "Response Time",
    "inlinks": "Inlinks",
    "unique_inlinks": "Unique Inlinks",
    "outlinks": "Outlinks",
    "redirect": "Redirect URL",
    "chain_length": "Number of Redirects",
    "chain_type": "Chain Type",
    "final_url": "Final Address",
    "final_status": "Final Status Code",
    "warnings": "Warnings",
    "language": "Language",
    "canonical": "Canonical Link Element 1",
    "last_modified": "Last Modified",
    "fetched_at": "Crawl Timestamp",
    "source": "Source",
    "target": "Destination",
    "anchor": "Anchor",
    "kind": "Type",
    "action": "Action",
    "rel": "Rel",
    "element": "Element",
    "fragment": "Fragment",
    "position": "Position",
    "source_title": "Source Title",
}
"""What the columns of the window's tables are called in URL_COLUMNS and LINK_COLUMNS."""


MOMENTS = frozenset({COLUMNS_OF_TABLES["last_modified"], COLUMNS_OF_TABLES["fetched_at"]})
"""The columns with a date and time."""


def _length(text: str | None) -> int | None:
    return None if text is None else len(text)


def _timestamp(moment: float | None) -> str | None:
    if moment is None:
        return None
    return datetime.fromtimestamp(moment, UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
