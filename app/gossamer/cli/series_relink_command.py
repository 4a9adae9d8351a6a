"""Runs `gossamer series relink` and `forget`: where the projects of a series are now."""

from collections.abc import Sequence
from contextlib import suppress

from gossamer.cli.parsed_series_commands import ForgetSeriesCommand, RelinkSeriesCommand
from gossamer.cli.series_command import moment, opened_series
from gossamer.cli.terminal import complain, counted, remark
from gossamer.model.errors import KnownError, UsageError
from gossamer.model.series_contents import CrawlSnapshot
from gossamer.session.project_locations import (
    ProjectLocation,
    forget_crawls,
    location_of,
    missing,
    relink,
)
from gossamer.session.series import Series


def relink_series(command: RelinkSeriesCommand) -> int:
    """Run `gossamer series relink` and return the exit code."""
    for path in command.places:
        if not path.exists():
            raise UsageError("There is no file or folder {path}.", path=path)
    series = opened_series(command.of)
    found = relink(series, command.places)
    left = len(missing(series.crawls()))
    rest = f"; {counted(left, 'file')} still missing." if left else "."
    remark(f"Found {counted(found, 'project')} of this series{rest}")
    return 0


def forget_series(command: ForgetSeriesCommand) -> int:
    """Run `gossamer series forget` and return the exit code."""
    series = opened_series(command.of)
    if command.all:
        _remove_rules(series)
        series.remove()
        remark(f"Forgot the series {series.id[:8]}.")
        return 0
    crawls = series.crawls()
    chosen = _lost(crawls) if command.missing else _made_at(crawls, command.crawls)
    number = forget_crawls(series, [each.created_at for each in chosen])
    left = len(missing(series.crawls())) if command.missing else 0
    rest = f"; kept {counted(left, 'crawl')} whose disk may come back." if left else "."
    remark(f"Forgot {counted(number, 'crawl')}{rest}")
    return 0


def _remove_rules(series: Series) -> None:
    """Remove its notification rules with their secrets and messages, and report what stays.

    Unreadable rules are removed with the file.
    """
    from gossamer.notifying.rule_commands import remove_rule  # noqa: PLC0415 - likewise
    from gossamer.notifying.rule_store import RuleStore  # noqa: PLC0415 - few series have rules

    store = RuleStore(series)
    with suppress(KnownError):
        for stored in store.stored_rules():
            _, left = remove_rule(store, stored.rule.name)
            if left is not None:
                complain(str(left))


def _lost(crawls: Sequence[CrawlSnapshot]) -> list[CrawlSnapshot]:
    """The crawls whose files are gone; an unreachable file may come back with its disk."""
    return [each for each in crawls if location_of(each) is ProjectLocation.MISSING]


def _made_at(crawls: Sequence[CrawlSnapshot], times: Sequence[str]) -> list[CrawlSnapshot]:
    """The crawls that were made at these times, one for each; UsageError for none or several."""
    found = []
    for text in times:
        start = text.strip()
        some = [each for each in crawls if start and moment(each.created_at).startswith(start)]
        if len(some) != 1:
            raise UsageError(
                "There are {number} crawls of {text!r}; see 'gossamer series show'.",
                number=len(some),
                text=text,
            )
        found += some
    return found
