"""What a browser made of a page: the outcome, how it differs from the HTML, and what it loaded."""

from enum import StrEnum
from typing import Final

from msgspec import Struct

from gossamer.model.accessibility_report import Violation
from gossamer.model.fields.page_load_fields import PageLoadFields

MAX_RESOURCES = 500
"""Requests of one page that are kept."""
MAX_CONSOLE_MESSAGES = 50
MAX_POPUPS = 20
MAX_IMAGES = 500


class ResourceType(StrEnum):
    """The purpose of a page's request, in the terms of the DevTools Protocol."""

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
    def _missing_(cls, _value: object) -> "ResourceType":
        return cls.OTHER


class BlockedBy(StrEnum):
    """Why a request of a page was not made."""

    SCHEME = "scheme"
    """Not http or https."""
    TYPE = "type"
    """It changes nothing that a page shows, never ends, or reports on its visitors."""
    WEB_SOCKET = "WebSocket"
    """Search engines open none either."""
    METHOD = "method"
    """It would have sent something to a site other than the page's."""
    ROBOTS = "robots.txt"
    ADDRESS = "address"
    """An address that the crawl must not request: on this computer, or in a private network."""
    EXCLUDED = "exclude pattern"
    ENDS_SESSION = "sign-out"
    """It looks like signing out or deleting, and the crawl has a login there."""
    LIMIT = "limit"
    """The page made too many requests."""


class PageResource(Struct, frozen=True, array_like=True, omit_defaults=True):
    """A request of a rendered page and its outcome. `status` is None without a response."""

    url: str
    type: ResourceType
    status: int | None = None
    size_bytes: int = 0
    started_ms: int = 0
    """After the page was begun."""
    elapsed_ms: int = 0
    blocked_by: BlockedBy | None = None
    failure: str = ""
    from_cache: bool = False
    """It was not requested again: another page had loaded it."""
    transferred_bytes: int = 0
    """Of the body as it was sent; if from the cache, as it had been sent."""


class ConsoleMessage(Struct, frozen=True, array_like=True, omit_defaults=True):
    """An error or a warning that a page wrote to the browser's console."""

    is_error: bool
    text: str
    source: str = ""
    line: int = 0


class RenderedImage(Struct, frozen=True, array_like=True, omit_defaults=True):
    """An image of a rendered page: CSS pixels of its file, and of its area in the page."""

    url: str
    natural_width: int = 0
    natural_height: int = 0
    width: int = 0
    height: int = 0
    is_background: bool = False


class RenderingDetails(Struct, frozen=True, array_like=True, gc=False):
    """What a rendered page loaded, wrote to the console, shows and tried to open, in order."""

    resources: list[PageResource] = []
    console: list[ConsoleMessage] = []
    images: list[RenderedImage] = []
    popups: list[str] = []
    """The addresses of windows that it tried to open."""
    violations: list[Violation] = []
    """The accessibility rules that it breaks."""


NO_DETAILS: Final = RenderingDetails()


class Rendering(PageLoadFields, frozen=True, array_like=True, gc=False):
    """What a browser made of a page, besides the facts and links of the rendered page itself."""

    details: RenderingDetails = NO_DETAILS
    screenshot: bytes = b""
    """A JPEG; empty for none."""
