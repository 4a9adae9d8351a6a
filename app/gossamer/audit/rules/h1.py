"""Rules about first-level headings."""

from functools import partial
from typing import Final

from gossamer.audit.rule_evidence import OtherUrl
from gossamer.audit.site_rule import (
    ISSUE,
    LOW,
    MEDIUM,
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

_FIELDS: Final = ("h1", "h1_length")

_rule = partial(
    SiteRule,
    group=RuleGroup.H1,
    reference="https://www.w3.org/WAI/tutorials/page-structure/headings/",
    fields=_FIELDS,
)

MISSING: Final = _rule(
    number=700,
    name="Missing",
    kind=ISSUE,
    priority=MEDIUM,
    decision=has_none("h1", "h1_2"),
    meaning="The page has no <h1>, or only empty ones.",
    reason=(
        "The first-level heading tells visitors, screen readers and search engines what the page "
        "is about. Search engines may also use it as the headline of the search result."
    ),
    remedy="Put the topic of the page into one <h1> at the top of its content.",
    definition=(
        "An <h1> that has the alternative text of an image is not missing: see Alt Text in h1."
    ),
)
DUPLICATE: Final = _rule(
    number=701,
    evidence=OtherUrl("Page With Same H1"),
    name="Duplicate",
    kind=OPPORTUNITY,
    priority=LOW,
    decision=StageRule(names_url=True),
    meaning="Another indexable page has the same <h1>.",
    reason=(
        "Visitors who come from a search or a list cannot tell by the heading which of the pages "
        "they are on, and the pages may compete for the same searches."
    ),
    remedy=(
        "Say in each heading what sets the page apart. If the pages are the same, keep one and "
        "redirect or canonicalise the others."
    ),
    definition=(
        "The first <h1> that is not empty is compared, case-sensitively. Only indexable pages "
        "count."
    ),
)
TOO_LONG: Final = _rule(
    number=702,
    name="Over {limit} Characters",
    kind=OPPORTUNITY,
    priority=LOW,
    decision=is_over("h1", "h1_max_length"),
    meaning="The <h1> is long for a heading.",
    reason="A heading is read at a glance. In a long one the topic is hard to find.",
    remedy="Shorten it to the topic, and move the rest into the text or a subheading.",
    limit="h1_max_length",
    definition=(
        "Characters are Unicode code points, after white space is collapsed. The first <h1> that "
        "is not empty counts."
    ),
)
MULTIPLE: Final = _rule(
    number=703,
    name="Multiple",
    kind=WARNING,
    priority=MEDIUM,
    decision=has_markup(MarkupFlag.MULTIPLE_H1),
    meaning="The page has more than one <h1> with text.",
    reason=(
        "The standard allows it and search engines cope, but with one main heading everybody "
        "knows what the page is about. Often the second one is a logo or a slider."
    ),
    remedy="Keep the <h1> that names the topic, and make the others <h2> or plain text.",
    fields=(*_FIELDS, "h1_2"),
    definition="Empty headings do not count.",
)
ALT_TEXT: Final = _rule(
    number=704,
    name="Alt Text in h1",
    kind=WARNING,
    priority=LOW,
    decision=has_markup(MarkupFlag.H1_ALT_TEXT),
    meaning="An <h1> has no text but that of an image's alt attribute.",
    reason=(
        "It is often the logo, so that every page has the same heading. Even where it is the "
        "topic, text says more to search engines than an image."
    ),
    remedy="Write the heading as text. Move a logo out of the <h1>.",
    fields=(*_FIELDS, "h1_2"),
)
NON_SEQUENTIAL: Final = _rule(
    number=705,
    name="Non-Sequential",
    kind=WARNING,
    priority=LOW,
    decision=has_markup(MarkupFlag.H1_NON_SEQUENTIAL),
    meaning="The <h1> is not the first heading on the page.",
    reason=(
        "People who use a screen reader move from heading to heading, and expect the main one "
        "first."
    ),
    remedy="Put the <h1> before other headings, or make those before it plain text.",
    fields=(*_FIELDS, "heading_levels"),
    definition="Empty headings do not count.",
)
