"""Keeps the link data of the site audit in a temporary file, as arrays of numbers.

A crawl has twenty times as many links as URLs, so that they are looked at in blocks.
"""

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import chain, islice
from pathlib import Path
from tempfile import TemporaryFile
from types import TracebackType
from typing import Final, Self

import numpy as np

from gossamer.model.errors import DiskError
from gossamer.model.link_kinds import LinkKind
from gossamer.store.auditing.number_arrays import Flags, Ids, Numbers, first_of, second_of
from gossamer.store.disk_errors import DISK_FULL
from gossamer.store.reading.facet_counts import count_links

BLOCK: Final = 1_000_000
"""Links that are looked at together."""
LINK: Final = np.dtype(
    [
        ("source", "<i4"),
        ("target", "<i4"),
        ("text", "<i4"),
        ("fragment", "<i4"),
        ("traits", "<u2"),
        ("kind", "u1"),
        ("rel", "u1"),
    ]
)
"""A link: `text` and `fragment` are ids of texts, 0 for none; `rel` has the bits named below."""
NOFOLLOW: Final = 1
NEXT: Final = 2
PREV: Final = 4
IMG: Final = 8
"""The src of an `<img>`."""
_RELS: Final = {
    NOFOLLOW: ("nofollow",),
    NEXT: ("next",),
    PREV: ("prev", "previous"),
}
_WITH_TEXT: Final = f"{int(LinkKind.IMAGE)}, {int(LinkKind.ALTERNATE)}"
# SQLite has one precedence for all of these operators.
_READ: Final = f"""
    SELECT source << 32 | target,
        kind | (traits << 8) | (coalesce(rel, 0) << 24),
        coalesce(CASE WHEN kind IN ({_WITH_TEXT}) THEN text END, 0) | (
            coalesce(CASE kind WHEN {int(LinkKind.IMAGE)} THEN element ELSE fragment END, 0) << 32
        )
    FROM link
"""  # noqa: S608 - our own words
_WIDTH: Final = 3


class LinkArrays:
    """The links of a project, in the order of their sources, in a file that is deleted with it."""

    def __init__(self, folder: Path, dtype: np.dtype[np.void] = LINK) -> None:
        """Keep rows of `dtype` in a file in `folder`; DiskError if there can be none."""
        self._folder = folder
        with self._disk_errors():
            self._file = TemporaryFile(dir=folder, prefix=".gossamer-")  # noqa: SIM115 - see `close`
        self._dtype = dtype
        self._lengths: list[int] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self.close()

    def __len__(self) -> int:
        return sum(self._lengths)

    def close(self) -> None:
        """Remove the file."""
        self._file.close()

    def append(self, rows: Numbers) -> None:
        """Add a block; DiskError if there is no room for it."""
        if len(rows):
            with self._disk_errors():
                rows.tofile(self._file)
            self._lengths.append(len(rows))

    def blocks(self) -> Iterator[Numbers]:
        """All of them, block by block; each source is in one block only."""
        self._file.flush()
        start = 0
        for length in self._lengths:
            self._file.seek(start)
            yield np.fromfile(self._file, self._dtype, length)
            start += length * self._dtype.itemsize

    @contextmanager
    def _disk_errors(self) -> Iterator[None]:
        """Inside, an OSError becomes a DiskError. That of numpy does not say why."""
        try:
            yield
        except OSError as e:
            raise DiskError(DISK_FULL, path=self._folder) from e

    def where(self, choose: Callable[[Numbers], Flags]) -> Numbers:
        """Those that are chosen, together: for kinds of which there are few."""
        found = [block[choose(block)] for block in self.blocks()]
        return np.concatenate(found) if found else np.zeros(0, self._dtype)


def read_links(
    connection: sqlite3.Connection,
    columns: LinkArrays,
    known: int,
    progress: Callable[[int, int], None],
    *,
    block: int = BLOCK,
) -> None:
    """Fill `columns` with the links between URLs whose ids are below `known`.

    A `block` has about so many, and all of a source.

    `progress` is told how many links have been read, and about how many there are.
    """
    rels = {bit: _texts(connection, tokens) for bit, tokens in _RELS.items()}
    img = _texts(connection, ("img",))
    total = count_links(connection)
    rows = chain.from_iterable(connection.execute(_READ))
    rest = np.zeros(0, LINK)
    done = 0
    while len(numbers := np.fromiter(islice(rows, _WIDTH * block), np.int64)):
        links = _links(numbers.reshape(-1, _WIDTH), rels, img)
        sources, targets = links["source"], links["target"]
        read = np.concatenate([rest, links[(sources < known) & (targets < known)]])
        # A source is in one block only.
        sources = read["source"]
        end = int(np.searchsorted(sources, sources[-1])) if len(read) else 0
        columns.append(read[:end])
        rest = read[end:]
        done += len(links)
        progress(done, total)
    columns.append(rest)


def _links(numbers: Ids, rels: dict[int, Ids], img: Ids) -> Numbers:
    ends, facts, texts = numbers.T
    links = np.zeros(len(numbers), LINK)
    links["source"] = first_of(ends)
    links["target"] = second_of(ends)
    links["kind"] = facts & 0xFF
    links["traits"] = facts >> 8 & 0xFFFF
    links["text"] = second_of(texts)
    is_image = links["kind"] == LinkKind.IMAGE
    links["fragment"] = np.where(is_image, 0, first_of(texts))
    rel = facts >> 24
    for bit, ids in rels.items():
        links["rel"][np.isin(rel, ids)] |= bit
    of_images = is_image & np.isin(first_of(texts), img)
    links["rel"][of_images] |= IMG
    return links


def _texts(connection: sqlite3.Connection, tokens: Sequence[str]) -> Ids:
    """The ids of pooled texts that have one of these tokens, separated by spaces or commas."""
    text = "' ' || replace(value, ',', ' ') || ' '"
    is_found = " OR ".join([f"instr({text}, ' ' || ? || ' ')"] * len(tokens))
    rows = connection.execute(f"SELECT id FROM text WHERE {is_found}", tokens)  # noqa: S608 - marks only
    return np.array([text_id for (text_id,) in rows], np.int64)
