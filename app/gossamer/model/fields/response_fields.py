"""Declares the fields of a response, such as status, headers and times."""

from typing import Annotated

from msgspec import Struct

from gossamer.model.fields.field_declaration import ColumnSet, Field, FieldGroup, FieldKind
from gossamer.model.freshness import Freshness
from gossamer.model.outcome import Outcome
from gossamer.model.outcome_details import Detail
from gossamer.model.redirect_types import RedirectKind
from gossamer.model.response_warnings import Warnings
from gossamer.model.timestamps import Time

_PAGE, _RESPONSE = FieldGroup.PAGE, FieldGroup.RESPONSE
_ESSENTIALS, _SEO, _TECHNICAL = ColumnSet.ESSENTIALS, ColumnSet.SEO, ColumnSet.TECHNICAL
_TECHNICAL_ONLY = (_TECHNICAL,)


class ResponseFields(Struct, frozen=True, array_like=True):
    """The fields of a response that a page worker reports and the project file keeps.

    The record of a URL has None for all of them until it is requested, and for an empty
    `content_type`, `charset` or `robots_header`. `outcome` is what the page worker saw, and is not
    kept: the crawl decides it.
    """

    outcome: Outcome
    status: Annotated[
        int | None,
        Field(
            "Status code",
            facet="status",
            example="use a status code such as 404",
            export="Status Code",
            compared=True,
            doc="HTTP status; NULL without a usable response",
            kind=FieldKind.STATUS,
            sets=(_ESSENTIALS, _SEO, _TECHNICAL),
            most=9999,
        ),
    ] = None
    reason: Annotated[
        str | None, Field(doc="the reason phrase after the status, as sent", always=True)
    ] = None
    warnings: Annotated[
        Warnings,
        Field(
            "Warnings",
            facet="warning",
            note=(
                "Content cut at a limit, and malformed responses that were read as browsers read "
                "them"
            ),
            export="Warnings",
            doc=(
                "problems of a response that was used anyway: [codes](#warnings), space-separated,"
                " such as `size-limit duplicate-content-length`; NULL for none"
            ),
            width=30,
            sets=_TECHNICAL_ONLY,
        ),
    ] = ()
    redirect_kind: Annotated[
        RedirectKind | None,
        Field(
            "Redirect type",
            doc=(
                '1 a 3xx status, 2 a Refresh header, 3 a `<meta http-equiv="refresh">`, 4 a script'
                " of the page; NULL if it is not a redirect"
            ),
            group=_PAGE,
            in_table=False,
        ),
    ] = None
    robots_header: Annotated[
        str | None,
        Field(
            "X-Robots-Tag",
            export="X-Robots-Tag 1",
            doc="the directives of X-Robots-Tag that apply to the crawler",
            group=_PAGE,
            width=20,
            pooled=True,
        ),
    ] = None
    content_type: Annotated[
        str | None,
        Field(
            "Content type",
            facet="content_type",
            unknown="",
            export="Content Type",
            doc="MIME type without parameters, in lower case",
            width=17,
            group=_RESPONSE,
            sets=(_ESSENTIALS, _TECHNICAL),
            pooled=True,
        ),
    ] = None
    charset: Annotated[
        str | None, Field(export="Charset", doc="the encoding used to decode the body", pooled=True)
    ] = None
    size_bytes: Annotated[
        int | None,
        Field(
            "Size",
            export="Size (bytes)",
            doc=(
                "size of the decoded body; of what was not decoded, the size as sent or stated;"
                " NULL if neither is known"
            ),
            column="size",
            kind=FieldKind.SIZE,
            group=_RESPONSE,
            sets=_TECHNICAL_ONLY,
        ),
    ] = None
    raw_bytes: Annotated[
        int | None,
        Field(export="Transferred (bytes)", doc="size of the body as transferred", always=True),
    ] = None
    resource_bytes: Annotated[
        int | None,
        Field(
            doc=(
                "size of all bodies received for what the rendered page loads, as transferred,"
                " without those that the crawl had received before; NULL if the page loads nothing"
            )
        ),
    ] = None
    ttfb_ms: Annotated[
        int | None,
        Field(doc="the server's time to the response headers, including connecting"),
    ] = None
    elapsed_ms: Annotated[
        int | None,
        Field(
            "Response time",
            facet="time",
            export="Response Time",
            doc="the server's time to the last byte read",
            column="time",
            width=14,
            kind=FieldKind.DURATION,
            group=_RESPONSE,
            sets=_TECHNICAL_ONLY,
        ),
    ] = None
    fetched_at: Annotated[
        Time | None,
        Field(
            "Crawl timestamp",
            export="Crawl Timestamp",
            doc="time of the response",
            width=18,
            group=_RESPONSE,
            sets=_TECHNICAL_ONLY,
            always=True,
        ),
    ] = None
    detail: Annotated[
        Detail | None,
        Field(
            export="Detail",
            doc="more about the response or the failure: a [detail](#details)",
            sql="coalesce(v.detail, url_detail.value)",
        ),
    ] = None
    content_type_header: Annotated[
        str | None, Field(doc="the Content-Type header as sent", pooled=True)
    ] = None
    http_version: Annotated[
        str | None,
        Field(
            "HTTP version",
            export="HTTP Version",
            doc="the version of HTTP in the status line, such as `1.1`",
            group=_RESPONSE,
            width=10,
            sets=_TECHNICAL_ONLY,
            pooled=True,
        ),
    ] = None
    cookies: Annotated[
        str | None,
        Field(
            "Cookies",
            note="The names of the cookies that it sets",
            export="Cookies",
            doc="the names of the cookies that it sets, separated by `; `",
            width=16,
            sets=_TECHNICAL_ONLY,
            pooled=True,
        ),
    ] = None
    says_new: Annotated[
        bool | None,
        Field(
            doc=(
                "1 if it said something that no page before it had said, for the [trap limit]"
                "(settings.md#sites-without-end); else 0"
            ),
        ),
    ] = None
    phrases_hash: Annotated[
        int | None,
        Field(
            doc=(
                "a hash of 32 bits of what the page says outside of its links, the same for the "
                "same text, by which a recrawl knows it; NULL if it is not a page"
            ),
        ),
    ] = None
    freshness: Annotated[
        Freshness | None,
        Field(
            doc=(
                "of a recrawl, how the response compares with that of the earlier project: 1 "
                "the server says that it is not modified (304), 2 it was not due and not "
                "requested, 3 fetched and the same, 4 fetched and different, 5 the earlier "
                "project has none; NULL otherwise"
            ),
        ),
    ] = None
    unchanged_since: Annotated[
        Time | None,
        Field(
            "Unchanged since",
            note="When a crawl of this series first saw the content as it is now",
            export="Unchanged Since",
            doc=(
                "of a recrawl, the time of the first response of this series with the same content;"
                " NULL otherwise"
            ),
            width=18,
            group=_RESPONSE,
            sets=_TECHNICAL_ONLY,
        ),
    ] = None
