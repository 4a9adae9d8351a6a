"""The page worker process: fetches URLs over HTTP and extracts what pages contain."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial

from msgspec.structs import replace

from gossamer.audit.page_audit import page_issues
from gossamer.extract.facts.link_remarks import CrawledSite
from gossamer.extract.html_page import extract, header_links
from gossamer.fetch.fetcher import HttpFetcher
from gossamer.fetch.open_file_limit import raise_limit
from gossamer.fetch.set_cookie_header import CookieHeaders
from gossamer.host.worker_job_loop import JobRunner, work_for_parent
from gossamer.model.messages.worker_messages import ConfigureWorker, Fetch, Fetched, FetchKind
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.robots.robots_txt import product_token
from gossamer.sitemaps.sitemap_reader import read_sitemap
from gossamer.urls.crawl_scope import Scope


class HttpJobRunner:
    """Runs each job as one HTTP request."""

    def __init__(self, fetcher: HttpFetcher, settings: CrawlSettings) -> None:
        """Take the fetcher, which is open, and the settings with the thresholds of the audit."""
        self._fetcher = fetcher
        self._settings = settings
        self.drop = fetcher.drop

    def change_settings(self, settings: CrawlSettings) -> None:
        """Go on by another timeout and other thresholds of the audit."""
        self._fetcher.set_timeout(settings.timeout_s)
        self._settings = settings

    async def run(self, job: Fetch) -> Fetched:
        """Ask for the URL of the job, and read the answer as it is wanted."""
        fetcher = self._fetcher
        cookies = CookieHeaders(job.cookies)
        text = ""
        match job.kind:
            case FetchKind.PAGE:
                visit = await fetcher.fetch(job.url, cookies, job.mode)
                if found := page_issues(job.url, visit, self._settings):
                    visit = replace(visit, issues=found)
            case FetchKind.CHECK:
                visit = await fetcher.check(job.url, cookies, job.mode)
            case FetchKind.SITEMAP:
                visit = await fetcher.fetch_sitemap(job.url, read_sitemap, cookies, job.mode)
            case FetchKind.TEXT:
                visit, text = await fetcher.fetch_text(job.url, cookies=cookies)
        return Fetched(job.job, visit, text, cookies.received)


@asynccontextmanager
async def open_runner(configure: ConfigureWorker) -> AsyncIterator[JobRunner]:
    """A runner for a crawl with these settings and secrets."""
    settings = configure.settings
    max_links = settings.max_links
    robot = product_token(settings.user_agent)
    scope = Scope(settings)
    site = CrawledSite(scope.is_internal, scope.host_names)
    async with HttpFetcher(
        settings,
        partial(
            extract,
            parser=settings.parser,
            max_links=max_links,
            robot=robot,
            content_exclude=settings.content_exclude,
            site=site,
        ),
        secrets=configure.secrets,
        robot=robot,
        header_links=partial(header_links, max_links=max_links),
    ) as fetcher:
        yield HttpJobRunner(fetcher, settings)


async def main() -> int:
    """Serve the process that started this one until it goes."""
    raise_limit()
    return await work_for_parent(open_runner)
