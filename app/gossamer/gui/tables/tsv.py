"""Rows of a table as text that spreadsheets take from the clipboard."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from gossamer.gui.project.id_index import Ids
from gossamer.gui.project.reader_port import ProjectRows
from gossamer.gui.tables.row_kind import RowKind
from gossamer.model.project_queries import Column

MAX_COPIED: Final = 50_000
"""Rows: some 10 MB of text. More than that is for an export."""

_CHUNK: Final = 500
_FORMULA_STARTS: Final = tuple("=+-@")
_BREAKS: Final = str.maketrans("\t\r\n", "   ")


def tsv(rows: ProjectRows, subject: RowKind, ids: Ids, columns: Sequence[Column]) -> str:
    """A line of column names and a line for each of the first MAX_COPIED rows.

    Text that spreadsheets would take for a formula has an apostrophe before it, as in exports.
    """
    return tsv_of(_records(rows, subject, ids[:MAX_COPIED]), subject, columns)


def tsv_of(records: Iterable[object], subject: RowKind, columns: Sequence[Column]) -> str:
    """A line of column names and a line for each record."""
    specs = [subject.specs[subject.index(column)] for column in columns]
    lines = ["\t".join(spec.header for spec in specs)]
    lines += (
        "\t".join(_cell(spec.value(record), safe=spec.numeric) for spec in specs)
        for record in records
    )
    return "\n".join(lines) + "\n"


def _records(rows: ProjectRows, subject: RowKind, ids: Sequence[int]) -> Iterator[object]:
    for start in range(0, len(ids), _CHUNK):
        yield from subject.read(rows, ids[start : start + _CHUNK])


def _cell(text: str, *, safe: bool) -> str:
    text = text.translate(_BREAKS)
    return f"'{text}" if not safe and text.startswith(_FORMULA_STARTS) else text
