"""Search in the Chinese documentation, as an extension of Sphinx: by pairs of characters.

There are no spaces between Chinese words. A dictionary would tell them apart, but takes 19 MB and
misses names; pairs find every word of two characters and more.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from sphinx.search.zh import SearchChinese

if TYPE_CHECKING:
    from sphinx.application import Sphinx

_RUNS: Final = re.compile(r"[\u3400-\u9fff]+|[^\W\u3400-\u9fff]+")
_IN_THE_BROWSER: Final = r"""
var splitQuery = (query) =>
  (query.match(/[\u3400-\u9fff]+|[\p{L}\p{N}_]+/gu) || []).flatMap((run) =>
    /^[\u3400-\u9fff]{2}/.test(run)
      ? Array.from({ length: run.length - 1 }, (_, at) => run.slice(at, at + 2))
      : [run]
  );
"""


class PairsOfCharacters(SearchChinese):
    """Takes each two Chinese characters that follow each other for a word."""

    # Sphinx 9 names the stemmer of the browser after the language; that of Chinese is the English.
    language_name = "English"
    js_splitter_code = _IN_THE_BROWSER

    def split(self, input: str) -> list[str]:  # noqa: A002 - Sphinx calls it so
        """The words of a text: Chinese ones in pairs, others as they are."""
        return [word for run in _RUNS.findall(input) for word in words_of(run)]


def words_of(run: str) -> list[str]:
    """The words of characters that are all Chinese, or of which none is."""
    if len(run) > 1 and "\u3400" <= run[0] <= "\u9fff":
        return [run[at : at + 2] for at in range(len(run) - 1)]
    return [run]


def setup(app: Sphinx) -> dict[str, bool]:
    """Have Sphinx use it."""
    app.add_search_language(PairsOfCharacters)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
