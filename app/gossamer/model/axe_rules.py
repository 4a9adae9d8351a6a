"""The rules of axe-core that Gossamer knows: their ids, numbers of issues, levels, impacts.

The ids are those of axe-core 4.14. Its deprecated and experimental rules are left out, and the one
that only asks for a review. Numbers are stored in project files and keep their meaning.
"""

from enum import IntEnum, StrEnum
from functools import lru_cache
from typing import Final, NamedTuple

from gossamer.model.fields.page_flags import MarkupFlag
from gossamer.model.translatable import Word, word

COLOR_RULES: Final = frozenset({"color-contrast", "color-contrast-enhanced", "link-in-text-block"})
"""The rules that measure the contrast of colors, which takes most of the time in large pages."""


class Guideline(Word):
    """What a rule belongs to: a version of WCAG and its level, or merely good practice."""

    A_20 = word("WCAG 2.0 A")
    AA_20 = word("WCAG 2.0 AA")
    AAA_20 = word("WCAG 2.0 AAA")
    A_21 = word("WCAG 2.1 A")
    AA_21 = word("WCAG 2.1 AA")
    AA_22 = word("WCAG 2.2 AA")
    BEST_PRACTICE = word("Best Practice")


class Impact(IntEnum):
    """How much a violation hinders visitors."""

    MINOR = 1
    MODERATE = 2
    SERIOUS = 3
    CRITICAL = 4

    @property
    def label(self) -> "ImpactLabel":
        """The impact as a word."""
        return ImpactLabel[self.name]


class ImpactLabel(Word):
    """Impacts as words."""

    MINOR = word("Minor")
    MODERATE = word("Moderate")
    SERIOUS = word("Serious")
    CRITICAL = word("Critical")


class AccessibilityLevel(StrEnum):
    """What rendered pages are checked for."""

    OFF = "off"
    A = "a"
    AA = "aa"
    AAA = "aaa"
    BEST_PRACTICE = "best-practice"
    """Levels A and AA, and best practices."""
    ALL = "all"


class AxeRule(NamedTuple):
    """A rule of axe-core: its `id` there, the `number` of our issue."""

    id: str
    number: int
    guideline: Guideline
    impact: Impact


_I: Final = Impact
_L: Final = Guideline
_RULES: Final = (
    AxeRule("accesskeys", 2100, _L.BEST_PRACTICE, _I.SERIOUS),
    AxeRule("area-alt", 2101, _L.A_20, _I.CRITICAL),
    AxeRule("aria-allowed-attr", 2102, _L.A_20, _I.CRITICAL),
    AxeRule("aria-allowed-role", 2103, _L.BEST_PRACTICE, _I.MINOR),
    AxeRule("aria-braille-equivalent", 2104, _L.A_20, _I.SERIOUS),
    AxeRule("aria-command-name", 2105, _L.A_20, _I.SERIOUS),
    AxeRule("aria-conditional-attr", 2106, _L.A_20, _I.SERIOUS),
    AxeRule("aria-deprecated-role", 2107, _L.A_20, _I.MINOR),
    AxeRule("aria-dialog-name", 2108, _L.BEST_PRACTICE, _I.SERIOUS),
    AxeRule("aria-hidden-body", 2109, _L.A_20, _I.CRITICAL),
    AxeRule("aria-hidden-focus", 2110, _L.A_20, _I.SERIOUS),
    AxeRule("aria-input-field-name", 2111, _L.A_20, _I.SERIOUS),
    AxeRule("aria-meter-name", 2112, _L.A_20, _I.SERIOUS),
    AxeRule("aria-progressbar-name", 2113, _L.A_20, _I.SERIOUS),
    AxeRule("aria-prohibited-attr", 2114, _L.A_20, _I.SERIOUS),
    AxeRule("aria-required-attr", 2115, _L.A_20, _I.CRITICAL),
    AxeRule("aria-required-children", 2116, _L.A_20, _I.CRITICAL),
    AxeRule("aria-required-parent", 2117, _L.A_20, _I.CRITICAL),
    AxeRule("aria-roles", 2118, _L.A_20, _I.CRITICAL),
    AxeRule("aria-tab-name", 2119, _L.A_20, _I.SERIOUS),
    AxeRule("aria-text", 2120, _L.BEST_PRACTICE, _I.SERIOUS),
    AxeRule("aria-toggle-field-name", 2121, _L.A_20, _I.SERIOUS),
    AxeRule("aria-tooltip-name", 2122, _L.A_20, _I.SERIOUS),
    AxeRule("aria-treeitem-name", 2123, _L.BEST_PRACTICE, _I.SERIOUS),
    AxeRule("aria-valid-attr-value", 2124, _L.A_20, _I.CRITICAL),
    AxeRule("aria-valid-attr", 2125, _L.A_20, _I.CRITICAL),
    AxeRule("autocomplete-valid", 2126, _L.AA_21, _I.SERIOUS),
    AxeRule("avoid-inline-spacing", 2127, _L.AA_21, _I.SERIOUS),
    AxeRule("blink", 2128, _L.A_20, _I.SERIOUS),
    AxeRule("button-name", 1705, _L.A_20, _I.CRITICAL),
    AxeRule("bypass", 2129, _L.A_20, _I.SERIOUS),
    AxeRule("color-contrast-enhanced", 2130, _L.AAA_20, _I.SERIOUS),
    AxeRule("color-contrast", 2131, _L.AA_20, _I.SERIOUS),
    AxeRule("definition-list", 2132, _L.A_20, _I.SERIOUS),
    AxeRule("dlitem", 2133, _L.A_20, _I.SERIOUS),
    AxeRule("document-title", 2134, _L.A_20, _I.SERIOUS),
    AxeRule("duplicate-id-aria", 2135, _L.A_20, _I.CRITICAL),
    AxeRule("empty-heading", 2136, _L.BEST_PRACTICE, _I.MINOR),
    AxeRule("empty-table-header", 2137, _L.BEST_PRACTICE, _I.MINOR),
    AxeRule("form-field-multiple-labels", 2138, _L.A_20, _I.MODERATE),
    AxeRule("frame-focusable-content", 2139, _L.A_20, _I.SERIOUS),
    AxeRule("frame-title-unique", 2140, _L.A_20, _I.SERIOUS),
    AxeRule("frame-title", 2141, _L.A_20, _I.SERIOUS),
    AxeRule("heading-order", 1703, _L.BEST_PRACTICE, _I.MODERATE),
    AxeRule("html-has-lang", 1702, _L.A_20, _I.SERIOUS),
    AxeRule("html-lang-valid", 2142, _L.A_20, _I.SERIOUS),
    AxeRule("html-xml-lang-mismatch", 2143, _L.A_20, _I.MODERATE),
    AxeRule("identical-links-same-purpose", 2144, _L.AAA_20, _I.MINOR),
    AxeRule("image-alt", 1700, _L.A_20, _I.CRITICAL),
    AxeRule("image-redundant-alt", 2145, _L.BEST_PRACTICE, _I.MINOR),
    AxeRule("input-button-name", 2146, _L.A_20, _I.CRITICAL),
    AxeRule("input-image-alt", 2147, _L.A_20, _I.CRITICAL),
    AxeRule("label-content-name-mismatch", 2148, _L.A_21, _I.SERIOUS),
    AxeRule("label-title-only", 2149, _L.BEST_PRACTICE, _I.SERIOUS),
    AxeRule("label", 1701, _L.A_20, _I.CRITICAL),
    AxeRule("landmark-banner-is-top-level", 2150, _L.BEST_PRACTICE, _I.MODERATE),
    AxeRule("landmark-contentinfo-is-top-level", 2151, _L.BEST_PRACTICE, _I.MODERATE),
    AxeRule("landmark-main-is-top-level", 2152, _L.BEST_PRACTICE, _I.MODERATE),
    AxeRule("landmark-no-duplicate-banner", 2153, _L.BEST_PRACTICE, _I.MODERATE),
    AxeRule("landmark-no-duplicate-contentinfo", 2154, _L.BEST_PRACTICE, _I.MODERATE),
    AxeRule("landmark-no-duplicate-main", 2155, _L.BEST_PRACTICE, _I.MODERATE),
    AxeRule("landmark-one-main", 2156, _L.BEST_PRACTICE, _I.MODERATE),
    AxeRule("landmark-unique", 2157, _L.BEST_PRACTICE, _I.MODERATE),
    AxeRule("link-in-text-block", 2158, _L.A_20, _I.SERIOUS),
    AxeRule("link-name", 1704, _L.A_20, _I.SERIOUS),
    AxeRule("list", 2159, _L.A_20, _I.SERIOUS),
    AxeRule("listitem", 2160, _L.A_20, _I.SERIOUS),
    AxeRule("marquee", 2161, _L.A_20, _I.SERIOUS),
    AxeRule("meta-refresh-no-exceptions", 2162, _L.AAA_20, _I.MINOR),
    AxeRule("meta-refresh", 2163, _L.A_20, _I.CRITICAL),
    AxeRule("meta-viewport-large", 2164, _L.BEST_PRACTICE, _I.MINOR),
    AxeRule("meta-viewport", 2165, _L.AA_20, _I.MODERATE),
    AxeRule("nested-interactive", 2166, _L.A_20, _I.SERIOUS),
    AxeRule("no-autoplay-audio", 2167, _L.A_20, _I.MODERATE),
    AxeRule("object-alt", 2168, _L.A_20, _I.SERIOUS),
    AxeRule("page-has-heading-one", 2169, _L.BEST_PRACTICE, _I.MODERATE),
    AxeRule("presentation-role-conflict", 2170, _L.BEST_PRACTICE, _I.MINOR),
    AxeRule("region", 2171, _L.BEST_PRACTICE, _I.MODERATE),
    AxeRule("role-img-alt", 2172, _L.A_20, _I.SERIOUS),
    AxeRule("scope-attr-valid", 2173, _L.BEST_PRACTICE, _I.MODERATE),
    AxeRule("scrollable-region-focusable", 2174, _L.A_20, _I.SERIOUS),
    AxeRule("select-name", 2175, _L.A_20, _I.CRITICAL),
    AxeRule("server-side-image-map", 2176, _L.A_20, _I.MINOR),
    AxeRule("skip-link", 2177, _L.BEST_PRACTICE, _I.MODERATE),
    AxeRule("summary-name", 2178, _L.A_20, _I.SERIOUS),
    AxeRule("svg-img-alt", 2179, _L.A_20, _I.SERIOUS),
    AxeRule("tabindex", 2180, _L.BEST_PRACTICE, _I.SERIOUS),
    AxeRule("table-duplicate-name", 2181, _L.BEST_PRACTICE, _I.MINOR),
    AxeRule("target-size", 2182, _L.AA_22, _I.SERIOUS),
    AxeRule("td-headers-attr", 2183, _L.A_20, _I.SERIOUS),
    AxeRule("th-has-data-cells", 2184, _L.A_20, _I.SERIOUS),
    AxeRule("valid-lang", 2185, _L.AA_20, _I.SERIOUS),
    AxeRule("video-caption", 2186, _L.A_20, _I.CRITICAL),
)
AXE_RULES: Final = {rule.id: rule for rule in _RULES}
"""By id."""
AXE_RULES_BY_NUMBER: Final = {rule.number: rule for rule in _RULES}
HTML_FLAGS: Final = {
    "image-alt": MarkupFlag.MISSING_ALT,
    "label": MarkupFlag.MISSING_LABEL,
    "html-has-lang": MarkupFlag.NO_LANGUAGE,
    "heading-order": MarkupFlag.HEADING_SKIPPED,
    "link-name": MarkupFlag.EMPTY_LINK,
    "button-name": MarkupFlag.EMPTY_BUTTON,
}
"""The rules that the HTML alone decides if axe has not, and the flag that decides."""

_A: Final = frozenset({_L.A_20, _L.A_21})
_AA: Final = _A | {_L.AA_20, _L.AA_21, _L.AA_22}
_GUIDELINES: Final[dict[AccessibilityLevel, frozenset[Guideline]]] = {
    AccessibilityLevel.OFF: frozenset(),
    AccessibilityLevel.A: _A,
    AccessibilityLevel.AA: _AA,
    AccessibilityLevel.AAA: _AA | {_L.AAA_20},
    AccessibilityLevel.BEST_PRACTICE: _AA | {_L.BEST_PRACTICE},
    AccessibilityLevel.ALL: frozenset(Guideline),
}


def rules_of_level(level: AccessibilityLevel) -> tuple[str, ...]:
    """The ids of the rules that are checked at this level."""
    return tuple(rule.id for rule in _RULES if rule.guideline in _GUIDELINES[level])


@lru_cache(maxsize=1_000)  # pages of one template break the same rules
def violated_numbers(violated: str) -> tuple[int, ...]:
    """The issue numbers of the rules that are `violated`: ids, as facts of a page have them."""
    ids = violated.split(", ")
    return tuple(AXE_RULES[each].number for each in ids if each in AXE_RULES)
