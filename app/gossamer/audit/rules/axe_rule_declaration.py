"""How a rule of axe-core is declared as an issue, and reasons that such rules share."""

from typing import Final

from gossamer.audit.rule_evidence import ViolationNodes
from gossamer.audit.site_rule import (
    HIGH,
    ISSUE,
    LOW,
    MEDIUM,
    WARNING,
    AccessibilityCheck,
    RuleGroup,
    SiteRule,
)
from gossamer.model.axe_rules import AXE_RULES, Guideline, Impact
from gossamer.model.translatable import Sentence

BROKEN_LISTS: Final[Sentence] = (
    "Screen readers announce a list and the number of its items only if its markup is complete."
)
BROKEN_TABLES: Final[Sentence] = (
    "Screen readers read out the headers of each cell; without the right ones, a table "
    "cannot be followed."
)
COLOR_ALONE: Final[Sentence] = (
    "Visitors who do not see colors well do not notice that there is a link."
)
CONFUSED_FOCUS: Final[Sentence] = (
    "Visitors with a keyboard lose track of where they are, and screen readers say "
    "nothing or the wrong thing."
)
FAINT_TEXT: Final[Sentence] = (
    "Visitors with low vision, or with sunlight on the screen, cannot read the text."
)
MOVING_CONTENT: Final[Sentence] = (
    "What moves by itself distracts from the rest, and slow readers cannot finish it."
)
NO_ALTERNATIVE: Final[Sentence] = (
    "Screen readers cannot describe the image; some read out the name of its file instead."
)
NO_CAPTIONS: Final[Sentence] = (
    "Visitors who cannot hear the sound, or may not switch it on, miss what is said."
)
NO_KEYBOARD: Final[Sentence] = (
    "Visitors who use a keyboard, a switch or their voice instead of a mouse cannot reach "
    "or operate it."
)
NO_NAME: Final[Sentence] = (
    "Visitors with screen readers hear what kind of element it is, but not what it is for."
)
NO_ZOOM: Final[Sentence] = (
    "Visitors with low vision enlarge pages; where that is prevented, they cannot read them."
)
READ_TWICE: Final[Sentence] = "Screen readers read out the same text twice."
REPEATED_BLOCKS: Final[Sentence] = (
    "Visitors with a keyboard or screen reader have to pass all menus again on each page."
)
SAME_LINKS: Final[Sentence] = (
    "Screen readers list the links of a page without the texts around them, so these look the same."
)
SMALL_TARGETS: Final[Sentence] = (
    "Visitors with unsteady hands, or on a phone, hit the wrong target."
)
SUDDEN_CHANGE: Final[Sentence] = (
    "The page changes before slow readers have finished, and screen readers begin again at its top."
)
SUDDEN_SOUND: Final[Sentence] = (
    "The sound drowns out screen readers, and visitors have to search for what makes it."
)
UNCLEAR_FIELDS: Final[Sentence] = (
    "Visitors with screen readers, or with limited memory, do not know what to enter."
)
UNCLEAR_FRAMES: Final[Sentence] = (
    "Screen readers list frames by their titles, and visitors choose from that list."
)
UNCLEAR_HEADINGS: Final[Sentence] = (
    "Visitors with screen readers get to know a page by moving from heading to heading."
)
UNCLEAR_LANDMARKS: Final[Sentence] = (
    "Visitors with screen readers jump from landmark to landmark; unclear ones make them "
    "search the page."
)
UNSPEAKABLE: Final[Sentence] = "Visitors who control the page by voice say what they see."
UNTITLED: Final[Sentence] = (
    "Screen readers read out the title first, and visitors tell their tabs apart by it."
)
WRONG_ARIA: Final[Sentence] = (
    "Assistive technologies ignore ARIA that is not valid, or present the element as "
    "something it is not."
)
WRONG_LANGUAGE: Final[Sentence] = (
    "Screen readers choose voice and pronunciation by the language; with a wrong one, the "
    "text cannot be understood."
)

_REFERENCE: Final = "https://dequeuniversity.com/rules/axe/4.14/"
_PRIORITIES: Final = {
    Impact.CRITICAL: HIGH,
    Impact.SERIOUS: MEDIUM,
    Impact.MODERATE: LOW,
    Impact.MINOR: LOW,
}
_EVIDENCE: Final = ViolationNodes()


def axe_rule(
    axe_id: str, *, name: Sentence, meaning: Sentence, reason: Sentence, remedy: Sentence
) -> SiteRule:
    """The issue for the axe rule with this id: its priority depends on its impact."""
    rule = AXE_RULES[axe_id]
    return SiteRule(
        number=rule.number,
        group=RuleGroup.ACCESSIBILITY,
        name=name,
        kind=WARNING if rule.guideline is Guideline.BEST_PRACTICE else ISSUE,
        priority=_PRIORITIES[rule.impact],
        decision=AccessibilityCheck(axe_id),
        meaning=meaning,
        reason=reason,
        remedy=remedy,
        reference=f"{_REFERENCE}{axe_id}",
        evidence=_EVIDENCE,
    )
