"""Rules about XML sitemaps and the URLs in them."""

from functools import partial
from typing import Final

from gossamer.audit.rule_evidence import MatchingLinks, MeasuredNumber
from gossamer.audit.site_rule import (
    COUNT,
    HIGH,
    ISSUE,
    LOW,
    MEDIUM,
    OPPORTUNITY,
    WARNING,
    Listed,
    RuleGroup,
    SiteRule,
    StageRule,
)
from gossamer.model.evidence_links import LinkTest
from gossamer.model.fields.field_declaration import FieldKind
from gossamer.model.link_kinds import LinkKind

IN_SITEMAPS: Final = MatchingLinks("Sitemap", LinkTest((LinkKind.SITEMAP,), inbound=True))

_rule = partial(
    SiteRule,
    group=RuleGroup.SITEMAPS,
    reference="https://developers.google.com/search/docs/crawling-indexing/sitemaps/build-sitemap",
    fields=("status", "depth", "inlinks"),
)

IN_SITEMAP: Final = _rule(
    number=1900,
    evidence=IN_SITEMAPS,
    name="URLs in Sitemap",
    kind=COUNT,
    priority=None,
    decision=StageRule(Listed.INTERNAL_URLS),
    meaning="The URL is listed in an XML sitemap.",
    reason="Sitemaps help search engines to find URLs and to notice changes.",
    remedy="Nothing to do.",
)
NOT_IN_SITEMAP: Final = _rule(
    number=1901,
    name="URLs not in Sitemap",
    kind=OPPORTUNITY,
    priority=MEDIUM,
    decision=StageRule(),
    meaning="The page is indexable, but no sitemap of the site lists it.",
    reason="Search engines may find it later, above all on a large or new site.",
    remedy="Add the URL to a sitemap, or make the page noindex if it should not be found.",
)
ORPHAN: Final = _rule(
    number=1902,
    evidence=IN_SITEMAPS,
    name="Orphan URLs",
    kind=ISSUE,
    priority=MEDIUM,
    decision=StageRule(Listed.INTERNAL_URLS),
    meaning="A sitemap lists the URL, but no crawled page links to it.",
    reason=(
        "Visitors cannot reach it by clicks, and search engines take a page without internal links "
        "for an unimportant one."
    ),
    remedy=(
        "Link to it from a related page, or remove it from the sitemap if it is no longer needed."
    ),
    definition="A page that only other orphans link to is not one.",
)
NON_INDEXABLE: Final = _rule(
    number=1903,
    evidence=IN_SITEMAPS,
    name="Non-Indexable URLs in Sitemap",
    kind=ISSUE,
    priority=MEDIUM,
    decision=StageRule(Listed.INTERNAL_URLS),
    meaning=(
        "A sitemap lists the URL, but it is not indexable: it redirects, is broken, blocked, "
        "noindex or canonicalised."
    ),
    reason=(
        "Sitemaps should list only URLs that you want in search results. If many are wrong, search "
        "engines trust the sitemap less."
    ),
    remedy="Remove the URL from the sitemap, or make it indexable.",
    fields=("status", "robots", "robots_header", "canonical", "canonical_header"),
)
MULTIPLE_SITEMAPS: Final = _rule(
    number=1904,
    evidence=IN_SITEMAPS,
    name="URLs in Multiple Sitemaps",
    kind=WARNING,
    priority=LOW,
    decision=StageRule(Listed.INTERNAL_URLS),
    meaning="More than one sitemap lists the URL.",
    reason=(
        "This is not wrong, but the sitemaps may disagree about its last change, and reports per "
        "sitemap count it twice."
    ),
    remedy="List each URL in one sitemap.",
    definition="A URL that occurs twice in one sitemap does not count.",
)
TOO_MANY_URLS: Final = _rule(
    number=1905,
    evidence=MeasuredNumber("Entries"),
    name="XML Sitemap With Over 50k URLs",
    kind=ISSUE,
    priority=HIGH,
    decision=StageRule(Listed.SITEMAPS),
    meaning="The sitemap lists more than 50,000 URLs.",
    reason=(
        "This is more than the standard allows, so search engines may ignore the rest or the whole "
        "sitemap."
    ),
    remedy="Split it into several sitemaps, and list these in a sitemap index.",
    reference="https://www.sitemaps.org/protocol.html",
    fields=("size_bytes",),
)
TOO_LARGE: Final = _rule(
    number=1906,
    evidence=MeasuredNumber("Size", FieldKind.SIZE),
    name="XML Sitemap Over 50MB",
    kind=ISSUE,
    priority=HIGH,
    decision=StageRule(Listed.SITEMAPS),
    meaning="The sitemap is larger than 50 MB (52,428,800 bytes) when uncompressed.",
    reason=(
        "This is more than the standard allows, so search engines may ignore the rest or the whole "
        "sitemap."
    ),
    remedy="Split it into several sitemaps, and list these in a sitemap index.",
    reference="https://www.sitemaps.org/protocol.html",
    fields=("size_bytes",),
)
