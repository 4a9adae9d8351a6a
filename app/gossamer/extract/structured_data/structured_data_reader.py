"""Reads the structured data of a page: its items, their faults, and their rich results."""

from collections.abc import Sequence

from selectolax.lexbor import LexborHTMLParser

from gossamer.extract.parsed_elements import is_json_ld
from gossamer.extract.structured_data.data_items import Item, StructuredData
from gossamer.extract.structured_data.item_validation import ItemValidation
from gossamer.extract.structured_data.json_ld import JsonLdReader
from gossamer.extract.structured_data.typed_markup import signs_in, typed_items_in


def structured_data(markup: bytes) -> StructuredData:
    """All structured data of a page in UTF-8."""
    tree = LexborHTMLParser(markup)
    scripts = [node.text(deep=False) for node in tree.css("script") if is_json_ld(node.attributes)]
    return read_structured_data(scripts, typed_items_in(tree, signs_in(markup)))[0]


def read_structured_data(scripts: Sequence[str], typed: list[Item]) -> tuple[StructuredData, bool]:
    """That of the JSON-LD `scripts` and of items in elements; whether a script has content."""
    reader = JsonLdReader()
    for script in scripts:
        reader.read(script)
    items = [*reader.items, *typed]
    if not items:
        return StructuredData([], reader.faults, {}), reader.is_found
    validation = ItemValidation(items)
    faults = [*reader.faults, *validation.faults]
    return StructuredData(items, faults, validation.features), reader.is_found
