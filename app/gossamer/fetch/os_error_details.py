"""What the operating system, name servers and OpenSSL report, as details.

They say it by numbers and names, and in English besides: that is kept only where nothing else is
known of what went wrong.
"""

import errno
import re
import socket
import ssl
from typing import Final

from gossamer.model.outcome_details import MAX_CHARACTERS, Detail, DetailCode, foreign_text
from gossamer.model.text_cleaning import one_line

_ADDRESS: Final = re.compile(r"Connect call failed \('(?P<address>[^']+)', (?P<port>\d+)")
"""How asyncio says to which address there is no connection."""
_FIRST_NUMBER: Final = re.compile(r"\[Errno (\d+)\]")
_QUOTED: Final = re.compile(r"'(.*)'")
_ALERT: Final = re.compile(r"(?:TLSV1|TLSV13|SSLV3|SSL/TLS)_(?:ALERT_)?")

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
"""Of errors that have no number: those that were made by Python."""
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
    """What the look-up of a host name came to."""
    code = _NAMES.get(problem.errno or 0)
    return foreign_text(str(problem)) if code is None else code()


def certificate_detail(problem: ssl.SSLCertVerificationError) -> Detail:
    """What is wrong with a certificate."""
    number: int = getattr(problem, "verify_code", 0)
    message: str = getattr(problem, "verify_message", "") or str(problem)
    if number in _CERTIFICATES:
        return _CERTIFICATES[number]()
    host = _QUOTED.search(message)
    if number in _CERTIFICATE_HOSTS and host is not None:
        return _CERTIFICATE_HOSTS[number](host=host[1])
    return foreign_text(message)


def tls_detail(problem: ssl.SSLError) -> Detail:
    """Why a handshake came to nothing. OpenSSL has its reasons like WRONG_VERSION_NUMBER."""
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
