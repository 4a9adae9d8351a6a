"""Cleans text from the web so that it is safe to store, send and display."""

import re
from collections.abc import Sequence
from functools import cache

import msgspec

MAX_TYPED_CHARACTERS = 65_536
"""Of any text that a user types. Addresses and patterns of megabytes take hours to examine."""
_SPACE = re.compile(r"[ \t\n\r\f]+")


@cache
def _unsafe() -> re.Pattern[str]:
    """Compiled on first use: that takes as long as all other patterns at start-up."""
    return re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")


def clean_text(text: str, limit: int = 10_000) -> str:
    """`text` without what breaks storage and views, at most `limit` characters.

    Lone surrogates and control characters other than tab and line ends become U+FFFD: SQLite
    and spreadsheets refuse them. A text that was cut ends with an ellipsis.
    """
    if len(text) > limit:
        text = text[: limit - 1] + "…"
    return _unsafe().sub("�", text) if not text.isprintable() else text


def is_unicode(value: object) -> bool:
    """Whether all texts in `value` are Unicode; surrogates stand for bytes that are no UTF-8.

    SQLite and our processes take no others.
    """
    try:
        msgspec.json.encode(value)
    except UnicodeEncodeError:
        return False
    return True


def one_line(text: str, limit: int = 10_000) -> str:
    """`text` cleaned, with ASCII white space collapsed and trimmed, at most `limit` characters."""
    if text.isprintable() and "  " not in text:  # as nearly all texts are
        text = text.strip()
        return text if len(text) <= limit else clean_text(text, limit)
    return clean_text(_SPACE.sub(" ", text[: limit * 4]).strip(), limit)


def one_lines(texts: Sequence[str], limit: int = 10_000) -> list[str]:
    """`one_line` of each, at a third of the cost where they are short and plain, as usual."""
    # Looked at in one go, with a separator that makes no space a double one. To Python, spaces that
    # do not break are not printable.
    together = "|".join(texts)
    is_plain = "  " not in together and together.replace("\xa0", "").isprintable()
    if is_plain and len(together) <= limit:
        return list(map(str.strip, texts))
    return [one_line(text, limit) for text in texts]
