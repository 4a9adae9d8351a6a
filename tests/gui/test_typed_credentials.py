"""Credentials that were typed, and the addresses that they are for."""

from gossamer.gui.crawl.next_crawl import TypedCredentialStore, is_for
from gossamer.gui.crawl.session_interfaces import NO_ACCESS, TypedCredentials
from gossamer.model.secrets import HttpAuth, OriginSecrets

SECRET = OriginSecrets(auth=HttpAuth("jo", "s3cret"))


def test_secrets_that_wait_for_an_address_are_not_for_the_crawl_shown() -> None:
    store = TypedCredentialStore()
    store.take(TypedCredentials(SECRET), [])
    assert store.of_crawl(["https://a.example/"]) == NO_ACCESS
    store.take_of_crawl(NO_ACCESS, ["https://a.example/"])
    assert store.of(["https://b.example/"]) == TypedCredentials(SECRET)


def test_the_credentials_that_are_shown_for_an_address_are_those_sent() -> None:
    roots = ["https://a.example/"]
    for own in (TypedCredentials(OriginSecrets(auth=HttpAuth("al", "0wn"))), NO_ACCESS):
        store = TypedCredentialStore()
        store.take(TypedCredentials(SECRET), [])
        store.take_of_crawl(own, roots)
        assert store.shown(roots) == own
        assert store.of(roots) == own


def test_secrets_are_for_addresses_of_their_origins_only() -> None:
    roots = ["https://a.example/", "https://b.example/"]
    assert is_for("a.example/deep", ["a.example"])
    assert is_for("https://b.example/x", roots)
    assert not is_for("https://c.example/", roots)
    assert is_for("https://c.example/", [])
