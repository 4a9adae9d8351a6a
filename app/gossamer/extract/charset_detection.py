"""Which encoding a page is in: what it says, and what it looks like where it says nothing.

The order is the HTML Standard's "encoding sniffing algorithm" (§13.2.3.2): byte-order mark,
Content-Type header, `<meta>` in the first 1024 bytes. After it the standard leaves a choice;
here: UTF-8 if the bytes are valid UTF-8 (most undeclared pages are), a `<meta>` further down,
statistics over a sample, windows-1252.
"""

import re

from gossamer.extract.encoding_labels import (
    REPLACEMENT,
    UTF_8,
    UTF_16BE,
    UTF_16LE,
    WINDOWS_1252,
    X_USER_DEFINED,
    Encoding,
    encoding_for,
)

PRESCAN_BYTES = 1024
LATE_PRESCAN_BYTES = 65_536
SAMPLE_BYTES = 4096
"""Of text beyond ASCII that statistics look at; they take about a millisecond per kilobyte."""

_MARKS = ((b"\xef\xbb\xbf", UTF_8), (b"\xfe\xff", UTF_16BE), (b"\xff\xfe", UTF_16LE))

_SPACE = rb"[\t\n\f\r ]*"
_META = re.compile(rb"<meta(?=[\t\n\f\r /])", re.IGNORECASE)
_ATTRIBUTE = re.compile(
    rb"[\t\n\f\r /]*([^\t\n\f\r />][^\t\n\f\r />=]*)"
    rb"(?:"
    + _SPACE
    + rb"="
    + _SPACE
    + rb"(?:\"([^\"]*)\"|'([^']*)'|([^\t\n\f\r >\"'][^\t\n\f\r >]*))?)?"
)
_TAG = re.compile(rb"</?[a-z][^\t\n\f\r />]*(?>" + _ATTRIBUTE.pattern + rb")*+", re.IGNORECASE)
"""A tag with its attributes, as `_attributes` reads them."""
_CONTENT_CHARSET = re.compile(
    rb"charset" + _SPACE + rb"=" + _SPACE + rb"(?:\"([^\"]*)\"|'([^']*)'|([^\t\n\f\r ;\"']+))",
    re.IGNORECASE,
)
_MARKUP = re.compile(rb"<[^<>]*>|[\x00-\x7f]{40,}")

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
"""What a page that declares nothing may be in. Of the encodings of Latin letters only the most
frequent: on short texts statistics cannot tell them apart."""


def sniff(body: bytes, header_label: str | None) -> tuple[Encoding, int]:
    """The encoding of `body`, and the length of the byte-order mark to leave out.

    `header_label` is the charset of the Content-Type header, if it has one; labels unknown to
    the standard count as absent.
    """
    for mark, encoding in _MARKS:
        if body.startswith(mark):
            return encoding, len(mark)
    declared = encoding_for(header_label) if header_label else None
    return declared or prescan(body[:PRESCAN_BYTES]) or _guess(body), 0


def decoded(body: bytes, encoding: Encoding) -> str:
    """`body` as text. What is not of that encoding becomes U+FFFD; never raises."""
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
    """What statistics say about the text beyond ASCII near the start of `body`."""
    from charset_normalizer import from_bytes  # noqa: PLC0415 - few pages need it, all workers wait

    sample = _MARKUP.sub(b" ", body[: LATE_PRESCAN_BYTES * 4])[:SAMPLE_BYTES]
    best = from_bytes(sample, cp_isolation=list(_CANDIDATES), preemptive_behaviour=False).best()
    return _CANDIDATES.get(best.encoding.replace("_", "-")) if best else None


# ---------------------------------------------------------------- <meta>


def prescan(head: bytes) -> Encoding | None:
    """The encoding that a `<meta>` in `head` declares (§13.2.3.2, "prescan a byte stream")."""
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


def _attributes(head: bytes, position: int) -> tuple[dict[bytes, bytes], int]:
    """The attributes of the tag that goes on at `position`, the first of each, and its end."""
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
    encoding = encoding_for(label.decode("latin-1")) if label else None
    if encoding in {UTF_16BE, UTF_16LE}:  # what could be read as ASCII is not UTF-16
        return UTF_8
    return WINDOWS_1252 if encoding is X_USER_DEFINED else encoding
