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
from gossamer.fetch.content_decoding import DecodingError
from gossamer.fetch.deadline import TooLateError, TooSlowError
from gossamer.fetch.lenient_headers import MalformedAnswerError
from gossamer.fetch.os_error_details import (
    certificate_detail,
    name_detail,
    system_detail,
    tls_detail,
)
from gossamer.fetch.socks_proxy import ProxyRefusedError, ProxyUnreachableError, SocksReplyError
from gossamer.model.outcome import Outcome
from gossamer.model.outcome_details import (
    MAX_CHARACTERS,
    Detail,
    DetailCode,
    foreign_text,
    unforeseen,
)
from gossamer.model.text_cleaning import one_line

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
    return Failure(*_translation(problem))


_Translation = tuple[Outcome, Detail, bool]


@singledispatch
def _translation(problem: BaseException) -> _Translation:
    return Outcome.UNEXPECTED_ERROR, unforeseen(problem), False


@_translation.register
def _(problem: OSError) -> _Translation:
    if isinstance(problem, ConnectionRefusedError):
        return Outcome.CONNECTION_REFUSED, system_detail(problem), True
    if isinstance(problem, ConnectionError):
        return Outcome.CONNECTION_LOST, system_detail(problem), True
    return Outcome.CONNECTION_FAILED, system_detail(problem), True


@_translation.register
def _(problem: TimeoutError) -> _Translation:
    detail = system_detail(problem) if problem.errno else DetailCode.DEADLINE()
    return Outcome.TIMEOUT, detail, True


@_translation.register
def _(problem: TooLateError) -> _Translation:
    return Outcome.TIMEOUT, problem.detail, True


@_translation.register
def _(problem: socket.gaierror) -> _Translation:
    # EAI_AGAIN: the name server did not answer. The others are the name server's answer.
    return Outcome.DNS_FAILURE, name_detail(problem), problem.errno == socket.EAI_AGAIN


@_translation.register
def _(problem: HostNameError) -> _Translation:
    return Outcome.DNS_FAILURE, problem.detail, False


@_translation.register
def _(problem: ssl.SSLError) -> _Translation:
    outcome = Outcome.NOT_HTTPS if problem.reason in _NO_TLS else Outcome.TLS_ERROR
    return outcome, tls_detail(problem), False


@_translation.register
def _(problem: ssl.SSLCertVerificationError) -> _Translation:
    return Outcome.BAD_CERTIFICATE, certificate_detail(problem), False


@_translation.register
def _(problem: ClientConnectorError) -> _Translation:
    outcome, detail, transient = _translation(problem.os_error)
    if outcome is Outcome.CONNECTION_LOST:  # TCP stood: it was TLS that did not come about
        why = detail if str(problem.os_error) else DetailCode.SERVER_CLOSED()
        detail = DetailCode.CONNECTING(why=why)
    return outcome, detail, transient


@_translation.register
def _(problem: ProxyUnreachableError) -> _Translation:
    cause = problem.__cause__
    if cause is None:
        return Outcome.PROXY_FAILURE, DetailCode.PROXY(why=DetailCode.CONNECTION_FAILED()), True
    _, detail, transient = _translation(cause)
    return Outcome.PROXY_FAILURE, DetailCode.PROXY(why=detail), transient


@_translation.register
def _(problem: SocksReplyError) -> _Translation:
    if problem.refused:
        return Outcome.CONNECTION_REFUSED, problem.detail, problem.transient
    return _unlike_the_proxy(problem.transient), problem.detail, problem.transient


@_translation.register
def _(problem: ProxyRefusedError) -> _Translation:
    return _unlike_the_proxy(problem.transient), problem.detail, problem.transient


@_translation.register
def _(problem: ForbiddenAddressError) -> _Translation:
    return Outcome.FORBIDDEN_ADDRESS, problem.detail, False


@_translation.register
def _(problem: ClientConnectorCertificateError) -> _Translation:
    return _translation(problem.certificate_error)


@_translation.register
def _(problem: ClientConnectionError) -> _Translation:
    # The connection had been made: the operating system's errors after that end up here too.
    if isinstance(problem, OSError):
        return Outcome.CONNECTION_LOST, system_detail(problem), True
    text = str(problem)
    return (
        Outcome.CONNECTION_LOST,
        foreign_text(text) if text else DetailCode.CONNECTION_ABORTED(),
        True,
    )


@_translation.register
def _(problem: ServerDisconnectedError) -> _Translation:
    # Where the headers had begun, aiohttp's message is what there was of them, cookies and all.
    begun = not isinstance(problem.message, str)
    code = DetailCode.WITHIN_HEADERS if begun else DetailCode.NO_ANSWER
    return Outcome.CONNECTION_LOST, code(), True


@_translation.register
def _(problem: ClientPayloadError) -> _Translation:
    cause = problem.__cause__
    detail = DetailCode.WITHIN_BODY() if cause is None else _translation(cause)[1]
    return Outcome.CONNECTION_LOST, detail, True


@_translation.register
def _(problem: HttpProcessingError) -> _Translation:
    # Its code is 400 whatever the server said: it is the parser's, not the server's.
    detail = DetailCode.HTTP_MALFORMED(message=_without_cookies(problem.message))
    return Outcome.MALFORMED_RESPONSE, detail, False


@_translation.register
def _(problem: MalformedAnswerError) -> _Translation:
    return Outcome.MALFORMED_RESPONSE, problem.detail, False


@_translation.register
def _(_problem: ContentLengthError) -> _Translation:
    return Outcome.MALFORMED_RESPONSE, DetailCode.HTTP_BODY_SHORT(), False


@_translation.register
def _(_problem: TransferEncodingError) -> _Translation:
    # aiohttp's parser raises it where the connection ends, and nowhere else.
    return Outcome.MALFORMED_RESPONSE, DetailCode.HTTP_CHUNKS_SHORT(), False


@_translation.register
def _(problem: InvalidURL) -> _Translation:
    return Outcome.MALFORMED_URL, foreign_text(str(problem)), False


@_translation.register
def _(problem: TooSlowError) -> _Translation:
    return Outcome.TOO_SLOW, problem.detail, True


@_translation.register
def _(problem: DecodingError) -> _Translation:
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
