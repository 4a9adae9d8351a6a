"""Collects credentials from options, prompts and the keyring, and saves or removes them."""

import asyncio
import getpass
import os
import shlex
import stat
import sys
from collections.abc import Container, Iterable, Iterator
from pathlib import Path

from gossamer.cli.credential_options import origin_named
from gossamer.cli.parsed_commands import CredentialOptions, ForgetCommand, TypedSecret
from gossamer.cli.terminal import complain, printable, remark, write_out
from gossamer.cli.text_input import standard_input
from gossamer.ipc import PASSPHRASE_VARIABLE, PASSWORD_VARIABLE
from gossamer.model.client_certificate import ClientCertificate
from gossamer.model.errors import UsageError
from gossamer.model.file_names import typed_path
from gossamer.model.request_headers import header_of
from gossamer.model.secrets import (
    NOTHING_SECRET,
    HttpAuth,
    OriginSecrets,
    SecretNames,
    Secrets,
    cookies_of,
)
from gossamer.model.translatable import system_reason
from gossamer.session.crawl_secrets import form_origin
from gossamer.session.crawl_session import CrawlSession
from gossamer.session.keyring import secrets_location
from gossamer.session.secrets_file import others_can_read
from gossamer.session.session_factory import SessionFactory

_MAX_VALUES_BYTES = 64 * 1024


def secrets_of(credentials: CredentialOptions) -> tuple[OriginSecrets, Secrets]:
    """The secrets given for the crawl's site and for named origins.

    A missing password is read from the environment or prompted for. Raises UsageError if there is
    no terminal to prompt on.
    """
    named = dict.fromkeys(
        each.origin
        for each in (
            *credentials.auth,
            *credentials.cookies,
            *credentials.headers,
            *credentials.certificates,
        )
    )
    found = {origin: _typed_for(origin, credentials) for origin in named}
    unnamed = found.pop("", NOTHING_SECRET)
    return unnamed, Secrets(found)


def _typed_for(origin: str, credentials: CredentialOptions) -> OriginSecrets:
    auth = [each for each in credentials.auth if each.origin == origin]
    shown = [each.text for each in credentials.certificates if each.origin == origin]
    return OriginSecrets(
        auth=_auth(auth[-1]) if auth else None,
        cookies=tuple(
            pair
            for each in credentials.cookies
            if each.origin == origin
            for pair in cookies_of(each.text)
        ),
        headers=tuple(
            header_of(each.text) for each in credentials.headers if each.origin == origin
        ),
        certificate=_certificate(_absolute(shown[-1])) if shown else None,
    ).checked()


def _absolute(file: str) -> str:
    # After an origin and an equals sign the shell does not expand "~".
    return str(typed_path(file).absolute())


def complete(session: CrawlSession, credentials: CredentialOptions) -> None:
    """Get the secrets that the crawl needs from files, the keyring or by prompting.

    Without a terminal, they stay missing: the crawl reports it when it starts.
    """
    form = session.settings.login_form
    # A form that was just recorded has been filled in already.
    if form is not None and credentials.login_values and not credentials.login_form:
        typed = values_in(credentials.login_values)
        given = tuple((name, value) for name, value in typed.items() if name in form.asked)
        session.add_secrets(Secrets({form_origin(form): OriginSecrets(form=given)}))
    _recall(session)
    missing = session.missing_secrets
    users = [names for names in missing if names.user is not None]
    from_environment = os.environ.get(PASSWORD_VARIABLE)
    if from_environment is not None and len(users) == 1:
        auth = HttpAuth(users[0].user or "", from_environment, users[0].is_digest)
        session.add_secrets(Secrets({users[0].origin: OriginSecrets(auth=auth).checked()}))
    if form is not None and from_environment is not None and len(form.hidden) == 1:
        typed_in = tuple((name, from_environment) for name in form.hidden)
        session.add_secrets(Secrets({form_origin(form): OriginSecrets(form=typed_in).checked()}))
    for names in session.missing_secrets:
        if names.certificate:
            certificate = _certificate(names.certificate)
            shown = OriginSecrets(certificate=certificate).checked()
            session.add_secrets(Secrets({names.origin: shown}))
    if can_ask():
        unseen = frozenset[str]() if form is None else form.hidden
        for names in session.missing_secrets:
            session.add_secrets(Secrets({names.origin: _asked(names, unseen).checked()}))


def _recall(session: CrawlSession) -> None:
    if session.missing_secrets:  # an event loop of its own takes longer than to ask whether
        asyncio.run(session.recall_secrets())


def remember(session: CrawlSession, credentials: CredentialOptions) -> None:
    """Save the secrets in the system's keyring if requested; report a failure."""
    if not credentials.remember:
        return
    try:
        asyncio.run(session.remember_secrets())
    except UsageError as e:
        complain(str(e))
    else:
        remark(f"Remembered {secrets_location()}")


def _auth(typed: TypedSecret) -> HttpAuth:
    user, colon, password = typed.text.partition(":")
    if colon:
        return HttpAuth(user, password, typed.is_digest)
    from_environment = os.environ.get(PASSWORD_VARIABLE)
    if from_environment is not None:
        return HttpAuth(user, from_environment, typed.is_digest)
    if not can_ask():
        raise UsageError(
            f"There is no terminal to ask for the password of {user}; set the environment"
            f" variable {PASSWORD_VARIABLE}."
        )
    at = f" for {typed.origin}" if typed.origin else ""
    return HttpAuth(user, ask_unseen(f"the password of {user}{at}"), typed.is_digest)


def _certificate(path: str) -> ClientCertificate:
    """A client certificate, with the passphrase from the environment or a prompt if it has one."""
    certificate = ClientCertificate(path)
    if not certificate.wants_passphrase:
        return certificate
    passphrase = os.environ.get(PASSPHRASE_VARIABLE)
    if passphrase is None and can_ask():
        passphrase = ask_unseen(f"the passphrase of {path}")
    return ClientCertificate(path, passphrase or "")


def values_in(file: str) -> dict[str, str]:
    """The values in a file for the fields of a form, NAME=VALUE on each line; "-": standard input.

    Raises UsageError, which quotes nothing. A file that others can read is reported, but read all
    the same: those of containers are often readable.
    """
    try:
        lines = _values_text(file).splitlines()
    except UnicodeDecodeError:
        raise UsageError("{file} is not UTF-8 text; save it as that.", file=file) from None
    except OSError as e:
        raise UsageError(
            "{file}: {reason}; name a file with NAME=VALUE on each line.",
            file=file,
            reason=system_reason(e),
        ) from e
    return field_values(line for line in lines if line.strip())


def _values_text(file: str) -> str:
    if file == "-":
        return standard_input(_MAX_VALUES_BYTES)
    with Path(file).open("rb") as opened:
        status = os.fstat(opened.fileno())
        if stat.S_ISREG(status.st_mode) and others_can_read(status):
            complain(f"Others can read {file}; run: chmod 600 {shlex.quote(file)}")
        data = opened.read(_MAX_VALUES_BYTES + 1)
    if len(data) > _MAX_VALUES_BYTES:
        raise UsageError("{file} is larger than 64 KiB; shorten it.", file=file)
    return data.decode("utf-8-sig")


def field_values(texts: Iterable[str]) -> dict[str, str]:
    """Parse NAME=VALUE for fields of forms; UsageError, which quotes nothing, if malformed."""
    pairs = [text.partition("=") for text in texts]
    if not all(name.strip() and equals for name, equals, _ in pairs):
        raise UsageError(
            "The value of a form's field has no name or no '='; write it as NAME=VALUE."
        )
    return {name.strip(): value for name, _, value in pairs}


def _asked(names: SecretNames, unseen: Container[str]) -> OriginSecrets:
    """Prompt for secrets; of a form's fields, those `unseen` without echo."""
    at = f"for {names.origin}"
    auth = None
    if names.user is not None:
        password = ask_unseen(f"the password of {names.user} {at}")
        auth = HttpAuth(names.user, password, names.is_digest)
    return OriginSecrets(
        auth=auth,
        cookies=tuple((name, ask_unseen(f"the cookie {name} {at}")) for name in names.cookies),
        headers=tuple((name, ask_unseen(f"the header {name} {at}")) for name in names.headers),
        form=tuple(
            (name, (ask_unseen if name in unseen else ask)(f"the field {name} of the login {at}"))
            for name in names.form
        ),
    )


def ask_unseen(what: str) -> str:
    """Prompt for a secret without echo. UsageError at the end of input."""
    try:
        return getpass.getpass(f"Enter {printable(what)}: ")
    except EOFError:
        raise UsageError(f"No input for {what}.") from None


def ask(what: str) -> str:
    """Prompt for a value that may be visible. UsageError at the end of input."""
    sys.stderr.write(f"Enter {printable(what)}: ")
    sys.stderr.flush()
    line = sys.stdin.readline()
    if not line:
        raise UsageError(f"No input for {what}.")
    return line.rstrip("\r\n")


def can_ask() -> bool:
    """Whether there is a terminal to prompt on."""
    return sys.stdin is not None and sys.stdin.isatty()


def forget(command: ForgetCommand) -> int:
    """Run `gossamer forget` and return the exit code.

    Reports for each site whether anything was stored.
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
