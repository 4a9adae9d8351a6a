"""Rules about structured data."""

from functools import partial
from typing import Final

from gossamer.audit.rule_evidence import StructuredFaults
from gossamer.audit.site_rule import (
    COUNT,
    HIGH,
    ISSUE,
    LOW,
    OPPORTUNITY,
    PageRule,
    RuleGroup,
    SiteRule,
    has_content,
    of_whole_page,
)
from gossamer.model.fields.page_flags import ContentFlag
from gossamer.model.messages.page_contents_messages import FaultKind

_FORMATS: Final = int(ContentFlag.JSON_LD | ContentFlag.MICRODATA | ContentFlag.RDFA)

_rule = partial(
    SiteRule,
    group=RuleGroup.STRUCTURED_DATA,
    reference="https://developers.google.com/search/docs/appearance/structured-data/intro-structured-data",
    fields=("structured_types",),
)

CONTAINS: Final = _rule(
    number=1800,
    name="Contains Structured Data",
    kind=COUNT,
    priority=None,
    decision=PageRule(lambda page, _: bool((page.facts.content or 0) & _FORMATS), facts=()),
    meaning="The page has structured data: JSON-LD, Microdata or RDFa.",
    reason=(
        "It tells search engines what the page is about, such as a product with its price, and may "
        "earn a richer search result."
    ),
    remedy="Nothing to do.",
)
JSON_LD: Final = _rule(
    number=1801,
    name="JSON-LD URLs",
    kind=COUNT,
    priority=None,
    decision=has_content(ContentFlag.JSON_LD),
    meaning='The page has structured data in JSON-LD: <script type="application/ld+json">.',
    reason="It is the format that Google recommends, as it is the easiest to keep correct.",
    remedy="Nothing to do.",
    reference="https://www.w3.org/TR/json-ld11/",
    definition="A block that cannot be parsed counts, too; it is reported under Parse Errors.",
)
MICRODATA: Final = _rule(
    number=1802,
    name="Microdata URLs",
    kind=COUNT,
    priority=None,
    decision=has_content(ContentFlag.MICRODATA),
    meaning=(
        "The page has structured data in Microdata: itemscope, itemtype and itemprop attributes."
    ),
    reason=(
        "Search engines read it as they read JSON-LD, but a change of the page's markup easily "
        "breaks it."
    ),
    remedy="Nothing to do.",
    reference="https://html.spec.whatwg.org/multipage/microdata.html",
)
RDFA: Final = _rule(
    number=1803,
    name="RDFa URLs",
    kind=COUNT,
    priority=None,
    decision=has_content(ContentFlag.RDFA),
    meaning="The page has structured data in RDFa: vocab, typeof and property attributes.",
    reason=(
        "Search engines read it as they read JSON-LD, but a change of the page's markup easily "
        "breaks it."
    ),
    remedy="Nothing to do.",
    reference="https://www.w3.org/TR/rdfa-lite/",
)
MISSING: Final = _rule(
    number=1804,
    name="Missing",
    kind=OPPORTUNITY,
    priority=LOW,
    decision=of_whole_page(
        PageRule(lambda page, _: not (page.facts.content or 0) & _FORMATS, facts=())
    ),
    meaning="The page has no structured data.",
    reason=(
        "It cannot get the richer search results that need it, such as those for products, recipes "
        "or events."
    ),
    remedy=(
        "See which kinds of rich results suit the page, and add JSON-LD for them. Not every page "
        "needs it."
    ),
    reference="https://developers.google.com/search/docs/appearance/structured-data/search-gallery",
    definition=(
        "Open Graph does not count as structured data here, nor does JSON-LD without content, "
        "such as {}. A page with a broken JSON-LD block is reported under Parse Errors instead."
    ),
)
PARSE_ERRORS: Final = _rule(
    number=1805,
    name="Parse Errors",
    evidence=StructuredFaults("Faults", frozenset({FaultKind.PARSE_ERROR})),
    kind=ISSUE,
    priority=HIGH,
    decision=has_content(ContentFlag.STRUCTURED_DATA_PARSE_ERROR),
    meaning="Structured data of the page cannot be read, such as JSON-LD that is not valid JSON.",
    reason="Search engines ignore the whole block.",
    remedy=(
        "Correct the syntax. Common mistakes are trailing commas, curly quotes and line breaks in "
        "texts."
    ),
    reference="https://www.w3.org/TR/json-ld11/",
)
ERRORS: Final = _rule(
    number=1806,
    name="Validation Errors",
    evidence=StructuredFaults(
        "Faults",
        frozenset({FaultKind.NO_CONTEXT, FaultKind.UNKNOWN_TYPE, FaultKind.UNKNOWN_PROPERTY}),
    ),
    kind=ISSUE,
    priority=HIGH,
    decision=has_content(ContentFlag.STRUCTURED_DATA_ERROR),
    meaning=(
        "The structured data uses types or properties that schema.org does not have, or values of "
        "the wrong kind."
    ),
    reason="Search engines cannot understand these parts and ignore them.",
    remedy="Correct the names as schema.org spells them, upper and lower case included.",
    reference="https://schema.org/docs/full.html",
)
WARNINGS: Final = _rule(
    number=1807,
    name="Validation Warnings",
    evidence=StructuredFaults(
        "Faults", frozenset({FaultKind.MISPLACED_PROPERTY, FaultKind.SUPERSEDED_PROPERTY})
    ),
    kind=OPPORTUNITY,
    priority=LOW,
    decision=has_content(ContentFlag.STRUCTURED_DATA_WARNING),
    meaning=(
        "The structured data uses properties that do not belong to their type, or that schema.org "
        "has replaced."
    ),
    reason="Search engines may ignore them today or in the future.",
    remedy="Use the properties that schema.org lists for the type.",
    reference="https://schema.org/docs/full.html",
)
RICH_RESULT_ERRORS: Final = _rule(
    number=1808,
    name="Rich Result Validation Errors",
    evidence=StructuredFaults("Missing Properties", frozenset({FaultKind.MISSING_REQUIRED})),
    kind=ISSUE,
    priority=HIGH,
    decision=has_content(ContentFlag.RICH_RESULT_ERROR),
    meaning="A property that Google requires for a kind of rich result is missing or invalid.",
    reason="Without it, Google does not show the page as a rich result.",
    remedy=(
        "Add the required property to the item, and check the page with Google's Rich Results Test."
    ),
    reference="https://developers.google.com/search/docs/appearance/structured-data/search-gallery",
    definition=(
        "Requirements are as of May 2026. FAQs are not checked: Google no longer shows them as "
        "rich results."
    ),
)
RICH_RESULT_WARNINGS: Final = _rule(
    number=1809,
    name="Rich Result Validation Warnings",
    evidence=StructuredFaults("Missing Properties", frozenset({FaultKind.MISSING_RECOMMENDED})),
    kind=OPPORTUNITY,
    priority=LOW,
    decision=has_content(ContentFlag.RICH_RESULT_WARNING),
    meaning="A property that Google recommends for a kind of rich result is missing.",
    reason="The page may still be shown as a rich result, but with less information.",
    remedy="Add the property if you have its value. Do not make one up.",
    reference="https://developers.google.com/search/docs/appearance/structured-data/search-gallery",
)
RICH_RESULT_FEATURES: Final = _rule(
    number=1810,
    name="Rich Result Feature Detected",
    kind=COUNT,
    priority=None,
    decision=has_content(ContentFlag.RICH_RESULT_FEATURE),
    meaning="The structured data of the page is meant for a kind of Google's rich results.",
    reason="If all required properties are valid, the page may stand out in search results.",
    remedy="Nothing to do.",
    reference="https://developers.google.com/search/docs/appearance/structured-data/search-gallery",
)
