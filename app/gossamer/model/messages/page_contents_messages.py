"""The messages about what a page says: its structured data, and its text next to another's."""

from enum import Enum
from typing import Final

from msgspec import Struct

from gossamer.model.outcome import Outcome
from gossamer.model.outcome_details import Detail

MAX_ITEMS: Final = 2_000
"""Items of a page that are shown, nested ones included."""
MAX_ROWS: Final = 2_000
"""Paragraphs of two texts that are shown side by side."""


class FaultKind(Enum):
    """What can be wrong with structured data. Messages and project files have the values."""

    PARSE_ERROR = 1
    """JSON-LD that is no JSON."""
    NO_CONTEXT = 2
    """JSON-LD that does not name its vocabulary."""
    UNKNOWN_TYPE = 3
    UNKNOWN_PROPERTY = 4
    MISPLACED_PROPERTY = 5
    """A property that items of this type do not have."""
    SUPERSEDED_PROPERTY = 6
    """A property that another one replaces."""
    MISSING_REQUIRED = 7
    """Without this property there is no rich result."""
    MISSING_RECOMMENDED = 8


class ReadPage(Struct, tag=True, frozen=True, array_like=True):
    """Read the contents of `url`; request it unless it was the last one requested, or `again`."""

    number: int
    url: str
    again: bool = False


class ComparePages(Struct, tag=True, frozen=True, array_like=True):
    """Compare the texts of two pages, which are both requested."""

    number: int
    url: str
    other: str


class DataFault(Struct, frozen=True, array_like=True):
    """Something that is wrong with structured data.

    `subject` is the type of the item or the rich result concerned, `name` the property or the type,
    `detail` the parser's message, or the property to use instead.
    """

    kind: FaultKind
    subject: str = ""
    name: str = ""
    detail: str = ""
    line: int = 0
    """In the source of the page, from 1; 0 if unknown."""


class DataItem(Struct, frozen=True, array_like=True):
    """An item of structured data with its properties, in order; the value of one may be an item."""

    format: str
    types: list[str]
    id: str
    properties: "list[tuple[str, str | DataItem]]"
    faults: list[DataFault]
    features: list[str]
    """The rich results that it may be."""
    line: int = 0
    """Where its script begins in the source of the page, from 1; 0 if unknown."""


class PageFetchOutcome(Struct, frozen=True, array_like=True):
    """The outcome of requesting a page; `is_read` says whether there was a text to read."""

    outcome: Outcome
    status: int | None = None
    detail: Detail | None = None
    is_read: bool = False
    truncated: bool = False


class PageContents(Struct, tag=True, frozen=True):
    """What a page says to machines. `faults` are those of no item."""

    number: int
    url: str
    fetched: PageFetchOutcome
    items: list[DataItem] = []
    faults: list[DataFault] = []


class TextPart(Struct, frozen=True, array_like=True):
    """A piece of a paragraph, with the spaces around it, and whether the other text lacks it."""

    text: str
    differs: bool = False


class ComparedRow(Struct, frozen=True, array_like=True):
    """A paragraph of two texts side by side; empty where one of them has none."""

    left: list[TextPart]
    right: list[TextPart]

    @property
    def differs(self) -> bool:
        """Whether anything in it differs."""
        return any(part.differs for part in (*self.left, *self.right))


class SideBySide(Struct, frozen=True, array_like=True):
    """Two texts side by side; `is_cut` says whether they continue after the rows."""

    rows: list[ComparedRow] = []
    is_cut: bool = False


class PageComparison(Struct, tag=True, frozen=True):
    """The texts of two pages side by side; `percent` is how many of their phrases both share."""

    number: int
    url: str
    other: str
    fetched: PageFetchOutcome
    other_fetched: PageFetchOutcome
    percent: int = 0
    texts: SideBySide = SideBySide()
