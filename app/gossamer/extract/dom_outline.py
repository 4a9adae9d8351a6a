"""Writes the DOM of a page as lines, one per element and text, for people to compare."""

from collections.abc import Iterator
from typing import Final, NamedTuple

from selectolax.lexbor import LexborDocumentOptions, LexborHTMLParser, LexborNode

_WITHOUT_EVENTS: Final = int(LexborDocumentOptions.WO_EVENTS)
_MAX_TEXT: Final = 300
"""Characters of a text or an attribute that are shown."""
_MAX_DEPTH: Final = 24
"""Deeper elements are indented no further."""
_TEXT: Final = "-text"
_UNSEEN: Final = frozenset({"-comment", "!doctype", "-document", "-undef"})


class DomLine(NamedTuple):
    """An element with its attributes, or a text, below `depth` others."""

    depth: int
    text: str


def dom_lines(markup: bytes) -> Iterator[DomLine]:
    """The lines of a page in UTF-8, in document order; comments are left out."""
    node, depth = LexborHTMLParser(markup, options=_WITHOUT_EVENTS).root, 0
    while node is not None:
        text = _line(node)
        if text:
            yield DomLine(min(depth, _MAX_DEPTH), text)
        if node.first_child is not None:
            node, depth = node.first_child, depth + 1
            continue
        while node is not None and node.next is None:
            node, depth = node.parent, depth - 1
            if depth <= 0:
                return
        node = None if node is None else node.next


def _line(node: LexborNode) -> str:
    tag = node.tag or ""
    if tag == _TEXT:
        return _cut(node.text(deep=False))
    if tag in _UNSEEN:
        return ""
    attributes = (
        f' {name}="{_cut(value)}"' if value else f" {name}"
        for name, value in node.attributes.items()
    )
    return f"<{tag}{''.join(attributes)}>"


def _cut(text: str) -> str:
    text = " ".join(text[: 4 * _MAX_TEXT].split())
    return text if len(text) <= _MAX_TEXT else f"{text[: _MAX_TEXT - 1]}…"
