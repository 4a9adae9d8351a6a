"""Detects redirect loops that end once the cookie they set is sent back.

A site that turns visitors away until they have its cookie sends them back to where they came from:
`/a` to itself, or `/a` to `/welcome` to `/a`. A URL is requested once, so that would look like a
loop.
"""

from msgspec import Struct, structs

from gossamer.engine.url_tracker import FrontierEntry
from gossamer.model.bounded_dict import drop_oldest
from gossamer.model.outcome import Outcome
from gossamer.model.outcome_details import DetailCode, joined
from gossamer.model.visit import CountedResponse, Visit

_MOST = 2_000
_LONGEST = 10
"""Most redirects of such a loop."""


class CookieRedirect(Struct, frozen=True):
    """A URL that responded with a redirect; `cookies_told` stands for the cookies it was sent.

    `outcome` is what it counts as: REDIRECT, or one that was not followed.
    """

    entry: FrontierEntry
    location: str
    cookies_told: int
    response: CountedResponse
    outcome: Outcome


def with_cookie_detail(entry: FrontierEntry, visit: Visit) -> Visit:
    """The visit, with a detail about the second request if the cookies made a difference."""
    if not entry.redirected_to or visit.location == entry.redirected_to:
        return visit
    return structs.replace(visit, detail=joined(DetailCode.COOKIES(), visit.detail))


class CookieRedirects:
    """Keeps the latest redirects in bounded memory, and tells which are worth another request."""

    def __init__(self) -> None:
        self._turned: dict[str, CookieRedirect] = {}

    def to_repeat(
        self, entry: FrontierEntry, visit: Visit, outcome: Outcome
    ) -> CookieRedirect | None:
        """The redirect that the redirect `visit` leads back to, if it is worth another request.

        It is, if other cookies would be sent to it now, and if it has not been repeated yet. It may
        be `entry` itself.
        """
        if len(self._turned) >= _MOST:
            drop_oldest(self._turned)
        location = visit.location or ""
        self._turned[entry.url] = CookieRedirect(
            entry, location, visit.cookies_told, visit.counted, outcome
        )
        start = self._turned.get(location)
        if start is None or start.entry.redirected_to or start.cookies_told == visit.cookies_ahead:
            return None
        return start if self._leads(start, entry.url) else None

    def counts_as(self, url: str, outcome: Outcome) -> None:
        """Note that the redirect at `url`, if remembered, counts as something else by now."""
        turned = self._turned.get(url)
        if turned is not None:
            self._turned[url] = structs.replace(turned, outcome=outcome)

    def entry_to_repeat(self, turned: CookieRedirect) -> FrontierEntry:
        """The entry to request again; after that it is not repeated any more."""
        self._turned.pop(turned.entry.url, None)
        return structs.replace(
            turned.entry, tries=0, deaths=0, node_losses=0, redirected_to=turned.location
        )

    def _leads(self, start: CookieRedirect, url: str) -> bool:
        """Whether the redirects from `start` on pass `url`."""
        for _ in range(_LONGEST):
            if start.entry.url == url:
                return True
            following = self._turned.get(start.location)
            if following is None:
                return False
            start = following
        return False
