"""Writes Excel workbooks (ECMA-376) as a stream straight into the ZIP archive.

Texts are written as texts, whatever they look like: they never become a formula or link. Dates are
written in the columns that hold nothing else. docs/adr/0013-workbooks-are-written-here.md says why
no library writes them.
"""

import html
import re
from collections.abc import Collection, Iterable, Iterator
from datetime import UTC, datetime, timedelta
from functools import partial
from itertools import chain, count, islice
from typing import IO
from zipfile import ZIP_DEFLATED, ZipFile

from gossamer.export.export_columns import MOMENTS
from gossamer.export.output_files import OutputFiles
from gossamer.export.sheet import Cell, Encode, FormatOptions, Sheet
from gossamer.export.xml_text import xml_text

MAX_ROWS = 1_048_576
"""Rows of one worksheet, the header included. Further rows go to another one."""
MAX_CHARACTERS = 32_767
"""Of one cell; a longer text is cut."""
_AT_ONCE = 1000
"""Rows that are compressed at once."""
_NUMBER = "\0"
"""Stands for the number of a row in its cells. No text has it, because XML cannot express it."""
_COMPRESSION = 3
"""Half the time of zlib's usual 6, a tenth more bytes."""
_ESCAPED = re.compile(r"_(?=x[0-9A-Fa-f]{4}_)")
"""What Excel would take for one character: ECMA-376, 22.9.2.19."""
_WIDE = frozenset({"Address", "URL", "Source", "Destination", "Outcome", "Anchor"})
_NO_NAME = re.compile(r"[\[\]:*?/\\']")
_LONGEST_NAME = 31
_UNNAMED = "Sheet"
"""Excel opens no workbook with a worksheet that has no name."""
_BOLD, _MOMENT = ' s="1"', ' s="2"'
"""Cell styles, by their index in _STYLES."""
_DAY_0 = datetime(1899, 12, 30, tzinfo=UTC)
"""The day from which workbooks count."""
_FIRST_DAY = 61
"""Before that day, programs disagree on the date of a number: Lotus had a 29 February 1900."""
_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_KIND = "application/vnd.openxmlformats-officedocument.spreadsheetml"
_XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_STYLES = (
    f'{_XML}<styleSheet xmlns="{_MAIN}">'
    '<numFmts count="1"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"/></numFmts>'
    '<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font>'
    '<font><b/><sz val="11"/><name val="Calibri"/></font></fonts>'
    '<fills count="2"><fill><patternFill patternType="none"/></fill>'
    '<fill><patternFill patternType="gray125"/></fill></fills>'
    '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>'
    '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>'
    '<cellXfs count="3"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>'
    '<xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/>'
    '<xf numFmtId="164" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>'
    "</cellXfs>"
    '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles>'
    "</styleSheet>"
)


def write_xlsx(output: OutputFiles, sheet: Sheet, options: FormatOptions) -> None:
    """Write `sheet` as one or several worksheets, with a header that stays visible, and filters.

    Times are in UTC: workbooks have no time zones.
    """
    del options
    write_workbook(output, (sheet,))


def write_workbook(output: OutputFiles, sheets: Iterable[Sheet]) -> None:
    """Write each of `sheets` likewise; the next one is requested after one is written."""
    with (
        output.part() as file,
        ZipFile(file, "w", ZIP_DEFLATED, compresslevel=_COMPRESSION) as archive,
    ):
        filtered: dict[str, str] = {}
        for sheet in sheets:
            for rows in _worksheets(_rows(sheet)):
                path = f"xl/worksheets/sheet{len(filtered) + 1}.xml"
                with archive.open(path, "w", force_zip64=True) as worksheet:
                    cells = _write_worksheet(worksheet, sheet.columns, rows)
                filtered[_worksheet_name(sheet.name, filtered)] = cells
        _write_frame(archive, filtered)


def _worksheet_name(name: str, taken: Collection[str]) -> str:
    """A name that no other worksheet has, ignoring case, without forbidden characters."""
    name = " ".join(_NO_NAME.sub(" ", name).split()) or _UNNAMED
    names = {each.casefold() for each in taken}
    ends = chain(("",), (f" {number}" for number in count(2)))
    found = (f"{name[: _LONGEST_NAME - len(end)]}{end}" for end in ends)
    return next(each for each in found if each.casefold() not in names)


def _rows(sheet: Sheet) -> Iterator[str]:
    """The cells of each row, with _NUMBER in place of its number."""
    encoders = _encoders(sheet.columns)
    if sheet.blocks:
        for block in sheet.blocks(list(enumerate(encoders))):
            yield from map("".join, zip(*block, strict=True))
        return
    for row in sheet.rows:
        yield "".join([encode(cell) for encode, cell in zip(encoders, row, strict=True)])


def _encoders(columns: tuple[str, ...]) -> list[Encode]:
    """The function that encodes the cells of each column."""
    return [
        partial(_dated if name in MOMENTS else _cell, letters_of(place))
        for place, name in enumerate(columns)
    ]


def _worksheets(rows: Iterator[str]) -> Iterator[Iterator[str]]:
    """`rows`, divided into worksheets: at least one, none empty but the first."""
    room = MAX_ROWS - 1
    yield islice(rows, room)
    for first in rows:
        yield islice(chain((first,), rows), room)


def _write_worksheet(file: IO[bytes], columns: tuple[str, ...], rows: Iterator[str]) -> str:
    """Write it; returns the range of cells that have filters, such as $A$1:$C$8."""
    head = [f'{_XML}<worksheet xmlns="{_MAIN}"><sheetViews><sheetView workbookViewId="0">']
    head.append('<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>')
    head.append("</sheetView></sheetViews><cols>")
    for number, name in enumerate(columns, 1):
        width = 60 if name in _WIDE else max(10, len(name) + 3)
        head.append(f'<col min="{number}" max="{number}" width="{width}" customWidth="1"/>')
    head.append("</cols><sheetData>")
    letters = [letters_of(place) for place in range(len(columns))]
    names = "".join([_cell(*each, _BOLD) for each in zip(letters, columns, strict=True)])
    head.append(_row(1, names))
    file.write("".join(head).encode())
    last = 1
    while some := list(islice(rows, _AT_ONCE)):
        file.write("".join(map(_row, count(last + 1), some)).encode())
        last += len(some)
    file.write(f'</sheetData><autoFilter ref="A1:{letters[-1]}{last}"/></worksheet>'.encode())
    return f"$A$1:${letters[-1]}${last}"


def _row(number: int, cells: str) -> str:
    return f'<row r="{number}">{cells.replace(_NUMBER, str(number))}</row>'


def _dated(letters: str, value: Cell) -> str:
    """A cell of a column of times, as such; anything else stays a text."""
    return _cell(letters, _moment(value))


def _moment(value: Cell) -> "Cell | datetime":
    if not isinstance(value, str):
        return value
    try:
        found = datetime.fromisoformat(value).astimezone(UTC)
    except (ValueError, OverflowError):
        return value
    return found if (found - _DAY_0).days >= _FIRST_DAY else value


def _cell(letters: str, value: "Cell | datetime", style: str = "") -> str:
    if value is None:
        return ""
    place = letters + _NUMBER
    if isinstance(value, datetime):
        days = (value - _DAY_0) / timedelta(days=1)
        return f'<c r="{place}"{_MOMENT}><v>{days!r}</v></c>'
    if not isinstance(value, str):
        return f'<c r="{place}"{style}><v>{value!r}</v></c>'
    text = _escaped(text_of(value)).replace("\r", "&#13;")
    return f'<c r="{place}"{style} t="inlineStr"><is><t xml:space="preserve">{text}</t></is></c>'


def text_of(value: str) -> str:
    """`value` as a cell can hold it: without what XML cannot express, and cut if it is too long."""
    return _ESCAPED.sub("_x005F_", xml_text(value[:MAX_CHARACTERS]))


def _escaped(text: str) -> str:
    # As xml.sax.saxutils does, which would import half of the standard library's network code.
    return html.escape(text, quote=False)


def letters_of(place: int) -> str:
    """The name of the column at index `place`, from 0: A, B, …, Z, AA."""
    letters = ""
    number = place + 1
    while number:
        number, rest = divmod(number - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return letters


def _write_frame(archive: ZipFile, filtered: dict[str, str]) -> None:
    """Write what makes worksheets a workbook: their names, and the ranges that have filters."""
    numbers = range(1, len(filtered) + 1)
    sheets = "".join(
        f'<sheet name="{_escaped(name)}" sheetId="{number}" r:id="rId{number}"/>'
        for number, name in zip(numbers, filtered, strict=True)
    )
    # Excel makes this name itself for a filter set by hand, and requires it in the file.
    filters = "".join(
        f'<definedName name="_xlnm._FilterDatabase" localSheetId="{number - 1}" hidden="1">'
        f"'{_escaped(name)}'!{cells}</definedName>"
        for number, (name, cells) in zip(numbers, filtered.items(), strict=True)
    )
    relations = "".join(
        f'<Relationship Id="rId{number}" Type="{_OFFICE}/worksheet"'
        f' Target="worksheets/sheet{number}.xml"/>'
        for number in numbers
    )
    types = "".join(
        f'<Override PartName="/xl/worksheets/sheet{number}.xml"'
        f' ContentType="{_KIND}.worksheet+xml"/>'
        for number in numbers
    )
    archive.writestr(
        "xl/workbook.xml",
        f'{_XML}<workbook xmlns="{_MAIN}" xmlns:r="{_OFFICE}"><sheets>{sheets}</sheets>'
        f"<definedNames>{filters}</definedNames></workbook>",
    )
    archive.writestr(
        "xl/_rels/workbook.xml.rels",
        f'{_XML}<Relationships xmlns="{_PACKAGE}/relationships">{relations}'
        f'<Relationship Id="rId{len(filtered) + 1}" Type="{_OFFICE}/styles" Target="styles.xml"/>'
        "</Relationships>",
    )
    archive.writestr("xl/styles.xml", _STYLES)
    archive.writestr(
        "_rels/.rels",
        f'{_XML}<Relationships xmlns="{_PACKAGE}/relationships">'
        f'<Relationship Id="rId1" Type="{_OFFICE}/officeDocument" Target="xl/workbook.xml"/>'
        "</Relationships>",
    )
    archive.writestr(
        "[Content_Types].xml",
        f'{_XML}<Types xmlns="{_PACKAGE}/content-types">'
        '<Default Extension="rels"'
        ' ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        '<Default Extension="xml" ContentType="application/xml"/>'
        f'<Override PartName="/xl/workbook.xml" ContentType="{_KIND}.sheet.main+xml"/>'
        f'<Override PartName="/xl/styles.xml" ContentType="{_KIND}.styles+xml"/>{types}</Types>',
    )
