"""Collects credentials from options, prompts and the keyring, and saves or removes them."""

import asyncio
import getpass
import os
import sys
from collections.abc import Iterator
from pathlib import Path

from gossamer.cli.credential_options import origin_named
from gossamer.cli.parsed_commands import CredentialOptions, ForgetCommand
from gossamer.cli.terminal import complain, printable, write_out
from gossamer.ipc import PASSWORD_VARIABLE
from gossamer.model.errors import UsageError
from gossamer.model.request_headers import header_of
from gossamer.model.secrets import (
    NOTHING_SECRET,
    BasicAuth,
    OriginSecrets,
    SecretNames,
    Secrets,
    cookies_of,
)
from gossamer.session.crawl_session import CrawlSession
from gossamer.session.session_factory import SessionFactory


def secrets_of(credentials: CredentialOptions) -> tuple[OriginSecrets, Secrets]:
    """The secrets given for the crawl's site and for named origins.

    A missing password is read from the environment or prompted for. Raises UsageError if there is
    no terminal to prompt on.
    """
    named = dict.fromkeys(
        each.origin for each in (*credentials.auth, *credentials.cookies, *credentials.headers)
    )
    found = {origin: _typed_for(origin, credentials) for origin in named}
    unnamed = found.pop("", NOTHING_SECRET)
    return unnamed, Secrets(found)


def _typed_for(origin: str, credentials: CredentialOptions) -> OriginSecrets:
    auth = [each.text for each in credentials.auth if each.origin == origin]
    return OriginSecrets(
        auth=_auth(auth[-1], origin) if auth else None,
        cookies=tuple(
            pair
            for each in credentials.cookies
            if each.origin == origin
            for pair in cookies_of(each.text)
        ),
        headers=tuple(
            header_of(each.text) for each in credentials.headers if each.origin == origin
        ),
    ).checked()


def complete(session: CrawlSession) -> None:
    """Get the secrets that the crawl needs from the keyring or by prompting.

    Without a terminal, they stay missing: the crawl reports it when it starts.
    """
    asyncio.run(session.recall_secrets())
    missing = session.missing_secrets
    users = [names for names in missing if names.user is not None]
    from_environment = os.environ.get(PASSWORD_VARIABLE)
    if from_environment is not None and len(users) == 1:
        auth = BasicAuth(users[0].user or "", from_environment)
        session.add_secrets(Secrets({users[0].origin: OriginSecrets(auth=auth)}))
    if _can_ask():
        for names in session.missing_secrets:
            session.add_secrets(Secrets({names.origin: _asked(names).checked()}))


def remember(session: CrawlSession, credentials: CredentialOptions) -> None:
    """Save the secrets in the system's keyring if requested; report a failure."""
    if not credentials.remember:
        return
    try:
        asyncio.run(session.remember_secrets())
    except UsageError as e:
        complain(str(e))


def _auth(typed: str, origin: str) -> BasicAuth:
    user, colon, password = typed.partition(":")
    if colon:
        return BasicAuth(user, password)
    from_environment = os.environ.get(PASSWORD_VARIABLE)
    if from_environment is not None:
        return BasicAuth(user, from_environment)
    if not _can_ask():
        raise UsageError(
            f"There is no terminal to ask for the password of {user}; set the environment"
            f" variable {PASSWORD_VARIABLE}."
        )
    at = f" for {origin}" if origin else ""
    return BasicAuth(user, _ask(f"the password of {user}{at}"))


def _asked(names: SecretNames) -> OriginSecrets:
    at = f"for {names.origin}"
    auth = None
    if names.user is not None:
        auth = BasicAuth(names.user, _ask(f"the password of {names.user} {at}"))
    return OriginSecrets(
        auth=auth,
        cookies=tuple((name, _ask(f"the cookie {name} {at}")) for name in names.cookies),
        headers=tuple((name, _ask(f"the header {name} {at}")) for name in names.headers),
    )


def _ask(what: str) -> str:
    """Prompt for a secret without echo. UsageError at the end of input."""
    try:
        return getpass.getpass(f"Enter {printable(what)}: ")
    except EOFError:
        raise UsageError(f"No input for {what}.") from None


def _can_ask() -> bool:
    return sys.stdin is not None and sys.stdin.isatty()


def forget(command: ForgetCommand) -> int:
    """Run `gossamer forget` and return the exit code.

    Reports for each site if anything was stored.
    """
    origins = list(dict.fromkeys(each for target in command.targets for each in _origins(target)))
    forgotten = asyncio.run(SessionFactory().forget_secrets(origins))
    for site in origins:
        what = "Removed the credentials" if site in forgotten else "No credentials"
        write_out(f"{what} stored for {printable(site)}\n")
    if not origins:
        write_out("No project given needs credentials; none are stored.\n")
    return 0


def _origins(target: str) -> Iterator[str]:
    """The origin given, or those for which a project needs secrets."""
    if target.lower().endswith(".gossamer"):
        yield from (
            needs.origin for needs in SessionFactory().open(Path(target)).settings.needs_secrets
        )
    else:
        yield origin_named(target)
