"""Detects pages that repeat known content, and pages that spread many new links."""

import re
import sys
from collections.abc import Collection
from itertools import compress
from mmap import ACCESS_COPY, ACCESS_DEFAULT, mmap
from struct import pack
from zlib import crc32

from msgspec import Struct

from gossamer.engine.traps.url_patterns import folder_of, pattern_of, site_of
from gossamer.engine.url_tracker import Lane
from gossamer.model.fields.page_facts import PageFacts
from gossamer.model.link_kinds import LinkKind
from gossamer.model.outcome import Outcome
from gossamer.model.visit import Visit

_SLOTS = 1 << 21
_OWN_MEMORY = ACCESS_DEFAULT if sys.platform == "win32" else ACCESS_COPY
"""Elsewhere than on Windows, copies of a process would share the default."""
_ROOM = _SLOTS // 16
"""Phrases until half the memory is forgotten: so few that hardly two share a slot by chance."""
_FRESH_SHARE = 8
"""One part in so many of what a page says must be new."""
_FACTORS = (0x9E37_79B1, 0x85EB_CA6B, 0xC2B2_AE35)
"""Odd, so that other hashes become other numbers."""
_OLD, _YOUNG = 1, 2
_AGED = bytes([0, 0, _OLD]).ljust(256, b"\0")
"""What a slot becomes when half is forgotten."""

_MARKS_IMAGE = bytes(kind == LinkKind.IMAGE for kind in range(256))
"""For `bytes.translate`: 1 for an image, 0 for other kinds."""


class Novelty:
    """Remembers the phrases of the latest pages, some 16,000 of them, in 2 MB."""

    def __init__(self) -> None:
        """Start with nothing remembered."""
        # The system provides the memory as it is written to: a small crawl needs little of it.
        self._said = mmap(-1, _SLOTS, access=_OWN_MEMORY)
        self._kept = 0
        self.has_notes = False
        """Whether any page was noted."""

    def is_new(self, phrases: Collection[int]) -> bool:
        """Whether enough of `phrases`, 32 bits each, is new; from now on none of them is."""
        said, fresh = self._said, 0
        for phrase in phrases:
            slot = phrase % _SLOTS
            if not said[slot]:
                fresh += 1
            said[slot] = _YOUNG
        self._kept += fresh
        if self._kept >= _ROOM:
            said[:] = said[:].translate(_AGED)
            self._kept = 0
        return fresh * _FRESH_SHARE >= max(len(phrases), 1)

    def note_text(self, text_hash: int | None) -> None:
        """Note that a page has the text with this 32-bit hash, if it has any."""
        if text_hash is not None:
            self.has_notes = True
            self.is_new(_marks_of(text_hash))

    def is_noted(self, text_hash: int | None) -> bool:
        """Whether a page with exactly this text was noted."""
        return text_hash is not None and all(
            self._said[mark % _SLOTS] for mark in _marks_of(text_hash)
        )


def _marks_of(text_hash: int) -> list[int]:
    """Several slots, because a single one would be taken by chance too often."""
    return [(text_hash * factor & 0xFFFF_FFFF) >> 11 for factor in _FACTORS]


SPREADING = 3
"""How many pages in a row, each found on the one before, must spread to be doubtful."""

_WORD = re.compile(r"[^\W\d]+")


class SourceRecord(Struct, frozen=True, gc=False):
    """What is remembered of a page that led to others."""

    pattern: str
    folder: str
    spread: int
    lane: Lane


class LinkSource(Struct, gc=False):
    """A page whose links are being judged."""

    url: str
    depth: int = 0
    id: int = 0
    parent: int | None = None
    """The id of the page on which it was found."""
    is_new: bool = False
    """Whether it says something that no page said before."""
    facts: PageFacts | None = None
    """Of a page that does not: see `is_alike`."""
    is_alike: bool = False
    """Whether it looks just like a page seen before, as far as that was checked."""
    spread: int = 0
    """How many pages in a row spread, up to this one; those that do not lower it."""
    spreads: bool = False
    """Whether it leads to many unknown pages, and to next to none that others found."""
    is_leaf: bool = True
    """Whether it leads to nothing unknown."""
    leads_on: bool = False
    """Whether it leads to unknown addresses of another kind."""
    own_pattern: str = ""

    @property
    def pattern(self) -> str:
        """The pattern of its address, shared with others of its kind."""
        if not self.own_pattern:
            self.own_pattern = pattern_of(self.url)
        return self.own_pattern

    @property
    def lane(self) -> Lane:
        """The lane for the URLs it leads to."""
        if self.is_alike:
            return Lane.ALIKE
        return Lane.SPREADING if self.spread >= SPREADING - 1 else Lane.USUAL

    @property
    def is_free(self) -> bool:
        """Whether its links are not counted, but for those with a session id."""
        return self.is_new and self.spread < SPREADING

    @property
    def is_doubtful(self) -> bool:
        """Whether the URLs it leads to are counted, because they may have no end."""
        return self.is_alike or self.spread >= SPREADING


def record_of(source: LinkSource) -> SourceRecord:
    """What is to be remembered of a page that leads to others."""
    return SourceRecord(source.pattern, folder_of(source.url), source.spread, source.lane)


def appearance_of(url: str, facts: PageFacts) -> int:
    """What a user sees of a page, as far as we know it, apart from its own address."""
    own = set(_WORD.findall(url.lower()))
    text = f"{facts.title or ''} {facts.h1 or ''} {facts.description or ''}"
    words = [word for word in _WORD.findall(text.lower()) if word not in own]
    return hash((site_of(url), facts.word_count, *words))


def content_hashes(visit: Visit) -> list[int]:
    """What a response says, as a few 32-bit numbers; none if it says nothing."""
    if visit.facts is not None:
        return visit.facts.phrases
    if visit.outcome is Outcome.REDIRECT_OUT_OF_SCOPE and visit.location:
        return [crc32(visit.location.encode("utf-8", "surrogatepass"))]
    if visit.outcome is Outcome.FILE and visit.size_bytes and not visit.targets:
        return [crc32(f"{visit.content_type} {visit.size_bytes}".encode())]
    return []


def phrases_hash(visit: Visit) -> int | None:
    """All phrases of a page in 32 bits; None if it says nothing.

    Unchanged pages of an earlier crawl come with this alone.
    """
    if visit.phrases_hash is not None or visit.facts is None or not visit.facts.phrases:
        return visit.phrases_hash
    phrases = visit.facts.phrases
    return crc32(pack(f">{len(phrases)}I", *phrases))


def image_hashes(visit: Visit) -> list[int]:
    """The names of a page's images, each as a 32-bit number.

    A gallery may have nothing to say but them. Their folders say nothing: where a relative address
    grows, those of the images grow with it. An address with a query may be made for each page.
    """
    links = visit.links
    shown = set(compress(links.targets, links.kinds.translate(_MARKS_IMAGE)))
    found = {visit.targets[target] for target in shown}
    return [crc32(url[url.rfind("/") :].encode()) for url in found if "?" not in url]
