"""Pages whose scripts do what no page should do, each in a real browser."""

import asyncio

import pytest

from gossamer.model.fields.rendering_fields import RenderOutcome
from gossamer.render.page_renderer import PageRenderer
from gossamer.render.page_requests import PageResponse
from gossamer.render.rendered_page import RenderedPage, RenderJob, RenderLimits
from tests.fakes.browsers import NEEDS_BROWSER, browser
from tests.fakes.processes import child_processes
from tests.integration.crawling import run
from tests.sites.odd_pages import SITE, OddPage, answer, odd_pages

pytestmark = NEEDS_BROWSER
HTML = [("Content-Type", "text/html; charset=utf-8")]
FINE = OddPage("fine", "<p>before<script>document.body.append('fine')</script>", shows=("fine",))


def job_of(page: OddPage) -> RenderJob:
    limits = RenderLimits(timeout_s=page.timeout_s, max_html_bytes=page.max_html_bytes)
    return RenderJob(page.url, PageResponse(200, HTML, page.html.encode()), limits)


def outcome_of(rendered: RenderedPage) -> RenderOutcome:
    if rendered.is_crashed:
        return RenderOutcome.CRASHED
    return RenderOutcome.TIMED_OUT if rendered.is_timed_out else RenderOutcome.RENDERED


def check(page: OddPage, rendered: RenderedPage) -> None:
    """What has become of a page is what had to."""
    html = rendered.html
    assert outcome_of(rendered) is page.outcome
    assert [text for text in page.shows if text not in html] == []
    assert [text for text in page.hides if text in html] == []
    assert rendered.html_is_cut is page.is_cut
    assert len(html) <= page.max_html_bytes
    assert rendered.redirect.removeprefix(SITE).startswith(page.redirect or "\0") is bool(
        page.redirect
    ), rendered.redirect
    assert rendered.dialogs == page.dialogs
    assert len(rendered.popups) == page.popups
    assert rendered.requests <= page.most_requests
    assert {each.blocked_by for each in rendered.resources} <= {page.blocked_by}
    if page.address:
        assert rendered.final_url == SITE + page.address


async def beside(page: OddPage) -> tuple[RenderedPage, RenderedPage, RenderedPage]:
    """An odd page, one that is shown at the same time, and one that is shown after both."""
    async with PageRenderer(browser()) as renderer:
        odd, other = await asyncio.gather(
            renderer.render(job_of(page), answer), renderer.render(job_of(FINE), answer)
        )
        return odd, other, await renderer.render(job_of(FINE), answer)


@pytest.mark.parametrize("page", odd_pages(), ids=lambda page: page.name)
def test_an_odd_page_has_its_outcome_and_harms_no_other(page: OddPage) -> None:
    odd, other, later = run(beside(page))
    check(page, odd)
    check(FINE, other)
    check(FINE, later)
    assert child_processes() == []


def test_the_names_of_odd_pages_are_distinct() -> None:
    names = [page.name for page in odd_pages()]
    assert len(names) == len(set(names))
