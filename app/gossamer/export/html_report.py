"""Writes the crawl report: one self-contained HTML file without scripts.

All texts from the web are escaped, and the page's own policy forbids scripts and requests.
"""

from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime
from html import escape
from typing import Literal
from urllib.parse import urlsplit

from gossamer import __version__
from gossamer.export.issue_views import FoundIssue
from gossamer.export.report_charts import ChartShare, bars, columns, donut, legend, meter
from gossamer.export.report_data import (
    LAST_DEPTH,
    NO_ANSWER,
    TIME_STEPS_MS,
    BrokenLink,
    ReportData,
    ResponseTimes,
)
from gossamer.model.fields.link_record import LinkRecord
from gossamer.model.fields.url_record import UrlRecord
from gossamer.model.link_kinds import LinkKind
from gossamer.model.number_format import long_duration, milliseconds, size
from gossamer.model.outcome import PAGES, UrlState, Verdict, sentence_of
from gossamer.model.program_resources import resource_path
from gossamer.model.project_queries import ChainHop
from gossamer.model.redirect_types import BAD_TYPES, ChainType
from gossamer.model.store_batch import ProjectSummary
from gossamer.urls.url_parsing import is_http, server_name

_COLOURS = {4: "error", 5: "warning"}
"""Of errors by the class of their status; of a redirect that leads nowhere, that of an error."""
_PRIORITY_COLOURS = {"High": "error", "Medium": "warning", "Low": "pending", "": "muted"}
_MOST_HOPS = 8
"""Hops told of one chain; of a longer one, the first of them and the end."""


def issue_list(issues: Sequence[FoundIssue], *, is_current: bool) -> str:
    """The issues that there are, the gravest first, each with its explanation."""
    old = "" if is_current else "Pages were crawled, or thresholds changed, since the audit."
    if not issues:
        return _section("Issues", "<p class='nothing'>The audit found no issues.</p>", old)
    rows = [
        f"<tr><td><details><summary>{escape(each.name)}</summary>"
        f"<p class='muted'>{escape(each.rule.meaning)} {escape(each.rule.reason)}</p>"
        f"<p class='muted'><b>How to fix:</b> {escape(each.rule.remedy)}</p></details></td>"
        f"<td>{each.kind}</td><td><span class='badge {_PRIORITY_COLOURS[each.priority]}'>"
        f"{each.priority or 'Count'}</span></td>"
        f"<td class='number' data-label='URLs: '>{each.urls:,}</td>"
        f"<td class='number'>{each.percent:.1f} %</td></tr>"
        for each in issues
    ]
    return _section(
        "Issues",
        "<table class='list'><thead><tr><th>Issue</th><th>Type</th><th>Priority</th>"
        "<th class='number'>URLs</th><th class='number'>Share</th></tr></thead>"
        f"<tbody>{''.join(rows)}</tbody></table>",
        old,
    )


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


_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
_CLASSES = {
    2: ("2xx success", "ok"),
    3: ("3xx redirect", "redirect"),
    4: ("4xx client error", "error"),
    5: ("5xx server error", "warning"),
    NO_ANSWER: ("no answer", "skipped"),
}
_VERDICTS = {
    Verdict.OK: ("OK", "ok"),
    Verdict.REDIRECT: ("Redirects", "redirect"),
    Verdict.BROKEN: ("Broken", "error"),
    Verdict.REFUSED: ("Refused (401, 403)", "warning"),
    Verdict.UNVERIFIED: ("Uncertain: may be temporary", "pending"),
    Verdict.SKIPPED: ("Never asked", "skipped"),
    Verdict.PENDING: ("Waiting", "muted"),
}
_TYPES = 8
_NOTHING = '<p class="nothing">Nothing here.</p>'


def report_page(summary: ProjectSummary, figures: ReportData, written_at: datetime) -> str:
    """The whole page. `written_at` is when, with a time zone."""
    roots = summary.settings.roots
    host = urlsplit(roots[0]).netloc.rpartition("@")[2] or roots[0] if roots else "no address"
    style = resource_path("report", "report.css").read_text(encoding="utf-8")
    parts = [
        _head(host, roots, summary, written_at),
        _tiles(figures),
        '<div class="cards">',
        _statuses(figures),
        _verdicts(figures),
        _depths(figures),
        _times(figures.times),
        _content_types(figures),
        _left_out(figures),
        _warnings(figures),
        "</div>",
        issue_list(figures.issues, is_current=figures.is_audited),
        broken_links(figures.errors, figures.failures),
        chain_list(figures.chains, figures.chain_types),
        url_list("Slowest pages", figures.slowest, "time"),
        url_list("Largest pages", figures.largest, "size"),
    ]
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n<meta name="robots" content="noindex">\n'
        '<meta name="referrer" content="no-referrer">\n'
        f'<meta name="generator" content="Gossamer {__version__}">\n'
        f"<title>Crawl of {escape(host)}</title>\n<style>\n{style}</style>\n</head>\n"
        f"<body>\n<main>\n{''.join(parts)}\n</main>\n</body>\n</html>\n"
    )


def _head(host: str, roots: Sequence[str], summary: ProjectSummary, written_at: datetime) -> str:
    begun = datetime.fromtimestamp(summary.created_at, UTC)
    facts = [
        ("Started from", ", ".join(roots[:3]) + (" …" if len(roots) > 3 else "")),  # noqa: PLR2004 - as many as fit
        ("Crawled on", f"{begun:%d %B %Y, %H:%M} UTC"),
        ("It took", long_duration(summary.seconds)),
        ("State", summary.state.value),
    ]
    if servers := summary.settings.insecure_hosts:
        facts.append(("Certificates not checked", ", ".join(map(server_name, servers))))
    listed = "".join(f"<div><dt>{name}</dt><dd>{escape(text)}</dd></div>" for name, text in facts)
    return (
        f"<header><p class='kicker'>Crawl report</p><h1>{escape(host)}</h1><dl>{listed}</dl>"
        f"<p class='written'>Gossamer {__version__}, {written_at:%d %B %Y, %H:%M}</p></header>"
    )


def _tiles(figures: ReportData) -> str:
    median = figures.times.percentiles.get(50)
    tiles = [
        (f"{figures.urls:,}", "addresses found", ""),
        (f"{figures.pages:,}", "pages", "ok"),
        (f"{figures.redirects:,}", "redirects", "redirect"),
        (f"{figures.failures:,}", "errors", "error" if figures.failures else ""),
        ("&ndash;" if median is None else f"{median:,} ms", "median response", ""),
        (size(figures.size_bytes), "received", ""),
    ]
    if figures.truncated:
        tiles.append((f"{figures.truncated:,}", "not read to the end", "warning"))
    return (
        '<section class="tiles">'
        + "".join(
            f'<div><strong class="{colour}">{number}</strong><span>{what}</span></div>'
            for number, what, colour in tiles
        )
        + "</section>"
    )


def _statuses(figures: ReportData) -> str:
    counts = figures.status_classes
    shares = [
        ChartShare(label, counts[number], colour) for number, (label, colour) in _CLASSES.items()
    ]
    others = counts.total() - sum(share.count for share in shares)
    shares.append(ChartShare("other statuses", others, "muted"))
    ring = donut(shares, "Responses by status", f"{figures.asked:,}", "answers")
    return _card("Responses by status", f'<div class="pair">{ring}{legend(shares)}</div>')


def _verdicts(figures: ReportData) -> str:
    shares = [
        ChartShare(label, figures.verdicts[verdict], colour)
        for verdict, (label, colour) in _VERDICTS.items()
        if figures.verdicts[verdict]
    ]
    return _card("Verdicts", bars(shares) if shares else _NOTHING)


def _depths(figures: ReportData) -> str:
    deepest = max(figures.depths, default=0)
    shares = [
        ChartShare(
            f"{depth}+" if depth == LAST_DEPTH else str(depth), figures.depths[depth], "accent"
        )
        for depth in range(deepest + 1)
    ]
    drawn = columns(shares, "Addresses by clicks from the start")
    return _card("Clicks from the start", drawn if figures.depths else _NOTHING)


def _times(times: ResponseTimes) -> str:
    if not times.percentiles:
        return _card("Response times", _NOTHING)
    slow = TIME_STEPS_MS.index(1_000)
    steps = [f"{step} ms" for step in TIME_STEPS_MS[:slow]]
    steps += [f"{step // 1_000} s" for step in TIME_STEPS_MS[slow:]]
    labels = [*(f"<{step}" for step in steps), f"{steps[-1]} +"]
    shares = [
        ChartShare(label, count, "warning" if place > slow else "accent")
        for place, (label, count) in enumerate(zip(labels, times.bins, strict=True))
    ]
    last = max(place for place, share in enumerate(shares) if share.count)
    drawn = columns(shares[: max(last + 1, 5)], "Answers by response time")
    told = " · ".join(
        f"<b>{percent} %</b> within {elapsed_ms:,} ms"
        for percent, elapsed_ms in times.percentiles.items()
    )
    return _card("Response times", f"{drawn}<p class='note'>{told}</p>")


def _content_types(figures: ReportData) -> str:
    found = figures.content_types.most_common(_TYPES)
    shares = [ChartShare(name or "not said", count, "accent") for name, count in found]
    return _card("Content types", bars(shares) if shares else _NOTHING)


def _left_out(figures: ReportData) -> str:
    skipped = [
        (outcome, count)
        for outcome, count in figures.outcomes.most_common()
        if outcome.state in {UrlState.SKIPPED, UrlState.CANCELLED}
    ]
    shares = [ChartShare(outcome.sentence, count, "skipped") for outcome, count in skipped]
    trap = figures.trap_example
    example = f"<p>Trap limit: such as {escape(trap)}</p>" if trap else ""
    return _card("Never asked, and why", bars(shares) + example if shares else _NOTHING)


def _warnings(figures: ReportData) -> str:
    shares = [
        ChartShare(warning.label, count, "warning")
        for warning, count in figures.warnings.most_common()
    ]
    return _card("Warnings", bars(shares)) if shares else ""


def _card(title: str, content: str) -> str:
    return f'<section class="card"><h2>{title}</h2>{content}</section>\n'
