"""Writes the crawl report: one self-contained HTML file without scripts."""

from collections.abc import Sequence
from datetime import UTC, datetime
from html import escape
from typing import Final
from urllib.parse import urlsplit

from gossamer import __version__
from gossamer.export.note_reports import note_list
from gossamer.export.report_charts import ChartShare, bars, columns, donut, legend
from gossamer.export.report_data import (
    LAST_DEPTH,
    NO_RESPONSE,
    TIME_STEPS_MS,
    ReportData,
    ResponseTimes,
)
from gossamer.export.report_issues import issues_section
from gossamer.export.report_lists import broken_links, chain_list, screenshot_list, url_list
from gossamer.export.report_markup import Say, document, html_text
from gossamer.model.crawl_state import CrawlState
from gossamer.model.number_format import long_duration, size
from gossamer.model.outcome import UrlState, Verdict
from gossamer.model.store_batch import ProjectSummary
from gossamer.model.translatable import Sentence, Translatable, said
from gossamer.urls.url_parsing import server_name

_CLASSES: Final[dict[int, Sentence]] = {
    2: "2xx success",
    3: "3xx redirect",
    4: "4xx client error",
    5: "5xx server error",
    NO_RESPONSE: "no response",
}
_CLASS_COLOURS: Final = {2: "ok", 3: "redirect", 4: "error", 5: "warning", NO_RESPONSE: "skipped"}
_VERDICTS: Final[dict[Verdict, Sentence]] = {
    Verdict.OK: "OK",
    Verdict.REDIRECT: "Redirects",
    Verdict.BROKEN: "Broken",
    Verdict.REFUSED: "Refused (401, 403)",
    Verdict.UNVERIFIED: "Uncertain: may be temporary",
    Verdict.SKIPPED: "Never requested",
    Verdict.PENDING: "Waiting",
}
_VERDICT_COLOURS: Final = {
    Verdict.OK: "ok",
    Verdict.REDIRECT: "redirect",
    Verdict.BROKEN: "error",
    Verdict.REFUSED: "warning",
    Verdict.UNVERIFIED: "pending",
    Verdict.SKIPPED: "skipped",
    Verdict.PENDING: "muted",
}
_STATES: Final[dict[CrawlState, Sentence]] = {
    CrawlState.NEW: "not started",
    CrawlState.RUNNING: "running",
    CrawlState.PAUSING: "pausing",
    CrawlState.PAUSED: "paused",
    CrawlState.CANCELLING: "cancelling",
    CrawlState.CANCELLED: "cancelled",
    CrawlState.FINISHED: "finished",
    CrawlState.FAILED: "failed",
}
_TYPES: Final = 8
_MOST_ROOTS: Final = 3
_MOMENT: Final = "%Y-%m-%d %H:%M"


def report_page(
    summary: ProjectSummary, figures: ReportData, written_at: datetime, say: Say = str
) -> str:
    """The whole page, in the language of `say`. `written_at` is when, with a time zone."""
    roots = summary.settings.roots
    host = roots[0] if roots else say(said("no address"))
    host = urlsplit(host).netloc.rpartition("@")[2] or host
    parts = [
        _head(host, roots, summary, written_at, say),
        _tiles(figures, say),
        '<div class="cards">',
        _statuses(figures, say),
        _verdicts(figures, say),
        _depths(figures, say),
        _times(figures.times, say),
        _content_types(figures, say),
        _left_out(figures, say),
        _warnings(figures, say),
        _missing(figures, say),
        "</div>",
        issues_section(figures, summary.settings, say),
        broken_links(figures.errors, figures.failures, say),
        chain_list(figures.chains, figures.chain_types, say),
        url_list("Slowest pages", figures.slowest, "time", say),
        url_list("Largest pages", figures.largest, "size", say),
        note_list(figures.notes, say),
        screenshot_list(figures.screenshots, figures.screenshot_count, say),
    ]
    return document(say, said("Crawl of {host}", host=host), "".join(parts))


def _head(
    host: str, roots: Sequence[str], summary: ProjectSummary, written_at: datetime, say: Say
) -> str:
    begun = datetime.fromtimestamp(summary.created_at, UTC)
    facts = [
        (said("Started from"), ", ".join(roots[:_MOST_ROOTS]) + " …" * (len(roots) > _MOST_ROOTS)),
        (said("Crawled on"), f"{begun:{_MOMENT}} UTC"),
        (said("It took"), long_duration(summary.seconds)),
        (said("State"), say(Translatable(_STATES[summary.state]))),
    ]
    if servers := summary.settings.insecure_hosts:
        facts.append((said("Certificates not checked"), ", ".join(map(server_name, servers))))
    listed = "".join(
        f"<div><dt>{html_text(say, name)}</dt><dd>{escape(text)}</dd></div>" for name, text in facts
    )
    return (
        f"<header><p class='kicker'>{html_text(say, said('Crawl report'))}</p>"
        f"<h1>{escape(host)}</h1><dl>{listed}</dl>"
        f"<p class='written'>Gossamer {__version__}, {written_at:{_MOMENT}}</p></header>"
    )


def _tiles(figures: ReportData, say: Say) -> str:
    median = figures.times.percentiles.get(50)
    tiles = [
        (f"{figures.urls:,}", said("addresses found"), ""),
        (f"{figures.pages:,}", said("pages"), "ok"),
        (f"{figures.redirects:,}", said("redirects"), "redirect"),
        (f"{figures.failures:,}", said("errors"), "error" if figures.failures else ""),
        ("&ndash;" if median is None else f"{median:,} ms", said("median response"), ""),
        (size(figures.size_bytes), said("received"), ""),
    ]
    if figures.truncated:
        tiles.append((f"{figures.truncated:,}", said("not read to the end"), "warning"))
    return (
        '<section class="tiles">'
        + "".join(
            f'<div><strong class="{colour}">{number}</strong>'
            f"<span>{html_text(say, what)}</span></div>"
            for number, what, colour in tiles
        )
        + "</section>"
    )


def _statuses(figures: ReportData, say: Say) -> str:
    counts = figures.status_classes
    shares = [
        ChartShare(say(Translatable(label)), counts[number], _CLASS_COLOURS[number])
        for number, label in _CLASSES.items()
    ]
    others = counts.total() - sum(share.count for share in shares)
    shares.append(ChartShare(say(said("other statuses")), others, "muted"))
    title = said("Responses by status")
    ring = donut(shares, say(title), f"{figures.asked:,}", say(said("responses")))
    return _card(title, f'<div class="pair">{ring}{legend(shares)}</div>', say)


def _verdicts(figures: ReportData, say: Say) -> str:
    shares = [
        ChartShare(say(Translatable(label)), figures.verdicts[verdict], _VERDICT_COLOURS[verdict])
        for verdict, label in _VERDICTS.items()
        if figures.verdicts[verdict]
    ]
    return _card(said("Verdicts"), bars(shares) if shares else "", say)


def _depths(figures: ReportData, say: Say) -> str:
    deepest = max(figures.depths, default=0)
    shares = [
        ChartShare(
            f"{depth}+" if depth == LAST_DEPTH else str(depth), figures.depths[depth], "accent"
        )
        for depth in range(deepest + 1)
    ]
    drawn = columns(shares, say(said("Addresses by clicks from the start")))
    return _card(said("Clicks from the start"), drawn if figures.depths else "", say)


def _times(times: ResponseTimes, say: Say) -> str:
    title = said("Response times")
    if not times.percentiles:
        return _card(title, "", say)
    slow = TIME_STEPS_MS.index(1_000)
    steps = [f"{step} ms" for step in TIME_STEPS_MS[:slow]]
    steps += [f"{step // 1_000} s" for step in TIME_STEPS_MS[slow:]]
    labels = [*(f"<{step}" for step in steps), f"{steps[-1]} +"]
    shares = [
        ChartShare(label, count, "warning" if place > slow else "accent")
        for place, (label, count) in enumerate(zip(labels, times.bins, strict=True))
    ]
    last = max(place for place, share in enumerate(shares) if share.count)
    drawn = columns(shares[: max(last + 1, 5)], say(said("Responses by response time")))
    told = " · ".join(
        html_text(say, said("{percent} % within {time} ms", percent=percent, time=f"{elapsed:,}"))
        for percent, elapsed in times.percentiles.items()
    )
    return _card(title, f"{drawn}<p class='note'>{told}</p>", say)


def _content_types(figures: ReportData, say: Say) -> str:
    found = figures.content_types.most_common(_TYPES)
    shares = [ChartShare(name or say(said("not said")), count, "accent") for name, count in found]
    return _card(said("Content types"), bars(shares) if shares else "", say)


def _left_out(figures: ReportData, say: Say) -> str:
    skipped = [
        (outcome, count)
        for outcome, count in figures.outcomes.most_common()
        if outcome.state in {UrlState.SKIPPED, UrlState.CANCELLED}
    ]
    shares = [
        ChartShare(say(Translatable(outcome.sentence)), count, "skipped")
        for outcome, count in skipped
    ]
    example = ""
    if trap := figures.trap_example:
        example = f"<p>{html_text(say, said('Trap limit: such as {url}', url=trap))}</p>"
    return _card(said("Never requested, and why"), bars(shares) + example if shares else "", say)


def _warnings(figures: ReportData, say: Say) -> str:
    shares = [
        ChartShare(say(Translatable(warning.label)), count, "warning")
        for warning, count in figures.warnings.most_common()
    ]
    return _card(said("Warnings"), bars(shares), say) if shares else ""


def _missing(figures: ReportData, say: Say) -> str:
    shares = [
        ChartShare(say(Translatable(outcome.sentence)), count, "skipped")
        for outcome, count in figures.missing.most_common()
    ]
    return _card(said("Missing since the last crawl"), bars(shares), say) if shares else ""


def _card(title: Translatable, content: str, say: Say) -> str:
    """A card with a title; without content it says that there is nothing."""
    content = content or f'<p class="nothing">{html_text(say, said("Nothing here."))}</p>'
    return f'<section class="card"><h2>{html_text(say, title)}</h2>{content}</section>\n'
