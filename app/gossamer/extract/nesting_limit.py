"""Markup larger or deeper than any page needs, cut down before it is parsed.

A tree takes some 300 bytes for each tag, so that 50 MB of "<p>" would take 5 GB. And parsers look
through all open elements for many a tag, so that depth costs quadratic time: lexbor takes 3 s for
60,000 nested `div`. Browsers have a limit too (Chrome's is 512).
"""

import re
from functools import cached_property
from itertools import islice

from gossamer.extract.native_walk import SPEEDUPS

MAX_TAGS = 150_000
MAX_DEPTH = 1000
"""Elements of a kind that makes no difference to links are left out below this depth."""

FEW_TAGS = 20_000
"""With so few, depth costs some tenths of a second at most."""
SHORTEST_TAG = 3

_TAG = re.compile(rb"<(/?)([a-z][^\t\n\f\r /<>]*)[^<>]*>", re.IGNORECASE)
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
"""Elements that links or facts stand in, or that change how what is in them is read."""


def cut_to_size(markup: bytes) -> bytes:
    """`markup` up to its tag number MAX_TAGS, in any encoding."""
    if len(markup) <= MAX_TAGS or markup.count(b"<") <= MAX_TAGS:
        return markup
    tag = next(islice(re.finditer(b"<", markup), MAX_TAGS, None))
    return markup[: tag.start() & ~1]  # even, for UTF-16


class Markup:
    """Markup in UTF-8."""

    def __init__(self, source: bytes) -> None:
        self.source = source

    @property
    def tags(self) -> int:
        """How many "<" it has."""
        return self._counts[0]

    @property
    def most_formatting(self) -> int | None:
        """How many tags of formatting may stay open, at most; None if nobody knows."""
        return self._counts[1]

    @cached_property
    def _counts(self) -> tuple[int, int | None]:
        # Only if asked, for it takes a while.
        return SPEEDUPS.count_tags(self.source) if SPEEDUPS else (self.source.count(b"<"), None)


def flattened(markup: Markup) -> Markup:
    """`markup` without most elements that are too deep.

    The depth is an estimate: tags that are never closed count as open.
    """
    return Markup(_without_depth(markup.source)) if _may_be_deep(markup) else markup


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
