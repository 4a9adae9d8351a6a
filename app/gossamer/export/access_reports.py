"""The reports on crawlers' access, llms.txt, responses to made-up URLs, and certificates."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from gossamer.audit.crawler_access import CrawlerAccess
from gossamer.audit.soft_404_hosts import host_sentence
from gossamer.audit.url_access import HostLlmsTxt, host_llms_txt, url_access
from gossamer.export.csv_format import write_csv
from gossamer.export.export_columns import boolean_cell, moment
from gossamer.export.export_selection import Check, ExportSelection, ExportView
from gossamer.export.output_files import OutputFiles, output_errors
from gossamer.export.row_counter import RowCounter
from gossamer.export.sheet import FormatOptions, Row, Sheet
from gossamer.model.site_checks import MADE_UP_URLS, SiteCheck
from gossamer.robots.robots_trial import RobotsChange, RobotsVerdict
from gossamer.store.reading.reader import Reader
from gossamer.urls.url_parsing import origin, parse_root

_ACCESS: Final = (
    *("Address", "Crawler", "Operator", "Purpose", "Robots.txt", "Robots.txt Line"),
    *("Meta Robots", "X-Robots-Tag", "Result"),
)
_LLMS: Final = (
    *("Origin", "Status Code", "Size (Bytes)", "Title", "Summary", "Follows Proposal", "Remarks"),
    *("Section", "Link Text", "Address", "Link Status Code", "Indexability Status", "Broken"),
)
_CHANGES: Final = ("Address", "Before", "After", "Line Before", "Line After")
_CERTIFICATES: Final = (
    *("Origin", "Valid From", "Valid Until", "Subject", "Issuer", "Host Names"),
    *("SHA-256 Fingerprint", "Accepted", "Detail", "Seen At"),
)
_MADE_UP: Final = ("Origin", "Made-Up URL", "Status Code", "Final URL", "Title", "Finding")


def _crawler_access(reader: Reader, _selection: ExportSelection, check: Check) -> Sheet:
    """Each root and each home page whose robots.txt was requested, by crawler."""
    roots = [parse_root(root) for root in reader.summary().settings.roots]
    sites = {origin(root) for root in roots}
    urls = [*roots, *(f"{each}/" for each in reader.robots_origins() if each not in sites)]

    def rows() -> Iterator[Row]:
        for url in dict.fromkeys(urls):
            check()
            for each in url_access(reader, url) or ():
                yield (url, *access_cells(each))

    return Sheet(_ACCESS, rows(), len(urls))


def access_cells(each: CrawlerAccess) -> tuple[str, ...]:
    """The cells about a crawler, in English."""
    line = "" if each.line is None else f"{each.line[0]}: {each.line[1]}"
    in_header = each.directive.startswith("X-Robots-Tag")
    return (
        *(each.crawler.name, each.crawler.operator, str(each.crawler.purpose)),
        *("Allowed" if each.may_fetch else "Disallowed", line),
        *("" if in_header else each.directive, each.directive if in_header else ""),
        "Allowed" if each.may_use else "Disallowed",
    )


def write_robots_changes(changes: Sequence[RobotsChange], path: Path, counter: RowCounter) -> None:
    """Write as CSV what an edited robots.txt changes; OutputError if that is impossible.

    `counter` counts its rows. ExportCancelled leaves the file as it was.
    """
    rows = counter.watch(map(_change_row, changes), len(changes))
    sheet = Sheet(_CHANGES, rows, len(changes), is_exact=True)
    with output_errors(path), OutputFiles(path) as output:
        write_csv(output, sheet, FormatOptions(byte_order_mark=True))
        output.put_in_place()


def _change_row(change: RobotsChange) -> Row:
    before, after = change.before, change.after
    return (change.url, _verdict(before), _verdict(after), _line(before), _line(after))


def _verdict(verdict: RobotsVerdict) -> str:
    return "Allowed" if verdict.allowed else "Disallowed"


def _line(verdict: RobotsVerdict) -> str:
    return f"{verdict.line[0]}: {verdict.line[1]}" if verdict.line else ""


def _llms_txt(reader: Reader, _selection: ExportSelection, check: Check) -> Sheet:
    checks = [row for row in reader.site_checks() if row.kind is SiteCheck.LLMS_TXT]

    def rows() -> Iterator[Row]:
        for row in checks:
            check()
            found = host_llms_txt(reader, row.origin)
            if found is not None:
                yield from _llms_rows(found)

    return Sheet(_LLMS, rows(), len(checks))


def _llms_rows(found: HostLlmsTxt) -> Iterator[Row]:
    head: Row = (found.check.origin, found.check.status)
    text = found.text
    if text is None:
        yield (*head, *[None] * (len(_LLMS) - len(head)))
        return
    remarks = " ".join(map(str, text.faults))
    about: Row = (
        *(*head, found.check.size_bytes, text.title, text.summary),
        *(boolean_cell(not text.faults), remarks),
    )
    if not found.links:
        yield (*about, *[None] * (len(_LLMS) - len(about)))
    for each in found.links:
        record = each.record
        known = (None, None) if record is None else (record.status, record.indexability_status)
        yield (
            *(*about, each.link.section, each.link.text, each.link.url),
            *(*known, boolean_cell(each.is_broken)),
        )


def _made_up_urls(reader: Reader, _selection: ExportSelection, _check: Check) -> Sheet:
    rows: list[Row] = [
        (row.origin, row.url, row.status, row.final_url, row.title, str(host_sentence(row) or ""))
        for row in reader.site_checks()
        if row.kind in MADE_UP_URLS and row.outcome is not None
    ]
    return Sheet(_MADE_UP, iter(rows), len(rows), is_exact=True)


def _certificates(reader: Reader, _selection: ExportSelection, _check: Check) -> Sheet:
    rows: list[Row] = [
        (
            *(each.origin, moment(each.not_before), moment(each.not_after)),
            *(each.subject, each.issuer, ", ".join(each.host_names), each.fingerprint),
            *(boolean_cell(each.detail is None), str(each.detail or ""), moment(each.seen_at)),
        )
        for each in reader.certificates()
    ]
    return Sheet(_CERTIFICATES, iter(rows), len(rows), is_exact=True)


CRAWLER_ACCESS: Final = ExportView("crawler_access", "Crawler access", _crawler_access)
LLMS_TXT: Final = ExportView("llms_txt", "llms.txt", _llms_txt)
MADE_UP: Final = ExportView("made_up_urls", "Made-up URLs", _made_up_urls)
CERTIFICATES: Final = ExportView("certificates", "Certificates", _certificates)
