"""Binds the C library that walks lexbor's DOM; see `app/gossamer/extract/native`.

The library is compiled when Gossamer is set up or built (`packaging/native_library.py`). If there
is none, or none for this release of selectolax, or it misreads the sample page, Python does the
same more slowly, as it does for pages that C leaves to it.
"""

import ctypes
import sys
from array import array
from collections.abc import Iterable
from functools import lru_cache
from itertools import chain
from pathlib import Path
from typing import Final, NamedTuple

import selectolax
import selectolax.lexbor
from msgspec import Struct
from msgspec.msgpack import Decoder
from selectolax.lexbor import LexborHTMLParser

from gossamer.extract.content_text import CONTENT_EXCLUDE, ContentExclusion
from gossamer.extract.css_and_srcset_urls import LINKING_ATTRIBUTES_OF_A
from gossamer.extract.facts.generic_anchor_texts import GENERIC_BITS
from gossamer.extract.link_positions import LANDMARKS, WITHOUT_CLASS_PLACE, WITHOUT_ID
from gossamer.extract.markup_shape import usual_name
from gossamer.extract.native_sample import SAMPLE, SAMPLE_FOUND
from gossamer.extract.native_structures import (
    FUNCTIONS,
    Exclusion,
    Functions,
    NamedRoles,
    Shape,
    TagCounts,
    Wanted,
)
from gossamer.extract.parsed_elements import (
    APART,
    BREAKS,
    FOREIGN,
    FORM_FIELDS,
    FOUND,
    HEADINGS,
    MAX_ELEMENTS,
    MAX_LINE,
    MAX_PAGE_TEXT_NODES,
    MAX_PARENTS,
    MAX_TEXT,
    MAX_TEXT_NODES,
    MAX_TITLES,
    NODE_TEXT,
    OF_HTML_ALONE,
    PATHLESS,
    UNREAD,
    UNSEEN,
    USUAL_SHAPE,
    WITH_TEXT,
    Anchors,
    Element,
    MarkupShape,
    ParsedElements,
)
from gossamer.extract.text_statistics import CLASSES
from gossamer.model.page_prose import MAX_PROSE_BYTES, ProseRun

_MAX_NUMBER = 4096
"""Lexbor knows some 200 names. The "number" of another is the address of an entry of the document,
different in each."""


class NumberedTags(NamedTuple):
    """Names of elements by lexbor's numbers, and those without a number."""

    by_number: dict[int, str]
    unnumbered: tuple[str, ...]


def numbered(tags: Iterable[str]) -> NumberedTags:
    """The numbers of these names."""
    tree = LexborHTMLParser("")
    numbers = {tag: tree.create_node(tag).tag_id for tag in sorted(tags)}
    known = {number: tag for tag, number in numbers.items() if number <= _MAX_NUMBER}
    return NumberedTags(known, tuple(tag for tag in numbers if numbers[tag] > _MAX_NUMBER))


class MarkupTags(NamedTuple):
    """How many "<" markup has, and what follows them."""

    number: int
    most_formatting: int
    """At most how many formatting tags may stay open: `gossamer.extract.parser_limits` counts
    exactly."""
    last_frame: int
    """Where the last start tag of `html`, `head`, `body` or `frameset` may begin, at least."""


INTERFACE: Final = 21
"""Incremented, here and in `native_walk.c`, when arguments or results change."""
KNOWN_RELEASES: Final = frozenset({"1.0.2"})
"""Releases of selectolax whose structures are those in `tree.h`."""
LIBRARY: Final = Path(__file__).parent / "native" / "libnativewalk.so"

_ROLES: Final[tuple[Iterable[str], ...]] = (
    *(BREAKS, UNREAD, UNSEEN, WITH_TEXT),
    *({"title"}, {"style"}, {"meta"}, {"img"}, {"noscript"}, FOREIGN, {"head"}, {"a"}, HEADINGS),
    *({"label"}, FORM_FIELDS, {"script"}, {"article"}, {"html", "head", "body"}),
    *(WITHOUT_ID, WITHOUT_CLASS_PLACE, PATHLESS, APART),
    *({tag for tag, place in LANDMARKS.items() if place & bit} for bit in (1, 2, 4)),
    OF_HTML_ALONE,
)
"""The tags of each `enum role`, in its order, from the second on; those of the first are found."""


class NativeElements(Struct, array_like=True, gc=False):
    """What `find_all` returns; `ends` to `link_paths` and `traits` are columns of `Anchors`."""

    elements: list[Element]
    ends: list[int]
    hrefs: list[str]
    fragment_indexes: list[int]
    fragments: list[str]
    texts: list[str]
    uncleaned: list[int]
    unclear: list[int]
    link_paths: list[int]
    paths: list[str]
    traits: bytes
    language: str | None
    words: int
    sentences: int
    syllables: int
    text_length: int
    sketch: bytes | None
    text: bytes
    phrases: list[int]
    anchor_ids: bytes | None
    are_anchors_cut: bool
    has_items: bool
    has_references: bool


_decode = Decoder(NativeElements).decode
_decode_runs = Decoder(list[ProseRun]).decode


class NativeWalk:
    """The library at `path`, which searches the elements `found`. Threads may share it.

    `release` is that of selectolax. `linking` are attributes of `<a>` with links, besides href.

    Raises OSError or AttributeError if it, or a function of it or of lexbor, is missing; ValueError
    if it was compiled for something else.
    """

    def __init__(
        self,
        path: Path = LIBRARY,
        found: Iterable[str] = FOUND,
        release: str = selectolax.__version__,
        linking: Iterable[str] = LINKING_ATTRIBUTES_OF_A,
    ) -> None:
        library = ctypes.CDLL(str(path))
        is_ours = library.interface_number() == INTERFACE
        if not (is_ours and library.size_of_wanted() == ctypes.sizeof(Wanted)):
            raise ValueError(f"{path.name} was compiled for another release of Gossamer")
        if release not in KNOWN_RELEASES:
            raise ValueError(f"it does not know selectolax {release}")
        lexbor = ctypes.CDLL(selectolax.lexbor.__file__)
        addresses = (ctypes.cast(lexbor[name], ctypes.c_void_p) for name in FUNCTIONS)
        self._functions = Functions(*addresses)
        self._count_tags = library.count_tags
        self._count_tags.argtypes = (ctypes.c_char_p, ctypes.c_size_t, ctypes.c_void_p)
        self._count_tags.restype = None
        self._number_of_attribute = library.number_of_attribute
        self._number_of_attribute.argtypes = (ctypes.c_void_p, ctypes.c_void_p)
        self._number_of_attribute.restype = ctypes.c_size_t
        self._find_all = library.find_all
        self._find_all.argtypes = (
            *(ctypes.c_void_p,) * 5,
            *(ctypes.c_char_p, ctypes.c_size_t, ctypes.c_size_t, ctypes.c_void_p),
        )
        self._find_all.restype = ctypes.c_void_p
        self._find_prose = library.find_prose
        self._find_prose.argtypes = (*(ctypes.c_void_p,) * 4, ctypes.c_size_t, ctypes.c_void_p)
        self._find_prose.restype = ctypes.c_void_p
        self._markup_shape = library.markup_shape
        self._markup_shape.argtypes = (
            *(ctypes.c_char_p, ctypes.c_size_t, ctypes.c_size_t, ctypes.c_void_p),
        )
        self._markup_shape.restype = ctypes.c_int
        self._free = library.free_findings
        self._free.argtypes = (ctypes.c_void_p,)
        self._free.restype = None
        self._roles, self._unnumbered = _roles(found)
        names = [name.encode() for name in sorted(linking)]
        self._linking = (ctypes.c_char_p * len(names))(*names)
        self._wanted = Wanted(
            self._roles.buffer_info()[0],
            len(self._roles),
            ctypes.addressof(self._unnumbered),
            len(self._unnumbered),
            CLASSES,
            len(CLASSES),
            self._attribute("style"),
            self._attribute("href"),
            *map(self._attribute, ("rel", "target", "id", "class")),
            _MAX_NUMBER,
            MAX_ELEMENTS,
            MAX_TITLES,
            MAX_PARENTS,
            MAX_TEXT_NODES,
            MAX_PAGE_TEXT_NODES,
            NODE_TEXT,
            MAX_TEXT,
            MAX_LINE,
            GENERIC_BITS,
            ctypes.cast(self._linking, ctypes.POINTER(ctypes.c_char_p)),
            len(names),
        )
        self._given = ctypes.byref(self._functions), ctypes.byref(self._wanted)

    def prove(self) -> None:
        """Raise ValueError unless it reads a page of ours correctly."""
        if self.find(LexborHTMLParser(SAMPLE)) != SAMPLE_FOUND:
            raise ValueError("it misreads a page whose contents are known")

    def find(
        self,
        tree: LexborHTMLParser,
        address: bytes = b"",
        content_exclude: tuple[str, ...] = CONTENT_EXCLUDE,
        text_bytes: int = 0,
    ) -> ParsedElements | None:
        """The elements found in `tree`; None if that is left to Python.

        `address` is that of the page, percent-decoded: see `gossamer.extract.phrase_hashes`. The
        text of what `content_exclude` names is no content. `text_bytes` of the content are
        returned.
        """
        root, body = tree.root, tree.body
        if root is None:
            return None
        length = ctypes.c_size_t()
        at_body = None if body is None else body.mem_id
        excluded = ctypes.byref(_exclusion(content_exclude))
        tail = (address, len(address), text_bytes, ctypes.byref(length))
        found = self._find_all(*self._given, excluded, root.mem_id, at_body, *tail)
        if not found:
            return None
        there = _decode(self._taken(found, length))
        return ParsedElements(
            elements=there.elements,
            language=there.language,
            words=there.words,
            phrases=there.phrases,
            anchors=Anchors(
                there.hrefs,
                there.fragment_indexes,
                there.fragments,
                there.texts,
                there.uncleaned,
                there.unclear,
                there.ends,
                there.traits,
                there.link_paths,
            ),
            paths=there.paths,
            sentences=there.sentences,
            syllables=there.syllables,
            text_length=there.text_length,
            sketch=there.sketch,
            text=there.text,
            anchor_ids=there.anchor_ids,
            are_anchors_cut=there.are_anchors_cut,
            has_items=there.has_items,
            has_references=there.has_references,
        )

    def prose(self, tree: LexborHTMLParser, exclude: tuple[str, ...]) -> list[ProseRun] | None:
        """As `gossamer.extract.content_text.prose_of`; None if that is left to Python."""
        at_body = None if tree.body is None else tree.body.mem_id
        length = ctypes.c_size_t()
        excluded = ctypes.byref(_exclusion(exclude))
        tail = (MAX_PROSE_BYTES, ctypes.byref(length))
        found = self._find_prose(*self._given, excluded, at_body, *tail)
        return _decode_runs(self._taken(found, length)) if found else None

    def _taken(self, found: int, length: ctypes.c_size_t) -> bytes:
        try:
            return ctypes.string_at(found, length.value)
        finally:
            self._free(found)

    def markup_shape(self, markup: bytes, tags: MarkupTags | None = None) -> MarkupShape:
        """The frame of `markup` as written: see `gossamer.extract.markup_shape`.

        `tags` are those that it has, if they are counted.
        """
        shape = Shape()
        last_frame = (tags or self.count_tags(markup)).last_frame
        if self._markup_shape(markup, len(markup), last_frame, ctypes.byref(shape)):
            return USUAL_SHAPE
        invalid = markup[shape.invalid_at : shape.invalid_at + shape.invalid_length]
        return MarkupShape(
            shape.html_tags,
            shape.head_tags,
            shape.body_tags,
            bool(shape.is_body_before_html),
            bool(shape.is_head_not_first),
            usual_name(invalid) if invalid else None,
            bool(shape.has_lorem),
        )

    def count_tags(self, markup: bytes) -> MarkupTags:
        """The tags of `markup`: see `gossamer.extract.parser_limits`."""
        counts = TagCounts()
        self._count_tags(markup, len(markup), ctypes.byref(counts))
        return MarkupTags(counts.tags, counts.formatting, counts.last_frame)

    def _attribute(self, name: str) -> int:
        tree = LexborHTMLParser("")
        element = tree.create_node("p")
        element.attrs[name] = ""
        number: int = self._number_of_attribute(ctypes.byref(self._functions), element.mem_id)
        return number


def _roles(found: Iterable[str]) -> tuple["array[int]", "ctypes.Array[NamedRoles]"]:
    """The roles of tags, by lexbor's number of the tag; those of tags without a number."""
    tags = [numbered(each) for each in (found, *_ROLES)]
    roles = array("I", bytes(4 * (max(max(each.by_number) for each in tags) + 1)))
    named: dict[str, int] = {}
    for role, (by_number, unnumbered) in enumerate(tags):
        for number in by_number:
            roles[number] |= 1 << role
        for tag in unnumbered:
            named[tag] = named.get(tag, 0) | 1 << role
    by_name = [NamedRoles(tag.encode(), those) for tag, those in named.items()]
    return roles, (NamedRoles * len(by_name))(*by_name)


@lru_cache(maxsize=8)
def _exclusion(names: tuple[str, ...]) -> Exclusion:
    """The C form of a `ContentExclusion`; it keeps what it points to alive."""
    excluded = ContentExclusion.of(names)
    tags = numbered(excluded.tags)
    are_excluded = bytearray(max(tags.by_number, default=0) + 1)
    for number in tags.by_number:
        are_excluded[number] = True
    lists = (tags.unnumbered, sorted(excluded.classes), sorted(excluded.ids))
    names_of = [(ctypes.c_char_p * len(each))(*map(str.encode, each)) for each in lists]
    pointers = [ctypes.cast(each, ctypes.POINTER(ctypes.c_char_p)) for each in names_of]
    sized = zip(pointers, map(len, lists), strict=True)
    return Exclusion(bytes(are_excluded), len(are_excluded), *chain.from_iterable(sized))


def load(
    path: Path = LIBRARY, release: str = selectolax.__version__
) -> tuple[NativeWalk | None, str]:
    """The library at `path` and "on"; or None, with why it is "off" and what to do about it."""
    try:
        walk = NativeWalk(path, release=release)
        walk.prove()
    except (OSError, AttributeError, ValueError, MemoryError) as e:
        return None, f"off ({e}): pages are read more slowly; {_remedy(path, release)}"
    return walk, "on"


def _remedy(path: Path, release: str, platform: str = sys.platform) -> str:
    """What the user can do about a library that cannot be used."""
    if platform == "win32":
        return "there is no library for Windows, where selectolax hides the functions it calls"
    if not path.exists():
        return (
            "to have it, install a C compiler, then gossamer-core with"
            " 'pip install --force-reinstall --no-deps --no-binary gossamer-core gossamer-core'"
        )
    if release not in KNOWN_RELEASES:
        return f"to have it, 'pip install selectolax=={max(KNOWN_RELEASES)}'"
    return "to have it, 'pip install --force-reinstall --no-deps gossamer-core'"


NATIVE_WALK, STATE = load()
"""The library of this process, and in words whether there is one."""
