"""The lines of robots.txt, as Google's parser and RFC 9309 understand them.

Protego knows how groups and patterns work but lets lines that it does not know end a group, and
splits lines where nobody else does. So it is given nothing but plain records, one a line.
"""

import re
from dataclasses import dataclass
from urllib.parse import quote, unquote_to_bytes

USER_AGENT = "user-agent"
ALLOW = "allow"
DISALLOW = "disallow"
SITEMAP = "sitemap"
CRAWL_DELAY = "crawl-delay"

_SPELLINGS = {
    USER_AGENT: ("user-agent", "useragent", "user agent"),
    ALLOW: ("allow",),
    DISALLOW: ("disallow", "dissallow", "dissalow", "disalow", "diasllow", "disallaw"),
    SITEMAP: ("sitemap", "site-map"),
    CRAWL_DELAY: ("crawl-delay", "crawl delay", "crawldelay"),
}
_FIELDS = {spelling: field for field, spellings in _SPELLINGS.items() for spelling in spellings}
_NEWLINE = re.compile(r"\r\n|\r|\n")
_ESCAPES = re.compile(r"(?:%[89a-fA-F][0-9a-fA-F])+")
"""Bytes that are not ASCII."""
_NO_UTF_8 = frozenset(map(chr, range(0xDC80, 0xDD00)))
"""What Python takes bytes for that are no UTF-8."""
_LONGEST = 16_663
"""What Google reads of a line: eight times the longest URL that browsers once knew."""
_FURTHER_LINE_ENDS = re.compile("[\v\f\x1c-\x1e\x85\u2028\u2029]")
"""What Python, and so Protego, takes for the end of a line too."""


@dataclass(frozen=True, slots=True)
class Record:
    """A line that says something: one of the fields above, and its value."""

    field: str
    value: str

    def __str__(self) -> str:
        """The record as everybody reads it alike."""
        return f"{self.field}: {_FURTHER_LINE_ENDS.sub(_escaped, exact(self.value))}"


def lines_of(text: str) -> list[str]:
    """The lines of robots.txt; of a very long one the beginning."""
    return [line[:_LONGEST] for line in _NEWLINE.split(text)]


def record_of(line: str) -> Record | None:
    """What a line says; None if that is nothing, or nothing we know.

    >>> record_of("Disalow /private  # a frequent typo, and no colon")
    Record(field='disallow', value='/private')
    >>> record_of("Host: example.com")
    """
    said = line.partition("#")[0].strip()
    name, colon, value = said.partition(":")
    if colon and (field := _field(name)):
        return Record(field, value.strip())
    # Without a colon it is a record if nothing else stands there: prose begins like that too.
    *name_words, last = said.split() or [""]
    field = _FIELDS.get(" ".join(name_words).lower(), "")
    return Record(field, last) if field else None


def _field(name: str) -> str:
    """The field that stands before a colon, whatever its letters go on with; "" if it is none."""
    name = name.strip().lower()
    for spelling, field in _FIELDS.items():
        if name.startswith(spelling) and not re.search(r"\s", name[len(spelling) :]):
            return field
    return ""


def exact(address: str) -> str:
    """`address` with escapes that are no UTF-8 kept apart: Protego takes all for one character.

    Sites older than UTF-8 have them.

    >>> exact("/caf%E9/%C3%A9")
    '/caf%25E9/%C3%A9'
    """
    return _ESCAPES.sub(_kept_apart, address) if "%" in address else address


def _kept_apart(escapes: re.Match[str]) -> str:
    text = unquote_to_bytes(escapes[0]).decode(errors="surrogateescape")
    return "".join(
        f"%25{ord(each) & 0xFF:02X}" if each in _NO_UTF_8 else quote(each) for each in text
    )


def _escaped(character: re.Match[str]) -> str:
    return quote(character[0])
