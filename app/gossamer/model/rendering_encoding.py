"""Encodes what is known of a rendered page besides its fields, as the project file keeps it."""

import zlib
from collections.abc import Iterable
from typing import Any, Final, TypeVar

import msgspec
from msgspec import Struct
from msgspec.structs import astuple

from gossamer.model.accessibility_report import (
    MAX_MESSAGE,
    MAX_NODES,
    MAX_NODES_OF_PAGE,
    MAX_SELECTOR,
    MAX_SNIPPET,
    Violation,
    ViolationNode,
)
from gossamer.model.axe_rules import AXE_RULES
from gossamer.model.fields.field_declaration import LARGEST
from gossamer.model.rendering import (
    MAX_CONSOLE_MESSAGES,
    MAX_IMAGES,
    MAX_POPUPS,
    MAX_RESOURCES,
    NO_DETAILS,
    RenderingDetails,
)
from gossamer.model.text_cleaning import clean_text, one_line

MAX_TEXT: Final = 2_048
"""Characters of an address, or of a message on the console."""
MAX_ENCODED_BYTES: Final = 16 * 1024 * 1024
"""More than all of it can need: 1,620 texts of MAX_TEXT characters and 500 nodes with 900 of them,
four bytes each."""
_VERSION: Final = b"\x01"
_T = TypeVar("_T", bound=Struct)
_encoder = msgspec.msgpack.Encoder()
_decoder = msgspec.msgpack.Decoder(RenderingDetails)


def encode_details(details: RenderingDetails) -> bytes | None:
    """The first of each kind with clean texts: a byte for the version, then MessagePack in zlib.

    None if there is nothing.
    """
    kept = RenderingDetails(
        _cleaned(details.resources[:MAX_RESOURCES]),
        _cleaned(details.console[:MAX_CONSOLE_MESSAGES]),
        _cleaned(details.images[:MAX_IMAGES]),
        [clean_text(url, MAX_TEXT) for url in details.popups[:MAX_POPUPS]],
        _cleaned_violations(details.violations),
    )
    return None if kept == NO_DETAILS else _VERSION + zlib.compress(_encoder.encode(kept))


def decode_details(encoded: bytes | None) -> RenderingDetails:
    """What `encode_details` was given; nothing if that is damaged, or of a newer version."""
    if encoded is None or encoded[:1] != _VERSION:
        return NO_DETAILS
    try:
        inflating = zlib.decompressobj()
        packed = inflating.decompress(encoded[1:], MAX_ENCODED_BYTES)
        return _decoder.decode(packed) if inflating.eof else NO_DETAILS
    except (zlib.error, msgspec.MsgspecError):
        return NO_DETAILS


def _cleaned(rows: Iterable[_T]) -> list[_T]:
    return [type(row)(*map(_clean, astuple(row))) for row in rows]


def _cleaned_violations(violations: Iterable[Violation]) -> list[Violation]:
    """One of each rule that we know, with its first nodes."""
    by_rule = {each.rule: each for each in violations if each.rule in AXE_RULES}
    left = MAX_NODES_OF_PAGE
    kept = []
    for each in by_rule.values():
        nodes = [*map(_cleaned_node, each.nodes[: min(MAX_NODES, left)])]
        left -= len(nodes)
        kept.append(Violation(each.rule, _clean(each.impact), _clean(each.count), nodes))
    return kept


def _cleaned_node(node: ViolationNode) -> ViolationNode:
    boxes = (node.left, node.top, node.width, node.height)
    return ViolationNode(
        one_line(node.selector, MAX_SELECTOR),
        one_line(node.html, MAX_SNIPPET),
        one_line(node.message, MAX_MESSAGE),
        *(min(max(each, -LARGEST), LARGEST) for each in boxes),
    )


def _clean(value: Any) -> Any:  # noqa: ANN401 - of any field
    """A text that can be stored, a number that can be encoded; others as they are."""
    if type(value) is str:
        return clean_text(value, MAX_TEXT)
    return min(max(value, 0), LARGEST) if type(value) is int else value
