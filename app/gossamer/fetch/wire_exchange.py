"""An exchange as it went over the wire, and which bodies an archive wants."""

from typing import Protocol

from aiohttp.http import RawResponseMessage
from msgspec import Struct

from gossamer.fetch.response_head import BodyHandling, ResponseHead


class WireExchange(Struct, frozen=True):
    """An exchange as it went over the wire, except the body, which `ResponseBody.wire` has.

    `message` is the head of the response, None while there is none. `is_whole` is whether the body
    is complete. `address` is the server's IP address, "" if a proxy is between.
    """

    request: bytes = b""
    secret_headers: frozenset[str] = frozenset()
    """The names, in lower case, of request headers whose values are secret."""
    is_body_secret: bool = False
    """Whether the body of the request is secret, too."""
    message: RawResponseMessage | None = None
    address: str = ""
    is_whole: bool = False


class ArchivePolicy(Protocol):
    """Says which bodies are kept."""

    max_bytes: int
    """The most bytes of a body, as received, that are kept."""

    def handling(self, head: ResponseHead, handling: BodyHandling) -> BodyHandling:
        """How to handle a body that without an archive would be handled like that."""

    def wants_body(self, head: ResponseHead) -> bool:
        """Whether to request the body, too, after a request for the headers alone."""
