"""Runs a browser: its process, its profile, and the pipe to it."""

import asyncio
import logging
import os
import signal
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import TracebackType
from typing import Final, Self

from msgspec import Struct

from gossamer.model.errors import NoBrowserError
from gossamer.model.translatable import system_reason
from gossamer.render.browser_discovery import BrowserKind, BrowserProgram
from gossamer.render.browser_profile import BrowserProfile, profile_parent
from gossamer.render.devtools_connection import CALL_S, DevtoolsConnection, DevtoolsError

_READ_FD, _WRITE_FD, _FREE_FD = 3, 4, 10
"""The descriptors of Chromium's pipe, and the first that collides with nothing."""
_ROOT: Final = 0
_STACK_BYTES: Final = 128 * 1024 * 1024
"""Chromium's layout recurses for each level of a page: with the usual 8 MB it crashes at some
3,000. The system allocates only what is used."""

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
"""Switches that keep a browser from calling home, from asking a person, and from starting a spare
process for the next tab, which pages with their own contexts could not use. Without WebRTC's names
in the local network, nothing is sent there; it learns no local address in any case."""
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
"""Switches that make it an ordinary browser: a person uses it, not a program. It shows no warning
about its switches."""
_PREFERENCES: Final = {
    "credentials_enable_service": False,
    "credentials_enable_autosignin": False,
    "profile": {"password_manager_enabled": False, "password_manager_leak_detection": False},
    "autofill": {"profile_enabled": False, "credit_card_enabled": False},
    "signin": {"allowed": False},
    "translate": {"enabled": False},
    "search": {"suggest_enabled": False},
}
"""Preferences of a profile with a window: it does not offer to store what a person types, which
would be deleted with the profile, and asks no service about it."""
_BLANK: Final = "data:,"
"""A page that has the keyboard focus: on `about:blank`, the address field has it."""
_log = logging.getLogger(__name__)


class BrowserStartError(NoBrowserError):
    """The browser could not be started."""


def start_error(program: BrowserProgram, reason: object) -> BrowserStartError:
    """The error of a browser that does not start, with the reason."""
    return BrowserStartError(
        "The browser {path} does not start: {reason}.", path=program.path, reason=reason
    )


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


class BrowserTimings(Struct, frozen=True):
    """How long a browser is waited for, in seconds."""

    start_s: float = 20.0
    """For its first reply."""
    call_s: float = CALL_S
    """For each other reply that does not depend on a page."""


USUAL_TIMINGS: Final = BrowserTimings()


class BrowserProcess:
    """A running browser with a profile of its own. Use with `async with`.

    It ends with us: it notices that its pipe is closed.
    """

    def __init__(
        self,
        program: BrowserProgram,
        proxy_port: int | None = None,
        timings: BrowserTimings = USUAL_TIMINGS,
    ) -> None:
        """Nothing is started yet.

        With a `proxy_port`, it has a window for a person, and the proxy on that port is its
        network. Without, it has neither.
        """
        self._program = program
        self._timings = timings
        self._has_window = proxy_port is not None
        self._network = None if self._has_window else NoNetwork()
        self._proxy_port = self._network.port if self._network else proxy_port or 0
        self._profile: BrowserProfile | None = None
        self._pid = 0
        self.version = ""
        """Such as "HeadlessChrome/156.0.8078.79"."""
        self.user_agent = ""
        """Its User-Agent."""
        self.devtools = DevtoolsConnection(timings.call_s)

    @property
    def gone(self) -> asyncio.Event:
        """Set when the browser has closed its pipe."""
        return self.devtools.gone

    @property
    def pid(self) -> int:
        """The process id, which is that of its process group; 0: none."""
        return self._pid

    async def __aenter__(self) -> Self:
        """Start it. BrowserStartError if it does not start or does not reply."""
        try:
            await self._start(await self._make_profile())
            result = await self.devtools.call("Browser.getVersion", timeout_s=self._timings.start_s)
        except (OSError, DevtoolsError) as e:
            await self._end()
            reason = system_reason(e) if isinstance(e, OSError) else str(e)
            raise start_error(self._program, reason) from e
        except BaseException:
            await self._end()
            raise
        self.version = str(result.get("product", ""))
        self.user_agent = str(result.get("userAgent", ""))
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        problem: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self._end()

    async def _make_profile(self) -> BrowserProfile:
        """If cancelled, it still waits for the profile, so that it can be removed."""
        parent = profile_parent(has_socket=self._program.kind is BrowserKind.FULL)
        making = asyncio.get_running_loop().run_in_executor(None, BrowserProfile, parent)
        try:
            self._profile = await asyncio.shield(making)
        except asyncio.CancelledError:
            self._profile = await making
            raise
        return self._profile

    async def _start(self, profile: BrowserProfile) -> None:
        if self._has_window:
            profile.write_preferences(_PREFERENCES)
        ours, theirs = socket.socketpair()
        is_root = _is_root()
        command = arguments_of(
            self._program,
            str(profile.path),
            self._proxy_port,
            is_root=is_root,
            has_window=self._has_window,
        )
        if is_root:
            _log.warning("the browser runs without its sandbox, because Gossamer runs as root")
        try:
            self._pid = _spawn(command, theirs, profile)
            profile.note_browser(self._pid)
        except BaseException:
            ours.close()
            raise
        finally:
            theirs.close()
        ours.setblocking(False)  # noqa: FBT003 - the name of the method says it
        loop = asyncio.get_running_loop()
        await loop.create_unix_connection(lambda: self.devtools, sock=ours)

    async def _end(self) -> None:
        """End it and remove its profile, even if the waiting task is cancelled."""
        self.devtools.close()
        pid, self._pid = self._pid, 0
        profile, self._profile = self._profile, None
        # Not a task: one that has not begun would not begin when the loop ends.
        clearing = asyncio.get_running_loop().run_in_executor(
            None, _clear_away, pid, self._network, profile
        )
        await asyncio.shield(clearing)


def _clear_away(pid: int, network: NoNetwork | None, profile: BrowserProfile | None) -> None:
    if pid:
        _end_group(pid)
    if network is not None:
        network.close()
    if profile is not None:
        profile.remove()


def _is_root() -> bool:
    return hasattr(os, "geteuid") and os.geteuid() == _ROOT


def _spawn(command: list[str], pipe: socket.socket, profile: BrowserProfile) -> int:
    """Start a program in a process group of its own, with `pipe` where Chromium looks for it.

    Its temporary files are in its profile, with which they are removed: that of the socket by which
    a browser with windows is told of another one, for example.
    """
    high = _above(pipe.fileno())
    nothing = os.open(os.devnull, os.O_RDWR)
    try:
        with _deep_stack():
            return os.posix_spawn(
                command[0],
                command,
                {**os.environ, "TMPDIR": str(profile.path)},
                file_actions=[
                    (os.POSIX_SPAWN_DUP2, nothing, 0),
                    (os.POSIX_SPAWN_DUP2, nothing, 1),
                    (os.POSIX_SPAWN_DUP2, nothing, 2),
                    (os.POSIX_SPAWN_DUP2, high, _READ_FD),
                    (os.POSIX_SPAWN_DUP2, high, _WRITE_FD),
                ],
                setpgroup=0,
                setsigmask=(),
                setsigdef=(signal.SIGINT, signal.SIGPIPE, signal.SIGTERM),
            )
    finally:
        os.close(high)
        os.close(nothing)


@contextmanager
def _deep_stack() -> Iterator[None]:
    """Give processes started meanwhile a larger stack, as far as permitted."""
    import resource  # noqa: PLC0415 - Windows has none

    soft, hard = resource.getrlimit(resource.RLIMIT_STACK)
    if soft == resource.RLIM_INFINITY or soft >= _STACK_BYTES:
        yield
        return
    wanted = _STACK_BYTES if hard == resource.RLIM_INFINITY else min(_STACK_BYTES, hard)
    try:
        resource.setrlimit(resource.RLIMIT_STACK, (wanted, hard))
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_STACK, (soft, hard))


def _above(descriptor: int) -> int:
    """A duplicate of the descriptor, from `_FREE_FD` on, not inherited."""
    import fcntl  # noqa: PLC0415 - Windows has none

    return fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, _FREE_FD)


def _end_group(pid: int) -> None:
    """End a browser and all its processes, and wait for the first of them."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)
    with suppress(ChildProcessError):
        os.waitpid(pid, 0)
