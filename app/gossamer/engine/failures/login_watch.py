"""Notices that a login has expired: pages that were fine lead to the login form.

A site can have a form for logging in on every page, a page that nobody may see, and a page that
changes a password. So what counts is what is new: nothing is concluded from the first pages, and
of forms and refusals only when several come in a row.
"""

import re
from collections.abc import Container
from enum import Enum, auto
from typing import Final
from urllib.parse import unquote, urlsplit

from gossamer.model.outcome import PAGES
from gossamer.model.page_flags import ContentFlag
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
_REFUSED: Final = frozenset({401, 403})
_PASSWORD_FIELD: Final = int(ContentFlag.PASSWORD_FIELD)
_LOGIN: Final = re.compile(
    r"(?<![a-z])(?:log[-_]?in|log[-_]?on|sign[-_]?in|sso|signon|anmeld(?:en|ung)|einloggen"
    r"|connexion|identification|iniciar-?sesion|entrar|acceso|accedi|inloggen|aanmelden|logga-?in"
    r"|prihlasit|prihlaseni|zaloguj|logowanie|bejelentkezes|giris|masuk|dangnhap|session/new)"
    r"(?![a-z])|登录|登入|ログイン|로그인|войти|вход",
    re.IGNORECASE,
)


class LoginSign(Enum):
    """What an answer says about the login."""

    FINE = auto()
    """A page that asks for no password."""
    FORM = auto()
    """A page that asks for one."""
    REFUSED = auto()
    TO_FORM = auto()
    """A redirect to a login form."""


def sign_of(visit: Visit, forms: Container[str] = ()) -> LoginSign | None:
    """What an answer says; None for nothing. `forms` are pages that ask for a password."""
    if visit.status in _REFUSED:
        return LoginSign.REFUSED
    if visit.location is not None:
        target = without_fragment(visit.location)
        path = unquote(urlsplit(target).path)
        return LoginSign.TO_FORM if target in forms or _LOGIN.search(path) else None
    if visit.outcome not in PAGES or visit.facts is None:
        return None
    has_field = (visit.facts.content or 0) & _PASSWORD_FIELD
    return LoginSign.FORM if has_field else LoginSign.FINE


class LoginWatch:
    """Watches the answers of origins that are told a login."""

    def __init__(self, settings: CrawlSettings) -> None:
        """Nothing is seen yet. Without a login in `settings`, nothing is watched."""
        self._origins = frozenset(names.origin for names in settings.needs_secrets)
        self._forms: set[str] = set()
        self._fine = 0
        self._in_a_row = 0
        self._last: LoginSign | None = None
        self._redirects = 0

    def note(self, url: str, visit: Visit, *, is_root: bool = False) -> Translatable | None:
        """Take in an answer; a sentence for the person if the login has expired.

        After a sentence it begins anew: if the person goes on, that is how the site is.
        """
        if not self._origins or origin(url) not in self._origins:
            return None
        sign = sign_of(visit, self._forms)
        if sign is None or not self._is_told_by(sign, url, is_root=is_root):
            return None
        self._fine = self._in_a_row = self._redirects = 0
        return said(
            "Paused: {url} asks for the login again, so it has expired or does not work. Log in "
            "again, then resume; or resume to go on without it.",
            url=url,
        )

    def _is_told_by(self, sign: LoginSign, url: str, *, is_root: bool) -> bool:
        self._in_a_row = self._in_a_row + 1 if sign is self._last else 1
        self._last = sign
        match sign:
            case LoginSign.FINE:
                self._fine += 1
            case LoginSign.FORM:
                self._forms.add(url)
                return self._fine >= FEWEST_FINE and self._in_a_row >= IN_A_ROW
            case LoginSign.REFUSED:
                return self._fine > 0 and self._in_a_row >= IN_A_ROW
            case LoginSign.TO_FORM:
                self._redirects += 1
                return is_root or (self._fine > 0 and self._redirects >= TO_FORM)
        return False
