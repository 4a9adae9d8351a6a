"""Reads titles, descriptions, keywords and headings."""

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import compress, islice
from operator import itemgetter
from typing import Final

from gossamer.extract.facts.topic_facts import NOTHING, FactElements, TopicFacts, outside_head
from gossamer.extract.parsed_elements import ALT_MARK, Element
from gossamer.model.fields.page_flags import MarkupFlag
from gossamer.model.lazy_pattern import lazy_pattern
from gossamer.model.text_cleaning import one_line, one_lines
from gossamer.model.text_width import DESCRIPTION_PIXELS, TITLE_PIXELS, pixel_width

MAX_LEVELS: Final = 200

_MULTIPLE_TITLES: Final = int(MarkupFlag.MULTIPLE_TITLES)
_TITLE_OUTSIDE_HEAD: Final = int(MarkupFlag.TITLE_OUTSIDE_HEAD)
_MULTIPLE_DESCRIPTIONS: Final = int(MarkupFlag.MULTIPLE_DESCRIPTIONS)
_DESCRIPTION_OUTSIDE_HEAD: Final = int(MarkupFlag.DESCRIPTION_OUTSIDE_HEAD)
_MULTIPLE_KEYWORDS: Final = int(MarkupFlag.MULTIPLE_KEYWORDS)
_MULTIPLE_H1: Final = int(MarkupFlag.MULTIPLE_H1)
_H1_ALT_TEXT: Final = int(MarkupFlag.H1_ALT_TEXT)
_H1_NON_SEQUENTIAL: Final = int(MarkupFlag.H1_NON_SEQUENTIAL)
_MULTIPLE_H2: Final = int(MarkupFlag.MULTIPLE_H2)
_H2_NON_SEQUENTIAL: Final = int(MarkupFlag.H2_NON_SEQUENTIAL)
_HEADING_SKIPPED: Final = int(MarkupFlag.HEADING_SKIPPED)
_H2_FOLLOWS_H1: Final = lazy_pattern("[3-6]*1+2")
_OTHER_CHARACTERS: Final = 200
_ALL_OTHER_CHARACTERS: Final = 8_000
_SKIPPED: Final = re.compile("1[3-6]|2[4-6]|3[56]|46")


def title_facts(elements: FactElements) -> TopicFacts:
    """Titles and their width."""
    titles = elements.titles
    if not titles:
        return NOTHING
    title, second = first_two(titles, _text)
    markup = _TITLE_OUTSIDE_HEAD if outside_head(titles) else 0
    if len(titles) > 1:
        markup |= _MULTIPLE_TITLES
    return TopicFacts(
        {"title": title, "title_2": second, "title_pixels": pixel_width(title, TITLE_PIXELS)},
        markup,
    )


def description_facts(elements: FactElements) -> TopicFacts:
    """Descriptions and their width."""
    descriptions = elements.metas.get("description")
    if not descriptions:
        return NOTHING
    description, second = first_two(descriptions, meta_content)
    markup = _DESCRIPTION_OUTSIDE_HEAD if outside_head(descriptions) else 0
    if len(descriptions) > 1:
        markup |= _MULTIPLE_DESCRIPTIONS
    width = pixel_width(description, DESCRIPTION_PIXELS)
    values = {"description": description, "description_2": second, "description_pixels": width}
    return TopicFacts(values, markup)


def keyword_facts(elements: FactElements) -> TopicFacts:
    """Keywords."""
    keywords = elements.metas.get("keywords")
    if not keywords:
        return NOTHING
    first, _ = first_two(keywords, meta_content)
    return TopicFacts({"keywords": first}, _MULTIPLE_KEYWORDS if len(keywords) > 1 else 0)


def heading_facts(elements: FactElements) -> TopicFacts:
    """Headings and their levels; empty ones are not among the levels, nor a second heading."""
    if not elements.headings:
        return NOTHING
    # Loops of ours would take twice as long on pages with many headings.
    tags = list(map(itemgetter(0), elements.headings))
    raw = list(map(itemgetter(2), elements.headings))
    texts = [text.removeprefix(ALT_MARK) for text in raw]
    lines = one_lines(texts)
    has_alternatives = texts != raw and any(map(_is_alternative_h1, elements.headings))
    levels = "".join(compress(tags, lines)).replace("h", "")
    texts = list(compress(texts, lines))
    lines = list(filter(None, lines))
    others: list[str | None] = [*lines[:MAX_LEVELS]]
    if max(map(len, texts), default=0) > _OTHER_CHARACTERS:
        others = [one_line(text, _OTHER_CHARACTERS) for text in texts[:MAX_LEVELS]]
    values: dict[str, str | None] = {}
    for level in "12":
        name, first = f"h{level}", levels.find(level)
        second = levels.find(level, first + 1) if first >= 0 else -1
        values[name] = lines[first] if first >= 0 else ("" if name in tags else None)
        values[f"{name}_2"] = lines[second] if second >= 0 else None
        for own in (first, second):
            if 0 <= own < MAX_LEVELS:
                others[own] = None
    values["heading_levels"] = levels[:MAX_LEVELS] or None
    values["heading_texts"] = _bounded_lines([text for text in others if text is not None])
    return TopicFacts(values, _sequence(levels) | (_H1_ALT_TEXT if has_alternatives else 0))


def _is_alternative_h1(heading: Element) -> bool:
    tag, _, text, *_ = heading
    return tag == "h1" and text.startswith(ALT_MARK) and bool(text[1:].strip())


def _bounded_lines(texts: Sequence[str]) -> str | None:
    """Texts a line each, without those that go beyond what is kept; None without a text."""
    lines = "\n".join(texts)
    if len(lines) > _ALL_OTHER_CHARACTERS:
        lines = lines[: lines.rindex("\n", 0, _ALL_OTHER_CHARACTERS)]
    return lines or None


@lru_cache(maxsize=1_000)  # pages of a site are alike
def _sequence(levels: str) -> int:
    """The flags of the levels of all headings."""
    markup = 0
    if "1" in levels and levels[0] != "1":
        markup = _H1_NON_SEQUENTIAL
    if "1" in levels and "2" in levels and not _H2_FOLLOWS_H1.match(levels):
        markup |= _H2_NON_SEQUENTIAL
    if levels.count("1") > 1:
        markup |= _MULTIPLE_H1
    if levels.count("2") > 1:
        markup |= _MULTIPLE_H2
    if _SKIPPED.search(levels):
        markup |= _HEADING_SKIPPED
    return markup


def first_two(
    elements: Sequence[Element], text_of: Callable[[Element], str]
) -> tuple[str, str | None]:
    """The first two texts that are not empty; "" and None if there are none."""
    texts = list(islice(filter(None, map(text_of, elements[:MAX_LEVELS])), 2))
    return (texts[0] if texts else ""), (texts[1] if len(texts) > 1 else None)


def meta_content(element: Element) -> str:
    """The content of a `meta`, on one line."""
    return one_line(element.attributes.get("content") or "")


def _text(element: Element) -> str:
    return one_line(element.text)
