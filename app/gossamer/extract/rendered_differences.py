"""Puts together what a page's HTML and the rendered page say, and tells how they differ."""

from collections.abc import Collection, Iterator, Sequence
from typing import Final, NamedTuple

from msgspec.structs import replace

from gossamer.model.fields.page_facts import PageFacts
from gossamer.model.link_kinds import OUTLINK_KINDS
from gossamer.model.page_flags import ORIGIN_SHIFT, Directive, LinkOrigin, RenderFlag
from gossamer.model.visit import Extract, Link, PageLinks

_NOINDEX: Final = Directive.NOINDEX | Directive.NONE
_NOFOLLOW: Final = Directive.NOFOLLOW | Directive.NONE
_MORE_WORDS: Final = 1.0


class PageContentRead(NamedTuple):
    """What was read of a page, of its HTML or as rendered."""

    facts: PageFacts
    targets: Sequence[str]
    links: PageLinks

    @classmethod
    def of(cls, extract: Extract) -> "PageContentRead":
        """That of an extract."""
        return cls(extract.facts, extract.targets, extract.links)


class HtmlValues(NamedTuple):
    """What the HTML says where the rendered page says something else: see `Rendering`."""

    html_title: str | None
    html_h1: str | None
    html_description: str | None
    html_canonical: str | None
    html_robots: str | None
    html_word_count: int | None


class MergedPage(NamedTuple):
    """The rendered page, with the links of both."""

    facts: PageFacts
    targets: list[str]
    links: PageLinks
    rendered_links: int
    """Hyperlinks that are not in the HTML."""
    html: HtmlValues


def merged(html: PageContentRead, rendered: PageContentRead, flags: int = 0) -> MergedPage:
    """The page as rendered, its links with their origins, and what its HTML says instead.

    `flags` are further flags of the rendered page. Hyperlinks of the HTML that the rendered page
    has no more come last: a crawler that does not render pages follows them.
    """
    in_html = set(_keys(html))
    in_rendered = set(_keys(rendered))
    targets = list(rendered.targets)
    links = [
        _with_origin(link, LinkOrigin.BOTH if key in in_html else LinkOrigin.RENDERED)
        for link, key in zip(rendered.links, _keys(rendered), strict=True)
    ]
    added = sum(
        key not in in_html and link.kind in OUTLINK_KINDS
        for link, key in zip(links, _keys(rendered), strict=True)
    )
    positions = {target: position for position, target in enumerate(targets)}
    for link, key in zip(html.links, _keys(html), strict=True):
        if key in in_rendered or link.kind not in OUTLINK_KINDS:
            continue
        target = html.targets[link.target]
        if target not in positions:
            positions[target] = len(targets)
            targets.append(target)
        links.append(_with_origin(link._replace(target=positions[target]), LinkOrigin.HTML_ONLY))
    if added:
        flags |= RenderFlag.LINKS
    flags |= _flags(html.facts, rendered.facts)
    facts = replace(rendered.facts, javascript=flags)
    return MergedPage(
        facts, targets, PageLinks.of(links), added, _html_values(html.facts, rendered.facts)
    )


def _keys(read: PageContentRead) -> Iterator[tuple[str, int]]:
    """What makes a link the same in both: where it leads, and how."""
    targets = read.targets
    return ((targets[link.target], link.kind) for link in read.links)


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
    if (rendered.word_count or 0) > (html.word_count or 0) * _MORE_WORDS:
        flags |= RenderFlag.CONTENT
    return flags


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


def image_flags(sizes: Collection[tuple[int, int, int, int, bool]]) -> int:
    """The flags of images: width and height of the file, of the place, and if a background."""
    flags = 0
    for natural_width, natural_height, width, height, is_background in sizes:
        if is_background:
            flags |= RenderFlag.BACKGROUND_IMAGES
        elif width and height and (natural_width > width or natural_height > height):
            flags |= RenderFlag.WRONG_SIZE_IMAGES
    return flags
