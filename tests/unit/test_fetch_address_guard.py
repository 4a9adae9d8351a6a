import pytest

from gossamer.fetch.address_guard import (
    AddressClass,
    AddressGuard,
    ForbiddenAddressError,
    class_of,
    class_of_name,
)
from tests.cases import each_case

PUBLIC, LOOPBACK, PRIVATE, LINK_LOCAL, METADATA, SPECIAL = AddressClass

CLASSES = {
    "8.8.8.8": PUBLIC,
    "2606:4700::1111": PUBLIC,
    "127.0.0.1": LOOPBACK,
    "127.255.255.254": LOOPBACK,
    "0.0.0.0": LOOPBACK,  # noqa: S104 - nothing is bound to it
    "0.1.2.3": LOOPBACK,
    "::1": LOOPBACK,
    "::": LOOPBACK,
    "10.1.2.3": PRIVATE,
    "172.16.0.1": PRIVATE,
    "172.32.0.1": PUBLIC,
    "192.168.1.1": PRIVATE,
    "100.64.0.1": PRIVATE,
    "100.128.0.1": PUBLIC,
    "fd12::1": PRIVATE,
    "fec0::1": PRIVATE,
    "169.254.1.1": LINK_LOCAL,
    "fe80::1": LINK_LOCAL,
    "fe80::1%eth0": LINK_LOCAL,
    "169.254.169.254": METADATA,
    "169.254.170.2": METADATA,
    "100.100.100.200": METADATA,
    "168.63.129.16": METADATA,
    "fd00:ec2::254": METADATA,
    "fd20:ce::254": METADATA,
    "224.0.0.1": SPECIAL,
    "240.0.0.1": SPECIAL,
    "255.255.255.255": SPECIAL,
    "192.0.2.1": SPECIAL,
    "198.18.0.1": SPECIAL,
    "ff02::1": SPECIAL,
    "ff0e::1": SPECIAL,
    "2001:db8::1": SPECIAL,
    # IPv4 inside IPv6
    "::ffff:127.0.0.1": LOOPBACK,
    "::ffff:8.8.8.8": PUBLIC,
    "::ffff:169.254.169.254": METADATA,
    "::ffff:0:10.0.0.1": PRIVATE,
    "::10.0.0.1": PRIVATE,
    "64:ff9b::10.0.0.1": PRIVATE,
    "64:ff9b::8.8.8.8": PUBLIC,
    "64:ff9b:1::1": PRIVATE,
    "2002:7f00:1::1": LOOPBACK,
    "2002:a9fe:a9fe::": METADATA,
    "2002:808:808::1": PUBLIC,
    # Teredo: the client's address stands inverted at the end, its server's before.
    "2001:0:808:808:0:0:80ff:fffe": LOOPBACK,
    "2001:0:a00:1:0:0:f7f7:f7f7": PRIVATE,
    # ISATAP in a public prefix
    "2606:4700::5efe:10.0.0.1": PRIVATE,
    "2606:4700::200:5efe:192.168.0.1": PRIVATE,
}


@each_case(("address", "kind"), CLASSES.items())
def test_classes_of_addresses(address: str, kind: AddressClass) -> None:
    assert class_of(address) is kind


@each_case(
    ("host", "kind"),
    [
        ("localhost", LOOPBACK),
        ("a.localhost.", LOOPBACK),
        ("metadata.google.internal", METADATA),
        ("[::1]", LOOPBACK),
        ("10.0.0.1", PRIVATE),
        ("localhost.example", None),
        ("example.com", None),
    ],
)
def test_hosts_that_need_no_look_up(host: str, kind: AddressClass | None) -> None:
    assert class_of_name(host) is kind


def refused(guard: AddressGuard, *addresses: str) -> str:
    with pytest.raises(ForbiddenAddressError) as caught:
        guard.allowed(addresses)
    return str(caught.value)


def test_a_crawl_that_starts_in_public_stays_there() -> None:
    guard = AddressGuard(["https://93.184.216.34/"])
    assert guard.allowed(["8.8.8.8"]) == ["8.8.8.8"]
    assert refused(guard, "10.0.0.1") == "10.0.0.1 is a private address"
    assert refused(guard, "127.0.0.1") == "127.0.0.1 is a loopback address"
    assert "metadata" in refused(guard, "169.254.169.254", "::1")


def test_what_a_root_leads_to_may_be_asked_and_nothing_else() -> None:
    guard = AddressGuard(["http://localhost:8000/", "10.0.0.1", "no host"])
    guard.check_name("127.0.0.2")
    guard.check_name("[fd00::1]")
    guard.check_name("example.com")
    with pytest.raises(ForbiddenAddressError):
        guard.check_name("169.254.1.1")
    with pytest.raises(ForbiddenAddressError):
        guard.check_name("metadata.google.internal")


def test_of_a_mixed_answer_what_is_allowed_remains() -> None:
    assert AddressGuard([]).allowed(["::1", "8.8.8.8", "10.0.0.1"]) == ["8.8.8.8"]


def test_the_first_answer_for_a_root_counts() -> None:
    guard = AddressGuard(["https://intranet.example:8443/", "https://example.com"])
    assert guard.unknown == {"intranet.example": 8443, "example.com": 443}
    assert "private" in refused(guard, "10.0.0.1")
    guard.learn("other.example", ["10.0.0.1"])
    assert "private" in refused(guard, "10.0.0.1")
    guard.learn("example.com", ["93.184.216.34"])
    guard.learn("intranet.example", ["10.0.0.1"])
    assert guard.allowed(["10.9.9.9"]) == ["10.9.9.9"]
    # The name server changes its mind: DNS rebinding.
    guard.learn("example.com", ["127.0.0.1"])
    assert "loopback" in refused(guard, "127.0.0.1")


def test_no_address_at_all_is_nothing_to_refuse() -> None:
    assert AddressGuard([]).allowed([]) == []
