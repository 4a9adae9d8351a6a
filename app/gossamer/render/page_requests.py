"""What a page in the browser asks for, and what it is answered."""

from base64 import b64decode, b64encode
from collections.abc import Awaitable, Callable
from enum import StrEnum
from typing import Any, Final

from msgspec import Struct

from gossamer.urls.url_parsing import is_http, without_fragment

MAX_POST_BYTES: Final = 1024 * 1024


class RequestKind(StrEnum):
    """What a request of a page is for, in the words of the DevTools Protocol."""

    DOCUMENT = "Document"
    STYLESHEET = "Stylesheet"
    IMAGE = "Image"
    MEDIA = "Media"
    FONT = "Font"
    SCRIPT = "Script"
    TEXT_TRACK = "TextTrack"
    XHR = "XHR"
    FETCH = "Fetch"
    PREFETCH = "Prefetch"
    EVENT_SOURCE = "EventSource"
    WEB_SOCKET = "WebSocket"
    MANIFEST = "Manifest"
    SIGNED_EXCHANGE = "SignedExchange"
    PING = "Ping"
    CSP_REPORT = "CSPViolationReport"
    PREFLIGHT = "Preflight"
    FED_CM = "FedCM"
    OTHER = "Other"

    @classmethod
    def _missing_(cls, _value: object) -> "RequestKind":
        return cls.OTHER


_USELESS: Final = frozenset(
    {
        RequestKind.MEDIA,
        RequestKind.PREFETCH,
        RequestKind.EVENT_SOURCE,
        RequestKind.WEB_SOCKET,
        RequestKind.SIGNED_EXCHANGE,
        RequestKind.PING,
        RequestKind.CSP_REPORT,
        RequestKind.FED_CM,
    }
)
"""What changes nothing that a page shows, never ends, or reports on its visitors."""
_EVENT_STREAM: Final = "text/event-stream"
"""What an EventSource accepts, whose kind is told as that of any XHR."""
_READING: Final = frozenset({"GET", "HEAD", "OPTIONS"})


class PageRequest(Struct, frozen=True):
    """A request that a page has made and that waits for its answer.

    `url` has no fragment. `headers` are the browser's, cookies of the page among them.
    """

    url: str
    method: str
    kind: RequestKind
    headers: dict[str, str]
    body: bytes = b""

    @classmethod
    def of(cls, params: dict[str, Any]) -> "PageRequest":
        """That of a `Fetch.requestPaused` event."""
        request = params["request"]
        parts = request.get("postDataEntries") or ()
        body = b"".join(b64decode(part.get("bytes", "")) for part in parts)
        return cls(
            without_fragment(request["url"]),
            request["method"],
            RequestKind(params.get("resourceType", "")),
            request["headers"],
            body,
        )


class PageResponse(Struct, frozen=True):
    """The answer to a request, as the browser is to see it."""

    status: int
    headers: list[tuple[str, str]]
    body: bytes = b""
    reason: str = ""

    def fulfilment(self, request_id: str) -> dict[str, Any]:
        """The parameters of `Fetch.fulfillRequest`."""
        phrase = {"responsePhrase": self.reason} if self.reason else {}
        return phrase | {
            "requestId": request_id,
            "responseCode": self.status,
            "responseHeaders": [{"name": name, "value": value} for name, value in self.headers],
            "body": b64encode(self.body).decode("ascii"),
        }


class BlockedBy(StrEnum):
    """Why a request of a page was not made."""

    SCHEME = "scheme"
    KIND = "kind"
    METHOD = "method"
    ROBOTS = "robots.txt"
    ADDRESS = "address"
    EXCLUDED = "exclude pattern"
    LIMIT = "limit"
    POPUP = "popup"


class ResourceResult(Struct, frozen=True):
    """What came of a request of a page: an answer, or why there is none.

    `failure` says in a few words why a server did not answer.
    """

    response: PageResponse | None = None
    blocked_by: BlockedBy | None = None
    failure: str = ""
    from_cache: bool = False


AnswerRequest = Callable[[PageRequest], Awaitable[ResourceResult]]
"""Answers a request of a page. It never raises but when cancelled."""


def refused(request: PageRequest, page_site: str) -> BlockedBy | None:
    """Why a request is not made at all, whatever its server would say; None if it may be.

    `page_site` is the origin of the page. Scripts may send to it what they like, as they do when a
    person looks at the page; to others they may send nothing.
    """
    if not is_http(request.url):
        return BlockedBy.SCHEME
    if request.kind in _USELESS or request.headers.get("Accept") == _EVENT_STREAM:
        return BlockedBy.KIND
    is_sending = request.method not in _READING
    if is_sending and (len(request.body) > MAX_POST_BYTES or not _is_at(request.url, page_site)):
        return BlockedBy.METHOD
    return None


def _is_at(url: str, site: str) -> bool:
    return url.startswith(f"{site}/")
