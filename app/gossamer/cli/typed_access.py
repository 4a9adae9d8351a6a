"""Headers, cookies and passwords as they stand on a command line, and whom each is for."""

import re
from collections.abc import Iterable

from gossamer.cli.invocation import Access, Typed
from gossamer.model.errors import UsageError
from gossamer.model.proxy import parse_proxy
from gossamer.urls.parse import origin, parse_root, server_of

_BOUND = re.compile(r"((?:https?|socks4a?|socks5h?)://[^/=\s]+)/?=(.*)", re.DOTALL | re.IGNORECASE)


def access_of(
    auth: Iterable[str], cookies: Iterable[str], headers: Iterable[str], *, remember: bool
) -> Access:
    """What a project may not keep; `ORIGIN=` before a text says whom it is for.

    Raises UsageError, which does not quote what may be a secret.
    """
    typed = tuple(map(_typed, headers))
    for each in typed:
        _header(each.text)
    access = Access(tuple(map(_typed, auth)), tuple(map(_typed, cookies)), typed, remember)
    if sum(not each.origin for each in access.auth) > 1:
        raise UsageError(
            "--auth can be given once for all, or once for each site: --auth https://HOST=USER."
        )
    return access


def public_headers_of(typed: Iterable[str]) -> tuple[tuple[str, str], ...]:
    """The headers that every server is sent and that a project keeps; UsageError if one is none."""
    return tuple(map(_header, typed))


def header_of(typed: Typed) -> tuple[str, str]:
    """Name and value of a header that `access_of` has accepted."""
    return _header(typed.text)


def origin_named(text: str) -> str:
    """The origin that a person means, of a site or of a proxy; UsageError if it is none."""
    if text.lower().startswith("socks"):
        return parse_proxy(text)[0].origin
    return origin(parse_root(text))


def servers_of(texts: Iterable[str] | None) -> tuple[str, ...]:
    """The servers that a person means, each once, as settings name them; UsageError if not."""
    return tuple(dict.fromkeys(map(server_of, texts or ())))


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
