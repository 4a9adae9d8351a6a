"""The number by which a URL is known in memory and in the project file's unique index."""

from hashlib import blake2b


def url_key(url: str) -> int:
    """Signed 64-bit number of `url`: the first 8 bytes of BLAKE2b over its UTF-8, big-endian.

    Two of ten million URLs share a key with a probability of about 3 in a million. Part of the
    project file's format: never change it.
    """
    return int.from_bytes(blake2b(url.encode(), digest_size=8).digest(), "big", signed=True)
