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
from aiohttp.http_exceptions import HttpProcessingError
from msgspec import Struct

from gossamer.fetch.address_guard import ForbiddenAddressError
from gossamer.fetch.deadline import TooSlowError
from gossamer.fetch.decoding import DecodingError
from gossamer.fetch.socks import ProxyRefusedError, ProxyUnreachableError, SocksReplyError
from gossamer.model.outcome import Outcome
from gossamer.model.text import one_line

DETAIL_CHARACTERS = 500
_NO_TLS = frozenset({"WRONG_VERSION_NUMBER", "HTTP_REQUEST"})
"""What OpenSSL says where the first bytes of an answer are none of TLS, an HTTP answer's too."""
_QUOTED = re.compile(r":\s*b['\"].*", re.DOTALL)


class Failure(Struct, frozen=True):
    """Why a hop has no usable answer. `detail` is one line; `transient` as in `Visit`."""

    outcome: Outcome
    detail: str
    transient: bool = False


def failure_of(problem: Exception) -> Failure:
    """What `problem`, raised anywhere between the look-up of the host and the last byte, means."""
    outcome, detail, transient = _reading(problem)
    return Failure(outcome, one_line(detail, DETAIL_CHARACTERS), transient)


_Reading = tuple[Outcome, str, bool]


@singledispatch
def _reading(problem: Exception) -> _Reading:
    return Outcome.UNEXPECTED_ERROR, f"{type(problem).__name__}: {problem}", False


@_reading.register
def _(problem: OSError) -> _Reading:
    if isinstance(problem, ConnectionRefusedError):
        return Outcome.CONNECTION_REFUSED, str(problem), True
    if isinstance(problem, ConnectionError):
        return Outcome.CONNECTION_LOST, str(problem), True
    return Outcome.CONNECTION_FAILED, str(problem), True


@_reading.register
def _(problem: TimeoutError) -> _Reading:
    return Outcome.TIMEOUT, str(problem) or "the deadline passed", True


@_reading.register
def _(problem: socket.gaierror) -> _Reading:
    # EAI_AGAIN: the name server did not answer. The others are the name server's answer.
    return Outcome.DNS_FAILURE, str(problem), problem.errno == socket.EAI_AGAIN


@_reading.register
def _(problem: ssl.SSLError) -> _Reading:
    reason = problem.reason or str(problem)
    outcome = Outcome.NOT_HTTPS if reason in _NO_TLS else Outcome.TLS_ERROR
    # OpenSSL spells its reasons like constants: WRONG_VERSION_NUMBER.
    return outcome, reason.replace("_", " ").lower() if reason.isupper() else reason, False


@_reading.register
def _(problem: ssl.SSLCertVerificationError) -> _Reading:
    return Outcome.BAD_CERTIFICATE, getattr(problem, "verify_message", "") or str(problem), False


@_reading.register
def _(problem: ClientConnectorError) -> _Reading:
    outcome, detail, transient = _reading(problem.os_error)
    if outcome is Outcome.CONNECTION_LOST:  # TCP stood: it was TLS that did not come about
        detail = f"while connecting: {detail or 'the server closed the connection'}"
    return outcome, detail, transient


@_reading.register
def _(problem: ProxyUnreachableError) -> _Reading:
    cause = problem.__cause__
    if not isinstance(cause, Exception):
        return Outcome.PROXY_FAILURE, "the proxy: no connection", True
    _, detail, transient = _reading(cause)
    return Outcome.PROXY_FAILURE, f"the proxy: {detail}", transient


@_reading.register
def _(problem: SocksReplyError) -> _Reading:
    if problem.refused:
        return Outcome.CONNECTION_REFUSED, str(problem), problem.transient
    return _unlike_the_proxy(problem.transient), str(problem), problem.transient


@_reading.register
def _(problem: ProxyRefusedError) -> _Reading:
    return _unlike_the_proxy(problem.transient), str(problem), problem.transient


@_reading.register
def _(problem: ForbiddenAddressError) -> _Reading:
    return Outcome.FORBIDDEN_ADDRESS, str(problem), False


@_reading.register
def _(problem: ClientConnectorCertificateError) -> _Reading:
    return _reading(problem.certificate_error)


@_reading.register
def _(problem: ClientConnectionError) -> _Reading:
    # The connection had been made: the operating system's errors after that end up here too.
    return Outcome.CONNECTION_LOST, str(problem) or type(problem).__name__, True


@_reading.register
def _(problem: ServerDisconnectedError) -> _Reading:
    # Where the headers had begun, aiohttp's message is what there was of them, cookies and all.
    begun = not isinstance(problem.message, str)
    detail = "the connection ended without an answer"
    return (
        Outcome.CONNECTION_LOST,
        "the connection ended within the headers" if begun else detail,
        True,
    )


@_reading.register
def _(problem: ClientPayloadError) -> _Reading:
    return Outcome.CONNECTION_LOST, _body_trouble(problem), True


@_reading.register
def _(problem: HttpProcessingError) -> _Reading:
    # Its code is 400 whatever the server said: it is the parser's, not the server's.
    return Outcome.MALFORMED_RESPONSE, _parser_trouble(problem), False


@_reading.register
def _(problem: InvalidURL) -> _Reading:
    return Outcome.MALFORMED_URL, str(problem), False


@_reading.register
def _(problem: TooSlowError) -> _Reading:
    return Outcome.TOO_SLOW, str(problem), True


@_reading.register
def _(problem: DecodingError) -> _Reading:
    return Outcome.BROKEN_ENCODING, str(problem), False


def _unlike_the_proxy(transient: bool) -> Outcome:  # noqa: FBT001 - one of two
    """Whose fault a proxy's no is: where it may pass, the proxy had no way to the server."""
    return Outcome.CONNECTION_FAILED if transient else Outcome.PROXY_FAILURE


def _body_trouble(problem: ClientPayloadError) -> str:
    cause = problem.__cause__
    return (
        _parser_trouble(cause) if isinstance(cause, HttpProcessingError) else str(cause or problem)
    )


def _parser_trouble(problem: HttpProcessingError) -> str:
    """What aiohttp's parser says, with the line that it quotes unless that may hold a cookie."""
    text = problem.message
    # Of headers too long or with wrong characters it quotes the value and does not say the name.
    is_nameless = text.startswith(("Got more than", "Invalid HTTP header"))
    return _QUOTED.sub("", text) if is_nameless or "cookie" in text.lower() else text
