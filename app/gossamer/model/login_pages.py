"""Recognizes pages that ask for a login: by their words, and by a field for a password."""

import re
from typing import Final
from unicodedata import combining, normalize
from urllib.parse import unquote, urlsplit

from gossamer.model.fields.page_facts import PageFields
from gossamer.model.fields.page_flags import ContentFlag
from gossamer.model.lazy_pattern import lazy_pattern

_PASSWORD_FIELD: Final = int(ContentFlag.PASSWORD_FIELD)
_LOGIN: Final = lazy_pattern(
    r"(?<![a-z])(?:log[-_ ]?in|log[-_ ]?on|sign[-_ ]?in|sso|signon|anmeld(?:en|ung)|einloggen"
    r"|connexion|se[-_ ]connecter|identification|iniciar[-_ ]?sesion|entrar|acceso|accedi|inloggen"
    r"|aanmelden|logga[-_ ]?in|logg[-_ ]inn?|log[-_ ]ind|prihlasit|prihlaseni|zaloguj|logowanie"
    r"|bejelentkezes|giris|masuk|dangnhap|session/new|authorize|saml2?|auth)"
    r"(?![a-z])|登录|登入|ログイン|로그인|войти|вход",
    re.IGNORECASE,
)


def has_password_field(facts: PageFields) -> bool:
    """Whether a page has a field for a password."""
    return bool((facts.content or 0) & _PASSWORD_FIELD)


def has_login_path(url: str) -> bool:
    """Whether the path of a URL says that a login is there."""
    return _says_login(unquote(urlsplit(url).path))


def is_login_page(url: str, facts: PageFields | None) -> bool:
    """Whether a page with a password field calls itself a login page."""
    if facts is None or not has_password_field(facts):
        return False
    named = (facts.title, facts.h1)
    return has_login_path(url) or any(_says_login(text) for text in named if text)


def _says_login(text: str) -> bool:
    plain = "".join(letter for letter in normalize("NFKD", text) if not combining(letter))
    return bool(_LOGIN.search(text) or _LOGIN.search(plain))
