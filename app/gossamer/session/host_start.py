"""A crawl host brought up for a session."""

from collections.abc import Callable
from pathlib import Path

from gossamer.ipc.child_process import Child, adopt
from gossamer.model.messages import Report
from gossamer.session.host_pool import HostPool


async def started_host(
    hosts: HostPool,
    page_workers: int,
    log: Path,
    on_reports: Callable[[list[Report]], None],
    on_gone: Callable[[], None],
) -> Child[Report]:
    """One of `hosts` that is up, and whose last words will go to `log`.

    `on_gone` is called once, when it has ended. CrawlHostError if none comes up.
    """
    new = hosts.take(page_workers)

    def gone() -> None:
        new.keep_words(log)
        on_gone()

    try:
        return await adopt(
            new.launched, message_type=Report, on_messages=on_reports, on_closed=gone
        )
    except BaseException:
        new.keep_words(log)
        raise
