"""Logs in with the forms of a site, without a browser: recorded once, or as recorded."""

import asyncio
import math
from collections.abc import Mapping
from types import TracebackType
from typing import Final, Self

from gossamer.ipc import ChildRole
from gossamer.ipc.child_connection import ChildProcess, adopt
from gossamer.ipc.process_start import launch
from gossamer.model.errors import CrawlHostError, UsageError
from gossamer.model.html_forms import PageForm
from gossamer.model.login_form import (
    FormStep,
    LoginForm,
    LoginStepResult,
    login_forms,
    login_step_result,
)
from gossamer.model.messages.form_messages import FormCommand, FormPage, OpenForm, SubmitForm
from gossamer.model.secrets import NO_SECRETS, OriginSecrets, Secrets
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.translatable import Sentence
from gossamer.urls.scope_and_limits import site_of
from gossamer.urls.url_parsing import host_of, is_http, origin, parse_root

_DIED: Final[Sentence] = "The process that fills in the login form exited; try again."
_END_S: Final = 2.0
_MAX_FRAMES: Final = 5
_TOO_MANY_REQUESTS: Final = 429
_FIRST_ERROR: Final = 400
_MINUTE_S: Final = 60


class FormLogin:
    """One login: first `find` the form, then `submit` it, and what follows. Use with `async with`.

    Each raises UsageError with a sentence for the user if it fails, CrawlHostError if the process
    fails.
    """

    def __init__(self, settings: CrawlSettings, secrets: Secrets = NO_SECRETS) -> None:
        """For a crawl with these settings and secrets; a login among them is not used."""
        self._settings = settings
        self._secrets = secrets
        self._child: ChildProcess[FormPage]
        self._next_page: asyncio.Future[FormPage]
        self.page = FormPage(url="")
        """The current page."""
        self._form_url = ""
        self._steps: tuple[FormStep, ...] = ()
        self._typed: dict[str, str] = {}

    async def __aenter__(self) -> Self:
        self._next_page = asyncio.get_running_loop().create_future()
        self._child = await adopt(
            launch(ChildRole.LOGIN_FORM),
            message_type=FormPage,
            on_messages=self._receive,
            on_closed=self._close,
        )
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        problem: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._next_page.cancel()
        await self._child.end(_END_S)

    @property
    def recorded(self) -> LoginForm:
        """The forms sent so far, as recorded."""
        return LoginForm(page=self._form_url, steps=self._steps)

    @property
    def secrets(self) -> Secrets:
        """What was typed into them, and the cookies so far."""
        typed = Secrets({origin(self._form_url): OriginSecrets(form=tuple(self._typed.items()))})
        return typed.over(self.page.login)

    async def find(self, url: str) -> list[PageForm]:
        """The possible login forms of a page, the likeliest first: at least one.

        If the page has none, those in its frames count, and `page` is the frame.
        """
        page = await self._open(parse_root(url))
        site = site_of(origin(page.url))
        frames = [frame for frame in page.frames if site_of(origin(frame)) == site]
        for frame in frames[:_MAX_FRAMES]:
            if login_forms(page.forms):
                break
            page = await self._open(frame)
        found = login_forms(page.forms)
        if not found:
            raise _no_form(page, has_frames=bool(self.page.frames))
        _refuse_unless_sendable(page, found[0])
        self._form_url, self._steps, self._typed = page.url, (), {}
        return found

    async def submit(
        self, form: PageForm, step: FormStep, values: Mapping[str, str]
    ) -> PageForm | None:
        """Send a form with what was typed; the form that asks for more, None when logged in.

        A step whose form was sent without success can be sent again, with the form as it is then.
        """
        form = next((each for each in self.page.forms if step.is_of(each)), form)
        _refuse_unless_sendable(self.page, form)
        typed = {name: values[name] for name in step.asked if name in values}
        fields = form.sent(typed | dict(step.fixed), step.button)
        before = self.page.login
        page = await self._ask(SubmitForm(form, fields))
        following = _form_after(page, step)
        if following is None and not page.is_html and page.login == before:
            raise UsageError(
                "The site responded to the form with something that is not a page, and set no "
                "cookie, so the login needs scripts; log in in a browser window instead: "
                "'gossamer login URL', or Log in… in the settings."
            )
        self._steps = (*self._steps, step)
        self._typed |= typed
        return following

    async def repeat(self, recorded: LoginForm, values: Mapping[str, str]) -> Secrets:
        """Log in as recorded; returns the cookies, by site."""
        await self._open(recorded.page)
        forms = login_forms(self.page.forms)
        following: PageForm | None = None
        for step in recorded.steps:
            form = next((each for each in forms if step.is_of(each)), None)
            if form is None or origin(form.action) != origin(step.submit_url):
                raise UsageError(
                    "{url} no longer has the login form that was recorded; record it again with "
                    "'gossamer login URL --form' or Log in with a form in the settings.",
                    url=self.page.url,
                )
            following = await self.submit(form, step, values)
            forms = [] if following is None else [following]
        if following is not None:
            raise UsageError(
                "The site asks for more than was recorded; record the login form again with "
                "'gossamer login URL --form' or Log in with a form in the settings."
            )
        return self.page.login

    async def _open(self, url: str) -> FormPage:
        page = await self._ask(OpenForm(url, self._settings, self._secrets))
        if page.status is not None and page.status >= _FIRST_ERROR and not login_forms(page.forms):
            raise UsageError("{url} returns status {status}.", url=url, status=page.status)
        return page

    async def _ask(self, command: FormCommand) -> FormPage:
        if self._next_page.done():
            self._next_page = asyncio.get_running_loop().create_future()
        if self._child.closed:
            raise CrawlHostError(_DIED)
        self._child.send(command)
        self.page = page = await self._next_page
        if page.trouble is not None:
            raise UsageError("{url}: {why}", url=page.url, why=page.trouble)
        if page.elsewhere:
            raise UsageError(
                "{url} leads to {host}, another site that people log in at; log in in a browser "
                "window instead: 'gossamer login URL', or Log in… in the settings.",
                url=page.url.partition("?")[0],
                host=host_of(page.elsewhere) or page.elsewhere,
            )
        return page

    def _receive(self, pages: list[FormPage]) -> None:
        for page in pages:
            if not self._next_page.done():
                self._next_page.set_result(page)

    def _close(self) -> None:
        if not self._next_page.done():
            self._next_page.set_exception(CrawlHostError(_DIED))


async def log_in_with_form(
    settings: CrawlSettings, values: Mapping[str, str], secrets: Secrets = NO_SECRETS
) -> Secrets:
    """Log in with the form of the settings; returns the cookies, by site."""
    recorded = settings.login_form
    if recorded is None:
        return NO_SECRETS
    async with FormLogin(settings, secrets) as login:
        return await login.repeat(recorded, values)


def _refuse_unless_sendable(page: FormPage, form: PageForm) -> None:
    """Raise UsageError for a form that is sent to another site, or that anybody could read."""
    here, there = origin(page.url), origin(form.action)
    if not is_http(form.action) or site_of(here) != site_of(there):
        raise UsageError(
            "The login form of {url} is sent to {host}, another site; log in in a browser window "
            "instead: 'gossamer login URL', or Log in… in the settings.",
            url=page.url,
            host=host_of(form.action) or form.action,
        )
    if here.startswith("https:") and not there.startswith("https:"):
        raise UsageError(
            "The login form of {url} is sent without encryption; it is not filled in.", url=page.url
        )


def _no_form(page: FormPage, *, has_frames: bool) -> UsageError:
    if has_frames:
        return UsageError(
            "{url} has no login form of its own, only frames; name the page in the frame, or log "
            "in in a browser window instead: 'gossamer login URL', or Log in… in the settings.",
            url=page.url,
        )
    return UsageError(
        "The HTML of {url} has no login form: another page may have it, or scripts make it; then "
        "log in in a browser window instead: 'gossamer login URL', or Log in… in the settings.",
        url=page.url,
    )


def _form_after(page: FormPage, step: FormStep) -> PageForm | None:
    """The form that asks for more after a step; None when logged in. UsageError if it failed."""
    if page.status == _TOO_MANY_REQUESTS or page.retry_after_s is not None:
        raise _too_often(page)
    result, following = login_step_result(page.forms, step)
    if result is LoginStepResult.SAME_FORM:
        raise _same_form(page)
    if page.status is not None and page.status >= _FIRST_ERROR:
        raise UsageError(
            "The site responded to the form with status {status}; check what was typed, or log "
            "in in a browser window instead: 'gossamer login URL', or Log in… in the settings.",
            status=page.status,
        )
    if following is None and not page.login and page.has_cookies:
        raise UsageError(
            "The cookies of the login are for {host} alone, where the crawl does not start; start "
            "it there, or use the login form of its own host.",
            host=host_of(page.url),
        )
    if following is None and not page.login:
        raise UsageError(
            "The site accepted the form but set no cookie, so the login needs scripts; log in "
            "in a browser window instead: 'gossamer login URL', or Log in… in the settings."
        )
    return following


def _same_form(page: FormPage) -> UsageError:
    if page.has_captcha:
        return UsageError(
            "The site shows the form again, with a captcha; log in in a browser window instead: "
            "'gossamer login URL', or Log in… in the settings."
        )
    if page.has_token_element:
        return UsageError(
            "The site shows the form again: what was typed is wrong, or it wants a token that its "
            "scripts send. Check it, or log in in a browser window instead: 'gossamer login URL', "
            "or Log in… in the settings."
        )
    return UsageError(
        "The site shows the form again, so what was typed is probably wrong; check it and try "
        "again."
    )


def _too_often(page: FormPage) -> UsageError:
    if page.retry_after_s is None:
        return UsageError("The site allows no more attempts to log in for now; try again later.")
    return UsageError(
        "The site allows no more attempts to log in for now; try again in {minutes} minute(s).",
        minutes=max(1, math.ceil(page.retry_after_s / _MINUTE_S)),
    )
