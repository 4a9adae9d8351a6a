"""Certificates made for a test: an authority of its own, and servers that keep its rules or not."""

import datetime as dt
import ssl
from dataclasses import dataclass
from ipaddress import ip_address
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import pkcs12
from cryptography.x509.oid import NameOID

from gossamer.fetch.tls_contexts import checking_context

_NOW = dt.datetime.now(dt.UTC)
_YEAR = dt.timedelta(days=365)
ALWAYS = (_NOW - _YEAR, _NOW + _YEAR)
EXPIRED = (_NOW - 2 * _YEAR, _NOW - _YEAR)
FUTURE = (_NOW + _YEAR, _NOW + 2 * _YEAR)


@dataclass(frozen=True, slots=True)
class Issuer:
    """Who signs, and with what."""

    key: ec.EllipticCurvePrivateKey
    certificate: x509.Certificate


def _name(text: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)])


class Authority:
    """Writes keys and certificates into a folder of the test's."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._root = self.issuer("a test's root")
        self._chain: list[x509.Certificate] = []
        self.path = folder / "root.pem"
        self.path.write_bytes(self._root.certificate.public_bytes(serialization.Encoding.PEM))

    def trusted(self) -> ssl.SSLContext:
        """A client's context that trusts this authority alone, and else is the fetcher's."""
        return checking_context(self.path)

    def issuer(self, name: str, by: Issuer | None = None) -> Issuer:
        """An authority, signed `by` another one or by itself."""
        key = ec.generate_private_key(ec.SECP256R1())
        own = _name(name)
        builder = (
            x509.CertificateBuilder()
            .subject_name(own)
            .issuer_name(own if by is None else by.certificate.subject)
            .public_key(key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(ALWAYS[0])
            .not_valid_after(ALWAYS[1])
            .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        )
        return Issuer(key, builder.sign(key if by is None else by.key, hashes.SHA256()))

    def served(
        self,
        host: str,
        valid: tuple[dt.datetime, dt.datetime] = ALWAYS,
        by: Issuer | None = None,
    ) -> ssl.SSLContext:
        """A server's context with a certificate for `host` alone, without those in between."""
        by = by or self._root
        key = ec.generate_private_key(ec.SECP256R1())
        certificate = (
            x509.CertificateBuilder()
            .subject_name(_name(host))
            .issuer_name(by.certificate.subject)
            .public_key(key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(valid[0])
            .not_valid_after(valid[1])
            .add_extension(x509.SubjectAlternativeName([_alternative(host)]), critical=False)
            .sign(by.key, hashes.SHA256())
        )
        return self._context(key, certificate)

    def demanding(self, host: str) -> ssl.SSLContext:
        """As `served`, and it lets nobody in without a certificate of this authority."""
        context = self.served(host)
        context.verify_mode = ssl.CERT_REQUIRED
        context.load_verify_locations(self.path)
        return context

    def client(
        self,
        name: str,
        *,
        passphrase: str = "",
        valid: tuple[dt.datetime, dt.datetime] = ALWAYS,
        is_pkcs12: bool = False,
        is_mismatched: bool = False,
    ) -> Path:
        """A file with the certificate of a client, and its key, or that of another one."""
        key = ec.generate_private_key(ec.SECP256R1())
        certificate = (
            x509.CertificateBuilder()
            .subject_name(_name(name))
            .issuer_name(self._root.certificate.subject)
            .public_key(key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(valid[0])
            .not_valid_after(valid[1])
            .sign(self._root.key, hashes.SHA256())
        )
        if is_mismatched:
            key = ec.generate_private_key(ec.SECP256R1())
        encryption: serialization.KeySerializationEncryption = serialization.NoEncryption()
        if passphrase:
            encryption = serialization.BestAvailableEncryption(passphrase.encode())
        if is_pkcs12:
            path = self._folder / f"{name}.p12"
            data = pkcs12.serialize_key_and_certificates(None, key, certificate, None, encryption)
        else:
            path = self._folder / f"{name}.pem"
            pem, form = serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8
            data = key.private_bytes(pem, form, encryption) + certificate.public_bytes(pem)
        path.write_bytes(data)
        return path

    def intermediate(self) -> Issuer:
        """An authority that this one has signed, and that nobody else knows of."""
        return self.issuer("an issuer in between", self._root)

    def stranger(self) -> Issuer:
        """An authority that nobody trusts."""
        return self.issuer("a stranger")

    def _context(
        self, key: ec.EllipticCurvePrivateKey, certificate: x509.Certificate
    ) -> ssl.SSLContext:
        path = self._folder / f"{certificate.serial_number}.pem"
        path.write_bytes(
            key.private_bytes(
                serialization.Encoding.PEM,
                serialization.PrivateFormat.PKCS8,
                serialization.NoEncryption(),
            )
            + certificate.public_bytes(serialization.Encoding.PEM)
        )
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(path)
        return context


def _alternative(host: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ip_address(host))
    except ValueError:
        return x509.DNSName(host)
