"""Tests a CSS selector on the source of a page, with Beautiful Soup."""

import re
import warnings
from typing import Final

from bs4 import BeautifulSoup, MarkupResemblesLocatorWarning, Tag, XMLParsedAsHTMLWarning
from soupsieve import SelectorSyntaxError

from gossamer.model.messages.inspection_messages import MAX_MATCHES, Match
from gossamer.model.text_cleaning import one_line

_LONGEST: Final = 300
_HIDDEN: Final = re.compile(
    r"<!--.*?(?:-->|\Z)|(?:(?<=<script>)|(?<=<style>)).*?(?=</(?:script|style)|\Z)",
    re.DOTALL | re.IGNORECASE,
)
"""Where tags are none. Unclosed ones continue to the end, so that searching for it ends."""


class RuleError(Exception):
    """A selector that cannot be used. The message is one line."""


def matches(text: str, selector: str) -> tuple[int, list[Match]]:
    """How many elements `selector` matches, and the first MAX_MATCHES of them, in order.

    RuleError if it is no selector. It may take any time: see the callers.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", MarkupResemblesLocatorWarning)
        warnings.simplefilter("ignore", XMLParsedAsHTMLWarning)
        soup = BeautifulSoup(text.replace("\0", "\ufffd"), "lxml", multi_valued_attributes=None)
    try:
        found = soup.select(selector)
    except (SelectorSyntaxError, ValueError, NotImplementedError) as e:
        raise RuleError(one_line(str(e).partition("\n")[0], _LONGEST)) from e
    lines = _Lines(text, soup)
    return len(found), [_match(tag, lines) for tag in found[:MAX_MATCHES]]


def _match(tag: Tag, lines: "_Lines") -> Match:
    attributes = "".join(f' {name}="{value}"' for name, value in tag.attrs.items())
    words = one_line(" ".join(tag.stripped_strings), _LONGEST)
    return Match(one_line(f"<{tag.name}{attributes}>", _LONGEST), words, lines.of(tag))


class _Lines:
    """The lines of the source in which elements begin, which the parser does not report."""

    def __init__(self, text: str, soup: BeautifulSoup) -> None:
        self._text = _HIDDEN.sub(lambda hidden: re.sub(r"[^\n]", " ", hidden[0]), text)
        self._soup = soup
        self._by_name: dict[str, dict[int, int]] = {}

    def of(self, tag: Tag) -> int:
        """The line, from 1; 0 if the source has more or fewer such tags than there are elements."""
        if tag.name not in self._by_name:
            self._by_name[tag.name] = self._lines_of(tag.name)
        return self._by_name[tag.name].get(id(tag), 0)

    def _lines_of(self, name: str) -> dict[int, int]:
        tags = self._soup.find_all(name)
        starts = re.compile(rf"<{re.escape(name)}(?=[\s/>])", re.IGNORECASE)
        places = [start.start() for start in starts.finditer(self._text)]
        if len(places) != len(tags):
            return {}
        lines, at, line = {}, 0, 1
        for tag, place in zip(tags, places, strict=True):
            line += self._text.count("\n", at, place)
            at = place
            lines[id(tag)] = line
        return lines
