"""Detects an expired login: pages that were fine ask for the login instead.

A site can have a form for logging in on every page, a page that nobody may see, and a page that
changes a password. So what counts is what is new: nothing is concluded from the first pages, and of
forms and refusals only when several come in a row. Until that is known, suspicious responses are
held back, so that a login form is never taken for the content of the page that was asked for.
"""

from collections.abc import Callable, Container
from enum import Enum, auto
from typing import Final

from gossamer.engine.url_tracker import FrontierEntry
from gossamer.model.login_pages import has_login_path, has_password_field, is_login_page
from gossamer.model.outcome import PAGES, Outcome
from gossamer.model.outcome_details import DetailCode
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.translatable import Translatable, said
from gossamer.model.visit import Visit
from gossamer.urls.url_parsing import origin, without_fragment

IN_A_ROW: Final = 3
"""Forms, or refusals, before anything is concluded."""
TO_FORM: Final = 2
"""Redirects to a login form, in a row or not: pages for all may lie between them."""
FEWEST_FINE: Final = 3
"""Pages without a form that a site has shown before its forms mean anything."""
MOST_HELD: Final = 8
MOST_FORMS: Final = 1_000
"""Login forms whose addresses are kept, to recognise redirects to them."""
_REFUSED: Final = frozenset({401, 403})

FinalVisit = tuple[FrontierEntry, Visit]


class LoginSign(Enum):
    """What a response says about the login."""

    FINE = auto()
    """A page that asks for no password."""
    FORM = auto()
    """A page that asks for one."""
    REFUSED = auto()
    TO_FORM = auto()
    """A redirect to a login form."""


def sign_of(url: str, visit: Visit, forms: Container[str] = ()) -> LoginSign | None:
    """What a response for `url` says of the login; None for nothing. `forms` ask for a password.

    A login page that shows its form, or redirects to another one, says nothing.
    """
    if visit.status in _REFUSED:
        return LoginSign.REFUSED
    if visit.location is not None:
        target = without_fragment(visit.location)
        leads_to_form = target in forms or has_login_path(target)
        return LoginSign.TO_FORM if leads_to_form and not has_login_path(url) else None
    if visit.outcome not in PAGES or visit.facts is None:
        return None
    if not has_password_field(visit.facts):
        return LoginSign.FINE
    return None if has_login_path(url) else LoginSign.FORM


def asks_for_login(visit: Visit) -> Visit:
    """What is kept of a response that asks for the login: none of it belongs to the page."""
    detail = None
    if visit.location is not None:
        detail = DetailCode.LOCATION(location=visit.location)
    elif visit.status in _REFUSED:
        detail = DetailCode.STATUS(status=visit.status)
    return Visit(
        Outcome.LOGIN_REQUIRED,
        detail=detail,
        raw_bytes=visit.raw_bytes,
        resource_bytes=visit.resource_bytes,
        ttfb_ms=visit.ttfb_ms,
        elapsed_ms=visit.elapsed_ms,
        fetched_at=visit.fetched_at,
    )


class LoginWatch:
    """Watches the responses of origins that receive a login."""

    def __init__(self, settings: CrawlSettings, on_expired: Callable[[Translatable], None]) -> None:
        """Without a login in `settings`, nothing is watched.

        `on_expired` gets a sentence for the user when the login has expired or does not work.
        """
        is_wanted = settings.guard
        self._origins = frozenset(names.origin for names in settings.needs_secrets if is_wanted)
        self._on_expired = on_expired
        self._held: list[tuple[LoginSign, FinalVisit]] = []
        self._forms: set[str] = set()
        self._fine = 0
        self._in_a_row = 0
        self._login_pages = 0
        """Pages in a row that call themselves login pages."""
        self._last: LoginSign | None = None
        self._redirects = 0
        self._overruled = False
        self.url = ""
        """The page that asks for the login, from `on_expired` until the crawl goes on."""

    def watches(self, entry: FrontierEntry) -> bool:
        """Whether the response for an entry may say anything about a login."""
        return bool(self._origins) and origin(entry.url) in self._origins

    def take(self, entry: FrontierEntry, visit: Visit) -> list[FinalVisit]:
        """Take a final visit; returns those that can be judged by now, to be recorded.

        Suspicious ones are held back until others show what they mean.
        """
        sign = sign_of(entry.url, visit, self._forms)
        if sign is None and not (entry.parent is None and is_login_page(entry.url, visit.facts)):
            return [(entry, visit)]
        sign = sign or LoginSign.FORM
        if self.url:
            is_fine = sign is LoginSign.FINE
            return [(entry, visit if is_fine else asks_for_login(visit))]
        is_first = entry.parent is None and not (self._fine or self._overruled)
        if self._is_expired(sign, entry.url, visit, is_first=is_first):
            return self._expire(entry, visit, is_first=is_first)
        if sign is LoginSign.FINE:
            return [*self._release(keep=LoginSign.TO_FORM), (entry, visit)]
        if not (self._fine or self._login_pages):
            return [(entry, visit)]
        self._held.append((sign, (entry, visit)))
        return self._release() if len(self._held) > MOST_HELD else []

    def release(self) -> list[FinalVisit]:
        """Everything held back, when no further visit can show what it means."""
        return self._release()

    def go_on(self) -> None:
        """Accept the site as it is from here on: the user resumes without another login."""
        if self.url:
            self.url = ""
            self._overruled = True
            self._fine = self._in_a_row = self._login_pages = self._redirects = 0

    def _release(self, keep: LoginSign | None = None) -> list[FinalVisit]:
        released = [visit for sign, visit in self._held if sign is not keep]
        self._held = [each for each in self._held if each[0] is keep]
        return released

    def _expire(self, entry: FrontierEntry, visit: Visit, *, is_first: bool) -> list[FinalVisit]:
        self.url = entry.url
        self._on_expired(_sentence(entry.url, is_first=is_first))
        visits = [*self._release(), (entry, visit)]
        return [(each, asks_for_login(found)) for each, found in visits]

    def _is_expired(self, sign: LoginSign, url: str, visit: Visit, *, is_first: bool) -> bool:
        self._in_a_row = self._in_a_row + 1 if sign is self._last else 1
        self._last = sign
        is_page = sign is LoginSign.FORM and is_login_page(url, visit.facts)
        self._login_pages = self._login_pages + 1 if is_page else 0
        is_row = self._in_a_row >= IN_A_ROW
        match sign:
            case LoginSign.FINE:
                self._fine += 1
            case LoginSign.FORM:
                if len(self._forms) < MOST_FORMS:
                    self._forms.add(url)
                if is_first and is_page:
                    return True
                return is_row and (self._fine >= FEWEST_FINE or self._login_pages >= IN_A_ROW)
            case LoginSign.REFUSED:
                return self._fine > 0 and is_row
            case LoginSign.TO_FORM:
                self._redirects += 1
                is_often = is_row if self._overruled else self._redirects >= TO_FORM
                return is_first or (self._fine > 0 and is_often)
        return False


def _sentence(url: str, *, is_first: bool) -> Translatable:
    if is_first:
        return said(
            "Paused: the start page {url} asks for a login, so there is none yet or it does not "
            "work. Log in again; or resume to go on without it.",
            url=url,
        )
    return said(
        "Paused: {url} asks for the login again, so it has expired or does not work. Log in "
        "again; or resume to go on without it.",
        url=url,
    )
