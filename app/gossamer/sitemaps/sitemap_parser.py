"""Parses the entries of XML sitemaps and feeds as a stream.

Supports only the XML that a list of URLs needs: no DTD, only the predefined entities, no network.
Names count without their prefix, in lower case, whatever namespace they are in. What is not
well-formed ends the stream, but for two faults that are everywhere: "&" that is not escaped, and
bytes that are not of the encoding.
"""

import codecs
import re
from collections.abc import Iterator
from typing import NamedTuple
from xml.parsers import expat

from msgspec import Struct

from gossamer.model.lazy_pattern import lazy_pattern
from gossamer.model.outcome_details import Detail, DetailCode, DetailedError, foreign_text

MAX_TOKEN = 1024 * 1024
"""Bytes of one tag or comment."""
MAX_DEPTH = 64
MAX_ELEMENTS = 4_000_000
"""Some 80 for each of the 50,000 entries that the protocol allows; takes 3 s."""
MAX_FIELDS = 1000
MAX_FIELD_TEXT = 70_000

_STEP_BYTES = 65_536
_ENTRIES = frozenset({"url", "sitemap", "item", "entry"})
_DECLARED = lazy_pattern(rb"<\?xml[^>]{0,200}?encoding\s*=\s*[\"']([A-Za-z0-9_.:-]{1,40})[\"']")
_ENCODINGS = lazy_pattern(
    r"(?:iso[-_]?8859|windows|cp|koi8|shift|sjis|euc|gb|big5|us-ascii|latin|mac)[\w.:-]*",
    re.IGNORECASE,
)
_BLANK = "\ufeff \t\r\n\f"
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_AMPERSAND = lazy_pattern(
    r"<!\[CDATA\[|\]\]>|&(?!(?:amp|lt|gt|quot|apos|#[0-9]{1,7}|#x[0-9a-fA-F]{1,6});)"
)

_FAULTS = {
    2: DetailCode.XML_SYNTAX,
    3: DetailCode.XML_NO_ELEMENT,
    4: DetailCode.XML_TOKEN,
    5: DetailCode.XML_UNCLOSED,
    7: DetailCode.XML_MISMATCH,
    8: DetailCode.XML_ATTRIBUTE_TWICE,
    9: DetailCode.XML_JUNK,
    11: DetailCode.XML_UNDEFINED_ENTITY,
    14: DetailCode.XML_CHARACTER,
    17: DetailCode.XML_DECLARATION,
    20: DetailCode.XML_CDATA,
    27: DetailCode.XML_PREFIX,
    30: DetailCode.XML_BAD_DECLARATION,
}
"""By the numbers of expat's `XML_Error`. The others are of what is refused before, such as DTDs."""


class SitemapXmlError(DetailedError):
    """The XML is malformed here and cannot be read further."""


class SitemapElement(NamedTuple):
    """An element directly in an entry: names in lower case, without prefix."""

    name: str
    attributes: dict[str, str]
    text: str


class SitemapEntry(Struct):
    """One `url`, `sitemap`, `item` or `entry`."""

    name: str
    fields: list[SitemapElement] = []


class EntryStream:
    """The entries of the XML document `data`.

    `root` is the name of its outermost element, "" until that was read.
    """

    def __init__(self, data: bytes) -> None:
        self.root = ""
        self._data = data
        self._depth = 0
        self._elements = 0
        self._entry: SitemapEntry | None = None
        self._entry_depth = 0
        self._attributes: dict[str, str] = {}
        self._pieces: list[str] = []
        self._room = 0
        self._done: list[SitemapEntry] = []

    def __iter__(self) -> Iterator[SitemapEntry]:
        """Each entry; SitemapXmlError after the last that could be read, be it only in part."""
        parser = self._parser()
        fed_bytes = 0
        try:
            for text in _texts(self._data):
                chunk = text.encode()
                parser.Parse(chunk, False)  # noqa: FBT003 - expat takes it by position
                yield from self._taken()
                fed_bytes += len(chunk)
                _check_pending(fed_bytes - parser.CurrentByteIndex)
            parser.Parse(b"", True)  # noqa: FBT003 - it takes no keywords
        except expat.ExpatError as e:
            yield from self._rescued()
            raise SitemapXmlError(_malformed(e)) from e
        except SitemapXmlError:
            yield from self._rescued()
            raise
        yield from self._taken()

    def _taken(self) -> list[SitemapEntry]:
        done, self._done = self._done, []
        return done

    def _rescued(self) -> list[SitemapEntry]:
        """The entries read, including the incomplete last one."""
        return [*self._taken(), *([self._entry] if self._entry else [])]

    # ------------------------------------------------------------ expat's side

    def _parser(self) -> expat.XMLParserType:
        # The encoding overrules the one declared: chunks are fed as UTF-8.
        parser = expat.ParserCreate("utf-8")
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._text
        parser.EntityDeclHandler = self._refuse_entities
        return parser

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        self._depth += 1
        self._elements += 1
        if self._depth > MAX_DEPTH:
            raise SitemapXmlError(DetailCode.XML_DEPTH())
        if self._elements > MAX_ELEMENTS:
            raise SitemapXmlError(DetailCode.XML_ELEMENTS(number=MAX_ELEMENTS))
        name = _local(name)
        if self._depth == 1:
            self.root = name
        elif self._entry is None:
            if name in _ENTRIES:
                self._entry = SitemapEntry(name)
                self._entry_depth = self._depth
        elif self._depth == self._entry_depth + 1:
            self._attributes = attributes
            self._pieces = []
            self._room = MAX_FIELD_TEXT

    def _text(self, text: str) -> None:
        if self._entry is not None and self._depth == self._entry_depth + 1 and self._room > 0:
            self._pieces.append(text[: self._room])
            self._room -= len(text)

    def _end(self, name: str) -> None:
        if self._entry is not None:
            if self._depth == self._entry_depth:
                self._done.append(self._entry)
                self._entry = None
            elif self._depth == self._entry_depth + 1 and len(self._entry.fields) < MAX_FIELDS:
                attributes = {_local(key): value for key, value in self._attributes.items()}
                self._entry.fields.append(
                    SitemapElement(_local(name), attributes, "".join(self._pieces))
                )
        self._depth -= 1

    def _refuse_entities(self, *declaration: object) -> None:
        del declaration
        raise SitemapXmlError(DetailCode.XML_ENTITIES())


def _malformed(problem: expat.ExpatError) -> Detail:
    code = _FAULTS.get(problem.code)
    return DetailCode.XML_MALFORMED(
        why=foreign_text(expat.ErrorString(problem.code)) if code is None else code(),
        line=problem.lineno,
        column=problem.offset,
    )


def _check_pending(size_bytes: int) -> None:
    """Refuse a tag that expat has been collecting for too long."""
    if size_bytes > MAX_TOKEN:
        raise SitemapXmlError(DetailCode.XML_TAG(number=MAX_TOKEN))


def _local(name: str) -> str:
    return name.rpartition(":")[2].lower()


# ---------------------------------------------------------------- from bytes to text


def encoding_of(data: bytes) -> tuple[str, int]:
    """Python's codec for XML, and the length of the byte-order mark."""
    for mark, codec in _MARKS:
        if data.startswith(mark):
            return codec, len(mark)
    if data.startswith((b"<\0", b"\0<")):
        return ("utf-16-le" if data[0] else "utf-16-be"), 0
    declared = _DECLARED.match(data.lstrip()[:300])
    label = declared[1].decode() if declared else ""
    try:
        return (codecs.lookup(label).name if _ENCODINGS.fullmatch(label) else "utf-8"), 0
    except LookupError:
        return "utf-8", 0


def _texts(data: bytes) -> Iterator[str]:
    """The document piece by piece; each ends with a ">", and has its ampersands escaped."""
    codec, position = encoding_of(data)
    decoder = codecs.getincrementaldecoder(codec)("replace")
    escape = _Ampersands()
    rest = ""
    is_start = True
    while position < len(data):
        step = data[position : position + _STEP_BYTES]
        position += len(step)
        rest += decoder.decode(step, final=position == len(data))
        if is_start:
            rest = rest.lstrip(_BLANK)
            is_start = not rest
        end = rest.rfind(">") + 1
        if end:
            yield escape(rest[:end])
            rest = rest[end:]
        elif len(rest) > MAX_TOKEN:
            raise SitemapXmlError(DetailCode.XML_TEXT(number=MAX_TOKEN))
    if rest:
        yield escape(rest)


class _Ampersands:
    """Escapes "&" that begins no reference, outside of CDATA sections."""

    def __init__(self) -> None:
        self._in_cdata = False

    def __call__(self, text: str) -> str:
        """The next piece of the document, escaped."""
        if "&" not in text and "<![CDATA[" not in text and not self._in_cdata:
            return text
        return _AMPERSAND.sub(self._escaped, text)

    def _escaped(self, found: re.Match[str]) -> str:
        if found[0] == "&":
            return "&" if self._in_cdata else "&amp;"
        self._in_cdata = found[0] != "]]>"
        return found[0]
