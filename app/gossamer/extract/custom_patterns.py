"""Applies custom searches and extractions to a page.

A pattern may take for ever: apply it in a process that can be ended, see
`gossamer.page_worker.pattern_process`.
"""

import re
from collections.abc import Callable, Iterable
from decimal import Decimal
from functools import partial
from itertools import islice
from math import isinf, isnan
from typing import Any, Final, TypeAlias

from gossamer.extract.custom_markup import MarkupNode, PageMarkup, compiled_xpath
from gossamer.model.custom_definitions import (
    MAX_COUNT,
    MAX_PAGE_CHARACTERS,
    MAX_VALUE_CHARACTERS,
    MAX_VALUES,
    CustomDefinition,
    CustomExtraction,
    CustomFailure,
    CustomResult,
    CustomSearch,
    ExtractedPart,
    ExtractionMethod,
    SearchLocation,
)
from gossamer.model.text_cleaning import clean_text, one_line

Apply: TypeAlias = Callable[[PageMarkup], Iterable[str | int]]
"""Returns the values of one page, in document order."""


def compiled(definition: CustomDefinition) -> Apply:
    """A function that applies a definition. Raises the engines' errors for invalid patterns."""
    if isinstance(definition, CustomSearch):
        return partial(_count, _PLACES[definition.place], definition.selector, _counter(definition))
    match definition.method:
        case ExtractionMethod.REGEX:
            return partial(_extract_by_regex, definition, re.compile(definition.pattern))
        case ExtractionMethod.CSS:
            return partial(_extract_by_css, definition)
        case ExtractionMethod.XPATH:
            return partial(_extract_by_xpath, definition, compiled_xpath(definition.pattern))


class PageValues:
    """Bounds what is kept of one page, over all definitions."""

    def __init__(self) -> None:
        self._left = MAX_PAGE_CHARACTERS

    def result(self, number: int, apply: Apply, page: PageMarkup) -> CustomResult:
        """The result of a definition for the page; FAILED if it cannot be applied to it."""
        try:
            values = [self._kept(value) for value in islice(apply(page), MAX_VALUES)]
        except Exception:  # noqa: BLE001 - whatever is wrong, it is with this definition alone
            return CustomResult(number, failure=CustomFailure.FAILED)
        return CustomResult(number, values)

    def _kept(self, value: str | int) -> str | int:
        if isinstance(value, int):
            return min(value, MAX_COUNT)
        text = clean_text(value, max(1, min(MAX_VALUE_CHARACTERS, self._left)))
        self._left -= len(text)
        return text


# ---------------------------------------------------------------- searches


def _count(
    place: Callable[[PageMarkup, str], Iterable[str]],
    selector: str,
    counter: Callable[[str], int],
    page: PageMarkup,
) -> list[int]:
    return [sum(map(counter, place(page, selector)))]


def _counter(search: CustomSearch) -> Callable[[str], int]:
    """A function that counts the matches in a text."""
    if search.regex:
        find = re.compile(search.pattern, 0 if search.match_case else re.IGNORECASE).finditer
        return lambda text: sum(1 for match in find(text) if match[0])
    if search.match_case:
        return lambda text: text.count(search.pattern)
    wanted = search.pattern.casefold()
    return lambda text: text.casefold().count(wanted)


_PLACES: Final[dict[SearchLocation, Callable[[PageMarkup, str], Iterable[str]]]] = {
    SearchLocation.HTML: lambda page, _: [page.source],
    SearchLocation.TEXT: lambda page, _: [page.text],
    SearchLocation.HEAD: lambda page, _: [page.head],
    SearchLocation.SCRIPTS: lambda page, _: [node.outer_html for node in page.select("script")],
    SearchLocation.ELEMENT: lambda page, selector: [
        node.outer_html for node in page.select(selector)
    ],
}


# ---------------------------------------------------------------- extractions


def _extract_by_regex(
    extraction: CustomExtraction, pattern: "re.Pattern[str]", page: PageMarkup
) -> Iterable[str | int]:
    found = pattern.finditer(page.source)
    if extraction.part is ExtractedPart.COUNT:
        return [sum(1 for _ in found)]
    group = min(pattern.groups, 1)
    texts = (match[group].strip() for match in found if match[group] is not None)
    return texts if extraction.all_matches else islice(texts, 1)


def _extract_by_css(extraction: CustomExtraction, page: PageMarkup) -> Iterable[str | int]:
    return _parts(extraction, page.select(extraction.pattern))


def _extract_by_xpath(
    extraction: CustomExtraction, find: Callable[[Any], Any], page: PageMarkup
) -> Iterable[str | int]:
    root = page.xpath_root
    found = [] if root is None else find(root)
    if not isinstance(found, list):
        return [_scalar(found)]
    return _parts(extraction, [page.xpath_node(each) for each in found])


def _scalar(found: object) -> str | int:
    """The number, text or truth value that an XPath function returns."""
    if isinstance(found, bool):
        return "true" if found else "false"
    if isinstance(found, float):
        return _number(found)
    return one_line(str(found), MAX_VALUE_CHARACTERS)


def _number(found: float) -> str | int:
    """A number as XPath 1.0 writes it (4.2): never with an exponent."""
    if isnan(found):
        return "NaN"
    if isinf(found):
        return "Infinity" if found > 0 else "-Infinity"
    if found.is_integer():
        return int(found) if abs(found) < MAX_COUNT else str(int(found))
    return format(Decimal(repr(found)), "f")


def _parts(extraction: CustomExtraction, nodes: list[MarkupNode]) -> Iterable[str | int]:
    match extraction.part:
        case ExtractedPart.COUNT:
            return [len(nodes)]
        case ExtractedPart.TEXT:
            texts = (one_line(node.text, MAX_VALUE_CHARACTERS) for node in nodes)
        case ExtractedPart.INNER_HTML:
            texts = (node.inner_html.strip() for node in nodes)
        case ExtractedPart.ATTRIBUTE:
            name = extraction.attribute.strip().lower()
            values = (node.attribute(name) for node in nodes)
            texts = (one_line(value, MAX_VALUE_CHARACTERS) for value in values if value is not None)
    return texts if extraction.all_matches else islice(texts, 1)
