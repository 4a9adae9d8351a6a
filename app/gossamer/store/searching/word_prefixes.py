"""Finds which prefixes the words of texts have; words are those that FTS5 finds.

What no ASCII separator divides is a *run*. A run of ASCII letters and digits is one word for the
tokenizer of any version of SQLite. Any other run is given to that tokenizer, once.
"""

import sqlite3
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from contextlib import closing
from functools import lru_cache, reduce
from operator import or_
from typing import Final

from gossamer.model.search_words import TOKENIZER

LONGEST: Final = 4
"""Characters of a prefix that may be listed."""
_MOST_KNOWN: Final = 200_000
"""Runs: some 20 MB."""
_ASCII: Final = bytes(range(128))
_TO_RUNS: Final = bytes(
    byte if byte > _ASCII[-1] else (chr(byte).lower() if chr(byte).isalnum() else " ").encode()[0]
    for byte in range(256)
)
"""ASCII letters in lower case, and a space in place of each other ASCII character."""
_TABLES: Final = (
    f"""CREATE VIRTUAL TABLE runs USING fts5 (run, content='', tokenize="{TOKENIZER}")""",
    "CREATE VIRTUAL TABLE word USING fts5vocab(runs, instance)",
)


class PrefixReader:
    """Tells of texts which of some prefixes their words have."""

    def __init__(self, prefixes: Sequence[str]) -> None:
        """`prefixes` are as the tokenizer writes them, with LONGEST characters at most."""
        self._bits = {prefix.encode(): 1 << number for number, prefix in enumerate(prefixes)}
        self._known: dict[bytes, int] = {}
        """The prefixes of the words of each run."""

    def prefixes_of(self, texts: Sequence[str]) -> list[int]:
        """For each text, a number with bit n set if a word has prefix n."""
        pages = [set(_runs(text)) for text in texts]
        self._learn(set[bytes]().union(*pages))
        prefixes = self._known.__getitem__
        return [reduce(or_, map(prefixes, page), 0) for page in pages]

    def _learn(self, runs: set[bytes]) -> None:
        if len(self._known) > _MOST_KNOWN:
            self._known = {}
        new = runs - self._known.keys()
        words = _words_of([run for run in new if not run.isascii()])
        for run in new:
            bits = 0
            for word in words.get(run, (run.decode(),)):
                for length in range(1, LONGEST + 1):
                    bits |= self._bits.get(word[:length].encode(), 0)
            self._known[run] = bits


@lru_cache(maxsize=1)
def prefix_reader(prefixes: tuple[str, ...]) -> PrefixReader:
    """The reader of these, which knows the runs that it has seen."""
    return PrefixReader(prefixes)


def count_prefixes(text: str) -> Counter[str]:
    """How many words of a text begin with each prefix that may be searched for."""
    counts: Counter[str] = Counter()
    runs = Counter(_runs(text))
    words = _words_of([run for run in runs if not run.isascii()])
    for run, times in runs.items():
        for word in words.get(run, (run.decode(),)):
            for length in range(_least(word), min(len(word), LONGEST) + 1):
                counts[word[:length]] += times
    return counts


def _least(word: str) -> int:
    """The characters that must stand before `*`: one ASCII letter needs another one."""
    return 2 if word[:1].isascii() else 1


def _runs(text: str) -> list[bytes]:
    return text.encode().translate(_TO_RUNS).split()


def _words_of(runs: Collection[bytes]) -> dict[bytes, list[str]]:
    """The words that the tokenizer finds in each run."""
    words: dict[bytes, list[str]] = {run: [] for run in runs}
    if not words:
        return words
    numbered = list(words)
    for word, number in _tokenized(run.decode() for run in numbered):
        words[numbered[number]].append(word)
    return words


def _tokenized(texts: Iterable[str]) -> list[tuple[str, int]]:
    """Each word of these texts, with the number of its text."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        for table in _TABLES:
            connection.execute(table)
        connection.execute("BEGIN")
        connection.executemany("INSERT INTO runs (rowid, run) VALUES (?, ?)", enumerate(texts))
        return connection.execute("SELECT term, doc FROM word WHERE term IS NOT NULL").fetchall()
