"""What pages in the browser may ask for."""

from base64 import b64decode, b64encode

import pytest

from gossamer.model.rendering import BlockedBy, ResourceType
from gossamer.render.page_requests import MAX_POST_BYTES, PageRequest, PageResponse, refused

SITE = "https://site.test"


def request(
    url: str = f"{SITE}/a",
    resource_type: ResourceType = ResourceType.FETCH,
    method: str = "GET",
    body: bytes = b"",
    **headers: str,
) -> PageRequest:
    return PageRequest(url, method, resource_type, headers, body)


@pytest.mark.parametrize(
    ("asked", "why"),
    [
        (request(), None),
        (request("http://other.test/x.js", ResourceType.SCRIPT), None),
        (request("https://other.test/x", ResourceType.DOCUMENT), None),
        (request("data:text/plain,x"), BlockedBy.SCHEME),
        (request("file:///etc/passwd", ResourceType.IMAGE), BlockedBy.SCHEME),
        (request("chrome://version", ResourceType.DOCUMENT), BlockedBy.SCHEME),
        (request("ws://site.test/", ResourceType.WEB_SOCKET), BlockedBy.SCHEME),
        (request(resource_type=ResourceType.MEDIA), BlockedBy.TYPE),
        (request(resource_type=ResourceType.PING), BlockedBy.TYPE),
        (request(resource_type=ResourceType.CSP_REPORT), BlockedBy.TYPE),
        (request(resource_type=ResourceType.PREFETCH), BlockedBy.TYPE),
        (request(resource_type=ResourceType.XHR, Accept="text/event-stream"), BlockedBy.TYPE),
        (request(method="POST", body=b"x"), None),
        (request(method="POST", body=b"x" * (MAX_POST_BYTES + 1)), BlockedBy.METHOD),
        (request("https://other.test/a", method="POST"), BlockedBy.METHOD),
        (request("https://site.test.evil.test/a", method="POST"), BlockedBy.METHOD),
        (request("http://site.test/a", method="DELETE"), BlockedBy.METHOD),
        (request("https://other.test/a", ResourceType.PREFLIGHT, "OPTIONS"), None),
    ],
)
def test_a_request_is_refused_for_what_it_is(asked: PageRequest, why: BlockedBy | None) -> None:
    assert refused(asked, SITE) is why


def test_a_paused_request_is_read_with_its_body_and_without_its_fragment() -> None:
    parts = [{"bytes": b64encode(b"a=1").decode()}, {"bytes": b64encode(b"&b=2").decode()}, {}]
    asked = PageRequest.of(
        {
            "resourceType": "SomethingNew",
            "request": {
                "url": f"{SITE}/a?b#c",
                "method": "POST",
                "headers": {"Accept": "*/*"},
                "postDataEntries": parts,
            },
        }
    )
    expected = PageRequest(f"{SITE}/a?b", "POST", ResourceType.OTHER, {"Accept": "*/*"}, b"a=1&b=2")
    assert asked == expected


def test_an_answer_reaches_the_browser_with_each_of_its_headers() -> None:
    headers = [("Set-Cookie", "a=1"), ("Set-Cookie", "b=2"), ("Content-Type", "text/html")]
    params = PageResponse(201, headers, b"\xff\0x", "Made").fulfilment("r1")
    assert params["requestId"] == "r1"
    assert params["responseCode"] == 201
    assert params["responsePhrase"] == "Made"
    assert [(each["name"], each["value"]) for each in params["responseHeaders"]] == headers
    assert b64decode(params["body"]) == b"\xff\0x"


def test_an_answer_without_a_phrase_names_none_which_the_browser_would_refuse() -> None:
    assert "responsePhrase" not in PageResponse(200, []).fulfilment("r")
