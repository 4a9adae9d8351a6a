"""Rules about the responses of URLs that belong to the site."""

from functools import partial
from typing import Final

from gossamer.audit.site_rule import (
    HIGH,
    ISSUE,
    LOW,
    MEDIUM,
    WARNING,
    Listed,
    RuleGroup,
    SiteRule,
    StageRule,
)

_ROBOTS: Final = "https://developers.google.com/search/docs/crawling-indexing/robots/intro"
_REDIRECTS: Final = "https://developers.google.com/search/docs/crawling-indexing/301-redirects"

_rule = partial(
    SiteRule,
    group=RuleGroup.RESPONSE_CODES,
    decision=StageRule(Listed.INTERNAL_URLS, is_live=True),
    reference="https://developers.google.com/search/docs/crawling-indexing/http-network-errors",
    fields=("status", "outcome"),
)

BLOCKED: Final = _rule(
    number=100,
    name="Internal Blocked by Robots.txt",
    kind=WARNING,
    priority=HIGH,
    decision=StageRule(Listed.INTERNAL_URLS),
    meaning="The site's robots.txt disallows this URL, so it was not requested.",
    reason=(
        "Search engines cannot read it either. They may still list it without its text if others "
        "link to it, and its own links count for nothing."
    ),
    remedy=(
        "Allow the URL in robots.txt if it should be found. If it should not, allow it all the "
        "same and make it noindex: a page that nobody may read cannot say that."
    ),
    reference=_ROBOTS,
)
BLOCKED_RESOURCE: Final = _rule(
    number=101,
    name="Internal Blocked Resource",
    kind=WARNING,
    priority=HIGH,
    decision=StageRule(Listed.RESOURCES),
    meaning="The site's robots.txt disallows an image, script or style sheet that pages use.",
    reason=(
        "Search engines render pages like a browser. Without its scripts and styles a page may "
        "lack content or look unfit for phones; blocked images cannot be found."
    ),
    remedy="Allow in robots.txt what pages need to be shown.",
    reference=_ROBOTS,
)
NO_RESPONSE: Final = _rule(
    number=102,
    name="Internal No Response",
    kind=ISSUE,
    priority=HIGH,
    meaning=(
        "The server returned no usable response: unknown host, failed connection, invalid "
        "certificate, timeout, or something that is not HTTP."
    ),
    reason="Visitors see an error of their browser, and search engines drop the URL in time.",
    remedy=(
        "Open the URL in a browser. If it works there, crawl it again, more slowly: the server "
        "may have been overloaded. If not, repair the server, or correct the links to it."
    ),
    definition="Failures on this side, such as a broken proxy, do not count.",
)
REDIRECTION: Final = _rule(
    number=103,
    name="Internal Redirection (3xx)",
    kind=WARNING,
    priority=LOW,
    meaning="The server redirects this URL to another one by its status code.",
    reason=(
        "Each redirect costs visitors time and crawlers a request. Redirects for old addresses "
        "are good; links within the site need none."
    ),
    remedy="Make links within the site lead to the target. Keep the redirect for others.",
    reference=_REDIRECTS,
    fields=("status", "redirect"),
    definition="Every status from 300 to 399 counts.",
)
JAVASCRIPT_REDIRECTION: Final = _rule(
    number=104,
    name="Internal Redirection (JavaScript)",
    kind=WARNING,
    priority=LOW,
    decision=StageRule(Listed.INTERNAL_URLS, needs_rendering=True, is_live=True),
    meaning="A script of the page sends visitors to another URL.",
    reason=(
        "Search engines follow it only once they have rendered the page, which can take long or "
        "fail, and some crawlers run no scripts at all."
    ),
    remedy="Redirect on the server instead, with status 301 or 308 if the move is for good.",
    reference=_REDIRECTS,
    fields=("status", "redirect"),
)
META_REFRESH: Final = _rule(
    number=105,
    name="Internal Redirection (Meta Refresh)",
    kind=WARNING,
    priority=LOW,
    meaning='The page sends visitors on at once by <meta http-equiv="refresh">.',
    reason=(
        "Visitors load a page for nothing, and the way back in the browser is broken. Search "
        "engines follow it, but recommend redirects on the server."
    ),
    remedy="Redirect on the server instead, with status 301 or 308 if the move is for good.",
    reference=_REDIRECTS,
    fields=("status", "redirect", "refresh"),
    definition=(
        "The refresh must wait no longer than a second. One that waits longer is reported as "
        "Directives: Refresh."
    ),
)
HTTP_REFRESH: Final = _rule(
    number=106,
    name="Internal Redirection (HTTP Refresh)",
    kind=WARNING,
    priority=LOW,
    meaning="The server sends visitors on at once by a Refresh header.",
    reason=(
        "HTTP itself does not define the header, and not every client follows it. Search engines "
        "treat it like a redirect, but recommend status codes."
    ),
    remedy="Redirect by status 301 or 308 for good, or by 302 or 307 for a time.",
    reference=_REDIRECTS,
    fields=("status", "redirect"),
    definition=(
        "The refresh must wait no longer than a second. One that waits longer is reported as "
        "Directives: Refresh."
    ),
)
REDIRECT_CHAIN: Final = _rule(
    number=107,
    name="Internal Redirect Chain",
    kind=WARNING,
    priority=MEDIUM,
    decision=StageRule(Listed.INTERNAL_URLS),
    meaning="The URL redirects to one that redirects again.",
    reason=(
        "Every hop costs visitors time and crawlers a request. Search engines follow only a "
        "limited number of hops, Google ten."
    ),
    remedy="Redirect straight to the final address, and make links lead there.",
    reference=_REDIRECTS,
    fields=("chain_length", "chain_type", "final_url"),
    definition="Only the first URL of a chain is listed. A loop is not a chain.",
)
REDIRECT_LOOP: Final = _rule(
    number=108,
    name="Internal Redirect Loop",
    kind=ISSUE,
    priority=HIGH,
    decision=StageRule(Listed.INTERNAL_URLS),
    meaning="The redirects from this URL lead back to it and never end.",
    reason="Browsers give up with an error, so neither visitors nor search engines get a page.",
    remedy=(
        "Find the two rules that contradict each other: often one adds and another removes www, "
        "a trailing slash or https."
    ),
    reference="https://www.rfc-editor.org/rfc/rfc9110#name-redirection-3xx",
    fields=("status", "redirect", "chain_length"),
    definition="Every URL of the loop is listed, but not those that lead into it.",
)
CLIENT_ERROR: Final = _rule(
    number=109,
    name="Internal Client Error (4xx)",
    kind=ISSUE,
    priority=HIGH,
    meaning="The server returned a status code from 400 to 499, such as 404 Not Found.",
    reason=(
        "Visitors who follow a link end on an error page. Search engines remove the URL, and what "
        "links to it is lost."
    ),
    remedy=(
        "Correct or remove the links to it. If the page has moved, redirect to its new address; "
        "if it is gone by mistake, bring it back."
    ),
    definition="Statuses by which servers turn robots away, such as 403, count here, too.",
)
SERVER_ERROR: Final = _rule(
    number=110,
    name="Internal Server Error (5xx)",
    kind=ISSUE,
    priority=HIGH,
    meaning="The server returned a status code from 500 to 599: it failed to handle the request.",
    reason=(
        "Visitors get no page. Search engines crawl a site with such errors more slowly, and "
        "drop URLs that keep failing."
    ),
    remedy=(
        "Look for the time of the crawl in the server's log. If it happens only during crawls, "
        "the server is overloaded: crawl more slowly, and let it handle more."
    ),
)
REFUSED: Final = _rule(
    number=111,
    name="Internal Refused to Robots",
    kind=WARNING,
    priority=MEDIUM,
    meaning=(
        "The server turned the crawler away: with status 401, 403, 405, 429 or 999, or with a "
        "test for humans. The page may well work in a browser."
    ),
    reason=(
        "What turns this crawler away may turn away search engines, too. Until it is let in, "
        "nothing can be said of the page."
    ),
    remedy=(
        "Open the URL in a browser. If it works, let the crawler pass the firewall, give it a "
        "password, or crawl more slowly."
    ),
)
UNVERIFIED: Final = _rule(
    number=112,
    name="Internal Unverified",
    kind=WARNING,
    priority=LOW,
    meaning=(
        "The URL responded, but it is unclear whether it works: the transfer broke off, only "
        "scripts can show the page, or the response makes no sense."
    ),
    reason="It may work for visitors, so it is not counted as broken.",
    remedy="Open it in a browser. If it works there, nothing is wrong with the URL itself.",
    definition=(
        "Of a page whose transfer broke off, rules about one page report what is there, but not "
        "what it lacks. Rules that compare URLs, such as those of hreflang, take it as it is."
    ),
)
