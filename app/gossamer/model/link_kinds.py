"""Declares each kind of link once: its names, where it is found, what the crawl does with it.

Both parser back ends, the walk in C, settings, store, exports and the window are made from these
declarations. A new kind is a new member of `LinkKind`. Two things are not declared: how
an attribute lists several targets, which is in `extract/css_and_srcset_urls.py`; and attributes of
`<a>` besides href, which `is_for_python` (`extract/native/native_walk.c`) names, for such links are
left to Python.
"""

from collections.abc import Mapping
from enum import Enum, IntEnum, auto
from functools import lru_cache
from typing import NamedTuple, Self

from gossamer.model.translatable import Sentence


class LinkAction(IntEnum):
    """What the crawl does about a link. Stored in `link.action`."""

    FOLLOW = 1
    CHECK = 2
    """The headers of its target are requested."""
    RECORD = 3
    """By the settings for links of this kind."""
    NOFOLLOW = 4
    """Recorded only: the link or its page says nofollow."""


class LinkUse(Enum):
    """What visitors use a link for."""

    NAVIGATION = auto()
    """It takes them to another page: an outlink of its page and an inlink of its target."""
    RESOURCE = auto()
    """It loads a file into its page: an inlink of its target."""
    STATEMENT = auto()
    """It only says something, or is not visible as a link: neither an outlink nor an inlink."""


class LinkKindDeclaration(NamedTuple):
    """The declaration of one kind of link."""

    label: Sentence
    """What the window calls it."""
    export_name: str
    """Its name in exports: the one that other crawlers use."""
    elements: Mapping[str, str] = {}
    """The elements that make such links, each with the attribute that has the target."""
    more_attributes: Mapping[str, str] = {}
    """Elements with such links in a second attribute. One named `srcset` lists several targets."""
    rels: tuple[str, ...] = ()
    """The values of `rel` that make it, in `<link>` and Link headers."""
    meta_names: frozenset[str] = frozenset()
    """The names or properties of `<meta>` elements whose content it is."""
    use: LinkUse = LinkUse.STATEMENT
    action: LinkAction = LinkAction.RECORD
    """What is done about it, unless the settings override that."""
    is_setting: bool = True
    """Whether the settings `follow_kinds` and `check_kinds` decide what is done about it."""
    empty_is_page: bool = False
    """Whether an empty target means the page itself; otherwise such a link is none."""
    query_is_utf_8: bool = False
    """Whether queries are in UTF-8 whatever the page's encoding (HTML Standard §4.10.22.3, CSS)."""


class LinkKind(IntEnum):
    """The element or header that a link was found in. Stored in `link.kind`."""

    declaration: LinkKindDeclaration

    # To type checkers `LinkKind(4)` makes a member, while it looks one up: hence the default.
    def __new__(cls, number: int, declaration: LinkKindDeclaration | None = None) -> Self:
        """Make the member with this number, which keeps its meaning for ever."""
        if declaration is None:
            raise TypeError(f"the link kind {number} has no declaration")
        kind = int.__new__(cls, number)
        kind._value_ = number
        kind.declaration = declaration
        return kind

    ANCHOR = (
        1,
        LinkKindDeclaration(
            "Link",
            "Hyperlink",
            elements={"a": "href"},
            use=LinkUse.NAVIGATION,
            action=LinkAction.FOLLOW,
            empty_is_page=True,
        ),
    )
    AREA = (
        2,
        LinkKindDeclaration(
            "Image map",
            "Image Map",
            elements={"area": "href"},
            use=LinkUse.NAVIGATION,
            action=LinkAction.FOLLOW,
            empty_is_page=True,
        ),
    )
    FRAME = (
        3,
        LinkKindDeclaration(
            "Frame",
            "Frame",
            elements={"iframe": "src", "frame": "src"},
            use=LinkUse.NAVIGATION,
            action=LinkAction.FOLLOW,
        ),
    )
    REDIRECT = (
        4,
        LinkKindDeclaration("Redirect", "Redirect", is_setting=False),
    )
    """The Location of a 3xx response."""
    IMAGE = (
        5,
        LinkKindDeclaration(
            "Image",
            "Image",
            elements={"img": "src", "image": "href"},
            more_attributes={
                "img": "srcset",
                "source": "srcset",
                "link": "imagesrcset",
                "video": "poster",
            },
            use=LinkUse.RESOURCE,
            action=LinkAction.CHECK,
        ),
    )
    SCRIPT = (
        6,
        LinkKindDeclaration(
            "Script",
            "JavaScript",
            elements={"script": "src"},
            use=LinkUse.RESOURCE,
            action=LinkAction.CHECK,
        ),
    )
    STYLESHEET = (
        7,
        LinkKindDeclaration(
            "Style sheet",
            "CSS",
            rels=("stylesheet",),
            use=LinkUse.RESOURCE,
            action=LinkAction.CHECK,
        ),
    )
    CANONICAL = (
        8,
        LinkKindDeclaration(
            "Canonical", "Canonical", rels=("canonical",), action=LinkAction.FOLLOW
        ),
    )
    ALTERNATE = (
        9,
        LinkKindDeclaration("Alternate", "Alternate", rels=("alternate",), action=LinkAction.CHECK),
    )
    PAGINATION = (
        10,
        LinkKindDeclaration(
            "Next or previous",
            "Pagination",
            rels=("next", "prev", "previous"),
            action=LinkAction.CHECK,
        ),
    )
    ICON = (
        11,
        LinkKindDeclaration(
            "Icon",
            "Icon",
            rels=("icon", "apple-touch-icon", "apple-touch-icon-precomposed", "mask-icon"),
            use=LinkUse.RESOURCE,
            action=LinkAction.CHECK,
        ),
    )
    MEDIA = (
        12,
        LinkKindDeclaration(
            "Media",
            "Media",
            elements={
                "video": "src",
                "audio": "src",
                "source": "src",
                "track": "src",
                "embed": "src",
                "object": "data",
            },
            use=LinkUse.RESOURCE,
            action=LinkAction.CHECK,
        ),
    )
    FORM = (
        13,
        LinkKindDeclaration(
            "Form",
            "Form",
            elements={"form": "action"},
            more_attributes={"input": "formaction", "button": "formaction"},
            empty_is_page=True,
            query_is_utf_8=True,
        ),
    )
    OTHER = (
        14,
        LinkKindDeclaration("Other", "Other", elements={"link": "href"}),
    )
    """A `<link>` or Link header with none of the relations of other kinds."""
    META_REFRESH = (
        15,
        LinkKindDeclaration("Meta refresh", "Meta Refresh", empty_is_page=True),
    )
    REFRESH_HEADER = (
        16,
        LinkKindDeclaration("Refresh header", "Refresh Header"),
    )
    CSS = (
        17,
        LinkKindDeclaration(
            "CSS",
            "CSS",
            use=LinkUse.RESOURCE,
            action=LinkAction.CHECK,
            query_is_utf_8=True,
        ),
    )
    """What style sheets and style attributes load: `url()`, `@import` and `image-set()`."""
    OPEN_GRAPH = (
        18,
        LinkKindDeclaration(
            "Open Graph",
            "Open Graph",
            meta_names=frozenset(
                {
                    *("og:url", "og:image", "og:image:url", "og:image:secure_url"),
                    *("og:video", "og:video:url", "og:video:secure_url"),
                    *("og:audio", "og:audio:url", "og:audio:secure_url"),
                    *("twitter:image", "twitter:image:src"),
                }
            ),
        ),
    )
    SITEMAP = (
        19,
        LinkKindDeclaration("Sitemap", "Sitemap", action=LinkAction.FOLLOW, is_setting=False),
    )
    """A page named in a sitemap or feed."""
    SITEMAP_INDEX = (
        20,
        LinkKindDeclaration(
            "Sitemap index",
            "Sitemap Index",
            action=LinkAction.FOLLOW,
            is_setting=False,
        ),
    )
    """A sitemap named in a sitemap index, or in robots.txt."""
    DELAYED_REFRESH = (
        21,
        LinkKindDeclaration(
            "Delayed refresh", "Delayed Refresh", action=LinkAction.FOLLOW, is_setting=False
        ),
    )
    """A refresh, in an element or header, that waits too long to be a redirect."""
    AMP = (
        22,
        LinkKindDeclaration("AMP", "AMP", rels=("amphtml",), action=LinkAction.CHECK),
    )


def _used_for(*uses: LinkUse) -> frozenset[LinkKind]:
    return frozenset(kind for kind in LinkKind if kind.declaration.use in uses)


HYPERLINK_KINDS = (LinkKind.ANCHOR, LinkKind.AREA)
"""Kinds that a visitor clicks."""
OUTLINK_KINDS = _used_for(LinkUse.NAVIGATION)
"""Kinds that take a reader to another page: a page's outlinks."""
INLINK_KINDS = _used_for(LinkUse.NAVIGATION, LinkUse.RESOURCE)
"""Kinds that count as inlinks: what brings a reader to a page, or a file into one."""

# "alternate" says least of all relations: "alternate stylesheet" is a style sheet.
RESOURCE_KINDS = _used_for(LinkUse.RESOURCE)
"""The kinds that bring a file into a page."""
LOADED_KINDS = RESOURCE_KINDS | {LinkKind.FRAME}
"""The kinds of what a browser loads with a page."""
_KINDS_BY_REL = [
    (rel, kind)
    for kind in sorted(LinkKind, key=lambda kind: kind is LinkKind.ALTERNATE)
    for rel in kind.declaration.rels
]


@lru_cache(maxsize=1_000)  # few values occur on a site
def kind_by_rel(rel: str) -> LinkKind:
    """The kind of a `<link>` or Link header with these relations, in any case."""
    tokens = rel.lower().split()
    for name, kind in _KINDS_BY_REL:
        if name in tokens:
            return kind
    return LinkKind.OTHER


def says_nofollow(rel: str) -> bool:
    """Whether the rel of a link, in lower case, has nofollow among its words.

    Google parts them by commas, too ("Qualify your outbound links").
    """
    return "nofollow" in rel and "nofollow" in rel.replace(",", " ").split()
