"""Content types of files, as servers name them or as they are guessed from the content."""

from typing import Final

GUESSED_TYPES: Final = ("text/plain", "application/octet-stream")
"""What files are taken for whose Content-Type header names no type."""


def names_type(header: str) -> bool:
    """Whether a Content-Type header names a type, such as "text/css; charset=utf-8"."""
    before, slash, after = header.partition("/")
    return bool(before and slash and after) and " " not in header.partition(";")[0].strip(" ")
