"""The values that structured data is read into: items with properties, and faults."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum
from typing import Final, NamedTuple, TypeAlias

from gossamer.model.fields.page_flags import ContentFlag
from gossamer.model.messages.page_contents_messages import MAX_ITEMS, FaultKind

MAX_VALUES: Final = 20_000
MAX_DEPTH: Final = 50
MAX_VALUE: Final = 500
"""Characters of a text that are kept."""


class DataFormat(Enum):
    """How structured data is written, with the page flag for it."""

    JSON_LD = ContentFlag.JSON_LD
    MICRODATA = ContentFlag.MICRODATA
    RDFA = ContentFlag.RDFA


@dataclass(slots=True)
class Item:
    """One thing that a page describes.

    `types` are names of schema.org's vocabulary without its address, or those of others in full.
    `is_known` says whether the item is one of schema.org's vocabulary. `properties` are in order; a
    property with several values occurs several times.
    """

    format: DataFormat
    types: tuple[str, ...] = ()
    id: str = ""
    is_known: bool = True
    properties: "list[tuple[str, Value]]" = field(default_factory=list)
    script: int = -1
    """The number of the script whose top level it is on, from 0."""

    def values_of(self, name: str) -> "list[Value]":
        """The values of a property that are not blank."""
        return [
            value
            for own, value in self.properties
            if own == name and (isinstance(value, Item) or value.strip())
        ]

    @property
    def items(self) -> "Iterator[tuple[str, Item]]":
        """The items among the values, with the names of the properties."""
        return ((name, value) for name, value in self.properties if isinstance(value, Item))


Value: TypeAlias = str | Item


FLAGS: Final = {
    FaultKind.PARSE_ERROR: int(ContentFlag.STRUCTURED_DATA_PARSE_ERROR),
    FaultKind.NO_CONTEXT: int(ContentFlag.STRUCTURED_DATA_ERROR),
    FaultKind.UNKNOWN_TYPE: int(ContentFlag.STRUCTURED_DATA_ERROR),
    FaultKind.UNKNOWN_PROPERTY: int(ContentFlag.STRUCTURED_DATA_ERROR),
    FaultKind.MISPLACED_PROPERTY: int(ContentFlag.STRUCTURED_DATA_WARNING),
    FaultKind.SUPERSEDED_PROPERTY: int(ContentFlag.STRUCTURED_DATA_WARNING),
    FaultKind.MISSING_REQUIRED: int(ContentFlag.RICH_RESULT_ERROR),
    FaultKind.MISSING_RECOMMENDED: int(ContentFlag.RICH_RESULT_WARNING),
}
"""The page flag for each kind of fault."""


class Fault(NamedTuple):
    """Something that is wrong with an item, or with a piece of JSON-LD.

    `subject` is its type, `name` the property, or the type or feature concerned. `detail` is a
    parser's message, with line and column. `script` is the number of its script, from 0, and `line`
    the line in that, from 1.
    """

    kind: FaultKind
    item: Item | None = None
    subject: str = ""
    name: str = ""
    detail: str = ""
    script: int = -1
    line: int = 0

    @property
    def place(self) -> str:
        """What it is in: a type or a rich result; "" if that is the fault itself."""
        return "" if self.kind is FaultKind.UNKNOWN_TYPE else self.subject

    @property
    def said(self) -> str:
        """The fault without its place: a property, a type, a parser's message."""
        if self.kind is FaultKind.NO_CONTEXT:
            return "@context"
        if self.kind is FaultKind.PARSE_ERROR:
            return self.detail
        name = self.name.replace("|", " / ")  # any of these would do
        return f"{name} → {self.detail}" if self.detail else name


class StructuredData(NamedTuple):
    """The top-level items of a page, their faults, and the rich results that it may have.

    `features` has each rich result with the items that may be it.
    """

    items: list[Item]
    faults: list[Fault]
    features: dict[str, list[Item]]


def all_items(items: list[Item]) -> Iterator[Item]:
    """These and the items in them, each before those in it: at most `MAX_ITEMS`."""
    waiting = items[::-1]
    for _ in range(MAX_ITEMS):
        if not waiting:
            break
        item = waiting.pop()
        yield item
        waiting += [value for _, value in reversed(item.properties) if isinstance(value, Item)]
