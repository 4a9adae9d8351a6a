"""Queries of links in documents that are not in UTF-8.

The URL Standard (§1.3, "percent-encode after encoding", and §4.4, query state) has the query of
a link, and nothing else of it, percent-encoded in the encoding of its document: `?q=ü` in a page
in windows-1252 asks for `?q=%FC`. What that encoding lacks becomes `%26%23NNNN%3B`, that is
`&#NNNN;`.
"""

import re
import unicodedata

from gossamer.urls.query_codecs import encoder, euc_jp

_BEYOND_ASCII = re.compile("[^\x00-\x7f]+")
_SURROGATE = re.compile("[\ud800-\udfff]")
_SCHEME = re.compile(r"[\x00-\x20]*([a-z][a-z0-9+.\-\t\n\r]*):", re.IGNORECASE)
_TABS_AND_LINE_ENDS = str.maketrans("", "", "\t\n\r")
_WITH_QUERY_ENCODED = frozenset({"http", "https", "ftp", "file"})
_QUERY_SET = frozenset(b"\"#<>'")
"""The special-query percent-encode set, beside controls, space and what is not ASCII."""
_QUOTED = [
    f"%{byte:02X}" if byte <= 0x20 or byte >= 0x7F or byte in _QUERY_SET else chr(byte)  # noqa: PLR2004 - the printable part of ASCII
    for byte in range(256)
]
_TO_JIS = "%1B$B"
_TO_ASCII = "%1B(B"
_TO_ROMAN = "%1B(J"
_ROMAN = {"\xa5": "\\", "\u203e": "~"}
"""Yen and overline, which JIS X 0201 has in the places of these."""
_NOT_ROMAN = frozenset("\\~")
_SHIFTS = frozenset("\x0e\x0f\x1b")
_WIDE_MARKS = {"\uff9e": "\u309b", "\uff9f": "\u309c"}
_HALF_WIDTH_KANA = range(0xFF61, 0xFFA0)


class QueryEncoding:
    """How queries are encoded in documents of one encoding.

    `name` is the Encoding Standard's name of it in lower case, `codec` Python's nearest codec.
    """

    def __init__(self, name: str, codec: str) -> None:
        self._is_iso_2022_jp = name == "iso-2022-jp"
        self._is_plain = _has_no_shifts if self._is_iso_2022_jp else str.isascii
        self._encoder = encoder(name, codec)

    def __call__(self, href: str) -> str:
        """`href` with what is not ASCII in its query percent-encoded, if it is a web address.

        In ISO-2022-JP, with its shifts too, which would have another meaning there.
        """
        if self._is_plain(href):
            return href
        address, hash_sign, fragment = href.partition("#")
        before, question_mark, query = address.partition("?")
        if self._is_plain(query) or not _is_special(before):
            return href
        if self._is_iso_2022_jp:
            query = _in_iso_2022_jp(query)
        else:
            query = _BEYOND_ASCII.sub(self._quoted, query)
        return f"{before}{question_mark}{query}{hash_sign}{fragment}"

    def _quoted(self, found: re.Match[str]) -> str:
        quoted: list[str] = []
        data = b""
        # A lone surrogate counts as U+FFFD, as it does in a browser.
        for character in _SURROGATE.sub("\ufffd", found[0]):
            encoded = self._encoder(character)
            if encoded is None:
                quoted += (_percent(data), _lacking(character))
                data = b""
            else:
                data += encoded
        return "".join((*quoted, _percent(data)))


def _percent(data: bytes) -> str:
    return "".join([_QUOTED[byte] for byte in data])


def _lacking(character: str) -> str:
    return f"%26%23{ord(character)}%3B"


def _in_iso_2022_jp(query: str) -> str:
    """A query in ISO-2022-JP, whose bytes mean what the last escape sequence says (§12.2.2)."""
    state = _TO_ASCII
    encoded: list[str] = []
    for character in _SURROGATE.sub("\ufffd", query):
        wanted, text = _as_iso_2022_jp(character)
        stays = wanted == state or (
            state == _TO_ROMAN and wanted == _TO_ASCII and character not in _NOT_ROMAN
        )
        if not stays:
            encoded.append(wanted)
            state = wanted
        encoded.append(text)
    return "".join((*encoded, "" if state == _TO_ASCII else _TO_ASCII))


def _as_iso_2022_jp(character: str) -> tuple[str, str]:
    """The escape sequence that a character needs before it, and what stands for it."""
    if character in _ROMAN:
        return _TO_ROMAN, _ROMAN[character]
    if character in _SHIFTS:
        return _TO_ASCII, _lacking("\ufffd")
    if character.isascii():
        return _TO_ASCII, character
    data = _jis(_WIDE_MARKS.get(character) or _wide(character))
    return (_TO_JIS, _percent(data)) if data else (_TO_ASCII, _lacking(character))


def _is_special(before: str) -> bool:
    """Whether a URL that begins like this has its query encoded by its document.

    Those of other schemes, `ws` among them, have it in UTF-8. Without a scheme it is the base's.
    """
    found = _SCHEME.match(before)
    return not found or found[1].translate(_TABS_AND_LINE_ENDS).lower() in _WITH_QUERY_ENCODED


def _has_no_shifts(text: str) -> bool:
    return text.isascii() and _SHIFTS.isdisjoint(text)


def _wide(character: str) -> str:
    """A half-width kana as one of usual width: ISO-2022-JP has no others."""
    is_half = ord(character) in _HALF_WIDTH_KANA
    return unicodedata.normalize("NFKC", character) if is_half else character


def _jis(character: str) -> bytes | None:
    """The two bytes of JIS X 0208 between the escapes of ISO-2022-JP (§12.2.2)."""
    data = euc_jp(character)
    if data is None or len(data) != 2 or data[0] < 0xA1:  # noqa: PLR2004 - no half-width kana
        return None
    return bytes(byte & 0x7F for byte in data)
