"""Inspects one page for the user: fetches its source and tests a selector on it."""

import asyncio
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol, TypeVar

from msgspec.structs import replace

from gossamer.extract.pattern_syntax import check_patterns
from gossamer.ipc import ChildRole
from gossamer.ipc.child_connection import ChildProcess, adopt
from gossamer.ipc.process_start import launch
from gossamer.model.archive_record import ArchiveRecord, archive_folder
from gossamer.model.errors import CrawlHostError, UsageError
from gossamer.model.messages.inspection_messages import (
    InspectionFinding,
    InspectPage,
    PageSource,
    Question,
    ReadStored,
    SelectorResult,
    StoredSource,
    Suggestions,
    SuggestWords,
    TestSelector,
    TrialResult,
    TryDefinitions,
)
from gossamer.model.messages.page_contents_messages import (
    ComparePages,
    PageComparison,
    PageContents,
    ReadPage,
)
from gossamer.model.messages.page_image_messages import (
    FetchImage,
    ImageFile,
    PageImages,
    ReadImages,
)
from gossamer.model.messages.page_load_messages import LoadReport, MeasurePage
from gossamer.model.messages.page_rendering_messages import (
    CompareStoredDom,
    RenderingReport,
    RenderPage,
    StoredDomComparison,
)
from gossamer.model.messages.stored_page_messages import PageScreen, ViewedPage, ViewStored
from gossamer.model.messages.worker_messages import ConfigureWorker
from gossamer.model.secrets import OriginSecrets, Secrets
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.translatable import Sentence
from gossamer.session.abandoned_profiles import remove_abandoned_profiles
from gossamer.session.crawl_secrets import split_off_secrets
from gossamer.session.default_paths import crawl_log
from gossamer.store.locking.file_identity import file_of
from gossamer.urls.url_parsing import parse_root

_REPLY_S: Final = 300.0
"""Longer than any hop can take, robots.txt included."""
_RUN_S: Final = 60.0
_IDLE_S: Final = 60.0
_SUGGESTIONS_S: Final = 20.0
_END_S: Final = 2.0
_GONE: Final[Sentence] = "The inspector process exited; try again."

_F = TypeVar(
    "_F",
    PageSource,
    StoredSource,
    ViewedPage,
    SelectorResult,
    PageContents,
    PageComparison,
    PageImages,
    ImageFile,
    RenderingReport,
    StoredDomComparison,
    LoadReport,
    Suggestions,
    TrialResult,
)


class InspectableSession(Protocol):
    """The parts of a session that an inspection needs."""

    path: Path
    settings: CrawlSettings

    async def complete_secrets(self) -> Secrets:
        """All secrets that are needed; UsageError if some are missing."""


class PageInspector:
    """Sends requests to an inspector process, started on first use, one at a time.

    It ends after a while without requests, when a request is cancelled, and with `close`.
    """

    def __init__(self, session: InspectableSession, rule_s: float) -> None:
        """Fetch as `session` does, with its current secrets.

        A selector is tested for `rule_s` at most.
        """
        self._session = session
        self._rule_s = rule_s
        self._configured: ConfigureWorker | None = None
        self._child: ChildProcess[InspectionFinding] | None = None
        self._lock = asyncio.Lock()
        self._reply: asyncio.Future[InspectionFinding] | None = None
        self._number = 0
        self._text = ""
        self._is_fresh = False
        self._idle_timer: asyncio.TimerHandle | None = None

    async def source(self, url: str, target: str = "", *, again: bool = False) -> PageSource:
        """The source of `url`, fetched by the rules of the crawl; the last result unless `again`.

        `spans` has the links to `target`. Raises CrawlHostError if no process can be started,
        UsageError if a secret is missing. Cancelled, it leaves no connection open.
        """
        async with self._lock:
            self._number += 1
            request = InspectPage(self._number, url, target, again)
            found = await self._ask(request, PageSource, _REPLY_S)
            self._text = found.text
            return found

    async def stored_source(
        self, url: str, record: ArchiveRecord, *, compare: bool = False, again: bool = False
    ) -> StoredSource:
        """The archived source of `url` at `record`; with `compare`, next to what the server sends.

        That is fetched, and raises, as by `source`. UsageError if the record cannot be read.
        """
        folder = str(archive_folder(file_of(self._session.path)))
        async with self._lock:
            self._number += 1
            request = ReadStored(self._number, url, folder, record, compare, again)
            found = await self._ask(request, StoredSource, _REPLY_S)
        if found.reason is not None:
            raise UsageError(found.reason)
        return found

    async def stored_dom(
        self, url: str, html: ArchiveRecord, dom: ArchiveRecord
    ) -> StoredDomComparison:
        """What the archive has of `url`: its HTML beside its DOM. UsageError if it has not both."""
        folder = str(archive_folder(file_of(self._session.path)))
        async with self._lock:
            self._number += 1
            request = CompareStoredDom(self._number, url, folder, html, dom)
            found = await self._ask(request, StoredDomComparison, _REPLY_S)
        if found.reason is not None:
            raise UsageError(found.reason)
        return found

    async def stored_page(
        self, url: str, record: ArchiveRecord, screen: PageScreen | None = None
    ) -> ViewedPage:
        """A view of the archived page `url` at `record`.

        With a `screen`, as a browser shows it there, if there is one. Raises CrawlHostError if no
        process can be started, UsageError if there is nothing.
        """
        path = str(file_of(self._session.path))
        async with self._lock:
            self._number += 1
            request = ViewStored(self._number, url, path, record, screen)
            found = await self._ask(request, ViewedPage, _REPLY_S)
        if found.reason is not None:
            raise UsageError(found.reason)
        return found

    async def contents(self, url: str, *, again: bool = False) -> PageContents:
        """The structured data of `url`; fetches and raises as `source` does."""
        async with self._lock:
            self._number += 1
            return await self._ask(ReadPage(self._number, url, again), PageContents, _REPLY_S)

    async def comparison(self, url: str, other: str) -> PageComparison:
        """The texts of two pages side by side; fetches and raises as `source` does."""
        async with self._lock:
            self._number += 1
            request = ComparePages(self._number, url, other)
            return await self._ask(request, PageComparison, 2 * _REPLY_S)

    async def images(self, url: str, *, again: bool = False) -> PageImages:
        """The images in the source of `url`; fetches and raises as `source` does."""
        async with self._lock:
            self._number += 1
            return await self._ask(ReadImages(self._number, url, again), PageImages, _REPLY_S)

    async def image_file(self, url: str) -> ImageFile:
        """An image with its bytes, after redirects; fetches and raises as `source` does."""
        async with self._lock:
            self._number += 1
            return await self._ask(FetchImage(self._number, url), ImageFile, _REPLY_S)

    async def rendering(self, url: str, dom: ArchiveRecord | None = None) -> RenderingReport:
        """How a browser renders `url`, compared with an archived `dom`.

        Fetches and raises as `source` does. UsageError if the browser that the settings name is
        missing.
        """
        folder = str(archive_folder(file_of(self._session.path)))
        async with self._lock:
            self._number += 1
            request = RenderPage(self._number, url, folder, dom)
            found = await self._ask(request, RenderingReport, _REPLY_S)
        if found.reason is not None:
            raise UsageError(found.reason)
        return found

    async def load(self, url: str, runs: int) -> LoadReport:
        """How `url` loads, measured so many times; fetches and raises as `source` does.

        UsageError if there is no browser.
        """
        async with self._lock:
            self._number += 1
            limit_s = _REPLY_S + runs * _RUN_S
            found = await self._ask(MeasurePage(self._number, url, runs), LoadReport, limit_s)
        if found.reason is not None:
            raise UsageError(found.reason)
        return found

    async def trial(self, url: str) -> TrialResult:
        """The results of the session's custom definitions for `url`; raises as `source` does."""
        async with self._lock:
            self._number += 1
            return await self._ask(TryDefinitions(self._number, url), TrialResult, _REPLY_S)

    async def test_rule(self, selector: str) -> SelectorResult:
        """What a CSS selector matches in the last source; UsageError if it takes too long."""
        async with self._lock:
            await self._running_child()
            self._number += 1
            request = TestSelector(self._number, selector, self._text if self._is_fresh else "")
            try:
                return await self._ask(request, SelectorResult, self._rule_s)
            except TimeoutError as e:
                raise UsageError(
                    "This selector took longer than {seconds} s; use a simpler one.",
                    seconds=self._rule_s,
                ) from e

    async def suggest(self, word: str, dictionary: str) -> list[str]:
        """The suggestions of the dictionary of this name for an unknown word.

        UsageError if it cannot be read, or takes too long.
        """
        async with self._lock:
            self._number += 1
            request = SuggestWords(self._number, word, dictionary)
            try:
                found = await self._ask(request, Suggestions, _SUGGESTIONS_S)
            except TimeoutError as e:
                raise UsageError("Looking for suggestions took too long.") from e
        if found.reason is not None:
            raise UsageError(found.reason)
        return found.words

    async def close(self) -> None:
        """End the process, and remove what its browser leaves."""
        self._cancel_idle_timer()
        child, self._child = self._child, None
        if child is not None:
            child.kill()
            await child.end(_END_S)
            await remove_abandoned_profiles()

    async def _ask(self, request: Question, kind: type[_F], limit_s: float) -> _F:
        child = await self._running_child()
        self._reply = asyncio.get_running_loop().create_future()
        child.send(request)
        self._is_fresh = False
        try:
            async with asyncio.timeout(limit_s):
                reply = await self._reply
        except BaseException:
            await asyncio.shield(self.close())  # no byte leaves any more, no rule keeps running
            raise
        finally:
            self._reply = None
        self._idle_timer = asyncio.get_running_loop().call_later(_IDLE_S, self._end_idle)
        if not isinstance(reply, kind):
            raise CrawlHostError(_GONE)
        return reply

    async def _configure(self) -> ConfigureWorker:
        secrets = await self._session.complete_secrets()
        return ConfigureWorker(self._session.settings, secrets)

    async def _running_child(self) -> ChildProcess[InspectionFinding]:
        self._cancel_idle_timer()
        configure = await self._configure()
        if configure != self._configured:
            await self.close()
        if self._child is None or self._child.closed:
            self._configured = configure
            self._child = await adopt(
                launch(ChildRole.INSPECTOR, str(crawl_log(self._session.path))),
                message_type=InspectionFinding,
                on_messages=self._receive,
                on_closed=self._gone,
            )
            self._child.send(configure)
            self._is_fresh = True
        return self._child

    def _receive(self, found: list[InspectionFinding]) -> None:
        for each in found:
            waits = self._reply is not None and not self._reply.done()
            if self._reply is not None and waits and each.number == self._number:
                self._reply.set_result(each)

    def _gone(self) -> None:
        if self._child is not None:
            self._child.reap()  # it stays for `close`, which removes what its browser leaves
        if self._reply is not None and not self._reply.done():
            self._reply.set_exception(CrawlHostError(_GONE))

    def _end_idle(self) -> None:
        if self._child is not None:
            self._child.kill()  # `_gone` follows

    def _cancel_idle_timer(self) -> None:
        if self._idle_timer is not None:
            self._idle_timer.cancel()
            self._idle_timer = None


@dataclass
class _Trial:
    """A session without a project, for one page."""

    path: Path
    settings: CrawlSettings
    secrets: Secrets

    async def complete_secrets(self) -> Secrets:
        return self.secrets


async def try_definitions(settings: CrawlSettings, access: OriginSecrets, url: str) -> TrialResult:
    """The results of custom definitions for one page, fetched as a crawl does.

    `access` is for the origin of `url`, an address as typed. Raises UsageError for one that is none
    or a definition that cannot be used, CrawlHostError if no process can be started.
    """
    root = parse_root(url)
    public, secrets = split_off_secrets(replace(settings, roots=(root,)), access)
    check_patterns(public.checked())
    inspector = PageInspector(_Trial(Path("trial.gossamer"), public, secrets), 0.0)
    try:
        return await inspector.trial(root)
    finally:
        await asyncio.shield(inspector.close())


async def measured_load(settings: CrawlSettings, url: str, runs: int) -> LoadReport:
    """How one page loads, measured so many times; it is fetched as a crawl does.

    `url` is an address as typed. Raises UsageError for one that is none and where there is no
    browser, CrawlHostError if no process can be started.
    """
    root = parse_root(url, hash_routes=True)
    public, secrets = split_off_secrets(replace(settings, roots=(root,)))
    inspector = PageInspector(_Trial(Path("load.gossamer"), public.checked(), secrets), 0.0)
    try:
        return await inspector.load(root, runs)
    finally:
        await asyncio.shield(inspector.close())
