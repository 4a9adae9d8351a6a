"""Logs in to a site in a browser window, shown by a separate process."""

import asyncio
from collections.abc import Callable
from typing import Final

from gossamer.ipc import ChildRole
from gossamer.ipc.child_connection import ChildProcess, adopt
from gossamer.ipc.process_start import launch
from gossamer.model.errors import CrawlHostError, NoBrowserError, UsageError
from gossamer.model.messages.login_messages import (
    FinishLogin,
    LoginOpened,
    LoginReport,
    LoginSeen,
    OpenLogin,
)
from gossamer.model.secrets import NO_SECRETS, Secrets
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.translatable import Sentence
from gossamer.session.abandoned_profiles import remove_abandoned_profiles

_DIED: Final[Sentence] = "The process of the login window exited; try again."
_END_S: Final = 5.0


class BrowserLogin:
    """One login window, for a single run."""

    def __init__(
        self, settings: CrawlSettings, url: str = "", secrets: Secrets = NO_SECRETS
    ) -> None:
        """For a crawl with these settings; `url` is shown first, by default the first root.

        Of `secrets`, only those for the proxy are used.
        """
        self._request = OpenLogin(url or settings.roots[0], settings, secrets)
        self._child: ChildProcess[LoginReport] | None = None
        self._on_opened: Callable[[], None] = lambda: None
        self._on_seen: Callable[[LoginSeen], None] = lambda _: None
        self._ended: asyncio.Future[Secrets]

    async def run(
        self,
        on_opened: Callable[[], None] = lambda: None,
        on_seen: Callable[[LoginSeen], None] = lambda _: None,
    ) -> Secrets:
        """Show the window; returns what the browser knows of the crawl's sites at the end.

        `on_opened` is called when its window is there, `on_seen` gets what it knows by
        then. Cancelled, it closes the window. UsageError with the reason if there is none,
        CrawlHostError if the process fails.
        """
        self._on_opened = on_opened
        self._on_seen = on_seen
        self._ended = asyncio.get_running_loop().create_future()
        self._child = child = await adopt(
            launch(ChildRole.LOGIN_WINDOW),
            message_type=LoginReport,
            on_messages=self._receive,
            on_closed=self._close,
        )
        try:
            child.send(self._request)
            return await self._ended
        finally:
            self._child = None
            await child.end(_END_S)
            await remove_abandoned_profiles()

    def finish(self) -> None:
        """Make `run` return: the user has logged in."""
        if self._child is not None:
            self._child.send(FinishLogin())

    def _receive(self, reports: list[LoginReport]) -> None:
        for report in reports:
            if isinstance(report, LoginOpened):
                self._on_opened()
            elif isinstance(report, LoginSeen):
                self._on_seen(report)
            elif self._ended.done():
                continue
            elif report.reason is not None:
                is_without = report.exit_code == NoBrowserError.exit_code
                error = NoBrowserError if is_without else UsageError
                self._ended.set_exception(error(report.reason))
            else:
                self._ended.set_result(report.secrets)

    def _close(self) -> None:
        if not self._ended.done():
            self._ended.set_exception(CrawlHostError(_DIED))
