"""Sheets written in a format without a file."""

from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import IO

from openpyxl import load_workbook

from gossamer.export.formats import FORMATS
from gossamer.export.output_files import OutputFiles
from gossamer.export.sheet import FormatOptions, Row, Sheet, WriteSheet

COLUMNS = ("A", "B")
DEFAULT = FormatOptions()
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
"""Texts that one program or another takes for something else."""


def sheet(rows: list[Row]) -> Sheet:
    """A sheet of two columns with these rows."""
    return Sheet(COLUMNS, iter(rows), len(rows), name="things")


def writer(suffix: str) -> WriteSheet:
    """What writes the format with this suffix."""
    write = FORMATS[suffix].write
    assert write is not None
    return write


class MemoryOutput(OutputFiles):
    """An output whose one file stays in memory."""

    def __init__(self) -> None:
        super().__init__(Path("t"))
        self.content = b""

    @contextmanager
    def part(self) -> Iterator[IO[bytes]]:
        buffer = BytesIO()
        yield buffer
        self.content = buffer.getvalue()


def in_memory(suffix: str, made: Sheet, options: FormatOptions = DEFAULT) -> bytes:
    """The bytes of a file with this sheet in the format of `suffix`."""
    with MemoryOutput() as output:
        writer(suffix)(output, made, options)
        return output.content


def workbook(file: Path | IO[bytes]) -> dict[str, list[tuple[object, ...]]]:
    """Each worksheet's rows as openpyxl reads them."""
    book = load_workbook(file, read_only=True)
    try:
        return {found.title: [tuple[object, ...](row) for row in found.values] for found in book}
    finally:
        book.close()
