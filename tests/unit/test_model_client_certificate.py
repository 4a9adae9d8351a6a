"""Files with client certificates: which can be used, and what is said of those that cannot."""

import ssl
import sys
from pathlib import Path

import pytest

from gossamer.model.client_certificate import ClientCertificate
from gossamer.model.errors import UsageError
from tests.sites.certificates import ALWAYS, EXPIRED, FUTURE, Authority

PHRASE = "right"
NOW_S = (ALWAYS[0].timestamp() + ALWAYS[1].timestamp()) / 2


@pytest.fixture
def authority(tmp_path: Path) -> Authority:
    return Authority(tmp_path)


def refusal(path: Path, passphrase: str = "") -> str:
    with pytest.raises(UsageError) as caught:
        ClientCertificate(str(path), passphrase).check(NOW_S)
    return str(caught.value)


@pytest.mark.parametrize("is_pkcs12", [False, True])
@pytest.mark.parametrize("passphrase", ["", "open sesame"])
def test_pem_and_pkcs12_are_read_with_and_without_a_passphrase(
    authority: Authority, tmp_path: Path, passphrase: str, *, is_pkcs12: bool
) -> None:
    path = authority.client("jo", passphrase=passphrase, is_pkcs12=is_pkcs12)
    before = set(tmp_path.iterdir())
    certificate = ClientCertificate(str(path), passphrase)
    certificate.check(NOW_S)
    certificate.load_into(ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT))
    assert set(tmp_path.iterdir()) == before


@pytest.mark.parametrize("is_pkcs12", [False, True])
def test_a_passphrase_is_asked_for_where_there_is_one(
    authority: Authority, *, is_pkcs12: bool
) -> None:
    path = str(authority.client("jo", passphrase=PHRASE, is_pkcs12=is_pkcs12))
    assert ClientCertificate(path).wants_passphrase
    assert not ClientCertificate(path, PHRASE).wants_passphrase
    assert not ClientCertificate(str(authority.client("open"))).wants_passphrase


@pytest.mark.parametrize("is_pkcs12", [False, True])
@pytest.mark.parametrize("passphrase", ["", "wrong"])
def test_a_wrong_passphrase_is_told(
    authority: Authority, passphrase: str, *, is_pkcs12: bool
) -> None:
    path = authority.client("jo", passphrase=PHRASE, is_pkcs12=is_pkcs12)
    assert "passphrase of the client certificate" in refusal(path, passphrase)


def test_a_key_of_another_certificate_is_told(authority: Authority) -> None:
    path = authority.client("jo", is_mismatched=True)
    assert "does not belong to its certificate" in refusal(path)


@pytest.mark.parametrize("is_pkcs12", [False, True])
def test_an_expired_certificate_is_told_with_the_day(
    authority: Authority, *, is_pkcs12: bool
) -> None:
    path = authority.client("jo", valid=EXPIRED, is_pkcs12=is_pkcs12)
    assert f"expired on {EXPIRED[1].date()}" in refusal(path)


def test_a_certificate_that_is_not_valid_yet_is_told_with_the_day(authority: Authority) -> None:
    path = authority.client("jo", valid=FUTURE)
    assert f"not valid before {FUTURE[0].date()}" in refusal(path)


def test_a_file_without_a_key_or_that_is_something_else_is_told(
    authority: Authority, tmp_path: Path
) -> None:
    assert "must have a certificate and its private key" in refusal(authority.path)
    for number, data in enumerate((b"", b"hello", b"\x30\x82\x01", b"\x00" * 100)):
        path = tmp_path / f"{number}.p12"
        path.write_bytes(data)
        assert str(path) in refusal(path)
    broken = tmp_path / "broken.pem"
    broken.write_bytes(authority.client("jo").read_bytes().replace(b"A", b"B"))
    assert str(broken) in refusal(broken)


def test_a_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    assert "name a file with a certificate" in refusal(tmp_path / "none.pem")
    with pytest.raises(UsageError, match="name a file"):
        assert ClientCertificate(str(tmp_path)).wants_passphrase


def test_without_its_package_pkcs12_is_told_how_to_convert(
    authority: Authority, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = authority.client("jo", is_pkcs12=True)
    for name in [each for each in sys.modules if each.startswith("cryptography")]:
        monkeypatch.setitem(sys.modules, name, None)
    assert "openssl pkcs12 -in" in refusal(path)


def test_the_passphrase_shows_in_no_text() -> None:
    assert "s3cret" not in repr(ClientCertificate("a.pem", "s3cret"))
