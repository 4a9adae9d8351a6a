"""Foreign exceptions translated, once: what went wrong, in our words, and whether it may pass."""

import re
import socket
import ssl
from functools import singledispatch

from aiohttp import (
    ClientConnectionError,
    ClientConnectorCertificateError,
    ClientConnectorError,
    ClientPayloadError,
    InvalidURL,
    ServerDisconnectedError,
)
from aiohttp.http_exceptions import (
    ContentLengthError,
    HttpProcessingError,
    TransferEncodingError,
)
from msgspec import Struct

from gossamer.fetch.address_guard import ForbiddenAddressError
from gossamer.fetch.connector import HostNameError
from gossamer.fetch.deadline import TooLateError, TooSlowError
from gossamer.fetch.decoding import DecodingError
from gossamer.fetch.lenient_head import MalformedAnswerError
from gossamer.fetch.socks import ProxyRefusedError, ProxyUnreachableError, SocksReplyError
from gossamer.fetch.system_details import (
    certificate_detail,
    name_detail,
    system_detail,
    tls_detail,
)
from gossamer.model.details import MAX_CHARACTERS, Detail, DetailCode, foreign_text, unforeseen
from gossamer.model.outcome import Outcome
from gossamer.model.text import one_line

_NO_TLS = frozenset({"WRONG_VERSION_NUMBER", "HTTP_REQUEST"})
"""What OpenSSL says where the first bytes of an answer are none of TLS, an HTTP answer's too."""
_QUOTED = re.compile(r":\s*b['\"].*", re.DOTALL)


class Failure(Struct, frozen=True):
    """Why a hop has no usable answer. `transient` as in `Visit`."""

    outcome: Outcome
    detail: Detail
    transient: bool = False


def failure_of(problem: Exception) -> Failure:
    """What `problem`, raised anywhere between the look-up of the host and the last byte, means."""
    return Failure(*_reading(problem))


_Reading = tuple[Outcome, Detail, bool]


@singledispatch
def _reading(problem: BaseException) -> _Reading:
    return Outcome.UNEXPECTED_ERROR, unforeseen(problem), False


@_reading.register
def _(problem: OSError) -> _Reading:
    if isinstance(problem, ConnectionRefusedError):
        return Outcome.CONNECTION_REFUSED, system_detail(problem), True
    if isinstance(problem, ConnectionError):
        return Outcome.CONNECTION_LOST, system_detail(problem), True
    return Outcome.CONNECTION_FAILED, system_detail(problem), True


@_reading.register
def _(problem: TimeoutError) -> _Reading:
    detail = system_detail(problem) if problem.errno else DetailCode.DEADLINE()
    return Outcome.TIMEOUT, detail, True


@_reading.register
def _(problem: TooLateError) -> _Reading:
    return Outcome.TIMEOUT, problem.detail, True


@_reading.register
def _(problem: socket.gaierror) -> _Reading:
    # EAI_AGAIN: the name server did not answer. The others are the name server's answer.
    return Outcome.DNS_FAILURE, name_detail(problem), problem.errno == socket.EAI_AGAIN


@_reading.register
def _(problem: HostNameError) -> _Reading:
    return Outcome.DNS_FAILURE, problem.detail, False


@_reading.register
def _(problem: ssl.SSLError) -> _Reading:
    outcome = Outcome.NOT_HTTPS if problem.reason in _NO_TLS else Outcome.TLS_ERROR
    return outcome, tls_detail(problem), False


@_reading.register
def _(problem: ssl.SSLCertVerificationError) -> _Reading:
    return Outcome.BAD_CERTIFICATE, certificate_detail(problem), False


@_reading.register
def _(problem: ClientConnectorError) -> _Reading:
    outcome, detail, transient = _reading(problem.os_error)
    if outcome is Outcome.CONNECTION_LOST:  # TCP stood: it was TLS that did not come about
        why = detail if str(problem.os_error) else DetailCode.SERVER_CLOSED()
        detail = DetailCode.CONNECTING(why=why)
    return outcome, detail, transient


@_reading.register
def _(problem: ProxyUnreachableError) -> _Reading:
    cause = problem.__cause__
    if cause is None:
        return Outcome.PROXY_FAILURE, DetailCode.PROXY(why=DetailCode.CONNECTION_FAILED()), True
    _, detail, transient = _reading(cause)
    return Outcome.PROXY_FAILURE, DetailCode.PROXY(why=detail), transient


@_reading.register
def _(problem: SocksReplyError) -> _Reading:
    if problem.refused:
        return Outcome.CONNECTION_REFUSED, problem.detail, problem.transient
    return _unlike_the_proxy(problem.transient), problem.detail, problem.transient


@_reading.register
def _(problem: ProxyRefusedError) -> _Reading:
    return _unlike_the_proxy(problem.transient), problem.detail, problem.transient


@_reading.register
def _(problem: ForbiddenAddressError) -> _Reading:
    return Outcome.FORBIDDEN_ADDRESS, problem.detail, False


@_reading.register
def _(problem: ClientConnectorCertificateError) -> _Reading:
    return _reading(problem.certificate_error)


@_reading.register
def _(problem: ClientConnectionError) -> _Reading:
    # The connection had been made: the operating system's errors after that end up here too.
    if isinstance(problem, OSError):
        return Outcome.CONNECTION_LOST, system_detail(problem), True
    text = str(problem)
    return (
        Outcome.CONNECTION_LOST,
        foreign_text(text) if text else DetailCode.CONNECTION_ABORTED(),
        True,
    )


@_reading.register
def _(problem: ServerDisconnectedError) -> _Reading:
    # Where the headers had begun, aiohttp's message is what there was of them, cookies and all.
    begun = not isinstance(problem.message, str)
    code = DetailCode.WITHIN_HEADERS if begun else DetailCode.NO_ANSWER
    return Outcome.CONNECTION_LOST, code(), True


@_reading.register
def _(problem: ClientPayloadError) -> _Reading:
    cause = problem.__cause__
    detail = DetailCode.WITHIN_BODY() if cause is None else _reading(cause)[1]
    return Outcome.CONNECTION_LOST, detail, True


@_reading.register
def _(problem: HttpProcessingError) -> _Reading:
    # Its code is 400 whatever the server said: it is the parser's, not the server's.
    detail = DetailCode.HTTP_MALFORMED(message=_without_cookies(problem.message))
    return Outcome.MALFORMED_RESPONSE, detail, False


@_reading.register
def _(problem: MalformedAnswerError) -> _Reading:
    return Outcome.MALFORMED_RESPONSE, problem.detail, False


@_reading.register
def _(_problem: ContentLengthError) -> _Reading:
    return Outcome.MALFORMED_RESPONSE, DetailCode.HTTP_BODY_SHORT(), False


@_reading.register
def _(_problem: TransferEncodingError) -> _Reading:
    # aiohttp's parser raises it where the connection ends, and nowhere else.
    return Outcome.MALFORMED_RESPONSE, DetailCode.HTTP_CHUNKS_SHORT(), False


@_reading.register
def _(problem: InvalidURL) -> _Reading:
    return Outcome.MALFORMED_URL, foreign_text(str(problem)), False


@_reading.register
def _(problem: TooSlowError) -> _Reading:
    return Outcome.TOO_SLOW, problem.detail, True


@_reading.register
def _(problem: DecodingError) -> _Reading:
    return Outcome.BROKEN_ENCODING, problem.detail, False


def _unlike_the_proxy(transient: bool) -> Outcome:  # noqa: FBT001 - one of two
    """Whose fault a proxy's no is: where it may pass, the proxy had no way to the server."""
    return Outcome.CONNECTION_FAILED if transient else Outcome.PROXY_FAILURE


def _without_cookies(text: str) -> str:
    """What aiohttp's parser says, with the line that it quotes unless that may hold a cookie."""
    # Of headers too long or with wrong characters it quotes the value and does not say the name.
    is_nameless = text.startswith(("Got more than", "Invalid HTTP header"))
    shown = _QUOTED.sub("", text) if is_nameless or "cookie" in text.lower() else text
    return one_line(shown, MAX_CHARACTERS)
