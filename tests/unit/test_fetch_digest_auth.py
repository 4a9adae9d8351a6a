"""HTTP Digest authentication: challenges as servers write them, and the answers of RFC 7616."""

import re

import pytest

from gossamer.fetch.digest_auth import DigestSession, challenges_in, digest_challenge
from gossamer.model.secrets import HttpAuth
from tests.cases import each_case

MUFASA = HttpAuth("Mufasa", "Circle of Life")
NONCE = "7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v"
CLIENT_NONCE = "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ"
OPAQUE = "FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"


def rfc_7616(algorithm: str) -> str:
    """The challenge of RFC 7616 §3.9.1."""
    return (
        f'Digest realm="http-auth@example.org", qop="auth, auth-int", algorithm={algorithm}, '
        f'nonce="{NONCE}", opaque="{OPAQUE}"'
    )


def session(
    challenge: str, auth: HttpAuth = MUFASA, client_nonce: str = CLIENT_NONCE
) -> DigestSession:
    made = DigestSession(auth, lambda: client_nonce)
    assert made.takes([challenge], "")
    return made


def parts(header: str) -> dict[str, str]:
    return {
        name: quoted or bare
        for name, quoted, bare in re.findall(r'([\w*]+)=(?:"([^"]*)"|([^\s,]+))', header)
    }


@pytest.mark.parametrize(
    ("algorithm", "response"),
    [
        ("MD5", "8ca523f5e9506fed4657c9700eebdbec"),
        ("SHA-256", "753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1"),
    ],
)
def test_the_examples_of_rfc_7616_are_answered_as_there(algorithm: str, response: str) -> None:
    header = session(rfc_7616(algorithm)).header("GET", "/dir/index.html")
    assert header.startswith("Digest ")
    assert parts(header) == {
        "username": "Mufasa",
        "realm": "http-auth@example.org",
        "uri": "/dir/index.html",
        "algorithm": algorithm,
        "nonce": NONCE,
        "nc": "00000001",
        "cnonce": CLIENT_NONCE,
        "qop": "auth",
        "response": response,
        "opaque": OPAQUE,
    }


def test_a_user_name_is_hashed_where_the_server_wants_that() -> None:
    challenge = (
        'Digest realm="api@example.org", qop="auth", algorithm=SHA-512-256, nonce="5TsQ", '
        "charset=UTF-8, userhash=true"
    )
    auth = HttpAuth("J\u00e4s\u00f8n Doe", "Secret, or not?")
    header = parts(session(challenge, auth).header("GET", "/doe.json"))
    assert header["username"] == (  # of RFC 7616 §3.9.2, as erratum 4897 has it
        "793263caabb707a56211940d90411ea4a575adeccb7e360aeb624ed06ece9b0b"
    )
    assert header["userhash"] == "true"


def test_the_example_of_rfc_2617_is_answered_as_there() -> None:
    challenge = (
        'Digest realm="testrealm@host.com", qop="auth,auth-int", '
        'nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093", opaque="5ccc069c403ebaf9f0171e9517f40e41"'
    )
    made = session(challenge, HttpAuth("Mufasa", "Circle Of Life"), "0a4f113b")
    header = parts(made.header("GET", "/dir/index.html"))
    assert header["response"] == "6629fae49393a05397450978507c4ef1"
    assert "algorithm" not in header


def test_a_server_without_qop_is_answered_as_by_rfc_2069() -> None:
    challenge = 'Digest realm="testrealm@host.com", nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093"'
    header = parts(session(challenge, HttpAuth("Mufasa", "CircleOfLife")).header("GET", "/a"))
    assert not {"nc", "cnonce", "qop"} & set(header)
    assert len(header["response"]) == 32


def test_a_key_of_a_session_is_made_with_both_nonces() -> None:
    plain = parts(session(rfc_7616("MD5")).header("GET", "/"))["response"]
    made = parts(session(rfc_7616("MD5-sess")).header("GET", "/"))
    assert made["response"] != plain
    assert made["algorithm"] == "MD5-sess"


def test_each_use_of_a_nonce_is_counted() -> None:
    made = session(rfc_7616("MD5"))
    first, second = parts(made.header("GET", "/")), parts(made.header("GET", "/"))
    assert (first["nc"], second["nc"]) == ("00000001", "00000002")
    assert first["response"] != second["response"]


def test_of_several_challenges_the_strongest_is_answered() -> None:
    values = [f'Basic realm="x", {rfc_7616("MD5")}', rfc_7616("SHA-256"), "Negotiate"]
    found = digest_challenge(values)
    assert found is not None
    assert found.algorithm == "SHA-256"
    schemes = [each.scheme for each in challenges_in(values)]
    assert schemes == ["basic", "digest", "digest", "negotiate"]


@each_case(
    "value",
    [
        "Basic realm=x",
        "Digest realm=x",
        'Digest nonce="a", algorithm=SHA-3',
        'Digest nonce="a", qop="auth-conf"',
        "",
        'Digest nonce="',
        '"""',
    ],
)
def test_what_cannot_be_answered_is_no_challenge(value: str) -> None:
    assert digest_challenge([value]) is None


def test_quotes_in_a_challenge_are_unescaped_and_escaped_again() -> None:
    made = session(r'Digest realm="the \"realm\"", nonce=a,qop=auth')
    assert r'realm="the \"realm\""' in made.header("GET", "/")


def test_a_refused_password_is_not_sent_again() -> None:
    made = session(rfc_7616("MD5"))
    assert not made.takes([rfc_7616("MD5").replace(NONCE, "other")], NONCE)


def test_a_stale_nonce_is_replaced() -> None:
    made = session(rfc_7616("MD5"))
    made.header("GET", "/")
    assert made.takes([rfc_7616("MD5").replace(NONCE, "other") + ", stale=TRUE"], NONCE)
    header = parts(made.header("GET", "/"))
    assert (header["nonce"], header["nc"]) == ("other", "00000001")


def test_a_nonce_that_was_good_once_may_have_expired() -> None:
    made = session(rfc_7616("MD5"))
    made.note_success("")
    assert made.takes([rfc_7616("MD5").replace(NONCE, "other")], NONCE)
    assert not made.takes([rfc_7616("MD5").replace(NONCE, "other")], "other")


def test_each_request_answers_its_own_challenge_first() -> None:
    made = session(rfc_7616("MD5"))
    made.note_success("")
    for nonce in ("newer", "newest"):  # of two requests that were under way with the first
        assert made.takes([rfc_7616("MD5").replace(NONCE, nonce)], NONCE)
        assert made.nonce == nonce


def test_the_next_nonce_that_a_server_names_is_used() -> None:
    made = session(rfc_7616("MD5"))
    made.header("GET", "/")
    made.note_success('nextnonce="second", qop=auth')
    header = parts(made.header("GET", "/"))
    assert (header["nonce"], header["nc"]) == ("second", "00000001")


def test_a_user_name_that_is_not_ascii_is_written_as_utf_8_where_the_server_takes_it() -> None:
    auth = HttpAuth("J\u00e4s\u00f8n", "x")
    utf_8 = session(f"{rfc_7616('MD5')}, charset=UTF-8", auth).header("GET", "/")
    assert "username*=UTF-8''J%C3%A4s%C3%B8n" in utf_8
    assert 'username="J\u00e4s\u00f8n"' in session(rfc_7616("MD5"), auth).header("GET", "/")


def test_a_body_is_hashed_where_the_server_wants_its_integrity() -> None:
    challenge = rfc_7616("MD5").replace("auth, auth-int", "auth-int")
    made = session(challenge)
    first = parts(made.header("POST", "/", b"a"))
    assert first["qop"] == "auth-int"
    assert first["response"] != parts(session(challenge).header("POST", "/", b"b"))["response"]


def test_nothing_is_answered_before_a_challenge() -> None:
    made = DigestSession(MUFASA)
    assert (made.nonce, made.header("GET", "/")) == ("", "")
