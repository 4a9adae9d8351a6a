"""Formatting that a parser would have to repeat without end, made harmless before it is parsed.

The HTML Standard has formatting elements that are still open opened again in each paragraph and
cell that follows (§13.2.4.3, "reconstruct the active formatting elements"): of 12 KB that are
1000 different unclosed `<b>` and 1000 `<p>`, a million elements are made, in 400 MB. Browsers
suffer it. Elements that are alike count three times at most, whoever wrote them how often; those
without attributes thus come to 42.

No link and no text depends on what is bold, so it is not worth finding out what is closed where,
which comments and attributes can feign: `span` takes the place of formatting elements in pages
that have enough of them to do harm. Only those do not count whose end tag follows with nothing
between but text, `span`, and formatting with nothing but text in it: where the start tag is one,
the end tag is one too.
"""

import re
from itertools import repeat

from gossamer.extract.nesting_limit import FEW_TAGS, SHORTEST_TAG, Markup

MAX_REPEATED = 200_000
"""Elements made by repetition; with attributes, each takes some 400 bytes."""

_ALIKE = 3
"""How many elements of the same name and attributes are repeated."""
_HARMLESS_BYTES = 4096
"""No page of this size can have more than MAX_REPEATED elements by repetition."""
_FEW_BYTES = 20_000
"""In larger pages there are hardly ever so few tags that they can do no harm."""
_SHORTEST_REPETITION = len("<p>x")

# Looking at two letters first takes a quarter of what a plain list of the names does.
_WITH_ATTRIBUTES = re.compile(
    rb"<[bcefinstuBCEFINSTU](?:[\t\n\f\r /]"
    rb"|(?=[imotIMOT])(?i:ig|m|mall|obr|ode|ont|t|trike|trong)[\t\n\f\r /])"
)
"""Formatting start tags that may have attributes."""

_NAMES = rb"(?:b|big|code|em|font|i|nobr|s|small|strike|strong|tt|u)(?=[\t\n\f\r />])"
_PLAIN = re.compile(rb"<(" + _NAMES + rb")>", re.IGNORECASE)
_TAG = re.compile(rb"<(/?)" + _NAMES, re.IGNORECASE)
_TAG_END = rb"(?:[\t\n\f\r ]++[^\t\n\f\r \"'<>/=]++(?:=\"[^\"]*+\")?)*+[\t\n\f\r ]*+>"
"""What follows a tag's name, so plain that where it ends is beyond doubt."""
_SPAN = rb"</?span" + _TAG_END
_CLOSED = rb"<(?P<inner>" + _NAMES + rb")" + _TAG_END + rb"[^<]*+</(?P=inner)>"
_OPEN = (
    rb"<(?=[bcefinstuBCEFINSTU])(?P<name>" + _NAMES + rb")(?=[\t\n\f\r /])"
    rb"(?:" + _TAG_END + rb"[^<]*+(?:(?:" + _SPAN + rb"|" + _CLOSED + rb")[^<]*+)*+"
    rb"(?P<end></(?P=name)>))?"
)
"""Formatting start tags that may have attributes, with the end tag where it is known to be one."""


def without_repetition(markup: Markup) -> bytes:
    """The source of `markup` with `span` for formatting elements that could be too many."""
    return _TAG.sub(rb"<\1span", markup.source) if _may_repeat(markup) else markup.source


def _may_repeat(markup: Markup) -> bool:
    """Whether more than MAX_REPEATED elements can be made, or some more, of alike ones."""
    source, size = markup.source, len(markup.source)
    if size <= _HARMLESS_BYTES:
        return False
    # What is repeated, and what repeats it, are tags: at worst half of them are the one.
    if size <= _FEW_BYTES and (markup.tags / 2) ** 2 <= MAX_REPEATED:
        return False
    plain = 0
    if size > FEW_TAGS * SHORTEST_TAG and markup.tags > FEW_TAGS:
        plain = _ALIKE * len({name.lower() for name in _PLAIN.findall(source)})
    most = markup.most_formatting
    if most is None:
        most = len(_WITH_ATTRIBUTES.findall(source))
    if not _are_too_many(most + plain, markup):
        return False
    return _are_too_many(left_open(source) + plain, markup)


def left_open(source: bytes) -> int:
    """How many formatting tags with attributes may stay open."""
    starts = (tag.start() for tag in _WITH_ATTRIBUTES.finditer(source))
    opened = re.compile(_OPEN, re.IGNORECASE)
    tags = map(opened.match, repeat(source), starts)
    return sum(tag is not None and tag["end"] is None for tag in tags)


def _are_too_many(different: int, markup: Markup) -> bool:
    """Whether so many open elements can be repeated more than MAX_REPEATED times."""
    if different * len(markup.source) <= MAX_REPEATED * _SHORTEST_REPETITION:
        return False
    return different * markup.tags > MAX_REPEATED
