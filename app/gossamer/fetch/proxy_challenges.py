"""Explains what a proxy that responds with status 407 wants (RFC 9110 §11.7.1)."""

from collections.abc import Iterable
from typing import Final

from gossamer.fetch.digest_auth import challenges_in
from gossamer.fetch.http_statuses import PROXY_UNAUTHORIZED
from gossamer.model.outcome_details import Detail, DetailCode

_SPOKEN: Final = "basic"
_NAMES: Final = {"ntlm": "NTLM", "spnego": "SPNEGO"}
"""Schemes that are not written with one capital letter."""


def wanted_by_proxy(status: int, challenges: Iterable[str]) -> Detail | None:
    """Why a proxy refuses us, by its Proxy-Authenticate headers; None for any other status."""
    if status != PROXY_UNAUTHORIZED:
        return None
    schemes = list(dict.fromkeys(each.scheme for each in challenges_in(challenges)))
    if not schemes or _SPOKEN in schemes:
        return DetailCode.PROXY_PASSWORD()
    names = [_NAMES.get(scheme, scheme.capitalize()) for scheme in schemes]
    return DetailCode.PROXY_SCHEMES(schemes=", ".join(names))
