"""Why there was no connection, in words that the window can translate."""

import errno
import os
import socket
from typing import Final

from gossamer.model.text_cleaning import one_line
from gossamer.model.translatable import Sentence, Translatable, said, system_reason

CLOSED: Final[Sentence] = "the server has closed the connection"
_REASONS: Final[dict[int, Sentence]] = {
    errno.ECONNREFUSED: "the server refuses connections",
    errno.ECONNRESET: CLOSED,
    errno.EPIPE: CLOSED,
    errno.EHOSTUNREACH: "there is no way to the server",
    errno.ENETUNREACH: "there is no network",
    errno.ETIMEDOUT: "the server does not respond",
}
_OF_ASYNCIO: Final = ("Connect call failed", "Multiple exceptions")
_LONGEST: Final = 200


def network_reason(error: BaseException) -> Translatable:
    """Why a connection could not be made or broke off, without a full stop."""
    cause = getattr(error, "os_error", error)  # what aiohttp wraps
    if isinstance(cause, socket.gaierror):
        return said("no server has that name")
    known = _REASONS.get(getattr(cause, "errno", None) or 0)
    if known is not None:
        return Translatable(known)
    if isinstance(cause, OSError) and cause.errno and cause.strerror:
        if cause.strerror.startswith(_OF_ASYNCIO):
            return Translatable(os.strerror(cause.errno))
        return system_reason(cause)
    return Translatable(one_line(str(cause), _LONGEST) or type(cause).__name__)
