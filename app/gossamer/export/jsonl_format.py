"""Writes JSON Lines, one object per row. See https://jsonlines.org."""

from collections.abc import Iterator
from functools import partial

import msgspec

from gossamer.export.output_files import OutputFiles
from gossamer.export.sheet import Blocks, Cell, FormatOptions, Sheet

_ENCODE = msgspec.json.Encoder().encode


def write_jsonl(output: OutputFiles, sheet: Sheet, options: FormatOptions) -> None:
    """Write each row as an object with the columns as its keys; empty cells are null."""
    del options
    columns = sheet.columns
    with output.part() as file:
        # An object has a column once, however often it was requested.
        if sheet.blocks and len(set(columns)) == len(columns):
            file.writelines(_blocks(sheet.blocks, columns))
            return
        for row in sheet.rows:
            file.write(_ENCODE(dict(zip(columns, row, strict=True))) + b"\n")


def _blocks(blocks: Blocks, columns: tuple[str, ...]) -> Iterator[bytes]:
    members = [(place, partial(_member, name)) for place, name in enumerate(columns)]
    for block in blocks(members):
        objects = map(b",".join, zip(*block, strict=True))
        yield b"".join([b"{%b}\n" % each for each in objects])


def _member(name: str, cell: Cell) -> bytes:
    """A column and its cell as they appear in an object."""
    return _ENCODE(name) + b":" + _ENCODE(cell)
