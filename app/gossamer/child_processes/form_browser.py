"""Fetches the pages of a login and sends their forms, in a process of its own.

It fetches as the crawl does: same settings, proxy and guarded addresses. robots.txt is not obeyed:
a user asks, for one page. Redirects are followed within the site alone.
"""

import asyncio
import logging
from collections.abc import Callable
from contextlib import AsyncExitStack
from functools import partial
from time import time
from typing import Final

from msgspec import structs

from gossamer.engine.cookie_jar import CookieJar
from gossamer.extract.html_page import extract
from gossamer.extract.page_forms import forms_of
from gossamer.fetch.fetcher import HttpFetcher
from gossamer.fetch.http_request import ACCEPT
from gossamer.fetch.resource_exchange import ResourceRequest, ResourceResponse
from gossamer.fetch.set_cookie_header import cookies_set
from gossamer.ipc.channel import Channel
from gossamer.ipc.child_process_server import serve_parent
from gossamer.model.cookie import Cookie
from gossamer.model.html_forms import FormRequest, form_request
from gossamer.model.messages.form_messages import FormCommand, FormPage, OpenForm, SubmitForm
from gossamer.model.secrets import NO_LOGIN, Login, LoginCookie, OriginSecrets, Secrets
from gossamer.model.translatable import Translatable, said
from gossamer.model.visit import Visit
from gossamer.urls.scope_and_limits import Scope, site_of
from gossamer.urls.url_parsing import origin, parse_root

_MAX_HOPS: Final = 10
_MAX_BYTES: Final = 5_000_000
_KEEPS_METHOD: Final = frozenset({307, 308})
_MAX_COMMANDS: Final = 10


class FormBrowser:
    """Follows one login from page to page, with the cookies that these set."""

    def __init__(self, fetcher: HttpFetcher, scope: Scope, roots: tuple[str, ...]) -> None:
        """`fetcher` is open; a login counts for `roots` and what is in scope."""
        self._fetcher = fetcher
        self._scope = scope
        self._sites = dict.fromkeys(map(origin, roots))
        self._jar = CookieJar()
        self._url = ""

    async def open(self, url: str) -> FormPage:
        """Fetch the page at `url`."""
        return await self._follow(FormRequest(url, "GET"))

    async def submit(self, command: SubmitForm) -> FormPage:
        """Send a form; returns the page that it leads to."""
        return await self._follow(form_request(command.form, command.fields))

    async def _follow(self, request: FormRequest) -> FormPage:
        for _ in range(_MAX_HOPS):
            referer, self._url = self._url, request.url
            visit, response = await self._asked(request, referer)
            if visit.location is None:
                return self._page(visit, response)
            following = _after_redirect(request, visit)
            if following is None:
                return FormPage(url=request.url, status=visit.status, elsewhere=visit.location)
            request = following
        trouble = said("It redirects more than {most} times.", most=_MAX_HOPS)
        return FormPage(url=self._url, trouble=trouble)

    async def _asked(self, request: FormRequest, referer: str) -> tuple[Visit, ResourceResponse]:
        headers = [("Accept", ACCEPT), ("Upgrade-Insecure-Requests", "1")]
        if referer:
            headers.append(("Referer", referer))
        if request.content_type:
            headers += [("Content-Type", request.content_type), ("Origin", origin(referer))]
        resource_request = ResourceRequest(
            request.url, request.method, headers, request.body, self._jar.header(request.url)
        )
        visit, response = await self._fetcher.fetch_resource(resource_request, _MAX_BYTES)
        raw = [
            (name.encode("latin-1"), value.encode("latin-1")) for name, value in response.headers
        ]
        self._jar.store(cookies_set(request.url, raw, time()))
        return visit, response

    def _page(self, visit: Visit, response: ResourceResponse) -> FormPage:
        if response.status is None:
            return FormPage(url=self._url, status=visit.status, trouble=_reason(visit))
        is_html = "html" in visit.content_type
        read = forms_of(response.body if is_html else b"", visit.charset or None, self._url)
        if self._scope.is_internal(self._url):
            self._sites[origin(self._url)] = None
        return FormPage(
            url=self._url,
            status=response.status,
            title=read.title,
            forms=read.forms,
            frames=read.frames,
            has_captcha=read.has_captcha,
            has_token_element=read.has_token_element,
            is_html=is_html,
            retry_after_s=visit.retry_after_s,
            has_cookies=bool(self._jar.sent_to(origin(self._url))),
            login=self._login(),
        )

    def _login(self) -> Secrets:
        logins = {site: _login_cookies(self._jar.sent_to(site)) for site in self._sites}
        return Secrets({s: OriginSecrets(login=login) for s, login in logins.items() if login})


def _after_redirect(request: FormRequest, visit: Visit) -> FormRequest | None:
    """The next request; None for another site, and if a form would be sent on elsewhere."""
    target = visit.location or ""
    is_safe = target.startswith("https:") or request.url.startswith("http:")
    if not (is_safe and site_of(origin(request.url)) == site_of(origin(target))):
        return None
    if request.method == "GET" or visit.status not in _KEEPS_METHOD:
        return FormRequest(target, "GET")
    return structs.replace(request, url=target) if origin(target) == origin(request.url) else None


def _reason(visit: Visit) -> Translatable:
    if visit.detail is not None:
        return visit.detail.said
    return Translatable(visit.outcome.name.replace("_", " ").lower())


def _login_cookies(cookies: list[Cookie]) -> Login:
    return Login(
        cookies=tuple(
            LoginCookie(
                each.name,
                each.value.encode("latin-1").decode("utf-8", "replace"),
                each.path,
                each.expires_s,
                each.is_http_only,
            )
            for each in cookies
        )
    )


def _without_login(secrets: Secrets) -> Secrets:
    """The secrets for each request, without the login: an expired session must not be sent."""
    return Secrets(
        {
            site: structs.replace(each, login=NO_LOGIN, form=())
            for site, each in secrets.origins.items()
        }
    )


class FormHost:
    """Serves one login at a time for the process that started this one."""

    def __init__(self) -> None:
        """Wait for `OpenForm`."""
        self._commands: asyncio.Queue[FormCommand] = asyncio.Queue(_MAX_COMMANDS)
        self.abandoned = asyncio.Event()
        """Set when the shell has gone."""

    def receive(self, messages: list[FormCommand]) -> None:
        """Receive messages; an unreasonable number is dropped."""
        for message in messages:
            if not self._commands.full():
                self._commands.put_nowait(message)

    async def serve(self, channel: Channel[FormCommand]) -> None:
        """Serve until cancelled, which closes every connection."""
        command = await self._commands.get()
        while isinstance(command, OpenForm):
            command = await self._serve_login(command, channel.send)

    async def _serve_login(
        self, command: OpenForm, send: Callable[[FormPage], None]
    ) -> FormCommand:
        """Serve one login; returns the command that begins another."""
        settings = command.settings
        async with AsyncExitStack() as opened:
            fetcher = await opened.enter_async_context(
                HttpFetcher(
                    settings,
                    partial(extract, parser=settings.parser),
                    secrets=_without_login(command.secrets),
                )
            )
            roots = tuple(map(parse_root, settings.roots))
            browser = FormBrowser(fetcher, Scope(settings), roots)
            send(await browser.open(parse_root(command.url)))
            while isinstance(following := await self._commands.get(), SubmitForm):
                send(await browser.submit(following))
            return following


async def main() -> int:
    """Serve the process that started this one until it goes."""
    logging.getLogger().setLevel(logging.ERROR)  # in a terminal, which has no use for less
    return await serve_parent(FormHost(), FormCommand, "login form")
