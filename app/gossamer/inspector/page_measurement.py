"""Measures on request how one page loads, each time with a new browser and an empty cache."""

from contextlib import AsyncExitStack
from typing import Final

from msgspec.structs import replace

from gossamer.fetch.body_readers import ExtractPage
from gossamer.fetch.fetcher import HttpFetcher
from gossamer.fetch.set_cookie_header import CookieHeaders
from gossamer.model.errors import KnownError
from gossamer.model.messages.page_contents_messages import PageFetchOutcome
from gossamer.model.messages.page_load_messages import LoadReport, LoadRun, MeasurePage
from gossamer.model.messages.worker_messages import ConfigureWorker, Fetch
from gossamer.model.outcome import Outcome
from gossamer.model.page_load_limits import MAX_RUNS
from gossamer.model.settings.rendering_choices import RenderMode
from gossamer.model.visit import Visit
from gossamer.page_worker.rendering_fetcher import open_rendering
from gossamer.render.browser_discovery import find_browsers
from gossamer.render.browser_installation import NO_BROWSER

_OF_RENDERING: Final = tuple(name for name in LoadRun.__struct_fields__ if name != "ttfb_ms")


async def measured_page(
    request: MeasurePage, configured: ConfigureWorker, fetcher: HttpFetcher, extract: ExtractPage
) -> LoadReport:
    """How a page loads now, whatever the settings say about rendering."""
    settings = replace(
        configured.settings, render=RenderMode.ON, lab_metrics=True, screenshots=False
    )
    outcome, runs = PageFetchOutcome(Outcome.PENDING), list[LoadRun]()
    try:
        browsers = find_browsers(settings.browser)
    except KnownError as e:  # the chosen one is gone
        return LoadReport(request.number, request.url, outcome, reason=e.said)
    if not browsers:
        return LoadReport(request.number, request.url, outcome, reason=KnownError(NO_BROWSER).said)
    configured = replace(configured, settings=settings)
    for _ in range(min(request.runs, MAX_RUNS)):
        async with AsyncExitStack() as opened:
            pages = await open_rendering(configured, fetcher, extract, opened)
            visit = await pages.fetch(Fetch(0, request.url), CookieHeaders(""))
        outcome = PageFetchOutcome(
            visit.outcome, visit.status, visit.detail, visit.is_page_read, visit.truncated
        )
        run = _run_of(visit)
        if run is None:
            break
        runs.append(run)
    return LoadReport(request.number, request.url, outcome, runs)


def _run_of(visit: Visit) -> LoadRun | None:
    """The measured run; None if the page was not shown."""
    rendering = visit.rendering
    if rendering is None or rendering.tbt_ms is None:
        return None
    return LoadRun(visit.ttfb_ms, *(getattr(rendering, name) for name in _OF_RENDERING))
