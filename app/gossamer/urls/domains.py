"""Registrable domains by the Public Suffix List, IP address hosts, and ports."""

from functools import cache

from publicsuffixlist import PublicSuffixList

from gossamer.model.lazy_pattern import lazy_pattern
from gossamer.urls.url_parsing import host_and_port

_USUAL_PORTS = {"http": 80, "https": 443}
_IPV4 = lazy_pattern(r"\d+(?:\.\d+){3}")


def is_address(host: str) -> bool:
    """Whether a serialised host is an IP address."""
    return host.startswith("[") or _IPV4.fullmatch(host) is not None


def port_of(site: str) -> tuple[str, int | None]:
    """Host and port of an origin; None for the usual port of its scheme."""
    host, port = host_and_port(site)
    usual = _USUAL_PORTS.get(site.partition("://")[0]) == port
    return host, None if usual else port


def registrable_domain(host: str) -> str | None:
    """The part of a host name that one owner has; None for a public suffix or a single label.

    The list is that which comes with the program, its private section included, as in browsers:
    `a.github.io` and `b.github.io` have different owners.
    """
    return _public_suffixes().privatesuffix(host)


@cache
def _public_suffixes() -> PublicSuffixList:
    """The list, read when it is first needed (some 30 ms)."""
    return PublicSuffixList()
