"""What each format makes of a table, read back by a reader that is not ours."""

import csv
import gzip
import io
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Self
from zipfile import ZipFile

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from openpyxl import load_workbook

from gossamer.export import xlsx_format
from gossamer.export.formats import FORMATS
from gossamer.export.output_files import Output
from gossamer.export.sheet import (
    Block,
    Cell,
    Encode,
    Options,
    Row,
    Sheet,
    WriteSheet,
    containing,
    narrowed,
)
from gossamer.model.errors import UsageError

COLUMNS = ("A", "B")
TRICKY = [
    "",
    " lead and trail ",
    'a,b;c|d\t"e"',
    "two\nlines",
    "=1+1",
    "=HYPERLINK(1)",
    "https://example.com/",
    "007",
    "2024-01-01",
    "<r>x</r>",
    "]]>&amp;<b>",
    "_x0041_",
    "ü🦋",
]


def sheet(rows: list[Row]) -> Sheet:
    return Sheet("things", COLUMNS, iter(rows), len(rows))


def writer(suffix: str) -> WriteSheet:
    write = FORMATS[suffix].write
    assert write is not None
    return write


def written(path: Path, rows: list[Row], options: Options = Options()) -> bytes:  # noqa: B008 - a frozen value
    """`path` with these rows in the format of its suffix."""
    with Output(path) as output:
        writer(path.suffix)(output, sheet(rows), options)
        assert output.put_in_place() == (path,)
    return path.read_bytes()


# ---------------------------------------------------------------- CSV


def test_csv_is_what_rfc_4180_says(tmp_path: Path) -> None:
    rows: list[Row] = [("plain", 1), ("a,b", 0.5), ('a"b', None), ("a\nb", ""), ("a\r\nb", -3)]
    assert written(tmp_path / "t.csv", rows) == (
        b'A,B\r\nplain,1\r\n"a,b",0.5\r\n"a""b",\r\n"a\nb",\r\n"a\r\nb",-3\r\n'
    )


def test_csv_is_utf8_with_a_mark_only_if_asked(tmp_path: Path) -> None:
    out = tmp_path / "t.csv"
    assert written(out, [("ü🦋", 1)]).startswith(b"A,B\r\n\xc3\xbc\xf0\x9f\xa6\x8b,1")
    marked = written(out, [("ü", 1)], Options(byte_order_mark=True))
    assert marked == b"\xef\xbb\xbfA,B\r\n\xc3\xbc,1\r\n"


@pytest.mark.parametrize("delimiter", [";", "\t", "|"])
def test_csv_with_another_delimiter(tmp_path: Path, delimiter: str) -> None:
    rows: list[Row] = [(f"a{delimiter}b", 1)]
    found = written(tmp_path / "t.csv", rows, Options(delimiter=delimiter)).decode()
    assert found == f'A{delimiter}B\r\n"a{delimiter}b"{delimiter}1\r\n'


def test_tsv_has_tabs(tmp_path: Path) -> None:
    assert written(tmp_path / "t.tsv", [("a b", 1)]) == b"A\tB\r\na b\t1\r\n"


@pytest.mark.parametrize("suffix", [".csv", ".tsv"])
@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
def test_what_another_system_would_split_at_is_quoted(
    tmp_path: Path, suffix: str, separator: str
) -> None:
    text = written(tmp_path / f"t{suffix}", [(f"a{separator}b", 1)]).decode()
    assert f'"a{separator}b"' in text


@pytest.mark.parametrize(
    "start", ["=1+1", "+1", "-1", "@SUM(A1)", "\tx", "\rx", "\nx", "\uff1d1", "\uff201"]
)
def test_text_that_a_spreadsheet_would_run_is_guarded(tmp_path: Path, start: str) -> None:
    for options, expected in ((Options(), f"'{start}"), (Options(guard_formulas=False), start)):
        text = written(tmp_path / "t.csv", [(start, -1)], options).decode()
        assert list(csv.reader(text.splitlines(keepends=True)))[1:] == [[expected, "-1"]]


def split_at(separator: str, text: str) -> set[str]:
    """The cells for a reader that splits at `separator`, with quotes and without."""
    plain = {cell for line in text.split("\r\n") for cell in re.split(f"[{separator}\r\n]", line)}
    lines = io.StringIO(text, newline="")
    return plain | {cell for row in csv.reader(lines, delimiter=separator) for cell in row}


tricky = st.text("=+-@'\",;\t|\r\n a\uff1d\uff20")


@pytest.mark.parametrize("suffix", [".csv", ".tsv"])
@given(rows=st.lists(st.tuples(tricky, tricky), min_size=1))
@example(rows=[("a;=1+1;b", "a\t=1\tb"), ("a\n=1+1", "x|@SUM(1)"), ("a,+1", "\uff1d1")])
def test_no_reader_sees_a_formula_wherever_it_splits(
    tmp_path_factory: pytest.TempPathFactory, suffix: str, rows: list[Row]
) -> None:
    out = tmp_path_factory.mktemp("csv") / f"t{suffix}"
    text = written(out, rows).decode()
    for separator in ",;\t|":
        found = split_at(separator, text)
        assert not {cell for cell in found if cell[:1] in set("=+-@\uff1d\uff0b\uff0d\uff20")}


cells = st.none() | st.integers(-(2**53), 2**53) | st.text(st.characters(codec="utf-8"))


@pytest.mark.parametrize("suffix", [".csv", ".tsv", ".jsonl", ".xlsx"])
@pytest.mark.parametrize("options", [Options(), Options(guard_formulas=False, delimiter=";")])
@given(cells=st.lists(st.sampled_from(TRICKY) | st.text() | st.integers() | st.none()))
def test_columns_of_repeated_cells_are_written_as_their_rows_are(
    tmp_path_factory: pytest.TempPathFactory, suffix: str, options: Options, cells: list[Cell]
) -> None:
    folder = tmp_path_factory.mktemp("columns")
    columns = [[cells[place] for place in places] for places in _orders(len(cells))]
    for width in (1, len(columns)):
        rows = list(zip(*columns[:width], strict=True))
        whole = Sheet("things", ("A", "B", "C")[:width], iter(rows), len(rows))

        def blocks(wanted: Sequence[tuple[int, Encode]]) -> Iterator[Block]:
            for _ in range(2):
                yield [list(map(encode, columns[place])) for place, encode in wanted]

        made = replace(whole, rows=iter([*rows, *rows]), blocks=blocks)
        plain = replace(whole, rows=iter([*rows, *rows]))
        found = [
            _file(folder / f"{width}{name}{suffix}", each, options)
            for name, each in (("blocks", made), ("rows", plain))
        ]
        assert found[0] == found[1]


def _orders(count: int) -> list[list[int]]:
    """Columns of places, each in another order, all with some that come again."""
    return [[*range(count), *range(0, count, 2)], [*range(0, count, 2), *range(count)][::-1]]


def _file(path: Path, made: Sheet, options: Options) -> bytes:
    with Output(path) as output:
        writer(path.suffix)(output, made, options)
        output.put_in_place()
    if path.suffix != ".xlsx":
        return path.read_bytes()
    with ZipFile(path) as archive:  # the archive itself says when it was made
        return b"".join(map(archive.read, archive.namelist()))


@given(rows=st.lists(st.tuples(cells, cells)))
def test_csv_holds_every_text(tmp_path_factory: pytest.TempPathFactory, rows: list[Row]) -> None:
    out = tmp_path_factory.mktemp("csv") / "t.csv"
    written(out, rows, Options(guard_formulas=False))
    with out.open(encoding="utf-8", newline="") as file:
        found = list(csv.reader(file, strict=True))
    assert found == [
        list(COLUMNS),
        *[["" if cell is None else str(cell) for cell in row] for row in rows],
    ]


# ---------------------------------------------------------------- JSON Lines


@given(rows=st.lists(st.tuples(cells, cells)))
def test_json_lines_hold_every_value(
    tmp_path_factory: pytest.TempPathFactory, rows: list[Row]
) -> None:
    found = written(tmp_path_factory.mktemp("json") / "t.jsonl", rows).decode()
    lines = found.split("\n")
    assert lines.pop() == ""
    assert [json.loads(line) for line in lines] == [
        dict(zip(COLUMNS, row, strict=True)) for row in rows
    ]


# ---------------------------------------------------------------- Excel


def workbook(path: Path) -> dict[str, list[tuple[object, ...]]]:
    """Each worksheet's rows as openpyxl reads them."""
    book = load_workbook(path, read_only=True)
    try:
        return {found.title: [tuple[object, ...](row) for row in found.values] for found in book}
    finally:
        book.close()


def test_times_in_a_workbook_are_dates(tmp_path: Path) -> None:
    moments: list[Cell] = ["2026-11-13T11:12:04Z", "1900-01-01T00:00:00Z", "soon"]
    rows = [("2026-11-13T11:12:04Z", moment) for moment in moments]
    with Output(tmp_path / "t.xlsx") as output:
        made = Sheet("things", ("Title 1", "Crawl Timestamp"), iter(rows), len(rows))
        writer(".xlsx")(output, made, Options())
        output.put_in_place()
    first, *others = workbook(tmp_path / "t.xlsx")["things"][1:]
    assert first == ("2026-11-13T11:12:04Z", datetime(2026, 11, 13, 11, 12, 4))  # noqa: DTZ001 - workbooks know no zones
    assert [row[1] for row in others] == ["1900-01-01T00:00:00Z", "soon"]


def test_a_workbook_has_filters_in_its_header(tmp_path: Path) -> None:
    written(tmp_path / "t.xlsx", [("a", 1), ("b", 2)])
    book = load_workbook(tmp_path / "t.xlsx")
    assert book["things"].auto_filter.ref == "A1:B3"
    with ZipFile(tmp_path / "t.xlsx") as archive:
        assert "'things'!$A$1:$B$3</definedName>" in archive.read("xl/workbook.xml").decode()


def test_workbook_holds_numbers_and_texts(tmp_path: Path) -> None:
    rows: list[Row] = [(text, number) for number, text in enumerate(TRICKY) if text]
    rows += [(None, 0.25), (-3, 1e-07)]
    written(tmp_path / "t.xlsx", rows)
    # Excel reads this as _x0041_, and that as A; openpyxl reads what is there.
    as_read = [tuple("_x005F_x0041_" if c == "_x0041_" else c for c in row) for row in rows]
    assert workbook(tmp_path / "t.xlsx") == {"things": [COLUMNS, *as_read]}


def test_no_text_becomes_a_formula_or_a_link(tmp_path: Path) -> None:
    written(tmp_path / "t.xlsx", [(text, text) for text in TRICKY])
    book = load_workbook(tmp_path / "t.xlsx")
    kinds = {cell.data_type for row in book.worksheets[0].iter_rows() for cell in row}
    assert kinds == {"s"}
    assert not any(cell.hyperlink for row in book.worksheets[0].iter_rows() for cell in row)


@given(text=st.text(st.characters(codec="utf-8"), min_size=1))
def test_any_text_makes_a_workbook_that_can_be_read(
    tmp_path_factory: pytest.TempPathFactory, text: str
) -> None:
    out = tmp_path_factory.mktemp("xlsx") / "t.xlsx"
    written(out, [(text, 1)])
    assert workbook(out)["things"][1] == (xlsx_format.text_of(text), 1)


def test_what_a_cell_cannot_hold(tmp_path: Path) -> None:
    written(tmp_path / "t.xlsx", [("a\x00b\x1fc\ufffed", 1), ("x" * 40_000, 2)])
    _, first, second = workbook(tmp_path / "t.xlsx")["things"]
    assert first[0] == "a\ufffdb\ufffdc\ufffdd"
    assert second[0] == "x" * 32_767


@pytest.mark.parametrize(
    ("number", "sizes"), [(0, [1]), (4, [5]), (5, [5, 2]), (8, [5, 5]), (9, [5, 5, 2])]
)
def test_rows_beyond_a_worksheet_go_on_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int, sizes: list[int]
) -> None:
    monkeypatch.setattr(xlsx_format, "MAX_ROWS", 5)
    written(tmp_path / "t.xlsx", [(str(n), n) for n in range(number)])
    found = workbook(tmp_path / "t.xlsx")
    assert [len(rows) for rows in found.values()] == sizes
    assert all(rows[0] == COLUMNS for rows in found.values())
    assert [row[1] for rows in found.values() for row in rows[1:]] == list(range(number))
    assert list(found) == ["things", "things 2", "things 3"][: len(sizes)]


def test_many_columns_have_the_names_that_excel_gives() -> None:
    names = {0: "A", 25: "Z", 26: "AA", 51: "AZ", 52: "BA", 701: "ZZ", 702: "AAA"}
    assert {n: xlsx_format.letters_of(n) for n in names} == names


# ---------------------------------------------------------------- all of them


class Counted(tuple[str, int]):  # noqa: SLOT001 - a tuple cannot have slots with something in them
    """A row that is counted while it lives."""

    alive = 0
    most = 0

    def __new__(cls, number: int) -> Self:
        Counted.alive += 1
        Counted.most = max(Counted.most, Counted.alive)
        return super().__new__(cls, (f"https://example.com/{number}", number))

    def __del__(self) -> None:
        Counted.alive -= 1


@pytest.mark.parametrize("suffix", [s for s, format_ in FORMATS.items() if format_.write])
def test_rows_are_not_kept(tmp_path: Path, suffix: str) -> None:
    """However many there are: what a million rows take is what these take."""
    Counted.most = 0
    with Output(tmp_path / f"t{suffix}") as output:
        rows = Sheet("things", COLUMNS, map(Counted, range(60_000)), 60_000)
        writer(suffix)(output, rows, Options())
        output.put_in_place()
    assert 0 < Counted.most < 10


def test_columns_are_chosen_by_name() -> None:
    chosen = narrowed(sheet([("x", 1), ("y", 2)]), ("b", "A"))
    assert chosen.columns == ("B", "A")
    assert list(chosen.rows) == [(1, "x"), (2, "y")]
    with pytest.raises(UsageError, match="There is no column 'C' in things; there are A, B"):
        narrowed(sheet([]), ("A", "C"))


def test_rows_are_chosen_by_text() -> None:
    assert list(containing(sheet([("Ab", 1), (None, 2), ("c", 3)]), "aB").rows) == [("Ab", 1)]


def test_the_same_sitemap_is_the_same_file(tmp_path: Path) -> None:
    first, second = tmp_path / "a.xml.gz", tmp_path / "b.xml.gz"
    for out in (first, second):
        with Output(out) as output:
            writer(".xml.gz")(output, sheet([("https://a.test/", None)]), Options())
            output.put_in_place()
    assert first.read_bytes() == second.read_bytes()
    assert b"<loc>https://a.test/</loc>" in gzip.decompress(first.read_bytes())
