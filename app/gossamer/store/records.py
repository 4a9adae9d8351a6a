"""Rows of the project file as values."""

from dataclasses import replace
from typing import Any, TypeAlias

from msgspec import structs

from gossamer.model.chains import ChainType
from gossamer.model.outcome import Outcome, UrlState
from gossamer.model.page import LinkAction, LinkKind, RedirectKind
from gossamer.model.response_warnings import from_codes
from gossamer.model.views import Hop, LinkRecord, TreeNode, UrlRecord
from gossamer.store.trouble import told_apart

Row: TypeAlias = tuple[Any, ...]

_WARNINGS = 14
"""Where `warnings` stands in RECORD_COLUMNS, counted from `depth`."""
_REDIRECT_KIND = 23
"""Where `redirect_kind` stands there."""


def record(row: Row) -> UrlRecord:
    """A row of `RECORD_COLUMNS`."""
    url_id, url, state, outcome, *others = row
    others[_WARNINGS] = from_codes(others[_WARNINGS])
    if others[_REDIRECT_KIND] is not None:
        others[_REDIRECT_KIND] = RedirectKind(others[_REDIRECT_KIND])
    return UrlRecord(url_id, url, UrlState(state), Outcome(outcome), *others)


def with_chain(row: Row, known: UrlRecord) -> UrlRecord:
    """The record of a redirect with what a row of `chain_ends` tells of it."""
    _, length, kind, final_url, final_status = row
    return structs.replace(
        known,
        chain_length=length,
        chain_type=ChainType(kind),
        final_url=final_url,
        final_status=final_status,
    )


def node(row: Row) -> TreeNode:
    """A row of `NODE_COLUMNS`."""
    url_id, url, parent, outcome, status, title, children, redirect, trouble = row
    errors, worst = told_apart(trouble)
    return TreeNode(
        url_id, url, parent, Outcome(outcome), status, title, children, redirect, errors, worst
    )


def hop(row: Row) -> Hop:
    """A URL of a chain: id, url, outcome, status, elapsed_ms, redirect_kind, sources."""
    url_id, url, outcome, status, elapsed_ms, kind, sources = row
    redirect_kind = None if kind is None else RedirectKind(kind)
    return Hop(url_id, url, status, Outcome(outcome), elapsed_ms, redirect_kind, sources)


def closed(chain: list[Hop]) -> list[Hop]:
    """A chain that says where it closes, if it does."""
    ids = [each.id for each in chain]
    first = ids.index(ids[-1]) + 1 if ids else 0
    return chain if first == len(ids) else [*chain[:-1], replace(chain[-1], repeats=first)]


def headers_of(lines: str) -> list[tuple[str, str]]:
    """The headers in `visit.headers`, a line each."""
    parts = (line.partition(": ") for line in lines.split("\n")[:-1])
    return [(name, value) for name, _, value in parts]


def link(row: Row) -> LinkRecord:
    """A row of `LINK_COLUMNS`."""
    source, source_url, target, target_url, position, kind, action, *texts_and_more = row
    text, rel, element, fragment = [value or "" for value in texts_and_more[:4]]
    outcome, target_status, source_title = texts_and_more[4:]
    return LinkRecord(
        source_id=source,
        source_url=source_url,
        target_id=target,
        target_url=target_url,
        position=position,
        kind=LinkKind(kind),
        action=LinkAction(action),
        text=text,
        rel=rel,
        element=element,
        fragment=fragment,
        target_outcome=Outcome(outcome),
        target_status=target_status,
        source_title=source_title,
    )
