"""How a render worker fetches: each page is shown in a browser, too."""

import asyncio
import logging
from contextlib import AsyncExitStack
from functools import partial
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from gossamer.engine.risky_links import login_origins
from gossamer.engine.risky_words import risky_url
from gossamer.engine.robots_cache import RobotsCache
from gossamer.extract.html_page import utf_8_markup
from gossamer.extract.lexbor_backend import content_text
from gossamer.extract.rendered_differences import (
    MarkupBeforeAndAfter,
    MergedPage,
    PageContentRead,
    adds_words,
    loaded_files,
    merged,
    wrongly_sized,
)
from gossamer.fetch.body_extraction import LARGE_BYTES, PARSE_S
from gossamer.fetch.body_readers import ExtractPage
from gossamer.fetch.fetcher import HttpFetcher
from gossamer.fetch.parser_thread import SerialThread
from gossamer.fetch.resource_exchange import ResourceResponse
from gossamer.fetch.set_cookie_header import CookieHeaders
from gossamer.model.accessibility_report import with_violations
from gossamer.model.axe_rules import rules_of_level
from gossamer.model.errors import UsageError
from gossamer.model.fields.page_flags import RenderFlag
from gossamer.model.fields.rendering_fields import RenderOutcome, RenderReason
from gossamer.model.messages.worker_messages import ConfigureWorker, Fetch
from gossamer.model.outcome import INCOMPLETE, PAGES, Outcome
from gossamer.model.redirect_types import RedirectKind
from gossamer.model.rendering import Rendering
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.settings.rendering_choices import RenderDevice, RenderMode, RenderWait
from gossamer.model.visit import Extract, FetchMode, Visit
from gossamer.page_worker.archived_renderings import as_stored, page_as_stored
from gossamer.page_worker.browser_cookies import browser_cookies
from gossamer.page_worker.page_fetchers import StoredRenderings
from gossamer.page_worker.page_load_values import page_load_values
from gossamer.page_worker.page_resources import PageResources, ResourcesOfPage
from gossamer.page_worker.render_selection import RenderSelection
from gossamer.page_worker.rendering_values import rendering_flags, rendering_of
from gossamer.page_worker.resource_politeness import ResourcePoliteness
from gossamer.page_worker.robots_texts import RobotsTexts
from gossamer.render.browser_discovery import find_browsers
from gossamer.render.browser_process import USUAL_TIMINGS, BrowserStartError, BrowserTimings
from gossamer.render.devtools_connection import DevtoolsError
from gossamer.render.page_renderer import PageRenderer
from gossamer.render.page_requests import PageResponse, RequestResponder
from gossamer.render.rendered_page import RenderedPage, RenderJob, RenderLimits
from gossamer.robots.robots_txt import rules_for
from gossamer.urls.refresh_directive import MAX_REDIRECT_DELAY_S
from gossamer.urls.scope_and_limits import Scope
from gossamer.urls.url_parsing import is_http, origin, without_fragment

if TYPE_CHECKING:
    from collections.abc import Callable

_TRIES: Final = 2
_UTF_8: Final = "utf-8"
_NOT_FOR_BROWSERS: Final = frozenset({"content-disposition", "content-type"})
"""Headers that would make a browser save a page instead of showing it, or read it otherwise than
its HTML was read: it takes undeclared UTF-8 for Windows-1252."""
_log = logging.getLogger(__name__)


class RenderingFetcher:
    """Fetches pages and renders each from the very response that was fetched."""

    def __init__(  # noqa: PLR0913, PLR0917 - everything needed to render a page
        self,
        fetcher: HttpFetcher,
        extract: ExtractPage,
        renderer: PageRenderer | None,
        resources: PageResources,
        pace: ResourcePoliteness,
        texts: RobotsTexts,
        configure: ConfigureWorker,
    ) -> None:
        """Without a `renderer` there is no browser: pages are what their HTML says."""
        self._fetcher = fetcher
        self._extract = extract
        self._renderer = renderer
        self._resources = resources
        self._pace = pace
        self._texts = texts
        self._secrets = configure.secrets
        settings = configure.settings
        self._limits = limits_of(settings)
        self._public_headers = settings.public_headers
        self._content_exclude = settings.content_exclude
        is_selective = settings.render is RenderMode.AUTO
        self._selection = RenderSelection() if is_selective else None
        self._tabs = asyncio.Semaphore(settings.render_tabs_at_once)
        self._thread = SerialThread(PARSE_S)
        self.seen: Callable[[MarkupBeforeAndAfter], None] = lambda _markup: None
        """Called with the markup of each page before and after rendering."""
        self._settings = settings
        self._archived: StoredRenderings | None = None

    def take_archive(self, responses: StoredRenderings) -> None:
        """Read the stored DOM of pages that cannot be rendered as the crawl did."""
        self._archived = responses

    async def take_turn(self, url: str) -> None:
        """Return when `url` may be requested."""
        await self._pace.page_turn(url)

    def note_text(self, url: str, visit: Visit, text: str) -> None:
        """Keep a robots.txt, so that it is not requested again for what pages load."""
        self._texts.note(url, visit, text)

    def reconfigure(self, configure: ConfigureWorker) -> None:
        """Load resources of pages at another rate, and with other exclude patterns."""
        self._pace.reconfigure(configure)
        self._resources.excluded_by = Scope(configure.settings).excluded_by

    async def fetch(self, job: Fetch, cookies: CookieHeaders) -> Visit:
        """The visit of a page as rendered, or of anything else as it is."""
        visit, response = await self._fetcher.fetch_page(job.url, cookies, job.mode, job.conditions)
        self._pace.note(job.url, visit)
        seen = await self._rendered_if_wanted(visit, response, job)
        if visit.is_page_read and not seen.custom:  # it was not rendered
            return await self._with_custom(seen, response.body, visit.charset or None)
        return seen

    async def _with_custom(self, visit: Visit, body: bytes, charset: str | None) -> Visit:
        """The visit with what custom searches and extractions find in a body."""
        apply = self._fetcher.apply_patterns
        return visit if apply is None else replace(visit, custom=await apply(body, charset))

    async def _rendered_if_wanted(
        self, visit: Visit, response: ResourceResponse, job: Fetch
    ) -> Visit:
        is_page = visit.is_page_read and visit.outcome in PAGES and visit.again is FetchMode.USUAL
        if not is_page or response.status is None:
            return visit
        if self._selection is None or "#" in job.url:  # the HTML says nothing of hash routes
            seen = await self._shown(visit, response, job)
            return _with_reason(seen, RenderReason.ALWAYS)
        async with self._selection.page(visit, job.url, response.body) as page:
            if page.reason is None:
                return replace(visit, rendering=Rendering(RenderOutcome.NOT_NEEDED))
            seen = await self._shown(visit, response, job)
            page.flags = (seen.facts.javascript if seen.facts else None) or 0
        return _with_reason(seen, page.reason)

    async def _shown(self, visit: Visit, response: ResourceResponse, job: Fetch) -> Visit:
        seen = await self._shown_now(visit, response, job)
        if self._archived is None:
            return seen
        stored = self._archived.stored_rendering(job.url, seen, self._settings)
        if stored is None:
            return seen
        page = page_as_stored(stored, job.url)
        read = await self._merged(visit, response.body, page, job.url)
        if read.rendering is None or read.rendering.render_outcome is not RenderOutcome.RENDERED:
            return seen  # so that the crawl's facts are kept
        return as_stored(read, stored)

    async def _shown_now(self, visit: Visit, response: ResourceResponse, job: Fetch) -> Visit:
        if self._renderer is None:
            return replace(visit, rendering=Rendering(RenderOutcome.NO_BROWSER))
        resources = ResourcesOfPage(self._resources, job.url)
        try:
            async with self._tabs:
                request = self._request(job, _document(visit, response))
                page = await self._rendered(self._renderer, request, resources.respond)
        except BrowserStartError:
            return replace(visit, rendering=Rendering(RenderOutcome.NO_BROWSER))
        visit = replace(
            visit,
            resource_bytes=resources.received_bytes,
            archived=[*visit.archived, *resources.archived],
            archive_errno=visit.archive_errno or resources.archive_errno,
        )
        if page is None:
            return replace(visit, rendering=Rendering(RenderOutcome.FAILED))
        if page.is_crashed:
            outcome = RenderOutcome.CRASHED
            if page.is_out_of_memory:
                outcome = RenderOutcome.OUT_OF_MEMORY
            return replace(visit, rendering=rendering_of(page, job.url, outcome))
        if not page.html or not is_http(page.final_url):
            return replace(visit, rendering=rendering_of(page, job.url, RenderOutcome.FAILED))
        return await self._merged(visit, response.body, page, job.url)

    def _request(self, job: Fetch, document: PageResponse) -> RenderJob:
        login = self._secrets.of(origin(job.url)).login
        return RenderJob(
            job.url,
            document,
            self._limits,
            browser_cookies(job, login.cookies, self._public_headers),
            login.local_storage,
            login.session_storage,
        )

    @staticmethod
    async def _rendered(
        renderer: PageRenderer, request: RenderJob, respond: RequestResponder
    ) -> RenderedPage | None:
        """The page in the browser, tried once more if its tab or the browser dies."""
        page = None
        for _ in range(_TRIES):
            try:
                page = await renderer.render(request, respond)
            except DevtoolsError as e:
                _log.warning("rendering failed", extra={"url": request.url, "reason": str(e)})
            except BrowserStartError:
                raise
            except Exception:  # noqa: BLE001 - what nobody foresaw must not end the worker
                _log.exception("rendering failed unexpectedly", extra={"url": request.url})
            else:
                if not page.is_crashed or page.is_out_of_memory:
                    break
        return page

    async def _merged(self, visit: Visit, html: bytes, page: RenderedPage, requested: str) -> Visit:
        read = partial(self._read, visit, html, page)
        is_large = max(len(html), len(page.html)) >= LARGE_BYTES
        try:
            both, extract = await self._thread.run(read) if is_large else read()
        except Exception:  # noqa: BLE001 - one bad page must not end the worker
            _log.exception("a rendered page could not be read", extra={"url": page.final_url})
            return replace(visit, rendering=rendering_of(page, requested, RenderOutcome.FAILED))
        outcome = RenderOutcome.TIMED_OUT if page.is_timed_out else RenderOutcome.RENDERED
        visit = replace(
            visit,
            outcome=_outcome_of(visit.outcome, extract.outcome),
            facts=with_violations(both.facts, page.accessibility),
            targets=both.targets,
            links=both.links,
            acts={**visit.acts, **extract.acts},
            acts_by_method={**visit.acts_by_method, **extract.acts_by_method},
            text=extract.text,
            rendering=replace(
                rendering_of(page, requested, outcome, both),
                **page_load_values(visit, page, requested),
            ),
        )
        visit = await self._with_custom(visit, page.html.encode("utf-8", "replace"), _UTF_8)
        archive = self._fetcher.archive
        if archive is not None:
            is_cut = page.html_is_cut
            visit = await archive.keep_dom(requested, page.html, visit, is_cut=is_cut)
        target = page.redirect or _refresh_target(extract, page)
        if not target:
            return visit
        return replace(
            visit,
            outcome=Outcome.REDIRECT,
            location=target,
            redirect_kind=RedirectKind.JAVASCRIPT,
        )

    def _read(self, visit: Visit, html: bytes, page: RenderedPage) -> tuple[MergedPage, Extract]:
        """The extracts of the page with its HTML, and as rendered alone."""
        body = page.html.encode("utf-8", "replace")
        url = without_fragment(page.final_url)
        extract = self._extract(body, url, _UTF_8, headers=visit.headers)
        assert visit.facts is not None  # noqa: S101 - it is a page that was read
        self.seen(MarkupBeforeAndAfter(html, visit.charset, body))
        flags = rendering_flags(page)
        if self._adds_words(visit, html, extract, body):
            flags |= RenderFlag.CONTENT
        both = merged(
            PageContentRead(visit.facts, visit.targets, visit.links),
            PageContentRead.of(extract),
            flags,
            loaded_files(page.images, page.resources),
            wrongly_sized(page.images, page.resources),
        )
        return both, extract

    def _adds_words(self, visit: Visit, html: bytes, extract: Extract, body: bytes) -> bool:
        """Whether the rendered page says what its HTML does not; more words are new ones."""
        assert visit.facts is not None  # noqa: S101 - likewise
        if (extract.facts.word_count or 0) > (visit.facts.word_count or 0):
            return True
        exclude = self._content_exclude
        return adds_words(
            content_text(utf_8_markup(html, visit.charset), exclude),
            content_text(utf_8_markup(body, _UTF_8), exclude),
        )


def limits_of(settings: CrawlSettings) -> RenderLimits:
    """How pages are shown with these settings."""
    width, height = settings.viewport_size
    return RenderLimits(
        width=width,
        height=height,
        is_mobile=settings.device is RenderDevice.MOBILE,
        user_agent=settings.user_agent,
        accept_language=settings.accept_language,
        ajax_s=settings.ajax_timeout_s,
        timeout_s=settings.render_timeout_s,
        max_html_bytes=settings.max_body_bytes,
        screenshot=settings.screenshots,
        lab_metrics=settings.lab_metrics,
        virtual_time=settings.render_wait is RenderWait.VIRTUAL,
        flatten_shadow_dom=settings.flatten_shadow_dom,
        flatten_frames=settings.flatten_frames,
        accessibility_rules=rules_of_level(settings.accessibility),
    )


def _document(visit: Visit, response: ResourceResponse) -> PageResponse:
    """The response for the browser: modified to be shown, and read as its HTML was."""
    headers = [pair for pair in response.headers if pair[0].lower() not in _NOT_FOR_BROWSERS]
    charset = f"; charset={visit.charset}" if visit.charset else ""
    headers.append(("Content-Type", f"{visit.content_type}{charset}"))
    return PageResponse(response.status or 0, headers, response.body)


def _with_reason(visit: Visit, reason: RenderReason) -> Visit:
    assert visit.rendering is not None  # noqa: S101 - it was to be rendered
    return replace(visit, rendering=replace(visit.rendering, render_reason=reason))


def _outcome_of(html: Outcome, rendered: Outcome) -> Outcome:
    """The outcome of a rendered page, whose scripts have run."""
    if html in INCOMPLETE:
        return html
    return Outcome.PAGE if rendered is Outcome.PAGE_NEEDS_SCRIPTS else rendered


def _refresh_target(extract: Extract, page: RenderedPage) -> str:
    """The target of a refresh element written by a script; "" for none."""
    refresh = extract.refresh
    if refresh is None or refresh.delay_s > MAX_REDIRECT_DELAY_S:
        return ""
    return "" if refresh.url == without_fragment(page.final_url) else refresh.url


async def open_rendering(
    configure: ConfigureWorker,
    fetcher: HttpFetcher,
    extract: ExtractPage,
    opened: AsyncExitStack,
    timings: BrowserTimings = USUAL_TIMINGS,
) -> RenderingFetcher:
    """A fetcher that renders pages, closed with `opened`."""
    settings = configure.settings
    renderer = None
    try:
        browsers = find_browsers(settings.browser)
    except UsageError as e:  # the chosen program is gone
        _log.warning("there is no browser", extra={"reason": str(e)})
        browsers = []
    if browsers:
        renderer = await opened.enter_async_context(PageRenderer(browsers[0], timings))
    scope = Scope(settings)
    texts = RobotsTexts(fetcher)
    robots = None
    if settings.obey_robots:
        robots = RobotsCache(texts, rules_for, settings.user_agent, lambda *_: None)
    pace = ResourcePoliteness(configure, scope.is_internal, partial(_crawl_delay_s, robots))
    logins = login_origins(settings)
    resources = PageResources(
        fetcher,
        robots=robots,
        excluded_by=scope.excluded_by,
        pace=pace,
        ends_session=lambda url: origin(url) in logins and bool(risky_url(url)),
    )
    return RenderingFetcher(fetcher, extract, renderer, resources, pace, texts, configure)


def _crawl_delay_s(robots: RobotsCache | None, url: str) -> float:
    rules = None if robots is None else robots.rules(url)
    return 0.0 if rules is None else rules.crawl_delay_s or 0.0
