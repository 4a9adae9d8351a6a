"""The report's lists: the worst errors, chains and pages."""

from base64 import b64encode
from collections import Counter
from collections.abc import Sequence
from html import escape
from typing import Final, Literal

from gossamer.export.report_charts import meter
from gossamer.export.report_data import BrokenLink
from gossamer.export.report_markup import Say, address, badge, heading, html_text, section, table
from gossamer.model.fields.link_record import LinkRecord
from gossamer.model.fields.url_record import UrlRecord
from gossamer.model.link_kinds import LinkKind
from gossamer.model.number_format import milliseconds, size
from gossamer.model.outcome import PAGES, sentence_of
from gossamer.model.project_queries import ChainHop
from gossamer.model.redirect_types import BAD_TYPES, ChainType
from gossamer.model.translatable import Sentence, Translatable, said

_COLOURS: Final = {4: "error", 5: "warning"}
"""The colours of errors by the class of their status; a redirect to nowhere has that of an
error."""
_MOST_HOPS: Final = 8
"""Hops shown of one chain; of a longer one, the first of them and the end."""
_CHAIN_TYPES: Final[dict[ChainType, Sentence]] = {
    ChainType.LOOP: "loop",
    ChainType.LIMIT: "limit",
    ChainType.BROKEN: "broken",
    ChainType.PERMANENT: "permanent",
    ChainType.TEMPORARY: "temporary",
    ChainType.MIXED: "mixed",
}


def broken_links(errors: Sequence[BrokenLink], number: int, say: Say) -> str:
    """The errors that most pages link to, of `number` in total."""
    title = html_text(say, said("Errors"))
    if not errors:
        good = html_text(say, said("No errors. Every URL that was requested works."))
        return section(title, f"<p class='nothing'>{good}</p>")
    headings = (
        heading(html_text(say, said("Status")))
        + heading(html_text(say, said("Address")))
        + heading(html_text(say, said("Pages that link")), is_number=True)
        + heading(html_text(say, said("Such as")))
    )
    note = ""
    if len(errors) < number:
        counts = {"shown": f"{len(errors):,}", "number": f"{number:,}"}
        note = html_text(say, said("{shown} of {number} errors, most linked first.", **counts))
    return section(title, table(headings, [_error(each, say) for each in errors]), note)


def chain_list(
    chains: Sequence[tuple[ChainType, list[ChainHop]]], types: Counter[ChainType], say: Say
) -> str:
    """The redirect chains to shorten or mend; `types` counts all of them."""
    title = html_text(say, said("Redirect chains"))
    counted = ", ".join(
        f"{count:,} {html_text(say, Translatable(_CHAIN_TYPES[kind]))}"
        for kind, count in types.most_common()
    )
    if not chains:
        good = html_text(
            say, said("There are no redirect chains, and every redirect leads to a working URL.")
        )
        return section(title, f"<p class='nothing'>{good}</p>", counted)
    label = html_text(say, said("Hops: "))
    rows = [
        f"<tr><td>{_chain_badge(kind, say)}</td>"
        f"<td class='number' data-label='{label}'>{len(hops) - 1}</td>"
        f"<td><ol class='chain'>{_steps(hops, say)}</ol></td></tr>"
        for kind, hops in chains
    ]
    headings = (
        heading(html_text(say, said("Kind")))
        + heading(html_text(say, said("Hops")), is_number=True)
        + heading(html_text(say, said("Steps")))
    )
    note = html_text(
        say, said("Those that do not end at a working URL, and the longest. In total:")
    )
    return section(title, table(headings, rows), f"{note} {counted}")


def url_list(
    title: Sentence, records: Sequence[UrlRecord], what: Literal["time", "size"], say: Say
) -> str:
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
    name = said("Time") if what == "time" else said("Size")
    headings = (
        heading(html_text(say, said("Address")))
        + heading(html_text(say, name), is_number=True)
        + heading("")
    )
    return section(html_text(say, Translatable(title)), table(headings, rows))


def screenshot_list(screenshots: Sequence[tuple[str, bytes]], number: int, say: Say) -> str:
    """Pages as a browser shows them, of `number` in total; nothing if there are no pictures."""
    if not screenshots:
        return ""
    shown = "".join(_figure(url, jpeg) for url, jpeg in screenshots)
    note = ""
    if len(screenshots) < number:
        counts = {"shown": f"{len(screenshots):,}", "number": f"{number:,}"}
        note = html_text(say, said("The first {shown} of {number}.", **counts))
    title = html_text(say, said("Screenshots"))
    return section(title, f"<div class='screenshots'>{shown}</div>", note)


def _figure(url: str, jpeg: bytes) -> str:
    picture = b64encode(jpeg).decode()
    return (
        f"<figure><img src='data:image/jpeg;base64,{picture}' alt='' loading='lazy'>"
        f"<figcaption>{address(url)}</figcaption></figure>"
    )


def _error(error: BrokenLink, say: Say) -> str:
    record = error.record
    others = record.unique_inlinks - len({link.source_id for link in error.links})
    more = ""
    if others > 0:
        text = html_text(say, said("and {count} more", count=f"{others:,}"))
        more = f"<li class='muted'>{text}</li>"
    links = "".join(_source(link, say) for link in error.links)
    label = html_text(say, said("Pages that link: "))
    return (
        f"<tr><td>{_status(record.status, _colour(record.status))}</td>"
        f"<td>{address(record.url)}<p class='muted'>{_why(record, say)}</p></td>"
        f"<td class='number' data-label='{label}'>{record.unique_inlinks:,}</td>"
        f"<td><ul>{links}{more}</ul></td></tr>"
    )


def _why(record: UrlRecord, say: Say) -> str:
    outcome = html_text(say, Translatable(sentence_of(record.outcome, record.status)))
    detail = "" if record.detail is None else html_text(say, record.detail.said)
    return f"{outcome} {detail}".strip()


def _source(link: LinkRecord, say: Say) -> str:
    text = f" <span class='muted'>“<bdi>{escape(link.text)}</bdi>”</span>" if link.text else ""
    if link.kind is LinkKind.REDIRECT:
        text = f" <span class='muted'>{html_text(say, said('redirects there'))}</span>"
    return f"<li>{address(link.source_url)}{text}</li>"


def _steps(hops: Sequence[ChainHop], say: Say) -> str:
    shown = list(hops)
    if len(shown) > _MOST_HOPS:
        shown = [*shown[: _MOST_HOPS - 1], shown[-1]]
    steps = [f"<li>{_status(hop.status, _hop_colour(hop))}{address(hop.url)}</li>" for hop in shown]
    if len(shown) < len(hops):
        text = html_text(say, said("… {count} more", count=len(hops) - len(shown)))
        steps.insert(-1, f"<li class='muted'>{text}</li>")
    return "".join(steps)


def _colour(status: int | None) -> str:
    return "skipped" if status is None else _COLOURS.get(status // 100, "error")


def _hop_colour(hop: ChainHop) -> str:
    if hop.outcome in PAGES:
        return "ok"
    return "redirect" if hop.outcome.is_redirect else "error"


def _chain_badge(kind: ChainType, say: Say) -> str:
    colour = "error" if kind in BAD_TYPES else "redirect"
    return badge(html_text(say, Translatable(_CHAIN_TYPES[kind])), colour)


def _status(status: int | None, colour: str) -> str:
    return badge("&ndash;" if status is None else str(status), colour)
