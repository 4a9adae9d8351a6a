"""Rules about pagination: series of pages that rel=next and rel=prev connect."""

from functools import partial
from typing import Final

from gossamer.audit.rule_evidence import MatchingLinks, OtherUrl
from gossamer.audit.site_rule import (
    COUNT,
    HIGH,
    ISSUE,
    LOW,
    MEDIUM,
    WARNING,
    Listed,
    PageRule,
    PageScope,
    RuleGroup,
    SiteRule,
    StageRule,
    has_any,
    has_markup,
)
from gossamer.model.evidence_links import LinkTest
from gossamer.model.fields.indexability import Indexability
from gossamer.model.fields.page_facts import PageFields
from gossamer.model.fields.page_flags import MarkupFlag
from gossamer.model.link_kinds import LinkKind

_NEXT: Final = ("next_url", "next_header")
_PREV: Final = ("prev_url", "prev_header")


def _has_next(facts: PageFields) -> bool:
    return bool(facts.next_url or facts.next_header)


def _has_prev(facts: PageFields) -> bool:
    return bool(facts.prev_url or facts.prev_header)


_rule = partial(
    SiteRule,
    group=RuleGroup.PAGINATION,
    reference="https://developers.google.com/search/docs/specialty/ecommerce/pagination-and-incremental-page-loading",
    fields=("next_url", "prev_url", "next_header", "prev_header"),
)

CONTAINS_PAGINATION: Final = _rule(
    number=1100,
    name="Contains Pagination",
    kind=COUNT,
    priority=None,
    decision=has_markup(MarkupFlag.PAGINATION, PageScope.ALL),
    meaning='The page has rel="next" or rel="prev", in a <link> element or a Link header.',
    reason="Google no longer uses them, but other search engines and browsers may.",
    remedy="Nothing to do, if ordinary links lead to the pages of the series, too.",
)
FIRST_PAGE: Final = _rule(
    number=1101,
    name="First Page",
    kind=COUNT,
    priority=None,
    decision=PageRule(
        lambda page, _: _has_next(page.facts) and not _has_prev(page.facts),
        PageScope.ALL,
        facts=(*_NEXT, *_PREV),
    ),
    meaning='The first page of a series: it has rel="next", but no rel="prev".',
    reason="It is usually the page of the series that people should find first.",
    remedy="Nothing to do. There should be one for each series.",
)
LATER_PAGE: Final = _rule(
    number=1102,
    name="Paginated 2+ Pages",
    kind=COUNT,
    priority=None,
    decision=has_any(*_PREV, scope=PageScope.ALL),
    meaning='A later page of a series: it has rel="prev".',
    reason=(
        "Such pages lead crawlers to older items. They seldom need to appear in search results "
        "themselves."
    ),
    remedy="Nothing to do. Give each its own URL, and do not canonicalise it to the first page.",
)
NOT_IN_ANCHOR: Final = _rule(
    number=1103,
    evidence=OtherUrl("Pagination URL Not In Anchor"),
    name="Pagination URL Not In Anchor Tag",
    kind=ISSUE,
    priority=HIGH,
    decision=StageRule(Listed.PAGES, names_url=True),
    meaning='A URL in rel="next" or rel="prev" is not in an <a> link on the page as well.',
    reason=(
        "Google follows <a> links alone. Without one, it may never find the other page or the "
        "items on it."
    ),
    remedy="Add <a href> links to the next and the previous page. Visitors need them, too.",
    reference="https://developers.google.com/search/docs/crawling-indexing/links-crawlable",
)
NON_200: Final = _rule(
    number=1104,
    evidence=OtherUrl("Non-200 Pagination URL"),
    name="Non-200 Pagination URLs",
    kind=ISSUE,
    priority=HIGH,
    decision=StageRule(Listed.PAGES, names_url=True),
    meaning='A URL in rel="next" or rel="prev" does not return status code 200.',
    reason="The series is interrupted, so crawlers may not reach the pages behind the gap.",
    remedy=(
        "Correct the URL, or repair the page that it names. The last page of a series has no "
        'rel="next".'
    ),
)
UNLINKED: Final = _rule(
    number=1105,
    evidence=MatchingLinks("Named By", LinkTest((LinkKind.PAGINATION,), inbound=True)),
    name="Unlinked Pagination URLs",
    kind=ISSUE,
    priority=MEDIUM,
    decision=StageRule(Listed.TARGETS),
    meaning='This URL is named in rel="next" or rel="prev", but no page links to it.',
    reason="Search engines that ignore pagination markup cannot find the page.",
    remedy="Link to it with <a href> from other pages of the series.",
    reference="https://developers.google.com/search/docs/crawling-indexing/links-crawlable",
    fields=("status", "inlinks", "depth"),
)
NON_INDEXABLE: Final = _rule(
    number=1106,
    name="Non-Indexable",
    kind=WARNING,
    priority=HIGH,
    decision=PageRule(
        lambda page, _: (
            page.indexability is not Indexability.INDEXABLE
            and (_has_next(page.facts) or _has_prev(page.facts))
        ),
        PageScope.ALL,
        facts=(*_NEXT, *_PREV),
    ),
    meaning="The page belongs to a series, but is not indexable.",
    reason=(
        "Search engines rarely follow the links of such a page in the long run, so items that only "
        "it links to may not be found."
    ),
    remedy=(
        "Make the pages of the series indexable, each with its own URL as the canonical. An "
        "exception is a series whose canonical is a page with all items."
    ),
    fields=("robots", "robots_header", "canonical", "canonical_header", *_NEXT, *_PREV),
)
MULTIPLE: Final = _rule(
    number=1107,
    evidence=MatchingLinks("Pagination URLs", LinkTest((LinkKind.PAGINATION,))),
    name="Multiple Pagination URLs",
    kind=ISSUE,
    priority=LOW,
    decision=has_markup(MarkupFlag.MULTIPLE_PAGINATION, PageScope.ALL),
    meaning='The page has several rel="next", or several rel="prev", that name different URLs.',
    reason="It is not clear which page comes next, so the markup may be ignored.",
    remedy='Keep one rel="next" and one rel="prev".',
)
LOOP: Final = _rule(
    number=1108,
    name="Pagination Loop",
    kind=ISSUE,
    priority=LOW,
    decision=StageRule(Listed.PAGES),
    meaning=(
        'The rel="next" of one page after another leads back to this page, or their rel="prev" '
        "does."
    ),
    reason=(
        "The series has no end, so crawlers may go round in circles and miss the pages that should "
        "follow."
    ),
    remedy=(
        'Correct the one that leads back. The last page has no rel="next", the first no rel="prev".'
    ),
    definition="Every page of the loop is listed.",
)
SEQUENCE_ERROR: Final = _rule(
    number=1109,
    evidence=OtherUrl("Next Page Without Return"),
    name="Sequence Error",
    kind=ISSUE,
    priority=LOW,
    decision=StageRule(Listed.PAGES, names_url=True),
    meaning='The page that rel="next" names does not name this page in its rel="prev".',
    reason="The two pages contradict each other about their order, so the markup may be ignored.",
    remedy='Let rel="prev" of the next page name this page, with exactly the same URL.',
    definition="The listed page is the one whose rel=next has no matching rel=prev.",
)
