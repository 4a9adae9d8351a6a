"""Pages whose scripts do what no page should do, each in a real browser."""

import asyncio
from functools import partial
from typing import NamedTuple, TypeAlias

import pytest

from gossamer.model.fields.rendering_fields import RenderOutcome
from gossamer.render import devtools_connection, page_network, page_renderer
from gossamer.render.devtools_connection import MessageSplitter
from gossamer.render.page_renderer import PageRenderer
from gossamer.render.page_requests import PageResponse
from gossamer.render.rendered_page import RenderedPage, RenderJob, RenderLimits
from tests.fakes.browsers import NEEDS_BROWSER, browser
from tests.fakes.processes import child_processes
from tests.integration.crawling import run
from tests.sites.odd_pages import (
    MAX_MESSAGE_BYTES,
    MAX_POPUPS,
    MAX_REQUESTS,
    SITE,
    OddPage,
    answer,
    odd_pages,
)

pytestmark = NEEDS_BROWSER
HTML = [("Content-Type", "text/html; charset=utf-8")]
FINE = OddPage("fine", "<p>before<script>document.body.append('fine')</script>", shows=("fine",))
GROUP_SIZE = 17
MAX_TAB_BYTES = 600_000_000
"""More than any page takes here but those that take memory without end, which are over sooner."""
DEADLINE_S = 240.0

Shown: TypeAlias = RenderedPage | BaseException


def job_of(page: OddPage) -> RenderJob:
    limits = RenderLimits(
        timeout_s=page.timeout_s,
        max_html_bytes=page.max_html_bytes,
        virtual_time=page.virtual_time,
        screenshot=True,
    )
    return RenderJob(page.url, PageResponse(200, HTML, page.html.encode()), limits)


def outcome_of(rendered: RenderedPage) -> RenderOutcome:
    if rendered.is_out_of_memory:
        return RenderOutcome.OUT_OF_MEMORY
    if rendered.is_crashed:
        return RenderOutcome.CRASHED
    return RenderOutcome.TIMED_OUT if rendered.is_timed_out else RenderOutcome.RENDERED


def check(page: OddPage, rendered: Shown) -> None:
    """What has become of a page is what had to."""
    if isinstance(rendered, BaseException):
        raise rendered
    html = rendered.html
    assert outcome_of(rendered) in {page.outcome, page.other_outcome}
    assert [text for text in page.shows if text not in html] == []
    assert [text for text in page.hides if text in html] == []
    assert rendered.html_is_cut is page.is_cut
    assert len(html) <= page.max_html_bytes
    assert rendered.redirect.removeprefix(SITE).startswith(page.redirect), rendered.redirect
    assert bool(rendered.redirect) is bool(page.redirect), rendered.redirect
    assert rendered.dialogs == page.dialogs
    assert len(rendered.popups) == page.popups
    assert rendered.requests <= page.most_requests
    assert {each.blocked_by for each in rendered.resources} <= {page.blocked_by}
    if page.address:
        assert rendered.final_url == SITE + page.address


class Group(NamedTuple):
    """Pages that a browser showed at the same time, and one after them. Or why it did not."""

    odd: dict[str, Shown]
    """By name."""
    other: Shown
    later: Shown


def groups_of(pages: list[OddPage]) -> list[list[OddPage]]:
    """Neighbours, which are odd in the same way, are not in the same one."""
    count = len(pages) // GROUP_SIZE + 1
    return [pages[first::count] for first in range(count)]


async def shown(renderer: PageRenderer, pages: list[OddPage]) -> list[Shown]:
    renderings = (renderer.render(job_of(page), answer) for page in pages)
    return await asyncio.gather(*renderings, return_exceptions=True)


async def all_shown() -> list[Group]:
    """All odd pages, group by group, in as few browsers as they leave alive."""
    found = []
    async with PageRenderer(browser()) as renderer:
        for group in groups_of(odd_pages()):
            *odd, other = await shown(renderer, [*group, FINE])
            (later,) = await shown(renderer, [FINE])
            names = (page.name for page in group)
            found.append(Group(dict(zip(names, odd, strict=True)), other, later))
    return found


@pytest.fixture(scope="module")
def groups() -> list[Group]:
    with pytest.MonkeyPatch.context() as patch:
        splitter = partial(MessageSplitter, MAX_MESSAGE_BYTES)
        patch.setattr(devtools_connection, "MessageSplitter", splitter)
        patch.setattr(page_renderer, "MAX_TAB_BYTES", MAX_TAB_BYTES)
        patch.setattr(page_network, "MAX_RESOURCES", MAX_REQUESTS)
        patch.setattr(page_network, "MAX_POPUPS", MAX_POPUPS)
        return run(all_shown(), DEADLINE_S)


@pytest.mark.parametrize("page", odd_pages(), ids=lambda page: page.name)
def test_an_odd_page_has_its_outcome_and_harms_no_other(page: OddPage, groups: list[Group]) -> None:
    (group,) = (group for group in groups if page.name in group.odd)
    check(page, group.odd[page.name])
    check(FINE, group.other)
    check(FINE, group.later)


def test_no_process_of_a_browser_is_left_of_odd_pages(groups: list[Group]) -> None:
    assert groups
    assert child_processes() == []


def test_the_names_of_odd_pages_are_distinct() -> None:
    names = [page.name for page in odd_pages()]
    assert len(names) == len(set(names))
