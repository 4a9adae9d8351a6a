"""Binds the C library that walks lexbor's DOM; see `app/gossamer/extract/native`.

The library is compiled when Gossamer is set up or built (`packaging/native_library.py`). Where
there is none, or none for this release of selectolax, or it misreads `_SAMPLE`, Python does the
same more slowly, as it does for pages that C leaves to it.
"""

import ctypes
import re
from array import array
from collections.abc import Iterable
from pathlib import Path
from typing import Final, NamedTuple

import selectolax
import selectolax.lexbor
from msgspec import Struct
from msgspec.msgpack import Decoder
from selectolax.lexbor import LexborHTMLParser

from gossamer.extract.parsed_elements import (
    BREAKS,
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
    UNREAD,
    UNSEEN,
    WITH_TEXT,
    Anchors,
    Element,
    ParsedElements,
)
from gossamer.extract.text_analysis import count_words
from gossamer.model.page_flags import LinkPlace

_MAX_NUMBER = 4096
"""Lexbor knows some 200 names. The "number" of another is the address of an entry of the document,
different in each."""


class NumberedTags(NamedTuple):
    """Names of elements by lexbor's numbers, and those that it has no number for."""

    by_number: dict[int, str]
    unnumbered: tuple[str, ...]


def numbered(tags: Iterable[str]) -> NumberedTags:
    """The numbers of these names."""
    tree = LexborHTMLParser("")
    numbers = {tag: tree.create_node(tag).tag_id for tag in sorted(tags)}
    known = {number: tag for tag, number in numbers.items() if number <= _MAX_NUMBER}
    return NumberedTags(known, tuple(tag for tag in numbers if numbers[tag] > _MAX_NUMBER))


INTERFACE: Final = 10
"""Counted up, here and in `native_walk.c`, when arguments or results change."""
KNOWN_RELEASES: Final = frozenset({"1.0.2"})
"""Releases of selectolax whose structures are those in `tree.h`."""
LIBRARY: Final = Path(__file__).parent / "native" / "libnativewalk.so"

_ROLES: Final[tuple[Iterable[str], ...]] = (
    *(BREAKS, UNREAD, UNSEEN, WITH_TEXT),
    *({"title"}, {"style"}, {"meta"}, {"img"}, {"noscript"}, {"svg"}, {"head"}, {"a"}, HEADINGS),
)
"""The tags of each `enum role`, in its order, from the second on; those of the first are found."""
_CHARACTERS: Final = 0x3001
"""Below are the characters that part words by white space, and all white space there is."""
_SPACE: Final = 2
"""The `enum class` of white space; MARK and LETTER are what `str.isalnum` says."""


_FUNCTIONS: Final = (
    "lxb_dom_element_first_attribute_noi",
    "lxb_dom_element_qualified_name",
    "lxb_dom_attr_qualified_name",
)


class _Functions(ctypes.Structure):
    """`functions`: those of lexbor with these names."""

    _fields_ = tuple((name, ctypes.c_void_p) for name in _FUNCTIONS)


class _NamedRoles(ctypes.Structure):
    """`named_roles`."""

    _fields_ = (("name", ctypes.c_char_p), ("roles", ctypes.c_size_t))


class _Wanted(ctypes.Structure):
    """`wanted`."""

    _fields_ = (
        ("roles", ctypes.c_void_p),
        ("tags", ctypes.c_size_t),
        ("unnumbered", ctypes.c_void_p),
        ("unnumbered_tags", ctypes.c_size_t),
        ("classes", ctypes.c_char_p),
        ("known", ctypes.c_size_t),
        ("style", ctypes.c_size_t),
        ("href", ctypes.c_size_t),
        ("rel", ctypes.c_size_t),
        ("max_elements", ctypes.c_size_t),
        ("max_titles", ctypes.c_size_t),
        ("max_parents", ctypes.c_size_t),
        ("max_text_nodes", ctypes.c_size_t),
        ("max_page_text_nodes", ctypes.c_size_t),
        ("node_text", ctypes.c_size_t),
        ("max_text", ctypes.c_size_t),
        ("max_line", ctypes.c_size_t),
    )


class NativeElements(Struct, array_like=True, gc=False):
    """What `find_all` gives; `ends` to `uncleaned` are the columns of `Anchors`.

    `words` is the text to count them in where that was not possible.
    """

    elements: list[Element]
    ends: list[int]
    hrefs: list[str]
    fragment_indexes: list[int]
    fragments: list[str]
    texts: list[str]
    uncleaned: list[int]
    language: str | None
    words: int | str
    phrases: list[int]


_decode = Decoder(NativeElements).decode


class NativeWalk:
    """The library at `path`, looking for the elements `found`. Threads may share it.

    `release` is that of selectolax.

    Raises OSError or AttributeError where it, or a function of it or of lexbor, is missing;
    ValueError where it was compiled for something else.
    """

    def __init__(
        self,
        path: Path = LIBRARY,
        found: Iterable[str] = FOUND,
        release: str = selectolax.__version__,
    ) -> None:
        library = ctypes.CDLL(str(path))
        is_ours = library.interface_number() == INTERFACE
        if not (is_ours and library.size_of_wanted() == ctypes.sizeof(_Wanted)):
            raise ValueError(f"{path.name} was compiled for another release of Gossamer")
        if release not in KNOWN_RELEASES:
            raise ValueError(f"it does not know selectolax {release}")
        lexbor = ctypes.CDLL(selectolax.lexbor.__file__)
        addresses = (ctypes.cast(lexbor[name], ctypes.c_void_p) for name in _FUNCTIONS)
        self._functions = _Functions(*addresses)
        self._count_tags = library.count_tags
        self._count_tags.argtypes = (ctypes.c_char_p, ctypes.c_size_t, ctypes.c_void_p)
        self._count_tags.restype = ctypes.c_size_t
        self._number_of_attribute = library.number_of_attribute
        self._number_of_attribute.argtypes = (ctypes.c_void_p, ctypes.c_void_p)
        self._number_of_attribute.restype = ctypes.c_size_t
        self._find_all = library.find_all
        self._find_all.argtypes = (
            *(ctypes.c_void_p,) * 4,
            *(ctypes.c_char_p, ctypes.c_size_t, ctypes.c_void_p),
        )
        self._find_all.restype = ctypes.c_void_p
        self._free = library.free_findings
        self._free.argtypes = (ctypes.c_void_p,)
        self._free.restype = None
        self._roles, self._unnumbered = _roles(found)
        self._wanted = _Wanted(
            self._roles.buffer_info()[0],
            len(self._roles),
            ctypes.addressof(self._unnumbered),
            len(self._unnumbered),
            _classes(),
            _CHARACTERS,
            self._attribute("style"),
            self._attribute("href"),
            self._attribute("rel"),
            MAX_ELEMENTS,
            MAX_TITLES,
            MAX_PARENTS,
            MAX_TEXT_NODES,
            MAX_PAGE_TEXT_NODES,
            NODE_TEXT,
            MAX_TEXT,
            MAX_LINE,
        )
        self._given = ctypes.byref(self._functions), ctypes.byref(self._wanted)

    def prove(self) -> None:
        """Raise ValueError unless it finds in a page of ours what is there."""
        if self.find(LexborHTMLParser(_SAMPLE)) != _SAMPLE_FOUND:
            raise ValueError("it misreads a page whose contents are known")

    def find(self, tree: LexborHTMLParser, address: bytes = b"") -> ParsedElements | None:
        """What is found in `tree`; None where that is left to Python.

        `address` is that of the page, percent-decoded: see `gossamer.extract.text_analysis`.
        """
        root, body = tree.root, tree.body
        if root is None:
            return None
        length = ctypes.c_size_t()
        at_body = None if body is None else body.mem_id
        tail = (address, len(address), ctypes.byref(length))
        found = self._find_all(*self._given, root.mem_id, at_body, *tail)
        if not found:
            return None
        try:
            found_there = _decode(ctypes.string_at(found, length.value))
        finally:
            self._free(found)
        count = (
            count_words(found_there.words)
            if isinstance(found_there.words, str)
            else found_there.words
        )
        anchors = Anchors(
            found_there.hrefs,
            found_there.fragment_indexes,
            found_there.fragments,
            found_there.texts,
            found_there.uncleaned,
            found_there.ends,
        )
        return ParsedElements(
            found_there.elements, found_there.language, count, found_there.phrases, anchors
        )

    def count_tags(self, markup: bytes) -> tuple[int, int]:
        """How many "<" `markup` has, and how many tags of formatting may stay open, at most.

        See `gossamer.extract.parser_limits`, which counts the latter exactly.
        """
        formatting = ctypes.c_size_t()
        tags = self._count_tags(markup, len(markup), ctypes.byref(formatting))
        return tags, formatting.value

    def _attribute(self, name: str) -> int:
        tree = LexborHTMLParser("")
        element = tree.create_node("p")
        element.attrs[name] = ""
        number: int = self._number_of_attribute(ctypes.byref(self._functions), element.mem_id)
        return number


def _roles(found: Iterable[str]) -> tuple["array[int]", "ctypes.Array[_NamedRoles]"]:
    """The roles of tags, by lexbor's number of the tag; those of tags that it has no number for."""
    tags = [numbered(each) for each in (found, *_ROLES)]
    roles = array("H", bytes(2 * (max(max(each.by_number) for each in tags) + 1)))
    named: dict[str, int] = {}
    for role, (by_number, unnumbered) in enumerate(tags):
        for number in by_number:
            roles[number] |= 1 << role
        for tag in unnumbered:
            named[tag] = named.get(tag, 0) | 1 << role
    by_name = [_NamedRoles(tag.encode(), those) for tag, those in named.items()]
    return roles, (_NamedRoles * len(by_name))(*by_name)


def _classes() -> bytes:
    """The `enum class` of each character below `_CHARACTERS`."""
    characters = "".join(map(chr, range(_CHARACTERS)))
    classes = bytearray(map(str.isalnum, characters))
    for match in re.finditer(r"\s", characters):
        classes[match.start()] = _SPACE
    return bytes(classes)


_SAMPLE: Final = (
    "<html lang=de><head><title>Titel</title><style>a{b:url(c)}</style><meta charset=utf-8></head>"
    "<body><h1>Eins<br>zwei</h1><p style='background:url(d)'>Wörter sind 3,"
    " <a href=/x>hier\n und</a> <a href='/y#z'>dort</a> <a rel=next href=/w><img alt=Bild></a>"
    "<svg><title>Tip</title><a xlink:href=/s></a></svg><x-y><a xlink:href=/no></a></x-y>"
    "<noscript><meta http-equiv=refresh></noscript><script>nichts</script></body></html>"
)
_SAMPLE_FOUND: Final = ParsedElements(
    elements=[
        Element("title", {}, "Titel", LinkPlace.HEAD),
        Element("style", {}, "a{b:url(c)}", LinkPlace.HEAD),
        Element("meta", {"charset": "utf-8"}, "", LinkPlace.HEAD),
        Element("h1", {}, "Eins zwei"),
        Element("p", {"style": "background:url(d)"}, ""),
        Element("a", {"rel": "next", "href": "/w"}, "Bild"),
        Element("img", {"alt": "Bild"}, ""),
        Element("a", {"xlink:href": "/s"}, ""),
        Element("a", {}, ""),
        Element("noscript", {}, ""),
        Element("meta", {"http-equiv": "refresh"}, "noscript"),
        Element("script", {}, ""),
    ],
    language="de",
    words=8,
    phrases=[336083131, 751812562, 1374877536],
    anchors=Anchors(
        hrefs=["/x", "/y"],
        fragment_indexes=[1],
        fragments=["#z"],
        texts=["hier und", "dort"],
        uncleaned=[],
        ends=[0, 0, 0, 0, 0, 2, 2, 2, 2, 2, 2, 2],
    ),
)
"""A page with something of everything that is looked for, and what it has."""


def load(
    path: Path = LIBRARY, release: str = selectolax.__version__
) -> tuple[NativeWalk | None, str]:
    """The library at `path` if it can be used, and "on", or None and why it is "off"."""
    try:
        walk = NativeWalk(path, release=release)
        walk.prove()
    except (OSError, AttributeError, ValueError, MemoryError) as e:
        return None, f"off ({e})"
    return walk, "on"


NATIVE_WALK, STATE = load()
"""What there is for this process, and in words whether there is."""
