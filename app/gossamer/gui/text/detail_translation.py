"""Words that reach the window from below and stand nowhere as a sentence of ours.

What a project file says in detail about a URL is English text, so that any program can read it;
the window knows it by its shape. The reasons of the operating system are looked up like any other
part of a sentence: they only have to be known to the translators.
"""

import re
from collections.abc import Mapping
from typing import Final

from gossamer.gui.text.sentences import spoken
from gossamer.model.translatable import Sentence, Translatable

_BETWEEN: Final[Sentence] = "{some}; {more}"

DETAILS: Final[tuple[Sentence, ...]] = (
    "exclude pattern {pattern}",
    "asked again with the cookies that a redirect had set",
    "{robots_txt}, line {line}: {rule}",
    "{robots_txt} could not be read: {why}",
    "{robots_txt} answered {status}",
    "after {seconds} s",
    "by {service}",
    "Location: {location}",
    "cut at {size} bytes",
    "the compressed data ended too early",
    "the body is compressed {times} times over",
    "less than {least} bytes a second",
    "no whole answer within {seconds} s",
    "no connection within {seconds} s",
    "it took more than {seconds} s",
    "the deadline passed",
    "while connecting: {why}",
    "the server closed the connection",
    "the connection ended without an answer",
    "the connection ended within the headers",
    "the proxy: {why}",
    "no connection",
    "the page worker ended",
    "the page worker was stuck and had to be ended",
)
"""What the engine and the page workers note in `Visit.detail` in words of their own."""

REASONS: Final[tuple[Sentence, ...]] = (
    "Cannot allocate memory",
    "Device or resource busy",
    "Disk quota exceeded",
    "File exists",
    "File name too long",
    "Input/output error",
    "Invalid argument",
    "Is a directory",
    "No space left on device",
    "No such file or directory",
    "Not a directory",
    "Operation not permitted",
    "Permission denied",
    "Read-only file system",
    "Resource temporarily unavailable",
    "Too many open files",
)
"""What operating systems say most when a file cannot be used."""

_HOLE: Final = re.compile(r"\\\{(\w+)\\\}")
_HOLES: Final[Mapping[str, str]] = {
    "robots_txt": r"\S+/robots\.txt",
    "line": r"\d+",
    "location": ".+",
    "pattern": ".+",
    "rule": ".*",
    "why": ".+",
}
"""What may stand for a value; for any other, what has no semicolon: it would begin another part."""


def _shape(template: Sentence) -> re.Pattern[str]:
    """What `template` looks like with values in it."""
    pattern = _HOLE.sub(
        lambda hole: f"(?P<{hole[1]}>{_HOLES.get(hole[1], '[^;]+')})", re.escape(template)
    )
    return re.compile(pattern, re.DOTALL)


_SHAPES: Final = {template: _shape(template) for template in DETAILS}


def detail_words(detail: str) -> str:
    """The detail of a URL in the language of the window; what is not ours stays as it is."""
    return spoken(_known(detail) or Translatable(detail))


def _known(detail: str) -> Translatable | None:
    """`detail` as a sentence of ours, or as several of which one at least is ours."""
    for template, shape in _SHAPES.items():
        if found := shape.fullmatch(detail):
            values = found.groupdict()
            why = _known(values.get("why", ""))
            return Translatable(template, {**values, "why": why} if why else values)
    first, between, rest = detail.partition("; ")
    some, more = (_known(first), _known(rest)) if between else (None, None)
    if some is None and more is None:
        return None
    return Translatable(
        _BETWEEN, {"some": some or Translatable(first), "more": more or Translatable(rest)}
    )
