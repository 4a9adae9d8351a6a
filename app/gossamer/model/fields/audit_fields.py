"""Declares what the site audit finds out about a URL from the whole crawl."""

from typing import Annotated

from msgspec import Struct

from gossamer.model.fields.field_declaration import ColumnSet, Field, FieldGroup, FieldKind

_PAGE, _PLACE = FieldGroup.PAGE, FieldGroup.PLACE
_SEO = (ColumnSet.SEO,)


class AuditFields(Struct, frozen=True, array_like=True):
    """What the stages of the site audit store about a URL; None where they have not run.

    A link is external if its target is not in the scope of the crawl.
    """

    link_score: Annotated[
        int | None,
        Field(
            "Link score",
            note="How strongly the site's own links point here, from 0 to 100",
            export="Link Score",
            doc="PageRank over internal followed links, on a logarithmic scale from 0 to 100",
            width=10,
            group=_PLACE,
            sets=_SEO,
            most=100,
        ),
    ] = None
    internal_outlinks: Annotated[
        int | None,
        Field(
            "Internal outlinks",
            export="Internal Outlinks",
            doc="number of hyperlinks on the page to internal URLs",
            group=_PLACE,
        ),
    ] = None
    unique_outlinks: Annotated[
        int | None,
        Field(
            "Unique outlinks",
            export="Unique Outlinks",
            doc="number of internal URLs that they lead to",
            group=_PLACE,
        ),
    ] = None
    external_outlinks: Annotated[
        int | None,
        Field(
            "External outlinks",
            export="External Outlinks",
            doc="number of hyperlinks on the page to external URLs",
            group=_PLACE,
            sets=_SEO,
        ),
    ] = None
    unique_external_outlinks: Annotated[
        int | None,
        Field(
            "Unique external outlinks",
            export="Unique External Outlinks",
            doc="number of external URLs that they lead to",
            group=_PLACE,
        ),
    ] = None
    unique_js_inlinks: Annotated[
        int | None,
        Field(
            "Unique JS inlinks",
            note="Pages that link here with links that are not in their HTML",
            export="Unique JS Inlinks",
            doc="number of rendered pages with hyperlinks to it that are not in their HTML",
            group=_PLACE,
        ),
    ] = None
    unique_js_outlinks: Annotated[
        int | None,
        Field(
            "Unique JS outlinks",
            note="Internal URLs that it links to with links that are not in its HTML",
            export="Unique JS Outlinks",
            doc="number of internal URLs that hyperlinks lead to which are not in its HTML",
            group=_PLACE,
        ),
    ] = None
    unique_external_js_outlinks: Annotated[
        int | None,
        Field(
            "Unique external JS outlinks",
            note="External URLs that it links to with links that are not in its HTML",
            export="Unique External JS Outlinks",
            doc="number of external URLs, likewise",
            group=_PLACE,
        ),
    ] = None
    near_duplicate_match: Annotated[
        int | None,
        Field(
            "Closest near duplicate",
            note="How much of its text the most similar page shares",
            export="Closest Near Duplicate Match",
            doc="how much of its text the most similar page shares, in percent",
            kind=FieldKind.PERCENT,
            sets=_SEO,
            most=100,
        ),
    ] = None
    near_duplicates: Annotated[
        int | None,
        Field(
            "Near duplicates",
            note="Pages with nearly the same text",
            export="No. Near Duplicates",
            doc="number of pages with nearly the same text",
            sets=_SEO,
        ),
    ] = None
    near_duplicate_id: Annotated[int | None, Field(doc="the most similar of them")] = None
    duplicate_id: Annotated[
        int | None, Field(doc="the first page with the same content, if it is another one")
    ] = None
    near_duplicate: Annotated[
        str | None,
        Field(
            "Most similar page",
            export="Closest Near Duplicate Address",
            sql="nd.url",
            width=36,
            kind=FieldKind.ADDRESS,
            group=_PAGE,
            sets=_SEO,
        ),
    ] = None
    duplicate_of: Annotated[
        str | None,
        Field(
            "Duplicate of",
            note="The first page with the same content",
            export="Duplicate Of",
            sql="dp.url",
            width=36,
            kind=FieldKind.ADDRESS,
            group=_PAGE,
            sets=_SEO,
        ),
    ] = None
