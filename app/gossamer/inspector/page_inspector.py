"""The inspector process: fetches and examines single pages at the user's request.

It fetches as the crawl does: same settings, robots.txt, secrets and guarded addresses. It is
separate from the crawl, so that it works in any state of that, and can be killed when a user's rule
does not terminate.
"""

import asyncio
from contextlib import AsyncExitStack
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from msgspec.structs import replace

from gossamer.engine.robots_cache import RobotsCache
from gossamer.extract.html_page import extract
from gossamer.extract.image_files import drawing_of, format_of
from gossamer.extract.page_contents import paragraphs, structured_data_tree
from gossamer.extract.page_images import images_of
from gossamer.extract.page_source import readable, spans_of
from gossamer.extract.selector_test import RuleError, matches
from gossamer.extract.text_comparison import shared_percent, side_by_side
from gossamer.fetch.fetcher import HttpFetcher
from gossamer.fetch.set_cookie_header import CookieHeaders
from gossamer.inspector.inspection_redirects import inspection_refusal, with_redirects
from gossamer.ipc.channel import Channel
from gossamer.ipc.child_log import log_to
from gossamer.ipc.child_loop import ending_within
from gossamer.ipc.child_process_server import serve_parent
from gossamer.model.errors import UsageError
from gossamer.model.messages.inspection_messages import (
    SOURCE_BYTES,
    InspectionFinding,
    InspectPage,
    PageSource,
    Question,
    ReadStored,
    Request,
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
    PageFetchOutcome,
    ReadPage,
)
from gossamer.model.messages.page_image_messages import (
    DECODED,
    MAX_FILE_BYTES,
    FetchImage,
    ImageFile,
    ImageFormat,
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
from gossamer.model.messages.stored_page_messages import ViewedPage, ViewStored
from gossamer.model.messages.worker_messages import ConfigureWorker, Fetch
from gossamer.model.response_warnings import ResponseWarning
from gossamer.model.settings.crawl_settings import DEFAULTS, CrawlSettings
from gossamer.model.settings.rendering_choices import RenderMode
from gossamer.model.visit import Visit
from gossamer.page_worker.pattern_process import PatternProcess
from gossamer.proofreading.suggestions import SuggestionSource
from gossamer.robots.product_token import product_token
from gossamer.robots.robots_txt import rules_for

if TYPE_CHECKING:
    from gossamer.fetch.body_readers import ExtractPage

_MAX_QUESTIONS = 100
_LOOK_S = 20.0
"""For examining a fetched page, which takes a second at most unless the page is malicious."""


class Inspector:
    """Serves inspection requests one at a time."""

    def __init__(self) -> None:
        """Wait for `ConfigureWorker`."""
        self._questions: asyncio.Queue[Question | ConfigureWorker] = asyncio.Queue(_MAX_QUESTIONS)
        self._last: _Fetched | None = None
        self._configured = ConfigureWorker(DEFAULTS)
        self._exclude: tuple[str, ...] = ()
        self._suggestions = SuggestionSource("")
        self._patterns: PatternProcess | None = None
        self.abandoned = asyncio.Event()
        """Set when the shell that started it is gone: nobody waits for a reply."""

    def receive(self, messages: list[Question | ConfigureWorker]) -> None:
        """Receive messages; an unreasonable number is dropped."""
        for message in messages:
            if not self._questions.full():
                self._questions.put_nowait(message)

    async def serve(self, channel: Channel[Question | ConfigureWorker]) -> None:
        """Serve until cancelled, which closes every connection."""
        configured = await self._questions.get()
        if not isinstance(configured, ConfigureWorker):
            return
        self._configured = configured
        settings = configured.settings
        self._exclude = settings.content_exclude
        self._suggestions = SuggestionSource(settings.dictionary_folder)
        robot = product_token(settings.user_agent)
        async with AsyncExitStack() as opened:
            if settings.definitions:
                self._patterns = PatternProcess(settings)
                opened.push_async_callback(self._patterns.close)
            fetcher = await opened.enter_async_context(
                HttpFetcher(
                    settings,
                    _extract_by(settings),
                    secrets=configured.secrets,
                    robot=robot,
                    apply_patterns=None if self._patterns is None else self._patterns.results,
                )
            )
            cache = RobotsCache(fetcher, rules_for, settings.user_agent, lambda *_: None)
            robots = cache if settings.obey_robots else None
            while True:
                reply = await self._reply(await self._questions.get(), fetcher, robots)
                if reply is not None:
                    channel.send(reply)

    async def _reply(
        self, question: Question | ConfigureWorker, fetcher: HttpFetcher, robots: RobotsCache | None
    ) -> InspectionFinding | None:
        match question:
            case TestSelector():
                return self._tested(question)
            case SuggestWords():
                return self._suggested(question)
            case ReadStored():
                return await self._read_stored(question, fetcher, robots)
            case ViewStored() | CompareStoredDom():
                return await _stored(question, self._configured.settings)
            case ConfigureWorker():
                return None
        return await self._reply_with_request(question, fetcher, robots)

    async def _reply_with_request(
        self, question: Request, fetcher: HttpFetcher, robots: RobotsCache | None
    ) -> InspectionFinding:
        found: InspectionFinding
        match question:
            case InspectPage():
                found = await self._inspect(question, fetcher, robots)
            case ReadPage():
                found = await self._read(question, fetcher, robots)
            case ComparePages():
                found = await self._compare(question, fetcher, robots)
            case ReadImages():
                found = await self._read_images(question, fetcher, robots)
            case FetchImage():
                found = await _image_file(question, fetcher, robots)
            case TryDefinitions():
                found = await self._try(question, fetcher, robots)
            case RenderPage() | MeasurePage():
                found = await self._show(question, fetcher, robots)
        return found

    async def _show(
        self, request: RenderPage | MeasurePage, fetcher: HttpFetcher, robots: RobotsCache | None
    ) -> RenderingReport | LoadReport:
        """How a page renders or loads in a browser."""
        refusal = await inspection_refusal(request.url, robots)
        extract = _extract_by(self._configured.settings)
        if isinstance(request, MeasurePage):
            from gossamer.inspector.page_measurement import measured_page  # noqa: PLC0415 - few pages are

            if refusal is not None:
                return LoadReport(request.number, request.url, _Fetched(refusal).outcome)
            return await measured_page(request, self._configured, fetcher, extract)
        from gossamer.inspector.page_preview import rendered_page  # noqa: PLC0415 - likewise

        if refusal is not None:
            return RenderingReport(request.number, request.url, _Fetched(refusal).outcome)
        return await rendered_page(request, self._configured, fetcher, extract)

    async def _try(
        self, request: TryDefinitions, fetcher: HttpFetcher, robots: RobotsCache | None
    ) -> TrialResult:
        settings = self._configured.settings
        async with AsyncExitStack() as opened:
            pages = None
            if settings.render is not RenderMode.OFF:
                from gossamer.page_worker.rendering_fetcher import open_rendering  # noqa: PLC0415 - few crawls render

                extract = _extract_by(settings)
                pages = await open_rendering(self._configured, fetcher, extract, opened)

            async def ask(url: str) -> tuple[Visit, bytes]:
                if pages is None:
                    return await fetcher.fetch(url), b""
                return await pages.fetch(Fetch(0, url), CookieHeaders("")), b""

            url, visit, _ = await with_redirects(request.url, robots, ask)
        elapsed_ms = {} if self._patterns is None else self._patterns.elapsed_ms
        return TrialResult(
            request.number, url, visit.outcome, visit.status, visit.detail, visit.custom, elapsed_ms
        )

    async def _inspect(
        self, request: InspectPage, fetcher: HttpFetcher, robots: RobotsCache | None
    ) -> PageSource:
        source = (await self._page(request.url, fetcher, robots, again=request.again)).source
        with ending_within(_LOOK_S):
            spans = spans_of(source.text, request.url, request.target) if request.target else []
        return replace(source, number=request.number, spans=spans)

    async def _page(
        self, url: str, fetcher: HttpFetcher, robots: RobotsCache | None, *, again: bool
    ) -> "_Fetched":
        """The last page again if it is the same one, else the page as it is now."""
        last = self._last
        if last is None or last.source.url != url or again:
            refusal = await inspection_refusal(url, robots)
            last = _Fetched(refusal) if refusal is not None else await _fetched(url, fetcher)
            self._last = last
        return last

    async def _read(
        self, request: ReadPage, fetcher: HttpFetcher, robots: RobotsCache | None
    ) -> PageContents:
        page = await self._page(request.url, fetcher, robots, again=request.again)
        with ending_within(_LOOK_S):
            items, faults = structured_data_tree(page.body, page.charset)
        return PageContents(request.number, request.url, page.outcome, items, faults)

    async def _read_stored(
        self, request: ReadStored, fetcher: HttpFetcher, robots: RobotsCache | None
    ) -> StoredSource:
        from gossamer.inspector.stored_sources import difference_of, read_stored  # noqa: PLC0415 - seldom

        with ending_within(_LOOK_S):
            found = read_stored(request)
        if found.source is None or not request.compare:
            return found
        page = await self._page(request.url, fetcher, robots, again=request.again)
        with ending_within(_LOOK_S):
            difference = difference_of(found.source, page.source)
        return replace(found, now=page.outcome, difference=difference)

    async def _compare(
        self, request: ComparePages, fetcher: HttpFetcher, robots: RobotsCache | None
    ) -> PageComparison:
        one = await self._page(request.url, fetcher, robots, again=False)
        other = await self._page(request.other, fetcher, robots, again=False)
        with ending_within(_LOOK_S):
            texts = [paragraphs(each.body, each.charset, self._exclude) for each in (one, other)]
            (left, is_left_cut), (right, is_right_cut) = texts
            shown = side_by_side(left, right)
            is_cut = shown.is_cut or is_left_cut or is_right_cut
            return PageComparison(
                request.number,
                request.url,
                request.other,
                one.outcome,
                other.outcome,
                shared_percent(left, right),
                replace(shown, is_cut=is_cut),
            )

    async def _read_images(
        self, request: ReadImages, fetcher: HttpFetcher, robots: RobotsCache | None
    ) -> PageImages:
        page = await self._page(request.url, fetcher, robots, again=request.again)
        with ending_within(_LOOK_S):
            images, is_cut = images_of(page.body, page.charset, request.url)
        return PageImages(request.number, request.url, page.outcome, images, is_cut)

    def _tested(self, request: TestSelector) -> SelectorResult:
        text = request.text or (self._last.source.text if self._last is not None else "")
        try:
            with ending_within(_LOOK_S):
                count, found = matches(text, request.selector)
        except RuleError as e:
            return SelectorResult(request.number, error=str(e))
        return SelectorResult(request.number, count, found)

    def _suggested(self, request: SuggestWords) -> Suggestions:
        try:
            with ending_within(_LOOK_S):
                words = self._suggestions.for_word(request.word, request.dictionary)
        except UsageError as e:
            return Suggestions(request.number, reason=e.said)
        return Suggestions(request.number, words)


class _Fetched(NamedTuple):
    """The result of requesting a page: its source for reading, and its body as received."""

    source: PageSource
    body: bytes = b""
    charset: str | None = None

    @property
    def outcome(self) -> PageFetchOutcome:
        """The outcome to report with what was read."""
        source = self.source
        return PageFetchOutcome(
            source.outcome, source.status, source.detail, bool(self.body), source.truncated
        )


def _extract_by(settings: CrawlSettings) -> "ExtractPage":
    """Reads pages as the crawl does."""
    return partial(
        extract,
        parser=settings.parser,
        robot=product_token(settings.user_agent),
        content_exclude=settings.content_exclude,
    )


async def _image_file(
    request: FetchImage, fetcher: HttpFetcher, robots: RobotsCache | None
) -> ImageFile:
    ask = partial(fetcher.fetch_file, limit_bytes=MAX_FILE_BYTES)
    _, visit, body = await with_redirects(request.url, robots, ask)
    found = ImageFile(
        request.number,
        request.url,
        PageFetchOutcome(visit.outcome, visit.status, visit.detail, bool(body)),
        visit.content_type,
        len(body),
        format_of(body),
        is_too_large=ResponseWarning.SIZE_LIMIT in visit.warnings,
    )
    if found.format in DECODED:
        return replace(found, body=body)
    if found.format is not ImageFormat.SVG:
        return found
    with ending_within(_LOOK_S):
        width, height, is_harmless = drawing_of(body)
    return replace(found, body=body if is_harmless else b"", width=width, height=height)


async def _stored(
    request: ViewStored | CompareStoredDom, settings: CrawlSettings
) -> ViewedPage | StoredDomComparison:
    """What the archive has of a page, to be looked at."""
    if isinstance(request, ViewStored):
        from gossamer.inspector.archived_page_views import view_stored  # noqa: PLC0415 - seldom

        return await view_stored(request, settings.browser)
    from gossamer.inspector.compared_markup import compared_stored_dom  # noqa: PLC0415 - likewise

    return compared_stored_dom(request, settings.content_exclude)


async def _fetched(url: str, fetcher: HttpFetcher) -> _Fetched:
    visit, body = await fetcher.fetch_source(url, SOURCE_BYTES)
    text, encoding = readable(body, visit.charset or None) if body else ("", "")
    source = PageSource(
        number=0,
        url=url,
        outcome=visit.outcome,
        status=visit.status,
        reason=visit.reason,
        detail=visit.detail,
        is_text=bool(body) or not visit.size_bytes,
        content_type=visit.content_type,
        charset=encoding,
        text=text,
        truncated=visit.truncated,
        request=fetcher.request_headers(url),
        headers=visit.headers,
    )
    return _Fetched(source, body, visit.charset or None)


async def main(log: str) -> int:
    """Serve the process that started this one until it goes; write to the file `log`."""
    log_to(log)
    return await serve_parent(Inspector(), Question | ConfigureWorker, "questions")
