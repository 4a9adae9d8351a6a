"""Parses lists of URLs as users type, paste and save them.

Lines separate addresses. White space within a line does so too where each part looks like an
address by itself, and commas or semicolons before it; elsewhere they belong to the one address of
the line. Empty lines, and lines that begin with "#", are passed over.
"""

import re
from collections import deque
from collections.abc import Generator, Iterator
from itertools import islice

from msgspec import Struct

from gossamer.model.errors import UsageError
from gossamer.model.text_cleaning import one_line
from gossamer.urls.url_parsing import HTTP_SCHEMES, parse_root

_COMMENT = "#"
_SEPARATOR = re.compile(r"[,;]\s")
_LONGEST = 65_536
"""Characters of a line that may be one address with white space in it."""
_WORD = re.compile(rf"\S{{1,{_LONGEST + 1}}}")
_CHUNK = 65_536
"""Characters of a text that are looked through for ends of lines at once."""
_AUTHORITY_END = re.compile(r"[/?#\\]")
_HOST = re.compile(
    r"localhost"
    r"|\[.*\](?::\d*)?"
    r"|[^:@]+:\d+"
    r"|\d+(?:\.\d+){3}"
    r"|(?:[^.@]+\.)+(?!\d+$)[^.:@]+\.?",
    re.IGNORECASE,
)
"""With its port. A number such as 3.14 is none, though a browser would take it for an address."""


class InvalidLine(Struct, frozen=True):
    """A line without a valid URL. `number` counts from 1; `error` says what is wrong."""

    number: int
    text: str
    error: UsageError


class AddressList(Struct, frozen=True):
    """The URLs in a text, as typed, without duplicates, in order.

    `repeated` counts those that were there before, perhaps written differently. Hash routes differ:
    whether they are pages of their own is for the settings of the crawl to say.
    """

    addresses: tuple[str, ...] = ()
    repeated: int = 0
    wrong: tuple[InvalidLine, ...] = ()


class AddressListReader:
    """Parses the list in `text` in small steps, so that a window stays responsive.

    A bit is a look at one word, or an address read: one line may have millions.
    """

    def __init__(self, text: str, chunk: int = _CHUNK) -> None:
        """Look for the ends of lines in `chunk` characters at a time."""
        self._bits = self._read_bits(text.removeprefix("\ufeff"), chunk)
        self._found: dict[str, str] = {}
        self._repeated = 0
        self._wrong: list[InvalidLine] = []

    def read(self, bits: int | None = None) -> bool:
        """Read so many bits more, by default all; whether some are left. Takes 10 µs for each."""
        read = islice(self._bits, bits)
        if bits is None:
            deque(read, maxlen=0)
            return False
        return sum(1 for _ in read) == bits

    @property
    def found(self) -> AddressList:
        """What was in the bits read up to now."""
        return AddressList(tuple(self._found.values()), self._repeated, tuple(self._wrong))

    def _read_bits(self, text: str, chunk: int) -> Iterator[None]:
        number = 0
        for line in _lines(text, chunk):
            yield
            if line is None:
                continue
            number += 1
            try:
                yield from self._read_line(line)
            except UsageError as e:
                self._wrong.append(InvalidLine(number, line, e))

    def _read_line(self, line: str) -> Iterator[None]:
        if not line or line.startswith(_COMMENT):
            return
        punctuated = yield from _are_punctuated(line)
        if (yield from _are_addresses(line, punctuated=punctuated)):
            for word in _words(line, punctuated=punctuated):
                self._add(word)
                yield
            return
        is_short = len(line) <= _LONGEST
        if is_short:
            parse_root(line)  # where that fails, its sentence tells more
        if not is_short or "\t" in line or not looks_like_address(line.split(maxsplit=1)[0]):
            raise UsageError(
                "{text} is not a URL; write one URL per line, such as https://example.com/page.",
                text=f'"{one_line(line[:_LONGEST], 80)}"',
            )
        self._add(line)

    def _add(self, address: str) -> None:
        url = parse_root(address, hash_routes=True)
        self._repeated += url in self._found
        self._found.setdefault(url, address)


def read_address_list(text: str) -> AddressList:
    """The addresses in `text`."""
    reader = AddressListReader(text)
    reader.read()
    return reader.found


def typed_roots(text: str) -> tuple[str, ...]:
    """The addresses in what was typed into a field for one address, or for several.

    Never empty. UsageError with a sentence about the first thing that is no address.
    """
    line, parts = " ".join(text.split()), [text.strip()]
    punctuated = _all_at_once(_are_punctuated(line))
    if line and _all_at_once(_are_addresses(line, punctuated=punctuated)):
        parts = list(_words(line, punctuated=punctuated))
    for part in parts:
        parse_root(part)
    return tuple(dict.fromkeys(parts))


def _lines(text: str, chunk: int) -> Iterator[str | None]:
    """As `splitlines` has them, without white space around them; None where one goes on."""
    begun: list[str] = []
    end = 0
    while end < len(text):
        start, end = end, end + chunk
        end += text[end - 1 : end + 1] == "\r\n"
        for line in text[start:end].splitlines(keepends=True):
            begun.append(line)
            if line.splitlines()[0] != line:
                yield "".join(begun).strip()
                begun.clear()
        yield None
    if begun:
        yield "".join(begun).strip()


def _words(line: str, *, punctuated: bool) -> Iterator[str]:
    """The words of a line, without the commas and semicolons between them if it is `punctuated`."""
    for word in _WORD.finditer(line):
        yield word.group()[:-1] if punctuated and word.end() < len(line) else word.group()


def _are_punctuated(line: str) -> Generator[None, None, bool]:
    """Whether commas or semicolons separate the words of a line; a bit for each looked at.

    That is where all words but the last end so.
    """
    if not _SEPARATOR.search(line):
        return False
    for word in _WORD.finditer(line):
        if word.end() < len(line) and not word.group().endswith((",", ";")):
            return False
        yield
    return True


def _are_addresses(line: str, *, punctuated: bool) -> Generator[None, None, bool]:
    """Whether each word of a line is to be an address of its own; a bit for each looked at.

    "https://example.com/a b.html" is one address with a space in it.
    """
    words = schemes = 0
    for word in _words(line, punctuated=punctuated):
        if len(word) > _LONGEST or not looks_like_address(word):
            return False
        words += 1
        schemes += word.lower().startswith(HTTP_SCHEMES)
        yield
    return schemes in {0, words} or len(line) > _LONGEST or not _is_address(line)


def _all_at_once(bits: Generator[None, None, bool]) -> bool:
    """What a work in bits comes to in the end."""
    while True:
        try:
            next(bits)
        except StopIteration as e:
            return bool(e.value)


def _is_address(text: str) -> bool:
    try:
        parse_root(text)
    except UsageError:
        return False
    return True


def looks_like_address(part: str) -> bool:
    """Whether a text without white space has a scheme, a dot, a port, or is localhost.

    Any word can be a host in a private network; in a list it is more likely just a word.
    """
    if part.lower().startswith(HTTP_SCHEMES):
        return True
    return bool(_HOST.fullmatch(_AUTHORITY_END.split(part.removeprefix("//"), maxsplit=1)[0]))
