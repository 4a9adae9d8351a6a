"""Examines the frame of a page as it is written: `html`, `head` and `body`.

The tree always has each of them once. C does the same (`app/gossamer/extract/native/shape.h`).
"""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from gossamer.extract.parsed_elements import IN_HEAD, MarkupShape
from gossamer.model.lazy_pattern import lazy_pattern

RAW_TEXT: Final = frozenset(
    {"iframe", "noembed", "noframes", "script", "style", "textarea", "title", "xmp"}
)
"""Elements in which nothing is a tag except their own end tag."""
LOREM: Final = b"lorem"
_FRAME: Final = frozenset({"html", "head", "body", "frameset"})
_NAME = lazy_pattern(rb"[^\t\n\f\r />]*")
_USUAL_NAME = lazy_pattern(rb"[a-z0-9-]{1,24}")
_REST_OF_TAG = lazy_pattern(rb"(?:[^>=]++|=[\t\n\f\r ]*+(?:\"[^\"]*+\"|'[^']*+'|(?![\"']))|)*+>")


class _Tag(NamedTuple):
    name: str
    is_end: bool
    follows_text: bool
    """Whether anything but white space separates it from the tag or comment before it."""


def markup_shape(markup: bytes) -> MarkupShape:
    """The shape of `markup`, in UTF-8."""
    frame = _Frame()
    for tag in _tags(markup):
        frame.add(tag)
    return MarkupShape(
        *(frame.counts["html"], frame.counts["head"]),
        frame.counts["body"] + frame.counts["frameset"],
        frame.is_body_before_html,
        frame.is_head_not_first,
        frame.invalid_in_head,
        LOREM in markup.lower(),
    )


class _Frame:
    """What was seen of the frame so far."""

    def __init__(self) -> None:
        self.counts = dict.fromkeys(_FRAME, 0)
        self.is_body_before_html = self.is_head_not_first = False
        self.invalid_in_head: str | None = None
        self._is_in_head = self._is_disturbed = False
        self._found: str | None = None
        """An invalid element of the head that has not ended yet."""
        self._templates = 0

    def add(self, tag: _Tag) -> None:
        """Process the next tag."""
        if tag.name == "template":
            self._templates = max(self._templates + (-1 if tag.is_end else 1), 0)
            self._is_disturbed = True
        elif self._templates:
            pass
        elif tag.name in _FRAME and not tag.is_end:
            self._add_frame(tag)
        elif tag.name == "head":
            self._end_head()
        else:
            self._add_other(tag)

    def _add_frame(self, tag: _Tag) -> None:
        counts = self.counts
        if tag.name == "html" and not counts["html"]:
            self.is_body_before_html = counts["body"] + counts["frameset"] > 0
            self._is_disturbed = False
        elif tag.name == "head":
            if counts["html"] and not counts["head"]:
                self.is_head_not_first = self._is_disturbed or tag.follows_text
            self._is_in_head = True
        elif tag.name != "html":
            self._end_head()
            self._is_disturbed = True
        counts[tag.name] += 1

    def _end_head(self) -> None:
        if self._is_in_head and self.invalid_in_head is None:
            self.invalid_in_head = self._found
        self._is_in_head = False

    def _add_other(self, tag: _Tag) -> None:
        self._is_disturbed = True
        is_invalid = self._is_in_head and not tag.is_end and tag.name not in IN_HEAD
        if is_invalid and self._found is None:
            self._found = usual_name(tag.name.encode())


def usual_name(name: bytes) -> str:
    """The name in lower case, `*` for one that no element has."""
    name = name.lower()
    return name.decode() if _USUAL_NAME.fullmatch(name) else "*"


def _tags(markup: bytes) -> Iterator[_Tag]:
    """The tags, except those in comments and raw text."""
    at = 0
    has_text = False
    while (start := markup.find(b"<", at)) >= 0:
        has_text = has_text or bool(markup[at:start].strip(b" \t\n\f\r"))
        is_end = markup.startswith(b"/", start + 1)
        name = _NAME.match(markup, start + 1 + is_end)
        if name is not None and name[0][:1].isalpha():
            rest = _REST_OF_TAG.match(markup, name.end())
            if rest is None:
                return
            tag = name[0].lower().decode("utf-8", "replace")
            yield _Tag(tag, is_end, has_text)
            has_text = False
            at = _after_raw_text(markup, rest.end(), tag) if not is_end else rest.end()
        elif markup.startswith((b"!", b"?", b"/"), start + 1):
            is_comment = markup.startswith(b"!--", start + 1)
            at = _after(markup, b"-->" if is_comment else b">", start + 2)
        else:
            has_text = True
            at = start + 1


def _after_raw_text(markup: bytes, at: int, tag: str) -> int:
    """Where the text of `tag`, which begins here, ends, if it is raw."""
    if tag not in RAW_TEXT:
        return at
    end = re.compile(b"</" + tag.encode() + rb"(?=[\t\n\f\r />])", re.IGNORECASE)
    found = end.search(markup, at)
    return found.start() if found else len(markup)


def _after(markup: bytes, end: bytes, at: int) -> int:
    found = markup.find(end, at)
    return found + len(end) if found >= 0 else len(markup)
