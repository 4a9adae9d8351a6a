"""Rules about a page's directives for robots, in meta elements and X-Robots-Tag headers."""

from functools import partial
from typing import Final

from gossamer.audit.rule_evidence import ResponseHeader
from gossamer.audit.site_rule import (
    COUNT,
    HIGH,
    ISSUE,
    LOW,
    MEDIUM,
    WARNING,
    PageScope,
    RuleGroup,
    SiteRule,
    has_directive,
    has_markup,
)
from gossamer.model.fields.page_flags import Directive, MarkupFlag

_FIELDS: Final = ("robots", "robots_header")

_rule = partial(
    SiteRule,
    group=RuleGroup.DIRECTIVES,
    reference="https://developers.google.com/search/docs/crawling-indexing/robots-meta-tag",
    fields=_FIELDS,
)
_count = partial(_rule, kind=COUNT, priority=None)

INDEX: Final = _count(
    number=1200,
    name="Index",
    decision=has_directive(Directive.INDEX),
    meaning="The page allows search engines to list it, by index.",
    reason="That is the default, so it changes nothing.",
    remedy="Do nothing. You may leave out the directive.",
)
NOINDEX: Final = _rule(
    number=1201,
    name="Noindex",
    kind=WARNING,
    priority=HIGH,
    decision=has_directive(Directive.NOINDEX),
    meaning="The page asks search engines not to list it.",
    reason="Nobody finds it by a search. On an important page this is a costly mistake.",
    remedy=(
        "Look through the list. Remove noindex from pages that people should find: if a whole "
        "section is listed, from its template or in the settings of the CMS."
    ),
    definition=(
        "Directives for all robots and for this crawler's own name count, in elements and "
        "headers. Those for other robots, such as googlebot, do not. Commas, semicolons and "
        "spaces separate them. A page with none is reported as None alone."
    ),
)
FOLLOW: Final = _count(
    number=1202,
    name="Follow",
    decision=has_directive(Directive.FOLLOW),
    meaning="The page allows search engines to follow its links, by follow.",
    reason="That is the default, so it changes nothing.",
    remedy="Do nothing. You may leave out the directive.",
)
NOFOLLOW: Final = _rule(
    number=1203,
    name="Nofollow",
    kind=WARNING,
    priority=HIGH,
    decision=has_directive(Directive.NOFOLLOW),
    meaning="The page asks search engines not to follow any of its links.",
    reason=(
        "Pages that are linked only from here may not be found, and its links do not help the "
        "pages they lead to."
    ),
    remedy='Remove nofollow from the page. For single links, use rel="nofollow" instead.',
    definition=(
        "Directives for all robots and for this crawler's own name count, in elements and headers. "
        "A page with none is reported as None alone."
    ),
)
NONE: Final = _rule(
    number=1204,
    name="None",
    kind=WARNING,
    priority=HIGH,
    decision=has_directive(Directive.NONE),
    meaning="The page says none, which means noindex and nofollow.",
    reason="Search engines neither list it nor follow its links.",
    remedy="Remove it from pages that people should find. Write noindex if you mean only that.",
    definition="Such a page is not reported as Noindex and Nofollow as well.",
)
NOARCHIVE: Final = _count(
    number=1205,
    name="NoArchive",
    decision=has_directive(Directive.NOARCHIVE),
    meaning="The page asks search engines not to offer a stored copy of it.",
    reason=(
        "Google no longer shows stored copies. Bing also treats it as a request not to quote "
        "the page in chat answers."
    ),
    remedy="Do nothing if it is intended.",
    reference="https://www.bing.com/webmasters/help/which-robots-metatags-does-bing-support-5198d240",
)
NOSNIPPET: Final = _rule(
    number=1206,
    name="NoSnippet",
    kind=WARNING,
    priority=LOW,
    decision=has_directive(Directive.NOSNIPPET),
    meaning="The page asks search engines to show no text or video preview of it.",
    reason="A search result of a headline alone attracts fewer visitors.",
    remedy="Remove it unless the text must not be shown. To limit the text, use max-snippet.",
)
MAX_SNIPPET: Final = _count(
    number=1207,
    name="Max-Snippet",
    decision=has_directive(Directive.MAX_SNIPPET),
    meaning="The page limits how many characters of its text search results may show.",
    reason="A value of -1 sets no limit, and 0 is the same as nosnippet.",
    remedy="Make sure that the limit is not lower than you want.",
)
MAX_IMAGE_PREVIEW: Final = _count(
    number=1208,
    name="Max-Image-Preview",
    decision=has_directive(Directive.MAX_IMAGE_PREVIEW),
    meaning="The page says how large its images may be in search results.",
    reason="Large previews attract visitors, and Google Discover prefers pages that allow them.",
    remedy="Use max-image-preview:large unless images must not be shown large.",
)
MAX_VIDEO_PREVIEW: Final = _count(
    number=1209,
    name="Max-Video-Preview",
    decision=has_directive(Directive.MAX_VIDEO_PREVIEW),
    meaning="The page limits how many seconds of its videos search results may play.",
    reason="A value of -1 sets no limit, and 0 allows a still image alone.",
    remedy="Make sure that the limit is not lower than you want.",
)
NOODP: Final = _count(
    number=1210,
    name="NoODP",
    decision=has_directive(Directive.NOODP),
    meaning="The page asks not to be described by the Open Directory Project.",
    reason="The directory closed in 2017, so it changes nothing.",
    remedy="Remove the directive when you next edit the template.",
)
NOYDIR: Final = _count(
    number=1211,
    name="NoYDIR",
    decision=has_directive(Directive.NOYDIR),
    meaning="The page asks not to be described by the Yahoo Directory.",
    reason="The directory closed in 2014, so it changes nothing.",
    remedy="Remove the directive when you next edit the template.",
)
NOIMAGEINDEX: Final = _rule(
    number=1212,
    name="NoImageIndex",
    kind=ISSUE,
    priority=LOW,
    decision=has_directive(Directive.NOIMAGEINDEX),
    meaning="The page asks search engines not to list its images.",
    reason="Nobody finds the page by a search for images, unless other pages show them, too.",
    remedy="Remove it unless the images must not be found.",
)
NOTRANSLATE: Final = _rule(
    number=1213,
    name="NoTranslate",
    kind=WARNING,
    priority=LOW,
    decision=has_directive(Directive.NOTRANSLATE),
    meaning="The page asks search engines not to offer a translation of it.",
    reason="People who search in other languages are less likely to visit it.",
    remedy="Remove it unless a translation could do harm.",
)
UNAVAILABLE_AFTER: Final = _rule(
    number=1214,
    name="Unavailable_After",
    kind=WARNING,
    priority=MEDIUM,
    decision=has_directive(Directive.UNAVAILABLE_AFTER),
    meaning="The page names a date after which search engines should no longer list it.",
    reason="From that day on it is like noindex: nobody finds the page by a search.",
    remedy="Compare the date with how long the page is of use.",
)
REFRESH: Final = _count(
    number=1215,
    evidence=ResponseHeader("Refresh Header", "Refresh"),
    name="Refresh",
    decision=has_directive(Directive.REFRESH, PageScope.INDEXABLE),
    meaning="The page loads itself again, or another page after more than a second.",
    reason=(
        "Visitors may lose what they read or typed, and screen readers start again. Sooner, it "
        "would be a redirect, which is listed among the response codes."
    ),
    remedy="Use a script that updates only what changes, or a redirect on the server.",
    reference="https://html.spec.whatwg.org/multipage/semantics.html#attr-meta-http-equiv-refresh",
    fields=("refresh",),
    definition=(
        "A refresh to another page after 0 or 1 seconds is a redirect and not reported here."
    ),
)
OUTSIDE_HEAD: Final = _rule(
    number=1216,
    name="Outside <head>",
    kind=ISSUE,
    priority=HIGH,
    decision=has_markup(MarkupFlag.ROBOTS_OUTSIDE_HEAD, PageScope.ALL),
    meaning="A robots meta element is not in the <head> of the page that browsers build.",
    reason=(
        "Google obeys it there, too, but others may not. An element that is not allowed in <head>, "
        "such as <div> or <img>, ends the head, and everything after it is in the body."
    ),
    remedy="Move the element into <head>, before any element that is not allowed there.",
    definition=(
        "The position in the tree that the HTML standard builds counts. Directives in the body "
        "are still obeyed."
    ),
)
