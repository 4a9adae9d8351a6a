"""The requests of a page in the browser, and their responses."""

from base64 import b64decode, b64encode
from collections.abc import Awaitable, Callable, Sequence
from http.client import responses
from typing import Any, Final

from msgspec import Struct

from gossamer.model.archive_record import ArchiveRecord
from gossamer.model.http_methods import SAFE_METHODS
from gossamer.model.lazy_pattern import lazy_pattern
from gossamer.model.rendering import BlockedBy, ResourceType
from gossamer.render.page_deadline import PageDeadline
from gossamer.urls.scope_and_limits import site_of
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
"""Types of requests that change nothing visible, never end, or report on visitors."""
_EVENT_STREAM: Final = "text/event-stream"
"""What an EventSource accepts; its resource type is that of any XHR."""
_PREFETCH: Final = "prefetch"
"""How Sec-Purpose begins where a page loads something for another page; its resource type is that
of any fetch."""
_HEADER_NAME: Final = lazy_pattern(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_NOT_IN_HEADERS: Final = lazy_pattern(r"[\0\r\n]")


class PageRequest(Struct, frozen=True):
    """A request that a page has made and that waits for its response.

    `url` has no fragment. `headers` are the browser's, cookies of the page among them.
    """

    url: str
    method: str
    type: ResourceType
    headers: dict[str, str]
    body: bytes = b""
    is_own: bool = True
    """Whether the page's own site requests itself: no frame of another site, and no other site.

    Browsers send SameSite=Lax or Strict cookies of a login only then; we do so with all of them.
    """
    page: str = ""
    """The URL of the page, if it is one of a crawl."""

    @property
    def is_for_browser(self) -> bool:
        """Whether the browser makes the request itself, for the icon of the tab."""
        is_image = self.headers.get("Accept", "").startswith("image/")
        return self.type is ResourceType.OTHER and is_image

    @property
    def is_download(self) -> bool:
        """Whether a document is to be saved, as `<a download>` wants it: the page stays.

        Requests for documents to be shown have this header, whatever their scheme.
        """
        return "Upgrade-Insecure-Requests" not in self.headers

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
    """The response to a request, as the browser is to see it."""

    status: int
    headers: list[tuple[str, str]]
    body: bytes = b""
    transferred_bytes: int = 0
    """Of the body as it was sent."""

    def fulfilment(self, request_id: str) -> dict[str, Any]:
        """The parameters of `Fetch.fulfillRequest`.

        The browser refuses unknown statuses without a phrase, and invalid headers; the request
        would then never get a response.
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
    """The result of a page's request: a response, or why there is none.

    `failure` says in a few words why there is no response.
    """

    response: PageResponse | None = None
    blocked_by: BlockedBy | None = None
    failure: str = ""
    from_cache: bool = False
    received_bytes: int = 0
    """Bytes of bodies as sent, failed tries included; none for what comes from the cache."""
    archived: Sequence[ArchiveRecord] = ()
    """Where the archive has the response."""
    archive_errno: int = 0
    """As in `Visit`."""

    @property
    def is_failed(self) -> bool:
        """Whether a request was made but failed."""
        return bool(self.failure) or (
            self.response is not None and self.response.status >= _FIRST_ERROR
        )


RequestResponder = Callable[[PageRequest, PageDeadline], Awaitable[ResourceResult]]
"""Serves a request of a page, whose clock it pauses while the request waits for its turn."""


def refused(request: PageRequest, page_site: str) -> BlockedBy | None:
    """Why a request must not be made at all; None if it may be.

    `page_site` is the origin of the page. Its scripts may send anything to it, as they do when a
    person views the page; they may send nothing to others, and scripts in frames of other sites
    nothing at all.
    """
    if not is_http(request.url):
        return BlockedBy.SCHEME
    if request.type in _USELESS or _is_useless(request.headers):
        return BlockedBy.TYPE
    if request.method in SAFE_METHODS:
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
