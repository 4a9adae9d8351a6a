import errno
import socket
import ssl

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
    TransferEncodingError,
)
from multidict import CIMultiDict, CIMultiDictProxy

from gossamer.fetch.address_guard import AddressClass, ForbiddenAddressError
from gossamer.fetch.connector import HostNameError
from gossamer.fetch.content_decoding import DecodingError
from gossamer.fetch.fetch_failures import FetchFailure, failure_of
from gossamer.fetch.lenient_headers import MalformedResponseError
from gossamer.fetch.socks_proxy import ProxyRefusedError, ProxyUnreachableError, SocksReplyError
from gossamer.fetch.timeouts import DeadlineExceededError, TooSlowError
from gossamer.model.outcome import Outcome, UrlState
from gossamer.model.outcome_details import MAX_CHARACTERS, Detail, DetailCode, free_text
from tests.cases import each_case

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


def certificate_error(code: int, message: str) -> ClientConnectorCertificateError:
    problem = ssl.SSLCertVerificationError(1, "[SSL: CERTIFICATE_VERIFY_FAILED]")
    problem.verify_code, problem.verify_message = code, message
    return ClientConnectorCertificateError(KEY, problem)


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


def proxy(code: DetailCode) -> Detail:
    return DetailCode.PROXY(why=code())


TABLE: list[tuple[Exception, Outcome, bool, Detail]] = [
    (looking_up(socket.EAI_NONAME), Outcome.DNS_FAILURE, NEVER, DetailCode.NAME_UNKNOWN()),
    (looking_up(socket.EAI_AGAIN), Outcome.DNS_FAILURE, AGAIN, DetailCode.NAME_SERVER_SILENT()),
    (looking_up(socket.EAI_FAIL), Outcome.DNS_FAILURE, NEVER, DetailCode.NAME_SERVER_FAILED()),
    (
        HostNameError(DetailCode.NAME_WITHOUT_ADDRESS()),
        Outcome.DNS_FAILURE,
        NEVER,
        DetailCode.NAME_WITHOUT_ADDRESS(),
    ),
    (
        connecting(errno.ECONNREFUSED, "Connect call failed ('10.0.0.1', 8080)"),
        Outcome.CONNECTION_REFUSED,
        AGAIN,
        DetailCode.AT_ADDRESS(why=DetailCode.CONNECTION_REFUSED(), address="10.0.0.1", port=8080),
    ),
    (
        connecting(errno.ECONNRESET),
        Outcome.CONNECTION_LOST,
        AGAIN,
        DetailCode.CONNECTING(why=DetailCode.CONNECTION_RESET()),
    ),
    (
        ClientConnectorError(KEY, ConnectionResetError()),
        Outcome.CONNECTION_LOST,
        AGAIN,
        DetailCode.CONNECTING(why=DetailCode.SERVER_CLOSED()),
    ),
    (
        connecting(errno.EHOSTUNREACH),
        Outcome.CONNECTION_FAILED,
        AGAIN,
        DetailCode.HOST_UNREACHABLE(),
    ),
    (
        ClientConnectorError(KEY, OSError("Multiple exceptions: [Errno 101] no, [Errno 113] no")),
        Outcome.CONNECTION_FAILED,
        AGAIN,
        DetailCode.NETWORK_UNREACHABLE(),
    ),
    (
        connecting(errno.EMFILE, "Too many open files"),
        Outcome.CONNECTION_FAILED,
        AGAIN,
        DetailCode.TOO_MANY_FILES(),
    ),
    (
        connecting(errno.ENOTTY, "not a typewriter"),
        Outcome.CONNECTION_FAILED,
        AGAIN,
        DetailCode.SYSTEM_ERROR(name="ENOTTY", message="not a typewriter"),
    ),
    (
        connecting(errno.ETIMEDOUT),
        Outcome.TIMEOUT,
        AGAIN,
        DetailCode.CONNECTION_TIMED_OUT(),
    ),
    (
        certificate_error(10, "certificate has expired"),
        Outcome.BAD_CERTIFICATE,
        NEVER,
        DetailCode.CERTIFICATE_EXPIRED(),
    ),
    (
        certificate_error(62, "Hostname mismatch, certificate is not valid for 'a.example'."),
        Outcome.BAD_CERTIFICATE,
        NEVER,
        DetailCode.CERTIFICATE_HOST(host="a.example"),
    ),
    (
        certificate_error(99, "something else"),
        Outcome.BAD_CERTIFICATE,
        NEVER,
        free_text("something else"),
    ),
    (
        ClientConnectorSSLError(KEY, ssl_error("WRONG_VERSION_NUMBER")),
        Outcome.NOT_HTTPS,
        NEVER,
        DetailCode.TLS_WRONG_VERSION(),
    ),
    (
        ClientConnectorSSLError(KEY, ssl_error("SSLV3_ALERT_HANDSHAKE_FAILURE")),
        Outcome.TLS_ERROR,
        NEVER,
        DetailCode.TLS_ALERT(alert=DetailCode.ALERT_HANDSHAKE()),
    ),
    (
        ClientConnectorSSLError(KEY, ssl_error("TLSV1_ALERT_NO_RENEGOTIATION")),
        Outcome.TLS_ERROR,
        NEVER,
        DetailCode.TLS_ALERT(alert="no renegotiation"),
    ),
    (
        ClientConnectorSSLError(KEY, ssl_error("BAD_ECPOINT")),
        Outcome.TLS_ERROR,
        NEVER,
        DetailCode.TLS_ERROR(reason="bad ecpoint"),
    ),
    (
        DeadlineExceededError(DetailCode.NO_CONNECTION_WITHIN(seconds=10)),
        Outcome.TIMEOUT,
        AGAIN,
        DetailCode.NO_CONNECTION_WITHIN(seconds=10),
    ),
    (TimeoutError(), Outcome.TIMEOUT, AGAIN, DetailCode.DEADLINE()),
    (
        TooSlowError(DetailCode.PACE(least=100)),
        Outcome.TOO_SLOW,
        AGAIN,
        DetailCode.PACE(least=100),
    ),
    (ServerDisconnectedError(), Outcome.CONNECTION_LOST, AGAIN, DetailCode.NO_RESPONSE()),
    (
        ServerDisconnectedError(HALF_A_HEAD),
        Outcome.CONNECTION_LOST,
        AGAIN,
        DetailCode.WITHIN_HEADERS(),
    ),
    (
        ClientOSError(errno.ECONNRESET, "reset"),
        Outcome.CONNECTION_LOST,
        AGAIN,
        DetailCode.CONNECTION_RESET(),
    ),
    (
        ClientOSError(errno.ETIMEDOUT, "gone"),
        Outcome.CONNECTION_LOST,
        AGAIN,
        DetailCode.CONNECTION_TIMED_OUT(),
    ),
    (ClientConnectionError(), Outcome.CONNECTION_LOST, AGAIN, DetailCode.CONNECTION_ABORTED()),
    (
        caused(ClientPayloadError("x"), ContentLengthError("3 of 9")),
        Outcome.CONNECTION_LOST,
        AGAIN,
        DetailCode.HTTP_BODY_SHORT(),
    ),
    (
        caused(ClientPayloadError("x"), TransferEncodingError("x")),
        Outcome.CONNECTION_LOST,
        AGAIN,
        DetailCode.HTTP_CHUNKS_SHORT(),
    ),
    (
        caused(ClientPayloadError("x"), OSError(errno.ECONNRESET, "y")),
        Outcome.CONNECTION_LOST,
        AGAIN,
        DetailCode.CONNECTION_RESET(),
    ),
    (ClientPayloadError("x"), Outcome.CONNECTION_LOST, AGAIN, DetailCode.WITHIN_BODY()),
    (
        BadStatusLine("HTTP/0.9"),
        Outcome.MALFORMED_RESPONSE,
        NEVER,
        DetailCode.HTTP_MALFORMED(message="Bad status line 'HTTP/0.9'"),
    ),
    (
        MalformedResponseError(DetailCode.HTTP_LENGTHS()),
        Outcome.MALFORMED_RESPONSE,
        NEVER,
        DetailCode.HTTP_LENGTHS(),
    ),
    (
        DecodingError(DetailCode.CODING_CUT()),
        Outcome.BROKEN_ENCODING,
        NEVER,
        DetailCode.CODING_CUT(),
    ),
    (InvalidURL("h ttp:"), Outcome.MALFORMED_URL, NEVER, free_text("h ttp:")),
    (
        ZeroDivisionError("why"),
        Outcome.UNEXPECTED_ERROR,
        NEVER,
        DetailCode.EXCEPTION(kind="ZeroDivisionError", message="why"),
    ),
    (SocksReplyError("x", 2), Outcome.PROXY_FAILURE, NEVER, proxy(DetailCode.SOCKS_FORBIDDEN)),
    (
        SocksReplyError("x", 5),
        Outcome.CONNECTION_REFUSED,
        AGAIN,
        proxy(DetailCode.CONNECTION_REFUSED),
    ),
    (
        SocksReplyError("Username and password authentication failure", None),
        Outcome.PROXY_FAILURE,
        NEVER,
        proxy(DetailCode.SOCKS_SIGN_IN),
    ),
    (SocksReplyError("x", None), Outcome.PROXY_FAILURE, NEVER, proxy(DetailCode.SOCKS_MALFORMED)),
    (
        ProxyRefusedError(502, "Bad Gateway"),
        Outcome.CONNECTION_FAILED,
        AGAIN,
        DetailCode.PROXY_STATUS_REASON(status=502, reason="Bad Gateway"),
    ),
    (ProxyRefusedError(407, ""), Outcome.PROXY_FAILURE, NEVER, DetailCode.PROXY_STATUS(status=407)),
    (ProxyUnreachableError(), Outcome.PROXY_FAILURE, AGAIN, proxy(DetailCode.CONNECTION_FAILED)),
    (
        caused(ProxyUnreachableError(), connecting(errno.ECONNREFUSED)),
        Outcome.PROXY_FAILURE,
        AGAIN,
        proxy(DetailCode.CONNECTION_REFUSED),
    ),
    (
        ForbiddenAddressError("10.0.0.1", AddressClass.PRIVATE),
        Outcome.FORBIDDEN_ADDRESS,
        NEVER,
        DetailCode.PRIVATE_ADDRESS(host="10.0.0.1"),
    ),
]


@each_case(
    ("problem", "outcome", "transient", "detail"),
    TABLE,
    ids=[f"{type(row[0]).__name__}-{row[1].name}" for row in TABLE],
)
def test_what_foreign_exceptions_mean(
    problem: Exception, outcome: Outcome, transient: bool, detail: Detail
) -> None:
    assert failure_of(problem) == FetchFailure(outcome, detail, transient)


@each_case(
    ("problem", "detail"),
    [
        (ServerDisconnectedError(HALF_A_HEAD), "the connection closed within the headers"),
        (InvalidHeader(b"session=s3cret\0"), "malformed: Invalid HTTP header"),
        (LineTooLong(b"session=s3cret", 9), "malformed: Got more than 9 bytes when reading"),
        (
            BadHttpMessage("Invalid header token:\n\n  b'Set-Cookie : a=s3cret'\n              ^"),
            "malformed: Invalid header token",
        ),
        (
            BadHttpMessage("Invalid header token:\n\n  b'X Y: a'\n    ^"),
            "malformed: Invalid header token: b'X Y: a' ^",
        ),
        (
            caused(ClientPayloadError("x"), BadHttpMessage("Bad trailer: b'set-cookie: a=s3cret'")),
            "malformed: Bad trailer",
        ),
    ],
)
def test_no_detail_shows_a_cookie(problem: Exception, detail: str) -> None:
    assert str(failure_of(problem).detail) == detail


def test_details_are_one_short_clean_line() -> None:
    detail = failure_of(ValueError("a\n  b\x00\ud800 " + "c" * 1000)).detail
    kind, message = detail.values
    assert kind == "ValueError"
    assert str(message).startswith("a b\ufffd\ufffd ccc")
    assert len(str(message)) == MAX_CHARACTERS


def test_whatever_may_pass_is_a_failure_and_no_answer() -> None:
    transient = {failure_of(row[0]).outcome for row in TABLE if row[2]}
    assert {outcome.state for outcome in transient} == {UrlState.FAILED}
