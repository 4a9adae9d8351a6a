"""Runs `gossamer import`: makes a project from archives, as a crawl without a network."""

from datetime import UTC, datetime, timedelta
from typing import Final

from msgspec.structs import replace

from gossamer.cli.crawl_command import check_new, conclude, crawled, gated, wanted
from gossamer.cli.crawl_end_notification import telling_of_crawl
from gossamer.cli.fail_on import bounds_of
from gossamer.cli.parsed_commands import CrawlCommand, ImportCommand
from gossamer.cli.suggested_commands import resume_command
from gossamer.cli.terminal import complain, remark
from gossamer.model.archive_source import LAST_CAPTURE, ArchiveSource
from gossamer.model.errors import UsageError
from gossamer.model.number_format import number
from gossamer.session.archive_import import (
    archive_source,
    create_import,
    index_archives,
    source_of_project,
)
from gossamer.session.crawl_host_pool import CrawlHostPool
from gossamer.session.default_paths import SUFFIX
from gossamer.session.session_factory import SessionFactory

_FIRST: Final = 0.0
_DAY_LETTERS: Final = len("2024-05-31")


def import_archives(command: ImportCommand, hosts: CrawlHostPool | None) -> int:
    """Run `gossamer import` and return the exit code.

    `hosts` may hold a crawl host that is ready.
    """
    crawl, source = _what_is_wanted(command)
    bounds = bounds_of(crawl.fail_on, crawl.settings)
    exports = wanted(crawl.exports, crawl.output, crawl.settings)
    if crawl.output is not None:
        check_new(crawl.output)
    options = crawl.output_options
    if not options.quiet:
        remark(f"Reading {', '.join(map(str, command.archives))}")
    report = index_archives(source)
    if report is not None and report.damaged:
        complain(
            f"Damaged parts of the archive, which were skipped: {number(report.damaged)}; "
            f"records that could be read: {number(report.records)}."
        )
    session = create_import(
        crawl.settings,
        source,
        crawl.output,
        SessionFactory(hosts),
        begins_series=crawl.begins_series,
    )
    ending = crawled(session, options, crawl.credentials, chosen=crawl.chosen)
    with telling_of_crawl(session.path, ending):
        code = conclude(session.path, ending, exports, options, resume_command(session.path))
    return gated(code, session.path, bounds, quiet=options.quiet)


def _what_is_wanted(command: ImportCommand) -> tuple[CrawlCommand, ArchiveSource]:
    """How to crawl, and from what: a project's own archive is crawled with its own settings."""
    crawl, first = command.crawl, command.archives[0]
    if first.suffix.lower() != SUFFIX:
        moment = moment_of(command.captures)
        return crawl, archive_source(command.archives, moment, unlinked=not command.linked_only)
    if len(command.archives) > 1:
        raise UsageError("Name one project alone, or archives alone.")
    source, settings = source_of_project(first)
    typed = {name: getattr(crawl.settings, name) for name in crawl.chosen}
    # Its series has this crawl already.
    return replace(crawl, settings=replace(settings, **typed), begins_series=True), source


def moment_of(captures: str) -> float:
    """The time until which captures count, in Unix time, as typed; UsageError if it is no date.

    A day counts to its end, in UTC, like the times of archives.
    """
    if captures == "last":
        return LAST_CAPTURE
    if captures == "first":
        return _FIRST
    try:
        moment = datetime.fromisoformat(captures)
    except ValueError:
        raise UsageError(
            "--captures takes last, first, or a date such as 2024-05-31, not {captures!r}.",
            captures=captures,
        ) from None
    moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    if len(captures) <= _DAY_LETTERS:
        moment += timedelta(days=1, microseconds=-1)
    return moment.timestamp()
