"""What the console of a page tells: its errors and warnings, and what the browser could not do."""

import pytest

from gossamer.model.rendering import ConsoleMessage
from gossamer.render.page_console import message_of, refused_web_socket

REFUSED = "Error in connection establishment: net::ERR_PROXY_CONNECTION_FAILED"


def entry(text: str, source: str = "javascript", level: str = "error") -> dict[str, object]:
    return {"entry": {"source": source, "level": level, "text": text, "url": "http://a.test/"}}


@pytest.mark.parametrize("source", ["network", "worker"])
def test_a_web_socket_that_finds_no_network_is_told_by_its_address(source: str) -> None:
    text = f"WebSocket connection to 'wss://a.test:8443/s?q=1' failed: {REFUSED}"
    assert refused_web_socket("Log.entryAdded", entry(text, source)) == "wss://a.test:8443/s?q=1"


@pytest.mark.parametrize(
    ("event", "text"),
    [
        ("Runtime.consoleAPICalled", f"WebSocket connection to 'ws://a.test/' failed: {REFUSED}"),
        ("Log.entryAdded", f"WebSocket connection to 'file:///etc/passwd' failed: {REFUSED}"),
        ("Log.entryAdded", "WebSocket connection to 'ws://a.test/' failed: closed by the page"),
        ("Log.entryAdded", f"x WebSocket connection to 'ws://a.test/' failed: {REFUSED}"),
    ],
    ids=["said by the page", "no web socket", "closed by the page", "something else"],
)
def test_other_messages_are_about_no_web_socket(event: str, text: str) -> None:
    assert refused_web_socket(event, entry(text)) == ""


@pytest.mark.parametrize(
    ("text", "is_told"),
    [
        ("AbortError: Transition was skipped. skipTransition() called", False),
        ("TimeoutError: Transition was aborted because of timeout in DOM update. DOM", False),
        ("AbortError: Transition", True),
        ("Error: AbortError: Transition was skipped", True),
    ],
)
def test_a_change_of_views_that_we_end_is_no_error_of_the_page(text: str, *, is_told: bool) -> None:
    details = {"exceptionDetails": {"exception": {"description": text}, "lineNumber": 3}}
    assert (message_of("Runtime.exceptionThrown", details) is not None) is is_told


def test_what_is_logged_about_a_page_is_an_error_or_a_warning_of_it() -> None:
    found = message_of("Log.entryAdded", entry("odd", level="warning"))
    assert found == ConsoleMessage(is_error=False, text="odd", source="http://a.test/", line=0)
    assert message_of("Log.entryAdded", entry("odd", level="info")) is None
    assert message_of("Log.entryAdded", entry("404", source="network")) is None
