"""The report: a crawl at a glance, as one HTML file that needs nothing else and runs nothing.

All texts from the web are escaped, and the page's own policy forbids scripts and requests.
"""

from collections.abc import Sequence
from datetime import UTC, datetime
from html import escape
from urllib.parse import urlsplit

from gossamer import __version__
from gossamer.export.report_charts import ChartShare, bars, columns, donut, legend
from gossamer.export.report_data import LAST_DEPTH, NO_ANSWER, TIME_STEPS_MS, ReportData, Times
from gossamer.export.report_lists import broken_links, chain_list, url_list
from gossamer.model.number_format import long_duration, size
from gossamer.model.outcome import UrlState, Verdict
from gossamer.model.package_data import resource_path
from gossamer.model.store_batch import ProjectSummary
from gossamer.urls.url_parsing import server_name

_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
_CLASSES = {
    2: ("2xx success", "ok"),
    3: ("3xx redirect", "redirect"),
    4: ("4xx client error", "error"),
    5: ("5xx server error", "warning"),
    NO_ANSWER: ("no answer", "skipped"),
}
_VERDICTS = {
    Verdict.OK: ("Works", "ok"),
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
    ring = donut(shares, "Answers by status", f"{figures.asked:,}", "answers")
    return _card("Answers by status", f'<div class="pair">{ring}{legend(shares)}</div>')


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


def _times(times: Times) -> str:
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
