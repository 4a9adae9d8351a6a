"""Searches a project: `python -m tests.bench.search_probe PROJECT OUT ROUNDS`.

Writes to OUT, as JSON, the words of each search, the number of pages, and of each round the
milliseconds of processor time until the first rows, and until all pages, are there.
"""

import json
import sys
import time
from pathlib import Path
from typing import Final

from gossamer.model.project_queries import Filter, Order, View
from gossamer.model.search_query import RELEVANCE, Search
from gossamer.store.reading.reader import Reader

_SEARCHES: Final = (
    *("vector", "std", "the", "std*", "st*", "str*", "-vector", "std -vector", '"of the"'),
    *("the class template", "template OR class OR the", "return value OR std OR function"),
    *("(std OR the) template -vector", "std st*", "(std OR the) st* -vector"),
    *("co*", "st* co* in*", "(co* OR st*) vector"),
    *("(status:200 OR vector) st*", "(folder:/copy1/ OR vector) std"),
)
_OTHER: Final = Filter(search=Search("zebra"))
_ORDER: Final = Order(RELEVANCE)
_ROWS: Final = 50
_MS: Final = 1000


def main(project: Path, out: Path, rounds: int) -> None:
    """Search for all words in each round."""
    found = []
    with Reader(project) as reader:
        for words in _SEARCHES:
            measured = [_measure(reader, Search(words)) for _ in range(rounds)]
            pages, first_ms, all_ms = zip(*measured, strict=True)
            found.append((words, pages[0], first_ms, all_ms))
    out.write_text(json.dumps(found), encoding="utf-8")


def _measure(reader: Reader, search: Search) -> tuple[int, float, float]:
    reader.ids(View.ALL, _OTHER, _ORDER)  # what was found last is kept
    began = time.process_time()
    first = reader.first_ids(View.ALL, Filter(search=search), _ORDER)
    assert first is not None
    reader.records(first[:_ROWS])
    reader.excerpts(first[:_ROWS], search)
    shown = time.process_time()
    pages = len(reader.ids(View.ALL, Filter(search=search), _ORDER))
    return pages, (shown - began) * _MS, (time.process_time() - began) * _MS


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]))
