"""Decides which shard of a crawl a URL belongs to."""

from hashlib import blake2b
from typing import Final

from gossamer.urls.scope_and_limits import site_of
from gossamer.urls.url_parsing import origin

_MAX_REMEMBERED: Final = 10_000
"""Origins whose shard is remembered; a site can link to any number of hosts."""
_HASH_BYTES: Final = 8


class Ownership:
    """The shards of a crawl share its hosts by registrable domain.

    All hosts of a domain are in one shard, with the cookies, redirects and delays that they have in
    common. An IP address or localhost is a domain of its own with each of its ports. The hash is
    the same on all machines and in all versions: a shard that goes on elsewhere has the same hosts.
    """

    def __init__(self, shards: int) -> None:
        self._shards = shards
        self._owners: dict[str, int] = {}

    def owner(self, url: str) -> int:
        """The number of the shard that fetches `url`, a serialised http or https URL."""
        prefix = url[: url.find("/", 8) + 1]
        owner = self._owners.get(prefix)
        if owner is None:
            if len(self._owners) >= _MAX_REMEMBERED:
                self._owners.clear()
            owner = self._owners[prefix] = shard_of_site(site_of(origin(url)), self._shards)
        return owner


def shard_of_site(site: str, shards: int) -> int:
    """The shard, of so many, that a registrable domain belongs to."""
    return int.from_bytes(blake2b(site.encode(), digest_size=_HASH_BYTES).digest()) % shards
