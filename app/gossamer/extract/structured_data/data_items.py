"""The values that structured data is read into: items with properties, and faults."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum
from typing import Final, NamedTuple, TypeAlias

from gossamer.model.page_flags import ContentFlag

MAX_ITEMS: Final = 2_000
"""Items of a page that are read, nested ones among them."""
MAX_VALUES: Final = 20_000
MAX_DEPTH: Final = 50
MAX_VALUE: Final = 500
"""Characters of a text that are kept."""


class DataFormat(Enum):
    """How structured data is written, with the flag that says that a page has it."""

    JSON_LD = ContentFlag.JSON_LD
    MICRODATA = ContentFlag.MICRODATA
    RDFA = ContentFlag.RDFA


@dataclass(slots=True)
class Item:
    """One thing that a page describes.

    `types` are names of schema.org's vocabulary without its address, or those of others in full.
    `is_known` says whether the item is one of schema.org's vocabulary. `properties` are in order; a
    property with several values stands there several times.
    """

    format: DataFormat
    types: tuple[str, ...] = ()
    id: str = ""
    is_known: bool = True
    properties: "list[tuple[str, Value]]" = field(default_factory=list)

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


class FaultKind(Enum):
    """What can be wrong with structured data. The values are numbers for messages, nothing else."""

    PARSE_ERROR = 1
    """JSON-LD that is no JSON."""
    NO_CONTEXT = 2
    """JSON-LD that does not say of what vocabulary it is."""
    UNKNOWN_TYPE = 3
    UNKNOWN_PROPERTY = 4
    MISPLACED_PROPERTY = 5
    """A property that items of this type do not have."""
    SUPERSEDED_PROPERTY = 6
    """A property that another one takes the place of."""
    MISSING_REQUIRED = 7
    """Without this property there is no rich result."""
    MISSING_RECOMMENDED = 8


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
"""The flag of a page that has such a fault."""


class Fault(NamedTuple):
    """Something that is wrong with an item, or with a piece of JSON-LD.

    `subject` is its type, `name` the property, or the type or feature that it is about. `detail`
    is what a parser says, with line and column.
    """

    kind: FaultKind
    item: Item | None = None
    subject: str = ""
    name: str = ""
    detail: str = ""


class StructuredData(NamedTuple):
    """The items of a page at the top, what is wrong, and the rich results that it may have."""

    items: list[Item]
    faults: list[Fault]
    features: list[str]


def all_items(items: list[Item]) -> Iterator[Item]:
    """These and the items in them, each before those in it: `MAX_ITEMS` at most."""
    waiting = items[::-1]
    for _ in range(MAX_ITEMS):
        if not waiting:
            break
        item = waiting.pop()
        yield item
        waiting += [value for _, value in reversed(item.properties) if isinstance(value, Item)]
