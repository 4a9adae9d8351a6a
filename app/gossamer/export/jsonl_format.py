"""JSON Lines: an object for each row. See https://jsonlines.org."""

import msgspec

from gossamer.export.output import Output
from gossamer.export.sheet import Options, Sheet


def write_jsonl(output: Output, sheet: Sheet, options: Options) -> None:
    """Write each row as an object with the columns as its keys; empty cells are null."""
    del options
    encode = msgspec.json.Encoder().encode
    columns = sheet.columns
    with output.part() as file:
        for row in sheet.rows:
            file.write(encode(dict(zip(columns, row, strict=True))) + b"\n")
