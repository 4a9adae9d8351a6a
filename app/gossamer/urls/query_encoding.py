"""Queries of links in documents that are not in UTF-8.

The URL Standard (§1.3, "percent-encode after encoding", and §4.4, query state) has the query of
a link, and nothing else of it, percent-encoded in the encoding of its document: `?q=ü` in a page
in windows-1252 asks for `?q=%FC`. What that encoding lacks becomes `%26%23NNNN%3B`, that is
`&#NNNN;`.

Encoders are those of the Encoding Standard; where Python's differ, that is mended here.
"""

import re
import unicodedata
from collections.abc import Callable
from functools import lru_cache

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

_JIS_ROWS = 94
"""Rows of JIS X 0208, and cells of a row."""

Encoder = Callable[[str], bytes | None]
"""The bytes of one character, None where the encoding lacks it."""


class QueryEncoding:
    """How queries are encoded in documents of one encoding.

    `name` is the Encoding Standard's name of it in lower case, `codec` Python's nearest codec.
    """

    def __init__(self, name: str, codec: str) -> None:
        self._is_iso_2022_jp = name == "iso-2022-jp"
        self._encoder = _encoder(name, codec)

    def __call__(self, href: str) -> str:
        """`href` with what is not ASCII in its query percent-encoded, if it is a web address."""
        if href.isascii():
            return href
        address, hash_sign, fragment = href.partition("#")
        before, question_mark, query = address.partition("?")
        if query.isascii() or not _is_special(before):
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


# ---------------------------------------------------------------- encoders


@lru_cache(maxsize=64)
def _encoder(name: str, codec: str) -> Encoder:
    own: dict[str, Encoder] = {
        "big5": _big5,
        "gb18030": _gb18030,
        "gbk": _gbk,
        "shift_jis": _shift_jis,
        "euc-jp": _euc_jp,
    }
    return own.get(name) or (lambda character: _encoded(character, codec))


def _encoded(character: str, codec: str) -> bytes | None:
    try:
        return character.encode(codec)
    except UnicodeEncodeError:
        return None


def _big5(character: str) -> bytes | None:
    """Big5 without the Hong Kong extensions, which are only decoded (§12.1.2 of the standard)."""
    data = _encoded(character, "big5hkscs")
    return data if data and data[0] >= 0xA1 else None  # noqa: PLR2004 - where they end


def _gb18030(character: str) -> bytes | None:
    """All of Unicode but for one character of private use, which no bytes stand for (§10.2.2)."""
    return None if character == "\ue5e5" else _encoded(character, "gb18030")


def _gbk(character: str) -> bytes | None:
    """Those of gb18030 that take two bytes, and the euro sign in one (§10.2.2)."""
    if character == "€":
        return b"\x80"
    data = _gb18030(character)
    return data if data and len(data) <= 2 else None  # noqa: PLR2004 - one byte or two


def _shift_jis(character: str) -> bytes | None:
    """Microsoft's code page 932, and what looks like one of its characters (§12.3.2)."""
    same = {"\xa5": b"\\", "\u203e": b"~", "\u2212": b"\x81\x7c"}  # yen, overline, minus
    data = same.get(character) or _encoded(character, "cp932")
    # Python's codec takes some characters for others, such as a wave dash for a tilde.
    is_itself = data is not None and (character in same or data.decode("cp932") == character)
    return data if is_itself else None


def _euc_jp(character: str) -> bytes | None:
    """JIS X 0208 with NEC's and IBM's additions, and half-width kana (§12.1.2)."""
    data = _shift_jis(character)
    if data is None or data.isascii():
        return data
    if len(data) == 1:
        return b"\x8e" + data if data[0] > 0xA0 else None  # noqa: PLR2004 - half-width kana
    lead, trail = data
    # Row and cell of the table that both encodings are made from.
    row_pair = lead - (0x81 if lead < 0xA0 else 0xC1)  # noqa: PLR2004 - half-width kana between
    cell = trail - (0x40 if trail < 0x7F else 0x41)  # noqa: PLR2004 - 0x7F is left out
    row, column = row_pair * 2 + cell // _JIS_ROWS, cell % _JIS_ROWS
    return bytes((row + 0xA1, column + 0xA1)) if row < _JIS_ROWS else None


def _wide(character: str) -> str:
    """A half-width kana as one of usual width: ISO-2022-JP has no others."""
    is_half = ord(character) in _HALF_WIDTH_KANA
    return unicodedata.normalize("NFKC", character) if is_half else character


def _jis(character: str) -> bytes | None:
    """The two bytes of JIS X 0208 between the escapes of ISO-2022-JP (§12.2.2)."""
    data = _euc_jp(character)
    if data is None or len(data) != 2 or data[0] < 0xA1:  # noqa: PLR2004 - no half-width kana
        return None
    return bytes(byte & 0x7F for byte in data)
