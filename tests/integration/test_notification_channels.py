"""Messages through real channels: mail and web servers on loopback, programs, a D-Bus session."""

import asyncio
import base64
import email
import email.policy
import hmac
import json
import os
import ssl
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import suppress
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Self
from urllib.parse import quote

import keyring
import psutil
import pytest

from gossamer.notifying.channels import CommandChannel, DesktopChannel, EmailChannel, WebhookChannel
from gossamer.notifying.command_delivery import deliver_to_command
from gossamer.notifying.delivery_failure import DeliveryError
from gossamer.notifying.desktop_delivery import deliver_to_desktop
from gossamer.notifying.email_delivery import deliver_by_email
from gossamer.notifying.outbox_delivery import send
from gossamer.notifying.webhook_delivery import deliver_to_webhook
from gossamer.notifying.webhook_signature import new_secret
from tests.fakes.keyring_backend import LockedKeyring, MemoryKeyring
from tests.fakes.notifications import NASTY, NOW, digest, message, told
from tests.integration.fetching import PATIENCE_S, TLS_FOLDER, trusting
from tests.sites.mail_server import ClosingServer, MailServer, SilentServer
from tests.sites.refused import refusing_port

MESSAGE = message(digest(told("Pages have changed", "/a (Title 1)")))
USER, PASSWORD = "me", "pass word"


def served() -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(TLS_FOLDER / "localhost.pem", TLS_FOLDER / "key.pem")
    return context


def mail_to(port: int, scheme: str = "smtp", user: str = "") -> EmailChannel:
    who = f"{user}@" if user else ""
    return EmailChannel("who@a.example", f"{scheme}://{who}127.0.0.1:{port}", "me@a.example")


def mail(channel: EmailChannel, password: str | None = None, **options: Any) -> str:
    """Hand it in; what was answered."""
    options.setdefault("tls", trusting("localhost.pem"))
    answer = deliver_by_email(channel, MESSAGE, password, **options)
    return str(answer)


# ---------------------------------------------------------------- e-mail


def test_mail_is_handed_in_after_starttls_with_the_password() -> None:
    with MailServer(served(), credentials=(b"me", PASSWORD.encode())) as server:
        answer = mail(mail_to(server.port, user=USER), PASSWORD)
    assert answer.startswith("the mail server replied: 250 ")
    (envelope,) = server.mails
    assert server.over_tls == [True]
    assert (envelope.mail_from, envelope.rcpt_tos) == ("me@a.example", ["who@a.example"])
    parsed = email.message_from_bytes(envelope.content, policy=email.policy.default)  # type: ignore[arg-type]  # it is bytes here
    assert parsed["Subject"] == "https://a.example/: Pages have changed"
    assert parsed["Message-ID"] == f"<{MESSAGE.id}@a.example>"


def test_user_and_password_may_have_any_letters() -> None:
    user, password = "jörg", "geheim-ü-1"
    with MailServer(served(), credentials=(user.encode(), password.encode())) as server:
        mail(mail_to(server.port, user=quote(user)), password)
    assert len(server.mails) == 1
    wrong = MailServer(served(), credentials=(b"me", b"right"))
    with wrong, pytest.raises(DeliveryError, match="refuses user or password") as caught:
        mail(mail_to(wrong.port, user="me"), password)
    assert "ü" not in str(caught.value)


def test_mail_is_handed_in_over_tls_from_the_start() -> None:
    with MailServer(served(), is_tls_from_start=True) as server:
        mail(mail_to(server.port, "smtps"))
    assert server.over_tls == [True]


def failure(server: MailServer, *, scheme: str = "smtp", **options: Any) -> DeliveryError:
    user = options.pop("user", "")
    with server, pytest.raises(DeliveryError) as raised:
        mail(mail_to(server.port, scheme, user), **options)
    assert server.mails == []
    return raised.value


def test_a_mail_server_with_a_wrong_certificate_is_told_nothing() -> None:
    error = failure(MailServer(served()), tls=trusting("other-host.pem"))
    assert str(error) == "the certificate of the mail server is not valid"


def test_a_mail_server_without_starttls_is_told_nothing() -> None:
    error = failure(MailServer())
    assert "STARTTLS" in str(error)


def test_a_wrong_password_is_told_without_it() -> None:
    server = MailServer(served(), credentials=(b"me", b"right"))
    error = failure(server, user=USER, password="wrong")  # noqa: S106 - of a test
    assert "user or password" in str(error)
    assert "wrong" not in str(error)
    assert not error.is_final


@pytest.mark.parametrize(
    ("answer", "is_final"),
    [("550 5.1.1 No such user", True), ("450 4.2.1 Mailbox busy", False)],
)
def test_a_refused_recipient_is_final_if_the_server_says_so(answer: str, *, is_final: bool) -> None:
    error = failure(MailServer(served(), recipients={"who@a.example": answer}))
    assert answer[4:] in str(error)
    assert error.is_final == is_final


def test_a_refused_mail_is_tried_again() -> None:
    error = failure(MailServer(served(), data="554 Spam"))
    assert "554 Spam" in str(error)
    assert not error.is_final


def test_a_mail_that_was_taken_has_arrived_however_the_server_says_goodbye() -> None:
    with MailServer(served(), is_rude=True) as server:
        mail(mail_to(server.port))
    assert len(server.mails) == 1


@pytest.mark.parametrize("drip", [b"", b"2"])
def test_a_mail_server_that_never_answers_ends_in_time(drip: bytes) -> None:
    with SilentServer(drip) as server, pytest.raises(DeliveryError):
        mail(mail_to(server.port), limit_s=0.5)


def test_a_mail_server_that_never_answers_is_told_as_such() -> None:
    with SilentServer() as server, pytest.raises(DeliveryError, match=r"within 0\.5 s"):
        mail(mail_to(server.port), limit_s=0.5)


@pytest.mark.parametrize("greeting", [b"", b"220 a.example\r\n"])
def test_a_mail_server_that_closes_is_told_as_such(greeting: bytes) -> None:
    with ClosingServer(greeting) as server, pytest.raises(DeliveryError) as raised:
        mail(mail_to(server.port))
    assert str(raised.value) == "no connection: the server has closed the connection"
    assert raised.value.reached
    assert not raised.value.is_final


def test_no_server_is_told() -> None:
    with refusing_port() as port, pytest.raises(DeliveryError, match="no connection"):
        mail(mail_to(port))


# ---------------------------------------------------------------- webhooks


class Hook(ThreadingHTTPServer):
    """Keeps what is posted, answers as it is told."""

    def __init__(self, status: int = 204, location: str = "", certificate: str = "") -> None:
        super().__init__(("127.0.0.1", 0), _Answer)
        self.status, self.location = status, location
        self.scheme = "https" if certificate else "http"
        self.posted: list[tuple[Any, bytes]] = []
        if certificate:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(TLS_FOLDER / certificate, TLS_FOLDER / "key.pem")
            self.socket = context.wrap_socket(
                self.socket, server_side=True, do_handshake_on_connect=False
            )
        self._thread = threading.Thread(target=self.serve_forever, args=(0.01,), daemon=True)

    @property
    def url(self) -> str:
        return f"{self.scheme}://127.0.0.1:{self.server_address[1]}/hook"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.shutdown()
        self._thread.join()
        self.server_close()

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that refuses the certificate goes."""


class _Answer(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        assert isinstance(self.server, Hook)
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.posted.append((self.headers, body))
        self.send_response(self.server.status)
        if self.server.location:
            self.send_header("Location", self.server.location)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """Nobody reads it."""


def post(url: str, secret: str | None = None, **options: Any) -> None:
    channel = WebhookChannel(url, "" if secret is None else "1a2b")
    asyncio.run(deliver_to_webhook(channel, MESSAGE, NOW, secret, **options))


def test_a_webhook_gets_json_that_its_receiver_can_check() -> None:
    """As docs/notifications.md shows it."""
    secret = new_secret()
    with Hook() as hook:
        post(hook.url, secret)
    ((headers, body),) = hook.posted
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
    expected = "v1," + base64.b64encode(hmac.digest(key, signed, sha256)).decode()
    assert hmac.compare_digest(expected, headers["webhook-signature"])
    assert headers["webhook-timestamp"] == str(int(NOW))
    assert json.loads(body)["id"] == headers["webhook-id"] == MESSAGE.id


@pytest.mark.parametrize(("status", "is_final"), [(500, False), (404, False), (410, True)])
def test_a_webhook_that_refuses_is_tried_again_unless_it_is_gone(
    status: int, *, is_final: bool
) -> None:
    with Hook(status) as hook, pytest.raises(DeliveryError) as raised:
        post(hook.url)
    assert str(status) in str(raised.value)
    assert raised.value.is_final == is_final


def test_a_redirect_is_not_followed() -> None:
    """The message was signed for another address."""
    with (
        Hook() as other,
        Hook(307, other.url) as hook,
        pytest.raises(DeliveryError, match="redirects"),
    ):
        post(hook.url)
    assert other.posted == []


def test_a_webhook_with_a_wrong_certificate_gets_nothing() -> None:
    with (
        Hook(certificate="other-host.pem") as hook,
        pytest.raises(DeliveryError, match="certificate"),
    ):
        post(hook.url)
    assert hook.posted == []


def test_a_webhook_that_closes_is_told_as_such() -> None:
    with ClosingServer() as server, pytest.raises(DeliveryError) as raised:
        post(f"http://127.0.0.1:{server.port}/")
    assert str(raised.value) == "no connection: the server has closed the connection"
    assert raised.value.reached


def test_a_webhook_whose_response_is_no_http_is_told_in_one_line() -> None:
    with ClosingServer(b"220 a.example\r\n") as server, pytest.raises(DeliveryError) as raised:
        post(f"http://127.0.0.1:{server.port}/")
    assert str(raised.value) == "the response of the server is not valid HTTP"
    assert raised.value.reached


def test_a_webhook_that_never_answers_ends_in_time() -> None:
    with SilentServer() as server, pytest.raises(DeliveryError, match="no response within"):
        post(f"http://127.0.0.1:{server.port}/", limit_s=0.3)


# ---------------------------------------------------------------- keyring


@pytest.fixture
def ring() -> Iterator[MemoryKeyring]:
    before = keyring.get_keyring()
    kept = MemoryKeyring()
    keyring.set_keyring(kept)
    yield kept
    keyring.set_keyring(before)


@pytest.mark.parametrize(
    "channel",
    [WebhookChannel("http://127.0.0.1:9/", "1a2b"), mail_to(9, user=USER)],
)
def test_a_locked_keyring_is_told_in_a_sentence_and_the_message_waits(
    ring: MemoryKeyring, channel: WebhookChannel | EmailChannel
) -> None:
    del ring
    keyring.set_keyring(LockedKeyring())  # type: ignore[no-untyped-call] # keyring does not annotate it
    with pytest.raises(DeliveryError, match="locked") as raised:
        asyncio.run(send(channel, MESSAGE, "en", NOW))
    assert not raised.value.is_final


@pytest.mark.parametrize(
    "channel",
    [WebhookChannel("http://127.0.0.1:9/", "1a2b"), mail_to(9, user=USER)],
)
def test_a_secret_that_is_missing_is_told(
    ring: MemoryKeyring, channel: WebhookChannel | EmailChannel
) -> None:
    assert not ring.entries
    with pytest.raises(DeliveryError, match=r"no (secret|password) is stored"):
        asyncio.run(send(channel, MESSAGE, "en", NOW))


# ---------------------------------------------------------------- programs


def run(*words: str, limit_s: float = 60.0) -> None:
    channel = CommandChannel((sys.executable, "-c", *words))
    asyncio.run(deliver_to_command(channel, MESSAGE, limit_s))


def test_a_program_gets_json_and_no_shell(tmp_path: Path) -> None:
    out = tmp_path / "out"
    script = "import sys; open(sys.argv[1], 'w').write(sys.stdin.read() + sys.argv[2])"
    run(script, str(out), "$(touch x); `y`")
    text = out.read_text()
    assert text.endswith("$(touch x); `y`")
    assert json.loads(text.removesuffix("$(touch x); `y`"))["id"] == MESSAGE.id


def test_a_program_gets_no_passwords(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GOSSAMER_PASSWORD", "secret")
    out = tmp_path / "out"
    run("import os, sys; open(sys.argv[1], 'w').write(str(dict(os.environ)))", str(out))
    assert "secret" not in out.read_text()


def test_a_program_that_fails_is_told_with_its_last_words() -> None:
    with pytest.raises(DeliveryError, match="exit code 3: no such thing"):
        run("import sys; print('no such thing', file=sys.stderr); sys.exit(3)")


def test_a_program_that_reads_nothing_and_prints_without_end_is_no_trouble() -> None:
    run("import sys; sys.stdin.close(); [print('x' * 1000) for _ in range(2000)]")


def test_a_program_that_hangs_is_ended_with_its_children(tmp_path: Path) -> None:
    pid = tmp_path / "pid"
    script = 'sleep 600 & echo $! > "$0"; wait'
    hanging = CommandChannel(("sh", "-c", script, str(pid)))
    with pytest.raises(DeliveryError, match="ran for over"):
        asyncio.run(deliver_to_command(hanging, MESSAGE, 3.0))
    with suppress(psutil.NoSuchProcess):
        psutil.Process(int(pid.read_text())).wait(PATIENCE_S)


def test_a_program_that_is_missing_is_told() -> None:
    with pytest.raises(DeliveryError, match="cannot be started: No such file"):
        asyncio.run(deliver_to_command(CommandChannel(("/no/such/program",)), MESSAGE))


# ---------------------------------------------------------------- desktop

NOTIFIER = """
import sys, json
from jeepney import new_method_return, HeaderFields, new_error
from jeepney.bus_messages import message_bus
from jeepney.io.blocking import open_dbus_connection
bus = open_dbus_connection("SESSION")
bus.send_and_get_reply(message_bus.RequestName("org.freedesktop.Notifications"))
print("ready", flush=True)
while True:
    message = bus.receive()
    member = message.header.fields.get(HeaderFields.member)
    if member == "GetCapabilities":
        bus.send(new_method_return(message, "as", (sys.argv[1:],)))
    elif member == "Notify":
        print(json.dumps(message.body[3:5]), flush=True)
        bus.send(new_method_return(message, "u", (1,)))
"""


@pytest.fixture
def bus(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A D-Bus session of the test's own."""
    try:
        daemon = subprocess.Popen(
            ["dbus-daemon", "--session", "--nofork", "--print-address"],
            stdout=subprocess.PIPE,
            text=True,
        )
    except FileNotFoundError:
        pytest.skip("there is no dbus-daemon")
    assert daemon.stdout is not None
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", daemon.stdout.readline().strip())
    yield
    daemon.kill()
    daemon.wait()
    daemon.stdout.close()


@pytest.mark.usefixtures("bus")
@pytest.mark.parametrize("can", [("body", "body-markup"), ("body",)])
def test_the_desktop_shows_the_message_and_runs_no_markup_of_pages(can: tuple[str, ...]) -> None:
    shower = subprocess.Popen(
        [sys.executable, "-c", NOTIFIER, *can], stdout=subprocess.PIPE, text=True, env=os.environ
    )
    assert shower.stdout is not None
    try:
        assert shower.stdout.readline() == "ready\n"
        deliver_to_desktop(message(digest(told(NASTY))))
        title, text = json.loads(shower.stdout.readline())
    finally:
        shower.kill()
        shower.wait()
        shower.stdout.close()
    assert title.startswith("https://a.example/: Title")
    assert "\x1b" not in text
    assert ("&lt;script&gt;" in text) == ("body-markup" in can)


@pytest.mark.usefixtures("bus")
def test_a_desktop_that_shows_nothing_is_told() -> None:
    with pytest.raises(DeliveryError, match="no program shows notifications"):
        deliver_to_desktop(MESSAGE)


def test_without_a_desktop_session_that_is_told(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("DBUS_SESSION_BUS_ADDRESS", raising=False)
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    with pytest.raises(DeliveryError, match="no desktop session"):
        asyncio.run(send(DesktopChannel(), MESSAGE, "en", NOW))
