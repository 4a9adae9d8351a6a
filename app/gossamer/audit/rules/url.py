"""Rules about the URLs of pages; `gossamer.audit.url_checks` decides most of them."""

from functools import partial
from typing import Final

from gossamer.audit.rule_evidence import MatchingLinks, PartOfUrl
from gossamer.audit.site_rule import (
    ISSUE,
    LOW,
    OPPORTUNITY,
    WARNING,
    PageRule,
    RuleGroup,
    SiteRule,
    StageRule,
    has_url_trait,
)
from gossamer.audit.url_checks import UrlTrait
from gossamer.model.evidence_links import LinkTest
from gossamer.urls.url_parts import UrlPart

_rule = partial(
    SiteRule,
    group=RuleGroup.URL,
    priority=LOW,
    reference="https://developers.google.com/search/docs/crawling-indexing/url-structure",
)

NON_ASCII: Final = _rule(
    number=300,
    evidence=PartOfUrl("Non ASCII Characters", UrlPart.NON_ASCII),
    name="Non ASCII Characters",
    kind=WARNING,
    decision=has_url_trait(UrlTrait.NON_ASCII),
    meaning="The URL has characters beyond ASCII, such as ä or 中, which are sent percent-encoded.",
    reason=(
        "It works in browsers and search engines. But copied to a mail or a chat it often becomes "
        "a long row of percent signs that nobody can read, and some tools break it."
    ),
    remedy=(
        "Keep it if your visitors read that script. Otherwise use plain letters, and redirect the "
        "old URL to the new one."
    ),
    reference="https://url.spec.whatwg.org/#percent-encoded-bytes",
    definition=(
        "Percent-encoded bytes beyond ASCII count in the path and the query. A host with such "
        "characters does not count."
    ),
)
UNDERSCORES: Final = _rule(
    number=301,
    evidence=PartOfUrl("Segment", UrlPart.UNDERSCORES),
    name="Underscores",
    kind=OPPORTUNITY,
    decision=has_url_trait(UrlTrait.UNDERSCORE),
    meaning="The path of the URL has an underscore.",
    reason=(
        "Google recommends hyphens between words: it may take words that are joined by "
        "underscores for a single one."
    ),
    remedy=(
        "Use hyphens in new URLs. Changing a URL that is known already needs a redirect and is "
        "seldom worth it."
    ),
    definition="Only the path counts, not the host or the query.",
)
UPPERCASE: Final = _rule(
    number=302,
    evidence=PartOfUrl("Segment", UrlPart.UPPERCASE),
    name="Uppercase",
    kind=WARNING,
    decision=has_url_trait(UrlTrait.UPPERCASE),
    meaning="The path of the URL has capital letters.",
    reason=(
        "Paths are case-sensitive: /Page and /page are two URLs. Links in both spellings lead to "
        "an error or to a duplicate."
    ),
    remedy="Use lower case for new URLs, and redirect other spellings to the one you use.",
    definition=(
        "Only the path counts. Hexadecimal digits of percent-encoded characters, as in %C3, are "
        "not letters."
    ),
)
MULTIPLE_SLASHES: Final = _rule(
    number=303,
    evidence=PartOfUrl("Path", UrlPart.PATH),
    name="Multiple Slashes",
    kind=ISSUE,
    decision=has_url_trait(UrlTrait.MULTIPLE_SLASHES),
    meaning="The path of the URL has two or more slashes in a row.",
    reason=(
        "It usually comes from a mistake in putting a URL together. Most servers return the same "
        "page as with one slash, so it has two URLs."
    ),
    remedy="Correct the links to it, and let the server redirect to the URL with single slashes.",
    definition="Only the path counts, not the query.",
)
REPETITIVE_PATH: Final = _rule(
    number=304,
    evidence=PartOfUrl("Repeated Segment", UrlPart.REPEATED),
    name="Repetitive Path",
    kind=WARNING,
    decision=has_url_trait(UrlTrait.REPEATED_SEGMENT),
    meaning="A part of the path occurs twice, as in /shop/shoes/shop/.",
    reason=(
        "It may come from a relative link that lacks its leading slash. Where the server accepts "
        "any path, such links yield new URLs for ever."
    ),
    remedy=(
        "Look at the pages that link to it. If a relative link is the cause, make it begin with a "
        "slash, and let the server return 404 for paths that do not exist."
    ),
    definition="Any part between slashes that occurs twice counts, next to itself or not.",
)
CONTAINS_SPACE: Final = _rule(
    number=305,
    name="Contains A Space",
    kind=ISSUE,
    decision=has_url_trait(UrlTrait.SPACE),
    meaning="The URL has a space, which is sent as %20.",
    reason="Spaces cannot be part of a URL. In texts and mails, links often end at the first one.",
    remedy="Use hyphens instead, and redirect the old URL to the new one.",
    reference="https://url.spec.whatwg.org/#url-code-points",
    definition=(
        "Spaces count in the path and the query. A + does not, though it means a space in many "
        "queries."
    ),
)
INTERNAL_SEARCH: Final = _rule(
    number=306,
    evidence=PartOfUrl("Search", UrlPart.SEARCH),
    name="Internal Search",
    kind=WARNING,
    decision=has_url_trait(UrlTrait.INTERNAL_SEARCH),
    meaning=(
        "The URL looks like results of the site's own search: a parameter q, s, query or search, "
        "or a folder named search."
    ),
    reason=(
        "There are as many such pages as there are searches. Search engines do not want to list "
        "them, and crawling them takes time from the pages that matter."
    ),
    remedy="Disallow the search in robots.txt, or make its results noindex. Do not link to them.",
    definition="Only a folder counts: /search/ or /search/shoes, but not /search.",
)
PARAMETERS: Final = _rule(
    number=307,
    evidence=PartOfUrl("Parameters", UrlPart.PARAMETERS),
    name="Parameters",
    kind=WARNING,
    decision=has_url_trait(UrlTrait.PARAMETERS),
    meaning="The URL has parameters after a question mark.",
    reason=(
        "Parameters that sort, filter or track give one page many URLs. Search engines crawl all "
        "of them and choose one to list."
    ),
    remedy=(
        "Leave out parameters that do not change the content, or name the URL without them as "
        "canonical. Parameters that select the content are fine."
    ),
    definition="A question mark with nothing after it does not count.",
)
BROKEN_BOOKMARK: Final = _rule(
    number=308,
    evidence=MatchingLinks("Broken Bookmark", LinkTest(to_measured=True)),
    name="Broken Bookmark",
    kind=ISSUE,
    decision=StageRule(names_url=True),
    meaning=(
        "The page has a link to a fragment, such as /page#prices, but the target page has no "
        "element with that id or name."
    ),
    reason="The link opens the top of the page instead of the part that it promises.",
    remedy="Correct the fragment, or give the element its id back.",
    reference="https://html.spec.whatwg.org/multipage/browsing-the-web.html#scrolling-to-a-fragment",
    definition=(
        "The fragments #, #top and #:~:text= lead to no element and do not count. Only pages that "
        "were crawled can be compared, and none with more than 4,096 ids. Ids are kept as hashes "
        "of 16 bits: of the wrong fragments of a page with 655 ids, 1 % go unnoticed."
    ),
)
TRACKING_PARAMETERS: Final = _rule(
    number=309,
    evidence=PartOfUrl("Tracking Parameters", UrlPart.TRACKING),
    name="GA Tracking Parameters",
    kind=WARNING,
    decision=has_url_trait(UrlTrait.TRACKING),
    meaning="The URL has parameters of Google Analytics or Ads, such as utm_source or gclid.",
    reason=(
        "They are for links on other sites. On links within the site they overwrite where a "
        "visitor really came from, and give the page a second URL."
    ),
    remedy="Remove them from links within the site. To count clicks on such links, use events.",
    reference="https://support.google.com/analytics/answer/10917952",
    definition=(
        "These count: all that begin with utm_ or gad_, and gclid, gclsrc, dclid, gbraid, wbraid, "
        "srsltid, _ga and _gl."
    ),
)
TOO_LONG: Final = _rule(
    number=310,
    evidence=PartOfUrl("Length", UrlPart.LENGTH),
    name="Over {limit} Characters",
    kind=OPPORTUNITY,
    decision=PageRule(lambda page, settings: len(page.url) > settings.url_max_length),
    meaning="The URL is long.",
    reason="Long URLs are cut where they are shown, and are hard to read, copy and share.",
    remedy="Choose a short, descriptive path for new pages. A known URL is best left as it is.",
    limit="url_max_length",
    definition="The whole address counts, as it is sent: percent-encoded and with its scheme.",
)
