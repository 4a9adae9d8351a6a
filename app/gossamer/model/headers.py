"""Request headers as a person may give them."""

import re
from collections.abc import Collection, Iterable
from typing import Final

from gossamer.model.errors import UsageError

PROXY_AUTHORIZATION: Final = "proxy-authorization"
_TOKEN = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_CONTROL = re.compile(r"[\x00-\x08\x0a-\x1f\x7f]")


def check_headers(headers: Iterable[tuple[str, str]]) -> None:
    """Raise UsageError about what cannot be sent. It quotes no value, which may be secret."""
    for name, value in headers:
        if not _TOKEN.fullmatch(name):
            raise UsageError(
                "{name!r} is not a header name; write headers as 'Name: value'.", name=name
            )
        if _CONTROL.search(value):
            raise UsageError(
                "The value of the header {name!r} has a control character; remove it.", name=name
            )


def check_public_headers(headers: Collection[tuple[str, str]]) -> None:
    """As `check_headers`, for those that every server is sent."""
    check_headers(headers)
    if any(name.lower() == PROXY_AUTHORIZATION for name, _ in headers):
        raise UsageError(
            "Proxy-Authorization is for the proxy alone; give it as a header that is not public."
        )
