"""Mediates a login with a form between the dialog that shows it and the process that sends it."""

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from typing import TYPE_CHECKING

from gossamer.gui.text.translated_sentences import spoken
from gossamer.model.errors import KnownError
from gossamer.model.html_forms import PageForm
from gossamer.model.login_form import FormStep, LoginForm
from gossamer.model.secrets import Secrets

if TYPE_CHECKING:
    from gossamer.gui.crawl.session_interfaces import FormLoginPort
    from gossamer.gui.settings.form_login_dialog import FormLoginDialog


class FormLoginConversation:
    """Does what the dialog requests, one thing after the other, until somebody is logged in."""

    def __init__(
        self,
        login: "FormLoginPort",
        dialog: "FormLoginDialog",
        take: Callable[[Secrets, LoginForm], None],
    ) -> None:
        """`take` receives the login in the end."""
        self._login = login
        self._dialog = dialog
        self._take = take
        self._requests: asyncio.Queue[Callable[[], Awaitable[bool]]] = asyncio.Queue(1)
        dialog.read_wanted.connect(lambda url: self._put(partial(self._read, url)))
        dialog.submit_wanted.connect(
            lambda form, step, typed: self._put(partial(self._submit, form, step, typed))
        )

    async def run(self) -> None:
        """Serve the dialog; cancelled with it."""
        async with self._login:
            is_done = False
            while not is_done:
                request = await self._requests.get()
                try:
                    is_done = await request()
                except KnownError as e:
                    self._dialog.show_error(spoken(e.said))
        self._take(self._login.secrets, self._login.recorded)
        self._dialog.accept()

    def _put(self, request: Callable[[], Awaitable[bool]]) -> None:
        if not self._requests.full():
            self._requests.put_nowait(request)

    async def _read(self, url: str) -> bool:
        self._dialog.show_forms(await self._login.find(url))
        return False

    async def _submit(self, form: PageForm, step: FormStep, typed: dict[str, str]) -> bool:
        following = await self._login.submit(form, step, typed)
        if following is not None:
            self._dialog.show_next(following)
        return following is None
