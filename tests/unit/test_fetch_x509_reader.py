"""Certificates are read as `cryptography` reads them, and nothing a server sends is a surprise."""

import datetime as dt
import ssl
from hashlib import sha256
from ipaddress import ip_address
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding
from cryptography.x509.oid import NameOID
from hypothesis import given
from hypothesis import strategies as st

from gossamer.fetch.x509_reader import MAX_NAMES, read_certificate

TLS_FOLDER = Path(__file__).parents[1] / "integration" / "tls"
KEY = ec.generate_private_key(ec.SECP256R1())
BEGIN = dt.datetime(1950, 1, 1, tzinfo=dt.UTC)
TIMES = st.integers(21 * 365 * 86400, 8000 * 365 * 86400)
"""Seconds after BEGIN: from 1970 on, also after 2049, when times are written in another way."""
TEXTS = st.text(st.characters(min_codepoint=0x21, max_codepoint=0xFFFF, categories=["L", "N"]))
NAMES = st.from_regex(r"[a-z]{1,20}(\.[a-z]{2,10}){1,3}", fullmatch=True)


def made(issuer: list[x509.NameAttribute[str]], names: list[x509.GeneralName], end: int) -> bytes:
    builder = (
        x509.CertificateBuilder()
        .subject_name(x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "www.example.com")]))
        .issuer_name(x509.Name(issuer))
        .public_key(KEY.public_key())
        .serial_number(1)
        .not_valid_before(BEGIN)
        .not_valid_after(BEGIN + dt.timedelta(seconds=end))
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
    )
    if names:
        builder = builder.add_extension(x509.SubjectAlternativeName(names), critical=True)
    return builder.sign(KEY, hashes.SHA256()).public_bytes(Encoding.DER)


@given(TEXTS.filter(bool), st.lists(NAMES, max_size=5), TIMES)
def test_what_was_written_is_read(organisation: str, hosts: list[str], end: int) -> None:
    issuer = [
        x509.NameAttribute(NameOID.COMMON_NAME, "R3"),
        x509.NameAttribute(NameOID.ORGANIZATION_NAME, organisation[:60]),
    ]
    addresses = ["192.0.2.1", "2001:db8::1"]
    names: list[x509.GeneralName] = [x509.DNSName(each) for each in hosts]
    names += [x509.RFC822Name("who@example.com")]
    names += [x509.IPAddress(ip_address(each)) for each in addresses]
    der = made(issuer, names, end)
    found = read_certificate(der)
    assert found.not_before == 0.0  # no time of ours is before 1970
    assert found.not_after == min((BEGIN + dt.timedelta(seconds=end)).timestamp(), 10**11)
    assert (found.subject, found.issuer) == ("www.example.com", f"{organisation[:60]}, R3")
    assert found.host_names == (*hosts, *addresses)
    assert found.fingerprint == sha256(der).hexdigest()


def test_of_many_names_the_first_are_read() -> None:
    issuer = [x509.NameAttribute(NameOID.COMMON_NAME, "x")]
    names: list[x509.GeneralName] = [x509.DNSName(f"a{number}.example") for number in range(500)]
    found = read_certificate(made(issuer, names, 10**9))
    assert found.host_names == tuple(f"a{number}.example" for number in range(MAX_NAMES))


@pytest.mark.parametrize("name", ["localhost.pem", "expired.pem", "other-host.pem"])
def test_certificates_of_openssl(name: str) -> None:
    pem = (TLS_FOLDER / name).read_text(encoding="ascii")
    der = ssl.PEM_cert_to_DER_cert(pem)
    known = x509.load_der_x509_certificate(der)
    found = read_certificate(der)
    assert found.not_after == known.not_valid_after_utc.timestamp()
    assert found.not_before == known.not_valid_before_utc.timestamp()


DAMAGED = made([x509.NameAttribute(NameOID.COMMON_NAME, "x")], [x509.DNSName("a.example")], 10**9)
"""Made once: signatures are not always of the same length."""


@given(st.data())
def test_damaged_ones_are_refused_or_read_but_never_a_surprise(data: st.DataObject) -> None:
    der = bytearray(DAMAGED)
    for _ in range(data.draw(st.integers(1, 4))):
        der[data.draw(st.integers(0, len(der) - 1))] = data.draw(st.integers(0, 255))
    cut = data.draw(st.integers(0, len(der)))
    try:
        found = read_certificate(bytes(der[:cut]))
    except ValueError:
        return
    assert 0 <= found.not_after <= 10**11
    assert (found.subject + found.issuer).isprintable() or "\ufffd" in found.subject + found.issuer


@given(st.binary(max_size=200))
def test_anything_else_is_refused(data: bytes) -> None:
    with pytest.raises(ValueError, match=r"\S"):
        read_certificate(data)
