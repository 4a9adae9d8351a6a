"""Extracts links from parsed elements: target, kind, text and attributes."""

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from itertools import repeat

from gossamer.extract.link_header import link_header
from gossamer.extract.link_targets import MAX_FRAGMENT, NO_TARGET, Targets
from gossamer.extract.link_trait_reader import image_traits
from gossamer.extract.parsed_elements import ALT_MARK, NO_ANCHORS, Anchors, Element
from gossamer.extract.relevant_headers import JudgedHeaders
from gossamer.extract.written_links import (
    EMPTY_IS_PAGE,
    WrittenLink,
    link_text,
    rel_tokens,
    written_links,
)
from gossamer.model.link_kinds import HYPERLINK_KINDS, LinkKind
from gossamer.model.link_traits import LinkTrait
from gossamer.model.visit import IndexedColumn, PageLinks, SparseColumn
from gossamer.urls.query_encoding import QueryEncoding
from gossamer.urls.refresh_directive import MAX_REDIRECT_DELAY_S, parse_refresh
from gossamer.urls.url_joining import Base
from gossamer.urls.url_parsing import serialised_fragment, serialised_fragments

MAX_LINKS = 50_000
"""The largest value of `CrawlSettings.max_links`."""

_IN_UTF_8 = frozenset(kind for kind in LinkKind if kind.declaration.query_is_utf_8)

_IMAGE_TEXT = int(LinkTrait.IMAGE_TEXT)
_CLICKED = (LinkKind.ANCHOR, LinkKind.AREA)
_USUAL_ELEMENT = "a"
_ANCHOR = bytes([LinkKind.ANCHOR])
_FEW_PARTS = 4
"""Where more than one in so many links leads to a part of a page, hrefs are mostly repeated."""
_UTF_8_QUERY = QueryEncoding("utf-8", "utf-8")


class Links:
    """The links of one page as they are found, and their targets.

    `base` is what they are relative to. There are at most `limit`; `are_cut` says that there were
    more. With `hash_routes`, those of its origin are targets of hyperlinks. `document_url` is that
    of the page, if its forms matter.
    """

    def __init__(
        self, base: Base, limit: int, *, hash_routes: bool = False, document_url: str = ""
    ) -> None:
        self._numbers: list[int] = []
        self._kinds = bytearray()
        self._texts: list[str] = []
        # Where nearly all links have the same, the differing ones by position.
        self._rels: dict[int, str] = {}
        self._elements: dict[int, str] = {}
        self._windows: dict[int, str] = {}
        # On some sites, half of all links have a fragment.
        self._fragment_positions: list[int] = []
        self._fragments: list[str] = []
        self._traits: list[int] = []
        self._paths: list[int] = []
        self._path_texts = [""]
        self._path_here = 0
        """The index of the path of the element whose links are added."""
        self.unclear: list[int] = []
        """The positions of hyperlinks whose texts may say nothing about the target."""
        self.are_cut = False
        self._limit = limit
        self._targets = Targets(base)
        self._has_hash_routes = hash_routes
        self._document_url = document_url
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
            SparseColumn("", self._fragment_positions, self._fragments),
            self._traits if any(self._traits) else [],
            IndexedColumn(self._path_texts, self._paths) if any(self._paths) else IndexedColumn(),
            _sparse("", self._windows),
        )

    def add_headers(self, headers: JudgedHeaders, url: str) -> None:
        """Add links of Link headers, and of a delayed Refresh header, in the response for `url`."""
        for value in headers.get("refresh", ()):
            self._add_refresh(value, url)
        if "link" not in headers:
            return
        for target, kind, text, rel, *_ in link_header(headers["link"], url):
            if target or kind in EMPTY_IS_PAGE:
                line, tokens = link_text(text), rel_tokens(rel)
                self._add(WrittenLink(target, kind, "Link header", line, tokens))

    def _add_refresh(self, header: str, url: str) -> None:
        refresh = parse_refresh(header, url)
        if refresh is not None and refresh.delay_s > MAX_REDIRECT_DELAY_S:
            self._add(WrittenLink(refresh.url, LinkKind.DELAYED_REFRESH, "Refresh header"))

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
            # Most headings and scripts of a page have no attributes.
            if not (element[1] or element[0] == "style"):
                continue
            links = written_links(element)
            if not links:
                continue
            if end > done:
                self._add_anchors(anchors, done, end)
                done = end
            if self.are_cut:
                return
            self._add_element(element, links)
        if done < len(anchors.hrefs):
            self._add_anchors(anchors, done, len(anchors.hrefs))

    def add_style_sheet(self, urls: Iterable[str]) -> None:
        """Add what a style sheet loads that is a file of its own."""
        for url in urls:
            if self.are_cut:
                return
            if url[:5].lower() != "data:":
                self._add(WrittenLink(url, LinkKind.CSS, "style sheet"))

    def _add_element(self, element: Element, links: Iterable[WrittenLink]) -> None:
        tag, _, _, place, self._path_here = element
        of_image = self._image_traits(element) if tag == "img" else 0
        has_main = False
        for link in links:
            is_main = link.element == tag
            has_main = has_main or is_main
            # Without a main link, an image shows what its srcset lists.
            is_shown = is_main or not has_main
            self._add(link, place | of_image if is_shown else place)

    def _image_traits(self, element: Element) -> int:
        is_after_empty = bool(self._texts) and not self._texts[-1]
        path = self._path_texts[element.path]
        return image_traits(element, path, after_empty_link=is_after_empty)

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
            texts[index - start] = link_text(text)
        first = bisect_left(anchors.fragment_indexes, start)
        indexes = _between(anchors.fragment_indexes, start, end)
        fragments = anchors.fragments[first : first + len(indexes)]
        if self._has_hash_routes and fragments:
            by_index = dict(zip(indexes, fragments, strict=True))
            numbers = self._with_hash_routes(hrefs, start, by_index)
            indexes, fragments = list(by_index), list(by_index.values())
        else:
            numbers = self._numbers_of(hrefs, len(fragments))
        position = len(self._numbers)
        if NO_TARGET in numbers or position + len(numbers) > self._limit:
            by_index = dict(zip(indexes, fragments, strict=True))
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
        self._fragment_positions += map(shift.__add__, indexes)
        self._fragments += fragments

    def _numbers_of(self, hrefs: list[str], fragments: int) -> list[int]:
        """The numbers of these targets, so many of which have a fragment."""
        if fragments * _FEW_PARTS > len(hrefs):
            return self._targets.numbers_of_parts(hrefs)
        return self._targets.numbers(hrefs)

    def _with_hash_routes(
        self, hrefs: list[str], start: int, fragments: dict[int, str]
    ) -> list[int]:
        """The numbers of these targets, the first of which has the index `start`.

        Removes the fragments, which are by index, that are a part of their target.
        """
        numbers = []
        for index, href in enumerate(hrefs, start):
            number = self._targets.hash_route(href, fragments.get(index, ""))
            if number >= 0:
                del fragments[index]
            else:
                number, _ = self._targets.number(href)
            numbers.append(number)
        return numbers

    def _add(self, link: WrittenLink, place: int = 0) -> None:
        """Add a link, with the traits that it has from the place of its element."""
        if self.are_cut:
            return
        href, kind, element, text, rel, window, path_bits, traits = link
        traits |= place
        if traits:
            traits |= path_bits
        position = len(self._numbers)
        number, fragment = self._numbered(href, kind)
        self._append(number, kind, element, text, rel, fragment, traits)
        if window and len(self._numbers) > position:
            self._windows[position] = window

    def _numbered(self, href: str, kind: LinkKind) -> tuple[int, str]:
        """The number of the target, negative if it is none, and the fragment."""
        if not href and kind is LinkKind.FORM:
            # Whatever `<base>` says (HTML Standard §4.10.22.3, "form submission algorithm").
            href = self._document_url
        if self._has_own_encoding and kind in _IN_UTF_8:
            href = _UTF_8_QUERY(href)
        if self._has_hash_routes and kind in HYPERLINK_KINDS:
            address, mark, route = href.partition("#")
            number = self._targets.hash_route(address, serialised_fragment(mark + route))
            if number >= 0:
                return number, ""
        return self._targets.number(href)

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
        if rel:
            self._rels[position] = rel
        if element != _USUAL_ELEMENT:
            self._elements[position] = element
        if fragment:
            self._fragment_positions.append(position)
            self._fragments.append(fragment)
        self._numbers.append(number)
        self._kinds.append(kind)
        self._texts.append(text)
        self._traits.append(traits)
        self._paths.append(self._path_here)


def _kept_fragments(fragments: list[str]) -> list[str]:
    fragments = serialised_fragments(fragments)
    is_short = max(map(len, fragments)) <= MAX_FRAGMENT
    return fragments if is_short else [each[:MAX_FRAGMENT] for each in fragments]


def _between(rising: list[int], start: int, end: int) -> list[int]:
    """Those of the numbers that are at least `start` and less than `end`."""
    return rising[bisect_left(rising, start) : bisect_left(rising, end)]


def _sparse(usual: str, others: dict[int, str]) -> SparseColumn:
    return SparseColumn(usual, list(others), list(others.values()))
