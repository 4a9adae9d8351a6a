"""Rules about the responses of URLs on other sites, to which the site links."""

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
_STATUS: Final = "https://www.rfc-editor.org/rfc/rfc9110#name-redirection-3xx"

_rule = partial(
    SiteRule,
    group=RuleGroup.RESPONSE_CODES,
    decision=StageRule(Listed.EXTERNAL_URLS, is_live=True),
    reference="https://developers.google.com/search/docs/crawling-indexing/http-network-errors",
    fields=("status", "outcome"),
)

BLOCKED: Final = _rule(
    number=150,
    name="External Blocked by Robots.txt",
    kind=WARNING,
    priority=HIGH,
    decision=StageRule(Listed.EXTERNAL_URLS),
    meaning="The robots.txt of another site disallows this URL, so it was not requested.",
    reason=(
        "Visitors can open it, but whether the link works could not be checked, and search "
        "engines do not read what is there."
    ),
    remedy="Open the link yourself. It needs no change if it works.",
    reference=_ROBOTS,
)
BLOCKED_RESOURCE: Final = _rule(
    number=151,
    name="External Blocked Resource",
    kind=WARNING,
    priority=HIGH,
    decision=StageRule(Listed.RESOURCES),
    meaning=(
        "Pages use an image, script or style sheet of another site whose robots.txt disallows it."
    ),
    reason=(
        "Search engines render pages without it, so content that a blocked script loads is "
        "missing for them."
    ),
    remedy="Serve the file from your own site, or ask the other site to allow it.",
    reference=_ROBOTS,
)
NO_RESPONSE: Final = _rule(
    number=152,
    name="External No Response",
    kind=WARNING,
    priority=LOW,
    meaning=(
        "A URL of another site returned no usable response: unknown host, failed connection, "
        "invalid certificate or timeout."
    ),
    reason="Visitors who follow the link see an error of their browser.",
    remedy="Open the link in a browser. If it is dead there, too, replace or remove it.",
)
REDIRECTION: Final = _rule(
    number=153,
    name="External Redirection (3xx)",
    kind=WARNING,
    priority=LOW,
    meaning="A URL of another site redirects to another one by its status code.",
    reason="The link works, but takes longer, and breaks when the other site drops the redirect.",
    remedy="Link to the target if the redirect is permanent (301 or 308).",
    reference=_STATUS,
    fields=("status", "redirect"),
)
JAVASCRIPT_REDIRECTION: Final = _rule(
    number=154,
    name="External Redirection (JavaScript)",
    kind=WARNING,
    priority=LOW,
    decision=StageRule(Listed.EXTERNAL_URLS, needs_rendering=True, is_live=True),
    meaning="A script on a page of another site sends visitors to another URL.",
    reason="The link works, but takes longer, and only where scripts run.",
    remedy="Link to the target.",
    reference=_STATUS,
    fields=("status", "redirect"),
)
META_REFRESH: Final = _rule(
    number=155,
    name="External Redirection (Meta Refresh)",
    kind=WARNING,
    priority=LOW,
    meaning='A page of another site sends visitors on at once by <meta http-equiv="refresh">.',
    reason="The link works, but visitors load a page for nothing on their way.",
    remedy="Link to the target.",
    reference=_STATUS,
    fields=("status", "redirect"),
)
HTTP_REFRESH: Final = _rule(
    number=156,
    name="External Redirection (HTTP Refresh)",
    kind=WARNING,
    priority=LOW,
    meaning="A server of another site sends visitors on at once by a Refresh header.",
    reason="The link works, but takes longer, and not every client follows the header.",
    remedy="Link to the target.",
    reference=_STATUS,
    fields=("status", "redirect"),
)
REDIRECT_CHAIN: Final = _rule(
    number=157,
    name="External Redirect Chain",
    kind=WARNING,
    priority=MEDIUM,
    decision=StageRule(Listed.EXTERNAL_URLS),
    meaning="A URL of another site redirects to one that redirects again.",
    reason="Each hop costs your visitors time, and any of them may break one day.",
    remedy="Link to the final address if the redirects are permanent.",
    reference=_STATUS,
    fields=("chain_length", "chain_type", "final_url"),
    definition="Only the first URL of a chain is listed. A loop is not a chain.",
)
REDIRECT_LOOP: Final = _rule(
    number=158,
    name="External Redirect Loop",
    kind=ISSUE,
    priority=HIGH,
    decision=StageRule(Listed.EXTERNAL_URLS),
    meaning="The redirects from a URL of another site lead back to it and never end.",
    reason=(
        "The link leads to no page. Sometimes a browser with cookies gets through, so try it "
        "before you judge."
    ),
    remedy="Open the link in a browser. If it fails there, too, replace or remove it.",
    reference=_STATUS,
    fields=("status", "redirect", "chain_length"),
    definition="Every URL of the loop is listed, but not those that lead into it.",
)
CLIENT_ERROR: Final = _rule(
    number=159,
    name="External Client Error (4xx)",
    kind=WARNING,
    priority=LOW,
    meaning="A URL of another site returned a status code from 400 to 499, such as 404 Not Found.",
    reason="Visitors who follow the link end on an error page, and trust your page less.",
    remedy=(
        "Open the link in a browser: some sites turn crawlers away. If it is dead, look for its "
        "new address, or remove it."
    ),
    definition="Statuses by which servers turn robots away, such as 403, count here, too.",
)
SERVER_ERROR: Final = _rule(
    number=160,
    name="External Server Error (5xx)",
    kind=WARNING,
    priority=LOW,
    meaning="A server of another site returned a status code from 500 to 599: it failed.",
    reason="Visitors who follow the link get no page, at least at the time of the crawl.",
    remedy="Check the link again later. Replace or remove it if it keeps failing.",
)
REFUSED: Final = _rule(
    number=161,
    name="External Refused to Robots",
    kind=WARNING,
    priority=MEDIUM,
    meaning=(
        "A server of another site turned the crawler away: with status 401, 403, 405, 429 or 999, "
        "or with a test for humans."
    ),
    reason=(
        "Most such links work for visitors. They are listed apart from broken ones, so that you "
        "neither remove good links nor overlook dead ones."
    ),
    remedy="Open the link in a browser. It needs no change if it works.",
)
UNVERIFIED: Final = _rule(
    number=162,
    name="External Unverified",
    kind=WARNING,
    priority=LOW,
    meaning=(
        "A URL of another site responded, but it is unclear whether it works: the transfer "
        "broke off, or the response makes no sense."
    ),
    reason="It may work for visitors, so it is not counted as broken.",
    remedy="Open it in a browser. If it does not work there, replace or remove the link.",
)
