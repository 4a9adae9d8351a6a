import errno
import socket
import ssl

import pytest
from aiohttp import (
    ClientConnectionError,
    ClientConnectorCertificateError,
    ClientConnectorDNSError,
    ClientConnectorError,
    ClientConnectorSSLError,
    ClientOSError,
    ClientPayloadError,
    InvalidURL,
    ServerDisconnectedError,
)
from aiohttp.client_reqrep import ConnectionKey
from aiohttp.http import HttpVersion11, RawResponseMessage
from aiohttp.http_exceptions import (
    BadHttpMessage,
    BadStatusLine,
    ContentLengthError,
    InvalidHeader,
    LineTooLong,
)
from multidict import CIMultiDict, CIMultiDictProxy

from gossamer.fetch.deadline import TooSlowError
from gossamer.fetch.decoding import DecodingError
from gossamer.fetch.failures import DETAIL_CHARACTERS, failure_of
from gossamer.model.outcome import Outcome, UrlState

KEY = ConnectionKey(
    host="h",
    port=80,
    is_ssl=False,
    ssl=True,
    proxy=None,
    proxy_auth=None,
    proxy_headers_hash=None,
)


def connecting(number: int, text: str = "") -> ClientConnectorError:
    return ClientConnectorError(KEY, OSError(number, text))


def looking_up(number: int) -> ClientConnectorDNSError:
    return ClientConnectorDNSError(KEY, socket.gaierror(number, "no such name"))


def certificate_error(message: str) -> ssl.SSLCertVerificationError:
    problem = ssl.SSLCertVerificationError(1, "[SSL: CERTIFICATE_VERIFY_FAILED]")
    problem.verify_message = message
    return problem


def ssl_error(reason: str) -> ssl.SSLError:
    problem = ssl.SSLError(1, f"[SSL: {reason}] long and technical")
    problem.reason = reason
    return problem


def caused(problem: Exception, cause: Exception) -> Exception:
    problem.__cause__ = cause
    return problem


HALF_A_HEAD = RawResponseMessage(
    version=HttpVersion11,
    code=200,
    reason="OK",
    headers=CIMultiDictProxy(CIMultiDict({"Set-Cookie": "session=s3cret"})),
    raw_headers=((b"Set-Cookie", b"session=s3cret"),),
    should_close=True,
    compression=None,
    upgrade=False,
    chunked=False,
)
AGAIN, NEVER = True, False

TABLE: list[tuple[Exception, Outcome, bool, str]] = [
    (looking_up(socket.EAI_NONAME), Outcome.DNS_FAILURE, NEVER, "no such name"),
    (looking_up(socket.EAI_AGAIN), Outcome.DNS_FAILURE, AGAIN, "no such name"),
    (socket.gaierror(socket.EAI_NONAME, "x"), Outcome.DNS_FAILURE, NEVER, "x"),
    (connecting(errno.ECONNREFUSED, "refused"), Outcome.CONNECTION_REFUSED, AGAIN, "refused"),
    (connecting(errno.ECONNRESET), Outcome.CONNECTION_LOST, AGAIN, "Errno"),
    (connecting(errno.EHOSTUNREACH), Outcome.CONNECTION_FAILED, AGAIN, "Errno"),
    (connecting(errno.ENETUNREACH), Outcome.CONNECTION_FAILED, AGAIN, "Errno"),
    (connecting(errno.EMFILE, "Too many open files"), Outcome.CONNECTION_FAILED, AGAIN, "Too many"),
    (connecting(errno.ETIMEDOUT), Outcome.TIMEOUT, AGAIN, "Errno"),
    (
        ClientConnectorCertificateError(KEY, certificate_error("certificate has expired")),
        Outcome.BAD_CERTIFICATE,
        NEVER,
        "certificate has expired",
    ),
    (
        ClientConnectorSSLError(KEY, ssl_error("WRONG_VERSION_NUMBER")),
        Outcome.NOT_HTTPS,
        NEVER,
        "wrong version number",
    ),
    (
        ClientConnectorSSLError(KEY, ssl_error("SSLV3_ALERT_HANDSHAKE_FAILURE")),
        Outcome.TLS_ERROR,
        NEVER,
        "handshake failure",
    ),
    (TimeoutError("no connection within 10 s"), Outcome.TIMEOUT, AGAIN, "no connection"),
    (TimeoutError(), Outcome.TIMEOUT, AGAIN, "the deadline passed"),
    (TooSlowError("a drip"), Outcome.TOO_SLOW, AGAIN, "a drip"),
    (ServerDisconnectedError(), Outcome.CONNECTION_LOST, AGAIN, "without an answer"),
    (ServerDisconnectedError(HALF_A_HEAD), Outcome.CONNECTION_LOST, AGAIN, "within the headers"),
    (ClientOSError(errno.ECONNRESET, "reset"), Outcome.CONNECTION_LOST, AGAIN, "reset"),
    (ClientOSError(errno.ETIMEDOUT, "gone"), Outcome.CONNECTION_LOST, AGAIN, "gone"),
    (ClientConnectionError(), Outcome.CONNECTION_LOST, AGAIN, "ClientConnectionError"),
    (
        caused(ClientPayloadError("x"), ContentLengthError("3 of 9")),
        Outcome.CONNECTION_LOST,
        AGAIN,
        "3 of 9",
    ),
    (caused(ClientPayloadError("x"), OSError("y")), Outcome.CONNECTION_LOST, AGAIN, "y"),
    (ClientPayloadError("x"), Outcome.CONNECTION_LOST, AGAIN, "x"),
    (BadStatusLine("HTTP/0.9"), Outcome.MALFORMED_RESPONSE, NEVER, "Bad status line"),
    (LineTooLong("x", 9), Outcome.MALFORMED_RESPONSE, NEVER, "9"),
    (DecodingError("gzip: no"), Outcome.BROKEN_ENCODING, NEVER, "gzip: no"),
    (InvalidURL("h ttp:"), Outcome.MALFORMED_URL, NEVER, "h ttp:"),
    (ZeroDivisionError("why"), Outcome.UNEXPECTED_ERROR, NEVER, "ZeroDivisionError: why"),
    (RuntimeError(), Outcome.UNEXPECTED_ERROR, NEVER, "RuntimeError"),
]


@pytest.mark.parametrize(
    ("problem", "outcome", "transient", "detail"),
    TABLE,
    ids=[f"{type(row[0]).__name__}-{row[1].name}" for row in TABLE],
)
def test_what_foreign_exceptions_mean(
    problem: Exception, outcome: Outcome, transient: bool, detail: str
) -> None:
    failure = failure_of(problem)
    assert (failure.outcome, failure.transient) == (outcome, transient)
    assert detail in failure.detail


@pytest.mark.parametrize(
    ("problem", "detail"),
    [
        (ServerDisconnectedError(HALF_A_HEAD), "the connection ended within the headers"),
        (InvalidHeader(b"session=s3cret\0"), "Invalid HTTP header"),
        (LineTooLong(b"session=s3cret", 9), "Got more than 9 bytes when reading"),
        (
            BadHttpMessage("Invalid header token:\n\n  b'Set-Cookie : a=s3cret'\n              ^"),
            "Invalid header token",
        ),
        (
            BadHttpMessage("Invalid header token:\n\n  b'X Y: a'\n    ^"),
            "Invalid header token: b'X Y: a' ^",
        ),
        (
            caused(ClientPayloadError("x"), BadHttpMessage("Bad trailer: b'set-cookie: a=s3cret'")),
            "Bad trailer",
        ),
    ],
)
def test_no_detail_shows_a_cookie(problem: Exception, detail: str) -> None:
    assert failure_of(problem).detail == detail


def test_details_are_one_short_clean_line() -> None:
    detail = failure_of(ValueError("a\n  b\x00\ud800 " + "c" * 1000)).detail
    assert detail.startswith("ValueError: a b\ufffd\ufffd ccc")
    assert len(detail) == DETAIL_CHARACTERS


def test_whatever_may_pass_is_a_failure_and_no_answer() -> None:
    transient = {failure_of(row[0]).outcome for row in TABLE if row[2]}
    assert {outcome.state for outcome in transient} == {UrlState.FAILED}
