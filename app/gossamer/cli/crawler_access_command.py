"""Runs `gossamer crawlers` and `gossamer robots`: who may fetch which URLs."""

from collections.abc import Iterator, Sequence
from typing import Final

from gossamer.audit.crawler_access import AccessChange, CrawlerAccess, access_changes
from gossamer.audit.soft_404_hosts import host_sentences
from gossamer.audit.url_access import HostLlmsTxt, host_llms_txt, url_access
from gossamer.cli.crawl_summary import as_json
from gossamer.cli.parsed_commands import CrawlersCommand, RobotsCommand
from gossamer.cli.terminal import counted, printable, write_out
from gossamer.cli.text_input import file_text
from gossamer.export.export_columns import moment
from gossamer.model.errors import UsageError
from gossamer.model.facets import ORIGIN
from gossamer.model.known_crawlers import EDITION, KNOWN_CRAWLERS
from gossamer.model.project_queries import Filter, View, facet_values
from gossamer.model.server_certificate import ServerCertificate
from gossamer.robots.robots_trial import RobotsChange, RobotsTrial
from gossamer.store.project import check
from gossamer.store.reading.reader import Reader
from gossamer.urls.url_parsing import origin, parse_root

_NOT_REQUESTED: Final = (404, "")
"""A robots.txt that was not requested is tried as if there were none."""
_MAX_ROBOTS_BYTES: Final = 10 * 1024 * 1024
"""Far more than any crawler reads of a robots.txt."""


def show_crawlers(command: CrawlersCommand) -> int:
    """Run `gossamer crawlers` and return the exit code."""
    check(command.project)
    with Reader(command.project) as reader:
        url = _url(reader, command.url)
        found = url_access(reader, url)
        if found is None:
            raise UsageError(
                f"{printable(origin(url))} was not crawled: it has no robots.txt here."
            )
        llms = host_llms_txt(reader, origin(url))
        checks = [row for row in reader.site_checks() if row.origin == origin(url)]
        sentences = list(map(str, host_sentences(checks)))
        shown = [each for each in reader.certificates() if each.origin == origin(url)]
    if command.json:
        access = [_access_object(each) for each in found]
        about = {"llms_txt": _llms_object(llms), "made_up_urls": sentences}
        about["certificate"] = next(map(_certificate_object, shown), None)
        write_out(as_json({"url": url, "edition": EDITION, "crawlers": access, **about}))
    else:
        write_out(_access_text(url, found))
        about_host = [_llms_text(llms), *sentences, *map(_certificate_text, shown)]
        write_out("\n" + "".join(f"{printable(line)}\n" for line in about_host))
    return 0


def _certificate_text(shown: ServerCertificate) -> str:
    flaw = "" if shown.detail is None else f"; not accepted: {shown.detail}"
    return f"Its certificate ends on {moment(shown.not_after)[:10]} ({shown.issuer}){flaw}."


def _certificate_object(shown: ServerCertificate) -> dict[str, object]:
    return {
        "valid_from": moment(shown.not_before),
        "valid_until": moment(shown.not_after),
        "subject": shown.subject,
        "issuer": shown.issuer,
        "host_names": list(shown.host_names),
        "accepted": shown.detail is None,
    }


def try_robots(command: RobotsCommand) -> int:
    """Run `gossamer robots` and return the exit code."""
    check(command.project)
    after = file_text(command.edited, _MAX_ROBOTS_BYTES)
    with Reader(command.project) as reader:
        site = origin(_url(reader, command.origin))
        status, text = reader.robots_txt(site) or _NOT_REQUESTED
        urls = _urls(reader, site)
        if command.crawler:
            trial = RobotsTrial(status, text, after, command.crawler)
            return _show_trial(command, site, list(trial.changes(urls)))
        changes = list(access_changes(urls, text, after, status=status))
    if command.json:
        objects = [each._asdict() for each in changes]
        write_out(as_json({"origin": site, "changes": objects}))
    else:
        write_out("".join(f"{_change_text(each)}\n" for each in changes))
        write_out(f"{counted(len(changes), 'URL')} of {printable(site)} would change.\n")
    return 0


def _show_trial(command: RobotsCommand, site: str, changes: Sequence[RobotsChange]) -> int:
    """Show which URLs one crawler may fetch by one file but not by the other."""
    if command.json:
        objects = [
            {
                "url": each.url,
                "allowed": each.after.allowed,
                "line_before": _line_object(each.before.line),
                "line_after": _line_object(each.after.line),
            }
            for each in changes
        ]
        about = {"origin": site, "crawler": command.crawler}
        write_out(as_json({**about, "changes": objects}))
        return 0
    for each in changes:
        what = "allowed" if each.after.allowed else "disallowed"
        line = each.after.line or each.before.line
        because = "" if line is None else f"  line {line[0]}: {line[1]}"
        write_out(f"{printable(f'{each.url}  {what}{because}')}\n")
    write_out(f"{counted(len(changes), 'URL')} of {printable(site)} would change.\n")
    return 0


def _line_object(line: tuple[int, str] | None) -> dict[str, object] | None:
    return None if line is None else {"number": line[0], "text": line[1]}


def _url(reader: Reader, asked: str | None) -> str:
    """The URL that is asked about; by default the first root."""
    roots = reader.summary().settings.roots
    if asked is None and not roots:
        raise UsageError("The project has no roots; name a URL.")
    return parse_root(roots[0] if asked is None else asked)


def _llms_object(found: HostLlmsTxt | None) -> dict[str, object] | None:
    if found is None:
        return None
    text, check = found.text, found.check
    if text is None:
        return {"status": check.status, "outcome": check.outcome and check.outcome.name.lower()}
    return {
        "status": check.status,
        "outcome": check.outcome and check.outcome.name.lower(),
        "size_bytes": check.size_bytes,
        "title": text.title,
        "summary": text.summary,
        "sections": list(text.sections),
        "remarks": list(map(str, text.faults)),
        "links": [
            {
                "section": each.link.section,
                "text": each.link.text,
                "url": each.link.url,
                "status": None if each.record is None else each.record.status,
                "broken": each.is_broken,
                "not_indexable": each.is_not_indexable,
            }
            for each in found.links
        ],
    }


def _llms_text(found: HostLlmsTxt | None) -> str:
    if found is None:
        return "llms.txt: not requested"
    if found.text is None:
        failure = found.check.status or (found.check.outcome and found.check.outcome.sentence)
        return f"llms.txt: none ({failure})"
    parts = [
        f"{found.check.status}",
        counted(len(found.links), "link"),
        f"{found.broken} broken",
        f"{found.not_indexable} not indexable",
    ]
    remarks = " ".join(map(str, found.text.faults)) or "It follows the proposal."
    return f"llms.txt: {', '.join(parts)}. {remarks}"


def _urls(reader: Reader, site: str) -> Iterator[str]:
    of_origin = Filter(facets=facet_values(**{ORIGIN: [site]}))
    return (record.url for record in reader.iterate(View.ALL, of_origin))


def _access_object(each: CrawlerAccess) -> dict[str, object]:
    return {
        "name": each.crawler.name,
        "operator": each.crawler.operator,
        "purpose": str(each.crawler.purpose),
        "may_fetch": each.may_fetch,
        "may_use": each.may_use,
        "group": each.group,
        "line": _line_object(each.line),
        "directive": each.directive,
    }


def _access_text(url: str, found: Sequence[CrawlerAccess]) -> str:
    rows = [("Crawler", "Operator", "Purpose", "Fetch", "Use", "Because of")]
    rows += [
        (
            each.crawler.name,
            each.crawler.operator,
            str(each.crawler.purpose),
            "yes" if each.may_fetch else "no",
            "yes" if each.may_use else "no",
            _reason(each),
        )
        for each in found
    ]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = [
        "  ".join(f"{text:{width}}" for text, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    ]
    return "".join(f"{printable(line)}\n" for line in (url, "", *lines))


def _reason(each: CrawlerAccess) -> str:
    if each.directive:
        return each.directive
    return "" if each.line is None else f"line {each.line[0]}: {each.line[1]}"


def _change_text(change: AccessChange) -> str:
    said = [
        f"{what} {'all crawlers' if len(names) == len(KNOWN_CRAWLERS) else ', '.join(names)}"
        for what, names in (("disallowed:", change.disallowed), ("allowed:", change.allowed))
        if names
    ]
    return printable(f"{change.url}  {'; '.join(said)}")
