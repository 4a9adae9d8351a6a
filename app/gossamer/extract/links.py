"""Extracts links from parsed elements: target, kind, text and attributes."""

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import repeat

from gossamer.extract.css_and_srcset_urls import (
    WITH_SECONDARY_LINKS,
    may_link_otherwise,
    secondary_links,
)
from gossamer.extract.label_references import label_of
from gossamer.extract.link_header import link_header
from gossamer.extract.link_targets import MAX_FRAGMENT, NO_TARGET, Targets
from gossamer.extract.link_trait_reader import (
    WITH_TRAITS,
    WITH_WINDOW,
    element_traits,
    path_type,
)
from gossamer.extract.parsed_elements import (
    ALT_MARK,
    MAX_LINE,
    NO_ANCHORS,
    Anchors,
    Attributes,
    Element,
)
from gossamer.model.link_kinds import HYPERLINK_KINDS, LinkKind, kind_by_rel
from gossamer.model.link_traits import LinkTrait
from gossamer.model.text_cleaning import one_line
from gossamer.model.visit import IndexedColumn, PageLinks, SparseColumn
from gossamer.urls.query_encoding import QueryEncoding
from gossamer.urls.refresh_directive import MAX_REDIRECT_DELAY_S, parse_refresh
from gossamer.urls.url_joining import Base
from gossamer.urls.url_parsing import serialised_fragment, serialised_fragments

MAX_LINKS = 50_000
"""The largest value of `CrawlSettings.max_links`."""

_SOURCES: dict[str, tuple[str, LinkKind]] = {
    tag: (attribute, kind)
    for kind in LinkKind
    for tag, attribute in kind.declaration.elements.items()
}
"""The attribute with an element's target, and the kind of link it makes.

For an element's other links see `gossamer.extract.css_and_srcset_urls`.
"""

_LINKING = WITH_SECONDARY_LINKS.union(_SOURCES)
"""Elements that may be links without having a style."""

_IN_DRAWINGS = frozenset({"a", "image"})
"""Elements of SVG, which link with `xlink:href` in SVG 1.1; diagram tools still do."""

_EMPTY_IS_PAGE = frozenset(kind for kind in LinkKind if kind.declaration.empty_is_page)
_IN_UTF_8 = frozenset(kind for kind in LinkKind if kind.declaration.query_is_utf_8)

_TEXT_IN_ATTRIBUTES = frozenset({"link", "img", "area"})
"""Elements whose text is in attributes, and for `link` also the kind."""

_IMAGE_TEXT = int(LinkTrait.IMAGE_TEXT)
_CLICKED = frozenset({LinkKind.ANCHOR, LinkKind.AREA})
_USUAL_ELEMENT = "a"
_ANCHOR = bytes([LinkKind.ANCHOR])
_UTF_8_QUERY = QueryEncoding("utf-8", "utf-8")


class Links:
    """The links of one page as they are found, and their targets.

    `base` is what they are relative to. There are at most `limit`; `are_cut` says that there were
    more. With `hash_routes`, those of its origin are targets of hyperlinks.
    """

    def __init__(self, base: Base, limit: int, *, hash_routes: bool = False) -> None:
        self._numbers: list[int] = []
        self._kinds = bytearray()
        self._texts: list[str] = []
        # Where nearly all links have the same, the differing ones by position.
        self._rels: dict[int, str] = {}
        self._elements: dict[int, str] = {}
        self._fragments: dict[int, str] = {}
        self._windows: dict[int, str] = {}
        self._traits: list[int] = []
        self._paths: list[int] = []
        self._path_texts = [""]
        # The position of the element whose links are added: bits of traits, index of its path.
        self._traits_here = self._path_here = 0
        self.unclear: list[int] = []
        """The positions of hyperlinks whose texts may say nothing about the target."""
        self.are_cut = False
        self._limit = limit
        self._targets = Targets(base)
        self._has_hash_routes = hash_routes
        self._has_own_encoding = base.query_encoding is not None

    @property
    def targets(self) -> list[str]:
        """The distinct targets of the links found."""
        urls = self._targets.urls
        if not self.are_cut:
            return urls
        # They are numbered as they appear: later ones belong to the first link left out.
        return urls[: max(self._numbers, default=NO_TARGET) + 1]

    def as_page_links(self) -> PageLinks:
        """The links found, in order."""
        return PageLinks(
            self._numbers,
            bytes(self._kinds),
            self._texts,
            _sparse("", self._rels),
            _sparse(_USUAL_ELEMENT, self._elements),
            _sparse("", self._fragments),
            self._traits if any(self._traits) else [],
            IndexedColumn(self._path_texts, self._paths) if any(self._paths) else IndexedColumn(),
            _sparse("", self._windows),
        )

    def add_headers(self, headers: Iterable[tuple[str, str]], url: str) -> None:
        """Add links of Link headers, and of a delayed Refresh header, in the response for `url`."""
        values: list[str] = []
        for name, value in headers:
            lowered = name.lower()
            if lowered == "link":
                values.append(value)
            elif lowered == "refresh":
                self._add_refresh(value, url)
        for target, kind, text, rel, *_ in link_header(values, url):
            if target or kind in _EMPTY_IS_PAGE:
                self._add(target, kind, "Link header", text, rel)

    def _add_refresh(self, header: str, url: str) -> None:
        refresh = parse_refresh(header, url)
        if refresh is not None and refresh.delay_s > MAX_REDIRECT_DELAY_S:
            self._add(refresh.url, LinkKind.DELAYED_REFRESH, "Refresh header")

    def add_elements(
        self,
        elements: Sequence[Element],
        anchors: Anchors = NO_ANCHORS,
        paths: list[str] | None = None,
    ) -> None:
        """Add the links of the elements, and of the anchors between them.

        `paths` are those that they index.
        """
        self._path_texts = paths or [""]
        if anchors.fragments:
            anchors = anchors._replace(fragments=_kept_fragments(anchors.fragments))
        done = 0
        for element, end in zip(elements, anchors.ends or repeat(0), strict=False):
            tag, attributes = element[0], element[1]
            # Most scripts of a page have no attributes.
            has_source = attributes or tag == "style"
            if not has_source or (tag not in _LINKING and "style" not in attributes):
                continue
            if end > done:
                self._add_anchors(anchors, done, end)
                done = end
            if self.are_cut:
                return
            self._add_element(element)
        if done < len(anchors.hrefs):
            self._add_anchors(anchors, done, len(anchors.hrefs))

    def add_style_sheet(self, urls: Iterable[str]) -> None:
        """Add what a style sheet loads that is a file of its own."""
        for url in urls:
            if self.are_cut:
                return
            if url[:5].lower() != "data:":
                self._add(url, LinkKind.CSS, "style sheet")

    def _add_element(self, element: Element) -> None:
        tag, attributes, text, place, path = element
        self._traits_here, self._path_here = place, path
        source = _SOURCES.get(tag)
        href = None
        if source is not None:
            attribute, kind = source
            href = attributes.get(attribute) or _empty_or_foreign(tag, attributes, source)
            if href is not None:
                if tag in _TEXT_IN_ATTRIBUTES:
                    kind, text = _kind_and_text(tag, attributes, kind)
                else:
                    text = self._text_of(attributes, text)
                if tag in WITH_TRAITS:
                    self._traits_here |= self._own_traits(element)
                position = len(self._numbers)
                self._add(href, kind, tag, text, attributes.get("rel"))
                self._traits_here = place
                self._note_window(position, tag, attributes)
        may_link = tag in WITH_SECONDARY_LINKS or "style" in attributes
        if may_link and may_link_otherwise(tag, attributes):
            self._add_secondary(element, has_main=href is not None)

    def _text_of(self, attributes: Attributes, text: str) -> str:
        """The text of an element that has `text` in a back end; notes if it is an image's."""
        if text[:1] == ALT_MARK:
            self._traits_here |= _IMAGE_TEXT
            return text[1:]
        return text if text.strip() else label_of(attributes)

    def _note_window(self, position: int, tag: str, attributes: Attributes) -> None:
        """Note where the link of an element opens, if it was added at this position."""
        window = attributes.get("target") if tag in WITH_WINDOW else None
        if window and len(self._numbers) > position:
            self._windows[position] = _line(window)

    def _add_secondary(self, element: Element, *, has_main: bool) -> None:
        if element.tag == "img" and not has_main:  # it shows what its srcset lists
            self._traits_here |= self._own_traits(element)
        for link in secondary_links(element):
            self._add(*link)

    def _own_traits(self, element: Element) -> int:
        is_after_empty = bool(self._texts) and not self._texts[-1]
        path = self._path_texts[element.path]
        return element_traits(element, path, after_empty_link=is_after_empty)

    def _add_anchors(self, anchors: Anchors, start: int, end: int) -> None:
        """Add those from `start` to `end`, at a third of the cost of adding one by one."""
        hrefs = anchors.hrefs[start:end]
        texts = anchors.texts[start:end]
        of_images = set()
        for index in _between(anchors.uncleaned, start, end):
            text = texts[index - start]
            if text[:1] == ALT_MARK:
                of_images.add(index - start)
                text = text[1:]
            texts[index - start] = _line(text)
        first = bisect_left(anchors.fragment_indexes, start)
        indexes = _between(anchors.fragment_indexes, start, end)
        fragments = list(zip(indexes, anchors.fragments[first : first + len(indexes)], strict=True))
        if self._has_hash_routes and fragments:
            numbers, fragments = self._with_hash_routes(hrefs, start, dict(fragments))
        else:
            numbers = self._targets.numbers(hrefs)
        position = len(self._numbers)
        if NO_TARGET in numbers or position + len(numbers) > self._limit:
            by_index = dict(fragments)
            for index, number in enumerate(numbers):
                fragment = by_index.get(start + index, "")
                self._path_here = anchors.paths[start + index]
                traits = anchors.traits[start + index] | _IMAGE_TEXT * (index in of_images)
                self._append(
                    number, LinkKind.ANCHOR, _USUAL_ELEMENT, texts[index], "", fragment, traits
                )
            return
        shift = position - start
        self.unclear += [shift + index for index in _between(anchors.unclear, start, end)]
        self._traits += anchors.traits[start:end]
        self._paths += anchors.paths[start:end]
        for index in of_images:
            self._traits[position + index] |= _IMAGE_TEXT
        self._numbers += numbers
        self._kinds += _ANCHOR * len(numbers)
        self._texts += texts
        for index, fragment in fragments:
            self._fragments[shift + index] = fragment

    def _with_hash_routes(
        self, hrefs: list[str], start: int, fragments: dict[int, str]
    ) -> tuple[list[int], list[tuple[int, str]]]:
        """The numbers of these targets, the first of which has the index `start`.

        And the fragments by index, without those that are a part of their target.
        """
        numbers = []
        for index, href in enumerate(hrefs, start):
            number = self._targets.hash_route(href, fragments.get(index, ""))
            if number >= 0:
                del fragments[index]
            else:
                number, _ = self._targets.number(href)
            numbers.append(number)
        return numbers, list(fragments.items())

    def _add(
        self,
        href: str,
        kind: LinkKind,
        element: str,
        text: str = "",
        rel: str | None = None,
    ) -> None:
        if self.are_cut:
            return
        traits = self._traits_here
        if traits:
            traits |= path_type(href)
        if self._has_own_encoding and kind in _IN_UTF_8:
            href = _UTF_8_QUERY(href)
        number = NO_TARGET
        if self._has_hash_routes and kind in HYPERLINK_KINDS:
            address, mark, route = href.partition("#")
            fragment = serialised_fragment(mark + route)
            number = self._targets.hash_route(address, fragment)
        if number >= 0:
            fragment = ""
        else:
            number, fragment = self._targets.number(href)
        if text:
            text = _line(text)
        self._append(number, kind, element, text, rel or "", fragment, traits)

    def _append(  # noqa: PLR0913, PLR0917 - what a link has
        self,
        number: int,
        kind: LinkKind,
        element: str,
        text: str,
        rel: str,
        fragment: str,
        traits: int,
    ) -> None:
        if number < 0:
            return
        position = len(self._numbers)
        if position >= self._limit:
            self.are_cut = True
            return
        if kind in _CLICKED:
            self.unclear.append(position)
        if rel or fragment or element != _USUAL_ELEMENT:
            self._note_unusual(position, rel, element, fragment)
        self._numbers.append(number)
        self._kinds.append(kind)
        self._texts.append(text)
        self._traits.append(traits)
        self._paths.append(self._path_here)

    def _note_unusual(self, position: int, rel: str, element: str, fragment: str) -> None:
        """Note what this link does not share with nearly all others."""
        if rel and (tokens := _tokens(rel)):
            self._rels[position] = tokens
        if element != _USUAL_ELEMENT:
            self._elements[position] = element
        if fragment:
            self._fragments[position] = fragment


@lru_cache(maxsize=1_000)  # few values occur on a site
def _tokens(rel: str) -> str:
    """The part of a rel attribute that is kept."""
    return one_line(" ".join(rel.lower().split()), MAX_LINE)


def _line(text: str) -> str:
    """The part of a link's text that is kept."""
    if len(text) > MAX_LINE or "  " in text or not text.isprintable():
        text = one_line(text, MAX_LINE)
    return text.strip()


def _kept_fragments(fragments: list[str]) -> list[str]:
    fragments = serialised_fragments(fragments)
    is_short = max(map(len, fragments)) <= MAX_FRAGMENT
    return fragments if is_short else [each[:MAX_FRAGMENT] for each in fragments]


def _between(rising: list[int], start: int, end: int) -> list[int]:
    """Those of the numbers that are at least `start` and less than `end`."""
    return rising[bisect_left(rising, start) : bisect_left(rising, end)]


def _sparse(usual: str, others: dict[int, str]) -> SparseColumn:
    return SparseColumn(usual, list(others), list(others.values()))


def _empty_or_foreign(tag: str, attributes: Attributes, source: tuple[str, LinkKind]) -> str | None:
    """The target if the attribute is empty or missing; None if there is no link."""
    attribute, kind = source
    if attribute in attributes:
        return "" if kind in _EMPTY_IS_PAGE else None
    return (attributes.get("xlink:href") or None) if tag in _IN_DRAWINGS else None


def _kind_and_text(tag: str, attributes: Attributes, kind: LinkKind) -> tuple[LinkKind, str]:
    """Kind and text of an element of `_TEXT_IN_ATTRIBUTES`: for an alternate, its language."""
    if tag != "link":
        named = label_of(attributes) if tag == "area" else ""
        return kind, attributes.get("alt") or named
    rel = attributes.get("rel")
    kind = kind_by_rel(rel) if rel else LinkKind.OTHER
    return kind, (attributes.get("hreflang") or "") if kind is LinkKind.ALTERNATE else ""
