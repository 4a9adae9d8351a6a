"""Detects redirect loops that end once the cookie they set is sent back.

A site that turns visitors away until they have its cookie sends them back to where they came from:
`/a` to itself, or `/a` to `/welcome` to `/a`. A URL is asked once, so that would be a loop.
"""

from dataclasses import dataclass, replace

from msgspec import structs

from gossamer.engine.url_tracker import FrontierEntry
from gossamer.model.bounded_dict import drop_oldest
from gossamer.model.outcome import Outcome
from gossamer.model.outcome_details import DetailCode, joined
from gossamer.model.visit import CountedResponse, Visit

_MOST = 2_000
_LONGEST = 10
"""Redirects around a wall."""


@dataclass(frozen=True, slots=True)
class CookieRedirect:
    """A URL that answered with a redirect; `told` stands for the cookies that it had been told.

    `outcome` is what it counts as: REDIRECT, or one that was not followed.
    """

    entry: FrontierEntry
    location: str
    told: int
    answer: CountedResponse
    outcome: Outcome


def with_cookie_detail(entry: FrontierEntry, visit: Visit) -> Visit:
    """The visit, with word of the second request if the cookies made a difference to it."""
    if not entry.redirected_to or visit.location == entry.redirected_to:
        return visit
    return structs.replace(visit, detail=joined(DetailCode.COOKIES(), visit.detail))


class CookieRedirects:
    """The latest redirects, in bounded memory; tells which are worth another request."""

    def __init__(self) -> None:
        self._turned: dict[str, CookieRedirect] = {}

    def to_repeat(
        self, entry: FrontierEntry, visit: Visit, outcome: Outcome
    ) -> CookieRedirect | None:
        """The redirect that the redirect `visit` leads back to, if it is to be asked again.

        That is so if it would be told other cookies now than before, and was not asked again yet.
        It may be `entry` itself.
        """
        if len(self._turned) >= _MOST:
            drop_oldest(self._turned)
        location = visit.location or ""
        self._turned[entry.url] = CookieRedirect(
            entry, location, visit.cookies_told, visit.counted, outcome
        )
        start = self._turned.get(location)
        if start is None or start.entry.redirected_to or start.told == visit.cookies_ahead:
            return None
        return start if self._leads(start, entry.url) else None

    def counts_as(self, url: str, outcome: Outcome) -> None:
        """The redirect at `url`, if it is remembered, counts as something else by now."""
        turned = self._turned.get(url)
        if turned is not None:
            self._turned[url] = replace(turned, outcome=outcome)

    def entry_to_repeat(self, turned: CookieRedirect) -> FrontierEntry:
        """The entry to ask with; from here on it is not repeated any more."""
        self._turned.pop(turned.entry.url, None)
        return replace(
            turned.entry, tries=0, deaths=0, node_losses=0, redirected_to=turned.location
        )

    def _leads(self, start: CookieRedirect, url: str) -> bool:
        """Whether the redirects from `start` on come by `url`."""
        for _ in range(_LONGEST):
            if start.entry.url == url:
                return True
            following = self._turned.get(start.location)
            if following is None:
                return False
            start = following
        return False
