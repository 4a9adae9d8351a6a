"""Sends notifications about a crawl of the command line that has ended, or waits for long."""

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from gossamer.cli.foreground_crawl import RunResult
from gossamer.cli.long_wait import LongWait
from gossamer.cli.terminal import complain
from gossamer.model.translatable import Translatable

if TYPE_CHECKING:
    from gossamer.notifying.conditions import EndKind
    from gossamer.notifying.crawl_notification import Told


def long_wait_of(project: Path) -> LongWait:
    """Sends what the notification rules require when the crawl has waited for long."""

    async def report(reason: Translatable) -> None:
        await asyncio.to_thread(tell_of_crawl, project, RunResult(notice=reason))

    return LongWait(report)


@contextmanager
def telling_of_crawl(
    project: Path, ending: RunResult, failure: Translatable | None = None
) -> Iterator[None]:
    """Afterwards, notify as `tell_of_crawl` does, also if an export has failed inside."""
    try:
        yield
    finally:
        tell_of_crawl(project, ending, failure)


def tell_of_crawl(project: Path, ending: RunResult, failure: Translatable | None = None) -> None:
    """Send what the notification rules require; each failure is a sentence.

    An interrupted crawl is not news to the user who interrupted it. `failure` is why a crawl that
    has finished counts as failed, where its project alone does not say so.
    """
    from gossamer.notifying.rule_paths import may_tell  # noqa: PLC0415 - help needs none of it

    if not may_tell(project):
        return
    from gossamer.notifying.conditions import EndKind  # noqa: PLC0415 - most crawls have no rules
    from gossamer.notifying.crawl_notification import CrawlEnd, notify_about  # noqa: PLC0415 - likewise

    kind, why = _kind_of(ending) if failure is None else (EndKind.FAILED, failure)
    if kind is not None:
        _complain_of(notify_about(CrawlEnd(project, kind, why)))


def long_wait_of_shards(shards: Sequence[Path]) -> LongWait:
    """As `long_wait_of`, of a crawl in shards."""

    async def report(reason: Translatable) -> None:
        await asyncio.to_thread(tell_of_broken_off_shards, shards, RunResult(notice=reason))

    return LongWait(report)


def tell_of_broken_off_shards(shards: Sequence[Path], ending: RunResult) -> None:
    """As `tell_of_crawl`, of a crawl in shards that has no project yet."""
    from gossamer.notifying.rule_paths import may_tell  # noqa: PLC0415 - help needs none of it

    if not may_tell(shards[0]):
        return
    from gossamer.notifying.crawl_notification import tell_of_shards  # noqa: PLC0415 - likewise

    kind, why = _kind_of(ending)
    if kind is not None and why is not None:
        _complain_of(asyncio.run(tell_of_shards(shards, kind, why)))


def _kind_of(ending: RunResult) -> "tuple[EndKind | None, Translatable | None]":
    """How a crawl ended, and why; None if that is no news."""
    from gossamer.notifying.conditions import EndKind  # noqa: PLC0415 - most crawls have no rules

    if ending.trouble is not None:
        return EndKind.FAILED, ending.trouble.sentence
    if ending.notice is not None and not ending.forced:
        return EndKind.PAUSED, ending.notice
    if ending.interrupted or ending.forced:
        return None, None
    return EndKind.FINISHED, None


def _complain_of(told: "Told") -> None:
    for sentence in told.sentences():
        complain(str(sentence))
