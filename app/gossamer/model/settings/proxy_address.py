"""Parses the address of a proxy."""

import re
from typing import Final
from urllib.parse import unquote

from msgspec import Struct

from gossamer.model.errors import UsageError
from gossamer.model.secrets import HttpAuth

_ADDRESS: Final = (
    r"(?P<scheme>https?|socks4a?|socks5h?)://(?:(?P<userinfo>[^/@\s]*)@)?"
    r"(?P<host>[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})*|\[[0-9a-f:.]+\]):(?P<port>[0-9]{1,5})/?"
)
_LAST_PORT: Final = 65_535
_LONGEST: Final = 255
"""The longest user name or password that SOCKS can send (RFC 1929), in bytes of no given
encoding."""
_USUAL_PORTS: Final = {"http": 80, "https": 443}
_LOOKED_UP_HERE: Final = frozenset({"socks4", "socks5"})


class ProxyAddress(Struct, frozen=True):
    """Where a proxy is and its protocol. `host` is in lower case, IPv6 in brackets."""

    scheme: str
    host: str
    port: int

    @property
    def origin(self) -> str:
        """The address without anything secret, and without the default port of the web."""
        usual = _USUAL_PORTS.get(self.scheme) == self.port
        return f"{self.scheme}://{self.host}{'' if usual else f':{self.port}'}"

    @property
    def url(self) -> str:
        """The address without anything secret, as settings keep it."""
        return f"{self.scheme}://{self.host}:{self.port}"

    @property
    def is_socks(self) -> bool:
        """Whether it makes connections of any kind, rather than sending HTTP requests."""
        return self.scheme.startswith("socks")

    @property
    def looks_up(self) -> bool:
        """Whether it looks up the names of servers; else it receives their addresses."""
        return self.scheme not in _LOOKED_UP_HERE


def parse_proxy(text: str) -> tuple[ProxyAddress, HttpAuth | None]:
    """The proxy that a user means, and the credentials that they typed for it.

    Raises UsageError, which does not quote what was typed: there may be a password in it.
    """
    found = re.fullmatch(_ADDRESS, text, re.ASCII | re.IGNORECASE)
    if found is None or not 1 <= int(found["port"]) <= _LAST_PORT:
        raise UsageError(
            "Write the proxy as 'http://host:port', or with https, socks5, socks5h, socks4 or"
            " socks4a; a name and password as 'http://name:password@host:port', with %40 for @."
        )
    address = ProxyAddress(found["scheme"].lower(), found["host"].lower(), int(found["port"]))
    if found["userinfo"] is None:
        return address, None
    user, _, password = found["userinfo"].partition(":")
    auth = HttpAuth(unquote(user), unquote(password))
    if address.is_socks:
        _check_for_socks(address, auth)
    return address, auth


def without_credentials(text: str) -> str:
    """The address of a proxy as typed, without user name and password."""
    start = text.find("//") + 2
    return text[:start] + text[start:].rpartition("@")[2]


def _check_for_socks(address: ProxyAddress, auth: HttpAuth) -> None:
    if address.scheme.startswith("socks4") and auth.password:
        raise UsageError("SOCKS4 does not support passwords; remove it, or use socks5 or socks5h.")
    for text in (auth.user, auth.password):
        if not text.isascii() or len(text) > _LONGEST:
            raise UsageError(
                "SOCKS user names and passwords are limited to 255 ASCII characters; use a "
                "shorter one."
            )
