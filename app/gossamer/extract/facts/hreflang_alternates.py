"""Reads hreflang: the pages in other languages that a page names."""

from collections.abc import Sequence
from typing import Final

from gossamer.extract.facts.language_codes import is_hreflang_code
from gossamer.extract.facts.topic_facts import NOTHING, FactElements, TopicFacts, outside_head
from gossamer.extract.link_header import HeaderLink
from gossamer.model.fields.page_flags import MarkupFlag
from gossamer.model.link_kinds import LinkKind, kind_by_rel

_HREFLANG: Final = int(MarkupFlag.HREFLANG)
_INVALID_CODE: Final = int(MarkupFlag.HREFLANG_INVALID_CODE)
_OUTSIDE_HEAD: Final = int(MarkupFlag.HREFLANG_OUTSIDE_HEAD)


def hreflang_facts(elements: FactElements, header_links: Sequence[HeaderLink]) -> TopicFacts:
    """Whether a page has alternates with a language, where, and with what codes.

    An "alternate stylesheet" is no other version of the page, whatever its language, and an
    element without href names none.
    """
    alternates = [
        element
        for element in elements.links.get("alternate", ())
        if "hreflang" in element.attributes
        and (element.attributes.get("href") or "").strip()
        and kind_by_rel(element.attributes["rel"] or "") is LinkKind.ALTERNATE
    ]
    codes = [element.attributes["hreflang"] or "" for element in alternates]
    codes += [
        link.hreflang
        for link in header_links
        if link.kind is LinkKind.ALTERNATE and link.hreflang is not None
    ]
    if not codes:
        return NOTHING
    markup = _HREFLANG
    if outside_head(alternates):
        markup |= _OUTSIDE_HEAD
    if not all(map(is_hreflang_code, codes)):
        markup |= _INVALID_CODE
    return TopicFacts({}, markup)
