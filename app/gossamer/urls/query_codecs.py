"""Encoders as the Encoding Standard has them, made of Python's codecs where these agree with it.

An encoder gives the bytes of one character, None where the encoding lacks it. Sections are those of
the standard.
"""

from collections.abc import Callable
from functools import lru_cache, partial
from typing import Final, TypeAlias

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
