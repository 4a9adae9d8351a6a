"""What a page in the browser asks for, and what it is answered."""

from base64 import b64decode, b64encode
from collections.abc import Awaitable, Callable
from typing import Any, Final

from msgspec import Struct

from gossamer.model.rendering import BlockedBy, ResourceType
from gossamer.render.page_deadline import PageDeadline
from gossamer.urls.url_parsing import is_http, without_fragment

MAX_POST_BYTES: Final = 1024 * 1024


_USELESS: Final = frozenset(
    {
        ResourceType.MEDIA,
        ResourceType.PREFETCH,
        ResourceType.EVENT_SOURCE,
        ResourceType.WEB_SOCKET,
        ResourceType.SIGNED_EXCHANGE,
        ResourceType.PING,
        ResourceType.CSP_REPORT,
        ResourceType.FED_CM,
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
    type: ResourceType
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
            ResourceType(params.get("resourceType", "")),
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


class ResourceResult(Struct, frozen=True):
    """What came of a request of a page: an answer, or why there is none.

    `failure` says in a few words why a server did not answer.
    """

    response: PageResponse | None = None
    blocked_by: BlockedBy | None = None
    failure: str = ""
    from_cache: bool = False


AnswerRequest = Callable[[PageRequest, PageDeadline], Awaitable[ResourceResult]]
"""Answers a request of a page, whose clock it stops while the request waits for its turn."""


def refused(request: PageRequest, page_site: str) -> BlockedBy | None:
    """Why a request is not made at all, whatever its server would say; None if it may be.

    `page_site` is the origin of the page. Scripts may send to it what they like, as they do when a
    person looks at the page; to others they may send nothing.
    """
    if not is_http(request.url):
        return BlockedBy.SCHEME
    if request.type in _USELESS or request.headers.get("Accept") == _EVENT_STREAM:
        return BlockedBy.TYPE
    is_sending = request.method not in _READING
    if is_sending and (len(request.body) > MAX_POST_BYTES or not _is_at(request.url, page_site)):
        return BlockedBy.METHOD
    return None


def _is_at(url: str, site: str) -> bool:
    return url.startswith(f"{site}/")
