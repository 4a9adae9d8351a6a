"""What a browser made of a page: the outcome, how it differs from the HTML, and what it loaded."""

from enum import IntEnum, StrEnum

from msgspec import Struct

MAX_RESOURCES = 500
"""Requests of one page that are kept."""
MAX_CONSOLE_MESSAGES = 50
MAX_POPUPS = 20
MAX_IMAGES = 500


class RenderOutcome(IntEnum):
    """How the rendering of a page ended. Stored in `rendering.outcome`."""

    RENDERED = 1
    TIMED_OUT = 2
    """It was read as it was when its time had run out."""
    CRASHED = 3
    """The browser's tab died twice of it: only its HTML is known."""
    FAILED = 4
    """The browser did not show it: only its HTML is known."""
    NO_BROWSER = 5
    """There is no browser: only its HTML is known."""
    NOT_NEEDED = 6
    """Its HTML says all, as far as can be told."""


class ResourceType(StrEnum):
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
    def _missing_(cls, _value: object) -> "ResourceType":
        return cls.OTHER


class BlockedBy(StrEnum):
    """Why a request of a page was not made."""

    SCHEME = "scheme"
    """Not http or https."""
    TYPE = "type"
    """What changes nothing that a page shows, never ends, or reports on its visitors."""
    METHOD = "method"
    """It would have sent something to another site than the page's."""
    ROBOTS = "robots.txt"
    ADDRESS = "address"
    """One that the crawl must not ask: on this computer, or in a private network."""
    EXCLUDED = "exclude pattern"
    LIMIT = "limit"
    """The page asked for too much."""


class PageResource(Struct, frozen=True, array_like=True, omit_defaults=True):
    """A request of a rendered page, and what came of it. `status` is None without an answer."""

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
    """It was not asked for again: another page had loaded it."""


class ConsoleMessage(Struct, frozen=True, array_like=True, omit_defaults=True):
    """An error or a warning that a page wrote to the browser's console."""

    is_error: bool
    text: str
    source: str = ""
    line: int = 0


class RenderedImage(Struct, frozen=True, array_like=True, omit_defaults=True):
    """An image of a rendered page: CSS pixels of its file, and of its place in the page."""

    url: str
    natural_width: int = 0
    natural_height: int = 0
    width: int = 0
    height: int = 0
    is_background: bool = False


class Rendering(Struct, frozen=True, array_like=True, gc=False):
    """What a browser made of a page, beside the facts and links of the rendered page itself.

    What begins with `html_` is of the HTML as the server sent it: None where the rendered page says
    the same, "" where the HTML says nothing.
    """

    outcome: RenderOutcome
    rendered_url: str | None = None
    """Its address as its scripts have left it, if that is another."""
    html_title: str | None = None
    html_h1: str | None = None
    html_description: str | None = None
    html_canonical: str | None = None
    html_robots: str | None = None
    html_word_count: int | None = None
    rendered_links: int = 0
    """Hyperlinks that are not in the HTML."""
    requests: int = 0
    blocked: int = 0
    failed: int = 0
    errors: int = 0
    warnings: int = 0
    dialogs: int = 0
    load_ms: int = 0
    render_ms: int = 0
    resources: list[PageResource] = []
    console: list[ConsoleMessage] = []
    images: list[RenderedImage] = []
    popups: list[str] = []
    screenshot: bytes = b""
