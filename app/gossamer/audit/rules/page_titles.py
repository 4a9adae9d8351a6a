"""Rules about page titles."""

from functools import partial
from typing import Final

from gossamer.audit.rule_evidence import OtherUrl
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
    has_none,
    is_over,
    is_under,
)
from gossamer.model.fields.page_flags import MarkupFlag

_FIELDS: Final = ("title", "title_length", "title_pixels")

_rule = partial(
    SiteRule,
    group=RuleGroup.PAGE_TITLES,
    reference="https://developers.google.com/search/docs/appearance/title-link",
    fields=_FIELDS,
)

MISSING: Final = _rule(
    number=400,
    name="Missing",
    kind=ISSUE,
    priority=HIGH,
    decision=has_none("title", "title_2"),
    meaning="The page has no <title> element, or an empty one.",
    reason=(
        "The title is the headline of the search result and the text on the browser tab. Without "
        "one, search engines make one up."
    ),
    remedy="Write a <title> that says what this page is about, in about 30 to 60 characters.",
    definition=(
        "White space alone is empty. A <title> outside <head> is not missing, and one in an "
        "<svg> or <math> is not a title."
    ),
)
DUPLICATE: Final = _rule(
    number=401,
    evidence=OtherUrl("Page With Same Title"),
    name="Duplicate",
    kind=OPPORTUNITY,
    priority=MEDIUM,
    decision=StageRule(names_url=True),
    meaning="Another indexable page has the same title.",
    reason=(
        "Visitors cannot tell the pages apart in search results, and search engines may take them "
        "for the same page."
    ),
    remedy=(
        "Give each page a title of its own. If the pages are the same, redirect or canonicalise "
        "all but one."
    ),
    definition=(
        "The first title that is not empty is compared, case-sensitively. Only indexable pages "
        "count."
    ),
)
TOO_LONG: Final = _rule(
    number=402,
    name="Over {limit} Characters",
    kind=OPPORTUNITY,
    priority=MEDIUM,
    decision=is_over("title", "title_max_length"),
    meaning="The title is longer than search results usually show.",
    reason="Search engines cut long titles, so visitors may not see the words that matter.",
    remedy="Shorten the title, and put the words that matter first.",
    limit="title_max_length",
    definition="Characters are Unicode code points, after white space is collapsed.",
)
TOO_SHORT: Final = _rule(
    number=403,
    name="Below {limit} Characters",
    kind=OPPORTUNITY,
    priority=MEDIUM,
    decision=is_under("title", "title_min_length"),
    meaning="The title is short.",
    reason="A search result has room for more words that tell visitors what to expect.",
    remedy="Say more precisely what the page offers. A short title that says it all is fine.",
    limit="title_min_length",
    definition=(
        "Characters are Unicode code points, after white space is collapsed. A missing title is "
        "not reported here."
    ),
)
TOO_WIDE: Final = _rule(
    number=404,
    name="Over {limit} Pixels",
    kind=OPPORTUNITY,
    priority=MEDIUM,
    decision=is_over("title_pixels", "title_max_pixels", int),
    meaning="The title is wider than the headline of a search result.",
    reason="Search engines cut titles by their width in pixels. The end of this one is not shown.",
    remedy="Shorten the title, or use narrower words.",
    limit="title_max_pixels",
    definition="The width is that of Arial at 20 pixels, which Google's results use on desktops.",
)
TOO_NARROW: Final = _rule(
    number=405,
    name="Below {limit} Pixels",
    kind=OPPORTUNITY,
    priority=MEDIUM,
    decision=is_under("title_pixels", "title_min_pixels", int),
    meaning="The title leaves most of the headline of a search result empty.",
    reason="A search result has room for more words that tell visitors what to expect.",
    remedy="Say more precisely what the page offers. A short title that says it all is fine.",
    limit="title_min_pixels",
    definition=(
        "The width is that of Arial at 20 pixels, which Google's results use on desktops. A "
        "missing title is not reported here."
    ),
)
SAME_AS_H1: Final = _rule(
    number=406,
    name="Same as H1",
    kind=OPPORTUNITY,
    priority=LOW,
    decision=PageRule(lambda page, _: bool(page.facts.title) and page.facts.title == page.facts.h1),
    meaning="The title and the first <h1> are the same.",
    reason="It is no mistake, but the title could name further words that people search for.",
    remedy="Consider other words for one of the two, if they help visitors.",
    fields=(*_FIELDS, "h1"),
    definition="The comparison is case-sensitive. Of each, the first that is not empty counts.",
)
MULTIPLE: Final = _rule(
    number=407,
    name="Multiple",
    kind=ISSUE,
    priority=HIGH,
    decision=has_markup(MarkupFlag.MULTIPLE_TITLES),
    meaning="The page has more than one <title> element.",
    reason="Search engines choose one of them, which may not be the one you want.",
    remedy="Keep one <title>. Often a plugin or a second template adds the other.",
    fields=(*_FIELDS, "title_2"),
    definition="A <title> outside <head> counts, too.",
)
OUTSIDE_HEAD: Final = _rule(
    number=408,
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
    definition="The position in the tree that the HTML standard builds counts. An omitted "
    "<head> tag is not an error.",
)
