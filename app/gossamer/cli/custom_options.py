"""Parses custom searches and extractions as typed on the command line.

A search is NAME=[WORD:...]PATTERN, an extraction NAME=[WORD:...]METHOD:PATTERN. Each word sets one
thing. The first part that is no word, or sets what is already set, begins the pattern, so that
"text:text:" searches for "text:".
"""

from collections.abc import Iterable, Mapping
from typing import Any, Final

from gossamer.model.custom_definitions import (
    CustomExtraction,
    CustomSearch,
    ExtractedPart,
    ExtractionMethod,
    SearchCondition,
    SearchLocation,
)
from gossamer.model.errors import UsageError

_SEARCH_WORDS: Final[Mapping[str, tuple[str, object]]] = {
    **{
        each.value: ("place", each) for each in SearchLocation if each is not SearchLocation.ELEMENT
    },
    "not": ("condition", SearchCondition.DOES_NOT_CONTAIN),
    "regex": ("regex", True),
    "case": ("match_case", True),
}
_EXTRACTION_WORDS: Final[Mapping[str, tuple[str, object]]] = {
    "all": ("all_matches", True),
    "text": ("part", ExtractedPart.TEXT),
    "html": ("part", ExtractedPart.INNER_HTML),
    "count": ("part", ExtractedPart.COUNT),
    **{each.value: ("method", each) for each in ExtractionMethod},
}
_WITH_VALUE: Final = {
    "element": ("place", SearchLocation.ELEMENT, "selector"),
    "attribute": ("part", ExtractedPart.ATTRIBUTE, "attribute"),
}


def searches_of(typed: Iterable[str]) -> tuple[CustomSearch, ...]:
    """The custom searches typed as options; UsageError about the first invalid one."""
    return tuple(CustomSearch(**_read(each, _SEARCH_WORDS, "element")) for each in typed)


def extractions_of(typed: Iterable[str]) -> tuple[CustomExtraction, ...]:
    """The custom extractions typed as options; UsageError about the first invalid one."""
    found = []
    for each in typed:
        fields = _read(each, _EXTRACTION_WORDS, "attribute")
        if "method" not in fields:
            raise UsageError(
                "{typed!r} names no method; write it as NAME=css:SELECTOR, NAME=xpath:EXPRESSION "
                "or NAME=regex:PATTERN.",
                typed=each,
            )
        found.append(CustomExtraction(**fields))
    return tuple(found)


def _read(typed: str, words: Mapping[str, tuple[str, object]], with_value: str) -> dict[str, Any]:
    name, equals, rest = typed.partition("=")
    if not equals:
        raise UsageError("{typed!r} has no name; write it as NAME=PATTERN.", typed=typed)
    fields: dict[str, Any] = {}
    while "method" not in fields:
        if rest.startswith(f"{with_value}(") and not fields.keys() & {"place", "part"}:
            field, member, of_value = _WITH_VALUE[with_value]
            fields[of_value], rest = _in_parentheses(typed, rest.removeprefix(f"{with_value}("))
            fields[field] = member
            continue
        word, colon, pattern = rest.partition(":")
        field, value = words.get(word, ("", None))
        if not colon or not field or field in fields:
            break
        fields[field], rest = value, pattern
    return {"name": name.strip(), "pattern": rest, **fields}


def _in_parentheses(typed: str, rest: str) -> tuple[str, str]:
    """What precedes the closing parenthesis, which is followed by a colon, and what follows it."""
    depth = 1
    for place, character in enumerate(rest):
        depth += {"(": 1, ")": -1}.get(character, 0)
        if not depth and rest.startswith("):", place):
            return rest[:place], rest[place + 2 :]
    raise UsageError(
        "{typed!r}: close the parenthesis and write a colon after it, as in element(h1):PATTERN.",
        typed=typed,
    )
