"""What an answer says about asking again."""

import re
from datetime import UTC
from email.utils import parsedate_to_datetime

TRANSIENT_STATUSES = frozenset({408, 425, 429, 502, 503, 504})
"""They say that the same request may be answered later (RFC 9110, RFC 8470, RFC 6585)."""
TELLING_STATUSES = frozenset({429, 503})
"""Those with which Retry-After is a wish about this request."""
_MOST_S = 1e15
_SECONDS = re.compile(r"[+-]?[0-9]+(?:\.[0-9]*)?")


def retry_after_s(value: str, date: str, now_s: float) -> float | None:
    """The seconds to wait that a Retry-After header says; None where it says nothing.

    Not negative, and as long as the server likes. A moment is counted from the answer's `date`
    header, as the server's clock may be wrong, and from `now_s` (Unix time) where there is none.
    """
    value = value.strip()
    if _SECONDS.fullmatch(value):
        return min(max(float(value), 0.0), _MOST_S)
    until_s = _moment(value)
    if until_s is None:
        return None
    from_s = _moment(date)
    return max(until_s - (now_s if from_s is None else from_s), 0.0)


def _moment(text: str) -> float | None:
    """An HTTP-date as Unix time; None where it is none."""
    try:
        moment = parsedate_to_datetime(text)
        if moment.tzinfo is None:  # "-0000"
            moment = moment.replace(tzinfo=UTC)
        return moment.timestamp()
    except (ValueError, TypeError, OverflowError, IndexError):
        return None
