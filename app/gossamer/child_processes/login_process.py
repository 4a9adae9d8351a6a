"""The process of a login window: a browser with a window, and the proxy that guards its network."""

import asyncio
import logging
import os
import sys
import time
from collections.abc import Callable, Mapping
from contextlib import AsyncExitStack
from typing import Final

from msgspec.structs import replace

from gossamer.fetch.guarded_dialer import GuardedDialer
from gossamer.fetch.guarding_proxy import GuardingProxy
from gossamer.ipc.channel import Channel
from gossamer.ipc.child_process_server import serve_parent
from gossamer.model.errors import KnownError, NoBrowserError
from gossamer.model.messages.login_messages import (
    FinishLogin,
    LoginEnded,
    LoginOpened,
    LoginReport,
    LoginSeen,
    LoginWindowCommand,
    OpenLogin,
)
from gossamer.model.secrets import Secrets
from gossamer.render.browser_discovery import BrowserProgram, find_browsers
from gossamer.render.browser_process import BrowserProcess, BrowserStartError
from gossamer.render.devtools_connection import DevtoolsError
from gossamer.render.login_window import LoginWindow
from gossamer.urls.scope_and_limits import Scope
from gossamer.urls.url_parsing import origin, parse_root

_DISPLAYS: Final = ("DISPLAY", "WAYLAND_DISPLAY")


def browser_for_login(
    chosen: str,
    *,
    system: str = sys.platform,
    environment: Mapping[str, str] = os.environ,
    find: Callable[[str], list[BrowserProgram]] = find_browsers,
) -> BrowserProgram:
    """The browser that opens a window; NoBrowserError if there is none, or no screen for it.

    `chosen` is the program of the settings; one without a window is skipped.
    """
    if system.startswith("linux") and not any(map(environment.get, _DISPLAYS)):
        raise NoBrowserError(
            "Logging in needs a screen, and this terminal has none (neither DISPLAY nor"
            " WAYLAND_DISPLAY is set); log in on a desktop, or use --cookie, --header or --auth."
        )
    for programs in (find(chosen), find("")):
        if (program := next((each for each in programs if each.has_window), None)) is not None:
            return program
    raise NoBrowserError(
        "Logging in needs a browser with a window; install Chromium, Chrome or Edge and try again."
    )


class LoginHost:
    """Shows one login window for the process that started this one."""

    def __init__(self) -> None:
        """Wait for `OpenLogin`."""
        self._request: asyncio.Queue[OpenLogin] = asyncio.Queue(1)
        self._finish = asyncio.Event()
        self.abandoned = asyncio.Event()
        """Set when the shell is gone or done."""

    def receive(self, messages: list[LoginWindowCommand]) -> None:
        """Receive messages."""
        for message in messages:
            if isinstance(message, FinishLogin):
                self._finish.set()
            elif not self._request.full():
                self._request.put_nowait(message)

    async def serve(self, channel: Channel[LoginWindowCommand]) -> None:
        """Show the window; cancelled, it closes it."""
        send = channel.send
        request = await self._request.get()
        try:
            send(LoginEnded(await self._log_in(request, send)))
        except DevtoolsError as e:
            problem = BrowserStartError(
                "The browser does not open a window: {reason}.", reason=str(e)
            )
            send(LoginEnded(reason=problem.said, exit_code=problem.exit_code))
        except KnownError as e:
            send(LoginEnded(reason=e.said, exit_code=e.exit_code))

    async def _log_in(self, request: OpenLogin, send: Callable[[LoginReport], None]) -> Secrets:
        url = parse_root(request.url)
        program = browser_for_login(request.settings.browser)
        async with AsyncExitStack() as opened:
            dialer = GuardedDialer(request.settings, request.secrets)
            proxy = await opened.enter_async_context(GuardingProxy(dialer))
            browser = await opened.enter_async_context(BrowserProcess(program, proxy.port))
            roots = (origin(parse_root(root)) for root in request.settings.roots)
            window = LoginWindow(browser, roots, Scope(request.settings).is_internal)
            await window.open(url, proxy.auth)
            send(LoginOpened())
            await window.watch(self._finish, lambda *seen: send(_summary_of(*seen)))
            return taken_at(window.result, time.time(), browser.user_agent)


def taken_at(secrets: Secrets, now_s: float, user_agent: str) -> Secrets:
    """The logins, as taken at this time from a browser with this user agent."""
    return Secrets(
        {
            site: replace(each, login=replace(each.login, taken_s=now_s, user_agent=user_agent))
            for site, each in secrets.origins.items()
        }
    )


def _summary_of(secrets: Secrets, asks_password: bool) -> LoginSeen:  # noqa: FBT001 - the only one
    logins = [each.login for each in secrets.origins.values()]
    return LoginSeen(
        sum(len(login.cookie_names) for login in logins),
        sum(len(login.stored_keys) for login in logins),
        asks_password=asks_password,
    )


async def main() -> int:
    """Serve the process that started this one until it goes."""
    logging.getLogger().setLevel(logging.ERROR)  # in a terminal, which has no use for less
    return await serve_parent(LoginHost(), LoginWindowCommand, "login window")
