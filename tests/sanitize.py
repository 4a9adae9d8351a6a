"""Runs a library of `gossamer.extract.native_dom_walk` over documents made to break it.

`python3 packaging/dev.py check --sanitize` compiles one with sanitizers, which end the process at
the first byte that is read or written amiss, and has it do this.
"""

import sys
from pathlib import Path
from random import Random

from hypothesis import HealthCheck, given, settings
from selectolax.lexbor import LexborHTMLParser

from gossamer.extract.native_dom_walk import NativeWalk
from gossamer.extract.parsed_elements import FOUND
from tests.fakes.walk_documents import MANY_ELEMENTS, PAGES
from tests.property.markup import pages

RANDOM_PAGES = 5_000
DAMAGED_PAGES = 2_000
ADDRESS = "https://example.com/d/ü?a=1".encode()


def main(library: Path) -> None:
    """Read every document of the corpus."""
    NativeWalk(library).prove()
    walk = NativeWalk(library, FOUND | {"portal", "x-y"})  # lexbor knows neither
    whole = [page.encode() for page in (*PAGES, MANY_ELEMENTS)]
    for document in (*whole, *_damaged(whole)):
        _read(walk, document)

    @settings(
        max_examples=RANDOM_PAGES,
        database=None,
        deadline=None,
        derandomize=True,
        suppress_health_check=list(HealthCheck),
    )
    @given(pages)
    def read_any(document: bytes) -> None:
        _read(walk, document)

    read_any()
    count = len(whole) + DAMAGED_PAGES + RANDOM_PAGES
    sys.stdout.write(f"{count:,} documents were read without a fault.\n")


def _read(walk: NativeWalk, document: bytes) -> None:
    walk.markup_shape(document, walk.count_tags(document))
    walk.find(LexborHTMLParser(document), ADDRESS)


def _damaged(documents: list[bytes]) -> list[bytes]:
    """Pieces of several documents in a row, with some bytes replaced."""
    random = Random(1)
    short = [document for document in documents if len(document) < 10_000]
    damaged: list[bytes] = []
    for _ in range(DAMAGED_PAGES):
        mixed = bytearray()
        for document in random.sample(short, 4):
            start = random.randrange(len(document) + 1)
            mixed += document[start : start + random.randrange(1_000)]
        for _ in range(random.randrange(10)):
            if mixed:
                mixed[random.randrange(len(mixed))] = random.randrange(256)
        damaged.append(bytes(mixed))
    return damaged


if __name__ == "__main__":
    main(Path(sys.argv[1]))
