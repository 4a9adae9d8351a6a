"""What formats make of any cells, read back by a reader that is not ours."""

import csv
import io
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from zipfile import ZipFile

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from gossamer.export import xlsx_format
from gossamer.export.sheet import Block, Cell, Encode, FormatOptions, Row, Sheet
from tests.fakes.export_output import COLUMNS, TRICKY, in_memory, sheet, workbook


def split_at(separator: str, text: str) -> set[str]:
    """The cells for a reader that splits at `separator`, with quotes and without."""
    plain = {cell for line in text.split("\r\n") for cell in re.split(f"[{separator}\r\n]", line)}
    lines = io.StringIO(text, newline="")
    return plain | {cell for row in csv.reader(lines, delimiter=separator) for cell in row}


tricky = st.text("=+-@'\",;\t|\r\n a\uff1d\uff20")


@pytest.mark.parametrize("suffix", [".csv", ".tsv"])
@given(rows=st.lists(st.tuples(tricky, tricky), min_size=1))
@example(rows=[("a;=1+1;b", "a\t=1\tb"), ("a\n=1+1", "x|@SUM(1)"), ("a,+1", "\uff1d1")])
def test_no_cell_is_a_formula_at_whichever_separator_a_program_splits(
    suffix: str, rows: list[Row]
) -> None:
    text = in_memory(suffix, sheet(rows)).decode()
    for separator in ",;\t|":
        found = split_at(separator, text)
        assert not {cell for cell in found if cell[:1] in set("=+-@\uff1d\uff0b\uff0d\uff20")}


cells = st.none() | st.integers(-(2**53), 2**53) | st.text(st.characters(codec="utf-8"))


def content(suffix: str, made: Sheet, options: FormatOptions) -> bytes:
    """What was written, without the time at which it was."""
    written = in_memory(suffix, made, options)
    if suffix != ".xlsx":
        return written
    with ZipFile(io.BytesIO(written)) as archive:
        return b"".join(map(archive.read, archive.namelist()))


@pytest.mark.parametrize("suffix", [".csv", ".tsv", ".jsonl", ".xlsx"])
@pytest.mark.parametrize(
    "options", [FormatOptions(), FormatOptions(guard_formulas=False, delimiter=";")]
)
@given(cells=st.lists(st.sampled_from(TRICKY) | st.text() | st.integers() | st.none()))
def test_a_sheet_given_by_columns_is_written_as_one_given_by_rows(
    suffix: str, options: FormatOptions, cells: list[Cell]
) -> None:
    columns = [[cells[place] for place in places] for places in _orders(len(cells))]
    for width in (1, len(columns)):
        rows = list(zip(*columns[:width], strict=True))
        whole = Sheet(("A", "B", "C")[:width], iter(rows), len(rows), name="things")

        def blocks(wanted: Sequence[tuple[int, Encode]]) -> Iterator[Block]:
            for _ in range(2):
                yield [list(map(encode, columns[place])) for place, encode in wanted]

        made = replace(whole, rows=iter([*rows, *rows]), blocks=blocks)
        plain = replace(whole, rows=iter([*rows, *rows]))
        assert content(suffix, made, options) == content(suffix, plain, options)


def _orders(count: int) -> list[list[int]]:
    """Columns of places, each in another order, all with some that come again."""
    return [[*range(count), *range(0, count, 2)], [*range(0, count, 2), *range(count)][::-1]]


@given(rows=st.lists(st.tuples(cells, cells)))
def test_csv_holds_every_text(rows: list[Row]) -> None:
    text = in_memory(".csv", sheet(rows), FormatOptions(guard_formulas=False)).decode()
    found = list(csv.reader(io.StringIO(text, newline=""), strict=True))
    assert found == [
        list(COLUMNS),
        *[["" if cell is None else str(cell) for cell in row] for row in rows],
    ]


@given(rows=st.lists(st.tuples(cells, cells)))
def test_json_lines_hold_every_value(rows: list[Row]) -> None:
    found = in_memory(".jsonl", sheet(rows)).decode()
    lines = found.split("\n")
    assert lines.pop() == ""
    assert [json.loads(line) for line in lines] == [
        dict(zip(COLUMNS, row, strict=True)) for row in rows
    ]


@given(text=st.text(st.characters(codec="utf-8"), min_size=1))
def test_any_text_makes_a_workbook_that_can_be_read(text: str) -> None:
    file = io.BytesIO(in_memory(".xlsx", sheet([(text, 1)])))
    assert workbook(file)["things"][1] == (xlsx_format.text_of(text), 1)
