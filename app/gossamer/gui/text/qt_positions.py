"""Converts positions in texts: Python counts characters, Qt UTF-16 code units.

They differ beyond the first character outside of the Basic Multilingual Plane, such as an emoji.
"""


def to_qt(text: str, position: int) -> int:
    """How many code units are before a character."""
    return len(text[:position].encode("utf-16-le", "surrogatepass")) // 2


def from_qt(text: str, position: int) -> int:
    """How many characters are before a code unit, of which none is in the middle of a character."""
    units = text.encode("utf-16-le", "surrogatepass")[: 2 * position]
    return len(units.decode("utf-16-le", "surrogatepass"))
