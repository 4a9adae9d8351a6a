"""The state, outcome and verdict of a URL, and the sentences that explain them.

The numbers are stored in project files: a number once given keeps its meaning.
"""

from enum import IntEnum, StrEnum
from functools import lru_cache

from gossamer.model.translatable import Sentence


class UrlState(IntEnum):
    """The state of a known URL. Stored in `url.state`."""

    QUEUED = 0
    """To be fetched; URLs in flight are still queued, so that a crash fetches them again."""
    DONE = 1
    """Requested, with a response, whatever it was."""
    FAILED = 2
    """Requested in vain: no usable response after all tries."""
    SKIPPED = 3
    """Known but never requested; the outcome says why."""
    CANCELLED = 4
    """The user cancelled it."""
    HELD = 5
    """To be fetched when the user says so, not before."""


class Outcome(IntEnum):
    """Why a URL is in its state. Stored in `url.outcome`."""

    PENDING = 0

    # Responses (state DONE).
    PAGE = 1
    FILE = 2
    REDIRECT = 3
    REDIRECT_LIMIT = 4
    REDIRECT_WITHOUT_LOCATION = 5
    REDIRECT_BAD_LOCATION = 6
    REDIRECT_OUT_OF_SCOPE = 7
    CLIENT_ERROR = 8
    SERVER_ERROR = 9
    UNEXPECTED_STATUS = 10
    PAGE_NOT_PARSED = 11
    CHECKED = 12
    CHALLENGE = 13
    REDIRECT_LOOP = 14
    """Its redirects never end: it is on a loop, or leads into one."""
    PAGE_INCOMPLETE = 15
    """It broke off each time it was requested; the part received was read."""
    FILE_INCOMPLETE = 16
    """Likewise, for anything that is read but is no page: a sitemap."""

    PAGE_NEEDS_SCRIPTS = 17
    PAGE_SOFT_ERROR = 18

    # No usable response (state FAILED).
    DNS_FAILURE = 20
    CONNECTION_REFUSED = 21
    CONNECTION_FAILED = 22
    CONNECTION_LOST = 23
    TLS_ERROR = 24
    TIMEOUT = 25
    TOO_SLOW = 26
    MALFORMED_RESPONSE = 27
    BROKEN_ENCODING = 28
    WORKER_DIED = 29
    UNEXPECTED_ERROR = 30
    FORBIDDEN_ADDRESS = 31
    """Not requested (state SKIPPED): its host name leads into a private network."""
    NOT_HTTPS = 32
    BAD_CERTIFICATE = 33
    PROXY_FAILURE = 34
    LOGIN_REQUIRED = 35
    """It required the login that the crawl had until then; the next run requests it again."""

    # Never requested (state SKIPPED).
    NOT_FOLLOWED = 40
    OUT_OF_SCOPE = 41
    EXCLUDED = 42
    NOT_INCLUDED = 43
    TOO_DEEP = 44
    UNSUPPORTED_SCHEME = 45
    MALFORMED_URL = 46
    URL_TOO_LONG = 47
    BLOCKED_BY_ROBOTS = 48
    BEYOND_REDIRECT_LIMIT = 49
    NOFOLLOW = 50
    OVER_BUDGET = 51
    NO_SITEMAP = 52
    ROBOTS_UNAVAILABLE = 53
    """The robots.txt failed (429, 5xx, unreadable), which forbids as much as a complete ban."""
    ENDS_SESSION = 54
    """There is a login, and following this looks like it signs out or deletes something."""

    GONE = 55
    """Only the previous crawl of a recrawl has it, and the server reports that it is gone."""
    NO_LONGER_LINKED = 56
    """Only the previous crawl has it: nothing leads there any more."""
    OTHER_SHARD = 57
    """A URL of a host that another shard of the crawl fetches."""

    NOT_IN_ARCHIVE = 58
    """The crawl is made from an archive, which has no response for it; no server is asked."""

    CANCELLED = 60
    HELD = 61
    """Held back by the user (state HELD)."""

    PENDING_CHECK = 70
    """To be checked (state QUEUED): its headers are requested, and it is not read."""
    PENDING_SITEMAP = 71
    """To be read as a sitemap (state QUEUED)."""
    PENDING_FORMER = 72
    """A page that only the previous crawl has, to be checked (state QUEUED)."""

    @property
    def sentence(self) -> str:
        """One plain sentence for a user, in English."""
        return SENTENCES[self]

    @property
    def label(self) -> Sentence:
        """At most four words for a cell, in English."""
        return LABELS[self]

    state: UrlState
    """The state a URL with this outcome is in."""

    @property
    def is_redirect(self) -> bool:
        """Whether the server responded with a redirect, usable or not."""
        return (
            Outcome.REDIRECT <= self <= Outcome.REDIRECT_OUT_OF_SCOPE
            or self is Outcome.REDIRECT_LOOP
        )


def _state_of(outcome: Outcome) -> UrlState:
    if outcome is Outcome.PENDING or outcome >= Outcome.PENDING_CHECK:
        return UrlState.QUEUED
    if outcome >= Outcome.CANCELLED:
        return UrlState.CANCELLED if outcome is Outcome.CANCELLED else UrlState.HELD
    if outcome < Outcome.DNS_FAILURE:
        return UrlState.DONE
    if outcome is Outcome.FORBIDDEN_ADDRESS:
        return UrlState.SKIPPED
    return UrlState.FAILED if outcome < Outcome.NOT_FOLLOWED else UrlState.SKIPPED


for _outcome in Outcome:  # an attribute, because every URL's is needed several times
    _outcome.state = _state_of(_outcome)

SENTENCES: dict[Outcome, Sentence] = {
    Outcome.PENDING: "Waiting to be fetched.",
    Outcome.PAGE: "A page, fetched and parsed.",
    Outcome.FILE: "A file other than a web page; its URL was checked, its content not stored.",
    Outcome.REDIRECT: "Redirects to another URL.",
    Outcome.REDIRECT_LIMIT: "Redirects, but the redirect limit is reached.",
    Outcome.REDIRECT_LOOP: "Redirect loop: this URL never leads to a page.",
    Outcome.REDIRECT_WITHOUT_LOCATION: "Redirects without a Location.",
    Outcome.REDIRECT_BAD_LOCATION: "Redirects to a malformed URL.",
    Outcome.REDIRECT_OUT_OF_SCOPE: "Redirects to a URL outside the scope of this crawl.",
    Outcome.CLIENT_ERROR: "The server returned an error: the URL is broken.",
    Outcome.SERVER_ERROR: "The server failed to handle the request.",
    Outcome.UNEXPECTED_STATUS: "The server returned an unexpected status code.",
    Outcome.PAGE_NOT_PARSED: (
        "The page was received, but could not be parsed; see the log for details."
    ),
    Outcome.CHECKED: "Checked: the URL works. Its content was not read.",
    Outcome.CHALLENGE: "The server returned a bot challenge instead of the page.",
    Outcome.PAGE_INCOMPLETE: (
        "The response broke off; only the part of the page received was parsed."
    ),
    Outcome.FILE_INCOMPLETE: "The response broke off; only a part of the file was received.",
    Outcome.PAGE_NEEDS_SCRIPTS: (
        "Needs JavaScript: without it the page is empty. Rendering shows its text and links."
    ),
    Outcome.PAGE_SOFT_ERROR: (
        "Looks like an error page, although the status code says success (soft 404)."
    ),
    Outcome.DNS_FAILURE: "The host name could not be found.",
    Outcome.CONNECTION_REFUSED: "The server refused the connection.",
    Outcome.CONNECTION_FAILED: "The server could not be reached.",
    Outcome.CONNECTION_LOST: "The server closed the connection before it responded.",
    Outcome.TLS_ERROR: "A secure connection could not be made.",
    Outcome.NOT_HTTPS: "The server does not speak HTTPS on this port.",
    Outcome.BAD_CERTIFICATE: "The server's certificate is not valid.",
    Outcome.PROXY_FAILURE: "The proxy failed or refused the request; the server was not reached.",
    Outcome.LOGIN_REQUIRED: (
        "The server asked for the login again instead of returning the page; the page is "
        "requested again when the crawl has a login that works."
    ),
    Outcome.TIMEOUT: "The server did not respond in time.",
    Outcome.TOO_SLOW: "The response was too slow and was abandoned.",
    Outcome.MALFORMED_RESPONSE: "The response violates the HTTP standard.",
    Outcome.BROKEN_ENCODING: "The response is compressed, and its compressed data is corrupt.",
    Outcome.WORKER_DIED: "The process that parsed this page crashed more than once.",
    Outcome.UNEXPECTED_ERROR: "An unexpected error occurred; see the log for details.",
    Outcome.NOT_FOLLOWED: "Only recorded: links of this kind are not followed.",
    Outcome.OUT_OF_SCOPE: "Out of scope: another host.",
    Outcome.EXCLUDED: "Matches an exclude pattern.",
    Outcome.NOT_INCLUDED: "Matches no include pattern.",
    Outcome.TOO_DEEP: "Deeper than the depth limit.",
    Outcome.UNSUPPORTED_SCHEME: "Not an HTTP or HTTPS URL.",
    Outcome.MALFORMED_URL: "Not a well-formed URL.",
    Outcome.URL_TOO_LONG: "The URL is longer than the limit.",
    Outcome.BLOCKED_BY_ROBOTS: "Disallowed by the site's robots.txt.",
    Outcome.ROBOTS_UNAVAILABLE: "The site's robots.txt could not be read, so this was not fetched.",
    Outcome.ENDS_SESSION: (
        "Not followed with a login: it looks like it signs out or deletes something."
    ),
    Outcome.BEYOND_REDIRECT_LIMIT: "Not fetched: beyond the redirect limit.",
    Outcome.FORBIDDEN_ADDRESS: "The host name resolves to a private IP address; not requested.",
    Outcome.NOFOLLOW: "All links to this URL are nofollow.",
    Outcome.OVER_BUDGET: "Not fetched: the site seems to generate URLs of this kind endlessly.",
    Outcome.GONE: "Gone: the earlier crawl found this page; now there is nothing.",
    Outcome.NO_LONGER_LINKED: (
        "No longer linked: the earlier crawl found this page, and nothing leads to it any more."
    ),
    Outcome.OTHER_SHARD: "Belongs to another shard of this crawl, which fetches it.",
    Outcome.NOT_IN_ARCHIVE: "Not in the archive, so nothing is known about it.",
    Outcome.CANCELLED: "Cancelled by you.",
    Outcome.HELD: "You skipped this for now: not fetched until you put it back in the queue.",
    Outcome.NO_SITEMAP: "There is no sitemap at this default location.",
    Outcome.PENDING_CHECK: "Waiting to be checked.",
    Outcome.PENDING_SITEMAP: "A sitemap, waiting to be read.",
    Outcome.PENDING_FORMER: "A page of the earlier crawl, waiting to be checked.",
}

LABELS: dict[Outcome, Sentence] = {
    Outcome.PENDING: "Queued",
    Outcome.PAGE: "Page",
    Outcome.FILE: "File",
    Outcome.REDIRECT: "Redirect",
    Outcome.REDIRECT_LIMIT: "Redirect limit reached",
    Outcome.REDIRECT_LOOP: "Redirect loop",
    Outcome.REDIRECT_WITHOUT_LOCATION: "Redirect without a target",
    Outcome.REDIRECT_BAD_LOCATION: "Redirect to a malformed URL",
    Outcome.REDIRECT_OUT_OF_SCOPE: "Redirect out of scope",
    Outcome.CLIENT_ERROR: "Client error",
    Outcome.SERVER_ERROR: "Server error",
    Outcome.UNEXPECTED_STATUS: "Unexpected status",
    Outcome.PAGE_NOT_PARSED: "Page could not be parsed",
    Outcome.PAGE_INCOMPLETE: "Incomplete page",
    Outcome.FILE_INCOMPLETE: "Incomplete file",
    Outcome.PAGE_NEEDS_SCRIPTS: "Needs JavaScript",
    Outcome.PAGE_SOFT_ERROR: "Soft error page",
    Outcome.DNS_FAILURE: "Unknown host",
    Outcome.CONNECTION_REFUSED: "Connection refused",
    Outcome.CONNECTION_FAILED: "Connection failed",
    Outcome.CONNECTION_LOST: "Connection lost",
    Outcome.TLS_ERROR: "TLS error",
    Outcome.NOT_HTTPS: "No HTTPS",
    Outcome.BAD_CERTIFICATE: "Invalid certificate",
    Outcome.PROXY_FAILURE: "Proxy error",
    Outcome.LOGIN_REQUIRED: "Login required",
    Outcome.TIMEOUT: "Timeout",
    Outcome.TOO_SLOW: "Response too slow",
    Outcome.MALFORMED_RESPONSE: "Malformed response",
    Outcome.BROKEN_ENCODING: "Corrupt response",
    Outcome.WORKER_DIED: "Parser crashed",
    Outcome.UNEXPECTED_ERROR: "Unexpected error",
    Outcome.NOT_FOLLOWED: "Not followed",
    Outcome.OUT_OF_SCOPE: "Out of scope",
    Outcome.EXCLUDED: "Excluded",
    Outcome.NOT_INCLUDED: "Not included",
    Outcome.TOO_DEEP: "Too deep",
    Outcome.UNSUPPORTED_SCHEME: "Not an HTTP URL",
    Outcome.MALFORMED_URL: "Malformed URL",
    Outcome.URL_TOO_LONG: "URL too long",
    Outcome.BLOCKED_BY_ROBOTS: "Blocked by robots.txt",
    Outcome.ENDS_SESSION: "Signs out or deletes",
    Outcome.ROBOTS_UNAVAILABLE: "robots.txt unavailable",
    Outcome.BEYOND_REDIRECT_LIMIT: "Beyond the redirect limit",
    Outcome.CHECKED: "Checked",
    Outcome.CHALLENGE: "Bot challenge",
    Outcome.FORBIDDEN_ADDRESS: "Private IP address",
    Outcome.NOFOLLOW: "Nofollow",
    Outcome.OVER_BUDGET: "Trap limit",
    Outcome.NO_SITEMAP: "No sitemap",
    Outcome.GONE: "Gone",
    Outcome.NO_LONGER_LINKED: "No longer linked",
    Outcome.NOT_IN_ARCHIVE: "Not in the archive",
    Outcome.OTHER_SHARD: "In another shard",
    Outcome.PENDING_SITEMAP: "Sitemap, queued",
    Outcome.PENDING_CHECK: "Queued for checking",
    Outcome.PENDING_FORMER: "Former page, queued",
    Outcome.CANCELLED: "Cancelled",
    Outcome.HELD: "Skipped for now",
}

STATUS_SENTENCES: dict[int, Sentence] = {
    401: "Authentication required.",
    403: "Access denied.",
    404: "Not found.",
    407: "The proxy requires authentication.",
    410: "Gone: permanently removed.",
    429: "Too many requests: the server limits the rate.",
    451: "Unavailable for legal reasons.",
}
"""What the server means by some client error statuses."""


def sentence_of(outcome: Outcome, status: int | None) -> Sentence:
    """One plain sentence on a URL with this outcome and, if there was a response, this status."""
    if outcome is Outcome.CLIENT_ERROR and status in STATUS_SENTENCES:
        return STATUS_SENTENCES[status]
    return outcome.sentence


PAGES = frozenset(
    {
        Outcome.PAGE,
        Outcome.PAGE_INCOMPLETE,
        Outcome.PAGE_NEEDS_SCRIPTS,
        Outcome.PAGE_SOFT_ERROR,
    }
)
"""Web pages that were read."""
FORMER_PAGES = frozenset({Outcome.GONE, Outcome.NO_LONGER_LINKED, Outcome.PENDING_FORMER})
"""What has become of pages that only the previous crawl of a recrawl has, or that they are still to
be checked.

They are not URLs of this crawl: its counts leave them out, except that of URLs to do."""
KEPT_BY_ROBOTS = frozenset({Outcome.BLOCKED_BY_ROBOTS, Outcome.ROBOTS_UNAVAILABLE})
"""Those of URLs that are not requested because of a robots.txt."""
NEVER_ASKED = frozenset(
    {Outcome.OUT_OF_SCOPE, Outcome.UNSUPPORTED_SCHEME, Outcome.MALFORMED_URL, Outcome.URL_TOO_LONG}
)
"""No URL with such an outcome is ever requested in this crawl, whatever a user does to it."""
FILES = frozenset({Outcome.FILE, Outcome.FILE_INCOMPLETE})
INCOMPLETE = frozenset({Outcome.PAGE_INCOMPLETE, Outcome.FILE_INCOMPLETE})
AWAITING_LOGIN = frozenset({Outcome.LOGIN_REQUIRED})
"""They wait for a login that works, and are not errors."""


class Verdict(StrEnum):
    """What a user should think of a URL. Three kinds of trouble are never mixed up."""

    PENDING = "pending"
    OK = "ok"
    REDIRECT = "redirect"
    BROKEN = "broken"
    """The address is dead: 404, 410, other client errors, no such host, https where there is
    none, a redirect to nowhere."""
    REFUSED = "refused"
    """The server turns robots away: 401, 403, 407, 429, 451, 999, a test for robots."""
    UNVERIFIED = "unverified"
    """It may work for others or later: time-outs, lost connections, 5xx; or it is not what it
    seems: a page that needs JavaScript, or looks like an error."""
    SKIPPED = "skipped"
    """Never requested."""


REFUSED_STATUSES = frozenset({401, 403, 407, 429, 451, 999})
_BROKEN = frozenset(
    {
        Outcome.CLIENT_ERROR,
        Outcome.DNS_FAILURE,
        Outcome.NOT_HTTPS,
        Outcome.REDIRECT_WITHOUT_LOCATION,
        Outcome.REDIRECT_BAD_LOCATION,
        Outcome.REDIRECT_LIMIT,
        Outcome.REDIRECT_LOOP,
    }
)
_OK = frozenset({Outcome.PAGE, Outcome.FILE, Outcome.CHECKED})
_REDIRECT = frozenset({Outcome.REDIRECT, Outcome.REDIRECT_OUT_OF_SCOPE})


@lru_cache(maxsize=1000)  # of a million URLs, a few dozen differ in these
def verdict(outcome: Outcome, status: int | None) -> Verdict:
    """The verdict on a URL with this outcome and, if there was a response, this status code."""
    if outcome.state in {UrlState.QUEUED, UrlState.HELD} or outcome in AWAITING_LOGIN:
        return Verdict.PENDING
    if outcome.state in {UrlState.SKIPPED, UrlState.CANCELLED}:
        return Verdict.SKIPPED
    if status in REFUSED_STATUSES or outcome is Outcome.CHALLENGE:
        return Verdict.REFUSED
    for outcomes, result in (
        (_OK, Verdict.OK),
        (_REDIRECT, Verdict.REDIRECT),
        (_BROKEN, Verdict.BROKEN),
    ):
        if outcome in outcomes:
            return result
    return Verdict.UNVERIFIED


def is_error(outcome: Outcome) -> bool:
    """Whether the URL belongs in the list of errors."""
    return outcome in ERROR_OUTCOMES


ERROR_OUTCOMES = frozenset(
    o for o in Outcome if verdict(o, None) in {Verdict.BROKEN, Verdict.REFUSED, Verdict.UNVERIFIED}
) - {Outcome.PAGE_NEEDS_SCRIPTS}
"""A page that needs JavaScript works for its visitors: it is uncertain, not an error."""
