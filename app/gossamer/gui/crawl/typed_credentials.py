"""Passwords, cookies and headers as typed in the window, each for the site it was typed for."""

from collections.abc import Sequence
from typing import Final

from gossamer.gui.crawl.session_ports import NO_ACCESS, TypedCredentials
from gossamer.model.errors import UsageError
from gossamer.urls.parse import origin, parse_root

_NO_ORIGINS: Final[frozenset[str]] = frozenset()
"""Where secrets wait that were typed without an address."""


class TypedAccess:
    """In memory alone. What is typed stays with the origins of the address it was typed for.

    What was typed without an address goes with those of the next that is crawled.
    """

    def __init__(self) -> None:
        self._access: dict[frozenset[str], TypedCredentials] = {}

    def take(self, access: TypedCredentials, roots: Sequence[str]) -> None:
        """Keep what was typed for `roots`, in place of what there was for them."""
        self._access.pop(_NO_ORIGINS, None)
        self._access[origins_of(roots)] = access

    def shown(self, roots: Sequence[str]) -> TypedCredentials:
        """What to show where `roots` stand in the address field."""
        unbound = self._access.get(_NO_ORIGINS, NO_ACCESS)
        return self._access.get(origins_of(roots), unbound)

    def of(self, roots: Sequence[str]) -> TypedCredentials:
        """The secrets for a crawl of `roots`: those typed for just these origins."""
        if not self._access:  # a list has many roots
            return NO_ACCESS
        unbound = self._access.pop(_NO_ORIGINS, None)
        if unbound is not None:
            self._access[origins_of(roots)] = unbound
        return self._access.get(origins_of(roots), NO_ACCESS)

    def elsewhere(self, roots: Sequence[str]) -> list[str]:
        """The origins that secrets were typed for, where a crawl of `roots` gets none of them."""
        typed = {origins: access for origins, access in self._access.items() if access.secrets}
        if not typed or _NO_ORIGINS in typed:
            return []
        here = origins_of(roots)
        return [] if not here or here in typed else sorted(set().union(*typed))


def origins_of(roots: Sequence[str]) -> frozenset[str]:
    """The origins of addresses as typed; what is no address has none."""
    found = set()
    for root in roots:
        try:
            found.add(origin(parse_root(root)))
        except UsageError:
            continue
    return frozenset(found)
