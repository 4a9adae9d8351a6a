"""Asks the browser process what a tab shows: it responds even if the tab hangs."""

from collections.abc import Awaitable
from typing import Final, Protocol

from gossamer.render.devtools_connection import BrowserGoneError, DevtoolsError, Params

_NOTHING: Final = frozenset({"", "about:blank"})
"""What a tab shows before it is sent anywhere."""


class _Call(Protocol):
    def __call__(self, method: str) -> Awaitable[Params]: ...


async def has_committed(call: _Call) -> bool:
    """Whether a tab has taken the document of a page. Raises BrowserGoneError.

    A tab tells the browser so before it parses the document, and us only after the first part.
    """
    try:
        history = await call("Page.getNavigationHistory")
    except BrowserGoneError:
        raise
    except DevtoolsError:  # nothing is shown yet
        return False
    return any(entry["url"] not in _NOTHING for entry in history["entries"])
