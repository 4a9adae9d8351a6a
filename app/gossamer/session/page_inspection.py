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
    Finding,
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
from gossamer.model.messages.page_rendering_messages import RenderingReport, RenderPage
from gossamer.model.messages.stored_page_messages import PageScreen, ViewedPage, ViewStored
from gossamer.model.messages.worker_messages import ConfigureWorker
from gossamer.model.secrets import OriginSecrets, Secrets
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.translatable import Sentence
from gossamer.session.crawl_secrets import separated
from gossamer.session.default_paths import crawl_log
from gossamer.store.locking.file_identity import file_of
from gossamer.urls.url_parsing import parse_root

_ANSWER_S: Final = 300.0
"""Beyond whatever a hop can take, robots.txt included."""
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

    It ends when nothing was asked for a while, when a question is cancelled, and with `close`.
    """

    def __init__(self, session: InspectableSession, rule_s: float) -> None:
        """Ask as `session` does, with the secrets that it has at the time.

        A selector is tested for `rule_s` at most.
        """
        self._session = session
        self._rule_s = rule_s
        self._configured: ConfigureWorker | None = None
        self._child: ChildProcess[Finding] | None = None
        self._lock = asyncio.Lock()
        self._answer: asyncio.Future[Finding] | None = None
        self._number = 0
        self._text = ""
        self._is_fresh = False
        self._idle_timer: asyncio.TimerHandle | None = None

    async def source(self, url: str, target: str = "", *, again: bool = False) -> PageSource:
        """What `url` answers, asked by the rules of the crawl; the last answer unless `again`.

        `spans` has the links to `target`. Raises CrawlHostError if no process can be started,
        UsageError where a secret is missing. Cancelled, it leaves no connection open.
        """
        async with self._lock:
            self._number += 1
            wish = InspectPage(self._number, url, target, again)
            found = await self._ask(wish, PageSource, _ANSWER_S)
            self._text = found.text
            return found

    async def stored_source(
        self, url: str, record: ArchiveRecord, *, compare: bool = False, again: bool = False
    ) -> StoredSource:
        """What the archive has of `url` at `record`; with `compare`, beside what the server sends.

        That is asked for, and raises, as `source`. UsageError where the record cannot be read.
        """
        folder = str(archive_folder(file_of(self._session.path)))
        async with self._lock:
            self._number += 1
            wish = ReadStored(self._number, url, folder, record, compare, again)
            found = await self._ask(wish, StoredSource, _ANSWER_S)
        if found.reason is not None:
            raise UsageError(found.reason)
        return found

    async def stored_page(
        self, url: str, record: ArchiveRecord, screen: PageScreen | None = None
    ) -> ViewedPage:
        """What the archive has of the page `url` at `record`, as a view shows it.

        With a `screen`, as a browser shows it there, if there is one. Raises CrawlHostError if no
        process can be started, UsageError where there is nothing.
        """
        path = str(file_of(self._session.path))
        async with self._lock:
            self._number += 1
            wish = ViewStored(self._number, url, path, record, screen)
            found = await self._ask(wish, ViewedPage, _ANSWER_S)
        if found.reason is not None:
            raise UsageError(found.reason)
        return found

    async def contents(self, url: str, *, again: bool = False) -> PageContents:
        """The structured data of `url`, asked as `source` does; raises as that does."""
        async with self._lock:
            self._number += 1
            return await self._ask(ReadPage(self._number, url, again), PageContents, _ANSWER_S)

    async def comparison(self, url: str, other: str) -> PageComparison:
        """The texts of two pages side by side, asked as `source` does; raises as that does."""
        async with self._lock:
            self._number += 1
            wish = ComparePages(self._number, url, other)
            return await self._ask(wish, PageComparison, 2 * _ANSWER_S)

    async def images(self, url: str, *, again: bool = False) -> PageImages:
        """The images in the source of `url`, asked as `source` does; raises as that does."""
        async with self._lock:
            self._number += 1
            return await self._ask(ReadImages(self._number, url, again), PageImages, _ANSWER_S)

    async def image_file(self, url: str) -> ImageFile:
        """What an image is, with its bytes, after redirects; asked and raising as `source`."""
        async with self._lock:
            self._number += 1
            return await self._ask(FetchImage(self._number, url), ImageFile, _ANSWER_S)

    async def rendering(self, url: str) -> RenderingReport:
        """What a browser makes of `url`, asked as `source` does; raises as that does.

        UsageError where the browser that the settings name is not there.
        """
        async with self._lock:
            self._number += 1
            found = await self._ask(RenderPage(self._number, url), RenderingReport, _ANSWER_S)
        if found.reason is not None:
            raise UsageError(found.reason)
        return found

    async def load(self, url: str, runs: int) -> LoadReport:
        """How `url` loads, measured so many times; asked as `source` does, raises as that does.

        UsageError where there is no browser.
        """
        async with self._lock:
            self._number += 1
            limit_s = _ANSWER_S + runs * _RUN_S
            found = await self._ask(MeasurePage(self._number, url, runs), LoadReport, limit_s)
        if found.reason is not None:
            raise UsageError(found.reason)
        return found

    async def trial(self, url: str) -> TrialResult:
        """What the custom definitions of the session give for `url`; raises as `source` does."""
        async with self._lock:
            self._number += 1
            return await self._ask(TryDefinitions(self._number, url), TrialResult, _ANSWER_S)

    async def test_rule(self, selector: str) -> SelectorResult:
        """What a CSS selector matches in the last source; UsageError if it takes too long."""
        async with self._lock:
            await self._running_child()
            self._number += 1
            wish = TestSelector(self._number, selector, self._text if self._is_fresh else "")
            try:
                return await self._ask(wish, SelectorResult, self._rule_s)
            except TimeoutError as e:
                raise UsageError(
                    "This selector took longer than {seconds} s; use a simpler one.",
                    seconds=self._rule_s,
                ) from e

    async def suggest(self, word: str, dictionary: str) -> list[str]:
        """What the dictionary of this name has in place of a word that it does not know.

        UsageError where it cannot be read, or takes too long.
        """
        async with self._lock:
            self._number += 1
            wish = SuggestWords(self._number, word, dictionary)
            try:
                found = await self._ask(wish, Suggestions, _SUGGESTIONS_S)
            except TimeoutError as e:
                raise UsageError("Looking for suggestions took too long.") from e
        if found.reason is not None:
            raise UsageError(found.reason)
        return found.words

    async def close(self) -> None:
        """End the process."""
        self._cancel_idle_timer()
        child, self._child = self._child, None
        if child is not None:
            child.kill()
            await child.end(_END_S)

    async def _ask(self, wish: Question, kind: type[_F], limit_s: float) -> _F:
        child = await self._running_child()
        self._answer = asyncio.get_running_loop().create_future()
        child.send(wish)
        self._is_fresh = False
        try:
            async with asyncio.timeout(limit_s):
                answer = await self._answer
        except BaseException:
            await asyncio.shield(self.close())  # no byte leaves any more, no rule runs on
            raise
        finally:
            self._answer = None
        self._idle_timer = asyncio.get_running_loop().call_later(_IDLE_S, self._end_idle)
        if not isinstance(answer, kind):
            raise CrawlHostError(_GONE)
        return answer

    async def _configure(self) -> ConfigureWorker:
        secrets = await self._session.complete_secrets()
        return ConfigureWorker(self._session.settings, secrets)

    async def _running_child(self) -> ChildProcess[Finding]:
        self._cancel_idle_timer()
        configure = await self._configure()
        if configure != self._configured:
            await self.close()
        if self._child is None or self._child.closed:
            self._configured = configure
            self._child = await adopt(
                launch(ChildRole.INSPECTOR, str(crawl_log(self._session.path))),
                message_type=Finding,
                on_messages=self._receive,
                on_closed=self._gone,
            )
            self._child.send(configure)
            self._is_fresh = True
        return self._child

    def _receive(self, found: list[Finding]) -> None:
        for each in found:
            waits = self._answer is not None and not self._answer.done()
            if self._answer is not None and waits and each.number == self._number:
                self._answer.set_result(each)

    def _gone(self) -> None:
        if self._child is not None:
            self._child.reap()
            self._child = None
        if self._answer is not None and not self._answer.done():
            self._answer.set_exception(CrawlHostError(_GONE))

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
    """What the custom definitions of settings give for one page, which is asked as a crawl does.

    `access` is for the origin of `url`, an address as typed. Raises UsageError for one that is
    none or a definition that cannot be used, CrawlHostError where no process can be started.
    """
    root = parse_root(url)
    public, secrets = separated(replace(settings, roots=(root,)), access)
    check_patterns(public.checked())
    inspector = PageInspector(_Trial(Path("trial.gossamer"), public, secrets), 0.0)
    try:
        return await inspector.trial(root)
    finally:
        await asyncio.shield(inspector.close())


async def measured_load(settings: CrawlSettings, url: str, runs: int) -> LoadReport:
    """How one page loads, measured so many times; it is asked as a crawl does.

    `url` is an address as typed. Raises UsageError for one that is none and where there is no
    browser, CrawlHostError where no process can be started.
    """
    root = parse_root(url)
    public, secrets = separated(replace(settings, roots=(root,)))
    inspector = PageInspector(_Trial(Path("load.gossamer"), public.checked(), secrets), 0.0)
    try:
        return await inspector.load(root, runs)
    finally:
        await asyncio.shield(inspector.close())
