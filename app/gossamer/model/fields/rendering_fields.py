"""Declares what the rendering of a page found out, besides the facts of the rendered page."""

from enum import IntEnum
from typing import Annotated, Final

from msgspec import Struct

from gossamer.model.fields.field_declaration import (
    ColumnSet,
    Field,
    FieldGroup,
    FieldKind,
)

_RENDERING: Final = FieldGroup.RENDERING
_TECHNICAL: Final = (ColumnSet.TECHNICAL,)


class RenderOutcome(IntEnum):
    """How the rendering of a page ended. Stored in `rendering.render_outcome`."""

    RENDERED = 1
    TIMED_OUT = 2
    """It was read as it was when its time ran out."""
    CRASHED = 3
    """The browser's tab crashed twice on it: only its HTML is known."""
    FAILED = 4
    """The browser did not show it: only its HTML is known."""
    NO_BROWSER = 5
    """There is no browser: only its HTML is known."""
    NOT_NEEDED = 6
    """Its HTML has everything, as far as can be seen."""
    OUT_OF_MEMORY = 7
    """It took more memory than a tab may have: only its HTML is known."""


class RenderReason(IntEnum):
    """Why a page was rendered, or was to be. Stored in `rendering.render_reason`."""

    ALWAYS = 1
    """All pages are."""
    NEEDS_SCRIPTS = 2
    """Its HTML is hardly more than scripts, and an element that they fill in."""
    LITTLE_TEXT = 3
    """Its HTML has little text and much script."""
    SAMPLE = 4
    """To see whether rendering makes a difference in its section of the site."""
    SITE_DIFFERS = 5
    """Rendering made a difference on pages of the sample of its section."""


class AccessibilityOutcome(IntEnum):
    """How the check of a page for accessibility ended. Stored in `rendering.accessibility`."""

    CHECKED = 1
    WITHOUT_CONTRAST = 2
    """It took too long, so the contrast of its texts was not measured."""
    FAILED = 3
    """It took too long even so, or axe failed on it."""
    NO_AXE = 4
    """This installation has no axe-core."""


class RenderingFields(Struct, frozen=True, array_like=True):
    """What a browser made of a page, besides the facts and links of the rendered page itself.

    Fields named `html_` describe the HTML as the server sent it: None if the rendered page has the
    same, "" if the HTML has nothing. All are None for pages that were not rendered.
    """

    render_outcome: Annotated[
        RenderOutcome | None,
        Field(
            doc=(
                "1 rendered, 2 read as it was when its time had run out; of the others only the"
                " HTML is known: 3 crashed, 4 failed, 5 there was no browser, 6 not needed, 7 out"
                " of memory"
            )
        ),
    ] = None
    render_reason: Annotated[
        RenderReason | None,
        Field(
            doc=(
                "why it was to be rendered: 1 all pages are, 2 its HTML needs scripts, 3 its HTML"
                " has little text and much script, 4 as a sample, 5 the sample of its section of"
                " the site differs from its HTML; NULL if there was no need"
            )
        ),
    ] = None
    rendered_url: Annotated[
        str | None,
        Field(
            "Rendered address",
            note="The address as scripts have left it, if that is another",
            export="Rendered Address",
            doc="the address as scripts have left it, with its fragment; NULL if it is the same",
            width=36,
            kind=FieldKind.ADDRESS,
            group=_RENDERING,
        ),
    ] = None
    html_title: Annotated[
        str | None,
        Field(
            "Title in the HTML",
            doc="`title` of the HTML; NULL if it is the same, empty if it has none",
            group=_RENDERING,
            in_table=False,
        ),
    ] = None
    html_h1: Annotated[
        str | None,
        Field(
            "H1 in the HTML",
            doc="likewise `h1`",
            group=_RENDERING,
            in_table=False,
        ),
    ] = None
    html_description: Annotated[
        str | None,
        Field(
            "Meta description in the HTML",
            doc="likewise `description`",
            group=_RENDERING,
            in_table=False,
        ),
    ] = None
    html_canonical: Annotated[
        str | None,
        Field(
            "Canonical in the HTML",
            doc="likewise `canonical`",
            kind=FieldKind.ADDRESS,
            group=_RENDERING,
            in_table=False,
        ),
    ] = None
    html_robots: Annotated[
        str | None,
        Field(
            "Meta robots in the HTML",
            doc="likewise `robots`",
            group=_RENDERING,
            in_table=False,
        ),
    ] = None
    html_word_count: Annotated[
        int | None,
        Field(
            "Words in the HTML",
            doc="`word_count` of the HTML; NULL if it is the same",
            group=_RENDERING,
            in_table=False,
        ),
    ] = None
    rendered_links: Annotated[
        int | None,
        Field(
            "JavaScript links",
            note="Hyperlinks that are not in the HTML",
            export="JavaScript Links",
            doc="number of hyperlinks that are not in the HTML",
            group=_RENDERING,
        ),
    ] = None
    page_requests: Annotated[
        int | None,
        Field(
            "Requests",
            note="What the page loads, and what its scripts request",
            export="Requests",
            doc="number of requests of the page, its frames and scripts",
            group=_RENDERING,
            sets=_TECHNICAL,
        ),
    ] = None
    blocked_requests: Annotated[
        int | None,
        Field(
            "Blocked requests",
            note="Not made, mostly because robots.txt or the settings forbid it",
            export="Blocked Requests",
            doc="those of them that were not made",
            group=_RENDERING,
        ),
    ] = None
    failed_requests: Annotated[
        int | None,
        Field(
            "Failed requests",
            note="Without a response, or with an error",
            export="Failed Requests",
            doc="those of them without a usable response",
            group=_RENDERING,
        ),
    ] = None
    console_errors: Annotated[
        int | None,
        Field(
            "Console errors",
            export="JS Error",
            doc="number of errors that it wrote to the console of the browser",
            group=_RENDERING,
            sets=_TECHNICAL,
        ),
    ] = None
    console_warnings: Annotated[
        int | None,
        Field(
            "Console warnings",
            export="JS Warning",
            doc="number of warnings, likewise",
            group=_RENDERING,
        ),
    ] = None
    dialogs: Annotated[
        int | None,
        Field(
            "Dialogs",
            note="Alerts and questions that scripts show, closed at once",
            export="Dialogs",
            doc="number of dialogs that scripts opened",
            group=_RENDERING,
        ),
    ] = None
    load_ms: Annotated[
        int | None,
        Field(
            "Load time",
            note="Until the browser had loaded the page, in a crawl that has many at once",
            export="Load Time",
            doc="time until the browser had loaded it",
            kind=FieldKind.DURATION,
            group=_RENDERING,
        ),
    ] = None
    render_ms: Annotated[
        int | None,
        Field(
            "Rendering time",
            note="Until its scripts had run, too",
            export="Rendering Time",
            doc="time until it was read",
            kind=FieldKind.DURATION,
            group=_RENDERING,
            sets=_TECHNICAL,
        ),
    ] = None
    accessibility: Annotated[
        AccessibilityOutcome | None,
        Field(
            doc=(
                "1 checked for accessibility, 2 checked without the contrast of texts, which took"
                " too long, 3 the check failed, 4 there was no axe-core; NULL if it was not to be"
                " checked"
            )
        ),
    ] = None
    violations: Annotated[
        int | None,
        Field(
            "All violations",
            note="Accessibility rules that the page breaks",
            export="All Violations",
            doc="number of accessibility rules that it breaks; NULL if it was not checked",
            group=_RENDERING,
            sets=_TECHNICAL,
        ),
    ] = None
    violations_20_a: Annotated[
        int | None,
        Field(
            "WCAG 2.0 A violations",
            export="WCAG 2.0 A Violations",
            doc="those of WCAG 2.0, level A",
            group=_RENDERING,
        ),
    ] = None
    violations_20_aa: Annotated[
        int | None,
        Field(
            "WCAG 2.0 AA violations",
            export="WCAG 2.0 AA Violations",
            doc="those of WCAG 2.0, level AA",
            group=_RENDERING,
        ),
    ] = None
    violations_20_aaa: Annotated[
        int | None,
        Field(
            "WCAG 2.0 AAA violations",
            export="WCAG 2.0 AAA Violations",
            doc="those of WCAG 2.0, level AAA",
            group=_RENDERING,
        ),
    ] = None
    violations_21_a: Annotated[
        int | None,
        Field(
            "WCAG 2.1 A violations",
            export="WCAG 2.1 A Violations",
            doc="those that WCAG 2.1 added, level A",
            group=_RENDERING,
        ),
    ] = None
    violations_21_aa: Annotated[
        int | None,
        Field(
            "WCAG 2.1 AA violations",
            export="WCAG 2.1 AA Violations",
            doc="those that WCAG 2.1 added, level AA",
            group=_RENDERING,
        ),
    ] = None
    violations_22_aa: Annotated[
        int | None,
        Field(
            "WCAG 2.2 AA violations",
            export="WCAG 2.2 AA Violations",
            doc="those that WCAG 2.2 added, level AA",
            group=_RENDERING,
        ),
    ] = None
    violations_of_practice: Annotated[
        int | None,
        Field(
            "Best practice violations",
            export="Best Practice Violations",
            doc="those of best practices",
            group=_RENDERING,
        ),
    ] = None
