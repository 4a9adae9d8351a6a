"""Writes Parquet, row group by row group: https://parquet.apache.org/docs/file-format/.

The library is large and therefore optional; it is imported when such a file is written.
"""

from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from importlib import import_module
from importlib.util import find_spec
from itertools import islice
from typing import Any, Final, TypeAlias

from gossamer.export.export_columns import BOOLEANS, MOMENTS, NUMBER_TYPES, boolean_cell
from gossamer.export.output_files import OutputFiles
from gossamer.export.sheet import Cell, FormatOptions, Sheet
from gossamer.model.errors import OutputError, UsageError
from gossamer.model.lazy_pattern import lazy_pattern

_LIBRARY: Final = "pyarrow"
_ROWS: Final = 2_000
"""Rows held as Python objects; Arrow's columns take a tenth of that."""
_BATCHES: Final = 25
"""Batches of rows that make a row group."""
_STATUS: Final = lazy_pattern(r"\bStatus Code( [0-9]+)?$")
"""Headings of the status codes of other URLs, such as the tenth of a chain."""
_Columns: TypeAlias = Sequence[Sequence[Cell]]
_Kind: TypeAlias = type[int | float | str | bool | datetime]
_FLAGS: Final[dict[Cell, bool]] = {boolean_cell(each): each for each in (True, False)}


def ensure_installed(library: str = _LIBRARY) -> None:
    """Raise UsageError unless the library is installed."""
    if find_spec(library) is None:
        raise UsageError(
            "Parquet files need the library pyarrow, which is not installed; get Gossamer with it "
            "by pip install 'gossamer-core[parquet]' in a virtual environment, or choose another "
            "format."
        )


def write_parquet(output: OutputFiles, sheet: Sheet, options: FormatOptions) -> None:
    """Write `sheet` with numbers, texts, booleans and moments in UTC; empty cells are null.

    Declared columns have the same type in every file, so that many can be read as one table; the
    type of others follows from the first row group.
    """
    del options
    ensure_installed()
    if len(set(sheet.columns)) < len(sheet.columns):
        raise UsageError("A Parquet file has each column once; name none twice.")
    # Without annotations, and imported by name: type checkers need not have it installed.
    arrow, parquet = import_module(_LIBRARY), import_module(f"{_LIBRARY}.parquet")
    of_kind = {
        int: arrow.int64(),
        float: arrow.float64(),
        str: arrow.string(),
        bool: arrow.bool_(),
        datetime: arrow.timestamp("us", tz="UTC"),
    }

    def arrays(columns: _Columns, kinds: Sequence[_Kind]) -> list[Any]:
        return [
            arrow.array(_converted(column, kind), type=of_kind[kind])
            for column, kind in zip(columns, kinds, strict=True)
        ]

    # Batches of the first group are converted as they come: objects take ten times the memory.
    batches = _batches(sheet)
    found: list[list[_Kind | None]] = []
    first = []
    for columns in islice(batches, _BATCHES):
        found.append(list(map(_kind, sheet.columns, columns)))
        first.append(arrays(columns, [each or str for each in found[-1]]))
    kinds = [
        _common([each[place] for each in found], name, is_count=name in sheet.counts)
        for place, name in enumerate(sheet.columns)
    ]
    schema = arrow.schema(zip(sheet.columns, map(of_kind.__getitem__, kinds), strict=True))
    group = [
        [array.cast(each) for array, each in zip(batch, schema.types, strict=True)]
        for batch in first
    ]
    del first
    with output.part() as file, parquet.ParquetWriter(file, schema, compression="zstd") as writer:
        while group:
            made = [arrow.record_batch(each, schema=schema) for each in group]
            writer.write_table(arrow.Table.from_batches(made))
            try:
                group = [arrays(each, kinds) for each in islice(batches, _BATCHES)]
            except (arrow.ArrowInvalid, arrow.ArrowTypeError, ValueError) as e:
                raise OutputError(
                    "The table has a column of numbers and texts, which Parquet cannot hold; "
                    "choose another format."
                ) from e


def _batches(sheet: Sheet) -> Iterator[_Columns]:
    """The rows as columns, some thousands at a time."""
    if sheet.blocks:
        yield from sheet.blocks([(place, _itself) for place in range(len(sheet.columns))])
        return
    while rows := list(islice(sheet.rows, _ROWS)):
        yield list(zip(*rows, strict=True))


def _itself(cell: Cell) -> Cell:
    return cell


def _kind(heading: str, column: Sequence[Cell]) -> _Kind | None:
    """The type of the cells of a column; None if all are empty."""
    found = set(map(type, column)) - {type(None)}
    if any(issubclass(each, str) for each in found):
        return _kind_of_texts(heading, column)
    return None if not found else float if float in found else int


def _kind_of_texts(heading: str, column: Sequence[Cell]) -> _Kind:
    """The type of texts: only if all cells have it, as another column may have the same heading."""
    declared = bool if heading in BOOLEANS else datetime if heading in MOMENTS else str
    try:
        for _ in _converted(column, declared):
            pass
    except ValueError:
        return str
    return declared


def _common(kinds: Sequence[_Kind | None], heading: str, *, is_count: bool) -> _Kind:
    """The type that can hold all these types."""
    known = {kind for kind in kinds if kind}
    is_whole = is_count or _STATUS.search(heading)
    declared = int if is_whole else NUMBER_TYPES.get(heading)
    if not known:
        usual = bool if heading in BOOLEANS else datetime if heading in MOMENTS else str
        return declared or usual
    if len(known) == 1:
        (kind,) = known
        return float if declared is float and kind is int else kind
    return float if known == {int, float} else str


def _converted(column: Sequence[Cell], kind: _Kind) -> Iterator[object]:
    """The cells of a column for Arrow; ValueError for one that is not of the kind."""
    of_kind: dict[_Kind, Callable[[Cell], object]] = {str: _text, bool: _flag, datetime: _moment}
    return map(of_kind[kind], column) if kind in of_kind else iter(column)


def _flag(cell: Cell) -> bool | None:
    if cell is not None and cell not in _FLAGS:
        raise ValueError(f"{cell!r} says not whether something holds")
    return None if cell is None else _FLAGS[cell]


def _moment(cell: Cell) -> datetime | None:
    if cell is None or cell == "":
        return None
    found = datetime.fromisoformat(str(cell))
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def _text(cell: Cell) -> str | None:
    return None if cell is None else str(cell)
