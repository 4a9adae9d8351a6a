"""Blocks connections to private networks, unless a root leads to one (SSRF protection).

A page, a redirect, a sitemap and a name server can all name an address inside this computer's
network. A crawl that begins outside has no business there.
"""

from collections.abc import Iterable, Iterator
from enum import Enum
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address

from gossamer.model.errors import UsageError
from gossamer.model.outcome_details import DetailCode, DetailedError
from gossamer.urls.url_parsing import host_and_port, origin, parse_root


class AddressClass(Enum):
    """The kind of network that an IP address belongs to."""

    PUBLIC = None
    LOOPBACK = DetailCode.LOOPBACK_ADDRESS
    PRIVATE = DetailCode.PRIVATE_ADDRESS
    LINK_LOCAL = DetailCode.LINK_LOCAL_ADDRESS
    METADATA = DetailCode.METADATA_ADDRESS
    SPECIAL = DetailCode.SPECIAL_ADDRESS


class ForbiddenAddressError(DetailedError):
    """The host has no address that this crawl may connect to."""

    def __init__(self, host: str, kind: AddressClass) -> None:
        """`host` is of this kind, or an address of it is."""
        assert kind.value is not None  # noqa: S101 - public addresses are never forbidden
        super().__init__(kind.value(host=host))


_METADATA = frozenset(
    map(
        ip_address,
        (
            "169.254.169.254",  # AWS, Azure, Google Cloud, DigitalOcean, Oracle, Hetzner, ...
            "169.254.170.2",  # AWS, containers
            "169.254.170.23",  # AWS, EKS pods
            "fd00:ec2::254",  # AWS
            "fd00:ec2::23",  # AWS, EKS pods
            "fd20:ce::254",  # Google Cloud
            "100.100.100.200",  # Alibaba Cloud
            "168.63.129.16",  # Azure, the host's agent
            "192.0.0.192",  # Oracle Cloud
        ),
    )
)
_METADATA_NAMES = ("metadata.google.internal", "metadata.goog", "metadata.tencentyun.com")
_THIS_HOST = IPv4Network("0.0.0.0/8")
_SHARED = IPv4Network("100.64.0.0/10")
_PRIVATE_4 = tuple(map(IPv4Network, ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16")))
_PRIVATE_6 = tuple(map(IPv6Network, ("fc00::/7", "fec0::/10", "64:ff9b:1::/48")))
_EMBEDDING_AT_END = tuple(
    map(
        IPv6Network,
        (
            "::ffff:0:0/96",  # IPv4-mapped (RFC 4291)
            "::ffff:0:0:0/96",  # IPv4-translated (RFC 2765)
            "::/96",  # IPv4-compatible (RFC 4291, deprecated)
            "64:ff9b::/96",  # NAT64 (RFC 6052)
        ),
    )
)
_6TO4 = IPv6Network("2002::/16")
_TEREDO = IPv6Network("2001::/32")
_ISATAP = frozenset({0x0000_5EFE, 0x0200_5EFE})
_MASK_32 = 0xFFFF_FFFF


def class_of(text: str) -> AddressClass:
    """The class of an IP address as the system's resolver writes it, a zone included.

    An IPv6 address that carries an IPv4 address has the class of the latter.
    """
    address = ip_address(text.partition("%")[0])
    if address in _METADATA:
        return AddressClass.METADATA
    if isinstance(address, IPv4Address):
        return _class_of_4(address)
    return _class_of_6(address)


def _class_of_4(address: IPv4Address) -> AddressClass:
    # Connecting to 0.0.0.0 reaches this computer on most systems.
    if address.is_loopback or address in _THIS_HOST:
        return AddressClass.LOOPBACK
    if address.is_link_local:
        return AddressClass.LINK_LOCAL
    if address in _SHARED or any(address in network for network in _PRIVATE_4):
        return AddressClass.PRIVATE
    return _public_or_special(address)


def _class_of_6(address: IPv6Address) -> AddressClass:
    if address.is_loopback or address.is_unspecified:
        return AddressClass.LOOPBACK
    for embedded in _embedded(address):
        kind = class_of(str(embedded))
        if kind is not AddressClass.PUBLIC:
            return kind
    if address.is_link_local:
        return AddressClass.LINK_LOCAL
    if any(address in network for network in _PRIVATE_6):
        return AddressClass.PRIVATE
    if next(_embedded(address), None) is not None:
        return AddressClass.PUBLIC
    return _public_or_special(address)


def _public_or_special(address: IPv4Address | IPv6Address) -> AddressClass:
    is_public = address.is_global and not address.is_multicast
    return AddressClass.PUBLIC if is_public else AddressClass.SPECIAL


def _embedded(address: IPv6Address) -> Iterator[IPv4Address]:
    """The IPv4 addresses to which packets for `address` may be sent on."""
    number = int(address)
    if any(address in network for network in _EMBEDDING_AT_END):
        yield IPv4Address(number & _MASK_32)
    elif address in _6TO4:
        yield IPv4Address(number >> 80 & _MASK_32)
    elif address in _TEREDO:
        yield IPv4Address(number >> 64 & _MASK_32)
        yield IPv4Address(~number & _MASK_32)
    if number >> 32 & _MASK_32 in _ISATAP:
        yield IPv4Address(number & _MASK_32)


def class_of_name(host: str) -> AddressClass | None:
    """The class of a host as known without a look-up; None for a name that has to be looked up.

    `host` is as serialised: an IPv6 address may stand in brackets.
    """
    bare = host.strip("[]").rstrip(".")
    # RFC 6761 §6.3: these names are this computer.
    if bare == "localhost" or bare.endswith(".localhost"):
        return AddressClass.LOOPBACK
    if bare in _METADATA_NAMES:
        return AddressClass.METADATA
    try:
        return class_of(bare)
    except ValueError:
        return None


class AddressGuard:
    """Knows which classes of address a crawl with these roots may connect to.

    Public addresses always; others if a root leads to one of the class. The first look-up of a
    root's name fixes its addresses.
    """

    def __init__(self, roots: Iterable[str]) -> None:
        """`roots` are as in the settings. Those that are no addresses are skipped."""
        self._allowed = {AddressClass.PUBLIC}
        self.unknown: dict[str, int] = {}
        """Hosts (as serialised) and a port of the roots whose addresses were not yet seen."""
        for root in roots:
            try:
                host, port = host_and_port(origin(parse_root(root)))
            except UsageError:
                continue
            kind = class_of_name(host)
            if kind is None:
                self.unknown[host] = port
            else:
                self._allowed.add(kind)

    def learn(self, host: str, addresses: Iterable[str]) -> None:
        """Permit the `addresses` of a root's host, if it was never looked up before."""
        if self.unknown.pop(host, None) is not None:
            self._allowed.update(map(class_of, addresses))

    def allowed(self, addresses: Iterable[str]) -> list[str]:
        """The permitted ones of `addresses`; ForbiddenAddressError if there are none."""
        first_refused: ForbiddenAddressError | None = None
        allowed = []
        for address in addresses:
            kind = class_of(address)
            if kind in self._allowed:
                allowed.append(address)
            elif first_refused is None:
                first_refused = ForbiddenAddressError(address, kind)
        if first_refused is not None and not allowed:
            raise first_refused
        return allowed

    def check_name(self, host: str) -> None:
        """Raise ForbiddenAddressError if `host`, as serialised, is a forbidden address.

        A name that has to be looked up passes: its addresses are still to be checked.
        """
        kind = class_of_name(host)
        if kind is not None and kind not in self._allowed:
            raise ForbiddenAddressError(host, kind)
