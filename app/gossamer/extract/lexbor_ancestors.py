"""What a node of lexbor's tree stands in."""

from typing import Final

from selectolax.lexbor import LexborNode

from gossamer.extract.native_dom_walk import numbered
from gossamer.extract.parsed_elements import BREAKS, FOREIGN, MAX_PARENTS

# lexbor knows every one of these (tests/unit/test_extract_lexbor_backend.py).
BREAK_NUMBERS: Final = frozenset(numbered(BREAKS).by_number)


def is_in(node: LexborNode, tag: str) -> bool:
    """Whether the element is within one with this tag, not too far up."""
    above = node.parent
    for _ in range(MAX_PARENTS):
        if above is None or above.tag == tag:
            break
        above = above.parent
    return above is not None and above.tag == tag


def block_of(text: LexborNode, around: LexborNode) -> int:
    """The nearest of `BREAKS` in `around` that a text stands in, not too far up; 0 for none."""
    above = text.parent
    for _ in range(MAX_PARENTS):
        if above is None or above.mem_id == around.mem_id:
            break
        if above.tag_id in BREAK_NUMBERS:
            return above.mem_id
        above = above.parent
    return 0


def is_foreign(node: LexborNode) -> bool:
    """Whether a `title` is the tool tip of a drawing or formula, not the page's title."""
    above = node.parent
    while above is not None and above.tag != "head":
        if above.tag in FOREIGN:
            return True
        above = above.parent
    return False
