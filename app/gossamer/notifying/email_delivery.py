"""Delivers messages by e-mail: SMTP with verified TLS, plain text and HTML."""

import smtplib
import socket
import ssl
import threading
from base64 import b64encode
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP as SMTP_POLICY
from email.utils import format_datetime
from typing import TYPE_CHECKING, Final

from gossamer.model.network_reasons import CLOSED, network_reason
from gossamer.model.text_cleaning import one_line
from gossamer.model.translatable import Translatable, said
from gossamer.notifying.channels import EmailChannel, MailServer, wire_address
from gossamer.notifying.delivery_failure import DeliveryError
from gossamer.notifying.notification_messages import Message, Translate, html_of, text_of, title_of

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

LIMIT_S: Final = 60.0
"""For all of it: a server that sends a letter now and then would hold on for ever."""
_STEP_S: Final = 20.0
_PERMANENT: Final = 5
_READY: Final = 220
_LOGGED_IN: Final = 235
_CONTINUE: Final = 334
_OWN_NAME: Final = "[127.0.0.1]"
"""The name that we give. Finding out our real name takes a look-up, and is nobody's business."""


def email_of(channel: EmailChannel, message: Message, translate: Translate = str) -> EmailMessage:
    """The message as it is sent. Nothing in it can add a header: each value is one line."""
    mail = EmailMessage(policy=SMTP_POLICY)
    mail["Subject"] = one_line(title_of(message, translate), 250)
    mail["From"] = Address("Gossamer", addr_spec=wire_address(channel.sender))
    mail["To"] = Address(addr_spec=wire_address(channel.address))
    mail["Date"] = format_datetime(datetime.fromtimestamp(message.created_at, UTC))
    mail["Message-ID"] = f"<{message.id}@{wire_address(channel.sender).rpartition('@')[2]}>"
    mail["Auto-Submitted"] = "auto-generated"  # RFC 3834: no answering machine answers
    mail.set_content(text_of(message, translate))
    mail.add_alternative(html_of(message, translate), subtype="html")
    return mail


def deliver_by_email(
    channel: EmailChannel,
    message: Message,
    password: str | None,
    *,
    translate: Translate = str,
    tls: ssl.SSLContext | None = None,
    limit_s: float = LIMIT_S,
) -> Translatable:
    """Hand the mail in; returns the server's reply, or raises DeliveryError.

    It blocks for at most `limit_s` seconds.

    `tls` replaces the system's trust.
    """
    mail = email_of(channel, message, translate)
    server = channel.place
    if server.user and not password:
        raise DeliveryError(
            said("no password is stored for {user}; add the rule again", user=server.user)
        )
    step_s = min(limit_s, _STEP_S)
    with _translated(step_s):
        client = _client(server, tls, step_s)
        with _ended_after(client, limit_s):
            _connect(client, server, tls)
            if server.user:
                _log_in(client, server.user, password or "")
            client.send_message(mail, wire_address(channel.sender), [wire_address(channel.address)])
            with suppress(OSError, smtplib.SMTPException):  # it has accepted the mail
                client.quit()
        return said("the mail server replied: {reply}", reply=_reply(*client.reply))


class _Client(smtplib.SMTP):
    """Keeps the reply to the mail itself."""

    reply: tuple[int, bytes] = (0, b"")

    def data(self, msg: "ReadableBuffer | str") -> tuple[int, bytes]:
        """See `smtplib.SMTP.data`."""
        self.reply = super().data(msg)
        return self.reply


class _TlsClient(_Client, smtplib.SMTP_SSL):
    """With TLS from the start."""


def _client(server: MailServer, tls: ssl.SSLContext | None, step_s: float) -> _Client:
    """A client that is not connected yet."""
    client: _Client
    if server.is_tls:
        context = tls or ssl.create_default_context()
        client = _TlsClient(local_hostname=_OWN_NAME, timeout=step_s, context=context)
    else:
        client = _Client(local_hostname=_OWN_NAME, timeout=step_s)
    # The name for which the certificate is checked: smtplib sets it only if it connects at once.
    setattr(client, "_host", server.host)  # noqa: B010 - it is none of its documented surface
    return client


def _connect(client: smtplib.SMTP, server: MailServer, tls: ssl.SSLContext | None) -> None:
    code, reply = client.connect(server.host, server.port)
    if code != _READY:
        raise smtplib.SMTPConnectError(code, reply)
    if not (server.is_tls or server.is_plain):
        client.starttls(context=tls or ssl.create_default_context())


def _log_in(client: smtplib.SMTP, user: str, password: str) -> None:
    """Log in; smtplib sends ASCII alone, and its error quotes the letter that is none.

    Other letters are sent as UTF-8 (RFC 4616).
    """
    if (user + password).isascii():
        client.login(user, password)
        return
    client.ehlo_or_helo_if_needed()
    offered = client.esmtp_features.get("auth", "").upper().split()
    if "PLAIN" in offered:
        both = _in_base64(f"\0{user}\0{password}")
        code, reply = client.docmd("AUTH", f"PLAIN {both}")
    elif "LOGIN" in offered:
        code, reply = client.docmd("AUTH", f"LOGIN {_in_base64(user)}")
        if code == _CONTINUE:
            code, reply = client.docmd(_in_base64(password))
    else:
        raise smtplib.SMTPNotSupportedError("AUTH")
    if code != _LOGGED_IN:
        raise smtplib.SMTPAuthenticationError(code, reply)


def _in_base64(text: str) -> str:
    return b64encode(text.encode()).decode()


@contextmanager
def _ended_after(client: smtplib.SMTP, limit_s: float) -> Iterator[None]:
    """End the connection when the time is over, whichever call waits for it."""
    is_over = threading.Event()

    def end() -> None:
        is_over.set()
        with suppress(OSError):  # it is closed
            if client.sock is not None:
                client.sock.shutdown(socket.SHUT_RDWR)

    timer = threading.Timer(limit_s, end)
    timer.daemon = True
    timer.start()
    try:
        yield
    except (OSError, smtplib.SMTPException) as e:
        if is_over.is_set():
            raise _silent(limit_s) from e
        raise
    finally:
        timer.cancel()
        client.close()


@contextmanager
def _translated(step_s: float) -> Iterator[None]:
    """The errors of the mail server and the network, as DeliveryError."""
    try:
        yield
    except (smtplib.SMTPRecipientsRefused, smtplib.SMTPResponseException) as e:
        raise _refused(e) from e
    except smtplib.SMTPNotSupportedError as e:
        raise DeliveryError(_lacking(str(e))) from e
    except ssl.SSLCertVerificationError as e:
        raise DeliveryError(said("the certificate of the mail server is not valid")) from e
    except (OSError, smtplib.SMTPException, UnicodeError) as e:
        raise _broken_off(e, step_s) from e


def _refused(
    error: smtplib.SMTPRecipientsRefused | smtplib.SMTPResponseException,
) -> DeliveryError:
    """The server has replied that it does not accept this mail, or not now."""
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        code, text = next(iter(error.recipients.values()), (0, b""))
        return DeliveryError(
            said("the mail server refuses the recipient: {reply}", reply=_reply(code, text)),
            is_final=code // 100 == _PERMANENT,
        )
    reply = _reply(error.smtp_code, error.smtp_error)
    if isinstance(error, smtplib.SMTPAuthenticationError):
        why = said("the mail server refuses user or password: {reply}", reply=reply)
        return DeliveryError(why)
    return DeliveryError(said("the mail server returned an error: {reply}", reply=reply))


def _broken_off(error: Exception, step_s: float) -> DeliveryError:
    """There was no connection, or it ended before the server had replied."""
    has_closed = isinstance(error, smtplib.SMTPServerDisconnected)
    # In smtplib, a server that sends nothing more is one that has disconnected.
    if isinstance(error.__context__ if has_closed else error, TimeoutError):
        return _silent(step_s)
    reason = said(CLOSED) if has_closed else network_reason(error)
    return DeliveryError(
        said("no connection: {reason}", reason=reason),
        reached=not isinstance(error, ConnectionRefusedError | socket.gaierror),
    )


def _silent(seconds: float) -> DeliveryError:
    return DeliveryError(said("no response within {seconds:g} s", seconds=seconds), reached=True)


def _lacking(reason: str) -> Translatable:
    """What the mail server does not offer, from the words of smtplib."""
    if "STARTTLS" in reason:
        return said(
            "the mail server offers no encryption by STARTTLS; try smtps://, or smtp+plain:// for a"
            " server on this computer"
        )
    if "AUTH" in reason:
        return said("the mail server takes no user and password")
    return said("the mail server lacks what is needed: {reason}", reason=one_line(reason, 200))


def _reply(code: int, text: bytes | str) -> str:
    said_ = text.decode("utf-8", "replace") if isinstance(text, bytes) else text
    return one_line(f"{code} {said_}", 200)
