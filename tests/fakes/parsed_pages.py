"""Compares what back ends find in a page."""

from typing import Any

from gossamer.extract.parsed_elements import NO_ANCHORS, Element, ParsedElements
from gossamer.model.link_traits import PLACE_BITS
from gossamer.model.text_cleaning import one_line


def comparable(parsed: ParsedElements) -> dict[str, Any]:
    """What there is, with plain links among the elements and paths in place of their indexes."""
    found: dict[str, Any] = {
        name: getattr(parsed, name)
        for name in (
            *("language", "words", "sentences", "syllables", "text_length", "sketch", "phrases"),
            *("anchor_ids", "are_anchors_cut", "has_references"),
        )
    }
    found["elements"] = [_with_path(each, parsed) for each in with_anchors(parsed)]
    return found


def with_anchors(parsed: ParsedElements) -> list[Element]:
    """The elements, and the plain links between them."""
    anchors = parsed.anchors
    if anchors == NO_ANCHORS:
        return parsed.elements
    fragments = dict(zip(anchors.fragment_indexes, anchors.fragments, strict=True))
    elements: list[Element] = []
    done = 0
    ends = [*anchors.ends, len(anchors.hrefs)]
    for element, end in zip([*parsed.elements, None], ends, strict=True):
        for index in range(done, end):
            href = anchors.hrefs[index]
            fragment = fragments.get(index, "")
            href = fragment if href == "#" and fragment else href + fragment
            place, path = anchors.traits[index] & PLACE_BITS, anchors.paths[index]
            elements.append(Element("a", {"href": href}, anchors.texts[index], place, path))
        done = end
        if element is not None:
            elements.append(element)
    return elements


def _with_path(element: Element, parsed: ParsedElements) -> tuple[Any, ...]:
    tag, attributes, text, place, path = element
    said: Any = attributes
    if tag == "a":
        said = attributes.get("href") or ""
        text = one_line(text).strip()[:100]
    return tag, said, text, place, parsed.paths[path]
