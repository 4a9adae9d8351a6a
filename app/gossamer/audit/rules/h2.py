"""Rules about second-level headings."""

from functools import partial
from typing import Final

from gossamer.audit.rule_evidence import OtherUrl
from gossamer.audit.site_rule import (
    LOW,
    OPPORTUNITY,
    WARNING,
    RuleGroup,
    SiteRule,
    StageRule,
    has_markup,
    has_none,
    is_over,
)
from gossamer.model.fields.page_flags import MarkupFlag

_FIELDS: Final = ("h2", "h2_length")

_rule = partial(
    SiteRule,
    group=RuleGroup.H2,
    priority=LOW,
    reference="https://www.w3.org/WAI/tutorials/page-structure/headings/",
    fields=_FIELDS,
)

MISSING: Final = _rule(
    number=750,
    name="Missing",
    kind=WARNING,
    decision=has_none("h2", "h2_2"),
    meaning="The page has no <h2>, or only empty ones.",
    reason="Subheadings let visitors find the part they came for, and show what a page covers.",
    remedy="Divide a long text by <h2> headings. A short page needs none.",
)
DUPLICATE: Final = _rule(
    number=751,
    evidence=OtherUrl("Page With Same H2"),
    name="Duplicate",
    kind=OPPORTUNITY,
    decision=StageRule(names_url=True),
    meaning="Another indexable page has the same first <h2>.",
    reason=(
        "A heading that appears on many pages, such as one of a menu or a form, says nothing "
        "about this page."
    ),
    remedy=(
        "Use <h2> for the parts of the content. Make titles of menus, forms and other recurring "
        "parts plain text or lower headings."
    ),
    definition=(
        "The first <h2> that is not empty is compared, case-sensitively. Only indexable pages "
        "count."
    ),
)
TOO_LONG: Final = _rule(
    number=752,
    name="Over {limit} Characters",
    kind=OPPORTUNITY,
    decision=is_over("h2", "h2_max_length"),
    meaning="The first <h2> is long for a heading.",
    reason="A heading is read at a glance. In a long one the topic is hard to find.",
    remedy="Shorten it to the topic of its part, and move the rest into the text.",
    limit="h2_max_length",
    definition=(
        "Characters are Unicode code points, after white space is collapsed. The first <h2> that "
        "is not empty counts."
    ),
)
MULTIPLE: Final = _rule(
    number=753,
    name="Multiple",
    kind=WARNING,
    decision=has_markup(MarkupFlag.MULTIPLE_H2),
    meaning="The page has more than one <h2> with text.",
    reason="This is common and not an error: a page has as many subheadings as it has parts.",
    remedy="Do nothing if they structure the content. Otherwise make them plain text.",
    fields=(*_FIELDS, "h2_2"),
    definition="Empty headings do not count.",
)
NON_SEQUENTIAL: Final = _rule(
    number=754,
    name="Non-Sequential",
    kind=WARNING,
    decision=has_markup(MarkupFlag.H2_NON_SEQUENTIAL),
    meaning=(
        "The first <h2> stands before the <h1>, or a heading of another level comes between them."
    ),
    reason=(
        "Screen readers present headings as an outline. Where a level is skipped, listeners "
        "wonder what they missed."
    ),
    remedy="Make the first heading below the <h1> an <h2>. Set its size by a style sheet.",
    fields=(*_FIELDS, "heading_levels"),
    definition="A page without <h1> is not reported. Empty headings do not count.",
)
