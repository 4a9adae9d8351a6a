"""Assembles all facts of a parsed page."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from gossamer.extract.facts.canonicals_and_pagination import (
    NAMING,
    canonical_facts,
    other_version_facts,
    pagination_facts,
)
from gossamer.extract.facts.element_facts import element_facts
from gossamer.extract.facts.hreflang_alternates import hreflang_facts
from gossamer.extract.facts.link_facts import CrawledSite, link_facts
from gossamer.extract.facts.markup_validity import amp_facts, language_facts, shape_facts
from gossamer.extract.facts.placeholder_text import placeholder_facts
from gossamer.extract.facts.robots_and_refreshes import meta_facts, refresh_facts, robots_facts
from gossamer.extract.facts.security_headers import (
    content_type_facts,
    cookie_facts,
    security_header_facts,
)
from gossamer.extract.facts.structured_data_facts import structured_data_facts
from gossamer.extract.facts.titles_and_headings import (
    description_facts,
    heading_facts,
    keyword_facts,
    title_facts,
)
from gossamer.extract.facts.topic_facts import (
    NOTHING,
    FactElements,
    PageContent,
    TopicFacts,
    fact_elements,
)
from gossamer.extract.link_header import HeaderLink, link_header
from gossamer.extract.phrase_hashes import MAX_PHRASES, phrase_hashes_in
from gossamer.extract.relevant_headers import JudgedHeaders
from gossamer.model.fields.page_facts import PageFacts
from gossamer.model.fields.page_flags import ContentFlag
from gossamer.urls.url_joining import Base
from gossamer.urls.url_parsing import origin

_ANCHORS_CUT = int(ContentFlag.ANCHORS_CUT)


class PageOrigin(NamedTuple):
    """Where a page came from, and which crawler requested it.

    `address` is the serialised `url`, percent-decoded; relative URLs are relative to `base`.
    `robot` is the crawler's name in meta elements and X-Robots-Tag, in lower case.
    """

    url: str
    base: Base
    headers: JudgedHeaders
    robot: str
    address: bytes
    site: CrawledSite


def read_facts(page: PageContent, source: PageOrigin, content_hash: bytes) -> PageFacts:
    """The facts of a page; `content_hash` is that of its body."""
    parsed = page.parsed
    elements = fact_elements(parsed)
    own_origin = origin(source.url)
    headers = source.headers
    header_links = link_header(headers["link"], source.url) if "link" in headers else []
    topics = (
        shape_facts(parsed.shape),
        amp_facts(page.markup),
        language_facts(parsed.language),
        title_facts(elements),
        description_facts(elements),
        keyword_facts(elements),
        heading_facts(elements),
        meta_facts(elements),
        robots_facts(elements, source.robot, headers.get("x-robots-tag", ())),
        *_url_topics(elements, header_links, source),
        refresh_facts(elements, source.base, source.url, headers.get("refresh", [""])[0]),
        security_header_facts(headers, source.url),
        content_type_facts(headers.get("content-type", ()), page.markup),
        cookie_facts(headers.get("set-cookie", ())),
        element_facts(parsed, source.base, own_origin),
        link_facts(page, source.site, source.url, own_origin),
        placeholder_facts(page.markup, parsed.shape),
        structured_data_facts(parsed, page.markup),
    )
    values: dict[str, Any] = {}
    markup = directives = 0
    content = _ANCHORS_CUT if parsed.are_anchors_cut else 0
    for topic in topics:
        if topic is not NOTHING:
            values.update(topic.values)
            markup |= topic.markup
            content |= topic.content
            directives |= topic.directives
    phrases = parsed.phrases
    if len(phrases) < MAX_PHRASES:  # it has little text: its description counts too
        said = filter(None, (values.get("title"), values.get("description")))
        phrases = phrase_hashes_in(said, source.address, phrases)
    return PageFacts(
        **values,
        word_count=parsed.words,
        sentence_count=parsed.sentences,
        syllable_count=parsed.syllables,
        text_length=parsed.text_length,
        sketch=parsed.sketch,
        anchor_ids=parsed.anchor_ids,
        content_hash=content_hash,
        markup=markup,
        content=content,
        directives=directives,
        phrases=phrases,
    )


def _url_topics(
    elements: FactElements, links: Sequence[HeaderLink], source: PageOrigin
) -> list[TopicFacts]:
    """A page's facts about its other URLs; takes hardly any time if it names none."""
    if not links and NAMING.isdisjoint(elements.links):
        return []
    return [
        canonical_facts(elements, links, source.base, source.url),
        pagination_facts(elements, links, source.base),
        other_version_facts(elements, source.base),
        hreflang_facts(elements, links),
    ]
