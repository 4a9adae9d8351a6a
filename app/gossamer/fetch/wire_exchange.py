"""An exchange as it went over the wire, and which bodies an archive has be read."""

from typing import Protocol

from aiohttp.http import RawResponseMessage
from msgspec import Struct

from gossamer.fetch.response_head import BodyHandling, ResponseHead


class WireExchange(Struct, frozen=True):
    """An exchange as it went over the wire, but for the body, which `ResponseBody.wire` has.

    `message` is the head of the answer, None while there is none. `is_whole` is whether the body
    came to its end. `address` is the server's IP address, "" where a proxy stands between.
    """

    request: bytes = b""
    secret_headers: frozenset[str] = frozenset()
    """The names, in lower case, of request headers whose values are nobody else's business."""
    is_body_secret: bool = False
    """Whether what the request sends is nobody else's business, either."""
    message: RawResponseMessage | None = None
    address: str = ""
    is_whole: bool = False


class ArchivePolicy(Protocol):
    """Says which bodies are kept."""

    max_bytes: int
    """Of a body, as it comes; no more is kept."""

    def handling(self, head: ResponseHead, handling: BodyHandling) -> BodyHandling:
        """How to handle a body that would be handled so without an archive."""

    def wants_body(self, head: ResponseHead) -> bool:
        """Whether what has only been asked for its headers is to be asked for its body, too."""
