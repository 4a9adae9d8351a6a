"""The command line of a browser, and the proxy that cuts it off from the network.

What the browser would send by itself, such as a WebSocket's handshake, ends at that proxy.
"""

import socket
from typing import Final

from gossamer.render.browser_discovery import BrowserKind, BrowserProgram

_FEATURES: Final = (
    "Translate",
    "MediaRouter",
    "DialMediaRouteProvider",
    "OptimizationHints",
    "AutofillServerCommunication",
    "CertificateTransparencyComponentUpdater",
    "InterestFeedContentSuggestions",
    "SpareRendererForSitePerProcess",
    "WebRtcHideLocalIpsWithMdns",
    "WebUIOmniboxPopup",
    "WebUIOmniboxAimPopup",
)
_QUIET: Final = (
    "--no-first-run",
    "--no-default-browser-check",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-sync",
    "--disable-extensions",
    "--disable-client-side-phishing-detection",
    "--disable-domain-reliability",
    "--disable-breakpad",
    "--disable-crash-reporter",
    "--no-pings",
    "--metrics-recording-only",
    "--password-store=basic",
    "--use-mock-keychain",
    "--mute-audio",
    "--disable-features=" + ",".join(_FEATURES),
)
"""Switches that keep a browser from calling home, from asking a user, and from starting a spare
process for the next tab, which pages with their own contexts could not use. Without WebRTC's names
in the local network, nothing is sent there; it learns no local address in any case. Nor does a
browser with windows prepare two pages for what its address field suggests: each context has a
window, and they take as long as a page."""
_STEADY: Final = (
    "--disable-background-timer-throttling",
    "--disable-backgrounding-occluded-windows",
    "--disable-renderer-backgrounding",
    "--disable-ipc-flooding-protection",
    "--disable-hang-monitor",
    "--disable-gpu",
    "--hide-scrollbars",
)
"""Switches that make tabs equal, whichever is in front."""
_ENABLED: Final = (
    "NetworkServiceInProcess2",
    "EnablePortBoundCookies",
    "EnableSchemeBoundCookies",
)
_LEAN: Final = (
    "--enable-features=" + ",".join(_ENABLED),
    "--disable-software-rasterizer",
)
"""Switches that save 35 MB: no process for the unused network, and no WebGL, which Google's
renderer lacks, too. Without a graphics card the browser would emulate it, and warns that this is
less safe. And cookies belong to a scheme and a port, as in the cookie jar of a crawl: those of a
login must not reach another server of the host."""
_MOUSE: Final = (
    "--blink-settings="
    "primaryHoverType=2,availableHoverTypes=2,primaryPointerType=4,availablePointerTypes=4"
)
"""A browser without a display has no mouse: `(hover: none)` would hold. These numbers are those of
HoverType and PointerType in Blink: it can hover, and points finely. A page that is rendered for
phones has a touch screen instead."""
_FOR_PEOPLE: Final = (
    "--window-size=1100,800",
    "--disable-quic",
    "--disable-blink-features=AutomationControlled",
    "--ozone-platform-hint=auto",
    "--test-type",
)
"""Switches that make it an ordinary browser: a user uses it, not a program. It shows no warning
about its switches."""
_BLANK: Final = "data:,"
"""A page that has the keyboard focus: on `about:blank`, the address field has it."""


class NoNetwork:
    """A proxy for the browser that refuses everything: a port on which nothing listens.

    We serve every request of a page. Other requests of the browser, by a WebSocket or on its own
    account, end here.
    """

    def __init__(self) -> None:
        """Take a port of this computer, so that no other program listens there."""
        self._socket = socket.socket()
        self._socket.bind(("127.0.0.1", 0))
        self.port: int = self._socket.getsockname()[1]

    def close(self) -> None:
        """Release the port."""
        self._socket.close()


def arguments_of(
    program: BrowserProgram,
    profile: str,
    proxy_port: int,
    *,
    is_root: bool,
    has_window: bool = False,
) -> list[str]:
    """The command line of a browser that reaches the network only through our proxy.

    A proxy alone would not suffice: without `<-loopback>`, loopback addresses bypass it, and so
    does WebRTC without its policy, which has two spellings. Without the resolver rules, the names
    of its servers would still be looked up.
    """
    needs_switch = program.kind is BrowserKind.FULL and not has_window
    headless = ["--headless=new"] if needs_switch else []
    sandbox = ["--no-sandbox"] if is_root else []
    return [
        program.path,
        *headless,
        *sandbox,
        "--remote-debugging-pipe",
        f"--user-data-dir={profile}",
        f"--proxy-server=http://127.0.0.1:{proxy_port}",
        "--proxy-bypass-list=<-loopback>",
        "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
        "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
        "--webrtc-ip-handling-policy=disable_non_proxied_udp",
        *_QUIET,
        *(_FOR_PEOPLE if has_window else (*_STEADY, *_LEAN, _MOUSE)),
        _BLANK if has_window else "about:blank",
    ]
