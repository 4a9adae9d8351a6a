"""Hashes the ids of a page that fragments of URLs can lead to."""

from collections.abc import Iterable
from typing import Final, NamedTuple

from gossamer.extract.phrase_hashes import word_hash

MAX_ANCHOR_IDS: Final = 4096
"""Fragment targets of a page."""


def anchor_hash(text: str) -> int:
    """16 bits for an id, or the fragment of a URL, percent-decoded: see `ParsedElements`."""
    return word_hash(text.encode()) >> 48


class AnchorIds(NamedTuple):
    """`anchor_hash` of each, two bytes, ascending; None if there is none."""

    hashes: bytes | None
    are_cut: bool


def anchor_ids(ids: Iterable[str]) -> AnchorIds:
    """The lowest `MAX_ANCHOR_IDS` of them; an empty id does not count."""
    numbers = sorted({anchor_hash(each) for each in ids if each})
    hashes = b"".join(number.to_bytes(2, "big") for number in numbers[:MAX_ANCHOR_IDS])
    return AnchorIds(hashes or None, len(numbers) > MAX_ANCHOR_IDS)
