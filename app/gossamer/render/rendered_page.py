"""What a browser makes of a page, and how it is asked to."""

from typing import Final

from msgspec import Struct, field

from gossamer.render.page_requests import BlockedBy, RequestKind

MAX_RESOURCES: Final = 500
MAX_MESSAGES: Final = 50
MAX_POPUPS: Final = 20


class RenderLimits(Struct, frozen=True):
    """How a page is shown, and how long it is waited for."""

    width: int = 1024
    height: int = 768
    is_mobile: bool = False
    user_agent: str = ""
    accept_language: str = ""
    ajax_s: float = 5.0
    """Virtual seconds that scripts have after the page has loaded."""
    timeout_s: float = 20.0
    """Seconds until a page is read as it is."""
    max_html_bytes: int = 10_000_000
    screenshot: bool = False
    virtual_time: bool = True
    """False: wait for real time, as a person would."""
    flatten_shadow_dom: bool = True
    flatten_frames: bool = True


class RenderedResource(Struct, frozen=True):
    """A request of a page, and what came of it."""

    url: str
    kind: RequestKind
    status: int | None = None
    size_bytes: int = 0
    elapsed_ms: int = 0
    blocked_by: BlockedBy | None = None
    failure: str = ""
    from_cache: bool = False


class ConsoleMessage(Struct, frozen=True):
    """An error or a warning that a page wrote to the console."""

    is_error: bool
    text: str
    source: str = ""
    line: int = 0


class RenderedImage(Struct, frozen=True, rename="camel"):
    """An image as it is shown: CSS pixels of its file and of its place."""

    url: str
    natural_width: int
    natural_height: int
    width: int
    height: int
    is_background: bool = False


class RenderedPage(Struct):
    """What a browser made of a page."""

    html: str = ""
    final_url: str = ""
    """Its address as the page's scripts have left it."""
    redirect: str = ""
    """Where a script sent the browser; "" for nowhere. Refreshes in elements do not count."""
    html_is_cut: bool = False
    is_timed_out: bool = False
    is_crashed: bool = False
    resources: list[RenderedResource] = field(default_factory=list)
    requests: int = 0
    console: list[ConsoleMessage] = field(default_factory=list)
    errors: int = 0
    warnings: int = 0
    dialogs: int = 0
    popups: list[str] = field(default_factory=list)
    images: list[RenderedImage] = field(default_factory=list)
    screenshot: bytes = b""
    load_ms: int = 0
    render_ms: int = 0
