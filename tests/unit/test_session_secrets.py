"""Secrets between the shell and the project: taken out, bound to origins, remembered, recalled."""

from collections.abc import Iterator
from pathlib import Path

import keyring
import pytest
from keyring.backend import KeyringBackend
from keyring.backends.fail import Keyring as NoKeyring
from msgspec.structs import replace

from gossamer.model.errors import BugError, UsageError
from gossamer.model.secrets import HttpAuth, OriginSecrets, SecretNames, Secrets
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.session.crawl_secrets import for_project, split_off_new_secrets, split_off_secrets
from gossamer.session.keyring import SERVICE, forget, recalled, remember
from gossamer.store import project
from gossamer.urls.url_parsing import parse_root, without_userinfo
from tests.cases import each_case
from tests.fakes.keyring_backend import LockedKeyring, MemoryKeyring

JO = HttpAuth("jo", "p@ss")
TOKEN = ("Authorization", "Bearer s3cret")
UNHEARD_OF = ("Ocp-Apim-Subscription-Key", "s3cret")

# ---------------------------------------------------------------- addresses


@each_case(
    ("typed", "bare", "userinfo"),
    [
        ("https://a:b@x.test/#/cart", "https://x.test/#/cart", ("a", "b")),
        ("example.com/a", "example.com/a", None),
        ("http://example.com/a@b?c@d", "http://example.com/a@b?c@d", None),
        ("http://jo:p%40ss@Example.com/a@b", "http://example.com/a@b", ("jo", "p@ss")),
        ("http://jo:a@b@example.com", "http://example.com/", ("jo", "a@b")),
        ("https://jo@example.com:8443/?q", "https://example.com:8443/?q", ("jo", "")),
        ("http://:pw@[::1]:80/", "http://[::1]/", ("", "pw")),
        ("http://j%C3%B6:%F0%9F%94%91@example.com/", "http://example.com/", ("jö", "🔑")),
        ("http://jo:s3cret@exa mple/", "http://exa mple/", None),
        ("ftp://jo:s3cret@example.com/", "ftp://example.com/", None),
        ("http://jo:s3c/ret@example.com:99999/", "http://example.com:99999/", None),
        ("http://jo:s3c#r?t@example.com:99999/", "http://example.com:99999/", None),
        (" http://jo:s3c/ret@exa mple/", "exa mple/", None),
        ("jo:s3c/ret@example.com", "jo:example.com", None),
        ("ftp://jo:s3c/ret@example.com/", "ftp://example.com/", None),
        ("http://exa mple/@jo", "http://exa mple/@jo", None),
        ("https://us er/x:s3cret@host", "https://host", None),
    ],
)
def test_user_name_and_password_are_taken_out_of_an_address(
    typed: str, bare: str, userinfo: tuple[str, str] | None
) -> None:
    assert without_userinfo(typed) == (bare, userinfo)


@each_case("password", ["s3cret", "s3c/ret", "s3c#ret", "s 3c/r@et", "3/s3cret"])
@each_case("host", ["exa mple", "example.com:x", "example.com:99999"])
@each_case("scheme", ["http://", "", "//", "HTTPS:"])
def test_a_sentence_about_an_address_does_not_quote_its_password(
    scheme: str, host: str, password: str
) -> None:
    with pytest.raises(UsageError) as caught:
        parse_root(f"{scheme}j o:{password}@{host}/")
    sentence = str(caught.value)
    assert "3c" not in sentence
    assert "ret" not in sentence
    assert host.partition(":")[0] in sentence


@pytest.mark.parametrize(
    ("typed", "quoted", "complaint"),
    [
        ("https://example.com:99999/@user", "https://example.com:…", "The port in"),
        ("http://[::1]:99999/a:b@user", "http://[::1]:…", "The port in"),
        ("https://user:pa3c/ss@host.com/", "https://user:…", "The port in"),
        ("https://us er/x:3cret@host", "https://us er…", '"us er" is not a valid host'),
        ("us er/x:3cret@ho st", "us er…", '"us er" is not a valid host'),
        ("http://exa mple/?u=https://x/@jo", "http://exa mple…", '"exa mple" is not'),
        ("http://exa mple/@jo", "http://exa mple/@jo", '"exa mple" is not'),
        ("http://jo:p@3 c/3c@host.com/", "http://…", '"…" is not a valid host'),
    ],
)
def test_a_sentence_about_an_address_names_what_is_wrong_and_not_what_follows_the_last_at(
    typed: str, quoted: str, complaint: str
) -> None:
    with pytest.raises(UsageError) as caught:
        parse_root(typed)
    sentence = str(caught.value)
    assert f'"{quoted}"' in sentence
    assert complaint in sentence
    assert "3c" not in sentence


# ---------------------------------------------------------------- separation


@pytest.mark.parametrize(
    "typed",
    [
        "https://example.com:99999/a@b.org",
        "https://user:pa/ss@host.com/",
        "http://user:pa#ss@127.0.0.1:9/",
        "https://us er/x:secret@host.com/",
        "ftp://jo:s3c/ret@example.com/",
    ],
)
@pytest.mark.parametrize("name", ["roots", "sitemaps"])
def test_what_follows_a_password_in_what_is_no_address_is_not_crawled(
    name: str, typed: str
) -> None:
    settings = replace(CrawlSettings(roots=("example.com",)), **{name: (typed,)})
    with pytest.raises(UsageError):
        split_off_secrets(settings)


def test_settings_without_secrets_stay_as_they_are() -> None:
    settings = CrawlSettings(roots=("Example.com/a",), public_headers=(("X-A", "b"),))
    assert split_off_secrets(settings) == (settings, Secrets())


def test_secrets_are_for_the_origin_of_the_roots() -> None:
    settings, secrets = split_off_secrets(
        CrawlSettings(
            roots=("a.example/x", "a.example/y"),
            headers=(UNHEARD_OF, TOKEN),
            public_headers=(("X-A", "b"),),
        ),
        OriginSecrets(auth=JO, cookies=(("id", "1"),)),
    )
    told = OriginSecrets(auth=JO, cookies=(("id", "1"),), headers=(UNHEARD_OF, TOKEN))
    assert secrets == Secrets({"https://a.example": told})
    assert (settings.headers, settings.public_headers) == ((), (("X-A", "b"),))
    assert settings.needs_secrets == (told.names("https://a.example"),)


@pytest.mark.parametrize(
    ("headers", "given"),
    [
        ((), OriginSecrets(auth=JO)),
        ((), OriginSecrets(cookies=(("id", "s3cret"),))),
        ((TOKEN,), OriginSecrets()),
        ((UNHEARD_OF,), OriginSecrets()),
    ],
)
def test_of_several_sites_the_one_that_is_told_a_secret_is_named(
    headers: tuple[tuple[str, str], ...], given: OriginSecrets
) -> None:
    """A list of addresses leads to anybody's servers."""
    settings = CrawlSettings(roots=("a.example", "b.example"), headers=headers)
    with pytest.raises(UsageError, match=r"2 sites.*--auth https://a\.example=USER") as caught:
        split_off_secrets(settings, given)
    assert "s3cret" not in str(caught.value)
    bound = Secrets({"https://b.example": OriginSecrets(auth=JO)})
    settings, secrets = split_off_secrets(CrawlSettings(roots=settings.roots), bound=bound)
    assert secrets == bound
    assert settings.needs_secrets == bound.names()


def test_a_header_given_again_goes_before_that_of_a_file() -> None:
    settings = CrawlSettings(roots=("a.example",), headers=(("x-pass", "old"), UNHEARD_OF))
    _, secrets = split_off_secrets(settings, OriginSecrets(headers=(("X-Pass", "new"),)))
    assert secrets.of("https://a.example").headers == (("X-Pass", "new"), UNHEARD_OF)


def test_headers_that_a_crawl_goes_on_with_are_for_the_origin_that_needs_secrets() -> None:
    needs = SecretNames(origin="https://b.example", user="jo", headers=("X-A",))
    before = CrawlSettings(roots=("a.example", "b.example"), needs_secrets=(needs,))
    after, added = split_off_new_secrets(before, replace(before, headers=(UNHEARD_OF,)))
    assert added == Secrets({"https://b.example": OriginSecrets(headers=(UNHEARD_OF,))})
    assert after.headers == ()
    [needed] = after.needs_secrets
    assert (needed.user, set(needed.headers)) == ("jo", {"X-A", UNHEARD_OF[0]})


def test_a_header_for_the_proxy_needs_no_site() -> None:
    header = ("Proxy-Authorization", "Basic s3cret")
    roots = ("a.example", "b.example")
    _, secrets = split_off_secrets(
        CrawlSettings(roots=roots, headers=(header,), proxy="http://proxy:80")
    )
    assert secrets == Secrets({"http://proxy": OriginSecrets(headers=(header,))})


def test_what_stands_in_an_address_is_for_its_origin() -> None:
    settings, secrets = split_off_secrets(
        CrawlSettings(
            roots=("https://jo:p%40ss@a.example/", "https://b.example/"),
            sitemaps=("https://ann:x@c.example/s.xml",),
        )
    )
    assert settings.roots == ("https://a.example/", "https://b.example/")
    assert settings.sitemaps == ("https://c.example/s.xml",)
    assert secrets == Secrets(
        {
            "https://a.example": OriginSecrets(auth=JO),
            "https://c.example": OriginSecrets(auth=HttpAuth("ann", "x")),
        }
    )


def test_the_password_of_a_proxy_is_for_the_proxy() -> None:
    header = ("Proxy-Authorization", "Basic s3cret")
    typed = CrawlSettings(roots=("a.example",), headers=(header,), proxy="http://Proxy:80")
    settings, secrets = split_off_secrets(typed, OriginSecrets(cookies=(("id", "1"),)))
    assert secrets.of("http://proxy").headers == (header,)
    assert secrets.of("https://a.example") == OriginSecrets(cookies=(("id", "1"),))
    given = for_project(settings, OriginSecrets(auth=JO, headers=(header,)))
    assert given.of("http://proxy") == OriginSecrets(headers=(header,))
    assert given.of("https://a.example") == OriginSecrets(auth=JO)


@pytest.mark.parametrize("scheme", ["http", "https", "socks5", "socks5h"])
def test_the_password_in_the_address_of_a_proxy_is_for_the_proxy(scheme: str) -> None:
    typed = CrawlSettings(roots=("a.example",), proxy=f"{scheme}://jo:p%40ss@Proxy:1080")
    settings, secrets = split_off_secrets(typed)
    assert settings.proxy == f"{scheme}://proxy:1080"
    assert secrets == Secrets({f"{scheme}://proxy:1080": OriginSecrets(auth=JO)})
    assert [str(names) for names in settings.needs_secrets] == [
        f"the password of jo for {scheme}://proxy:1080"
    ]


def test_secrets_given_again_go_where_they_were_needed() -> None:
    roots = ("https://a.example/", "https://b.example/")
    needs = (SecretNames(origin="https://a.example", user="jo"),)
    settings = CrawlSettings(roots=roots, needs_secrets=needs)
    given = OriginSecrets(auth=JO)
    assert for_project(settings, given) == Secrets({"https://a.example": given})
    with pytest.raises(UsageError, match="2 sites"):
        for_project(CrawlSettings(roots=roots), given)


@pytest.mark.parametrize("header", [TOKEN, UNHEARD_OF])
def test_a_project_with_a_secret_in_its_settings_is_not_made(
    tmp_path: Path, header: tuple[str, str]
) -> None:
    path = tmp_path / "a.gossamer"
    with pytest.raises(BugError):
        project.create(path, CrawlSettings(roots=("a.example",), headers=(header,)))
    assert not path.exists()


# ---------------------------------------------------------------- the keyring


@pytest.fixture(autouse=True)
def _keyring_as_before() -> Iterator[None]:
    before = keyring.get_keyring()
    yield
    keyring.set_keyring(before)


SECRETS = Secrets(
    {
        "https://a.example": OriginSecrets(auth=JO, cookies=(("id", "1"),), headers=(TOKEN,)),
        "http://proxy:81": OriginSecrets(headers=(("Proxy-Authorization", "x"),)),
    }
)


def test_what_is_remembered_is_recalled_by_origin() -> None:
    kept = MemoryKeyring()
    keyring.set_keyring(kept)
    remember(SECRETS)
    assert set(kept.entries) == {(SERVICE, origin) for origin in SECRETS.origins}
    assert recalled(["https://a.example"]) == SECRETS.only(["https://a.example"])
    assert recalled([*SECRETS.origins, "https://b.example"]) == SECRETS


def test_what_is_forgotten_is_not_recalled() -> None:
    kept = MemoryKeyring()
    keyring.set_keyring(kept)
    remember(SECRETS)
    kept.entries["another program", "https://a.example"] = "stays"
    assert forget(["https://a.example", "https://b.example"]) == ("https://a.example",)
    assert forget(["https://a.example"]) == ()
    assert recalled(SECRETS.origins) == SECRETS.only(["http://proxy:81"])
    assert kept.entries["another program", "https://a.example"] == "stays"


@pytest.mark.parametrize("kept", [LockedKeyring, NoKeyring])
def test_a_keyring_that_cannot_be_opened_forgets_nothing(kept: type[KeyringBackend]) -> None:
    keyring.set_keyring(kept())
    with pytest.raises(UsageError, match="is missing or locked"):
        forget(["https://a.example"])


@pytest.mark.parametrize("entry", ["", "x", "{}]", '{"auth": 7}', '{"cookies": [["a", "b\\n"]]}'])
def test_an_entry_that_cannot_be_read_is_none(entry: str) -> None:
    kept = MemoryKeyring()
    kept.entries[SERVICE, "https://a.example"] = entry
    keyring.set_keyring(kept)
    assert recalled(["https://a.example"]) == Secrets()


@pytest.mark.parametrize("kept", [LockedKeyring, NoKeyring])
def test_without_a_keyring_secrets_are_asked_again(kept: type[KeyringBackend]) -> None:
    keyring.set_keyring(kept())
    assert recalled(["https://a.example"]) == Secrets()
    with pytest.raises(UsageError, match="be asked for it again") as caught:
        remember(SECRETS)
    assert "s3cret" not in str(caught.value)
    assert caught.value.__cause__ is None
    assert caught.value.__suppress_context__
