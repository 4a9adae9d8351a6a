"""Trims markup that would cost a parser too much time or memory, before it is parsed.

Size: a tree takes some 300 bytes for each tag, so that 50 MB of "<p>" would take 5 GB.

Depth: for many tags, parsers search all open elements, so that depth costs quadratic time: lexbor
takes 3 s for 60,000 nested `div`. Browsers have a limit too (Chrome's is 512).

Repetition: the HTML Standard has formatting elements that are still open opened again in each
paragraph and cell that follows (§13.2.4.3, "reconstruct the active formatting elements"): of 12 KB
that are 1000 different unclosed `<b>` and 1000 `<p>`, a million elements are made, in 400 MB.
Browsers tolerate it. Equal elements count at most three times, however often they occur; those
without attributes thus come to 42. No link and no text depends on what is bold, so it is not worth
finding out what is closed where, which comments and attributes can fake: `span` replaces formatting
elements in pages that have enough of them to do harm. The only ones that do not count are those
whose end tag follows after nothing but text, `span`, and formatting that contains only text: if the
start tag is a tag, so is the end tag.
"""

import re
from collections import Counter
from collections.abc import Sequence
from functools import cached_property
from itertools import islice, repeat
from typing import Final

from gossamer.extract.native_dom_walk import NATIVE_WALK, MarkupTags, NativeWalk
from gossamer.model.lazy_pattern import lazy_pattern

MAX_TAGS = 150_000
MAX_DEPTH = 1000
"""Elements of a kind that makes no difference to links are left out below this depth."""

FEW_TAGS = 20_000
"""With this few, depth costs at most some tenths of a second."""
SHORTEST_TAG = 3

_TAG = lazy_pattern(rb"<(/?)([a-z][^\t\n\f\r /<>]*)[^<>]*>", re.IGNORECASE)
_NOT_NESTED = frozenset(
    (
        b"area base basefont bgsound br col embed frame hr img input keygen link meta param source"
        b" track wbr p li dt dd tr td th thead tbody tfoot colgroup"
    ).split()
)
"""Elements without end tag, and those that the next of their kind ends."""

_MEANING_SOMETHING = _NOT_NESTED | frozenset(
    (
        b"a audio body button form frameset h1 head html iframe image math noembed noframes"
        b" noscript object picture plaintext script select style svg template textarea title video"
        b" xmp"
    ).split()
)
"""Elements that have links or facts, or that change how their content is read."""


MAX_REPEATED = 200_000
"""Elements made by repetition; with attributes, each takes some 400 bytes."""

_ALIKE = 3
"""How many elements of the same name and attributes are repeated."""
_HARMLESS_BYTES = 4096
"""No page of this size can have more than MAX_REPEATED elements by repetition."""
_FEW_BYTES = 20_000
"""Larger pages hardly ever have few enough tags to do no harm."""
_SHORTEST_REPETITION = len("<p>x")

# Looking at two letters first takes a quarter of what a plain list of the names does.
_WITH_ATTRIBUTES = lazy_pattern(
    rb"<[bcefinstuBCEFINSTU](?:[\t\n\f\r /]"
    rb"|(?=[imotIMOT])(?i:ig|m|mall|obr|ode|ont|t|trike|trong)[\t\n\f\r /])"
)
"""Formatting start tags that may have attributes."""

_FORMATTING = rb"(?:b|big|code|em|font|i|nobr|s|small|strike|strong|tt|u)(?=[\t\n\f\r />])"
_PLAIN = lazy_pattern(rb"<(" + _FORMATTING + rb")>", re.IGNORECASE)
_FORMATTING_TAG = lazy_pattern(rb"<(/?)" + _FORMATTING, re.IGNORECASE)
_FORMATTING_END = rb"(?:[\t\n\f\r ]++[^\t\n\f\r \"'<>/=]++(?:=\"[^\"]*+\")?|)*+[\t\n\f\r ]*+>"
"""What follows a tag's name, if plain enough that its end is beyond doubt."""
_SPAN = rb"</?span" + _FORMATTING_END
_CLOSED = rb"<(?P<inner>" + _FORMATTING + rb")" + _FORMATTING_END + rb"[^<]*+</(?P=inner)>"
_OPEN = (
    rb"<(?=[bcefinstuBCEFINSTU])(?P<name>" + _FORMATTING + rb")(?=[\t\n\f\r /])"
    rb"(?:" + _FORMATTING_END + rb"[^<]*+(?>(?:(?:" + _SPAN + rb"|" + _CLOSED + rb")[^<]*+)*)"
    rb"(?P<end></(?P=name)>))?"
)
"""Formatting start tags that may have attributes, with the end tag where it is known to be one."""


def cut_to_size(markup: bytes) -> bytes:
    """`markup` up to its tag number MAX_TAGS, in any encoding."""
    if len(markup) <= MAX_TAGS or markup.count(b"<") <= MAX_TAGS:
        return markup
    tag = next(islice(re.finditer(b"<", markup), MAX_TAGS, None))
    return markup[: tag.start() & ~1]  # even, for UTF-16


class Markup:
    """Markup in UTF-8. `native` counts its tags, or Python if it is None."""

    def __init__(self, source: bytes, native: NativeWalk | None = NATIVE_WALK) -> None:
        self.source = source
        self.native: Final = native

    @property
    def tags(self) -> int:
        """How many "<" it has."""
        return self.counts.number if self.counts else self.source.count(b"<")

    @property
    def most_formatting(self) -> int | None:
        """At most how many formatting tags may stay open; None if unknown."""
        return self.counts.most_formatting if self.counts else None

    @cached_property
    def counts(self) -> MarkupTags | None:
        """Its tags, which takes a while to count; None if that is left to Python."""
        return self.native.count_tags(self.source) if self.native else None


_HARMLESS = (
    rb"(?:a|abbr|bdi|bdo|br|cite|data|del|dfn|img|ins|kbd|label|mark|q|samp|span|sub|sup|time|var|wbr)"
    rb"(?=[\t\n\f\r />])"
)
"""Elements that keep no end tag from closing formatting: none of them is special (§13.2.4.2)."""
_ATTRIBUTES = (
    rb"(?:[\t\n\f\r ]++[^\t\n\f\r \"'<>/=]++(?:[\t\n\f\r ]*+=[\t\n\f\r ]*+"
    rb"(?:\"[^\"]*+\"|'[^']*+'|[^\t\n\f\r \"'<>=`]++)|)|)*+[\t\n\f\r ]*+/?+>"
)
"""What follows a tag's name, if its end is beyond doubt."""
_TAG_OR_DOUBT = lazy_pattern(
    rb"</(?P<end>" + _FORMATTING + rb")[\t\n\f\r ]*+>"
    rb"|<(?P<start>"
    + _FORMATTING
    + rb")"
    + _ATTRIBUTES
    + rb"|</?"
    + _HARMLESS
    + _ATTRIBUTES
    + rb"|<(?P<doubtful>"
    + _FORMATTING
    + rb")|<",
    re.IGNORECASE,
)


def flattened(markup: Markup) -> Markup:
    """`markup` without most elements that are too deep.

    The depth is an estimate: tags that are never closed count as open.
    """
    if not _may_be_deep(markup):
        return markup
    return Markup(_without_depth(markup.source), markup.native)


def _may_be_deep(markup: Markup) -> bool:
    """Whether more tags than MAX_DEPTH can be open somewhere."""
    if len(markup.source) <= FEW_TAGS * SHORTEST_TAG or markup.tags <= FEW_TAGS:
        return False
    depth = 0
    for between_ends in markup.source.split(b"</"):
        depth = max(depth + between_ends.count(b"<"), 0)
        if depth > MAX_DEPTH:
            return True
        depth -= 1
    return False


def _without_depth(markup: bytes) -> bytes:
    depth = 0

    def kept(tag: re.Match[bytes]) -> bytes:
        nonlocal depth
        slash, name = tag[1], tag[2].lower()
        if name in _NOT_NESTED:
            return tag[0]
        if slash:
            too_deep = depth > MAX_DEPTH
            depth = max(depth - 1, 0)
        else:
            depth += 1
            too_deep = depth > MAX_DEPTH
        is_left_out = too_deep and name not in _MEANING_SOMETHING and b"url" not in tag[0].lower()
        return b"" if is_left_out else tag[0]

    return _TAG.sub(kept, markup)


def without_repetition(markup: Markup, *, closely: bool = False) -> bytes:
    """The source of `markup` with `span` for formatting elements that could be too many.

    Looking `closely` takes some tenths of a second on large pages with formatting, and keeps it in
    most of them.
    """
    repeats = _may_repeat(markup) and not (closely and repeats_at_most(markup.source, MAX_REPEATED))
    return _FORMATTING_TAG.sub(rb"<\1span", markup.source) if repeats else markup.source


def repeats_at_most(source: bytes, most: int) -> bool:
    """Whether it is certain that no more than this many elements are made by repetition.

    What is open at any tag but a harmless one may be open for ever: a paragraph, table or script
    may keep its end tag from closing it, and a comment may be where the end tag is.
    """
    opened: list[tuple[bytes, bytes]] = []
    """The names and the tags that the next end tag closes, in order."""
    left: Counter[bytes] = Counter()
    repeated = left_open = 0
    for tag in _TAG_OR_DOUBT.finditer(source):
        if name := tag["start"]:
            opened.append((name.lower(), tag[0]))
        elif name := tag["end"]:
            place = _last(name.lower(), opened)
            repeated += len(opened) - place - 1
            if place >= 0:
                del opened[place]
        elif tag[0].endswith(b">"):
            repeated += len(opened)
        else:
            for _, start in opened:
                left_open += left[start] < _ALIKE
                left[start] += 1
            left_open += tag["doubtful"] is not None
            opened.clear()
        repeated += left_open
        if repeated > most:
            return False
    return True


def _last(name: bytes, opened: Sequence[tuple[bytes, bytes]]) -> int:
    """The last place of a name; -1 if it has none."""
    places = range(len(opened) - 1, -1, -1)
    return next((place for place in places if opened[place][0] == name), -1)


def _may_repeat(markup: Markup) -> bool:
    """Whether more than MAX_REPEATED elements can be made, or slightly more, of equal ones."""
    source, size = markup.source, len(markup.source)
    if size <= _HARMLESS_BYTES:
        return False
    # Both what is repeated and what repeats it are tags: at worst, half of them each.
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
    """Whether this many open elements can be repeated more than MAX_REPEATED times."""
    if different * len(markup.source) <= MAX_REPEATED * _SHORTEST_REPETITION:
        return False
    return different * markup.tags > MAX_REPEATED
