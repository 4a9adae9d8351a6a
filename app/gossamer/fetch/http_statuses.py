"""Groups HTTP statuses by what they mean to a crawler: transient, redirect, without body."""

from typing import Final

SUCCESS: Final = 2
"""The class of statuses from 200 to 299: the first of three digits."""
_FIRST_FINAL: Final = 200
_SWITCHING_PROTOCOLS: Final = 101
MAX_INTERIM_RESPONSES: Final = 32
"""More of them before the final response are refused."""
PARTIAL_CONTENT: Final = 206
NOT_MODIFIED: Final = 304
FIRST_ERROR: Final = 400
UNAUTHORIZED: Final = 401
PROXY_UNAUTHORIZED: Final = 407

REDIRECTS: Final = frozenset({300, 301, 302, 303, 307, 308})
TRANSIENT: Final = frozenset({408, 425, 429, 502, 503, 504})
"""They are temporary: the same request may succeed later (RFC 9110, RFC 8470, RFC 6585)."""
WITH_RETRY_AFTER: Final = frozenset({429, 503})
"""Statuses with which Retry-After concerns this request."""
NO_CONTENT: Final = frozenset({204, 205})
BODILESS: Final = frozenset({204, 304, *range(100, _FIRST_FINAL)})
"""Responses that end with their head, whatever it announces."""
SAME_BY_GET: Final = frozenset({401, 407, 410, 429, 451, 999})
"""Errors that mean the client or the address, not the method. All others, 404 and 403 included,
occur where HEAD is not supported."""


def is_interim(status: int) -> bool:
    """Whether another response to the same request follows one of this status."""
    return status < _FIRST_FINAL and status != _SWITCHING_PROTOCOLS
