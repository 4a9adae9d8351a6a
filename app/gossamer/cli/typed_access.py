"""Secrets as they stand on a command line: which origin each is for, and what may be kept."""

import re
from collections.abc import Iterable

from gossamer.cli.invocation import Access, Typed
from gossamer.model.errors import UsageError
from gossamer.model.proxy import parse_proxy
from gossamer.model.secrets import is_secret
from gossamer.urls.parse import origin, parse_root

_BOUND = re.compile(r"((?:https?|socks4a?|socks5h?)://[^/=\s]+)/?=(.*)", re.DOTALL | re.IGNORECASE)


def access_of(
    auth: Iterable[str], cookies: Iterable[str], headers: Iterable[str], *, remember: bool
) -> tuple[tuple[tuple[str, str], ...], Access]:
    """The headers that a project may keep, and all that it may not.

    `ORIGIN=` before a text says whom it is for; a header with that is for nobody else, whatever
    its name. Raises UsageError, which does not quote what may be a secret.
    """
    typed = [(each, _header(each.text)) for each in map(_typed, headers)]
    public = tuple(pair for each, pair in typed if not each.origin and not is_secret(pair[0]))
    secret = tuple(each for each, pair in typed if each.origin or is_secret(pair[0]))
    access = Access(tuple(map(_typed, auth)), tuple(map(_typed, cookies)), secret, remember)
    if sum(not each.origin for each in access.auth) > 1:
        raise UsageError(
            "--auth can be given once for all, or once for each site: --auth https://HOST=USER."
        )
    return public, access


def header_of(typed: Typed) -> tuple[str, str]:
    """Name and value of a header that `access_of` has accepted."""
    return _header(typed.text)


def origin_named(text: str) -> str:
    """The origin that a person means, of a site or of a proxy; UsageError if it is none."""
    if text.lower().startswith("socks"):
        return parse_proxy(text)[0].origin
    return origin(parse_root(text))


def _typed(text: str) -> Typed:
    bound = _BOUND.fullmatch(text)
    return Typed("", text) if bound is None else Typed(origin_named(bound[1]), bound[2])


def _header(text: str) -> tuple[str, str]:
    """'Name: value' as a pair; what is in them is checked with the settings."""
    name, colon, value = text.partition(":")
    if not colon:
        # Not quoted: it may be a token.
        raise UsageError("A header lacks its colon; write headers as 'Name: value'.")
    return name.strip(), value.strip()
