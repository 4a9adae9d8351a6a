"""Rules about meta descriptions."""

from functools import partial
from typing import Final

from gossamer.audit.rule_evidence import OtherUrl
from gossamer.audit.site_rule import (
    ISSUE,
    LOW,
    MEDIUM,
    OPPORTUNITY,
    RuleGroup,
    SiteRule,
    StageRule,
    has_markup,
    has_none,
    is_over,
    is_under,
)
from gossamer.model.fields.page_flags import MarkupFlag

_FIELDS: Final = ("description", "description_length", "description_pixels")

_rule = partial(
    SiteRule,
    group=RuleGroup.META_DESCRIPTION,
    reference="https://developers.google.com/search/docs/appearance/snippet",
    fields=_FIELDS,
)

MISSING: Final = _rule(
    number=500,
    name="Missing",
    kind=OPPORTUNITY,
    priority=LOW,
    decision=has_none("description", "description_2"),
    meaning='The page has no <meta name="description"> element, or an empty one.',
    reason=(
        "Search engines may show the description below the headline of a search result. Without "
        "one, they pick some text of the page, which may say little about it."
    ),
    remedy="Describe the page in a sentence or two that make people want to visit it.",
    definition="White space alone is empty. An element outside <head> is not missing.",
)
DUPLICATE: Final = _rule(
    number=501,
    evidence=OtherUrl("Page With Same Description"),
    name="Duplicate",
    kind=OPPORTUNITY,
    priority=LOW,
    decision=StageRule(names_url=True),
    meaning="Another indexable page has the same meta description.",
    reason=(
        "A description that fits several pages says nothing of any of them, so search engines "
        "often show other text instead."
    ),
    remedy=(
        "Write a description for each page, beginning with the most important ones. None at all "
        "is better than the same one everywhere."
    ),
    definition=(
        "The first description that is not empty is compared, case-sensitively. Only indexable "
        "pages count."
    ),
)
TOO_LONG: Final = _rule(
    number=502,
    name="Over {limit} Characters",
    kind=OPPORTUNITY,
    priority=LOW,
    decision=is_over("description", "description_max_length"),
    meaning="The meta description is longer than search results usually show.",
    reason="Search engines cut long descriptions, so searchers do not see the end of this one.",
    remedy="Shorten it, or at least say what matters first.",
    limit="description_max_length",
    definition="Characters are Unicode code points, after white space is collapsed.",
)
TOO_SHORT: Final = _rule(
    number=503,
    name="Below {limit} Characters",
    kind=OPPORTUNITY,
    priority=LOW,
    decision=is_under("description", "description_min_length"),
    meaning="The meta description is short.",
    reason="A search result has room for more that could win a visitor.",
    remedy="Add what the visitor gets from the page: facts, a price, a place, a benefit.",
    limit="description_min_length",
    definition=(
        "Characters are Unicode code points, after white space is collapsed. A missing description "
        "is not reported here."
    ),
)
TOO_WIDE: Final = _rule(
    number=504,
    name="Over {limit} Pixels",
    kind=OPPORTUNITY,
    priority=LOW,
    decision=is_over("description_pixels", "description_max_pixels", int),
    meaning="The meta description is wider than the text of a search result.",
    reason="Search engines cut descriptions by their width. The end of this one is not shown.",
    remedy="Shorten it, or at least say what matters first.",
    limit="description_max_pixels",
    definition="The width is that of Arial at 14 pixels.",
)
TOO_NARROW: Final = _rule(
    number=505,
    name="Below {limit} Pixels",
    kind=OPPORTUNITY,
    priority=LOW,
    decision=is_under("description_pixels", "description_min_pixels", int),
    meaning="The meta description fills only a small part of the text of a search result.",
    reason="A search result has room for more that could win a visitor.",
    remedy="Add what the visitor gets from the page: facts, a price, a place, a benefit.",
    limit="description_min_pixels",
    definition=(
        "The width is that of Arial at 14 pixels. A missing description is not reported here."
    ),
)
MULTIPLE: Final = _rule(
    number=506,
    name="Multiple",
    kind=ISSUE,
    priority=MEDIUM,
    decision=has_markup(MarkupFlag.MULTIPLE_DESCRIPTIONS),
    meaning='The page has more than one <meta name="description"> element.',
    reason="Search engines choose one of them or join them, so you do not know what they show.",
    remedy="Keep one. Often a theme and a plugin each add their own.",
    fields=(*_FIELDS, "description_2"),
    definition="An element outside <head> counts, too.",
)
OUTSIDE_HEAD: Final = _rule(
    number=507,
    name="Outside <head>",
    kind=ISSUE,
    priority=MEDIUM,
    decision=has_markup(MarkupFlag.DESCRIPTION_OUTSIDE_HEAD),
    meaning="The meta description is not in the <head> of the page that browsers build.",
    reason=(
        "Search engines may ignore it. An element that is not allowed in <head>, such as <div> or "
        "<img>, ends the head, and everything after it is in the body."
    ),
    remedy="Move the element into <head>, before any element that is not allowed there.",
    reference="https://html.spec.whatwg.org/multipage/semantics.html#standard-metadata-names",
    definition="The position in the tree that the HTML standard builds counts. An omitted "
    "<head> tag is not an error.",
)
