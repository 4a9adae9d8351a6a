"""The page worker process: fetches URLs over HTTP and extracts what pages contain."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from functools import partial
from typing import TYPE_CHECKING, Final, TypeAlias

from msgspec.structs import replace

from gossamer.audit.live_response_issues import with_issues
from gossamer.extract.facts.link_facts import CrawledSite
from gossamer.extract.html_page import extract, header_links
from gossamer.extract.risky_link_attributes import RiskWords
from gossamer.extract.style_sheets import style_sheet_links
from gossamer.fetch.body_readers import ExtractPage
from gossamer.fetch.fetcher import HttpFetcher
from gossamer.fetch.open_file_limit import raise_limit
from gossamer.fetch.set_cookie_header import CookieHeaders
from gossamer.model.messages.worker_messages import ConfigureWorker, Fetch, Fetched, FetchKind
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.stored_text_limit import MAX_TEXT_BYTES
from gossamer.model.text_errors import decode_errors, encode_errors
from gossamer.model.visit import Visit
from gossamer.page_worker.page_fetchers import PageFetcher, StoredRenderings
from gossamer.page_worker.worker_job_loop import JobRunner, work_for_parent
from gossamer.robots.product_token import product_token
from gossamer.urls.scope_and_limits import Scope

if TYPE_CHECKING:
    from gossamer.archive.warc_writer import WarcWriter
    from gossamer.fetch.languagetool import GrammarServer

_SUCCESS: Final = 2


OpenRendering: TypeAlias = Callable[
    [ConfigureWorker, HttpFetcher, ExtractPage, AsyncExitStack], Awaitable[PageFetcher]
]
"""Opens what renders pages; it is closed with the stack."""


class _UnrenderedPages:
    """Fetches pages as they are."""

    def __init__(self, fetcher: HttpFetcher) -> None:
        self._fetcher = fetcher

    async def take_turn(self, url: str) -> None:
        """The crawl host sends jobs at the pace of the crawl."""

    async def fetch(self, job: Fetch, cookies: CookieHeaders) -> Visit:
        return await self._fetcher.fetch(job.url, cookies, job.mode, job.conditions)

    def note_text(self, url: str, visit: Visit, text: str) -> None:
        """Ignored here."""

    def reconfigure(self, configure: ConfigureWorker) -> None:
        """Nothing to do: the fetcher gets the settings separately."""

    def take_archive(self, responses: StoredRenderings) -> None:
        """Nothing to do: nothing is rendered."""


class HttpJobRunner:
    """Runs each job as one HTTP request."""

    def __init__(
        self,
        fetcher: HttpFetcher,
        settings: CrawlSettings,
        is_internal: Callable[[str], bool],
        grammar: "GrammarServer | None" = None,
        pages: PageFetcher | None = None,
        archive: "WarcWriter | None" = None,
    ) -> None:
        """Fetcher and grammar checker are open; settings and `is_internal` are for the audit.

        `pages` fetches pages instead of the fetcher, whose `archive` this is.
        """
        self._fetcher = fetcher
        self._settings = settings
        self._is_internal = is_internal
        self._grammar = grammar
        self._pages = pages or _UnrenderedPages(fetcher)
        self._archive = archive

    async def drop(self) -> None:
        """Return when no connection is open any more, and no file of the archive."""
        await self._fetcher.drop()
        if self._archive is not None:
            self._archive.close()

    def reconfigure(self, configure: ConfigureWorker) -> None:
        """Apply another timeout, another rate and other thresholds of the audit."""
        self._fetcher.set_timeout(configure.settings.timeout_s)
        self._pages.reconfigure(configure)
        self._settings = configure.settings

    async def run(self, job: Fetch) -> Fetched:
        """Request the URL of the job, and read the response as the job wants."""
        archive = self._archive
        if archive is None:
            return await self._run(job)
        archive.note_path(job.url, job.path)
        try:
            return await self._run(job)
        finally:
            archive.forget(job.url)

    async def _run(self, job: Fetch) -> Fetched:
        fetcher = self._fetcher
        cookies = CookieHeaders(job.cookies)
        text = ""
        await self._pages.take_turn(job.url)
        match job.kind:
            case FetchKind.PAGE:
                visit = await self._pages.fetch(job, cookies)
                if self._grammar is not None:
                    visit = await with_grammar(visit, self._grammar)
            case FetchKind.CHECK:
                visit = await fetcher.check(job.url, cookies, job.mode, job.conditions)
            case FetchKind.SITEMAP:
                from gossamer.sitemaps.sitemap_reader import read_sitemap  # noqa: PLC0415 - many sites have none

                visit = await fetcher.fetch_sitemap(
                    job.url, read_sitemap, cookies, job.mode, job.conditions
                )
                if self._grammar is not None:  # it may be a page
                    visit = await with_grammar(visit, self._grammar)
            case FetchKind.TEXT:
                visit, text = await fetcher.fetch_text(
                    job.url, cookies=cookies, conditions=job.conditions
                )
                self._pages.note_text(job.url, visit, text)
        # What a robots.txt fails with counts for the URLs that wait for it.
        visit = with_issues(job.url, visit, self._settings, self._is_internal)
        shown = await fetcher.new_certificates()
        return Fetched(job.job, visit, text, cookies.received, shown)


def _act_words(settings: CrawlSettings) -> RiskWords | None:
    """What recognises links that sign out or delete, in a crawl with a login."""
    if settings.follow_sign_out or not settings.needs_secrets:
        return None
    from gossamer.engine.risky_words import risky_icon, risky_text  # noqa: PLC0415 - few crawls have one

    return RiskWords(risky_text, risky_icon)


@asynccontextmanager
async def open_runner(
    configure: ConfigureWorker, open_rendering: OpenRendering | None = None
) -> AsyncIterator[JobRunner]:
    """A runner for a crawl with these settings and secrets."""
    settings = configure.settings
    robot = product_token(settings.user_agent)
    scope = Scope(settings)
    site = CrawledSite(scope.is_internal, scope.host_names)
    proofread = None
    if settings.proofreads_pages:
        from gossamer.proofreading.proofreader import Proofreader  # noqa: PLC0415 - it is off by default

        proofread = Proofreader(settings)
    async with AsyncExitStack() as opened:
        grammar = None
        if settings.languagetool:
            from gossamer.fetch.languagetool import GrammarServer  # noqa: PLC0415 - likewise

            grammar = await opened.enter_async_context(GrammarServer(settings.languagetool))
        apply_patterns = None
        if settings.definitions:
            from gossamer.page_worker.pattern_process import PatternProcess  # noqa: PLC0415 - likewise

            patterns = PatternProcess(settings)
            opened.push_async_callback(patterns.close)
            apply_patterns = patterns.results
        read_page = partial(
            extract,
            parser=settings.parser,
            max_links=settings.max_links,
            robot=robot,
            content_exclude=settings.content_exclude,
            site=site,
            proofread=proofread,
            text_bytes=MAX_TEXT_BYTES if settings.full_text_search else 0,
            acts=_act_words(settings),
            hash_routes=settings.crawls_hash_routes,
        )
        responses = make_client = None
        if settings.source is not None:
            from gossamer.fetch.archive_client import ArchiveClient  # noqa: PLC0415 - likewise
            from gossamer.page_worker.archive_job_runner import ArchivedResponses, ArchiveJobRunner  # noqa: PLC0415 - likewise

            responses = opened.enter_context(ArchivedResponses(settings.source, scope.is_internal))
            make_client = partial(ArchiveClient, responses)
        archive = _opened_archive(configure, opened)
        fetcher = HttpFetcher(
            settings,
            read_page,
            secrets=configure.secrets,
            robot=robot,
            header_links=partial(header_links, max_links=settings.max_links),
            read_style_sheet=(
                partial(style_sheet_links, max_links=settings.max_links)
                if settings.reads_style_sheets
                else None
            ),
            apply_patterns=apply_patterns,
            make_client=make_client,
            archive=archive,
        )
        await opened.enter_async_context(fetcher)
        pages = None
        if open_rendering is not None:
            pages = await open_rendering(configure, fetcher, read_page, opened)
        runner = HttpJobRunner(fetcher, settings, scope.is_internal, grammar, pages, archive)
        yield runner if responses is None else ArchiveJobRunner(runner, responses, settings, pages)


def _opened_archive(configure: ConfigureWorker, opened: AsyncExitStack) -> "WarcWriter | None":
    """The archive that keeps the responses, if wanted; it is closed with the stack."""
    if configure.archive is None:
        return None
    from gossamer.archive.warc_writer import WarcWriter  # noqa: PLC0415 - it is off by default

    archive = WarcWriter(configure.archive, configure.settings)
    opened.callback(archive.close)
    return archive


async def with_grammar(visit: Visit, server: "GrammarServer") -> Visit:
    """The visit with the server's result for its text; the text itself goes no further."""
    facts = visit.facts
    if facts is None or facts.prose is None:
        return visit
    found: dict[str, str | None] = {}
    result = await server.check(facts.prose) if _is_success(visit.status) else None
    if result is not None:
        errors = [*decode_errors(facts.text_errors), *result.errors]
        found = {"grammar_language": result.language, "text_errors": encode_errors(errors)}
    return replace(visit, facts=replace(facts, prose=None, **found))


def _is_success(status: int | None) -> bool:
    return status is not None and status // 100 == _SUCCESS


async def main(import_rendering: Callable[[], OpenRendering]) -> int:
    """Serve the process that started this one until it goes.

    A worker that was started in advance learns only by the settings whether it is to render.
    """

    def opened(configure: ConfigureWorker) -> AbstractAsyncContextManager[JobRunner]:
        renders = configure.settings.renders_pages
        return open_runner(configure, import_rendering() if renders else None)

    raise_limit()
    return await work_for_parent(opened)
