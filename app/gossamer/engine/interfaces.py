"""Protocols that the engine depends on: fetcher, store, robots rules, scope."""

from collections.abc import Callable, Collection, Sequence
from typing import Protocol

from gossamer.model.crawl_path import CrawlPath
from gossamer.model.freshness import NO_CONDITIONS, Conditions
from gossamer.model.messages.crawl_messages import UrlSelection
from gossamer.model.messages.worker_messages import FetchKind
from gossamer.model.outcome import Outcome
from gossamer.model.outcome_details import DetailedError
from gossamer.model.previous_crawl import PreviousPage, PreviousResponse, PreviousText
from gossamer.model.server_certificate import ServerCertificate
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.store_batch import ProjectSummary, StoreBatch, UrlRow
from gossamer.model.visit import FetchMode, Visit


class WorkerDiedError(DetailedError):
    """The page worker that ran the job died; nothing is known about the URL."""


class NodeLostError(WorkerDiedError):
    """The node with the page worker that ran the job cannot be reached any more."""


class NodeGivenUpError(WorkerDiedError):
    """The node with the page worker that ran the job is not used, for a reason of its own."""


class TextFetcher(Protocol):
    """Fetches text files such as robots.txt."""

    async def fetch_text(self, url: str) -> tuple[Visit, str]:
        """Request `url` once and return the body as text, cut at 500 KiB (robots.txt)."""
        ...


class Fetcher(TextFetcher, Protocol):
    """Fetches URLs for the engine, one hop at a time."""

    async def fetch(
        self,
        url: str,
        kind: FetchKind = FetchKind.PAGE,
        mode: FetchMode = FetchMode.USUAL,
        conditions: Conditions = NO_CONDITIONS,
        path: CrawlPath | None = None,
    ) -> Visit:
        """Request `url` once; `kind` is not TEXT. WorkerDiedError if its worker ended.

        `path` is how it was reached, for the archive.

        With `conditions`, the visit may be `not_modified` and say nothing else of the URL. When
        cancelled, the request's connection is closed soon after.
        """
        ...

    async def fetch_text(
        self, url: str, conditions: Conditions = NO_CONDITIONS
    ) -> tuple[Visit, str]:
        """As TextFetcher; with `conditions`, the visit may be `not_modified`, without a text."""
        ...

    @property
    def certificates(self) -> Sequence[ServerCertificate]:
        """The certificates that https servers have shown so far; new ones are appended."""
        ...

    def change_settings(self, settings: CrawlSettings) -> None:
        """Fetch and audit with these from now on, as far as they may change during a crawl."""
        ...

    async def drop(self) -> None:
        """Close all connections, idle ones too; on return none is open."""
        ...


class Store(Protocol):
    """The project file as the engine uses it. Raises ProjectError if it becomes unusable."""

    async def summary(self) -> ProjectSummary:
        """The project as a whole."""
        ...

    async def commit(self, batch: StoreBatch) -> list[UrlRow]:
        """Write `batch` in one transaction; return the known URLs whose rank improved.

        They come with their new rank and their present outcome; improvements have been carried
        on through the links and redirects already stored.
        """
        ...

    async def lookup(self, urls: Sequence[str]) -> dict[str, UrlRow]:
        """Those of `urls` that are known, by URL."""
        ...

    async def left_out(self, before: int, limit: int) -> list[UrlRow]:
        """Up to `limit` URLs that trap budgets left out, ids below `before`, the last first."""

    async def budgets(self, limit: int) -> dict[str, int]:
        """The up to `limit` most used trap budgets: what is spent of each, by key."""
        ...

    async def selected(self, selection: UrlSelection, after: int, limit: int) -> list[UrlRow]:
        """Up to `limit` URLs of `selection` with an id above `after`, by id."""
        ...

    async def by_id(self, ids: Sequence[int]) -> list[UrlRow]:
        """The URLs with these ids, as far as they exist, by id."""
        ...

    async def queued(self, host: str, after: int, limit: int) -> list[UrlRow]:
        """Up to `limit` queued URLs of `host` (see `host_of`) with an id above `after`, by id."""
        ...

    async def queued_hosts(self, after: str, limit: int) -> list[UrlRow]:
        """The first queued URL of each of up to `limit` hosts that come after `after`, by host."""
        ...

    async def listed_dates(self, after: int, limit: int) -> list[tuple[int, str, str]]:
        """Up to `limit` queued URLs that sitemaps date, with an id above `after`, by id.

        Id, URL, and what the sitemaps say, with spaces between.
        """
        ...

    async def refused(self, outcomes: Collection[Outcome], after: int, limit: int) -> list[UrlRow]:
        """Up to `limit` URLs with one of these outcomes, not merely recorded, id above `after`.

        Whatever `outcomes` are, sitemaps that were read otherwise are included: see READ_OTHERWISE.
        """
        ...


class PageList(Protocol):
    """Pages known from elsewhere than this crawl."""

    async def pages(self, after: int, limit: int) -> list[PreviousPage]:
        """Up to `limit` of them with an id above `after`, by id."""
        ...


class PreviousCrawl(PageList, Protocol):
    """The previous crawl of a recrawl. If it cannot be read any more, it knows nothing."""

    async def response(self, url: str) -> PreviousResponse | None:
        """The response that the previous crawl got for `url`."""
        ...

    @property
    def reads_alike(self) -> bool:
        """Whether it read pages as they would be read now."""
        ...

    async def visit(
        self, url: str, known: PreviousResponse, settings: CrawlSettings
    ) -> Visit | None:
        """The whole of a complete response, with the page rules that `settings` apply to it.

        The archive of this crawl, if there is one, then has its record. None if it was not read as
        it would be now, or if the record cannot be read any more.
        """
        ...

    async def text(self, url: str) -> PreviousText | None:
        """The robots.txt or llms.txt at `url`, if it is complete and has a validator."""
        ...

    async def confirmed_text(self, url: str, known: PreviousText) -> Visit | None:
        """The visit of an unchanged text; the archive then has its record.

        None if the record cannot be read any more.
        """
        ...

    async def fetched_at(self, urls: Sequence[str]) -> dict[str, float]:
        """When each of `urls` that got a response was requested, in Unix time."""
        ...


class RobotsPolicy(Protocol):
    """The robots.txt of one origin, parsed for our user agent."""

    @property
    def crawl_delay_s(self) -> float | None:
        """Seconds between two requests that the site asks for, within sane bounds."""
        ...

    @property
    def sitemaps(self) -> tuple[str, ...]:
        """The sitemaps it names, as written."""
        ...

    def allowed(self, url: str) -> bool:
        """Whether `url` may be fetched."""
        ...

    def blocking_line(self, url: str) -> tuple[int, str] | None:
        """Number (from 1) and text of the line that forbids `url`."""
        ...


RulesFor = Callable[[int | None, str, str], RobotsPolicy]
"""(status or None when nothing came, text of robots.txt, user agent) → rules."""


class ScopePolicy(Protocol):
    """Which URLs belong to the crawl."""

    def refusal(self, url: str, *, root: bool = False) -> Outcome | None:
        """Why `url` does not belong to the crawl; None if it does."""
        ...

    def is_external(self, url: str) -> bool:
        """Whether `url` is a web address on a host that is not crawled."""
        ...

    def exclude(self, pattern: str) -> None:
        """Exclude what this pattern matches from now on."""
        ...

    def include_again(self, pattern: str) -> None:
        """Undo the exclusion by this pattern."""
        ...

    def excluded_by(self, url: str) -> str:
        """The exclude pattern that matches `url`; "" if none does."""
        ...
