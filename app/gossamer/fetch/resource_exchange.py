"""A request of a rendered page, and the response as its browser is to see it."""

from collections.abc import Sequence
from typing import Final, Self

from msgspec import Struct

from gossamer.fetch.http_response import HttpResponse

_OF_THE_TRANSFER: Final = frozenset(
    {
        *(b"content-encoding", b"content-length", b"transfer-encoding", b"connection"),
        *(b"keep-alive", b"trailer", b"upgrade", b"alt-svc", b"proxy-authenticate"),
    }
)
"""Headers that do not apply to a decoded body that comes from us."""


class ResourceRequest(Struct, frozen=True):
    """A request of a rendered page, as the browser has it; `headers` include no cookies."""

    url: str
    method: str = "GET"
    headers: Sequence[tuple[str, str]] = ()
    body: bytes = b""
    cookies: str = ""
    with_secrets: bool = True
    """Whether its origin gets the secrets meant for it."""
    page: str = ""
    """The URL of the page, if it is one of the crawl."""


class ResourceResponse(Struct, frozen=True):
    """A response as a browser is to see it: the body decoded, the headers with all cookies.

    Without a `status` there is none.
    """

    status: int | None = None
    headers: Sequence[tuple[str, str]] = ()
    body: bytes = b""

    @classmethod
    def of(cls, response: HttpResponse) -> Self:
        """What has been received."""
        if response.head is None or response.failure is not None:
            return cls()
        headers = [
            (name.decode("latin-1"), value.decode("latin-1"))
            for name, value in response.raw_headers
            if name.lower() not in _OF_THE_TRANSFER
        ]
        return cls(response.head.status, headers, response.body.whole())


NO_RESPONSE: Final = ResourceResponse()
