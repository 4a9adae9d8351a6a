"""Detects placeholder text that was left in a page."""

import re
from typing import Final

from gossamer.extract.facts.topic_facts import NOTHING, TopicFacts
from gossamer.extract.parsed_elements import MarkupShape
from gossamer.model.fields.page_flags import ContentFlag
from gossamer.model.lazy_pattern import lazy_pattern

_LOREM_IPSUM: Final = int(ContentFlag.LOREM_IPSUM)
_REST_OF_TAG: Final = (
    rb"(?:=[ \t\n\f\r]*+(?:\"[^\"]*+(?:\"|\Z)|'[^']*+(?:'|\Z)|[^ \t\n\f\r>\"'][^ \t\n\f\r>]*+)"
    rb"|[^>]|)*+(?:>|\Z)"
)
"""A quoted value may contain ">", one without quotes may contain quotes."""
_MARKUP: Final = lazy_pattern(
    rb"<(?:"
    rb"!--(?:-?>|.*?(?:--!?>|\Z))"
    rb"|(script|style|title|template|noscript|iframe)(?=[ \t\n\f\r/>])"
    + _REST_OF_TAG
    + rb".*?(?:</\1(?=[ \t\n\f\r/>])[^>]*(?:>|\Z)|\Z)"
    rb"|[a-z/!?]" + _REST_OF_TAG + rb")",
    re.DOTALL,
)
"""Comments, elements without visible text, and tags. What is not closed ends with the page."""
_TAG: Final = b"<>"
_TEXT: Final = lazy_pattern(
    rb"lorem(?>(?:[ \t\n\f\r]|\xc2\xa0|&nbsp;|&#(?:32|160|x20|xa0);|<>)+)ipsum"
)
"""With any spaces, tags and comments between the words."""


def placeholder_facts(markup: bytes, shape: MarkupShape) -> TopicFacts:
    """Whether the text of a page, in UTF-8, contains "lorem ipsum"."""
    if not shape.has_lorem:
        return NOTHING
    is_found = _TEXT.search(_MARKUP.sub(_TAG, markup.lower())) is not None
    return TopicFacts({}, 0, _LOREM_IPSUM if is_found else 0)
