"""Several addresses in one text, as people type, paste and save them: a list.

Lines separate addresses. White space within a line does so too where each part looks like an
address by itself; elsewhere it belongs to the one address of the line. Empty lines, and lines that
begin with "#", are passed over.
"""

import re
from collections.abc import Iterator, Sequence

from msgspec import Struct

from gossamer.model.errors import UsageError
from gossamer.model.text import one_line
from gossamer.urls.parse import HTTP_SCHEMES, parse_root

_COMMENT = "#"
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


class WrongLine(Struct, frozen=True):
    """A line without an address. `number` counts all lines from 1; `error` says what is wrong."""

    number: int
    text: str
    error: UsageError


class AddressList(Struct, frozen=True):
    """What is in a text: addresses as typed, each once, in their order.

    `repeated` counts those that were there before, perhaps written differently.
    """

    addresses: tuple[str, ...] = ()
    repeated: int = 0
    wrong: tuple[WrongLine, ...] = ()


class AddressListReader:
    """Reads the list in `text` some lines at a time: a window has other things to do meanwhile."""

    def __init__(self, text: str) -> None:
        self._lines = text.removeprefix("\ufeff").splitlines()
        self._read = 0
        self._found: dict[str, str] = {}
        self._repeated = 0
        self._wrong: list[WrongLine] = []

    def read(self, lines: int | None = None) -> bool:
        """Read so many more lines, by default all; whether some are left. Takes 10 µs for each."""
        first = self._read
        self._read = len(self._lines) if lines is None else first + lines
        for number, line in enumerate(self._lines[first : self._read], first + 1):
            try:
                for address in _addresses_in(line):
                    url = parse_root(address)
                    self._repeated += url in self._found
                    self._found.setdefault(url, address)
            except UsageError as e:
                self._wrong.append(WrongLine(number, line.strip(), e))
        return self._read < len(self._lines)

    @property
    def found(self) -> AddressList:
        """What was in the lines read up to now."""
        return AddressList(tuple(self._found.values()), self._repeated, tuple(self._wrong))


def read_address_list(text: str) -> AddressList:
    """The addresses in `text`."""
    reader = AddressListReader(text)
    reader.read()
    return reader.found


def typed_roots(text: str) -> tuple[str, ...]:
    """The addresses in what was typed into a field for one address, or for several.

    Never empty. UsageError with a sentence about the first thing that is no address.
    """
    parts = text.split()
    if not parts or not _are_addresses(parts):
        parts = [text.strip()]
    for part in parts:
        parse_root(part)
    return tuple(dict.fromkeys(parts))


def _addresses_in(line: str) -> Iterator[str]:
    """The texts in a line of a list that are to be addresses; UsageError for one that is none."""
    line = line.strip()
    if not line or line.startswith(_COMMENT):
        return
    parts = line.split()
    if _are_addresses(parts):
        yield from parts
        return
    parse_root(line)  # where that fails, its sentence tells more
    if "\t" in line or not _looks_like_address(parts[0]):
        raise UsageError(
            "{text} is not a web address; write one on each line, such as https://example.com/page.",
            text=f'"{one_line(line, 80)}"',
        )
    yield line


def _are_addresses(parts: Sequence[str]) -> bool:
    """Whether each part is to be an address of its own.

    "https://example.com/a b.html" is one address with a space in it.
    """
    if not all(map(_looks_like_address, parts)):
        return False
    schemes = sum(part.lower().startswith(HTTP_SCHEMES) for part in parts)
    return schemes in {0, len(parts)} or not _is_address(" ".join(parts))


def _is_address(text: str) -> bool:
    try:
        parse_root(text)
    except UsageError:
        return False
    return True


def _looks_like_address(part: str) -> bool:
    """Whether a text without white space has a scheme, a dot, a port, or is localhost.

    Any word can be a host in a private network; in a list it is more likely just a word.
    """
    if part.lower().startswith(HTTP_SCHEMES):
        return True
    return bool(_HOST.fullmatch(_AUTHORITY_END.split(part.removeprefix("//"), maxsplit=1)[0]))
