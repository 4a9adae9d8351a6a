"""Decides the rules about how one page shows its images, so that their counts grow live.

They list the images, so the issues are those of the links' targets. Nothing is taken back when a
page is read again: the stages "Images and resources" and "Alt texts" have the last word.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from gossamer.audit.live_page_issues import page_indexability
from gossamer.audit.rule_catalogue import RULES
from gossamer.audit.rules.images import ALT_TEXT_TOO_LONG
from gossamer.audit.site_rule import SiteRule, StageRule
from gossamer.model.fields.indexability import Indexability
from gossamer.model.link_kinds import LinkKind
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.visit import PageLinks, Visit
from gossamer.urls.url_parsing import is_http

_IMAGE: Final = int(LinkKind.IMAGE)
IMAGE_TRAITS: Final[Mapping[SiteRule, int]] = {
    rule: int(rule.decision.link_trait)
    for rule in RULES.values()
    if isinstance(rule.decision, StageRule) and rule.decision.link_trait
}
"""The rules about images that a bit of `link.traits` decides, with that bit."""
_NUMBERS: Final = tuple((rule.number, trait) for rule, trait in IMAGE_TRAITS.items())
_ANY: Final = sum({trait for _, trait in _NUMBERS})
_IMG: Final = "img"
"""The text of other links of this kind is no alternative text."""


def image_issues(
    url: str, visit: Visit, settings: CrawlSettings, is_internal: Callable[[str], bool]
) -> list[tuple[int, int]]:
    """The rules that hold for the images of an indexable page: number, position of the link."""
    facts, links = visit.facts, visit.links
    if facts is None or not visit.is_page_read or _IMAGE not in links.kinds:
        return []
    found = [
        (number, place)
        for number, place in _holding(links, settings.alt_max_length)
        if is_http(visit.targets[links.targets[place]])
    ]
    is_listed = found and page_indexability(url, visit, facts) is Indexability.INDEXABLE
    return found if is_listed and is_internal(url) else []


def _holding(links: PageLinks, most_characters: int) -> Iterator[tuple[int, int]]:
    places = _images(links.kinds)
    if links.traits:
        for place in places:
            if (traits := links.traits[place]) & _ANY:
                yield from ((number, place) for number, trait in _NUMBERS if traits & trait)
    long = [place for place in places if len(links.texts[place]) > most_characters]
    if long:
        with_alt = links.elements.where(lambda element: _IMG in element.split(" "), len(links))
        yield from ((ALT_TEXT_TOO_LONG.number, place) for place in set(long).intersection(with_alt))


def _images(kinds: bytes) -> list[int]:
    """The positions of images; most pages have few among a hundred links."""
    places = []
    place = kinds.find(_IMAGE)
    while place >= 0:
        places.append(place)
        place = kinds.find(_IMAGE, place + 1)
    return places
