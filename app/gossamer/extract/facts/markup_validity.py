"""Reads a page's language and kind from its frame as written, and whether that is valid."""

import re
from typing import Final

from gossamer.extract.facts.topic_facts import NOTHING, TopicFacts
from gossamer.extract.parsed_elements import USUAL_SHAPE, MarkupShape
from gossamer.model.fields.page_flags import MarkupFlag
from gossamer.model.lazy_pattern import lazy_pattern
from gossamer.model.text_cleaning import one_line

_MAX_LANGUAGE: Final = 100
_INVALID_IN_HEAD: Final = int(MarkupFlag.INVALID_IN_HEAD)
_BODY_BEFORE_HTML: Final = int(MarkupFlag.BODY_BEFORE_HTML)
_HEAD_NOT_FIRST: Final = int(MarkupFlag.HEAD_NOT_FIRST)
_MISSING_HEAD: Final = int(MarkupFlag.MISSING_HEAD)
_MULTIPLE_HEADS: Final = int(MarkupFlag.MULTIPLE_HEADS)
_MISSING_BODY: Final = int(MarkupFlag.MISSING_BODY)
_MULTIPLE_BODIES: Final = int(MarkupFlag.MULTIPLE_BODIES)
_NO_LANGUAGE: Final = int(MarkupFlag.NO_LANGUAGE)
_FLASH: Final = b"\xe2\x9a\xa1"
_IS_AMP: Final = TopicFacts({}, int(MarkupFlag.AMP))
_HTML: Final = re.compile(rb"<html", re.IGNORECASE)
_AMP_TAG: Final = lazy_pattern(
    rb"<html(?=\s)(?:[^>\"']|\"[^\"]*\"|'[^']*')*?\s(?:amp|\xe2\x9a\xa1)(?:\xef\xb8\x8f)?(?=[\s=>/])"
)
_START_BYTES: Final = 2_000
"""The beginning of a page, where its `<html>` tag is."""
_TAG_BYTES: Final = 300


def shape_facts(shape: MarkupShape) -> TopicFacts:
    """Which of the tags that frame a page are missing, doubled or in the wrong place."""
    if shape == USUAL_SHAPE:
        return NOTHING
    markup = 0
    if shape.invalid_in_head is not None:
        markup |= _INVALID_IN_HEAD
    if shape.is_body_before_html:
        markup |= _BODY_BEFORE_HTML
    if shape.is_head_not_first:
        markup |= _HEAD_NOT_FIRST
    markup |= _by_count(shape.head_tags, _MISSING_HEAD, _MULTIPLE_HEADS)
    markup |= _by_count(shape.body_tags, _MISSING_BODY, _MULTIPLE_BODIES)
    return TopicFacts({}, markup)


def amp_facts(markup: bytes) -> TopicFacts:
    """Whether a page in UTF-8 declares itself an AMP page: `<html amp>`, or with a flash."""
    found = _HTML.search(markup, 0, _START_BYTES)
    if found is None:
        return NOTHING
    place = found.start()
    tag = markup[place : min(place + _TAG_BYTES, _START_BYTES)].lower()
    if (b"amp" in tag or _FLASH in tag) and _AMP_TAG.match(tag):
        return _IS_AMP
    return NOTHING


def language_facts(language: str | None) -> TopicFacts:
    """The language that the page declares."""
    said = None if language is None else one_line(language, _MAX_LANGUAGE)
    return TopicFacts({"language": said}, 0 if said else _NO_LANGUAGE)


def _by_count(tags: int, none: int, several: int) -> int:
    if tags == 1:
        return 0
    return several if tags else none
