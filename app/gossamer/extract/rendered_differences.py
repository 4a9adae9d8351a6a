"""Merges a page's HTML with the rendered page, and determines how they differ."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from msgspec.structs import replace

from gossamer.extract.text_statistics import BREAK, words_in_text
from gossamer.model.fields.page_facts import PageFacts
from gossamer.model.fields.page_flags import Directive, RenderFlag
from gossamer.model.link_kinds import OUTLINK_KINDS, LinkKind
from gossamer.model.link_traits import ORIGIN_SHIFT, LinkOrigin, LinkTrait
from gossamer.model.rendering import BlockedBy, PageResource, RenderedImage, ResourceType
from gossamer.model.visit import Extract, Link, PageLinks
from gossamer.urls.url_parsing import without_fragment

_NOINDEX: Final = Directive.NOINDEX | Directive.NONE
_NOFOLLOW: Final = Directive.NOFOLLOW | Directive.NONE
_MIN_DIFFERENCE_BYTES: Final = 4096
"""Between the file of an image as it is, and with as many pixels as its area in the page has."""
_MIN_SIDE_PX: Final = 8
"""Of an image: those that are stretched to rules and gaps are smaller."""
_VECTOR_SUFFIXES: Final = (".svg", ".svgz")
_KINDS_BY_TYPE: Final = {
    ResourceType.SCRIPT: LinkKind.SCRIPT,
    ResourceType.STYLESHEET: LinkKind.STYLESHEET,
    ResourceType.IMAGE: LinkKind.IMAGE,
    ResourceType.FONT: LinkKind.CSS,
    ResourceType.XHR: LinkKind.SCRIPT,
    ResourceType.FETCH: LinkKind.SCRIPT,
}


class PageContentRead(NamedTuple):
    """The content read from a page, from its HTML or as rendered."""

    facts: PageFacts
    targets: Sequence[str]
    links: PageLinks

    @classmethod
    def of(cls, extract: Extract) -> "PageContentRead":
        """The content of an extract."""
        return cls(extract.facts, extract.targets, extract.links)


class LoadedFile(NamedTuple):
    """A file that a rendered page has loaded, or would have, by any means."""

    url: str
    kind: LinkKind
    element: str
    """Stands for the element that it may not have: see `Link`."""


class HtmlValues(NamedTuple):
    """Values of the HTML that differ from the rendered page: see `Rendering`."""

    html_title: str | None
    html_h1: str | None
    html_description: str | None
    html_canonical: str | None
    html_robots: str | None
    html_word_count: int | None


class MarkupBeforeAndAfter(NamedTuple):
    """The body of a page with the charset that Content-Type names, and as rendered, in UTF-8."""

    html: bytes
    charset: str | None
    rendered: bytes


class MergedPage(NamedTuple):
    """The rendered page, with the links of both."""

    facts: PageFacts
    targets: list[str]
    links: PageLinks
    rendered_links: int
    """Hyperlinks that are not in the HTML."""
    html: HtmlValues


def merged(
    html: PageContentRead,
    rendered: PageContentRead,
    flags: int = 0,
    files: Iterable[LoadedFile] = (),
    wrong_sizes: Collection[str] = (),
) -> MergedPage:
    """The page as rendered, its links with their origins, and the differing values of its HTML.

    `flags` are further flags of the rendered page, `wrong_sizes` its images that do not have the
    size at which it shows them. Those of `files` that no element leads to come last, after the
    hyperlinks of the HTML that the rendered page no longer has: a crawler that does not render
    pages follows them.
    """
    in_html = set(_keys(html))
    in_rendered = set(_keys(rendered))
    targets = list(rendered.targets)
    links = [
        _with_origin(link, LinkOrigin.BOTH if key in in_html else LinkOrigin.RENDERED)
        for link, key in zip(rendered.links, _keys(rendered), strict=True)
    ]
    if wrong_sizes:
        links = [_marked(link, targets[link.target] in wrong_sizes) for link in links]
    added = sum(
        key not in in_html and link.kind in OUTLINK_KINDS
        for link, key in zip(links, _keys(rendered), strict=True)
    )
    positions = {target: position for position, target in enumerate(targets)}
    for link, key in zip(html.links, _keys(html), strict=True):
        if key in in_rendered or link.kind not in OUTLINK_KINDS:
            continue
        position = _position_of(html.targets[link.target], targets, positions)
        links.append(_with_origin(link._replace(target=position), LinkOrigin.HTML_ONLY))
    for file in {file.url: file for file in files}.values():
        if not in_rendered.isdisjoint({(file.url, file.kind), (file.url, LinkKind.CSS)}):
            continue
        position = _position_of(file.url, targets, positions)
        link = Link(position, file.kind, element=file.element)
        links.append(_with_origin(link, LinkOrigin.RENDERED))
    if added:
        flags |= RenderFlag.LINKS
    flags |= _flags(html.facts, rendered.facts)
    facts = replace(rendered.facts, javascript=flags)
    return MergedPage(
        facts, targets, PageLinks.of(links), added, _html_values(html.facts, rendered.facts)
    )


def _keys(read: PageContentRead) -> Iterator[tuple[str, int]]:
    """What identifies a link in both: its target, and how it leads there."""
    targets = read.targets
    return ((targets[link.target], link.kind) for link in read.links)


def _position_of(target: str, targets: list[str], positions: dict[str, int]) -> int:
    """The index of `target` in `targets`, to which it is added if it is new."""
    position = positions.setdefault(target, len(targets))
    if position == len(targets):
        targets.append(target)
    return position


def _marked(link: Link, is_wrong_size: bool) -> Link:  # noqa: FBT001 - what it is marked with
    if not is_wrong_size or link.kind is not LinkKind.IMAGE:
        return link
    return link._replace(traits=link.traits | LinkTrait.WRONG_SIZE)


def _with_origin(link: Link, origin: LinkOrigin) -> Link:
    return link._replace(traits=link.traits | origin << ORIGIN_SHIFT)


def _flags(html: PageFacts, rendered: PageFacts) -> int:
    flags = 0
    for was, now, only, updated in (
        (html.title, rendered.title, RenderFlag.TITLE_ONLY_IN_RENDERED, RenderFlag.TITLE_UPDATED),
        (
            html.description,
            rendered.description,
            RenderFlag.DESCRIPTION_ONLY_IN_RENDERED,
            RenderFlag.DESCRIPTION_UPDATED,
        ),
        (html.h1, rendered.h1, RenderFlag.H1_ONLY_IN_RENDERED, RenderFlag.H1_UPDATED),
        (
            html.canonical,
            rendered.canonical,
            RenderFlag.CANONICAL_ONLY_IN_RENDERED,
            RenderFlag.CANONICAL_MISMATCH,
        ),
    ):
        if now and not was:
            flags |= only
        elif now and was != now:
            flags |= updated
    was_told, is_told = html.directives or 0, rendered.directives or 0
    if was_told & _NOINDEX and not is_told & _NOINDEX:
        flags |= RenderFlag.NOINDEX_ONLY_IN_HTML
    if was_told & _NOFOLLOW and not is_told & _NOFOLLOW:
        flags |= RenderFlag.NOFOLLOW_ONLY_IN_HTML
    return flags


def adds_words(html: str, rendered: str) -> bool:
    """Whether the text of a rendered page has words that the text of its HTML lacks.

    A word that it has more often counts, too; positions do not matter.
    """
    if html == rendered:
        return False
    was, now = Counter(html.split(BREAK)), Counter(rendered.split(BREAK))
    # No word spans blocks. Most blocks of a page are the same in both.
    return bool(_words_of(now - was) - _words_of(was - now))


def _words_of(blocks: "Counter[str]") -> "Counter[str]":
    return Counter(words_in_text(BREAK.join(blocks.elements())))


def _html_values(html: PageFacts, rendered: PageFacts) -> HtmlValues:
    is_same = html.word_count == rendered.word_count
    return HtmlValues(
        _if_other(html.title, rendered.title),
        _if_other(html.h1, rendered.h1),
        _if_other(html.description, rendered.description),
        _if_other(html.canonical, rendered.canonical),
        _if_other(html.robots, rendered.robots),
        None if is_same else html.word_count or 0,
    )


def _if_other(was: str | None, now: str | None) -> str | None:
    return None if (was or "") == (now or "") else was or ""


def has_files_blocked_by_robots(resources: Iterable[PageResource]) -> bool:
    """Whether robots.txt keeps any of them from search engines."""
    return any(each.blocked_by is BlockedBy.ROBOTS for each in resources)


def wants_web_sockets(resources: Iterable[PageResource]) -> bool:
    """Whether its scripts requested any."""
    return any(each.blocked_by is BlockedBy.WEB_SOCKET for each in resources)


def loaded_files(
    images: Iterable[RenderedImage], resources: Iterable[PageResource]
) -> list[LoadedFile]:
    """The files of a page that robots.txt blocks, and its background images."""
    files = [
        LoadedFile(each.url, _KINDS_BY_TYPE[each.type], "script")
        for each in resources
        if each.blocked_by is BlockedBy.ROBOTS and each.type in _KINDS_BY_TYPE
    ]
    files += [
        LoadedFile(without_fragment(image.url), LinkKind.CSS, "computed style")
        for image in images
        if image.is_background
    ]
    return files


def wrongly_sized(
    images: Iterable[RenderedImage], resources: Iterable[PageResource]
) -> frozenset[str]:
    """The images of a page whose files seem too large or small for each of their areas.

    Invisible ones, and files without pixels, are left out.
    """
    size_bytes = {each.url: each.size_bytes for each in resources}
    is_fitting: dict[str, bool] = {}
    for image in images:
        url = without_fragment(image.url)
        if _is_measurable(image):
            fits = _difference_bytes(image, size_bytes.get(url, 0)) < _MIN_DIFFERENCE_BYTES
            is_fitting[url] = is_fitting.get(url, False) or fits
    return frozenset(url for url, fits in is_fitting.items() if not fits)


def _is_measurable(image: RenderedImage) -> bool:
    if image.is_background or not (image.width and image.height):
        return False
    is_vector = image.url.partition("?")[0].lower().endswith(_VECTOR_SUFFIXES)
    return min(image.natural_width, image.natural_height) >= _MIN_SIDE_PX and not is_vector


def _difference_bytes(image: RenderedImage, size_bytes: int) -> float:
    share = image.width * image.height / (image.natural_width * image.natural_height)
    return abs(1 - share) * size_bytes
