"""What pages in the browser may ask for."""

from base64 import b64decode, b64encode

import pytest

from gossamer.model.rendering import BlockedBy, ResourceType
from gossamer.render.page_network import FrameSites
from gossamer.render.page_requests import (
    MAX_POST_BYTES,
    PageRequest,
    PageResponse,
    ResourceResult,
    refused,
)
from tests.cases import each_case

SITE = "https://site.test"


def request(
    url: str = f"{SITE}/a",
    resource_type: ResourceType = ResourceType.FETCH,
    method: str = "GET",
    body: bytes = b"",
    **headers: str,
) -> PageRequest:
    return PageRequest(url, method, resource_type, headers, body)


def for_later(purpose: str) -> PageRequest:
    return PageRequest(f"{SITE}/b", "GET", ResourceType.FETCH, {"Sec-Purpose": purpose})


@each_case(
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
        (for_later("prefetch"), BlockedBy.TYPE),
        (for_later("prefetch;prerender"), BlockedBy.TYPE),
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


@each_case(
    ("url", "page_site", "is_own"),
    [
        (f"{SITE}/a", SITE, True),
        ("https://api.site.test/a", SITE, True),
        ("https://site.test:8443/a", SITE, True),
        ("http://site.test/a", SITE, False),
        ("https://other.test/a", SITE, False),
        ("https://site.test.evil.test/a", SITE, False),
        ("http://10.0.0.1/a", "http://10.0.0.2", False),
        (f"{SITE}/a", "", False),  # a frame of another site asks
    ],
)
def test_a_request_is_own_if_the_site_of_the_page_asks_itself(
    url: str, page_site: str, *, is_own: bool
) -> None:
    asked = {"resourceType": "XHR", "request": {"url": url, "method": "GET", "headers": {}}}
    assert PageRequest.of(asked, page_site).is_own is is_own


def test_frames_of_other_sites_send_nothing_to_the_site_of_the_page() -> None:
    posted = PageRequest(f"{SITE}/delete", "POST", ResourceType.FETCH, {}, b"x", is_own=False)
    assert refused(posted, SITE) is BlockedBy.METHOD


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
        },
        SITE,
    )
    expected = PageRequest(f"{SITE}/a?b", "POST", ResourceType.OTHER, {"Accept": "*/*"}, b"a=1&b=2")
    assert asked == expected


def test_an_answer_reaches_the_browser_with_each_of_its_headers() -> None:
    headers = [("Set-Cookie", "a=1"), ("Set-Cookie", "b=2"), ("Content-Type", "text/html")]
    params = PageResponse(201, headers, b"\xff\0x").fulfilment("r1")
    assert params["requestId"] == "r1"
    assert params["responseCode"] == 201
    assert params["responsePhrase"] == "Created"
    assert [(each["name"], each["value"]) for each in params["responseHeaders"]] == headers
    assert b64decode(params["body"]) == b"\xff\0x"


def test_an_answer_has_nothing_that_the_browser_would_refuse() -> None:
    headers = [("", "a"), ("X Y", "b"), ("X-Z", "c\0d"), ("X-É", "e"), ("X-F", "é\x01")]
    params = PageResponse(520, headers).fulfilment("r")
    assert params["responsePhrase"]
    assert params["responseHeaders"] == [{"name": "X-F", "value": "é\x01"}]


@each_case(
    ("result", "is_failed"),
    [
        (ResourceResult(PageResponse(200, [])), False),
        (ResourceResult(PageResponse(304, [])), False),
        (ResourceResult(PageResponse(404, [])), True),
        (ResourceResult(PageResponse(520, [])), True),
        (ResourceResult(failure="timed out"), True),
        (ResourceResult(blocked_by=BlockedBy.ROBOTS), False),
    ],
)
def test_a_request_fails_without_an_answer_and_with_an_error(
    result: ResourceResult, *, is_failed: bool
) -> None:
    assert result.is_failed is is_failed


@pytest.mark.parametrize(
    ("resource_type", "accepts", "is_icon"),
    [
        (ResourceType.OTHER, "image/avif,image/webp,*/*;q=0.8", True),
        (ResourceType.IMAGE, "image/avif,image/webp,*/*;q=0.8", False),
        (ResourceType.OTHER, "*/*", False),
    ],
)
def test_icons_are_asked_for_by_browsers_not_by_pages(
    resource_type: ResourceType, accepts: str, *, is_icon: bool
) -> None:
    asked = request(f"{SITE}/favicon.ico", resource_type, Accept=accepts)
    assert asked.is_for_browser is is_icon


def asks(frame: str, url: str, resource_type: str = "Document") -> dict[str, object]:
    return {"frameId": frame, "resourceType": resource_type, "request": {"url": url}}


def test_a_frame_is_of_the_site_that_it_was_last_sent_to() -> None:
    frames = FrameSites(SITE)
    frames.attached("f", "main")
    assert not frames.is_foreign(asks("f", "https://other.test/"), "main")  # the page sends it
    assert frames.is_foreign(asks("f", f"{SITE}/api", "Fetch"), "main")
    assert frames.is_foreign(asks("f", f"{SITE}/delete"), "main")  # it sends itself
    assert not frames.is_foreign(asks("f", f"{SITE}/own.js", "Script"), "main")


def test_frames_in_frames_of_other_sites_are_foreign_too() -> None:
    frames = FrameSites(SITE)
    frames.attached("f", "main")
    frames.is_foreign(asks("f", "https://other.test/"), "main")
    frames.attached("inner", "f")
    assert frames.is_foreign(asks("inner", f"{SITE}/delete"), "main")
    assert frames.is_foreign(asks("inner", f"{SITE}/x.js", "Script"), "main")
    assert frames.is_foreign(asks("untold", f"{SITE}/delete"), "main")


def test_the_page_and_its_own_frames_are_not() -> None:
    frames = FrameSites(SITE)
    frames.attached("f", "main")
    assert not frames.is_foreign(asks("main", f"{SITE}/x.js", "Script"), "main")
    assert not frames.is_foreign(asks("f", f"{SITE}/frame"), "main")
    assert not frames.is_foreign(asks("f", f"{SITE}/x.js", "Script"), "main")
    assert not frames.is_foreign({"resourceType": "Script", "request": {"url": SITE}}, "")
