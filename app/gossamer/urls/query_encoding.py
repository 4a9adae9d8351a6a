"""Queries of links in documents that are not in UTF-8.

The URL Standard (§1.3, "percent-encode after encoding", and §4.4, query state) has the query of
a link, and nothing else of it, percent-encoded in the encoding of its document: `?q=ü` in a page
in windows-1252 asks for `?q=%FC`. What that encoding lacks becomes `%26%23NNNN%3B`, that is
`&#NNNN;`.

Encoders are those of the Encoding Standard; where Python's differ, that is mended here.
"""

import re
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
_TO_JIS = b"\x1b$B"
_TO_ASCII = b"\x1b(B"
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
        query = _BEYOND_ASCII.sub(self._quoted, query)
        return f"{before}{question_mark}{query}{hash_sign}{fragment}"

    def _quoted(self, found: re.Match[str]) -> str:
        quoted: list[str] = []
        data = b""
        # A lone surrogate counts as U+FFFD, as it does in a browser.
        for character in _SURROGATE.sub("\ufffd", found[0]):
            encoded = self._encoder(character)
            if encoded is None:
                quoted += (self._percent(data), f"%26%23{ord(character)}%3B")
                data = b""
            else:
                data += encoded
        return "".join((*quoted, self._percent(data)))

    def _percent(self, data: bytes) -> str:
        if data and self._is_iso_2022_jp:
            data = _TO_JIS + data + _TO_ASCII
        return "".join([_QUOTED[byte] for byte in data])


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
        "gbk": _gbk,
        "shift_jis": _shift_jis,
        "euc-jp": _euc_jp,
        "iso-2022-jp": _jis,
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


def _gbk(character: str) -> bytes | None:
    """Those of gb18030 that take two bytes, and the euro sign in one (§10.2.2)."""
    if character == "€":
        return b"\x80"
    data = _encoded(character, "gb18030")
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


def _jis(character: str) -> bytes | None:
    """The two bytes of JIS X 0208 between the escapes of ISO-2022-JP (§12.2.2)."""
    data = _euc_jp(character)
    if data is None or len(data) != 2 or data[0] < 0xA1:  # noqa: PLR2004 - no half-width kana
        return None
    return bytes(byte & 0x7F for byte in data)
