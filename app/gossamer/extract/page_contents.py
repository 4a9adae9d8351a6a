"""Reads a page for people: its structured data as a tree, its text in paragraphs."""

import re
from typing import Final

from gossamer.extract.content_text import CONTENT_EXCLUDE
from gossamer.extract.html_page import utf_8_markup
from gossamer.extract.lexbor_backend import content_text
from gossamer.extract.structured_data.data_items import DataFormat, Fault, Item, StructuredData
from gossamer.extract.structured_data.structured_data_reader import structured_data
from gossamer.extract.text_statistics import BREAK
from gossamer.model.messages.page_contents_messages import MAX_ITEMS, DataFault, DataItem

MAX_TEXT: Final = 400_000
"""Characters of a page's text that are read."""
_FORMATS: Final = {
    DataFormat.JSON_LD: "JSON-LD",
    DataFormat.MICRODATA: "Microdata",
    DataFormat.RDFA: "RDFa",
}
_SCRIPT: Final = re.compile(
    rb"<!--(?:-?>|.*?--!?>|.*)|<script\b([^<>]*)>(?:.*?(?=</script)|.*)", re.IGNORECASE | re.DOTALL
)
"""A comment, or a script with its text; unclosed ones last to the end, so that markup full of them
is also read only once."""
_PLACE: Final = re.compile(r"\(line \d+, column (\d+)\)")
"""Where a parser stopped in a script."""
_JSON_LD: Final = re.compile(rb"application/ld\+json", re.IGNORECASE)


def structured_data_tree(
    body: bytes, charset: str | None
) -> tuple[list[DataItem], list[DataFault]]:
    """The items at the top of a page, each with its faults; and the faults of no item.

    `charset` is that of Content-Type.
    """
    markup = utf_8_markup(body, charset)
    return _Tree(structured_data(markup), _script_lines(markup)).built()


def paragraphs(
    body: bytes, charset: str | None, content_exclude: tuple[str, ...] = CONTENT_EXCLUDE
) -> tuple[list[str], bool]:
    """The blocks of text that count as content; and whether there is more than `MAX_TEXT`."""
    text = content_text(utf_8_markup(body, charset), content_exclude)
    blocks = (" ".join(block.split()) for block in text[:MAX_TEXT].split(BREAK))
    return [block for block in blocks if block], len(text) > MAX_TEXT


class _Tree:
    """Converts items to messages. An item that occurs in several places is shown in each."""

    def __init__(self, data: StructuredData, lines: list[int]) -> None:
        self._data = data
        self._lines = lines
        self._items_left = MAX_ITEMS
        self._faults: dict[int, list[DataFault]] = {}
        self._features: dict[int, list[str]] = {}
        for fault in data.faults:
            if fault.item is not None:
                self._faults.setdefault(id(fault.item), []).append(self._fault(fault))
        for feature, items in data.features.items():
            for item in items:
                self._features.setdefault(id(item), []).append(feature)

    def built(self) -> tuple[list[DataItem], list[DataFault]]:
        items = [self._item(item) for item in self._data.items[:MAX_ITEMS]]
        return items, [self._fault(fault) for fault in self._data.faults if fault.item is None]

    def _item(self, item: Item) -> DataItem:
        self._items_left -= 1
        properties: list[tuple[str, str | DataItem]] = []
        for name, value in item.properties:
            if isinstance(value, str):
                properties.append((name, value))
            elif self._items_left > 0:
                properties.append((name, self._item(value)))
        return DataItem(
            _FORMATS[item.format],
            list(item.types),
            item.id,
            properties,
            self._faults.get(id(item), []),
            self._features.get(id(item), []),
            self._line(item.script),
        )

    def _fault(self, fault: Fault) -> DataFault:
        first = self._line(fault.script)
        line = first + fault.line - 1 if first and fault.line else 0
        detail = _PLACE.sub(rf"(line {line}, column \1)", fault.detail) if line else fault.detail
        return DataFault(fault.kind, fault.subject, fault.name, detail, line)

    def _line(self, script: int) -> int:
        return self._lines[script] if 0 <= script < len(self._lines) else 0


def _script_lines(markup: bytes) -> list[int]:
    """The line, from 1, in which the text of each JSON-LD script begins."""
    lines, at, line = [], 0, 1
    for found in _SCRIPT.finditer(markup):
        if found[1] and _JSON_LD.search(found[1]):
            text_start = found.end(1) + 1
            line += markup.count(b"\n", at, text_start)
            at = text_start
            lines.append(line)
    return lines
