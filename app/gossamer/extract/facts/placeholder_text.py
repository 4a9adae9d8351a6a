"""Detects placeholder text that was left in a page."""

from itertools import islice
from typing import Final

from gossamer.extract.facts.topic_facts import NOTHING, TopicFacts
from gossamer.extract.parsed_elements import MarkupShape
from gossamer.model.fields.page_flags import ContentFlag
from gossamer.model.lazy_pattern import lazy_pattern

_LOREM_IPSUM: Final = int(ContentFlag.LOREM_IPSUM)
_MAX_PLACES: Final = 20
_TEXT: Final = lazy_pattern(
    rb"lorem(?>(?:[ \t\n\f\r]|\xc2\xa0|&nbsp;|&#(?:32|160|x20|xa0);|<[^<>]{0,200}>)+)ipsum"
)
"""With any spaces, tags and comments between the words."""
_UNSEEN: Final = (b"script", b"style", b"title", b"template", b"noscript")


def placeholder_facts(markup: bytes, shape: MarkupShape) -> TopicFacts:
    """Whether the text of a page, in UTF-8, contains "lorem ipsum"."""
    if not shape.has_lorem:
        return NOTHING
    folded = markup.lower()
    places = (found.start() for found in islice(_TEXT.finditer(folded), _MAX_PLACES))
    is_found = any(_is_seen(folded, place) for place in places)
    return TopicFacts({}, 0, _LOREM_IPSUM if is_found else 0)


def _is_seen(folded: bytes, place: int) -> bool:
    """Whether a position is in the text, not in a tag, a comment or an element without text."""
    is_in_tag = folded.rfind(b"<", 0, place) > folded.rfind(b">", 0, place)
    is_in_comment = folded.rfind(b"<!--", 0, place) > folded.rfind(b"-->", 0, place)
    return not (is_in_tag or is_in_comment) and not any(
        folded.rfind(b"<" + tag, 0, place) > folded.rfind(b"</" + tag, 0, place) for tag in _UNSEEN
    )
