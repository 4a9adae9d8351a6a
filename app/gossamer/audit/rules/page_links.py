"""Rules about links: what a page links to, and how it is linked."""

from functools import partial
from typing import Final

from gossamer.audit.rule_evidence import MatchingLinks, MeasuredNumber
from gossamer.audit.site_rule import (
    HIGH,
    ISSUE,
    LOW,
    MEDIUM,
    OPPORTUNITY,
    WARNING,
    RuleGroup,
    SiteRule,
    StageRule,
    has_content,
)
from gossamer.extract.facts.generic_anchor_texts import generic_texts
from gossamer.model.evidence_links import LinkTest
from gossamer.model.fields.page_flags import ContentFlag
from gossamer.model.link_kinds import HYPERLINK_KINDS, INLINK_KINDS

_LOCAL: Final = (
    *("*://localhost[:/]*", "*://*.localhost[:/]*"),
    *("*://127.*", "*://0.0.0.0[:/]*", "*://[[]::1]*"),
)

_rule = partial(
    SiteRule,
    group=RuleGroup.LINKS,
    reference="https://developers.google.com/search/docs/crawling-indexing/links-crawlable",
    fields=("outlinks", "inlinks", "depth"),
)


def _is_generic(text: str, language: str | None) -> bool:
    return text != "" and bool(generic_texts(language).among([text]))


LOCALHOST: Final = _rule(
    number=1500,
    evidence=MatchingLinks(
        "Localhost Link", LinkTest(tuple(INLINK_KINDS), targets=_LOCAL, is_internal=False)
    ),
    name="Outlinks To Localhost",
    kind=ISSUE,
    priority=HIGH,
    decision=has_content(ContentFlag.LOCALHOST_LINK),
    meaning="The page has links to localhost or another loopback address.",
    reason=(
        "They work only on the computer of the person who made the page, and lead nowhere for "
        "everyone else."
    ),
    remedy="Replace them by links to the public site.",
    definition=(
        "When the site that is crawled is on such a host itself, its own hosts do not count."
    ),
)
NO_INTERNAL_OUTLINKS: Final = _rule(
    number=1501,
    name="Pages Without Internal Outlinks",
    kind=WARNING,
    priority=HIGH,
    decision=StageRule(is_live=True),
    meaning="The page has no links to other pages of the site.",
    reason=(
        "It is a dead end for visitors and crawlers. Or its links are made by JavaScript and "
        "cannot be seen in the HTML."
    ),
    remedy="Add links to related pages, such as a navigation, as <a href> in the HTML.",
)
UNCRAWLABLE: Final = _rule(
    number=1502,
    name="Pages With Uncrawlable Internal Outlinks",
    kind=WARNING,
    priority=HIGH,
    decision=has_content(ContentFlag.UNCRAWLABLE_LINK),
    meaning=(
        "The page has links that only work with JavaScript: javascript: URLs, or <a> without href "
        "but with onclick or routerLink."
    ),
    reason=(
        "Search engines follow <a> elements with a URL in href alone, so they may not find what "
        "these links lead to."
    ),
    remedy=(
        "Give each link an href with the URL of its target. Scripts may still handle the click. "
        "Use <button> for actions."
    ),
    definition=(
        "These count: javascript: URLs, and <a> elements with onclick or routerLink and without "
        "href. These do not: mailto:, tel: and #."
    ),
)
NON_INDEXABLE_INLINKS_ONLY: Final = _rule(
    number=1503,
    evidence=MatchingLinks("Linked From", LinkTest(HYPERLINK_KINDS, inbound=True)),
    name="Non-Indexable Page Inlinks Only",
    kind=WARNING,
    priority=HIGH,
    decision=StageRule(),
    meaning="Only pages that are not indexable link to this indexable page.",
    reason=(
        "Search engines visit such pages rarely and drop their links in time, so this page may "
        "lose its ranking or never be found."
    ),
    remedy="Link to it from at least one indexable page.",
)
HIGH_CRAWL_DEPTH: Final = _rule(
    number=1504,
    name="Pages With High Crawl Depth",
    kind=OPPORTUNITY,
    priority=MEDIUM,
    decision=StageRule(),
    meaning="The page is many clicks away from the start of the crawl.",
    reason="Visitors seldom click that far, and crawlers visit such pages less often.",
    remedy="Link to important pages from the home page, from categories or from related pages.",
    fields=("depth", "inlinks"),
    limit="crawl_depth_max",
    definition="Clicks from the start of the crawl count. Redirects cost none.",
)
MANY_INTERNAL_OUTLINKS: Final = _rule(
    number=1505,
    evidence=MeasuredNumber("Linked Internal URLs"),
    name="Pages With High Internal Outlinks",
    kind=WARNING,
    priority=LOW,
    decision=StageRule(is_live=True),
    meaning="The page links to very many other pages of the site.",
    reason=(
        "Visitors can hardly find their way among so many links, and each of them counts for less."
    ),
    remedy="Keep the links that help visitors of this page. Split long lists into several pages.",
    limit="internal_outlinks_max",
    definition="Distinct URLs count, and only more than the threshold is reported.",
)
MANY_EXTERNAL_OUTLINKS: Final = _rule(
    number=1506,
    evidence=MeasuredNumber("Linked External URLs"),
    name="Pages With High External Outlinks",
    kind=WARNING,
    priority=LOW,
    decision=StageRule(is_live=True),
    meaning="The page links to very many URLs of other sites.",
    reason=(
        "This may be fine, but it is also a sign of spam in comments, or of links that a plugin or "
        "an attacker has added."
    ),
    remedy=(
        'Check that you know all of these links. Mark those of users with rel="ugc" and paid ones '
        'with rel="sponsored".'
    ),
    reference="https://developers.google.com/search/docs/crawling-indexing/qualify-outbound-links",
    limit="external_outlinks_max",
    definition="Distinct URLs count, and only more than the threshold is reported.",
)
NOFOLLOW_OUTLINKS: Final = _rule(
    number=1507,
    evidence=MatchingLinks(
        "Nofollow Link",
        LinkTest(HYPERLINK_KINDS, rel="nofollow", is_internal=True, tells_text=True),
    ),
    name="Internal Nofollow Outlinks",
    kind=WARNING,
    priority=LOW,
    decision=has_content(ContentFlag.NOFOLLOW_LINK),
    meaning='The page has links with rel="nofollow" to other pages of the site.',
    reason=(
        "Search engines may ignore them, so the pages they lead to are found later and look less "
        "important."
    ),
    remedy=(
        "Remove nofollow from internal links. To keep pages out of search results, use noindex "
        "instead."
    ),
    reference="https://developers.google.com/search/docs/crawling-indexing/qualify-outbound-links",
    definition=(
        "The attribute rel=nofollow counts, also in a list with commas, as Google reads it. A "
        "robots meta element does not, nor do sponsored and ugc."
    ),
)
NOFOLLOW_INLINKS_ONLY: Final = _rule(
    number=1508,
    evidence=MatchingLinks("Nofollow Link From", LinkTest(HYPERLINK_KINDS, inbound=True)),
    name="Internal Nofollow Inlinks Only",
    kind=WARNING,
    priority=LOW,
    decision=StageRule(),
    meaning="All links to this page from other pages of the site are nofollow.",
    reason="Search engines may not find the page, or take it for an unimportant one.",
    remedy="Remove nofollow from links to this page if it should be found.",
    reference="https://developers.google.com/search/docs/crawling-indexing/qualify-outbound-links",
    definition=(
        "A page is read if the settings follow nofollow links, or if a sitemap names it. Otherwise "
        "it is among the skipped URLs, with the reason that all links to it are nofollow."
    ),
)
MIXED_NOFOLLOW_INLINKS: Final = _rule(
    number=1509,
    evidence=MatchingLinks(
        "Nofollow Link From", LinkTest(HYPERLINK_KINDS, rel="nofollow", inbound=True)
    ),
    name="Follow & Nofollow Internal Inlinks To Page",
    kind=WARNING,
    priority=LOW,
    decision=StageRule(),
    meaning="Some pages of the site link to this page with nofollow, and others without.",
    reason=(
        "Nofollow has no effect here, as search engines follow the other links. It is often left "
        "over or added by mistake."
    ),
    remedy="Decide whether the links are to be followed, and treat them all alike.",
    reference="https://developers.google.com/search/docs/crawling-indexing/qualify-outbound-links",
)
NO_ANCHOR_TEXT: Final = _rule(
    number=1510,
    evidence=MatchingLinks(
        "Link Without Text", LinkTest(HYPERLINK_KINDS, is_textless=True, is_internal=True)
    ),
    name="Internal Outlinks With No Anchor Text",
    kind=OPPORTUNITY,
    priority=LOW,
    decision=has_content(ContentFlag.NO_ANCHOR_TEXT),
    meaning="The page has internal links without text, alternative text or aria-label.",
    reason=(
        "The text of a link tells visitors, screen readers and search engines what its target is "
        "about."
    ),
    remedy=(
        "Give each link a text. Where an image is the link, describe the target in its alt "
        "attribute."
    ),
    definition=(
        "An aria-label, also of an element in the link, the text that aria-labelledby leads to and "
        "the alternative text of an image count as anchor text."
    ),
)
GENERIC_ANCHOR_TEXT: Final = _rule(
    number=1511,
    evidence=MatchingLinks(
        "Non-Descriptive Link",
        LinkTest(
            HYPERLINK_KINDS,
            is_internal=True,
            to_itself=False,
            tells_text=True,
            accepts=_is_generic,
        ),
    ),
    name="Non-Descriptive Anchor Text In Internal Outlinks",
    kind=OPPORTUNITY,
    priority=LOW,
    decision=has_content(ContentFlag.GENERIC_ANCHOR_TEXT),
    meaning=(
        'The page has internal links whose text says nothing about the target, such as "click '
        'here" or "read more".'
    ),
    reason=(
        "Visitors who skim, screen readers that list links, and search engines all rely on the "
        "text of links."
    ),
    remedy='Name the target in the text of the link, such as "delivery times".',
    definition=(
        "Links to a section of the same page do not count: their text is that of its heading."
    ),
)
