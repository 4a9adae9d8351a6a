"""Parses and checks the request headers that users configure."""

import re
from collections.abc import Collection, Iterable
from typing import Final

from gossamer.model.errors import UsageError
from gossamer.model.text_cleaning import MAX_TYPED_CHARACTERS, is_unicode

PROXY_AUTHORIZATION: Final = "proxy-authorization"
OF_THE_MESSAGE: Final = frozenset({"content-length", "transfer-encoding", "accept-encoding"})
"""They describe the very message that they are part of: a user must not set them."""
_TOKEN = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_CONTROL = re.compile(r"[\x00-\x08\x0a-\x1f\x7f]")


def header_of(text: str) -> tuple[str, str]:
    """Name and value of 'Name: value'; UsageError, which quotes nothing, if it is malformed."""
    name, colon, value = text.partition(":")
    if not colon:
        # Not quoted: it may be a token.
        raise UsageError("A header has no colon; write headers as 'Name: value'.")
    return name.strip(), value.strip()


def header_line(header: tuple[str, str]) -> str:
    """A header as people write it, 'Name: value'."""
    return ": ".join(header)


def check_headers(headers: Iterable[tuple[str, str]]) -> None:
    """Raise UsageError about what cannot be sent. It quotes no value, which may be secret."""
    for name, value in headers:
        if not _TOKEN.fullmatch(name):
            raise UsageError(
                "{name!r} is not a header name; write headers as 'Name: value'.", name=name
            )
        if len(value) > MAX_TYPED_CHARACTERS:
            raise UsageError(
                "The value of the header {name!r} is longer than {most:,} characters; shorten it.",
                name=name,
                most=MAX_TYPED_CHARACTERS,
            )
        if name.lower() in OF_THE_MESSAGE:
            raise UsageError("The header {name!r} is set for each request; remove it.", name=name)
        if not is_unicode(value):
            raise UsageError(
                "The value of the header {name!r} contains characters that are not Unicode text; "
                "enter it again.",
                name=name,
            )
        if _CONTROL.search(value):
            raise UsageError(
                "The value of the header {name!r} contains a control character; remove it.",
                name=name,
            )


def check_public_headers(headers: Collection[tuple[str, str]]) -> None:
    """As `check_headers`, for those that every server is sent."""
    check_headers(headers)
    if any(name.lower() == "host" for name, _ in headers):
        raise UsageError("Host differs for each server; set it as a private header for the site.")
    if any(name.lower() == PROXY_AUTHORIZATION for name, _ in headers):
        raise UsageError(
            "Proxy-Authorization is for the proxy only; do not make it a public header."
        )
