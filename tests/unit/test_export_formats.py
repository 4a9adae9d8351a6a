"""What each format makes of a table, read back by a reader that is not ours."""

import csv
import gzip
import re
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Self
from zipfile import ZipFile

import pytest
from openpyxl import load_workbook

from gossamer.export import xlsx_format
from gossamer.export.formats import FORMATS
from gossamer.export.output_files import OutputFiles
from gossamer.export.parquet_format import ensure_installed
from gossamer.export.sheet import (
    Cell,
    FormatOptions,
    Row,
    Sheet,
    containing,
    narrowed,
)
from gossamer.model.errors import OutputError, UsageError
from tests.fakes.export_output import COLUMNS, TRICKY, sheet, workbook, writer


def written(path: Path, rows: list[Row], options: FormatOptions = FormatOptions()) -> bytes:  # noqa: B008 - a frozen value
    """`path` with these rows in the format of its suffix."""
    with OutputFiles(path) as output:
        writer(path.suffix)(output, sheet(rows), options)
        assert output.put_in_place() == (path,)
    return path.read_bytes()


# ---------------------------------------------------------------- Parquet


def parquet(path: Path, made: Sheet) -> Any:  # noqa: ANN401 - pyarrow has no annotations
    """The table in a Parquet file of this sheet, as the library reads it."""
    reader = pytest.importorskip("pyarrow.parquet")
    with OutputFiles(path) as output:
        writer(".parquet")(output, made, FormatOptions())
        output.put_in_place()
    return reader.read_table(path)


def test_parquet_keeps_numbers_as_numbers_and_nothing_as_null(tmp_path: Path) -> None:
    columns = ("Address", "Inlinks", "Response Time", "Mixed", "Value")
    rows: list[Row] = [
        ("ü🦋", 2**53, 0.5, 1, 1),
        (None, None, 1, "a", 2),
        ("=1", -1, None, None, 3),
    ]
    table = parquet(tmp_path / "t.parquet", Sheet(columns, iter(rows), 3))
    assert [str(each) for each in table.schema.types] == [
        *("string", "int64", "double", "string", "int64"),
    ]
    assert table.to_pylist() == [
        dict(zip(columns, row, strict=True))
        for row in (
            ("ü🦋", 2**53, 0.5, "1", 1),
            (None, None, 1.0, "a", 2),
            ("=1", -1, None, None, 3),
        )
    ]


def test_the_types_of_an_empty_parquet_table_are_those_of_its_headings(tmp_path: Path) -> None:
    columns = ("Address", "Status Code", "Flesch Reading Ease Score", "Crawl Timestamp")
    table = parquet(tmp_path / "t.parquet", Sheet(columns, iter(()), 0))
    assert [str(each) for each in table.schema.types] == [
        *("string", "int64", "double", "timestamp[us, tz=UTC]"),
    ]
    assert table.num_rows == 0


def test_status_codes_are_numbers_also_where_no_chain_is_as_long(tmp_path: Path) -> None:
    columns = ("Address", "Status Code 3", "Redirect Type 3", "URL Without Return Link Status Code")
    table = parquet(tmp_path / "t.parquet", Sheet(columns, iter([("/", None, None, None)]), 1))
    types = [str(kind) for kind in table.schema.types]
    assert types == ["string", "int64", "string", "int64"]


def test_declared_columns_have_the_same_types_in_every_parquet_file(tmp_path: Path) -> None:
    """So that the files of many projects can be read as one table."""
    columns = ("JSON-LD", "Crawl Timestamp", "Response Time", "Microdata")
    full: list[Row] = [("true", "2026-11-23T12:00:00Z", 1, None), (None, None, None, "false")]
    one = parquet(tmp_path / "one.parquet", Sheet(columns, iter(full), 2))
    empty = parquet(tmp_path / "two.parquet", Sheet(columns, iter([(None,) * 4]), 1))
    assert one.schema.equals(empty.schema)
    assert [str(each) for each in one.schema.types] == [
        *("bool", "timestamp[us, tz=UTC]", "double", "bool"),
    ]
    first, second = one.to_pylist()
    assert first["JSON-LD"] is True
    assert second["Microdata"] is False
    assert first["Crawl Timestamp"] == datetime(2026, 11, 23, 12, tzinfo=UTC)


def test_numbers_and_moments_of_reports_have_their_types_in_every_parquet_file(
    tmp_path: Path,
) -> None:
    """Also those that no field declares, and those that only this table has as numbers."""
    numbers = ("URLs", "Size (Bytes)", "Hreflang Inlinks", "IMG Inlinks", "Occurrences", "Nodes")
    columns = (*numbers, "Cookies", "Valid Until", "Ignored At")
    made = Sheet(columns, iter(()), 0, counts=frozenset({"Cookies"}))
    types = [str(each) for each in parquet(tmp_path / "t.parquet", made).schema.types]
    assert types == [*["int64"] * 7, *["timestamp[us, tz=UTC]"] * 2]


def test_another_column_may_have_a_declared_heading(tmp_path: Path) -> None:
    rows: list[Row] = [("maybe", "soon")]
    columns = ("JSON-LD", "Crawl Timestamp")
    table = parquet(tmp_path / "t.parquet", Sheet(columns, iter(rows), 1))
    assert table.to_pylist() == [{"JSON-LD": "maybe", "Crawl Timestamp": "soon"}]


def test_parquet_has_row_groups_of_bounded_size(tmp_path: Path) -> None:
    reader = pytest.importorskip("pyarrow.parquet")
    rows = ((number, f"{number}") for number in range(120_000))
    table = parquet(tmp_path / "t.parquet", Sheet(COLUMNS, rows, 120_000))
    assert table.column("A").to_pylist() == list(range(120_000))
    metadata = reader.ParquetFile(tmp_path / "t.parquet").metadata
    sizes = [metadata.row_group(place).num_rows for place in range(metadata.num_row_groups)]
    assert sizes == [50_000, 50_000, 20_000]


def test_a_column_whose_numbers_turn_into_texts_is_refused_and_leaves_no_file(
    tmp_path: Path,
) -> None:
    rows = ((number if number < 60_000 else "x", None) for number in range(70_000))
    with pytest.raises(OutputError, match="numbers and texts"):
        parquet(tmp_path / "t.parquet", Sheet(COLUMNS, rows, 70_000))
    assert list(tmp_path.iterdir()) == []


def test_parquet_has_no_column_twice(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="each column once"):
        parquet(tmp_path / "t.parquet", Sheet(("A", "A"), iter(()), 0))


def test_parquet_without_its_library_is_refused_before_any_work() -> None:
    with pytest.raises(UsageError, match=re.escape("install 'gossamer-core[parquet]'")):
        ensure_installed("no_such_library")


# ---------------------------------------------------------------- CSV


def test_csv_is_what_rfc_4180_says(tmp_path: Path) -> None:
    rows: list[Row] = [("plain", 1), ("a,b", 0.5), ('a"b', None), ("a\nb", ""), ("a\r\nb", -3)]
    assert written(tmp_path / "t.csv", rows) == (
        b'A,B\r\nplain,1\r\n"a,b",0.5\r\n"a""b",\r\n"a\nb",\r\n"a\r\nb",-3\r\n'
    )


def test_csv_is_utf8_with_a_mark_only_if_asked(tmp_path: Path) -> None:
    out = tmp_path / "t.csv"
    assert written(out, [("ü🦋", 1)]).startswith(b"A,B\r\n\xc3\xbc\xf0\x9f\xa6\x8b,1")
    marked = written(out, [("ü", 1)], FormatOptions(byte_order_mark=True))
    assert marked == b"\xef\xbb\xbfA,B\r\n\xc3\xbc,1\r\n"


@pytest.mark.parametrize("delimiter", [";", "\t", "|"])
def test_csv_with_another_delimiter(tmp_path: Path, delimiter: str) -> None:
    rows: list[Row] = [(f"a{delimiter}b", 1)]
    found = written(tmp_path / "t.csv", rows, FormatOptions(delimiter=delimiter)).decode()
    assert found == f'A{delimiter}B\r\n"a{delimiter}b"{delimiter}1\r\n'


def test_tsv_has_tabs(tmp_path: Path) -> None:
    assert written(tmp_path / "t.tsv", [("a b", 1)]) == b"A\tB\r\na b\t1\r\n"


@pytest.mark.parametrize("suffix", [".csv", ".tsv"])
@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
def test_foreign_separators_are_quoted(tmp_path: Path, suffix: str, separator: str) -> None:
    text = written(tmp_path / f"t{suffix}", [(f"a{separator}b", 1)]).decode()
    assert f'"a{separator}b"' in text


@pytest.mark.parametrize(
    "start", ["=1+1", "+1", "-1", "@SUM(A1)", "\tx", "\rx", "\nx", "\uff1d1", "\uff201"]
)
def test_formulas_are_guarded(tmp_path: Path, start: str) -> None:
    for options, expected in (
        (FormatOptions(), f"'{start}"),
        (FormatOptions(guard_formulas=False), start),
    ):
        text = written(tmp_path / "t.csv", [(start, -1)], options).decode()
        assert list(csv.reader(text.splitlines(keepends=True)))[1:] == [[expected, "-1"]]


# ---------------------------------------------------------------- Excel


def test_times_in_a_workbook_are_dates(tmp_path: Path) -> None:
    moments: list[Cell] = ["2026-11-13T11:12:04Z", "1900-01-01T00:00:00Z", "soon"]
    rows = [("2026-11-13T11:12:04Z", moment) for moment in moments]
    with OutputFiles(tmp_path / "t.xlsx") as output:
        made = Sheet(("Title 1", "Crawl Timestamp"), iter(rows), len(rows), name="things")
        writer(".xlsx")(output, made, FormatOptions())
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


def test_each_worksheet_has_a_name(tmp_path: Path) -> None:
    """Excel opens no workbook with a worksheet that has none."""
    sheets = [Sheet(("a",), iter([("x",)]), 1, name=name) for name in ("", "[?]", "")]
    with OutputFiles(tmp_path / "t.xlsx") as output:
        xlsx_format.write_workbook(output, sheets)
        output.put_in_place()
    assert load_workbook(tmp_path / "t.xlsx").sheetnames == ["Sheet", "Sheet 2", "Sheet 3"]


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


def test_characters_and_lengths_that_a_cell_cannot_hold(tmp_path: Path) -> None:
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
def test_rows_are_streamed_and_not_kept_in_memory(tmp_path: Path, suffix: str) -> None:
    """However many there are: what a million rows take is what these take."""
    Counted.most = 0
    with OutputFiles(tmp_path / f"t{suffix}") as output:
        rows = Sheet(COLUMNS, map(Counted, range(8_000)), 8_000, name="things")
        writer(suffix)(output, rows, FormatOptions())
        output.put_in_place()
    assert 0 < Counted.most < (5_000 if suffix == ".parquet" else 10)


def test_columns_are_chosen_by_name() -> None:
    chosen = narrowed(sheet([("x", 1), ("y", 2)]), ("b", "A"))
    assert chosen.columns == ("B", "A")
    assert list(chosen.rows) == [(1, "x"), (2, "y")]
    with pytest.raises(UsageError, match="things has no column 'C'; its columns are A, B"):
        narrowed(sheet([]), ("A", "C"))


def test_of_many_columns_those_are_named_that_are_like_an_unknown_one() -> None:
    names = ("Address", "Status Code", "Title 1", *(f"Price {n}" for n in range(100)))
    wide = Sheet(names, iter(()), 0, name="pages")
    with pytest.raises(UsageError, match="'Status'; similar names: Status Code, ") as refused:
        narrowed(wide, ("Status",))
    assert len(str(refused.value)) < 120


def test_rows_are_chosen_by_text() -> None:
    assert list(containing(sheet([("Ab", 1), (None, 2), ("c", 3)]), "aB").rows) == [("Ab", 1)]


def test_the_same_sitemap_is_the_same_file(tmp_path: Path) -> None:
    first, second = tmp_path / "a.xml.gz", tmp_path / "b.xml.gz"
    for out in (first, second):
        with OutputFiles(out) as output:
            writer(".xml.gz")(output, sheet([("https://a.test/", None)]), FormatOptions())
            output.put_in_place()
    assert first.read_bytes() == second.read_bytes()
    assert b"<loc>https://a.test/</loc>" in gzip.decompress(first.read_bytes())
