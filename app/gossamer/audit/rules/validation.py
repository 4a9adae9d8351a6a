"""Rules about the validity and the size of documents."""

from functools import partial
from typing import Final

from gossamer.audit.rule_evidence import MatchingLinks
from gossamer.audit.site_rule import (
    HIGH,
    ISSUE,
    LOW,
    OPPORTUNITY,
    WARNING,
    Listed,
    PageRule,
    RuleGroup,
    SiteRule,
    StageRule,
    has_markup,
    of_whole_page,
)
from gossamer.model.evidence_links import LinkTest
from gossamer.model.fields.derived_measures import HIGH_CARBON_BYTES
from gossamer.model.fields.page_flags import MarkupFlag
from gossamer.model.settings.limit_settings import MIB

_rule = partial(
    SiteRule,
    group=RuleGroup.VALIDATION,
    reference="https://developers.google.com/search/docs/crawling-indexing/valid-page-metadata",
    fields=(),
)

INVALID_IN_HEAD: Final = _rule(
    number=2000,
    name="Invalid HTML Elements In <head>",
    kind=WARNING,
    priority=HIGH,
    decision=has_markup(MarkupFlag.INVALID_IN_HEAD),
    meaning=(
        "The <head> has an element that is not allowed there, such as <div>, <img> or <iframe>."
    ),
    reason=(
        "It ends the head: browsers and search engines take everything after it for the body, and "
        "may ignore titles, canonicals, robots and hreflang elements there."
    ),
    remedy=(
        "Move the element into <body>, or at least to the end of <head>. Allowed are title, meta, "
        "link, script, style, base, noscript and template."
    ),
)
BODY_BEFORE_HTML: Final = _rule(
    number=2001,
    name="<body> Element Preceding <html>",
    kind=WARNING,
    priority=HIGH,
    decision=has_markup(MarkupFlag.BODY_BEFORE_HTML),
    meaning="A <body> tag stands before the <html> tag.",
    reason=(
        "Browsers begin the body there, so all that should be in the head ends up in the body and "
        "may be ignored."
    ),
    remedy=(
        "Put <!DOCTYPE html>, <html> and <head> first. Often a file that is included too early "
        "writes the <body>."
    ),
)
HEAD_NOT_FIRST: Final = _rule(
    number=2002,
    name="<head> Not First In <html> Element",
    kind=WARNING,
    priority=HIGH,
    decision=has_markup(MarkupFlag.HEAD_NOT_FIRST),
    meaning="Something other than <head> comes first in the <html> element.",
    reason=(
        "It may begin the body early. What stands in <head> then ends up in the body and may be "
        "ignored."
    ),
    remedy="Let <head> follow the <html> tag directly.",
)
MISSING_HEAD: Final = _rule(
    number=2003,
    name="Missing <head> Tag",
    kind=ISSUE,
    priority=HIGH,
    decision=of_whole_page(has_markup(MarkupFlag.MISSING_HEAD)),
    meaning="The HTML has no <head> tag.",
    reason=(
        "Browsers add a head, but it ends at the first element that is not allowed in it. Simpler "
        "programs may find no title, canonical or robots element at all."
    ),
    remedy="Write <head> and </head> around title, meta and link elements.",
    reference="https://html.spec.whatwg.org/multipage/semantics.html#the-head-element",
)
MULTIPLE_HEADS: Final = _rule(
    number=2004,
    name="Multiple <head> Tags",
    kind=ISSUE,
    priority=HIGH,
    decision=has_markup(MarkupFlag.MULTIPLE_HEADS),
    meaning="The HTML has more than one <head> tag.",
    reason=(
        "Browsers ignore the second one. What stands in it may end up in the body, where search "
        "engines ignore it."
    ),
    remedy="Keep one <head>, and move the elements of the others into it.",
    reference="https://html.spec.whatwg.org/multipage/semantics.html#the-head-element",
)
MISSING_BODY: Final = _rule(
    number=2005,
    name="Missing <body> Tag",
    kind=ISSUE,
    priority=HIGH,
    decision=of_whole_page(has_markup(MarkupFlag.MISSING_BODY)),
    meaning="The HTML has no <body> tag.",
    reason=(
        "Browsers add one where they think that the content begins. The page may also have been "
        "cut off before its content."
    ),
    remedy=(
        "Write <body> and </body> around the content, and check that the server sends the whole "
        "page."
    ),
    reference="https://html.spec.whatwg.org/multipage/sections.html#the-body-element",
)
MULTIPLE_BODIES: Final = _rule(
    number=2006,
    name="Multiple <body> Tags",
    kind=ISSUE,
    priority=HIGH,
    decision=has_markup(MarkupFlag.MULTIPLE_BODIES),
    meaning="The HTML has more than one <body> tag.",
    reason=(
        "Browsers merge them, other programs may read the first one alone. Often two templates are "
        "nested by mistake."
    ),
    remedy="Keep one <body> with all of the content.",
    reference="https://html.spec.whatwg.org/multipage/sections.html#the-body-element",
)
LARGE_DOCUMENT: Final = _rule(
    number=2007,
    name="HTML Document Over {limit}MB",
    kind=ISSUE,
    priority=HIGH,
    decision=PageRule(
        lambda page, settings: (page.visit.size_bytes or 0) > settings.document_max_mib * MIB
    ),
    meaning="The HTML of the page is very large.",
    reason=(
        "Google reads only the first 2 MB of a document for Search and ignores the rest. Large "
        "pages are also slow on phones."
    ),
    remedy=(
        "Move inline scripts, styles, images and data into files of their own, and split long "
        "lists into several pages."
    ),
    reference="https://developers.google.com/search/docs/crawling-indexing/googlebot",
    fields=("size_bytes", "raw_bytes"),
    limit="document_max_mib",
    definition="An MB is 1,048,576 bytes.",
)
LARGE_RESOURCE: Final = _rule(
    number=2008,
    evidence=MatchingLinks("Used On", LinkTest(inbound=True)),
    name="Resource Over {limit}MB",
    kind=ISSUE,
    priority=HIGH,
    decision=StageRule(Listed.RESOURCES),
    meaning="The file, such as a script or style sheet, is very large.",
    reason=(
        "Google reads only the first 2 MB of a file that it renders pages with, so the page may "
        "break in search. Visitors wait for it, too."
    ),
    remedy=(
        "Remove what the pages do not use, compress it, or split it into files that are loaded "
        "when needed."
    ),
    reference="https://developers.google.com/search/docs/crawling-indexing/googlebot",
    fields=("content_type", "size_bytes", "raw_bytes", "inlinks"),
    limit="document_max_mib",
    definition="An MB is 1,048,576 bytes.",
)
HIGH_CARBON: Final = _rule(
    number=2009,
    name="High Carbon Rating",
    kind=OPPORTUNITY,
    priority=LOW,
    decision=PageRule(lambda page, _: page.visit.raw_bytes > HIGH_CARBON_BYTES),
    meaning=(
        "A view of the page transfers so much data that its estimated emissions of CO2 are above "
        "average."
    ),
    reason="Smaller pages save energy, and they load faster and cost visitors less.",
    remedy=(
        "Compress images and video, load them only when they come into view, and remove scripts "
        "and fonts that are not needed."
    ),
    reference="https://sustainablewebdesign.org/digital-carbon-ratings/",
    fields=("carbon_rating", "co2_mg", "size_bytes", "raw_bytes"),
)
