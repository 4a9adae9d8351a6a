"""The lists of a report: errors with what links to them, redirect chains, the worst pages."""

from collections import Counter
from collections.abc import Sequence
from html import escape
from typing import Literal

from gossamer.export.report_charts import meter
from gossamer.export.report_data import BrokenLink
from gossamer.model.fields.link_record import LinkRecord
from gossamer.model.fields.url_record import UrlRecord
from gossamer.model.link_kinds import LinkKind
from gossamer.model.number_format import milliseconds, size
from gossamer.model.outcome import PAGES, sentence_of
from gossamer.model.project_queries import ChainHop
from gossamer.model.redirect_types import BAD_TYPES, ChainType
from gossamer.urls.url_parsing import is_http

_COLOURS = {4: "error", 5: "warning"}
"""Of errors by the class of their status; of a redirect that leads nowhere, that of an error."""
_MOST_HOPS = 8
"""Hops told of one chain; of a longer one, the first of them and the end."""


def broken_links(errors: Sequence[BrokenLink], number: int) -> str:
    """The errors that most pages link to, of `number` in all."""
    if not errors:
        return _section("Errors", "<p class='nothing'>No errors. All that was asked for works.</p>")
    rows = []
    for error in errors:
        record = error.record
        others = record.unique_inlinks - len({link.source_id for link in error.links})
        more = f"<li class='muted'>and {others:,} more</li>" if others > 0 else ""
        links = "".join(map(_source, error.links))
        rows.append(
            f"<tr><td>{_badge(record.status, _colour(record.status))}</td>"
            f"<td>{address(record.url)}<p class='muted'>{escape(_why(record))}</p></td>"
            f"<td class='number' data-label='Pages that link: '>{record.unique_inlinks:,}</td>"
            f"<td><ul>{links}{more}</ul></td></tr>"
        )
    return _section(
        "Errors",
        "<table class='list'><thead><tr><th>Status</th><th>Address</th><th class='number'>Pages"
        f" that link</th><th>Such as</th></tr></thead><tbody>{''.join(rows)}</tbody></table>",
        _first(len(errors), number, "errors", "most linked first"),
    )


def chain_list(
    chains: Sequence[tuple[ChainType, list[ChainHop]]], types: Counter[ChainType]
) -> str:
    """The redirect chains to shorten or mend; `types` counts all of them."""
    told = ", ".join(f"{count:,} {kind.value}" for kind, count in types.most_common())
    if not chains:
        good = "No redirect leads over another one, and all end well."
        return _section("Redirect chains", f"<p class='nothing'>{good}</p>", told)
    rows = [
        f"<tr><td><span class='badge {_chain_colour(kind)}'>{kind.value}</span></td>"
        f"<td class='number' data-label='Hops: '>{len(hops) - 1}</td>"
        f"<td><ol class='chain'>{_steps(hops)}</ol></td></tr>"
        for kind, hops in chains
    ]
    return _section(
        "Redirect chains",
        "<table class='list'><thead><tr><th>Kind</th><th class='number'>Hops</th><th>Steps</th>"
        f"</tr></thead><tbody>{''.join(rows)}</tbody></table>",
        f"Those that end badly, and the longest. In all: {told}.",
    )


def url_list(title: str, records: Sequence[UrlRecord], what: Literal["time", "size"]) -> str:
    """Pages by how long they took, or how large they are."""
    if not records:
        return ""
    weights = [(r.elapsed_ms if what == "time" else r.size_bytes) or 0 for r in records]
    highest = max(weights)
    rows = [
        f"<tr><td>{address(record.url)}<p class='muted'><bdi>{escape(record.title or '')}</bdi></p>"
        f"</td><td class='number'>{milliseconds(weight) if what == 'time' else size(weight)}</td>"
        f"<td class='room'>{meter(weight, highest)}</td></tr>"
        for record, weight in zip(records, weights, strict=True)
    ]
    name = "Time" if what == "time" else "Size"
    return _section(
        title,
        f"<table class='list'><thead><tr><th>Address</th><th class='number'>{name}</th>"
        f"<th></th></tr></thead><tbody>{''.join(rows)}</tbody></table>",
    )


def address(url: str) -> str:
    """A URL as a link, if it leads into the web; text otherwise."""
    text = f"<bdi>{escape(url)}</bdi>"
    if not is_http(url):
        return f"<span class='address'>{text}</span>"
    rel = "noopener noreferrer nofollow"
    return f"<a class='address' href='{escape(url)}' rel='{rel}'>{text}</a>"


def _why(record: UrlRecord) -> str:
    return f"{sentence_of(record.outcome, record.status)} {record.detail or ''}".strip()


def _source(link: LinkRecord) -> str:
    text = f" <span class='muted'>“<bdi>{escape(link.text)}</bdi>”</span>" if link.text else ""
    if link.kind is LinkKind.REDIRECT:
        text = " <span class='muted'>redirects there</span>"
    return f"<li>{address(link.source_url)}{text}</li>"


def _steps(hops: Sequence[ChainHop]) -> str:
    shown = list(hops)
    if len(shown) > _MOST_HOPS:
        shown = [*shown[: _MOST_HOPS - 1], shown[-1]]
    steps = [f"<li>{_badge(hop.status, _hop_colour(hop))}{address(hop.url)}</li>" for hop in shown]
    if len(shown) < len(hops):
        missing = len(hops) - len(shown)
        steps.insert(-1, f"<li class='muted'>… {missing} more</li>")
    return "".join(steps)


def _colour(status: int | None) -> str:
    return "skipped" if status is None else _COLOURS.get(status // 100, "error")


def _hop_colour(hop: ChainHop) -> str:
    if hop.outcome in PAGES:
        return "ok"
    return "redirect" if hop.outcome.is_redirect else "error"


def _chain_colour(kind: ChainType) -> str:
    return "error" if kind in BAD_TYPES else "redirect"


def _badge(status: int | None, colour: str) -> str:
    return f"<span class='badge {colour}'>{'&ndash;' if status is None else status}</span>"


def _first(shown: int, number: int, what: str, how: str) -> str:
    return f"{shown:,} of {number:,} {what}, {how}." if shown < number else ""


def _section(title: str, content: str, note: str = "") -> str:
    told = f"<p class='note'>{escape(note)}</p>" if note else ""
    return f"<section class='wide'><h2>{title}</h2>{told}{content}</section>\n"
