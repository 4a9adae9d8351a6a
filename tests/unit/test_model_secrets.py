"""Secrets as values: what is one, what they are merged to, and that none ever shows."""

import msgspec
import pytest

from gossamer.model.errors import UsageError
from gossamer.model.messages.crawl_messages import Start
from gossamer.model.messages.worker_messages import ConfigureWorker
from gossamer.model.secrets import (
    NOTHING_SECRET,
    HttpAuth,
    OriginSecrets,
    SecretNames,
    Secrets,
    cookies_of,
)
from gossamer.model.settings.crawl_settings import CrawlSettings, decode_settings, encode_settings
from gossamer.model.settings.user_agents import GOSSAMER, PRESETS, user_agent_of
from gossamer.robots.product_token import product_token
from tests.cases import each_case

HOME = "https://example.com"
ALL = OriginSecrets(
    auth=HttpAuth("jo", "s3cret"),
    cookies=(("id", "s3cret"), ("theme", "s3cret")),
    headers=(("Authorization", "s3cret"),),
)


def test_secret_values_are_not_in_the_repr() -> None:
    secrets = Secrets({HOME: ALL})
    settings = CrawlSettings(roots=(HOME,))
    for value in (
        ALL.auth,
        ALL,
        secrets,
        Start("p", None, secrets),
        ConfigureWorker(settings, secrets),
    ):
        assert "s3cret" not in f"{value!r} {value}"
        assert "jo" in repr(value)


def test_secrets_survive_encoding_for_a_page_worker() -> None:
    sent = ConfigureWorker(CrawlSettings(roots=(HOME,)), Secrets({HOME: ALL}))
    assert msgspec.msgpack.decode(msgspec.msgpack.encode(sent), type=ConfigureWorker) == sent


def test_secret_names_are_stored_in_settings_without_values() -> None:
    settings = CrawlSettings(roots=(HOME,), needs_secrets=Secrets({HOME: ALL}).names())
    text = encode_settings(settings)
    assert "s3cret" not in text
    assert decode_settings(text) == settings
    assert settings.needs_secrets == (
        SecretNames(origin=HOME, user="jo", cookies=("id", "theme"), headers=("Authorization",)),
    )


@pytest.mark.parametrize(
    ("names", "told"),
    [
        (
            SecretNames(origin=HOME, user="jo", cookies=("a", "b"), headers=("X-Key",)),
            "the password of jo, the cookie a, the cookie b and the header X-Key for " + HOME,
        ),
        (SecretNames(origin=HOME, user="jo"), "the password of jo for " + HOME),
        (SecretNames(origin=HOME, cookies=("a", "b")), "the cookie a and the cookie b for " + HOME),
    ],
)
def test_names_in_a_sentence(names: SecretNames, told: str) -> None:
    assert str(names) == told


def test_missing_secrets() -> None:
    needed = Secrets({HOME: ALL}).names()
    assert Secrets({HOME: ALL}).missing(needed) == ()
    assert Secrets().missing(needed) == needed
    assert Secrets({"https://other.example": ALL}).missing(needed) == needed
    half = OriginSecrets(cookies=(("id", ""),), headers=(("authorization", "x"),))
    assert Secrets({HOME: half}).missing(needed) == (
        SecretNames(origin=HOME, user="jo", cookies=("theme",)),
    )


def test_names_of_one_origin_put_together() -> None:
    some = SecretNames(origin=HOME, cookies=("id",), headers=("X-A",))
    others = SecretNames(origin=HOME, user="jo", cookies=("id", "b"), headers=("x-a", "X-B"))
    assert some.and_also(others) == SecretNames(
        origin=HOME, user="jo", cookies=("id", "b"), headers=("X-A", "X-B")
    )
    assert others.and_also(some).user == "jo"


def test_the_newer_secrets_win_one_by_one() -> None:
    newer = OriginSecrets(cookies=(("id", "new"),), headers=(("authorization", "new"),))
    assert newer.over(ALL) == OriginSecrets(
        auth=ALL.auth, cookies=(("id", "new"), ("theme", "s3cret")), headers=newer.headers
    )
    merged = Secrets({HOME: newer}).over(Secrets({HOME: ALL, "http://b": ALL}))
    assert merged == Secrets({HOME: newer.over(ALL), "http://b": ALL})
    assert not Secrets({HOME: NOTHING_SECRET})
    assert not Secrets.same_for([HOME], NOTHING_SECRET).origins


def test_cookies_are_parsed_as_typed() -> None:
    assert cookies_of("id=1=2; theme=\n\n a = b ;") == (("id", "1=2"), ("theme", ""), ("a", "b"))


@pytest.mark.parametrize("text", ["s3cret", "=s3cret", "a=b; s3cret"])
def test_an_invalid_cookie_is_not_quoted(text: str) -> None:
    with pytest.raises(UsageError, match="name=value") as caught:
        cookies_of(text)
    assert "s3cret" not in str(caught.value)


@each_case(
    "secrets",
    [
        OriginSecrets(cookies=(("a", "s3cret\r\nX: y"),)),
        OriginSecrets(cookies=(("a", "s3cret; b"),)),
        OriginSecrets(headers=(("A B", "s3cret"),)),
        OriginSecrets(headers=(("Authorization", "s3cret\n"),)),
        OriginSecrets(auth=HttpAuth("a:b", "s3cret")),
        OriginSecrets(auth=HttpAuth("a", "s3cret\udcff")),
        OriginSecrets(cookies=(("a", "s3cret\udcff"),)),
        OriginSecrets(headers=(("A", "s3cret\udcff"),)),
        OriginSecrets(form=(("a", "s3cret\udcff"),)),
    ],
)
def test_an_unsendable_secret_is_refused_and_not_quoted(secrets: OriginSecrets) -> None:
    with pytest.raises(UsageError) as caught:
        secrets.checked()
    assert "s3cret" not in str(caught.value)


# ---------------------------------------------------------------- user agents


@each_case(
    ("name", "token"),
    [
        ("gossamer", "gossamer"),
        ("googlebot", "googlebot"),
        ("googlebot-smartphone", "googlebot"),
        ("bingbot", "bingbot"),
        ("chrome", "mozilla"),
        ("firefox", "mozilla"),
    ],
)
def test_robots_txt_is_read_for_the_product_of_a_preset(name: str, token: str) -> None:
    assert product_token(PRESETS[name]) == token
    assert user_agent_of(f" {name.upper()} ") == PRESETS[name]
    CrawlSettings(roots=(HOME,), user_agent=PRESETS[name]).checked()


def test_other_user_agents_stay_as_they_are() -> None:
    assert user_agent_of("Me/1 (googlebot)") == "Me/1 (googlebot)"
    assert next(iter(PRESETS.values())) == CrawlSettings(roots=()).user_agent == GOSSAMER
