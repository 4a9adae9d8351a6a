"""Pages as values: what a page worker reports of one, and the names of the issues it has."""

from typing import Any, Final

from msgspec.structs import replace

from gossamer.audit.live_page_issues import page_issues
from gossamer.audit.rule_catalogue import RULES
from gossamer.audit.site_rule import AuditedPage
from gossamer.model.fields.indexability import Indexability
from gossamer.model.fields.page_facts import PageFacts
from gossamer.model.fields.page_flags import ContentFlag
from gossamer.model.outcome import Outcome
from gossamer.model.settings.crawl_settings import DEFAULTS, CrawlSettings
from gossamer.model.visit import Visit

ADDRESS: Final = "https://site.example/shoes"
GOOD_FACTS: Final = PageFacts(
    title="Red leather shoes, made by hand in Porto",
    title_pixels=400,
    description=(
        "Red leather shoes that last for years. Made to measure in Porto, sent within a week, and "
        "mended for free."
    ),
    description_pixels=700,
    h1="Red leather shoes",
    h2="How we make them",
    language="en",
    canonical=ADDRESS,
    viewport="width=device-width",
    word_count=400,
    sentence_count=40,
    syllable_count=520,
    text_length=2_400,
    heading_levels="12",
    markup=0,
    content=ContentFlag.JSON_LD,
    directives=0,
    structured_types="Product",
)
"""A page without issues."""


def issues_of(
    url: str = ADDRESS,
    settings: CrawlSettings = DEFAULTS,
    outcome: Outcome = Outcome.PAGE,
    status: int = 200,
    size_bytes: int = 10_000,
    raw_bytes: int = 0,
    **facts: Any,
) -> set[str]:
    """The full names of the page rules that hold for a good page with these facts changed.

    Unless told otherwise, it is canonical for itself.
    """
    page = replace(GOOD_FACTS, **{"canonical": url, **facts})
    visit = Visit(
        outcome,
        status,
        size_bytes=size_bytes,
        raw_bytes=raw_bytes,
        content_type="text/html",
        facts=page,
    )
    return {RULES[number].full_name(settings) for number in page_issues(url, visit, settings)}


def page_with(**facts: Any) -> AuditedPage:
    """A good page with these facts changed."""
    page = replace(GOOD_FACTS, **facts)
    visit = Visit(Outcome.PAGE, 200, content_type="text/html", facts=page)
    return AuditedPage(ADDRESS, visit, page, Indexability.INDEXABLE)
