"""Sends notifications about a crawl of the command line that has ended, or waits for long."""

import asyncio
from pathlib import Path

from gossamer.cli.foreground_crawl import RunResult
from gossamer.cli.long_wait import LongWait
from gossamer.cli.terminal import complain
from gossamer.model.translatable import Translatable


def long_wait_of(project: Path) -> LongWait:
    """Sends what the notification rules require when the crawl has waited for long."""

    async def report(reason: Translatable) -> None:
        await asyncio.to_thread(tell_of_crawl, project, RunResult(notice=reason))

    return LongWait(report)


def tell_of_crawl(project: Path, ending: RunResult) -> None:
    """Send what the notification rules require; each failure is a sentence.

    An interrupted crawl is not news to the person who interrupted it.
    """
    from gossamer.notifying.rule_paths import may_tell  # noqa: PLC0415 - help needs none of it

    if not may_tell(project):
        return
    from gossamer.notifying.conditions import EndKind  # noqa: PLC0415 - most crawls have no rules
    from gossamer.notifying.crawl_notification import CrawlEnd, notify_about  # noqa: PLC0415 - likewise

    if ending.trouble is not None:
        end = CrawlEnd(project, EndKind.FAILED, ending.trouble.sentence)
    elif ending.notice is not None and not ending.forced:
        end = CrawlEnd(project, EndKind.PAUSED, ending.notice)
    elif ending.interrupted or ending.forced:
        return
    else:
        end = CrawlEnd(project, EndKind.FINISHED)
    for sentence in notify_about(end).sentences():
        complain(str(sentence))
