"""Prepares the source of a page for reading, and locates links in it."""

import html
import re
from collections.abc import Iterator
from typing import Final

from gossamer.extract.charset_detection import decoded, sniff
from gossamer.urls.url_parsing import join, without_fragment

LONGEST_LINE: Final = 2_000
"""Longer lines are broken: a view that lays out a megabyte in one line freezes for seconds."""
MAX_SPANS: Final = 500

_MISLEADING = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff"
    "\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]"
)
_VALUE = r"\s*=\s*(?:\"(?P<double>[^\"]*)\"|'(?P<single>[^']*)'|(?P<bare>[^\s\"'<>`=]+))"
_LINK = re.compile(
    rf"\b(?:href|src|srcset|action|formaction|data|poster|cite|content|background|longdesc){_VALUE}",
    re.IGNORECASE,
)
_BASE = re.compile(rf"<base\b[^<>]*?\bhref{_VALUE}", re.IGNORECASE)
_REFRESH = re.compile(r"^\s*[\d.]+\s*[;,]?\s*(?:url\s*=\s*)?['\"]?", re.IGNORECASE)


def readable(body: bytes, charset: str | None) -> tuple[str, str]:
    """The text of a body and the name of its encoding; `charset` is that of Content-Type.

    Lines end with a line feed and have at most LONGEST_LINE characters; characters that mislead the
    eye become U+FFFD.
    """
    encoding, mark = sniff(body, charset)
    text = decoded(body[mark:], encoding).replace("\r\n", "\n").replace("\r", "\n")
    text = _MISLEADING.sub("\ufffd", text)
    lines = [piece for line in text.split("\n") for piece in _pieces(line)]
    return "\n".join(lines), encoding.name


def span_of_line(text: str, line: int) -> tuple[int, int] | None:
    """The span of a line of the page, from 1, in its readable text: start and end.

    None beyond the end of the text. A line of exactly LONGEST_LINE characters is taken for a part.
    """
    at, number, start, end = 0, 1, -1, -1
    for piece in text.split("\n"):
        if number > line:
            break
        if number == line:
            start, end = at if start < 0 else start, at + len(piece)
        at += len(piece) + 1
        number += len(piece) < LONGEST_LINE
    return None if start < 0 else (start, end)


def spans_of(text: str, url: str, target: str) -> list[tuple[int, int]]:
    """Where the source of `url` names `target`: the attribute values, start and end."""
    found = _BASE.search(text)
    base = (join(url, html.unescape(_value(found)[0])) if found else None) or url
    wanted = without_fragment(target)
    spans = []
    for link in _LINK.finditer(text):
        value, start = _value(link)
        for candidate in _candidates(html.unescape(value)):
            joined = join(base, candidate)
            if joined is not None and without_fragment(joined) == wanted:
                spans.append((start, start + len(value)))
                break
        if len(spans) >= MAX_SPANS:
            break
    return spans


def _candidates(value: str) -> Iterator[str]:
    """What may be a URL in a value: all of it, that of a refresh, each of a srcset."""
    yield value
    if refresh := _REFRESH.match(value):
        yield value[refresh.end() :].rstrip("'\" ")
    if "," in value or " " in value.strip():
        yield from (part.split()[0] for part in value.split(",") if part.strip())


def _value(found: re.Match[str]) -> tuple[str, int]:
    name = next(name for name in ("double", "single", "bare") if found[name] is not None)
    return found[name], found.start(name)


def _pieces(line: str) -> Iterator[str]:
    """A line in pieces that are short enough, cut after a tag if there is one."""
    while len(line) > LONGEST_LINE:
        cut = line.rfind(">", 0, LONGEST_LINE) + 1 or LONGEST_LINE
        yield line[:cut]
        line = line[cut:]
    yield line
