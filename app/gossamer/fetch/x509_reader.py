"""Reads the main facts of a certificate from its bytes (RFC 5280, X.690).

Python's ssl reads only certificates that it has checked; `cryptography` reads any, but is large.
Whatever violates the rules raises ValueError: a server may send anything.
"""

from calendar import timegm
from collections.abc import Iterator
from contextlib import suppress
from hashlib import sha256
from ipaddress import ip_address
from time import strptime
from typing import Final, NamedTuple

from gossamer.model.text_cleaning import one_line
from gossamer.model.timestamps import LATEST_S

_OCTET_STRING: Final = 0x04
_OID: Final = 0x06
_UTC_TIME: Final = 0x17
_GENERALIZED_TIME: Final = 0x18
_SEQUENCE: Final = 0x30
_VERSION: Final = 0xA0
_EXTENSIONS: Final = 0xA3
_DNS_NAME: Final = 0x82
_IP_ADDRESS: Final = 0x87
_LONG: Final = 0x80
_LONGEST_LENGTH: Final = 4
"""Bytes in which the length of a value is written: no certificate has more than 4 GiB."""
_COMMON_NAME: Final = bytes.fromhex("550403")
_ORGANISATION: Final = bytes.fromhex("55040a")
_SUBJECT_ALT_NAME: Final = bytes.fromhex("551d11")
_ENCODINGS: Final = {0x0C: "utf-8", 0x1E: "utf-16-be", 0x1C: "utf-32-be"}
"""Of strings that are not Latin 1, by tag."""
_CENTURY: Final = 50
"""Years of two digits from here on are of 1900 (RFC 5280 §4.1.2.5.1)."""
MAX_NAMES: Final = 100
_MAX_CHARACTERS: Final = 300


class X509Certificate(NamedTuple):
    """The facts of a certificate; times are Unix times."""

    not_before: float
    not_after: float
    subject: str
    issuer: str
    host_names: tuple[str, ...]
    fingerprint: str


class _Value(NamedTuple):
    tag: int
    content: bytes


def read_certificate(der: bytes) -> X509Certificate:
    """Read a certificate; ValueError if it is none."""
    whole, *_ = _values(der)
    to_be_signed, *_ = _values(_content(whole, _SEQUENCE))
    fields = [each for each in _values(_content(to_be_signed, _SEQUENCE)) if each.tag != _VERSION]
    if len(fields) < len(("serial", "algorithm", "issuer", "validity", "subject", "key")):
        raise ValueError("a certificate lacks fields")
    _, _, issuer, validity, subject, _, *others = fields
    times = [_time(each) for each in _values(_content(validity, _SEQUENCE))]
    if len(times) != len(("not before", "not after")):
        raise ValueError("a certificate is valid between two times")
    return X509Certificate(
        times[0],
        times[1],
        _name(subject),
        _name(issuer),
        tuple(_host_names(others)),
        sha256(der).hexdigest(),
    )


def _values(data: bytes) -> Iterator[_Value]:
    """The values in sequence."""
    at = 0
    while at < len(data):
        tag, at = data[at], at + 1
        if at >= len(data):
            raise ValueError("a value has no length")
        length, at = data[at], at + 1
        if length >= _LONG:
            size = length - _LONG
            if not 0 < size <= _LONGEST_LENGTH:
                raise ValueError("a length is not one of DER")
            length, at = int.from_bytes(data[at : at + size]), at + size
        if at + length > len(data):
            raise ValueError("a value breaks off")
        yield _Value(tag, data[at : at + length])
        at += length


def _content(value: _Value, tag: int) -> bytes:
    if value.tag != tag:
        raise ValueError("a value is of another type")
    return value.content


def _time(value: _Value) -> float:
    text = value.content.decode("ascii")
    if value.tag == _UTC_TIME:
        text = ("19" if int(text[:2]) >= _CENTURY else "20") + text
    elif value.tag != _GENERALIZED_TIME:
        raise ValueError("a value is no time")
    return float(min(max(timegm(strptime(text, "%Y%m%d%H%M%SZ")), 0), LATEST_S))


def _name(value: _Value) -> str:
    """Organisation and common name, as far as there are any."""
    parts: dict[bytes, str] = {}
    for names in _values(_content(value, _SEQUENCE)):
        for pair in _values(names.content):
            key, text, *_ = _values(_content(pair, _SEQUENCE))
            parts.setdefault(_content(key, _OID), _text(text))
    found = (parts.get(_ORGANISATION), parts.get(_COMMON_NAME))
    return one_line(", ".join(filter(None, dict.fromkeys(found))), _MAX_CHARACTERS)


def _text(value: _Value) -> str:
    return value.content.decode(_ENCODINGS.get(value.tag, "latin-1"), "replace")


def _host_names(fields: list[_Value]) -> Iterator[str]:
    """The server names and addresses it is valid for (RFC 5280 §4.2.1.6), the first of many."""
    for field in fields:
        if field.tag != _EXTENSIONS:
            continue
        extensions, *_ = _values(field.content)
        for extension in _values(_content(extensions, _SEQUENCE)):
            key, *_, octets = _values(_content(extension, _SEQUENCE))
            if _content(key, _OID) == _SUBJECT_ALT_NAME:
                names, *_ = _values(_content(octets, _OCTET_STRING))
                yield from _server_names(list(_values(names.content))[:MAX_NAMES])


def _server_names(names: list[_Value]) -> Iterator[str]:
    for name in names:
        if name.tag == _DNS_NAME:
            yield one_line(_text(name), _MAX_CHARACTERS)
        elif name.tag == _IP_ADDRESS:
            with suppress(ValueError):
                yield str(ip_address(name.content))
