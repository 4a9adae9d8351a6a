"""What a page in the browser asks for, and what it is answered."""

from base64 import b64decode, b64encode
from collections.abc import Awaitable, Callable, Sequence
from http.client import responses
from typing import Any, Final

from msgspec import Struct

from gossamer.model.archive_record import ArchiveRecord
from gossamer.model.lazy_pattern import lazy_pattern
from gossamer.model.rendering import BlockedBy, ResourceType
from gossamer.render.page_deadline import PageDeadline
from gossamer.urls.crawl_scope import site_of
from gossamer.urls.url_parsing import is_http, origin, without_fragment

MAX_POST_BYTES: Final = 1024 * 1024
_FIRST_ERROR: Final = 400

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
_PREFETCH: Final = "prefetch"
"""How Sec-Purpose of what is for another page begins, whose kind is told as that of any fetch."""
_READING: Final = frozenset({"GET", "HEAD", "OPTIONS"})
_HEADER_NAME: Final = lazy_pattern(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_NOT_IN_HEADERS: Final = lazy_pattern(r"[\0\r\n]")


class PageRequest(Struct, frozen=True):
    """A request that a page has made and that waits for its answer.

    `url` has no fragment. `headers` are the browser's, cookies of the page among them.
    """

    url: str
    method: str
    type: ResourceType
    headers: dict[str, str]
    body: bytes = b""
    is_own: bool = True
    """Whether the page's own site asks, and is asked: no frame of another site, and no other site.

    Cookies of a login that are SameSite=Lax or Strict are sent by browsers then alone; we do so
    with all of them.
    """
    page: str = ""
    """The URL of the page, where it is one of a crawl."""

    @property
    def is_for_browser(self) -> bool:
        """Whether the page does not ask, but a browser with a window: for the icon of the tab."""
        is_image = self.headers.get("Accept", "").startswith("image/")
        return self.type is ResourceType.OTHER and is_image

    @classmethod
    def of(cls, params: dict[str, Any], page_site: str = "") -> "PageRequest":
        """That of a `Fetch.requestPaused` event, made by what is at the origin `page_site`."""
        request = params["request"]
        parts = request.get("postDataEntries") or ()
        body = b"".join(b64decode(part.get("bytes", "")) for part in parts)
        return cls(
            without_fragment(request["url"]),
            request["method"],
            ResourceType(params.get("resourceType", "")),
            request["headers"],
            body,
            bool(page_site) and is_same_site(request["url"], page_site),
        )


class PageResponse(Struct, frozen=True):
    """The answer to a request, as the browser is to see it."""

    status: int
    headers: list[tuple[str, str]]
    body: bytes = b""
    transferred_bytes: int = 0
    """Of the body as it was sent."""

    def fulfilment(self, request_id: str) -> dict[str, Any]:
        """The parameters of `Fetch.fulfillRequest`.

        The browser refuses statuses that it does not know unless they have a phrase, and headers
        that are none; the request would then never be answered.
        """
        headers = [
            {"name": name, "value": value}
            for name, value in self.headers
            if _HEADER_NAME.fullmatch(name) and not _NOT_IN_HEADERS.search(value)
        ]
        return {
            "requestId": request_id,
            "responseCode": self.status,
            "responsePhrase": responses.get(self.status, "Unknown"),
            "responseHeaders": headers,
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
    received_bytes: int = 0
    """Of bodies as they were sent, in vain too; none for what comes from the cache."""
    archived: Sequence[ArchiveRecord] = ()
    """Where the archive has the answer."""
    archive_errno: int = 0
    """As in `Visit`."""

    @property
    def is_failed(self) -> bool:
        """Whether the page did not get what it asked for, although it was asked for."""
        return bool(self.failure) or (
            self.response is not None and self.response.status >= _FIRST_ERROR
        )


RequestResponder = Callable[[PageRequest, PageDeadline], Awaitable[ResourceResult]]
"""Answers a request of a page, whose clock it stops while the request waits for its turn."""


def refused(request: PageRequest, page_site: str) -> BlockedBy | None:
    """Why a request is not made at all, whatever its server would say; None if it may be.

    `page_site` is the origin of the page. Its scripts may send to it what they like, as they do
    when a person looks at the page; to others they may send nothing, and those of other sites'
    frames nothing to anybody.
    """
    if not is_http(request.url):
        return BlockedBy.SCHEME
    if request.type in _USELESS or _is_useless(request.headers):
        return BlockedBy.TYPE
    if request.method in _READING:
        return None
    may_be_sent = request.is_own and _is_at(request.url, page_site)
    return None if may_be_sent and len(request.body) <= MAX_POST_BYTES else BlockedBy.METHOD


def _is_useless(headers: dict[str, str]) -> bool:
    is_stream = headers.get("Accept") == _EVENT_STREAM
    return is_stream or headers.get("Sec-Purpose", "").startswith(_PREFETCH)


def is_same_site(url: str, page_site: str) -> bool:
    """Whether a URL is of the same site as the origin `page_site`, as cookies have it.

    Scheme and registrable domain are the same (RFC 6265bis §5.2).
    """
    if _is_at(url, page_site):
        return True
    asked = origin(url)
    is_scheme = asked.partition(":")[0] == page_site.partition(":")[0]
    return is_scheme and site_of(asked) == site_of(page_site)


def _is_at(url: str, site: str) -> bool:
    return url.startswith(f"{site}/")
