"""Rules about pages on small screens."""

from functools import partial
from typing import Final

from gossamer.audit.site_rule import (
    COUNT,
    HIGH,
    ISSUE,
    MEDIUM,
    WARNING,
    PageRule,
    RuleGroup,
    SiteRule,
    has_any,
    has_javascript,
    of_whole_page,
)
from gossamer.model.fields.page_flags import RenderFlag


def _has_viewport(viewport: str | None) -> bool:
    """Whether it sets a width or a scale; without either, browsers ignore it."""
    text = (viewport or "").lower()
    return "width" in text or "initial-scale" in text


_rule = partial(
    SiteRule,
    group=RuleGroup.MOBILE,
    reference="https://developers.google.com/search/docs/crawling-indexing/mobile/mobile-sites-mobile-first-indexing",
    fields=("viewport",),
)

VIEWPORT_NOT_SET: Final = _rule(
    number=1650,
    name="Viewport Not Set",
    kind=ISSUE,
    priority=HIGH,
    decision=of_whole_page(
        PageRule(lambda page, _: not _has_viewport(page.facts.viewport), facts=())
    ),
    meaning='The page has no <meta name="viewport"> that sets a width or a scale.',
    reason=(
        "Phones then show it as a desktop screen made small, with tiny text. Google indexes the "
        "mobile view of pages."
    ),
    remedy=(
        'Add <meta name="viewport" content="width=device-width, initial-scale=1"> to the <head>.'
    ),
    reference=(
        "https://developer.mozilla.org/en-US/docs/Web/HTML/Reference/Elements/meta/name/viewport"
    ),
)
TARGET_SIZE: Final = _rule(
    number=1651,
    name="Target Size",
    kind=WARNING,
    priority=MEDIUM,
    decision=has_javascript(RenderFlag.SMALL_TARGETS),
    meaning=(
        "Links or buttons are so small or close to each other that fingers may touch the wrong one."
    ),
    reason="Visitors with phones or unsteady hands open what they did not mean to.",
    remedy="Give each target at least 24 by 24 CSS pixels, or space around it.",
    reference="https://www.w3.org/WAI/WCAG22/Understanding/target-size-minimum.html",
    fields=("small_targets",),
    definition=(
        "Links, buttons and form fields that are less than 24 CSS pixels wide or high, and whose "
        "circle of 24 pixels meets another one or its circle (WCAG 2.2, 2.5.8). Links within "
        "running text do not count."
    ),
)
CONTENT_NOT_SIZED: Final = _rule(
    number=1652,
    name="Content Not Sized Correctly",
    kind=WARNING,
    priority=MEDIUM,
    decision=has_javascript(RenderFlag.WIDE_CONTENT),
    meaning="The content is wider than the screen of a phone.",
    reason="Visitors must scroll sideways or zoom out to read it.",
    remedy=(
        "Use relative widths, and let images and tables shrink, for example with max-width: 100%."
    ),
    reference=(
        ""
        "https://developer.mozilla.org/en-US/docs/Learn_web_development/Core/CSS_layout/Responsive_Design"
    ),
    definition=(
        "What can be scrolled to sideways, or what the browser zooms out to show, is wider than "
        "the screen (411 pixels, unless the settings say otherwise)."
    ),
    fields=("viewport", "content_width"),
)
ILLEGIBLE_FONT_SIZE: Final = _rule(
    number=1653,
    name="Illegible Font Size",
    kind=WARNING,
    priority=MEDIUM,
    decision=has_javascript(RenderFlag.SMALL_TEXT),
    meaning="Much of the text is smaller than 12 pixels on the screen of a phone.",
    reason="Visitors must zoom in to read it, and many leave instead.",
    remedy=(
        "Use a font size of 16 pixels for running text and no less than 12 pixels anywhere, and "
        "set the viewport."
    ),
    reference=(
        "https://developer.mozilla.org/en-US/docs/Web/HTML/Reference/Elements/meta/name/viewport"
    ),
    definition=(
        "More than 40% of the characters of the page are less than 12 pixels high on the screen. "
        "Where no viewport is set, pages are made small, and their texts too."
    ),
    fields=("viewport", "small_text_percent"),
)
INTRUSIVE_OVERLAY: Final = _rule(
    number=1655,
    name="Intrusive Overlay",
    kind=WARNING,
    priority=MEDIUM,
    decision=has_javascript(RenderFlag.OVERLAY),
    meaning=(
        "More than half of the screen of a phone is covered by something that stays above the "
        "content, such as a dialog or a banner."
    ),
    reason=(
        "Visitors cannot read what they came for. Google may rank pages with intrusive "
        "interstitials lower."
    ),
    remedy="Use a small banner, or show the dialog only after visitors have asked for something.",
    reference=(
        "https://developers.google.com/search/docs/appearance/avoid-intrusive-interstitials"
    ),
    fields=("covered_percent",),
    definition=(
        "More than half of the screen shows elements with a fixed position or a modal dialog, and "
        "there is text behind them. Measured when the page has loaded, before it is scrolled."
    ),
)
MOBILE_ALTERNATE: Final = _rule(
    number=1654,
    name="Mobile Alternate Link",
    kind=COUNT,
    priority=None,
    decision=has_any("mobile_url"),
    meaning="The page names another URL as its version for small screens.",
    reason=(
        "Google advises against separate mobile URLs: they are hard to keep the same, and "
        "redirects between them are prone to errors."
    ),
    remedy=(
        "Consider one responsive page for all screens. If you keep both, the mobile page must name "
        "this one as its canonical."
    ),
    fields=("mobile_url",),
)
