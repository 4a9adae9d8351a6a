"""Checks the patterns of custom searches and extractions, and reports what is wrong where."""

import re
import warnings
from typing import Final

from gossamer.model.custom_definitions import ExtractionMethod, SearchLocation
from gossamer.model.errors import UsageError
from gossamer.model.lazy_pattern import lazy_pattern
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.settings.request_settings import Parser
from gossamer.model.text_cleaning import one_line
from gossamer.model.translatable import Sentence, Translatable

_WHY: Final = 160
_POSITION: Final = lazy_pattern(r" (?:at )?position (\d+)$")


def check_patterns(settings: CrawlSettings) -> None:
    """Raise UsageError, which says where, about the first invalid pattern."""
    for search in settings.custom_searches:
        if search.regex:
            _check_regex(search.name, search.pattern)
        if search.place is SearchLocation.ELEMENT:
            _check_css(search.name, search.selector, settings.parser)
    for extraction in settings.custom_extractions:
        match extraction.method:
            case ExtractionMethod.REGEX:
                _check_regex(extraction.name, extraction.pattern)
            case ExtractionMethod.CSS:
                _check_css(extraction.name, extraction.pattern, settings.parser)
            case ExtractionMethod.XPATH:
                _check_xpath(extraction.name, extraction.pattern)


def _check_regex(name: str, pattern: str) -> None:
    try:
        re.compile(pattern)
    except re.error as e:
        raise _wrong(name, "regular expression", e.msg, e.pos) from e
    except (OverflowError, RecursionError) as e:
        raise _wrong(name, "regular expression", "it is too large") from e


def _check_css(name: str, selector: str, parser: Parser) -> None:
    """By Beautiful Soup, which says what is wrong where; then by the parser."""
    from soupsieve import SelectorSyntaxError, compile as compile_selector  # noqa: I001, PLC0415 - few crawls have any

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", FutureWarning)  # of old selectors that work
            compile_selector(selector)
    except (SelectorSyntaxError, NotImplementedError, ValueError, RecursionError) as e:
        said = str(e).partition("\n")[0]
        place = _POSITION.search(said)
        why = said[: place.start()] if place else said.partition(". ")[0]
        raise _wrong(name, "CSS selector", why, int(place[1]) if place else None) from e
    from gossamer.extract.custom_markup import PageMarkup  # noqa: PLC0415 - likewise

    try:
        PageMarkup(b"<p>", None, parser).select(selector)
    except Exception as e:
        why = "the parser of this crawl does not know it"
        raise _wrong(name, "CSS selector", why) from e


def _check_xpath(name: str, expression: str) -> None:
    from lxml.etree import XPathError  # noqa: PLC0415 - few crawls have one

    from gossamer.extract.custom_markup import PageMarkup, compiled_xpath  # noqa: PLC0415 - likewise

    try:
        compiled_xpath(expression)(PageMarkup(b"<p>", None, Parser.SELECTOLAX).xpath_root)
    except XPathError as e:
        entry = e.error_log[0] if e.error_log else None
        raise _wrong(name, "XPath", str(e), entry.column if entry and entry.column else None) from e
    except (ValueError, TypeError, OverflowError, RecursionError, re.error) as e:
        # An expression in it, of `re:test`, may be the error.
        raise _wrong(name, "XPath", str(e)) from e


def _wrong(name: str, kind: Sentence, why: str, position: int | None = None) -> UsageError:
    why = one_line(why, _WHY).rstrip(".")
    why = why[:1].lower() + why[1:]
    if position is None:
        return UsageError(
            "The {kind} of {name!r} is not valid: {why}; correct it.",
            name=name,
            kind=Translatable(kind),
            why=why,
        )
    return UsageError(
        "The {kind} of {name!r} is not valid: {why} at character {position}; correct it.",
        name=name,
        kind=Translatable(kind),
        why=why,
        position=position + 1,
    )
