"""The columns of the search index, and their weights in the ranking."""

from typing import Final

from gossamer.model.search_query import SearchField

EVERY: Final = "every"
"""A column that has EVERY_WORD alone, in each page."""
COLUMN_WEIGHTS: Final = {
    SearchField.TEXT: 1,
    SearchField.ADDRESS: 4,
    SearchField.TITLE: 10,
    SearchField.HEADINGS: 5,
    SearchField.DESCRIPTION: 3,
    EVERY: 0,
}
"""The columns of the index, and what a word in each counts. Most words stand in the text: FTS5
names the column of each but the first, in two bytes, a fifth of all that it writes."""
