"""Parses headers, cookies and passwords from the command line and assigns them to origins."""

import re
from collections.abc import Iterable
from typing import Final

from gossamer.cli.parsed_commands import CredentialOptions, TypedSecret
from gossamer.model.errors import UsageError
from gossamer.model.request_headers import header_of
from gossamer.model.secrets import cookies_of
from gossamer.model.settings.proxy_address import parse_proxy

_BOUND: Final = r"((?:https?|socks4a?|socks5h?)://[^/=\s]+)/?=(.*)"
_ADDRESS: Final = r"[a-z][a-z0-9+.-]*://"


def credential_options_of(
    auth: Iterable[str],
    digest: Iterable[str],
    certificates: Iterable[str],
    cookies: Iterable[str],
    headers: Iterable[str],
    *,
    remember: bool,
    login: bool = False,
    login_form: str = "",
    login_values: str = "",
) -> CredentialOptions:
    """Parse secrets, each with an optional `ORIGIN=` in front.

    Raises UsageError, which never quotes what may be a secret.
    """
    typed = tuple(map(_typed, headers))
    for each in typed:
        header_of(each.text)
    credentials = CredentialOptions(
        (*map(_user, auth), *(_user(each, is_digest=True) for each in digest)),
        tuple(map(_cookie, cookies)),
        typed,
        remember,
        login,
        login_form,
        login_values,
        tuple(map(_typed_file, certificates)),
    )
    if login and login_form:
        raise UsageError("--login opens a browser window, --login-form needs none; give one.")
    if sum(not each.origin for each in credentials.auth) > 1:
        raise UsageError(
            "--auth or --digest can be given once for all, or once for each site: --auth "
            "https://HOST=USER."
        )
    return credentials


def public_headers_of(typed: Iterable[str]) -> tuple[tuple[str, str], ...]:
    """Parse headers that every server is sent and that a project keeps; UsageError if malformed."""
    return tuple(map(header_of, typed))


def origin_named(text: str) -> str:
    """Parse the origin of a site or a proxy; UsageError if malformed."""
    from gossamer.urls.url_parsing import origin, parse_root  # noqa: PLC0415 - help needs none of it

    if text.lower().startswith("socks"):
        return parse_proxy(text)[0].origin
    return origin(parse_root(text))


def servers_of(texts: Iterable[str] | None) -> tuple[str, ...]:
    """Parse servers into unique names as used by settings; UsageError if malformed."""
    from gossamer.urls.url_parsing import server_of  # noqa: PLC0415 - help needs none of it

    return tuple(dict.fromkeys(map(server_of, texts or ())))


def _typed(text: str) -> TypedSecret:
    bound = re.fullmatch(_BOUND, text, re.DOTALL | re.IGNORECASE)
    if bound is not None:
        return TypedSecret(origin_named(bound[1]), bound[2])
    if re.match(_ADDRESS, text, re.IGNORECASE):
        # Neither a header nor a cookie is called like that. Not quoted: a secret may follow.
        raise UsageError(
            "Give a secret's origin without a path: https://HOST=... or https://HOST:PORT=..."
        )
    return TypedSecret("", text)


def _typed_file(text: str) -> TypedSecret:
    typed = _typed(text)
    if not typed.text:
        raise UsageError("The certificate has no file; write --client-certificate FILE.")
    return typed


def _cookie(text: str) -> TypedSecret:
    typed = _typed(text)
    if not cookies_of(typed.text):
        raise UsageError("The cookie is empty; write --cookie 'NAME=VALUE'.")
    return typed


def _user(text: str, *, is_digest: bool = False) -> TypedSecret:
    typed = _typed(text)
    if not typed.text.partition(":")[0]:
        raise UsageError("The user name is empty; write --auth USER or --auth USER:PASSWORD.")
    return typed._replace(is_digest=is_digest)
