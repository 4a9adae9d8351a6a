"""Client certificates: files that a user shows to one server, and the TLS context for it."""

import os
import tempfile
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from gossamer.model.errors import UsageError
from gossamer.model.lazy_pattern import lazy_pattern
from gossamer.model.translatable import system_reason

if TYPE_CHECKING:
    import ssl

_MAX_BYTES: Final = 1024 * 1024
_PEM: Final = b"-----BEGIN "
_FIRST_CERTIFICATE = lazy_pattern(r"-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----")
_KEY = lazy_pattern(r"-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY-----")
_EXPLICIT_0: Final = 0xA0
_UTC_TIME: Final = 0x17
_LONG_FORM: Final = 0x80


class ClientCertificate(Struct, frozen=True, array_like=True):
    """A file with a certificate and its key, PEM or PKCS#12, and the passphrase of the key."""

    path: str
    passphrase: str = ""

    def __repr__(self) -> str:
        return f"ClientCertificate({self.path!r}, …)"

    @property
    def wants_passphrase(self) -> bool:
        """Whether its key is encrypted and there is no passphrase; UsageError if it is unreadable.

        With PKCS#12, the whole file is encrypted.
        """
        data = self._read()
        is_open = _PEM in data and b"ENCRYPTED" not in data
        return not is_open and not self.passphrase

    def check(self, now_s: float) -> None:
        """Raise UsageError if something keeps it from being used at that Unix time."""
        import ssl  # noqa: PLC0415 - few crawls have a certificate

        self.load_into(ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT))
        data = self._read()
        pem = data if _PEM in data else _pem_of_pkcs12(self.path, data, self.passphrase)[0]
        first = _FIRST_CERTIFICATE.search(pem.decode("ascii", "replace"))
        if first is None:
            return
        begins_s, ends_s = _validity(ssl.PEM_cert_to_DER_cert(first[0]))
        if not begins_s <= now_s:
            raise UsageError(
                "The client certificate {path} is not valid before {date}.",
                path=self.path,
                date=_day(begins_s),
            )
        if now_s > ends_s:
            raise UsageError(
                "The client certificate {path} expired on {date}; get a new one.",
                path=self.path,
                date=_day(ends_s),
            )

    def load_into(self, context: "ssl.SSLContext") -> None:
        """Have a context show it to servers that request one. UsageError if it cannot be used."""
        data = self._read()
        try:
            # The passphrase is never None: OpenSSL would ask the terminal.
            if _PEM in data:
                context.load_cert_chain(self.path, password=self.passphrase)
            else:
                _load_pem(context, *_pem_of_pkcs12(self.path, data, self.passphrase))
        except (OSError, ValueError) as e:  # an ssl.SSLError is an OSError
            raise self._refusal(data, str(getattr(e, "reason", "") or "")) from None

    def _refusal(self, data: bytes, reason: str) -> UsageError:
        text = data.decode("ascii", "replace")
        if reason == "KEY_VALUES_MISMATCH":
            return UsageError(
                "The key in {path} does not belong to its certificate; use the key that the "
                "certificate was made for.",
                path=self.path,
            )
        if _FIRST_CERTIFICATE.search(text) is None or _KEY.search(text) is None:
            return UsageError(
                "{path} must have a certificate and its private key, in PEM or PKCS#12; put both "
                "into one file.",
                path=self.path,
            )
        if "ENCRYPTED" in text:
            return UsageError(
                "The passphrase of the client certificate {path} is wrong or missing; enter it "
                "again.",
                path=self.path,
            )
        return UsageError("The client certificate {path} is damaged.", path=self.path)

    def _read(self) -> bytes:
        try:
            with Path(self.path).open("rb") as file:
                return file.read(_MAX_BYTES)
        except (OSError, ValueError) as e:
            reason = system_reason(e) if isinstance(e, OSError) else str(e)
            raise UsageError(
                "{path}: {reason}; name a file with a certificate and its key.",
                path=self.path,
                reason=reason,
            ) from e


def _load_pem(context: "ssl.SSLContext", pem: bytes, passphrase: str) -> None:
    """Have a context load a certificate and its key, which is encrypted.

    OpenSSL only reads files: the data is briefly in one that nobody else may read.
    """
    number, name = tempfile.mkstemp(prefix="gossamer-", suffix=".pem")
    try:
        with os.fdopen(number, "wb") as file:
            file.write(pem)
        context.load_cert_chain(name, password=passphrase)
    finally:
        Path(name).unlink()


def _pem_of_pkcs12(path: str, data: bytes, passphrase: str) -> tuple[bytes, str]:
    """A PKCS#12 file as PEM, with its key encrypted again, and the passphrase for that."""
    try:
        from cryptography.hazmat.primitives import serialization  # noqa: PLC0415 - an extra
        from cryptography.hazmat.primitives.serialization import pkcs12  # noqa: PLC0415 - likewise
    except ImportError:
        raise UsageError(
            "{path} is not a PEM file, and reading PKCS#12 needs the package cryptography; "
            "install gossamer-core[pkcs12], or convert it: openssl pkcs12 -in FILE -out FILE.pem",
            path=path,
        ) from None
    import secrets  # noqa: PLC0415 - likewise

    try:
        key, certificate, others = pkcs12.load_key_and_certificates(data, passphrase.encode())
    except ValueError as e:
        if "assword" in str(e):
            raise UsageError(
                "The passphrase of the client certificate {path} is wrong or missing; enter it "
                "again.",
                path=path,
            ) from None
        raise UsageError(
            "{path} must have a certificate and its private key, in PEM or PKCS#12; put both into "
            "one file.",
            path=path,
        ) from None
    if key is None or certificate is None:
        raise UsageError(
            "{path} must have a certificate and its private key, in PEM or PKCS#12; put both into "
            "one file.",
            path=path,
        )
    anew = secrets.token_urlsafe(32)
    pem = serialization.Encoding.PEM
    parts = [
        key.private_bytes(
            pem,
            serialization.PrivateFormat.PKCS8,
            serialization.BestAvailableEncryption(anew.encode()),
        ),
        *(each.public_bytes(pem) for each in (certificate, *others)),
    ]
    return b"".join(parts), anew


def _validity(certificate: bytes) -> tuple[float, float]:
    """The period in which a DER certificate is valid, as Unix times (RFC 5280 §4.1)."""
    _, whole, _ = _element(certificate)
    _, signed, _ = _element(whole)
    kind, _, rest = _element(signed)
    if kind == _EXPLICIT_0:  # the version, which the first one lacks
        _, _, rest = _element(rest)
    for _ in range(2):  # algorithm, issuer
        _, _, rest = _element(rest)
    _, validity, _ = _element(rest)
    first, begins, rest = _element(validity)
    second, ends, _ = _element(rest)
    return _moment(first, begins), _moment(second, ends)


def _element(data: bytes) -> tuple[int, bytes, bytes]:
    """The first element of DER data: its tag, its content, and what follows it."""
    length, start = data[1], 2
    if length & _LONG_FORM:
        size = length & ~_LONG_FORM
        start += size
        length = int.from_bytes(data[2:start], "big")
    return data[0], data[start : start + length], data[start + length :]


def _moment(tag: int, text: bytes) -> float:
    form = "%y%m%d%H%M%SZ" if tag == _UTC_TIME else "%Y%m%d%H%M%SZ"
    return datetime.strptime(text.decode("ascii"), form).replace(tzinfo=UTC).timestamp()


def _day(moment_s: float) -> str:
    return datetime.fromtimestamp(moment_s, UTC).date().isoformat()
