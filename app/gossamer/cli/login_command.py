"""Runs `gossamer login`, and logs in before a crawl: in a window, or with a saved login."""

import asyncio
import os
import sys
import threading
import time
from collections.abc import Callable, Iterable

from msgspec.structs import replace

from gossamer.cli.credential_options import origin_named
from gossamer.cli.parsed_commands import FormChoice, LoginCommand
from gossamer.cli.terminal import complain, printable, remark, write_out
from gossamer.model.errors import OutputError, UsageError
from gossamer.model.messages.login_messages import LoginSeen
from gossamer.model.secrets import NO_SECRETS, OriginSecrets, Secrets
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.session.crawl_secrets import lasting_secrets, split_off_secrets
from gossamer.session.keyring import recalled, remember, secrets_location
from gossamer.session.login import BrowserLogin
from gossamer.session.settings_file import save_settings
from gossamer.urls.url_parsing import parse_root

_LINE_BYTES = 4096


def log_in(command: LoginCommand) -> int:
    """Run `gossamer login` and return the exit code."""
    settings, secrets = split_off_secrets(command.settings)
    if command.form is not None:
        return _log_in_with_form(command, command.form, settings, secrets)
    found = logged_in(settings, secrets)
    _list_all(found)
    if command.remember:
        remember(found.over(recalled(found.origins)))
        write_out(f"Saved {printable(str(secrets_location()))}: gossamer crawl --login uses it.\n")
    return 0


def _log_in_with_form(
    command: LoginCommand, choice: FormChoice, settings: CrawlSettings, secrets: Secrets
) -> int:
    from gossamer.cli.form_login_recording import record_login  # noqa: PLC0415 - few log in with one

    page = settings.roots[0]
    if command.save is not None and command.save.exists():
        raise OutputError("{path} already exists; choose another name.", path=command.save)
    form, found = record_login(settings, page, choice, secrets)
    _list_all(found)
    if command.save is not None:
        save_settings(
            command.save, replace(settings, login_form=form), {"login_form"}, replace=False
        )
        write_out(
            f"Saved the form: gossamer crawl ROOT --settings {printable(str(command.save))}\n"
        )
    if command.remember:
        kept = lasting_secrets(found, form)
        remember(kept.over(recalled(kept.origins)))
        place = printable(str(secrets_location()))
        write_out(f"Saved what was typed {place}; crawls with this form use it.\n")
    return 0


def _list_all(found: Secrets) -> None:
    for origin, each in found.origins.items():
        write_out(f"{printable(origin)}\n")
        _list("cookies", each.login.cookie_names)
        _list("stored values", each.login.stored_keys)
        _list("user agent", (each.login.user_agent,))


def login_for(settings: CrawlSettings, secrets: Secrets, newer_than_s: float = 0.0) -> Secrets:
    """The login for a crawl with these settings: from the keyring, else from a window.

    A saved one that is not `newer_than_s` has expired: that is when the crawl needed the login.
    """
    saved = saved_login(settings)
    if saved and newer_than_s:
        fresh = {
            site: each for site, each in saved.origins.items() if each.login.taken_s > newer_than_s
        }
        if not fresh:
            remark("The saved login has expired or does not work; log in again")
        saved = Secrets(fresh)
    if saved:
        remark(f"Using the saved login for {printable(', '.join(saved.origins))}")
        return saved
    return logged_in(settings, secrets)


def saved_login(settings: CrawlSettings) -> Secrets:
    """The keyring's login for the sites of the roots, as far as it has not expired."""
    sites = dict.fromkeys(site for root in settings.roots for site in _spellings(root))
    now_s = time.time()
    logins = {site: each.login.at(now_s) for site, each in recalled(sites).origins.items()}
    return Secrets({site: OriginSecrets(login=each) for site, each in logins.items() if each})


def logged_in(settings: CrawlSettings, secrets: Secrets = NO_SECRETS) -> Secrets:
    """The login from a browser window. UsageError if there is none."""
    found = asyncio.run(_from_window(settings, secrets))
    if not found:
        raise UsageError(
            "The browser was given neither a cookie nor a stored value for the site; log in, and"
            " press Enter or close the browser when the site shows that you are."
        )
    return found


async def _from_window(settings: CrawlSettings, secrets: Secrets) -> Secrets:
    if any(each.certificate for each in secrets.origins.values()):
        complain(
            "The browser window does not show the client certificate. If the site asks for it"
            " there, log in with --form instead, or import it into the system for that time."
        )
    login = BrowserLogin(settings, secrets=secrets)
    seen = LoginSeen(0, 0)

    def note(news: LoginSeen) -> None:
        nonlocal seen
        seen = news

    def opened() -> None:
        can_press = sys.stdin is not None and sys.stdin.isatty()
        press = "press Enter here or close the browser" if can_press else "close the browser"
        complain(f"Log in to the site in the browser window that has opened, then {press}.")
        if can_press:
            _call_after_line(asyncio.get_running_loop(), login.finish)

    found = await login.run(opened, note)
    if found and seen.asks_password:
        remark("The page still asked for a password; if you were not logged in, log in again")
    return found


def _call_after_line(loop: asyncio.AbstractEventLoop, call: Callable[[], None]) -> None:
    """Call when a line has been typed. Nothing waits for the thread that waits for it."""

    def wait() -> None:
        try:
            os.read(sys.stdin.fileno(), _LINE_BYTES)  # sys.stdin would hold a lock at exit
            loop.call_soon_threadsafe(call)
        except (OSError, RuntimeError):
            return  # the terminal is gone, or the loop: the browser was closed

    threading.Thread(target=wait, name="Enter", daemon=True).start()


def _spellings(root: str) -> Iterable[str]:
    """The origin of a root, and those that it may lead to: with https, with or without www."""
    scheme, _, host = origin_named(parse_root(root)).partition("://")
    other = host.removeprefix("www.") if host.startswith("www.") else f"www.{host}"
    for each in (host, other):
        yield f"{scheme}://{each}"
        yield f"https://{each}"


def _list(what: str, names: tuple[str, ...]) -> None:
    if any(names):
        write_out(f"  {what}: {printable(', '.join(names))}\n")
