"""Runs `gossamer crawlers` and `gossamer robots`: who may fetch which URLs."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from gossamer.audit.crawler_access import (
    AccessChange,
    CrawlerAccess,
    PageDirectives,
    access_changes,
    crawler_access,
)
from gossamer.audit.known_crawlers import EDITION
from gossamer.cli.crawl_summary import as_json
from gossamer.cli.parsed_commands import CrawlersCommand, RobotsCommand
from gossamer.cli.terminal import counted, printable, write_out
from gossamer.model.errors import UsageError
from gossamer.model.facets import ORIGIN
from gossamer.model.project_queries import Filter, View, facet_values
from gossamer.store.project import check
from gossamer.store.reading.reader import Reader
from gossamer.urls.url_parsing import origin, parse_root

_OK: Final = 200


def show_crawlers(command: CrawlersCommand) -> int:
    """Run `gossamer crawlers` and return the exit code."""
    check(command.project)
    with Reader(command.project) as reader:
        url = _url(reader, command.url)
        stored = reader.robots_txt(origin(url))
        if stored is None:
            raise UsageError(
                f"{printable(origin(url))} was not crawled: it has no robots.txt here."
            )
        status, text = stored
        found = crawler_access(url, text, _directives(reader, url), status=status)
    if command.json:
        access = [_access_object(each) for each in found]
        write_out(as_json({"url": url, "edition": EDITION, "crawlers": access}))
    else:
        write_out(_access_text(url, found))
    return 0


def try_robots(command: RobotsCommand) -> int:
    """Run `gossamer robots` and return the exit code."""
    check(command.project)
    after = _read(command.edited)
    with Reader(command.project) as reader:
        site = origin(_url(reader, command.origin))
        status, text = reader.robots_txt(site) or (None, "")
        before = text if status == _OK else ""
        changes = list(access_changes(_urls(reader, site), before, after))
    if command.json:
        objects = [each._asdict() for each in changes]
        write_out(as_json({"origin": site, "changes": objects}))
    else:
        write_out("".join(f"{_change_text(each)}\n" for each in changes))
        write_out(f"{counted(len(changes), 'URL')} of {printable(site)} would change.\n")
    return 0


def _url(reader: Reader, asked: str | None) -> str:
    """The URL that is asked about; by default the first root."""
    roots = reader.summary().settings.roots
    if asked is None and not roots:
        raise UsageError("The project has no roots; name a URL.")
    return parse_root(roots[0] if asked is None else asked)


def _directives(reader: Reader, url: str) -> PageDirectives:
    """What the page says, as far as it was read."""
    url_id = reader.lookup(url)
    if url_id is None:
        return PageDirectives()
    (record,) = reader.records([url_id])
    headers = [value for name, value in reader.headers(url_id) if name.lower() == "x-robots-tag"]
    meta = [("robots", record.robots)] if record.robots else []
    return PageDirectives(meta, headers)


def _urls(reader: Reader, site: str) -> Iterator[str]:
    of_origin = Filter(facets=facet_values(**{ORIGIN: [site]}))
    return (record.url for record in reader.iterate(View.ALL, of_origin))


def _read(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8", errors="replace")
    except OSError as e:
        raise UsageError(f"{file} cannot be read; name a robots.txt with --try.") from e


def _access_object(each: CrawlerAccess) -> dict[str, object]:
    return {
        "name": each.crawler.name,
        "operator": each.crawler.operator,
        "purpose": str(each.crawler.purpose),
        "may_fetch": each.may_fetch,
        "may_use": each.may_use,
        "group": each.group,
        "line": None if each.line is None else {"number": each.line[0], "text": each.line[1]},
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
        f"{what} {', '.join(names)}"
        for what, names in (("disallowed:", change.disallowed), ("allowed:", change.allowed))
        if names
    ]
    return printable(f"{change.url}  {'; '.join(said)}")
