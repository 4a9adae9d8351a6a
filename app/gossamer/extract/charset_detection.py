"""Detects the character encoding of a page from what it declares and from its bytes.

The order is the HTML Standard's "encoding sniffing algorithm" (§13.2.3.2): byte-order mark,
Content-Type header, in the first 1024 bytes `<meta>`, then the XML declaration. After it the
standard leaves a choice; here: UTF-8 if the bytes are valid UTF-8 (most undeclared pages are), a
`<meta>` further down, statistics over a sample, windows-1252.
"""

import re

from msgspec import Struct

from gossamer.model.lazy_pattern import lazy_pattern

_ASCII_SPACE = " \t\n\f\r"


class Encoding(Struct, frozen=True):
    """An encoding of the standard: its name in lower case, and the closest Python codec."""

    name: str
    codec: str

    @property
    def is_for_queries(self) -> bool:
        """Whether links in such a document have their queries in it, not in UTF-8 (§4.3)."""
        return self.name not in {"utf-8", "utf-16be", "utf-16le", "replacement"}


# name, Python's codec, other labels
_TABLE = """
utf-8          utf-8          unicode-1-1-utf-8 unicode11utf8 unicode20utf8 utf8 x-unicode20utf8
ibm866         cp866          866 cp866 csibm866
iso-8859-2     iso8859-2      csisolatin2 iso-ir-101 iso8859-2 iso88592 iso_8859-2 iso_8859-2:1987
iso-8859-2     iso8859-2      l2 latin2
iso-8859-3     iso8859-3      csisolatin3 iso-ir-109 iso8859-3 iso88593 iso_8859-3 iso_8859-3:1988
iso-8859-3     iso8859-3      l3 latin3
iso-8859-4     iso8859-4      csisolatin4 iso-ir-110 iso8859-4 iso88594 iso_8859-4 iso_8859-4:1988
iso-8859-4     iso8859-4      l4 latin4
iso-8859-5     iso8859-5      csisolatincyrillic cyrillic iso-ir-144 iso8859-5 iso88595 iso_8859-5
iso-8859-5     iso8859-5      iso_8859-5:1988
iso-8859-6     iso8859-6      arabic asmo-708 csiso88596e csiso88596i csisolatinarabic ecma-114
iso-8859-6     iso8859-6      iso-8859-6-e iso-8859-6-i iso-ir-127 iso8859-6 iso88596 iso_8859-6
iso-8859-6     iso8859-6      iso_8859-6:1987
iso-8859-7     iso8859-7      csisolatingreek ecma-118 elot_928 greek greek8 iso-ir-126 iso8859-7
iso-8859-7     iso8859-7      iso88597 iso_8859-7 iso_8859-7:1987 sun_eu_greek
iso-8859-8     iso8859-8      csiso88598e csisolatinhebrew hebrew iso-8859-8-e iso-ir-138
iso-8859-8     iso8859-8      iso8859-8 iso88598 iso_8859-8 iso_8859-8:1988 visual
iso-8859-8-i   iso8859-8      csiso88598i logical
iso-8859-10    iso8859-10     csisolatin6 iso-ir-157 iso8859-10 iso885910 l6 latin6
iso-8859-13    iso8859-13     iso8859-13 iso885913
iso-8859-14    iso8859-14     iso8859-14 iso885914
iso-8859-15    iso8859-15     csisolatin9 iso8859-15 iso885915 iso_8859-15 l9
iso-8859-16    iso8859-16
koi8-r         koi8-r         cskoi8r koi koi8 koi8_r
koi8-u         koi8-u         koi8-ru
macintosh      mac-roman      csmacintosh mac x-mac-roman
windows-874    cp874          dos-874 iso-8859-11 iso8859-11 iso885911 tis-620
windows-1250   cp1250         cp1250 x-cp1250
windows-1251   cp1251         cp1251 x-cp1251
windows-1252   cp1252         ansi_x3.4-1968 ascii cp1252 cp819 csisolatin1 ibm819 iso-8859-1
windows-1252   cp1252         iso-ir-100 iso8859-1 iso88591 iso_8859-1 iso_8859-1:1987 l1 latin1
windows-1252   cp1252         us-ascii x-cp1252
windows-1253   cp1253         cp1253 x-cp1253
windows-1254   cp1254         cp1254 csisolatin5 iso-8859-9 iso-ir-148 iso8859-9 iso88599 iso_8859-9
windows-1254   cp1254         iso_8859-9:1989 l5 latin5 x-cp1254
windows-1255   cp1255         cp1255 x-cp1255
windows-1256   cp1256         cp1256 x-cp1256
windows-1257   cp1257         cp1257 x-cp1257
windows-1258   cp1258         cp1258 x-cp1258
x-mac-cyrillic mac-cyrillic   x-mac-ukrainian
gbk            gb18030        chinese csgb2312 csiso58gb231280 gb2312 gb_2312 gb_2312-80 iso-ir-58
gbk            gb18030        x-gbk
gb18030        gb18030
big5           big5hkscs      big5-hkscs cn-big5 csbig5 x-x-big5
euc-jp         euc-jp         cseucpkdfmtjapanese x-euc-jp
iso-2022-jp    iso2022-jp-ext csiso2022jp
shift_jis      cp932          csshiftjis ms932 ms_kanji shift-jis sjis windows-31j x-sjis
euc-kr         cp949          cseuckr csksc56011987 iso-ir-149 korean ks_c_5601-1987 ks_c_5601-1989
euc-kr         cp949          ksc5601 ksc_5601 windows-949
replacement    replacement    csiso2022kr hz-gb-2312 iso-2022-cn iso-2022-cn-ext iso-2022-kr
utf-16be       utf-16-be      unicodefffe
utf-16le       utf-16-le      csunicode iso-10646-ucs-2 ucs-2 unicode unicodefeff utf-16
x-user-defined cp1252
"""


def _read(table: str) -> dict[str, Encoding]:
    by_label: dict[str, Encoding] = {}
    for line in table.strip().splitlines():
        name, codec, *labels = line.split()
        encoding = by_label.setdefault(name, Encoding(name, codec))
        by_label.update(dict.fromkeys(labels, encoding))
    return by_label


_BY_LABEL = _read(_TABLE)
LABELS = frozenset(_BY_LABEL)

UTF_8 = _BY_LABEL["utf-8"]
UTF_16BE = _BY_LABEL["utf-16be"]
UTF_16LE = _BY_LABEL["utf-16le"]
WINDOWS_1252 = _BY_LABEL["windows-1252"]
X_USER_DEFINED = _BY_LABEL["x-user-defined"]
REPLACEMENT = _BY_LABEL["replacement"]


def encoding_for(label: str) -> Encoding | None:
    """The encoding named `label`, in any case and with surrounding white space; None if unknown."""
    return _BY_LABEL.get(label.strip(_ASCII_SPACE).lower())


PRESCAN_BYTES = 1024
LATE_PRESCAN_BYTES = 65_536
SAMPLE_BYTES = 4096
"""Of text beyond ASCII that statistics consider; they take about a millisecond per kilobyte."""

_MARKS = ((b"\xef\xbb\xbf", UTF_8), (b"\xfe\xff", UTF_16BE), (b"\xff\xfe", UTF_16LE))

_SPACE = rb"[\t\n\f\r ]*"
_META = lazy_pattern(rb"<meta(?=[\t\n\f\r /])", re.IGNORECASE)
_ATTRIBUTE = lazy_pattern(
    rb"[\t\n\f\r /]*([^\t\n\f\r />][^\t\n\f\r />=]*)"
    rb"(?:"
    + _SPACE
    + rb"="
    + _SPACE
    + rb"(?:\"([^\"]*)\"|'([^']*)'|([^\t\n\f\r >\"'][^\t\n\f\r >]*))?)?"
)
_TAG = lazy_pattern(rb"</?[a-z][^\t\n\f\r />]*(?>(?:" + _ATTRIBUTE.pattern + rb")*)", re.IGNORECASE)
"""A tag with its attributes, as `_attributes` reads them."""
_USUAL_META = lazy_pattern(
    rb"<meta (?:charset=\"?([\w-]+)\"?"
    rb"|http-equiv=\"content-type\" content=\"text/html; ?charset=([\w-]+)\") ?/?>",
    re.IGNORECASE,
)
_USUAL_HEAD = lazy_pattern(
    rb"(?:[^<]++|<!(?!--)[^<]*+|</?[a-zA-Z][a-zA-Z0-9]*+"
    rb"(?:[\t\n\r ]++[\w:-]++(?:=(?:\"[^\"<>]*+\"|'[^'<>]*+'|[\w./:-]++)|)?+|)*+ ?/?>|)*+"
)
"""Tags that certainly end before the next one begins."""
_CONTENT_CHARSET = lazy_pattern(
    rb"charset" + _SPACE + rb"=" + _SPACE + rb"(?:\"([^\"]*)\"|'([^']*)'|([^\t\n\f\r ;\"']+))",
    re.IGNORECASE,
)
_XML_DECLARATION = lazy_pattern(
    rb"<\?xml(?:(?!encoding)[^>]|)*+encoding[\x00-\x20]*+=[\x00-\x20]*+"
    rb"([\"'])([^\x00-\x20>]+?)\1[^>]*+>"
)
_MARKUP = lazy_pattern(rb"<[^<>]*>|[\x00-\x7f]{40,}")

_CANDIDATES = {
    encoding.codec: encoding
    for label in (
        "windows-1251",
        "windows-1252",
        "windows-1253",
        "windows-1255",
        "windows-1256",
        "windows-874",
        "koi8-r",
        "shift_jis",
        "euc-jp",
        "gb18030",
        "big5",
        "euc-kr",
    )
    if (encoding := encoding_for(label))
}
"""The possible encodings of a page that declares nothing. Of those for Latin letters only the most
frequent: on short texts, statistics cannot distinguish them."""


def sniff(body: bytes, header_label: str | None) -> tuple[Encoding, int]:
    """The encoding of `body`, and the length of the byte-order mark to skip.

    `header_label` is the charset of the Content-Type header, if it has one; labels unknown to
    the standard count as absent.
    """
    for mark, encoding in _MARKS:
        if body.startswith(mark):
            return encoding, len(mark)
    declared = encoding_for(header_label) if header_label else None
    return declared or prescan(body[:PRESCAN_BYTES]) or _guess(body), 0


def decoded(body: bytes, encoding: Encoding) -> str:
    """`body` as text. Bytes invalid in that encoding become U+FFFD; never raises."""
    if encoding is REPLACEMENT:
        return "\ufffd" if body else ""
    return body.decode(encoding.codec, "replace")


def is_utf_8(body: bytes) -> bool:
    """Whether the bytes are valid UTF-8."""
    try:
        body.decode()
    except UnicodeDecodeError:
        return False
    return True


def _guess(body: bytes) -> Encoding:
    """The encoding of a page whose head does not declare any."""
    if is_utf_8(body):
        return UTF_8
    return prescan(body[:LATE_PRESCAN_BYTES]) or _likeliest(body) or WINDOWS_1252


def _likeliest(body: bytes) -> Encoding | None:
    """The encoding found by statistics of the text beyond ASCII near the start of `body`."""
    from charset_normalizer import from_bytes  # noqa: PLC0415 - few pages need it, all workers wait

    sample = _MARKUP.sub(b" ", body[: LATE_PRESCAN_BYTES * 4])[:SAMPLE_BYTES]
    best = from_bytes(sample, cp_isolation=list(_CANDIDATES), preemptive_behaviour=False).best()
    return _CANDIDATES.get(best.encoding.replace("_", "-")) if best else None


# ---------------------------------------------------------------- <meta> and <?xml


def prescan(head: bytes) -> Encoding | None:
    """The encoding that a `<meta>` in `head` declares, else that of its XML declaration.

    See §13.2.3.2, "prescan a byte stream" and "get an XML encoding".
    """
    label = _usual_label(head)
    if label and (encoding := _encoding_declared(label)):
        return encoding
    if encoding := _scanned(head):
        return encoding
    xml = _XML_DECLARATION.match(head)
    return _encoding_declared(xml[2]) if xml else None


def _scanned(head: bytes) -> Encoding | None:
    if b"charset" not in head.lower():
        return None
    position = 0
    while (position := head.find(b"<", position)) >= 0:
        if head.startswith(b"<!--", position):
            end = head.find(b"-->", position + 2)  # "<!-->" is a whole comment
            if end < 0:
                return None
            position = end + 3
        elif meta := _META.match(head, position):
            attributes, position = _attributes(head, meta.end())
            if encoding := _declared(attributes):
                return encoding
        elif tag := _TAG.match(head, position):
            position = tag.end()
        else:
            position += 1
    return None


def _usual_label(head: bytes) -> bytes | None:
    """What the first `<meta>` with a charset says, if it and all before it are written as usual.

    Scanning a head takes three times as long.
    """
    meta = head.rfind(b"<", 0, max(head.find(b"charset"), 0))
    found = _USUAL_META.match(head, meta) if meta >= 0 else None
    if (
        found is None
        or b"charset" in head[:meta].lower()
        or not _USUAL_HEAD.fullmatch(head, 0, meta)
    ):
        return None
    return found[1] or found[2]


def _attributes(head: bytes, position: int) -> tuple[dict[bytes, bytes], int]:
    """The attributes of the tag that continues at `position`, the first of each, and its end."""
    attributes: dict[bytes, bytes] = {}
    while found := _ATTRIBUTE.match(head, position):
        name, *values = found.groups(b"")
        attributes.setdefault(name.lower(), b"".join(values))
        position = found.end()
    return attributes, position


def _declared(attributes: dict[bytes, bytes]) -> Encoding | None:
    """The encoding that a `<meta>` with these attributes declares."""
    label = attributes.get(b"charset")
    if label is None and attributes.get(b"http-equiv", b"").lower() == b"content-type":
        found = _CONTENT_CHARSET.search(attributes.get(b"content", b""))
        label = b"".join(found.groups(b"")) if found else None
    return _encoding_declared(label) if label else None


def _encoding_declared(label: bytes) -> Encoding | None:
    encoding = encoding_for(label.decode("latin-1"))
    if encoding in {UTF_16BE, UTF_16LE}:  # what could be read as ASCII is not UTF-16
        return UTF_8
    return WINDOWS_1252 if encoding is X_USER_DEFINED else encoding
