"""The channels of notification rules: where messages go. Secrets are in the keyring, not here."""

import re
import secrets
from contextlib import suppress
from typing import Final, TypeAlias
from urllib.parse import SplitResult, quote, unquote, urlsplit

import msgspec
from msgspec import Struct

from gossamer.model.errors import UsageError
from gossamer.model.file_names import is_text
from gossamer.model.translatable import Translatable, said

MAX_ADDRESS: Final = 254
"""Characters of an e-mail address (RFC 5321 §4.5.3.1, less the brackets)."""
_ATOM: Final = r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+"
_LABEL: Final = r"[A-Za-z0-9_-]+"
_ADDRESS: Final = re.compile(rf"(?!.*=\?){_ATOM}(\.{_ATOM})*@{_LABEL}(\.{_LABEL})*")
"""A dot-atom (RFC 5322 §3.2.3) at a host in ASCII; `=?` would begin an encoded word."""
_PORTS: Final = {"smtps": 465, "smtp": 587, "smtp+plain": 25}
_LOOPBACK: Final = frozenset({"localhost", "127.0.0.1", "::1"})
_WORD: Final = re.compile("[A-Za-z_.-]{1,15}")
MAX_ARGUMENTS: Final = 100


class DesktopChannel(Struct, frozen=True, tag="desktop"):
    """A notification on the desktop of the user who runs Gossamer."""

    @property
    def said(self) -> Translatable:
        """In a few words."""
        return said("desktop notification")


class EmailChannel(Struct, frozen=True, tag="email", forbid_unknown_fields=True):
    """An e-mail to one address. `server` is smtp://[USER@]HOST[:PORT], or smtps://."""

    address: str
    server: str
    sender: str

    @property
    def said(self) -> Translatable:
        """In a few words."""
        return said("e-mail to {address}", address=self.address)

    @property
    def place(self) -> "MailServer":
        """The server, in parts; UsageError if `server` names none."""
        return parse_server(self.server)


class WebhookChannel(Struct, frozen=True, tag="webhook", forbid_unknown_fields=True):
    """A POST request with JSON. If it is signed, the keyring has its secret by `secret_id`.

    Two rules may sign what they send to the same address, each with its own secret.
    """

    url: str
    secret_id: str = ""

    @property
    def is_signed(self) -> bool:
        """Whether requests are signed."""
        return bool(self.secret_id)

    @property
    def said(self) -> Translatable:
        """In a few words, without what may be secret in the address."""
        try:
            parts = urlsplit(self.url)
            host = f"{_origin(parts)}{_shown_path(parts.path)}"
        except ValueError:  # somebody has edited it
            host = "…"
        return said("webhook {host}", host=host)


def _origin(parts: SplitResult) -> str:
    """The host of a URL, with its port if it names one."""
    host = parts.hostname or ""
    host = f"[{host}]" if ":" in host else host
    return host if parts.port is None else f"{host}:{parts.port}"


def _shown_path(path: str) -> str:
    """The beginning of a path, if it is a word; tokens, and what follows, may be secret."""
    first, _, more = path.removeprefix("/").partition("/")
    if not _WORD.fullmatch(first):
        return "/…" if first or more else ""
    return f"/{first}/…" if more else f"/{first}"


class CommandChannel(Struct, frozen=True, tag="command", forbid_unknown_fields=True):
    """A program that is started, without a shell, with JSON on its standard input."""

    argv: tuple[str, ...]

    @property
    def said(self) -> Translatable:
        """In a few words."""
        return said("command {program}", program=next(iter(self.argv), ""))


NotificationChannel: TypeAlias = DesktopChannel | EmailChannel | WebhookChannel | CommandChannel


class UnknownChannel(Struct, frozen=True):
    """A channel that a newer Gossamer has put into the outbox: its messages wait for that."""

    @property
    def said(self) -> Translatable:
        """In a few words."""
        return said("channel of a newer Gossamer")


class MailServer(Struct, frozen=True):
    """A server that accepts mail. `is_tls` means TLS from the start; otherwise STARTTLS.

    `is_plain` has neither, which is only allowed for a server on the same machine.
    """

    host: str
    port: int
    user: str = ""
    is_tls: bool = False
    is_plain: bool = False

    @property
    def keyring_name(self) -> str:
        """The entry of its password in the keyring."""
        return f"smtp://{self.user}@{self.host}:{self.port}"


def new_secret_id() -> str:
    """A name for a secret that no other has."""
    return secrets.token_hex(8)


def secret_name(channel: NotificationChannel) -> str | None:
    """The entry of the keyring that a channel needs; None if it needs none, or names no server."""
    match channel:
        case WebhookChannel() if channel.is_signed:
            return f"webhook {channel.secret_id}"
        case EmailChannel():
            with suppress(UsageError):
                return channel.place.keyring_name if channel.place.user else None
    return None


def channel_key(channel: NotificationChannel) -> str:
    """Identifies a channel: messages of all rules for the same one are merged."""
    return msgspec.json.encode(channel, order="deterministic").decode()


def stored_channel(key: str) -> NotificationChannel | UnknownChannel:
    """The channel with this key, as the outbox has it."""
    try:
        known: NotificationChannel = msgspec.json.decode(key, type=NotificationChannel)
    except msgspec.ValidationError:
        return UnknownChannel()
    return known


def checked_channel(channel: NotificationChannel) -> NotificationChannel:
    """Itself; UsageError, with advice, if nothing could be sent there."""
    match channel:
        case EmailChannel():
            for address in (channel.address, channel.sender):
                _check_address(address)
            parse_server(channel.server)
        case WebhookChannel():
            _check_webhook(channel.url)
        case CommandChannel():
            if not channel.argv or not channel.argv[0] or len(channel.argv) > MAX_ARGUMENTS:
                raise UsageError("Name the program to start, with its arguments.")
            if any("\0" in each or not is_text(each) for each in channel.argv):
                raise UsageError(
                    "An argument of the command contains a character that is not allowed."
                )
        case DesktopChannel():
            pass
    return channel


def parse_server(text: str) -> MailServer:
    """A mail server as written; UsageError with the form if it is invalid."""
    try:
        parts = urlsplit(text)
        host, port = parts.hostname, parts.port
    except ValueError:
        host, port = None, None
        parts = urlsplit("")
    if not host or parts.scheme not in _PORTS or parts.password or parts.path.strip("/"):
        raise UsageError(
            "{text!r} is not a mail server; write smtps://USER@HOST or smtp://USER@HOST:PORT, "
            "without the password.",
            text=_without_user(text),
        )
    is_plain = parts.scheme == "smtp+plain"
    if is_plain and host not in _LOOPBACK:
        raise UsageError(
            "Mail is sent unencrypted to this machine alone; write smtp:// or smtps:// for {host}.",
            host=host,
        )
    return MailServer(
        host,
        port or _PORTS[parts.scheme],
        user=unquote(parts.username or ""),
        is_tls=parts.scheme == "smtps",
        is_plain=is_plain,
    )


def _without_user(text: str) -> str:
    """Without what stands before an "@": that may be a password, however it is mistyped."""
    _, at, place = text.rpartition("@")
    return f"…@{place}" if at else text


def server_address(scheme: str, host: str, user: str) -> str:
    """The value of `EmailChannel.server` for a host, with its port and a user, if any."""
    if "://" in host:  # as on the command line
        return host
    return f"{scheme}://{quote(user, safe='')}@{host}" if user else f"{scheme}://{host}"


def server_parts(server: str) -> tuple[str, str, str]:
    """Scheme, host with its port, and user: the inputs of `server_address`."""
    scheme, _, place = server.partition("://")
    user, _, host = place.rpartition("@")
    return scheme, host.rstrip("/"), unquote(user)


def wire_address(address: str) -> str:
    """The address with the name of its server in ASCII, as every mail server understands it."""
    local, _, host = address.rpartition("@")
    with suppress(UnicodeError):
        host = host.encode("idna").decode("ascii")
    return f"{local}@{host}"


def _check_address(address: str) -> None:
    if len(address) > MAX_ADDRESS or not _ADDRESS.fullmatch(wire_address(address)):
        raise UsageError("{address!r} is not an e-mail address.", address=address[:MAX_ADDRESS])


def _check_webhook(url: str) -> None:
    try:
        parts = urlsplit(url)
        is_http = parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
    except ValueError:
        is_http = False
    if not is_http or not url.isascii() or not url.isprintable() or " " in url:
        raise UsageError("{url!r} is not an address for a webhook; write https://…", url=url[:200])
