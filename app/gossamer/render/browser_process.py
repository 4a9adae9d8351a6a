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
from gossamer.render.browser_arguments import NoNetwork, arguments_of
from gossamer.render.browser_discovery import BrowserKind, BrowserProgram
from gossamer.render.browser_profile import BrowserProfile, profile_parent
from gossamer.render.devtools_connection import CALL_S, DevtoolsConnection, DevtoolsError

_READ_FD, _WRITE_FD, _FREE_FD = 3, 4, 10
"""The descriptors of Chromium's pipe, and the first that collides with nothing."""
_ROOT: Final = 0
_STACK_BYTES: Final = 128 * 1024 * 1024
"""Chromium's layout recurses for each level of a page: with the usual 8 MB it crashes at some
3,000. The system allocates only what is used."""

_PREFERENCES: Final = {
    "credentials_enable_service": False,
    "credentials_enable_autosignin": False,
    "profile": {"password_manager_enabled": False, "password_manager_leak_detection": False},
    "autofill": {"profile_enabled": False, "credit_card_enabled": False},
    "signin": {"allowed": False},
    "translate": {"enabled": False},
    "search": {"suggest_enabled": False},
}
"""Preferences of a profile with a window: it does not offer to store what a user types, which
would be deleted with the profile, and asks no service about it."""
_log = logging.getLogger(__name__)


class BrowserStartError(NoBrowserError):
    """The browser could not be started."""


def start_error(program: BrowserProgram, reason: object) -> BrowserStartError:
    """The error of a browser that does not start, with the reason."""
    return BrowserStartError(
        "The browser {path} does not start: {reason}.", path=program.path, reason=reason
    )


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

        With a `proxy_port`, it has a window for a user, and the proxy on that port is its
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
