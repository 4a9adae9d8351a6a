"""Formats the summary of a crawl: as text for people, as JSON for programs."""

import json
from collections.abc import Callable, Iterable, Mapping
from http import HTTPStatus
from pathlib import Path
from typing import Final, TypeVar

from msgspec import Struct

from gossamer.audit.over_budget_report import TrapReport, left_out
from gossamer.cli.terminal import printable, remark
from gossamer.model.errors import UsageError
from gossamer.model.failure_changes import changed_failures
from gossamer.model.fields.derived_freshness_fields import FreshnessStatus
from gossamer.model.fields.derived_rendering_fields import RenderReasonWord, RenderStatus
from gossamer.model.fields.url_record import UrlRecord
from gossamer.model.messages.crawl_messages import Progress
from gossamer.model.number_format import number, short_duration, size
from gossamer.model.outcome import AWAITING_LOGIN, ERROR_OUTCOMES, Outcome, sentence_of
from gossamer.model.outcome_counts import FORMER, LEFT_OUT
from gossamer.model.project_queries import Filter, View
from gossamer.model.response_warnings import ResponseWarning
from gossamer.model.settings.crawl_settings import CrawlSettings, encode_settings
from gossamer.session.settings_warnings import unchecked
from gossamer.store.reading.project_listing import ROOTS
from gossamer.store.reading.reader import Reader
from gossamer.urls.url_parsing import parse_root

Line = tuple[str, str]
"""A label and its right-aligned count."""
_W = TypeVar("_W")
_LEFT_OUT: Final = LEFT_OUT | {Outcome.HELD}
_SECTIONS: Final = 100
"""Folders in the summary, those with the most pages..."""
_NAMED: Final = 5
"""...and those of them that are listed for people."""
_SHOWN: Final = 30
"""Values shown of one setting: a URL list may have thousands."""


class SummaryNotes(Struct, frozen=True):
    """Findings of a crawl other than its counters.

    `warnings` maps each warning to its number of URLs, most frequent first; `rendering` each
    outcome of rendering to the number of pages, `rendered_for` each reason for it, and
    `rendered_sections` each folder that was rendered because its sample differed. `web_sockets`
    counts rendered pages that requested a WebSocket.
    """

    trapped: TrapReport | None = None
    warnings: Mapping[ResponseWarning, int] = {}
    rendering: Mapping[RenderStatus, int] = {}
    rendered_for: Mapping[RenderReasonWord, int] = {}
    rendered_sections: Mapping[str, int] = {}
    web_sockets: int = 0
    since_last_crawl: Mapping[FreshnessStatus, int] | None = None
    """For a recrawl, how many pages are changed or new, and so on."""
    changed_failures: int = 0
    """For a recrawl, errors and redirects that had another response before."""


_NO_REMARKS: Final = SummaryNotes()


def remarks_on(reader: Reader) -> SummaryNotes:
    """Read the remarks on a project."""
    reasons = _counts(reader, "why_rendered", RenderReasonWord)
    differs = RenderReasonWord.SITE_DIFFERS in reasons
    web_sockets = 0
    if reasons:
        from gossamer.audit.rules.javascript import WEB_SOCKETS  # noqa: PLC0415 - off by default

        web_sockets = reader.issue_counts().get(WEB_SOCKETS.number, 0)
    return SummaryNotes(
        left_out(reader),
        _counts(reader, "warning", ResponseWarning),
        _counts(reader, "rendering", RenderStatus),
        reasons,
        dict(reader.rendered_sections().most_common(_SECTIONS)) if differs else {},
        web_sockets,
        since := _since_last_crawl(reader),
        0 if since is None else changed_failures(reader),
    )


def _since_last_crawl(reader: Reader) -> Mapping[FreshnessStatus, int] | None:
    if reader.summary().previous is None:
        return None
    return _counts(reader, "since_last_crawl", FreshnessStatus, View.PAGES)


def _counts(
    reader: Reader, facet: str, words: Callable[[str], _W], view: View = View.ALL
) -> Mapping[_W, int]:
    counts = reader.facet(view, Filter(), facet)
    return {words(str(each.value)): each.count for each in counts}


def report_object(
    progress: Progress,
    settings: CrawlSettings,
    project: Path | None,
    remarks: SummaryNotes = _NO_REMARKS,
) -> dict[str, object]:
    """The report with the keys that docs/command-line.md lists, in that order.

    Without a `project`, the results of the crawl are not kept.
    """
    roots = addresses(settings)
    trapped = remarks.trapped
    return {
        "state": progress.state.value,
        "roots": roots[:ROOTS],
        "root_count": len(roots),
        "seconds": round(progress.seconds, 3),
        "known": progress.known,
        "fetched": progress.fetched,
        "pages": progress.pages,
        "redirects": progress.redirects,
        "errors": progress.errors,
        "skipped": progress.skipped,
        "bytes": progress.received_bytes,
        "pages_per_second": round(pace(progress), 2),
        "insecure_hosts": list(settings.insecure_hosts),
        "warnings": {warning.value: urls for warning, urls in remarks.warnings.items()},
        "rendering": {status.value: pages for status, pages in remarks.rendering.items()},
        "rendered_because": {why.value: pages for why, pages in remarks.rendered_for.items()},
        "rendered_sections": dict(remarks.rendered_sections),
        "since_last_crawl": _recrawl_object(progress, remarks),
        "trap_limit": None
        if trapped is None
        else {
            "limit": settings.max_similar,
            "urls": trapped.urls,
            "examples": list(trapped.examples.values()),
        },
        "project": None if project is None else str(project.absolute()),
    }


def as_json(value: dict[str, object]) -> str:
    """JSON as one line of ASCII, safe for any terminal."""
    return f"{json.dumps(value)}\n"


def report_text(
    progress: Progress,
    settings: CrawlSettings,
    project: Path | None,
    remarks: SummaryNotes = _NO_REMARKS,
) -> str:
    """The report as text: statuses, errors by kind, skipped URLs, totals."""
    roots = addresses(settings)
    others = f" and {number(len(roots) - 1)} more" if len(roots) > 1 else ""
    servers = settings.insecure_hosts
    unchecked_lines = [printable(str(unchecked(servers)))] if servers else []
    sections = [
        [f"Crawl of {printable(''.join(roots[:1]))}{others}: {progress.state}", *unchecked_lines],
        *counters(progress, remarks.warnings),
        *since_last_crawl(progress, remarks),
        *trap_limit(remarks),
        *rendering(remarks),
        *([] if project is None else [[f"Project: {printable(str(project.absolute()))}"]]),
    ]
    return "".join(f"{line}\n" for section in _spaced(sections) for line in section)


def trap_limit(remarks: SummaryNotes) -> list[list[str]]:
    """The URLs skipped at the trap limit as a section, if there are any."""
    trapped = remarks.trapped
    return [] if trapped is None else [[printable(str(trapped.sentence))]]


def since_last_crawl(progress: Progress, remarks: SummaryNotes) -> list[list[str]]:
    """What a recrawl found unchanged, changed and so on, as a section; none for other crawls.

    Zeros are left out, except for unchanged and changed pages.
    """
    pages = remarks.since_last_crawl
    if pages is None:
        return []
    not_due = pages.get(FreshnessStatus.NOT_DUE, 0)
    unchanged = f"{number(pages.get(FreshnessStatus.NOT_MODIFIED, 0) + not_due)} unchanged"
    parts = [f"{unchanged} ({number(not_due)} not due)" if not_due else unchanged]
    same = pages.get(FreshnessStatus.SAME, 0)
    parts += [f"{number(same)} fetched and the same"] if same else []
    parts.append(f"{number(pages.get(FreshnessStatus.CHANGED, 0))} changed")
    former = {outcome: progress.outcomes.get(outcome, 0) for outcome in _FORMER}
    others = [(pages.get(FreshnessStatus.NEW, 0), "new")]
    others += [(former[outcome], words) for outcome, words in _FORMER.items()]
    parts += [f"{number(count)} {words}" for count, words in others if count]
    lines = [f"Pages since the last crawl: {', '.join(parts)}."]
    if failures := remarks.changed_failures:
        lines.append(
            f"Errors and redirects with a different response than before: {number(failures)}."
        )
    return [lines]


_FORMER: Final = {Outcome.GONE: "gone", Outcome.NO_LONGER_LINKED: "no longer linked"}


def _recrawl_object(progress: Progress, remarks: SummaryNotes) -> dict[str, int] | None:
    pages = remarks.since_last_crawl
    if pages is None:
        return None
    found = {each.name.lower(): pages.get(each, 0) for each in FreshnessStatus}
    former = {each.name.lower(): progress.outcomes.get(each, 0) for each in _FORMER}
    return found | former | {"changed_failures": remarks.changed_failures}


def rendering(remarks: SummaryNotes) -> list[list[str]]:
    """How many pages were rendered, and why, as a section; none if pages are not rendered."""
    ends = remarks.rendering
    if not ends:
        return []
    shown = sum(ends.get(each, 0) for each in _SHOWN_BY_BROWSER)
    line = f"Rendered {number(shown)} of {number(sum(ends.values()))} pages"
    why = [
        (_REASONS[each], pages) for each, pages in remarks.rendered_for.items() if each in _REASONS
    ]
    failed = [
        (each.value.lower(), pages)
        for each, pages in ends.items()
        if each not in {*_SHOWN_BY_BROWSER, RenderStatus.NOT_NEEDED}
    ]
    parts = [f"{number(pages)} {words}" for words, pages in (*why, *failed)]
    lines = [f"{line}: {', '.join(parts)}." if parts else f"{line}."]
    if sections := remarks.rendered_sections:
        named = [f"{address} ({number(pages)})" for address, pages in sections.items()][:_NAMED]
        more = [f"and {number(len(sections) - _NAMED)} more"] if len(sections) > _NAMED else []
        lines.append(printable(f"Folders whose sample differs: {', '.join([*named, *more])}."))
    if remarks.web_sockets:
        pages = number(remarks.web_sockets)
        lines.append(f"Pages that try to open a WebSocket, which crawlers do not open: {pages}.")
    return [lines]


_SHOWN_BY_BROWSER: Final = (RenderStatus.RENDERED, RenderStatus.TIMED_OUT)
_REASONS: Final = {
    RenderReasonWord.NEEDS_SCRIPTS: "needing scripts",
    RenderReasonWord.LITTLE_TEXT: "with little text and much script",
    RenderReasonWord.SAMPLE: "as a sample",
    RenderReasonWord.SITE_DIFFERS: "as the sample of their folder differs",
}


def counters(progress: Progress, warnings: Mapping[ResponseWarning, int]) -> list[list[str]]:
    """The counters as sections of aligned lines with headings, without empty ones."""
    outcomes = {Outcome(outcome): n for outcome, n in progress.outcomes.items()}
    sections: list[tuple[str, list[Line]]] = [
        ("HTTP status", [(_status(code), number(n)) for code, n in _sorted(progress.statuses)]),
        ("Errors", _reasons(outcomes, ERROR_OUTCOMES)),
        ("Waiting for a login", _reasons(outcomes, AWAITING_LOGIN)),
        ("Left out", _reasons(outcomes, _LEFT_OUT)),
        ("Missing since the last crawl", _reasons(outcomes, FORMER)),
        ("Warnings", [(warning.label, number(urls)) for warning, urls in warnings.items()]),
        ("Totals", _totals(progress)),
    ]
    lines = [line for _, section in sections for line in section]
    label_width = max(len(label) for label, _ in lines)
    value_width = max(len(value) for _, value in lines)
    return [
        [heading, *(f"  {label:{label_width}}  {value:>{value_width}}" for label, value in section)]
        for heading, section in sections
        if section
    ]


def addresses(settings: CrawlSettings) -> list[str]:
    """The roots as unique URLs; those that are not URLs as they are in the project."""
    found: dict[str, None] = {}
    for root in settings.roots:
        try:
            found[parse_root(root, hash_routes=settings.crawls_hash_routes)] = None
        except UsageError:
            found[root] = None
    return list(found)


def pace(progress: Progress) -> float:
    """Pages per second over the whole crawl."""
    return progress.pages / progress.seconds if progress.seconds > 0 else 0.0


def status_phrase(status: int) -> str:
    """The reason phrase of a status code; "" if it has none."""
    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return ""


def _status(status: int) -> str:
    return f"{status} {status_phrase(status)}".rstrip()


def _reasons(outcomes: dict[Outcome, int], wanted: Iterable[Outcome]) -> list[Line]:
    return [
        (outcome.sentence, number(outcomes[outcome]))
        for outcome in sorted(wanted)
        if outcomes.get(outcome)
    ]


def _totals(progress: Progress) -> list[Line]:
    return [
        ("known", number(progress.known)),
        ("done", number(progress.fetched)),
        ("to do", number(progress.queued)),
        ("pages", number(progress.pages)),
        ("redirects", number(progress.redirects)),
        ("errors", number(progress.errors)),
        ("left out", number(progress.skipped)),
        ("received", size(progress.received_bytes)),
        ("time", short_duration(progress.seconds)),
        ("pages per second", f"{pace(progress):,.1f}"),
    ]


def _sorted(statuses: dict[int, int]) -> list[tuple[int, int]]:
    return sorted(statuses.items())


def _spaced(sections: list[list[str]]) -> Iterable[list[str]]:
    yield sections[0]
    for section in sections[1:]:
        yield ["", *section]


def list_settings(settings: CrawlSettings) -> None:
    """Print a line for each setting."""
    for line in settings_lines(settings):
        remark(line)


def list_errors(reader: Reader) -> None:
    """Print a line for each URL with an error."""
    for record in reader.iterate(View.ERRORS):
        found_on = [] if record.parent is None else reader.nodes([record.parent])
        remark(error_line(record, found_on[0].url if found_on else None))


def settings_lines(settings: CrawlSettings) -> list[str]:
    """The settings with their names as in docs/settings.md, aligned."""
    values: dict[str, object] = json.loads(encode_settings(settings))
    values["needs_secrets"] = [str(names) for names in settings.needs_secrets]
    if settings.login_form is not None:
        values["login_form"] = settings.login_form.page
    values["turns"] = [str(turn) for turn in settings.turns]
    width = max(len(name) for name in values)
    return [f"  {name:{width}}  {_value_text(value)}" for name, value in values.items()]


def error_line(record: UrlRecord, found_on: str | None) -> str:
    """The error of a URL, and where it was first found."""
    status = f"{record.status} {status_phrase(record.status)}: " if record.status else ""
    detail = f" ({record.detail})" if record.detail else ""
    place = f", found on {found_on}" if found_on else ""
    return f"{record.url}{place}: {status}{sentence_of(record.outcome, record.status)}{detail}"


def _value_text(value: object) -> str:
    match value:
        case None:
            return "none"
        case bool():
            return "on" if value else "off"
        case list():
            # Only the name of a header: its value may be a password, and this goes into logs.
            parts = [str(part[0]) if isinstance(part, list) else str(part) for part in value]
            more = [f"and {len(parts) - _SHOWN:,} more"] if len(parts) > _SHOWN else []
            return printable(", ".join([*parts[:_SHOWN], *more])) or "none"
        case _:
            return printable(str(value)) or "none"
