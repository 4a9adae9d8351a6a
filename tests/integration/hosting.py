"""A crawl host in the test's own process: on a web in memory, a real project file, no clock.

With threads, the writer has its own and the clock is the real one.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, cast

from gossamer.crawl_host.crawl_host import CrawlHost
from gossamer.crawl_host.writer_thread import StoreThread
from gossamer.engine.job_prefetch import NoJobPrefetch
from gossamer.model.messages.crawl_messages import (
    HostCommand,
    NodeState,
    Progress,
    Report,
    Start,
    Trouble,
)
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.store import project
from tests.fakes.inline_store import InlineStore
from tests.fakes.virtual_loop import run_virtual
from tests.fakes.web import ROOT, FakeWeb, fake_rules

if TYPE_CHECKING:
    from gossamer.ipc.channel import Channel

Person = Callable[[CrawlHost, Progress], None]
"""Hears each progress, and may send commands to the host."""


@dataclass
class Told:
    """The shell's end of the channel: what the host has said."""

    person: Person = lambda _host, _progress: None
    host: CrawlHost | None = None
    progress: list[Progress] = field(default_factory=list)
    trouble: list[Trouble] = field(default_factory=list)
    congested: bool = False

    def send(self, report: Report) -> None:
        if isinstance(report, Trouble):
            self.trouble.append(report)
        elif isinstance(report, Progress):
            self.progress.append(report)
            if self.host is not None:
                self.person(self.host, report)

    @property
    def notices(self) -> list[str]:
        """Each different sentence, in order."""
        return list(dict.fromkeys(str(p.notice) for p in self.progress if p.notice))


class _FakePool(NoJobPrefetch):
    """The pool of page workers, replaced by the web in memory."""

    def __init__(self, web: FakeWeb) -> None:
        self.fetch, self.fetch_text, self.drop = web.fetch, web.fetch_text, web.drop
        self.change_settings = web.change_settings
        self.certificates = web.certificates

    def start(self, *_: object) -> None:
        """Nothing to start."""

    trouble = None
    starting = None
    nodes: ClassVar[list[NodeState]] = []
    silent_after_ms = None

    async def close(self) -> None:
        """Nothing to end."""


class Hosting:
    """Crawls with the fakes in place of processes and, unless there shall be, threads.

    `options` are those of `CrawlHost`.
    """

    def __init__(self, web: FakeWeb, *, threads: bool = False, **options: Any) -> None:
        self.web = web
        self._threads = threads
        self._options = options

    def create(self, path: Path, **changes: object) -> Path:
        settings: dict[str, Any] = {"roots": (f"{ROOT}/",), "obey_robots": False, **changes}
        project.create(path, CrawlSettings(**settings))
        return path

    def run(
        self,
        path: Path,
        person: Person | None = None,
        silence_s: float | None = None,
        clock_ahead_s: float = 0.0,
    ) -> Told:
        """Crawl until the host ends; the project may be new or begun."""

        async def main() -> Told:
            store = StoreThread() if self._threads else InlineStore()
            pool = _FakePool(self.web)
            host = CrawlHost(pool, store, rules_for=fake_rules, **self._options)
            told = Told() if person is None else Told(person, host)
            host.receive([Start(str(path), silence_s=silence_s, clock_ahead_s=clock_ahead_s)])
            await host.serve(cast("Channel[HostCommand]", told))
            left = asyncio.all_tasks() - {asyncio.current_task()}
            assert not left, f"tasks left over: {left}"
            return told

        return asyncio.run(main()) if self._threads else run_virtual(main())
