"""Reads what a page writes to the console, and what the browser writes there about it."""

from typing import Any, Final

from gossamer.model.lazy_pattern import lazy_pattern
from gossamer.model.rendering import ConsoleMessage
from gossamer.model.rendering_encoding import MAX_TEXT
from gossamer.render.devtools_connection import Params

_ERRORS: Final = frozenset({"error", "assert"})
_WARNING: Final = "warning"


_WEB_SOCKET: Final = lazy_pattern(
    r"WebSocket connection to '(wss?://[^']*)' failed: .*ERR_PROXY_CONNECTION_FAILED"
)


_SKIPPED_TRANSITION: Final = lazy_pattern(
    r"AbortError: Transition was skipped|TimeoutError: Transition was aborted because of timeout"
)
"""Of a change of views that we end, or that nobody paints in virtual time: no fault of the page."""


def refused_web_socket(event: str, params: Params) -> str:
    """The address of a WebSocket that a page could not open without a network; "" if none.

    Any other way to detect them needs much traffic for each request.
    """
    if event != "Log.entryAdded":
        return ""
    found = _WEB_SOCKET.match(params["entry"]["text"])
    return found[1] if found else ""


def message_of(event: str, params: Params) -> ConsoleMessage | None:
    """The error or warning in an event of a page; None if it has none."""
    match event:
        case "Runtime.exceptionThrown":
            details = params["exceptionDetails"]
            text = details.get("exception", {}).get("description") or details.get("text", "")
            if _SKIPPED_TRANSITION.match(str(text)):
                return None
            return _message("error", text, details)
        case "Runtime.consoleAPICalled":
            frames = params.get("stackTrace", {}).get("callFrames") or [{}]
            text = " ".join(map(_text_of, params["args"]))
            return _message(params["type"], text, frames[0])
        case "Log.entryAdded" if params["entry"]["source"] != "network":
            # Failed requests of a page are among its resources.
            entry = params["entry"]
            return _message(entry["level"], entry["text"], entry)
    return None


def _message(level: str, text: object, place: Params) -> ConsoleMessage | None:
    if level != _WARNING and level not in _ERRORS:
        return None
    line = int(place.get("lineNumber", -1)) + 1
    source = str(place.get("url", ""))[:MAX_TEXT]
    return ConsoleMessage(level != _WARNING, str(text)[:MAX_TEXT], source, line)


def _text_of(argument: dict[str, Any]) -> str:
    """A value that was logged, in words."""
    return str(argument.get("value", argument.get("description", argument.get("type", ""))))
