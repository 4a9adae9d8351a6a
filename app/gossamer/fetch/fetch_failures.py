"""Translates exceptions of network libraries into outcomes: what failed, and whether to retry."""

import errno
import re
import socket
import ssl
from functools import singledispatch
from typing import Final

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
from gossamer.fetch.lenient_headers import MalformedResponseError
from gossamer.fetch.socks_proxy import ProxyRefusedError, ProxyUnreachableError, SocksReplyError
from gossamer.fetch.timeouts import DeadlineExceededError, TooSlowError
from gossamer.model.errors import UsageError
from gossamer.model.lazy_pattern import lazy_pattern
from gossamer.model.outcome import Outcome
from gossamer.model.outcome_details import (
    MAX_CHARACTERS,
    Detail,
    DetailCode,
    NotArchivedError,
    foreign_text,
    unforeseen,
)
from gossamer.model.text_cleaning import one_line

_ADDRESS: Final = lazy_pattern(r"Connect call failed \('(?P<address>[^']+)', (?P<port>\d+)")
"""How asyncio says to which address there is no connection."""
_FIRST_NUMBER: Final = lazy_pattern(r"\[Errno (\d+)\]")
_QUOTED_HOST: Final = lazy_pattern(r"'(.*)'")
_ALERT: Final = lazy_pattern(r"(?:TLSV1|TLSV13|SSLV3|SSL/TLS)_(?:ALERT_)?")

_SYSTEM: Final = {
    errno.ECONNREFUSED: DetailCode.CONNECTION_REFUSED,
    errno.ECONNRESET: DetailCode.CONNECTION_RESET,
    errno.EPIPE: DetailCode.CONNECTION_RESET,
    errno.ECONNABORTED: DetailCode.CONNECTION_ABORTED,
    errno.ETIMEDOUT: DetailCode.CONNECTION_TIMED_OUT,
    errno.EHOSTUNREACH: DetailCode.HOST_UNREACHABLE,
    errno.EHOSTDOWN: DetailCode.HOST_UNREACHABLE,
    errno.ENETUNREACH: DetailCode.NETWORK_UNREACHABLE,
    errno.ENETDOWN: DetailCode.NETWORK_DOWN,
    errno.EADDRNOTAVAIL: DetailCode.NO_LOCAL_ADDRESS,
    errno.EACCES: DetailCode.NOT_PERMITTED,
    errno.EPERM: DetailCode.NOT_PERMITTED,
    errno.EMFILE: DetailCode.TOO_MANY_FILES,
    errno.ENFILE: DetailCode.TOO_MANY_FILES,
    errno.ENOBUFS: DetailCode.NO_MEMORY,
    errno.ENOMEM: DetailCode.NO_MEMORY,
}
_KINDS: Final = (
    (ConnectionRefusedError, DetailCode.CONNECTION_REFUSED),
    (ConnectionResetError, DetailCode.CONNECTION_RESET),
    (BrokenPipeError, DetailCode.CONNECTION_RESET),
    (ConnectionAbortedError, DetailCode.CONNECTION_ABORTED),
)
"""Errors without a number, which Python makes itself."""
_NAMES: Final = {
    socket.EAI_NONAME: DetailCode.NAME_UNKNOWN,
    socket.EAI_AGAIN: DetailCode.NAME_SERVER_SILENT,
    socket.EAI_FAIL: DetailCode.NAME_SERVER_FAILED,
    getattr(socket, "EAI_NODATA", socket.EAI_NONAME): DetailCode.NAME_UNKNOWN,
}
_CERTIFICATES: Final = {
    7: DetailCode.CERTIFICATE_SIGNATURE,
    9: DetailCode.CERTIFICATE_FUTURE,
    10: DetailCode.CERTIFICATE_EXPIRED,
    18: DetailCode.CERTIFICATE_SELF_SIGNED,
    19: DetailCode.CERTIFICATE_SELF_SIGNED_CHAIN,
    20: DetailCode.CERTIFICATE_ISSUER,
    21: DetailCode.CERTIFICATE_FIRST,
    22: DetailCode.CERTIFICATE_CHAIN_LONG,
    23: DetailCode.CERTIFICATE_REVOKED,
    24: DetailCode.CERTIFICATE_AUTHORITY,
    26: DetailCode.CERTIFICATE_PURPOSE,
    66: DetailCode.CERTIFICATE_KEY_WEAK,
    67: DetailCode.CERTIFICATE_AUTHORITY_KEY_WEAK,
    68: DetailCode.CERTIFICATE_DIGEST_WEAK,
}
"""By the numbers of OpenSSL's `x509_vfy.h`."""
_CERTIFICATE_HOSTS: Final = {
    62: DetailCode.CERTIFICATE_HOST,
    64: DetailCode.CERTIFICATE_ADDRESS,
}
_TLS: Final = {
    "WRONG_VERSION_NUMBER": DetailCode.TLS_WRONG_VERSION,
    "HTTP_REQUEST": DetailCode.TLS_HTTP,
    "UNSUPPORTED_PROTOCOL": DetailCode.TLS_UNSUPPORTED,
    "UNEXPECTED_EOF_WHILE_READING": DetailCode.TLS_END,
    "DH_KEY_TOO_SMALL": DetailCode.TLS_WEAK_KEY,
}
_ALERTS: Final = {
    "HANDSHAKE_FAILURE": DetailCode.ALERT_HANDSHAKE,
    "PROTOCOL_VERSION": DetailCode.ALERT_PROTOCOL_VERSION,
    "UNRECOGNIZED_NAME": DetailCode.ALERT_NAME,
    "INTERNAL_ERROR": DetailCode.ALERT_INTERNAL,
    "ACCESS_DENIED": DetailCode.ALERT_ACCESS,
    "CERTIFICATE_REQUIRED": DetailCode.ALERT_CERTIFICATE,
    "INSUFFICIENT_SECURITY": DetailCode.ALERT_SECURITY,
    "ILLEGAL_PARAMETER": DetailCode.ALERT_PARAMETER,
    "DECODE_ERROR": DetailCode.ALERT_DECODE,
}
"""Alerts of RFC 8446 §6, as OpenSSL calls them behind the version of TLS."""


def system_detail(problem: OSError) -> Detail:
    """What the operating system says, with the address that it says it of."""
    text = str(problem)
    number = problem.errno
    if number is None and (found := _FIRST_NUMBER.search(text)):
        number = int(found[1])  # of several addresses, each with an error of its own
    if number is None:
        code = next((code for kind, code in _KINDS if isinstance(problem, kind)), None)
        return foreign_text(text or type(problem).__name__) if code is None else code()
    code = _SYSTEM.get(number)
    if code is None:
        name = errno.errorcode.get(number, str(number))
        message = one_line(problem.strerror or "", MAX_CHARACTERS)
        return DetailCode.SYSTEM_ERROR(name=name, message=message)
    why = code()
    address = _ADDRESS.search(text)
    if address is None:
        return why
    return DetailCode.AT_ADDRESS(why=why, address=address["address"], port=int(address["port"]))


def name_detail(problem: socket.gaierror) -> Detail:
    """The result of the look-up of a host name."""
    code = _NAMES.get(problem.errno or 0)
    return foreign_text(str(problem)) if code is None else code()


def certificate_detail(problem: ssl.SSLCertVerificationError) -> Detail:
    """What is wrong with a certificate."""
    number: int = getattr(problem, "verify_code", 0)
    message: str = getattr(problem, "verify_message", "") or str(problem)
    if number in _CERTIFICATES:
        return _CERTIFICATES[number]()
    host = _QUOTED_HOST.search(message)
    if number in _CERTIFICATE_HOSTS and host is not None:
        return _CERTIFICATE_HOSTS[number](host=host[1])
    return foreign_text(message)


def tls_detail(problem: ssl.SSLError) -> Detail:
    """Why a handshake failed. OpenSSL's reasons look like WRONG_VERSION_NUMBER."""
    reason = problem.reason or ""
    if reason in _TLS:
        return _TLS[reason]()
    if not reason.isupper():
        return foreign_text(reason or str(problem))
    prefix = _ALERT.match(reason)
    name = reason[prefix.end() :] if prefix else reason
    if prefix is None:
        return DetailCode.TLS_ERROR(reason=_lower(name))
    alert = _ALERTS.get(name)
    return DetailCode.TLS_ALERT(alert=alert() if alert else _lower(name))


def _lower(reason: str) -> str:
    return reason.replace("_", " ").lower()


_NO_TLS = frozenset({"WRONG_VERSION_NUMBER", "HTTP_REQUEST"})
"""What OpenSSL says if the first bytes of a response are not TLS, such as those of HTTP."""
_QUOTED = lazy_pattern(r":\s*b['\"].*", re.DOTALL)


class FetchFailure(Struct, frozen=True):
    """Why a hop has no usable response. `transient` as in `Visit`."""

    outcome: Outcome
    detail: Detail
    transient: bool = False


def failure_of(problem: Exception) -> FetchFailure:
    """The failure that `problem` means, raised anywhere from the host look-up to the last byte."""
    return FetchFailure(*_translation(problem))


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
def _(problem: DeadlineExceededError) -> _Translation:
    return Outcome.TIMEOUT, problem.detail, True


@_translation.register
def _(problem: socket.gaierror) -> _Translation:
    # EAI_AGAIN: the name server did not respond. The others are its response.
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
def _(problem: UsageError) -> _Translation:
    # A client certificate that could be used when the crawl started.
    return Outcome.TLS_ERROR, foreign_text(str(problem)), False


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
    # If the headers had begun, aiohttp's message is what there was of them, cookies included.
    begun = not isinstance(problem.message, str)
    code = DetailCode.WITHIN_HEADERS if begun else DetailCode.NO_RESPONSE
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
def _(problem: MalformedResponseError) -> _Translation:
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
def _(problem: NotArchivedError) -> _Translation:
    return Outcome.NOT_IN_ARCHIVE, problem.detail, False


@_translation.register
def _(problem: DecodingError) -> _Translation:
    return Outcome.BROKEN_ENCODING, problem.detail, False


def _unlike_the_proxy(transient: bool) -> Outcome:  # noqa: FBT001 - one of two
    """Whose fault a proxy's refusal is: if it may pass, the proxy could not reach the server."""
    return Outcome.CONNECTION_FAILED if transient else Outcome.PROXY_FAILURE


def _without_cookies(text: str) -> str:
    """What aiohttp's parser says, with the line that it quotes unless that may hold a cookie."""
    # Of headers too long or with wrong characters it quotes the value and does not say the name.
    is_nameless = text.startswith(("Got more than", "Invalid HTTP header"))
    shown = _QUOTED.sub("", text) if is_nameless or "cookie" in text.lower() else text
    return one_line(shown, MAX_CHARACTERS)
