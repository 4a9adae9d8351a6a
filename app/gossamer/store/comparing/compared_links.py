"""Reads the links of a compared project, as columns of numbers."""

import warnings
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

import numpy as np

from gossamer.model.link_kinds import OUTLINK_KINDS, LinkKind
from gossamer.store.auditing.number_arrays import Ids
from gossamer.store.bulk_insert import listed
from gossamer.store.comparing.compared_project import MOST_IDS, ComparedProject

# A text for each URL is read and parsed three times as fast as a row for each link.
_OUTLINKS: Final = (
    "SELECT source, count(*), group_concat(target) FROM link"  # noqa: S608 - numbers
    f" WHERE kind IN ({listed(OUTLINK_KINDS)}) GROUP BY source"
)
_OF_STAGED: Final = (
    "SELECT c.place, count(*), group_concat(l.target) FROM temp.compared c"  # noqa: S608 - numbers
    " CROSS JOIN link l ON l.source = c.id"
    f" WHERE l.kind IN ({listed(OUTLINK_KINDS)}) GROUP BY c.place"
)
_TO_STAGED: Final = """
    SELECT c.place, count(*), group_concat(i.source) FROM temp.compared c
    CROSS JOIN inlink i ON i.target = c.id GROUP BY c.place
"""
_LATE: Final = """
    SELECT c.place, count(*), group_concat(l.source) FROM unindexed_source n
    CROSS JOIN link l ON l.source = n.source CROSS JOIN temp.compared c ON c.id = l.target
    GROUP BY c.place
"""
_COUNTS: Final = """
    SELECT c.place, n.links + n.others FROM temp.compared c JOIN inlink_count n ON n.id = c.id
"""


_IS_ENTRY: Final = f"l.kind = {int(LinkKind.ALTERNATE)}"
_HREFLANG: Final = (
    "SELECT l.source, count(*), group_concat(l.target), group_concat(hex(lower(trim(t.value))))"  # noqa: S608 - our own words
    f" FROM link l CROSS JOIN text t ON t.id = l.text WHERE {_IS_ENTRY} AND t.value <> ''"
    " GROUP BY l.source"
)
_HREFLANG_OF_STAGED: Final = (
    "SELECT c.place, t.value, u.url FROM temp.compared c CROSS JOIN link l ON l.source = c.id"  # noqa: S608 - our own words
    " CROSS JOIN text t ON t.id = l.text CROSS JOIN url u ON u.id = l.target"
    f" WHERE {_IS_ENTRY} AND t.value <> ''"
)


class LinkedUrls(NamedTuple):
    """Links at one of their ends, and the URLs at the other: an element for each link."""

    ends: Ids
    others: Ids


class HreflangEntries(NamedTuple):
    """Pages, the URLs that they name, and for which languages: an element for each entry.

    Languages are written as numbers in hexadecimal, equal for those that are.
    """

    ends: Ids
    others: Ids
    languages: list[str]


def hreflang_entries(project: ComparedProject) -> Iterator[HreflangEntries]:
    """What URLs say of versions in other languages. A source is in one part only."""
    for part in project.read(_HREFLANG):
        linked = _linked(project, [row[:3] for row in part])
        languages = ",".join(row[3] for row in part).split(",")
        if len(languages) != len(linked.others):
            raise project.damaged()
        yield HreflangEntries(linked.ends, linked.others, languages)


def hreflang_of_staged(project: ComparedProject) -> Iterator[tuple[int, str, str]]:
    """Likewise of the staged URLs: place, language as it is written, address."""
    for part in project.read(_HREFLANG_OF_STAGED):
        for place, language, url in part:
            yield int(place), str(language), str(url)


def outlinks(project: ComparedProject) -> Iterator[LinkedUrls]:
    """Sources and targets of all links that visitors can follow. A source is in one part only."""
    return (_linked(project, part) for part in project.read(_OUTLINKS))


def outlinks_of_staged(project: ComparedProject) -> Iterator[LinkedUrls]:
    """Likewise of the staged URLs; sources are told by their places."""
    return (_linked(project, part) for part in project.read(_OF_STAGED))


def inlinks_of_staged(project: ComparedProject) -> Iterator[LinkedUrls]:
    """The places of the staged URLs, and the sources of all links to them: some come twice."""
    for sql in (_TO_STAGED, _LATE):
        for part in project.read(sql):
            yield _linked(project, part)


def inlink_counts(project: ComparedProject, staged: int) -> Ids:
    """About how many links lead to each of the staged URLs, of which there are so many."""
    counts = np.zeros(staged, np.int64)
    for part in project.read(_COUNTS):
        places, found = zip(*part, strict=True)
        counts[list(places)] = found
    return counts


def _linked(project: ComparedProject, rows: list[tuple[Any, ...]]) -> LinkedUrls:
    ends, counts, texts = zip(*rows, strict=True)
    with warnings.catch_warnings(action="ignore"):  # which numpy gives for what is no number
        others = np.fromstring(",".join(texts), np.int64, sep=",")
    total = sum(counts)
    if len(others) != total or (total and not 0 < others.min() <= others.max() < MOST_IDS):
        raise project.damaged()
    return LinkedUrls(np.repeat(np.array(ends, np.int64), counts), others)
