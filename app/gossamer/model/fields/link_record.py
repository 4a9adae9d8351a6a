"""The record of a link with both its ends, as tables, details and exports show it."""

from typing import Annotated, Final

from msgspec import Struct

from gossamer.model.fields.field_declaration import (
    ColumnSet,
    Derived,
    Field,
    FieldKind,
    declared_fields,
    with_first,
)
from gossamer.model.fields.page_flags import Directive
from gossamer.model.link_kinds import HYPERLINK_KINDS, LinkAction, LinkKind, says_nofollow
from gossamer.model.link_traits import (
    ORIGIN_BITS,
    ORIGIN_SHIFT,
    PATH_TYPE_SHIFT,
    PLACE_BITS,
    LinkOrigin,
    LinkPosition,
    LinkTrait,
    PathType,
    path_type_of,
    position_of_link,
)
from gossamer.model.outcome import Outcome
from gossamer.model.translatable import Word, word

_ESSENTIALS, _SEO, _TECHNICAL = ColumnSet.ESSENTIALS, ColumnSet.SEO, ColumnSet.TECHNICAL
_TECHNICAL_ONLY = (_TECHNICAL,)
_EVERY_SET = (_ESSENTIALS, _SEO, _TECHNICAL)

POSITION_BITS = 20
"""Bits for the position in the id of a link; settings let no page have that many links."""


def link_id(source: int, position: int) -> int:
    """The id of the link at `position` on the URL `source`: rises with both."""
    return source << POSITION_BITS | position


def _follow(rel: str, kind: LinkKind, source_directives: int | None) -> str:
    """Whether search engines may follow it: neither it nor, of a hyperlink, its page objects."""
    is_of_page = kind in HYPERLINK_KINDS and bool((source_directives or 0) & _NOFOLLOW)
    return "false" if is_of_page or says_nofollow(rel) else "true"


def is_alt_text(kind: LinkKind, traits: int) -> bool:
    """Whether the text of a link is the alternative text of an image."""
    return kind is LinkKind.IMAGE or bool(traits & LinkTrait.IMAGE_TEXT)


def _anchor(text: str, kind: LinkKind, traits: int) -> str:
    return "" if is_alt_text(kind, traits) else text


def _alt_text(text: str, kind: LinkKind, traits: int) -> str:
    return text if is_alt_text(kind, traits) else ""


class LinkPositionWord(Word):
    """The part of the page that a link is in, as crawlers name it."""

    HEAD = word("Head")
    NAVIGATION = word("Navigation")
    HEADER = word("Header")
    CONTENT = word("Content")
    ASIDE = word("Aside")
    FOOTER = word("Footer")


class LinkPathType(Word):
    """How the URL of a link is written, as crawlers name it."""

    ABSOLUTE = word("Absolute")
    PROTOCOL_RELATIVE = word("Protocol-Relative")
    ROOT_RELATIVE = word("Root-Relative")
    PATH_RELATIVE = word("Path-Relative")


class LinkOriginName(Word):
    """Where a link was found, as crawlers name it."""

    HTML = word("HTML")
    RENDERED = word("Rendered HTML")
    BOTH = word("HTML & Rendered HTML")


def _place(traits: int) -> LinkPositionWord | None:
    return _PLACES.get(position_of_link(traits))


def _path_type(traits: int) -> LinkPathType | None:
    return _PATH_TYPES.get(path_type_of(traits))


def _origin(traits: int) -> LinkOriginName:
    return _ORIGINS[traits >> ORIGIN_SHIFT & ORIGIN_BITS]


_NOFOLLOW: Final = int(Directive.NOFOLLOW | Directive.NONE)
IS_ALT_TEXT_SQL: Final = (
    f"(l.kind = {int(LinkKind.IMAGE)} OR l.traits & {int(LinkTrait.IMAGE_TEXT)})"
)
"""The SQL of `is_alt_text`."""
_PLACES: Final = {each: LinkPositionWord[each.name] for each in LinkPosition if each}
_ORIGINS: Final = tuple(
    LinkOriginName.HTML if each is LinkOrigin.HTML_ONLY else LinkOriginName[each.name]
    for each in LinkOrigin
)
_ORIGINS_SQL: Final = " ".join(
    f"WHEN {int(each)} THEN '{_ORIGINS[each].value}'" for each in LinkOrigin
)
_PATH_TYPES: Final = {each: LinkPathType[each.name] for each in PathType if each}


class LinkRecord(Struct, frozen=True, array_like=True):
    """A link with both its ends. `position` is its index in the source, in document order."""

    source_id: Annotated[int, Field(sql="l.source")]
    source_url: Annotated[
        str,
        Field(
            "Source",
            export="Source",
            sql="s.url",
            column="source",
            width=40,
            kind=FieldKind.ADDRESS,
            sets=_EVERY_SET,
        ),
    ]
    target_id: Annotated[int, Field(sql="l.target")]
    target_url: Annotated[
        str,
        Field(
            "Destination",
            export="Destination",
            sql="u.url",
            column="target",
            width=40,
            kind=FieldKind.ADDRESS,
            sets=_EVERY_SET,
        ),
    ]
    position: Annotated[
        int,
        Field(
            "Position",
            export="Position",
            sql="l.position",
            width=10,
            kind=FieldKind.POSITION,
            sets=_TECHNICAL_ONLY,
        ),
    ]
    kind: Annotated[
        LinkKind,
        Field(
            "Type",
            export="Type",
            sql="l.kind",
            facet="kind",
            width=14,
            sets=(_ESSENTIALS, _TECHNICAL),
        ),
    ]
    action: Annotated[
        LinkAction,
        Field("Action", export="Action", sql="l.action", sets=(_SEO, _TECHNICAL)),
    ]
    text: Annotated[
        str,
        Field(
            doc="anchor text; the alt text of an image, also of one that is all that a link shows",
            filled="texts",
            pooled=True,
            folded=True,
        ),
    ]
    rel: Annotated[
        str,
        Field(
            "Rel",
            export="Rel",
            doc="the tokens of the `rel` attribute",
            filled="rels",
            width=14,
            sets=(_SEO,),
            pooled=True,
        ),
    ]
    element: Annotated[
        str,
        Field(
            "Element",
            export="Element",
            doc="where the link is: an element, an element and attribute, or a header",
            filled="elements",
            width=14,
            sets=_TECHNICAL_ONLY,
            pooled=True,
        ),
    ]
    fragment: Annotated[
        str,
        Field(
            "Fragment",
            export="Fragment",
            doc="the URL's fragment, such as `#top`; `#` if it is empty, NULL if there is none",
            filled="fragments",
            width=16,
            sets=_TECHNICAL_ONLY,
            pooled=True,
        ),
    ]
    target_outcome: Annotated[
        Outcome,
        Field(
            "Outcome",
            export="Outcome",
            sql="u.outcome",
            column="outcome",
            width=21,
            sets=_TECHNICAL_ONLY,
        ),
    ]
    target_status: Annotated[
        int | None,
        Field(
            "Status code",
            export="Status Code",
            sql="v.status",
            column="status",
            kind=FieldKind.STATUS,
            sets=_EVERY_SET,
        ),
    ] = None
    source_title: Annotated[
        str | None,
        Field(
            "Source title",
            export="Source Title",
            sql="sv.title",
            width=30,
            sets=(_SEO,),
            folded=True,
        ),
    ] = None

    traits: Annotated[int, Field(sql="l.traits")] = 0
    path: Annotated[
        str,
        Field(
            "Link path",
            export="Link Path",
            doc="a short CSS path to the link; NULL for none",
            filled="paths",
            width=30,
            sets=_TECHNICAL_ONLY,
            pooled=True,
        ),
    ] = ""
    window: Annotated[
        str,
        Field(
            "Target",
            note="Where the link opens: _blank for a new window",
            export="Target",
            doc="the `target` attribute, as written",
            filled="windows",
            width=8,
            sets=_TECHNICAL_ONLY,
            pooled=True,
        ),
    ] = ""
    source_directives: Annotated[int | None, Field(sql="sv.directives")] = None

    anchor = Derived(
        _anchor,
        "text",
        "kind",
        "traits",
        field=Field(
            "Anchor",
            note="The text of the link; empty if an image is all that it shows",
            export="Anchor",
            sql=f"CASE WHEN NOT {IS_ALT_TEXT_SQL} THEN link_text.value END",
            width=26,
            sets=(_ESSENTIALS, _SEO),
            folded=True,
        ),
    )
    alt_text = Derived(
        _alt_text,
        "text",
        "kind",
        "traits",
        field=Field(
            "Alt text",
            note="The alternative text of an image, also of one that is all that a link shows",
            export="Alt Text",
            sql=f"CASE WHEN {IS_ALT_TEXT_SQL} THEN link_text.value END",
            width=20,
            sets=(_SEO,),
            folded=True,
        ),
    )
    place = Derived(
        _place,
        "traits",
        field=Field(
            "Link position",
            note="The part of the page that the link is in",
            export="Link Position",
            sql=f"l.traits & {PLACE_BITS}",
            width=14,
            sets=(_SEO, _TECHNICAL),
        ),
    )
    path_type = Derived(
        _path_type,
        "traits",
        field=Field(
            "Path type",
            note="How the URL is written on the page",
            export="Path Type",
            sql=f"l.traits >> {PATH_TYPE_SHIFT} & {PLACE_BITS}",
            width=15,
            sets=_TECHNICAL_ONLY,
        ),
    )
    origin = Derived(
        _origin,
        "traits",
        field=Field(
            "Link origin",
            note="Rendered HTML: a script makes the link, the server did not send it",
            export="Link Origin",
            column="link_origin",
            facet="link_origin",
            sql=f"CASE l.traits >> {ORIGIN_SHIFT} & {ORIGIN_BITS} {_ORIGINS_SQL} END",
            width=20,
            sets=(_SEO, _TECHNICAL),
        ),
    )
    follow = Derived(_follow, "rel", "kind", "source_directives", field=Field(export="Follow"))

    @property
    def id(self) -> int:
        """A unique number, in order of source and position; see `link_id`."""
        return link_id(self.source_id, self.position)


_FIRST_COLUMNS: Final = (
    *("source_url", "target_url", "target_status", "target_outcome", "anchor", "alt_text", "kind"),
    "action",
    *("rel", "place", "origin", "path_type", "window", "path", "element", "fragment"),
    *("position", "source_title"),
)
"""Columns of tables that people expect in this order; others follow."""
_FIRST_EXPORTS: Final = (
    *("kind", "source_url", "target_url", "anchor", "alt_text", "target_status"),
    *("target_outcome", "follow"),
    *("rel", "position", "element", "fragment", "action", "source_title"),
    *("window", "path_type", "path", "place", "origin"),
)
"""The same for exported files."""
LINK_FIELDS: Final = declared_fields(LinkRecord)
LINK_COLUMNS: Final = tuple(
    each for each in with_first(LINK_FIELDS, _FIRST_COLUMNS) if each.is_column
)
LINK_EXPORTS: Final = tuple(
    each for each in with_first(LINK_FIELDS, _FIRST_EXPORTS) if each.field.export
)
