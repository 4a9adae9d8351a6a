"""Encodes URL queries of links in documents that are not in UTF-8.

The URL Standard (§1.3, "percent-encode after encoding", and §4.4, query state) has the query of
a link, and nothing else of it, percent-encoded in the encoding of its document: `?q=ü` in a page
in windows-1252 asks for `?q=%FC`. What that encoding lacks becomes `%26%23NNNN%3B`, that is
`&#NNNN;`.
"""

import re
import unicodedata
from collections.abc import Callable
from functools import lru_cache, partial
from typing import Final, TypeAlias

from gossamer.model.lazy_pattern import lazy_pattern

Encoder: TypeAlias = Callable[[str], bytes | None]

_C1: Final = range(0x80, 0xA0)

_GB18030: Final[dict[str, int | None]] = {
    "\ue5e5": None,
    "\ue7c7": 0x8135F437,
    "\u1e3f": 0xA8BC,
    "\ufe10": 0xA6D9,
    "\ufe12": 0xA6DA,
    "\ufe11": 0xA6DB,
    "\ufe13": 0xA6DC,
    "\ufe14": 0xA6DD,
    "\ufe15": 0xA6DE,
    "\ufe16": 0xA6DF,
    "\ufe17": 0xA6EC,
    "\ufe18": 0xA6ED,
    "\ufe19": 0xA6F3,
    "\u9fb4": 0xFE59,
    "\u9fb5": 0xFE61,
    "\u9fb6": 0xFE66,
    "\u9fb7": 0xFE67,
    "\u9fb8": 0xFE6D,
    "\u9fb9": 0xFE7E,
    "\u9fba": 0xFE90,
    "\u9fbb": 0xFEA0,
}
"""What the editions of 2005 and 2022 changed, and one character that no bytes stand for."""
_CORRECTIONS: Final[dict[str, dict[str, int | None]]] = {
    "koi8-u": {"\u040e": 0xBE, "\u045e": 0xAE, "\u255d": None, "\u256c": None},
    "windows-1255": {"\u05ba": 0xCA},
}
"""Belarusian letters where Python's codec has lines, and a vowel point of Hebrew."""

_BIG5: Final = {
    **{chr(0x2400 + number): 0xA3C0 + number for number in range(32)},
    "\u2421": 0xA3E0,
    "\u4edd": 0xC6DF,
    "\u5ef4": 0xC6CF,
    "\u65e0": 0xC6D3,
    "\u7676": 0xC6D5,
    "\u96b6": 0xC6D7,
    "\u5605": 0xFB48,
    "\u5ed0": 0xFBF9,
    "\u60a4": 0xFC6C,
    "\u732a": 0xFE52,
}
"""Control pictures and characters that Python's codecs have in other places or not at all."""
_BIG5_SYMBOLS: Final = range(0xA1, 0xA4)
"""Lead bytes of symbols, which are those of Microsoft's code page 950."""
_TWICE_IN_BIG5: Final = frozenset("\u2550\u255e\u2561\u256a")
"""Symbols of which the second place counts, among the additions of ETEN."""
_HONG_KONG_UP_TO: Final = 0xA1

_JIS_ROWS: Final = 94
"""Rows of JIS X 0208, and cells of a row."""
_LIKE_JIS: Final = {"\xa5": 0x5C, "\u203e": 0x7E, "\u2212": 0x817C}
"""Yen, overline and minus."""
_KANA: Final = range(0xA1, 0xE0)
"""Half-width, in one byte."""
_NEC_SELECTION: Final = frozenset({0xED, 0xEE})
_IBM_ROWS: Final = range(0xFA, 0xFD)
"""Lead bytes of IBM's additions; NEC had a selection of them in other rows."""
_PRIVATE_USE: Final = range(0xF0, 0xFA)


@lru_cache(maxsize=64)
def encoder(name: str, codec: str) -> Encoder:
    """That of an encoding: its name in lower case, Python's nearest codec."""
    own: dict[str, Encoder] = {
        "big5": _big5,
        "gb18030": _gb18030,
        "gbk": _gbk,
        "shift_jis": _shift_jis,
        "euc-jp": euc_jp,
    }
    usual = partial(_windows if name.startswith("windows-") else _encoded, codec)
    corrections = _CORRECTIONS.get(name)
    return own.get(name) or (partial(_corrected, corrections, usual) if corrections else usual)


def _encoded(codec: str, character: str) -> bytes | None:
    try:
        return character.encode(codec)
    except UnicodeEncodeError:
        return None


def _exactly(codec: str, character: str) -> bytes | None:
    """Python's codecs take some characters for others, such as a wave dash for a tilde."""
    data = _encoded(codec, character)
    return data if data is not None and data.decode(codec) == character else None


def _bytes(code: int) -> bytes:
    return code.to_bytes((code.bit_length() + 7) // 8, "big")


def _corrected(known: dict[str, int | None], usual: Encoder, character: str) -> bytes | None:
    if character in known:
        code = known[character]
        return None if code is None else _bytes(code)
    return usual(character)


def _windows(codec: str, character: str) -> bytes | None:
    """What Microsoft left undefined are control characters (§9)."""
    data = _encoded(codec, character)
    if data is None and ord(character) in _C1:
        byte = bytes((ord(character),))
        return byte if byte.decode(codec, "ignore") == "" else None
    return data


def _gb18030(character: str) -> bytes | None:
    """All of Unicode but for one character of private use (§10.2.2)."""
    return _corrected(_GB18030, partial(_encoded, "gb18030"), character)


def _gbk(character: str) -> bytes | None:
    """Those of gb18030 that take two bytes, and the euro sign in one (§10.2.2)."""
    if character == "€":
        return b"\x80"
    data = _gb18030(character)
    return data if data and len(data) <= 2 else None  # noqa: PLR2004 - one byte or two


def _big5(character: str) -> bytes | None:
    """Big5 without the Hong Kong extensions, which are only decoded (§12.1.2)."""
    if character in _BIG5:
        return _bytes(_BIG5[character])
    symbol = None if character in _TWICE_IN_BIG5 else _exactly("cp950", character)
    if symbol is not None and symbol[0] in _BIG5_SYMBOLS:
        return symbol
    data = _exactly("big5hkscs", character)
    if data is None or data[0] < _HONG_KONG_UP_TO or data[0] in _BIG5_SYMBOLS:
        return None
    return data


@lru_cache(maxsize=1)
def _ibm_additions() -> dict[str, bytes]:
    """IBM's additions in their own rows, the first place of each."""
    trails = (*range(0x40, 0x7F), *range(0x80, 0xFD))
    places = [bytes((lead, trail)) for lead in _IBM_ROWS for trail in trails]
    return {place.decode("cp932", "replace"): place for place in reversed(places)}


def _shift_jis(character: str) -> bytes | None:
    """Microsoft's code page 932, and what looks like one of its characters (§12.3.2)."""
    if character in _LIKE_JIS:
        return _bytes(_LIKE_JIS[character])
    data = _exactly("cp932", character)
    if data is None or _is_no_shift_jis(data):
        return None
    return _ibm_additions()[character] if data[0] in _NEC_SELECTION else data


def _is_no_shift_jis(data: bytes) -> bool:
    """Whether only Microsoft's code page has these bytes."""
    is_single = len(data) == 1
    if is_single:
        return data[0] > 0x80 and data[0] not in _KANA  # noqa: PLR2004 - which the standard has
    return data[0] in _PRIVATE_USE


def euc_jp(character: str) -> bytes | None:
    """JIS X 0208 with NEC's and IBM's additions, and half-width kana (§12.1.2)."""
    if character in _LIKE_JIS:
        data: bytes | None = _bytes(_LIKE_JIS[character])
    else:
        data = _exactly("cp932", character)
    if data is None or data.isascii():
        return data
    if len(data) == 1:
        return b"\x8e" + data if data[0] in _KANA else None
    lead, trail = data
    # Row and cell of the table that both encodings are made from.
    row_pair = lead - (0x81 if lead < 0xA0 else 0xC1)  # noqa: PLR2004 - half-width kana between
    cell = trail - (0x40 if trail < 0x7F else 0x41)  # noqa: PLR2004 - 0x7F is left out
    row, column = row_pair * 2 + cell // _JIS_ROWS, cell % _JIS_ROWS
    return bytes((row + 0xA1, column + 0xA1)) if row < _JIS_ROWS else None


_BEYOND_ASCII = lazy_pattern("[^\x00-\x7f]+")
_SURROGATE = lazy_pattern("[\ud800-\udfff]")
_SCHEME = lazy_pattern(r"[\x00-\x20]*([a-z][a-z0-9+.\-\t\n\r]*):", re.IGNORECASE)
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
