"""Rules about page titles."""

from typing import Final

from gossamer.audit.site_rule import (
    HIGH,
    ISSUE,
    LOW,
    MEDIUM,
    OPPORTUNITY,
    PageRule,
    RuleGroup,
    SiteRule,
    StageRule,
    has_markup,
    is_over,
    is_under,
)
from gossamer.model.page_flags import MarkupFlag

_FIELDS: Final = ("title", "title_length", "title_pixels")
_GUIDE: Final = "https://developers.google.com/search/docs/appearance/title-link"

MISSING: Final = SiteRule(
    number=400,
    group=RuleGroup.PAGE_TITLES,
    name="Missing",
    kind=ISSUE,
    priority=HIGH,
    decision=PageRule(lambda page, _: not page.facts.title),
    meaning="The page has no <title> element, or an empty one.",
    reason=(
        "The title is the headline of the search result and the text on the browser tab. Without "
        "one, search engines make one up."
    ),
    remedy="Write a <title> that says what this page is about, in about 30 to 60 characters.",
    reference=_GUIDE,
    fields=_FIELDS,
)
DUPLICATE: Final = SiteRule(
    number=401,
    group=RuleGroup.PAGE_TITLES,
    name="Duplicate",
    kind=OPPORTUNITY,
    priority=MEDIUM,
    decision=StageRule(),
    meaning="Another indexable page has the same title.",
    reason=(
        "Visitors cannot tell the pages apart in search results, and search engines may take them "
        "for the same page."
    ),
    remedy=(
        "Give each page a title of its own. If the pages are the same, redirect or canonicalise "
        "all but one."
    ),
    reference=_GUIDE,
    fields=_FIELDS,
)
TOO_LONG: Final = SiteRule(
    number=402,
    group=RuleGroup.PAGE_TITLES,
    name="Over {limit} Characters",
    kind=OPPORTUNITY,
    priority=MEDIUM,
    decision=is_over("title", "title_max_length"),
    meaning="The title is longer than search results usually show.",
    reason="Search engines cut long titles, so visitors may not see the words that matter.",
    remedy="Shorten the title, and put the words that matter first.",
    reference=_GUIDE,
    fields=_FIELDS,
    limit="title_max_length",
)
TOO_SHORT: Final = SiteRule(
    number=403,
    group=RuleGroup.PAGE_TITLES,
    name="Below {limit} Characters",
    kind=OPPORTUNITY,
    priority=MEDIUM,
    decision=is_under("title", "title_min_length"),
    meaning="The title is short.",
    reason="A search result has room for more words that tell visitors what to expect.",
    remedy="Say more precisely what the page offers. A short title that says it all is fine.",
    reference=_GUIDE,
    fields=_FIELDS,
    limit="title_min_length",
)
TOO_WIDE: Final = SiteRule(
    number=404,
    group=RuleGroup.PAGE_TITLES,
    name="Over {limit} Pixels",
    kind=OPPORTUNITY,
    priority=MEDIUM,
    decision=is_over("title_pixels", "title_max_pixels", int),
    meaning="The title is wider than the headline of a search result.",
    reason="Search engines cut titles by their width in pixels. The end of this one is not shown.",
    remedy="Shorten the title, or use narrower words.",
    reference=_GUIDE,
    fields=_FIELDS,
    limit="title_max_pixels",
)
TOO_NARROW: Final = SiteRule(
    number=405,
    group=RuleGroup.PAGE_TITLES,
    name="Below {limit} Pixels",
    kind=OPPORTUNITY,
    priority=MEDIUM,
    decision=is_under("title_pixels", "title_min_pixels", int),
    meaning="The title leaves most of the headline of a search result empty.",
    reason="A search result has room for more words that tell visitors what to expect.",
    remedy="Say more precisely what the page offers. A short title that says it all is fine.",
    reference=_GUIDE,
    fields=_FIELDS,
    limit="title_min_pixels",
)
SAME_AS_H1: Final = SiteRule(
    number=406,
    group=RuleGroup.PAGE_TITLES,
    name="Same as H1",
    kind=OPPORTUNITY,
    priority=LOW,
    decision=PageRule(lambda page, _: bool(page.facts.title) and page.facts.title == page.facts.h1),
    meaning="The title and the first <h1> are the same.",
    reason="It is no mistake, but the title could name further words that people search for.",
    remedy="Consider other words for one of the two, if they help visitors.",
    reference=_GUIDE,
    fields=(*_FIELDS, "h1"),
)
MULTIPLE: Final = SiteRule(
    number=407,
    group=RuleGroup.PAGE_TITLES,
    name="Multiple",
    kind=ISSUE,
    priority=HIGH,
    decision=has_markup(MarkupFlag.MULTIPLE_TITLES),
    meaning="The page has more than one <title> element.",
    reason="Search engines choose one of them, which may not be the one you want.",
    remedy="Keep one <title>. Often a plugin or a second template adds the other.",
    reference=_GUIDE,
    fields=(*_FIELDS, "title_2"),
)
OUTSIDE_HEAD: Final = SiteRule(
    number=408,
    group=RuleGroup.PAGE_TITLES,
    name="Outside <head>",
    kind=ISSUE,
    priority=HIGH,
    decision=has_markup(MarkupFlag.TITLE_OUTSIDE_HEAD),
    meaning="The <title> element is not in the <head> of the page that browsers build.",
    reason=(
        "Search engines may ignore it. An element that is not allowed in <head>, such as <div> or "
        "<img>, ends the head, and everything after it is in the body."
    ),
    remedy="Move the <title> into <head>, before any element that is not allowed there.",
    reference="https://html.spec.whatwg.org/multipage/semantics.html#the-title-element",
    fields=_FIELDS,
)
