"""What a table keeps of its rows, and what comes when it reads them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from gossamer.gui.project.id_index import Ids
from gossamer.gui.tables.row_cells import Cells
from gossamer.gui.tables.table_query import TableQuery


@dataclass(frozen=True, slots=True)
class TablePage:
    """An answer: all ids (or those after the known ones), and records of the rows in sight.

    With a `refusal`, a sentence, there is no answer.
    """

    query: TableQuery
    after: int
    ids: Ids
    places: dict[int, int]
    first: int
    records: Sequence[Any]
    refusal: str = ""


class Row:
    """A record, its texts as far as they were shown, and the refresh it was read in."""

    __slots__ = ("age", "record", "texts")

    def __init__(self, record: Any, age: int, columns: int) -> None:  # noqa: ANN401 - of the subject
        self.record = record
        self.age = age
        self.texts: list[str | None] = [None] * columns

    def differing(self, old: "Row | None", cells: Cells) -> Sequence[int]:
        """The columns in which this is to be painted otherwise than `old`, its record till now.

        Cells that were never painted need no repainting.
        """
        if old is None or not cells.look_alike(old.record, self.record):
            return range(len(self.texts))
        columns = []
        for column, text in enumerate(old.texts):
            if text is not None:
                self.texts[column] = cells.specs[column].text(self.record)
                if self.texts[column] != text:
                    columns.append(column)
        return columns


def ranges(rows: list[int]) -> Iterable[tuple[int, int]]:
    """Sorted rows as contiguous ranges, both ends included."""
    start = previous = None
    for row in rows:
        if start is None or previous is None:
            start = row
        elif row != previous + 1:
            yield start, previous
            start = row
        previous = row
    if start is not None and previous is not None:
        yield start, previous
