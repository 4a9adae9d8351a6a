"""Custom searches and custom extractions: what a user searches in, or extracts from, each page."""

from collections.abc import Iterable, Sequence
from enum import IntEnum, StrEnum
from functools import cached_property
from typing import Final
from zlib import crc32

from msgspec import Struct, json
from msgspec.structs import replace

from gossamer.model.errors import UsageError
from gossamer.model.text_cleaning import MAX_TYPED_CHARACTERS, one_line
from gossamer.model.translatable import Sentence, Translatable

MAX_DEFINITIONS: Final = 100
"""Custom searches of a crawl, and custom extractions."""
MAX_NAME_CHARACTERS: Final = 100
MAX_VALUES: Final = 100
"""Values of one extraction that are kept per page."""
MAX_VALUE_CHARACTERS: Final = 5_000
"""Characters that are kept of one value."""
MAX_PAGE_CHARACTERS: Final = 500_000
"""Characters that are kept of all values of a page."""
MAX_COUNT: Final = 2**31
"""The largest count of matches."""


class SearchLocation(StrEnum):
    """The part of a page that a search looks through."""

    HTML = "html"
    """The whole source."""
    TEXT = "text"
    """The text that visitors read, navigation and footer included."""
    ELEMENT = "element"
    """The source of each element that a CSS selector matches."""
    HEAD = "head"
    """The source of the head element."""
    SCRIPTS = "scripts"
    """The code of script elements."""


class SearchCondition(StrEnum):
    """Which pages a search is for."""

    CONTAINS = "contains"
    DOES_NOT_CONTAIN = "does_not_contain"


class ExtractionMethod(StrEnum):
    """The language that an extraction's pattern is written in."""

    CSS = "css"
    XPATH = "xpath"
    REGEX = "regex"


class ExtractedPart(StrEnum):
    """What is extracted from a match."""

    TEXT = "text"
    """Its text; for a regular expression, its first group, or all of it without groups."""
    INNER_HTML = "inner_html"
    ATTRIBUTE = "attribute"
    COUNT = "count"
    """How many matches there are."""


class _Definition(Struct, frozen=True, dict=True, omit_defaults=True, forbid_unknown_fields=True):
    name: str
    pattern: str

    @cached_property
    def number(self) -> int:
        """The number its values are stored under: the same whatever its name.

        Definitions that give the same values for every page have the same number.
        """
        return crc32(json.encode([type(self).__name__, self._nameless()])) & 0x7FFFFFFF

    def _nameless(self) -> "_Definition":
        return replace(self, name="")

    def check(self) -> None:
        """Raise UsageError if something is wrong, apart from the syntax of the pattern."""
        _check_name(self.name)
        if not self.pattern.strip():
            raise UsageError("{name!r} has no pattern; fill it in or remove it.", name=self.name)
        if len(self.pattern) > MAX_TYPED_CHARACTERS:
            raise UsageError(
                "The pattern of {name!r} is longer than {most:,} characters; shorten it.",
                name=self.name,
                most=MAX_TYPED_CHARACTERS,
            )


class CustomSearch(_Definition, frozen=True):
    """A text or regular expression that is counted in each page.

    `selector` is the CSS selector of SearchLocation.ELEMENT. Case matters only if `match_case`.
    """

    place: SearchLocation = SearchLocation.HTML
    selector: str = ""
    regex: bool = False
    match_case: bool = False
    condition: SearchCondition = SearchCondition.CONTAINS

    def _nameless(self) -> _Definition:
        return replace(self, name="", condition=SearchCondition.CONTAINS)

    def check(self) -> None:
        """Raise UsageError if something is wrong, apart from syntax."""
        super().check()
        if (self.place is SearchLocation.ELEMENT) != bool(self.selector.strip()):
            raise UsageError(
                "{name!r} needs a CSS selector to search in elements, and has none elsewhere; "
                "correct where it searches or its selector.",
                name=self.name,
            )
        if len(self.selector) > MAX_TYPED_CHARACTERS:
            raise UsageError(
                "The selector of {name!r} is longer than {most:,} characters; shorten it.",
                name=self.name,
                most=MAX_TYPED_CHARACTERS,
            )


class CustomExtraction(_Definition, frozen=True):
    """What is extracted from each page: of the first match, or of `all_matches`.

    `attribute` names that of ExtractedPart.ATTRIBUTE.
    """

    method: ExtractionMethod = ExtractionMethod.CSS
    part: ExtractedPart = ExtractedPart.TEXT
    attribute: str = ""
    all_matches: bool = False

    def check(self) -> None:
        """Raise UsageError if something is wrong, apart from syntax."""
        super().check()
        if (self.part is ExtractedPart.ATTRIBUTE) != bool(self.attribute.strip()):
            raise UsageError(
                "{name!r} needs the name of an attribute to extract one, and has none otherwise; "
                "correct what it extracts or the attribute.",
                name=self.name,
            )
        of_elements = {ExtractedPart.INNER_HTML, ExtractedPart.ATTRIBUTE}
        if self.method is ExtractionMethod.REGEX and self.part in of_elements:
            raise UsageError(
                "{name!r} is a regular expression, which gives text or a count; use CSS or XPath "
                "for inner HTML and attributes.",
                name=self.name,
            )


CustomDefinition = CustomSearch | CustomExtraction


def all_definitions(
    searches: Iterable[CustomSearch], extractions: Iterable[CustomExtraction]
) -> tuple[CustomDefinition, ...]:
    """The searches, then the extractions."""
    found: list[CustomDefinition] = [*searches]
    found += extractions
    return tuple(found)


class CustomFailure(IntEnum):
    """Why a page that was read has no value."""

    TIMED_OUT = 1
    FAILED = 2
    """The pattern could not be applied to this page, such as an XPath that divides by a text."""
    SWITCHED_OFF = 3
    """It timed out on too many pages before."""


FAILURE_NAMES: Final[dict[CustomFailure, Sentence]] = {
    CustomFailure.TIMED_OUT: "Timed out",
    CustomFailure.FAILED: "Failed",
    CustomFailure.SWITCHED_OFF: "Switched off",
}


class CustomResult(Struct, frozen=True, array_like=True, gc=False):
    """What a definition, identified by its number, gave for one page.

    A search has one value, the number of matches. An extraction has none if nothing matches.
    """

    number: int
    values: list[str | int] = []
    failure: CustomFailure | None = None


class CustomCells(Struct, frozen=True, gc=False):
    """The results for one page as read from a project, by the numbers of the definitions."""

    results: dict[int, CustomResult]


class CustomOutcome(StrEnum):
    """The outcome of a definition on a page. With a number, a value of the facet `custom`."""

    FOUND = "found"
    MISSING = "missing"
    FAILED = "failed"

    def facet_value(self, number: int) -> str:
        """The facet value for pages on which the definition with this number had this outcome."""
        return f"{number}:{self}"


def outcome_and_number(facet_value: str) -> tuple[CustomOutcome, int]:
    """The reverse of `facet_value`; ValueError for anything else."""
    number, _, outcome = facet_value.partition(":")
    return CustomOutcome(outcome), int(number)


_COLUMN: Final = "custom:"


def column_of(definition: CustomDefinition) -> str:
    """The table column with the results of a definition."""
    return f"{_COLUMN}{definition.number}:{definition.name}"


def number_in(column: str) -> int | None:
    """The number of the definition whose results a table column has; None for any other column."""
    kind, _, rest = column.partition(":")
    digits, _, _ = rest.partition(":")
    return int(digits) if f"{kind}:" == _COLUMN and digits.isdecimal() else None


def name_in(column: str) -> str:
    """The name of that definition."""
    return column.split(":", 2)[2]


class CustomCounts(Struct, frozen=True):
    """On how many pages a definition found something, nothing, or failed."""

    found: int = 0
    missing: int = 0
    failed: int = 0

    def of(self, outcome: CustomOutcome) -> int:
        """The number of pages with this outcome."""
        number: int = getattr(self, outcome.value)
        return number


def check_definitions(name: Translatable, definitions: Sequence[CustomDefinition]) -> None:
    """Raise UsageError with one sentence about the first thing wrong, apart from syntax."""
    if len(definitions) > MAX_DEFINITIONS:
        raise UsageError(
            "{setting}: {count:,} are too many; keep at most {most}.",
            setting=name,
            count=len(definitions),
            most=MAX_DEFINITIONS,
        )
    seen: set[str] = set()
    for each in definitions:
        each.check()
        folded = each.name.casefold()
        if folded in seen:
            raise UsageError(
                "{setting}: there are two called {name!r}; rename one.",
                setting=name,
                name=each.name,
            )
        seen.add(folded)


def _check_name(name: str) -> None:
    if not name.strip():
        raise UsageError("A custom search or extraction has no name; give it one.")
    if len(name) > MAX_NAME_CHARACTERS:
        raise UsageError(
            "The name {name!r} is longer than {most} characters; shorten it.",
            name=one_line(name[:MAX_NAME_CHARACTERS], 40),
            most=MAX_NAME_CHARACTERS,
        )
    if name != name.strip() or not name.isprintable():
        raise UsageError(
            "The name {name!r} must be one line of visible characters, without spaces around it.",
            name=name,
        )
