"""Rules about accessibility that the HTML alone decides, unless axe-core has; see `axe_rules`."""

from functools import partial
from typing import Final

from gossamer.audit.rule_evidence import MatchingLinks
from gossamer.audit.site_rule import (
    HIGH,
    ISSUE,
    LOW,
    MEDIUM,
    WARNING,
    RuleGroup,
    SiteRule,
    has_markup,
)
from gossamer.model.evidence_links import LinkTest
from gossamer.model.fields.page_flags import MarkupFlag
from gossamer.model.link_kinds import LinkKind
from gossamer.model.link_traits import LinkTrait

_rule = partial(
    SiteRule,
    group=RuleGroup.ACCESSIBILITY,
    reference="https://www.w3.org/WAI/WCAG22/Understanding/name-role-value.html",
    fields=(),
    definition=(
        "Where axe-core has checked the rendered page, its result counts, also for pages that "
        "are not indexable."
    ),
)

IMAGE_ALT: Final = _rule(
    number=1700,
    evidence=MatchingLinks("Image Without Alt", LinkTest((LinkKind.IMAGE,), LinkTrait.NO_ALT)),
    name="Images Must Have Alternative Text",
    kind=ISSUE,
    priority=HIGH,
    decision=has_markup(MarkupFlag.MISSING_ALT),
    meaning="The page has images without an alt attribute or any other text alternative.",
    reason="Screen readers can only say that there is an image, or read out its file name.",
    remedy=(
        "Describe each image in its alt attribute. Give images that are mere decoration an empty "
        'one: alt="".'
    ),
    reference="https://www.w3.org/WAI/WCAG22/Understanding/non-text-content.html",
)
LABEL: Final = _rule(
    number=1701,
    name="Form Elements Must Have Labels",
    kind=ISSUE,
    priority=HIGH,
    decision=has_markup(MarkupFlag.MISSING_LABEL),
    meaning="The page has form fields without a label, aria-label, aria-labelledby or title.",
    reason=(
        "Visitors with screen readers do not learn what to enter. A placeholder is not a label: "
        "it vanishes on input."
    ),
    remedy="Associate a <label> with each field, by its for attribute or by wrapping the field.",
    reference="https://www.w3.org/WAI/tutorials/forms/labels/",
)
HTML_LANG: Final = _rule(
    number=1702,
    name="<html> Element Must Have A lang Attribute",
    kind=ISSUE,
    priority=MEDIUM,
    decision=has_markup(MarkupFlag.NO_LANGUAGE),
    meaning="The <html> element has no lang attribute, or an empty one.",
    reason=(
        "Screen readers do not know in which language to read the page, and browsers not from "
        "which to translate it."
    ),
    remedy='Add the language of the page, such as <html lang="en">.',
    reference="https://www.w3.org/WAI/WCAG22/Understanding/language-of-page.html",
    fields=("language",),
)
HEADING_ORDER: Final = _rule(
    number=1703,
    name="Heading Levels Should Only Increase By One",
    kind=WARNING,
    priority=LOW,
    decision=has_markup(MarkupFlag.HEADING_SKIPPED),
    meaning=(
        "A heading is more than one level below the one before it, such as an <h4> after an <h2>."
    ),
    reason=(
        "Visitors with screen readers move from heading to heading, and a skipped level looks like "
        "a missing part."
    ),
    remedy="Choose heading levels by the structure of the page, and their size with CSS.",
    reference="https://www.w3.org/WAI/tutorials/page-structure/headings/",
    fields=("heading_levels",),
)
LINK_NAME: Final = _rule(
    number=1704,
    evidence=MatchingLinks("Link Without Text", LinkTest((LinkKind.ANCHOR,), is_textless=True)),
    name="Links Must Have Discernible Text",
    kind=ISSUE,
    priority=MEDIUM,
    decision=has_markup(MarkupFlag.EMPTY_LINK),
    meaning="The page has links without text, alternative text or aria-label.",
    reason='Screen readers can only read out the URL of such a link, or nothing but "link".',
    remedy=(
        "Give each link a text. For an icon, describe the target in its alt attribute or an "
        "aria-label."
    ),
    reference="https://www.w3.org/WAI/WCAG22/Understanding/link-purpose-in-context.html",
)
BUTTON_NAME: Final = _rule(
    number=1705,
    name="Buttons Must Have Discernible Text",
    kind=ISSUE,
    priority=HIGH,
    decision=has_markup(MarkupFlag.EMPTY_BUTTON),
    meaning="The page has buttons without text, alternative text or aria-label.",
    reason='Visitors with screen readers hear only "button", and do not learn what it does.',
    remedy='Give each button a text. For an icon, add an aria-label such as "Search".',
)
