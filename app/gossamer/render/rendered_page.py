"""A page to render, and the result of rendering it."""

from msgspec import Struct, field

from gossamer.model.accessibility_report import AccessibilityReport
from gossamer.model.messages.stored_page_messages import FullPageScreenshot
from gossamer.model.rendering import ConsoleMessage, PageResource, RenderedImage
from gossamer.model.secrets import Items
from gossamer.render.mobile_layout import MobileLayout
from gossamer.render.page_load_measurement import LoadObserved
from gossamer.render.page_requests import PageResponse


class RenderLimits(Struct, frozen=True):
    """How a page is shown, and how long to wait for it."""

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
    full_page_scale: float = 0.0
    """Device pixels for each CSS pixel in a screenshot of the full page; 0 for none."""
    virtual_time: bool = True
    """False: wait for real time, as a user would."""
    flatten_shadow_dom: bool = True
    flatten_frames: bool = True
    lab_metrics: bool = False
    """Measure how it loads, in real time."""
    accessibility_rules: tuple[str, ...] = ()
    """The rules of axe that it is checked for."""


class PageCookie(Struct, frozen=True):
    """A cookie that the browser has when it shows a page; without a `domain`, for its host."""

    name: str
    value: str
    path: str = "/"
    domain: str = ""
    is_http_only: bool = False
    """Whether scripts must not see it."""

    def __repr__(self) -> str:
        return f"PageCookie({self.name!r}, …)"


class RenderJob(Struct, frozen=True):
    """A page to render: its URL, and the response of its server.

    The storages are those of a login.
    """

    url: str
    response: PageResponse
    limits: RenderLimits = RenderLimits()
    cookies: tuple[PageCookie, ...] = ()
    local_storage: Items = ()
    session_storage: Items = ()


class RenderedPage(Struct):
    """What a browser made of a page."""

    html: str = ""
    final_url: str = ""
    """Its address as the page's scripts have left it."""
    redirect: str = ""
    """Where a script redirected the browser; "" for nowhere. Refreshes in elements do not count."""
    html_is_cut: bool = False
    is_timed_out: bool = False
    is_begun: bool = False
    """The browser has asked for its document: what happens from then on may be its own fault."""
    is_taken: bool = False
    """Its tab has the document. One whose scripts are busy says so late."""
    is_crashed: bool = False
    is_out_of_memory: bool = False
    """It crashed because its tab took too much memory: it would again."""
    resources: list[PageResource] = field(default_factory=list)
    requests: int = 0
    blocked: int = 0
    failed: int = 0
    console: list[ConsoleMessage] = field(default_factory=list)
    errors: int = 0
    warnings: int = 0
    dialogs: int = 0
    popups: list[str] = field(default_factory=list)
    images: list[RenderedImage] = field(default_factory=list)
    elements: int = 0
    layout: MobileLayout | None = None
    """How the screen of a phone shows it, if it was rendered so."""
    load: LoadObserved | None = None
    """How it loaded, if that was measured."""
    screenshot: bytes = b""
    full_page: FullPageScreenshot | None = None
    """All of it, if that was wanted."""
    accessibility: AccessibilityReport | None = None
    load_ms: int = 0
    render_ms: int = 0

    @property
    def never_began(self) -> bool:
        """Whether its tab died or hung before it had the document: not the page's fault.

        Scripts that do not end are ended, so something of such a page can be read.
        """
        if self.is_crashed:
            return not self.is_begun
        return self.is_timed_out and not self.is_taken and not self.html
