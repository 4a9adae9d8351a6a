"""Declares what was measured of a page in the browser: how it loads, and how a phone shows it."""

from typing import Annotated, Final

from gossamer.model.fields.field_declaration import ColumnSet, Field, FieldGroup, FieldKind
from gossamer.model.fields.rendering_fields import RenderingFields

_RENDERING: Final = FieldGroup.RENDERING
_TECHNICAL: Final = (ColumnSet.TECHNICAL,)


class PageLoadFields(RenderingFields, frozen=True, array_like=True):
    """All that is kept of a rendered page besides its facts: the rendering and its measurements.

    The times are None unless they were measured: see the setting `lab_metrics`. What a page
    transfers is counted as without any cache.
    """

    fcp_ms: Annotated[
        int | None,
        Field(
            "First Contentful Paint",
            note="Until the first text or image is painted",
            export="First Contentful Paint Time (sec)",
            doc="First Contentful Paint; NULL if it was not measured, or nothing was painted",
            kind=FieldKind.DURATION,
            group=_RENDERING,
            sets=_TECHNICAL,
        ),
    ] = None
    lcp_ms: Annotated[
        int | None,
        Field(
            "Largest Contentful Paint",
            note="Until the largest text or image is painted",
            export="Largest Contentful Paint Time (sec)",
            doc="Largest Contentful Paint, likewise",
            kind=FieldKind.DURATION,
            group=_RENDERING,
            sets=_TECHNICAL,
        ),
    ] = None
    cls: Annotated[
        float | None,
        Field(
            "Cumulative Layout Shift",
            note="How much of the page moves while it is looked at",
            export="Cumulative Layout Shift",
            doc="Cumulative Layout Shift: the largest session window; NULL if it was not measured",
            kind=FieldKind.DECIMAL,
            group=_RENDERING,
            sets=_TECHNICAL,
        ),
    ] = None
    tbt_ms: Annotated[
        int | None,
        Field(
            "Total Blocking Time",
            note="During which scripts keep the page from responding",
            export="Total Blocking Time (sec)",
            doc=(
                "Total Blocking Time: by how much tasks take longer than 50 ms, from First"
                " Contentful Paint on; NULL if it was not measured"
            ),
            kind=FieldKind.DURATION,
            group=_RENDERING,
            sets=_TECHNICAL,
        ),
    ] = None
    dom_elements: Annotated[
        int | None,
        Field(
            "DOM elements",
            note="Elements of the rendered page, without those in shadow roots and frames",
            export="DOM Elements",
            doc="number of elements of the rendered page",
            group=_RENDERING,
        ),
    ] = None
    page_bytes: Annotated[
        int | None,
        Field(
            "Page size",
            note="All that the page transfers when nothing is cached",
            export="Total Page Size (bytes)",
            doc="bytes transferred for the page and all that it loads",
            kind=FieldKind.SIZE,
            group=_RENDERING,
            sets=_TECHNICAL,
        ),
    ] = None
    script_bytes: Annotated[
        int | None,
        Field(
            "JavaScript size",
            export="JavaScript Size (bytes)",
            doc="those of them for scripts",
            kind=FieldKind.SIZE,
            group=_RENDERING,
        ),
    ] = None
    style_bytes: Annotated[
        int | None,
        Field(
            "CSS size",
            export="CSS Size (bytes)",
            doc="those of them for style sheets",
            kind=FieldKind.SIZE,
            group=_RENDERING,
        ),
    ] = None
    image_bytes: Annotated[
        int | None,
        Field(
            "Image size",
            export="Image Size (bytes)",
            doc="those of them for images",
            kind=FieldKind.SIZE,
            group=_RENDERING,
        ),
    ] = None
    font_bytes: Annotated[
        int | None,
        Field(
            "Font size",
            note="Of the files of fonts",
            export="Font Size (bytes)",
            doc="those of them for fonts",
            kind=FieldKind.SIZE,
            group=_RENDERING,
        ),
    ] = None
    third_party_requests: Annotated[
        int | None,
        Field(
            "Third-party requests",
            note="To other registrable domains than that of the page",
            export="Third Party Requests",
            doc="number of requests to other registrable domains, made or not",
            group=_RENDERING,
        ),
    ] = None
    third_party_bytes: Annotated[
        int | None,
        Field(
            "Third-party size",
            export="Third Party Size (bytes)",
            doc="bytes transferred from other registrable domains",
            kind=FieldKind.SIZE,
            group=_RENDERING,
        ),
    ] = None
    small_targets: Annotated[
        int | None,
        Field(
            "Small targets",
            note="Links and buttons too small and too close to others for fingers",
            export="Small Targets",
            doc=(
                "number of links, buttons and fields that are too small and too close to others;"
                " NULL, as the following, for pages that were not rendered as a phone shows them"
            ),
            group=_RENDERING,
        ),
    ] = None
    content_width: Annotated[
        int | None,
        Field(
            "Content width",
            note="On the screen of a phone",
            export="Content Width",
            doc="width of the content on the screen of a phone, in CSS pixels",
            kind=FieldKind.PIXELS,
            group=_RENDERING,
        ),
    ] = None
    small_text_percent: Annotated[
        int | None,
        Field(
            "Small text %",
            note="Share of the text that is less than 12 pixels high on the screen of a phone",
            export="Small Text %",
            doc="share of its characters that are less than 12 px high there, in percent",
            kind=FieldKind.PERCENT,
            group=_RENDERING,
        ),
    ] = None
    covered_percent: Annotated[
        int | None,
        Field(
            "Covered %",
            note="Share of the screen of a phone with something above the content",
            export="Covered %",
            doc="share of the screen on which something stays above the content, in percent",
            kind=FieldKind.PERCENT,
            group=_RENDERING,
        ),
    ] = None
