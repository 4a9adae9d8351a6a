"""Declares the tabs of the details."""

from operator import attrgetter
from typing import TYPE_CHECKING, Final

from gossamer.gui.details.detail_tab_widget import DetailTab
from gossamer.gui.details.detail_views import DetailViews
from gossamer.gui.text.local_formatting import translator

if TYPE_CHECKING:
    from gossamer.gui.details.detail_tab_widget import RowList

_tr = translator("DetailsPanel")
_TABLE: Final = attrgetter("table")
"""Where a view of more parts has its list."""


def usual_tabs() -> tuple[DetailTab, ...]:
    """What people look for most comes first: a narrow window has the first few in sight."""
    return (
        DetailTab("summary", _tr("Summary"), DetailViews.summary),
        DetailTab(
            "inlinks",
            _tr("Inlinks"),
            DetailViews.inlinks,
            _itself,
            _tr("Links to the selected URL appear here."),
            _tr("No inlinks."),
        ),
        DetailTab(
            "outlinks",
            _tr("Outlinks"),
            DetailViews.outlinks,
            _itself,
            _tr("Links on the selected page appear here."),
            _tr("No outlinks."),
        ),
        DetailTab(
            "chain",
            _tr("Redirect chain"),
            DetailViews.chain,
            _itself,
            _tr("Redirects through the selected URL appear here."),
            _tr("This URL does not redirect, and no URL redirects to it."),
        ),
        DetailTab(
            "headers",
            _tr("Headers"),
            DetailViews.headers,
            _itself,
            _tr("Response headers appear here."),
            _tr("No response, so there are no headers."),
        ),
        DetailTab(
            "duplicates",
            _tr("Duplicates"),
            DetailViews.duplicates,
            _TABLE,
            _tr("Pages that are like the selected one appear here."),
            _tr("No duplicates found. They are looked for by the site audit."),
        ),
        DetailTab(
            "hreflang",
            _tr("Hreflang"),
            DetailViews.hreflang,
            _itself,
            _tr("The versions of the selected page in other languages appear here."),
            _tr("The page names no versions in other languages."),
        ),
        DetailTab(
            "images",
            _tr("Images"),
            DetailViews.images,
            _TABLE,
            _tr("The images of the selected page appear here."),
            _tr("No images."),
        ),
        DetailTab(
            "headings",
            _tr("Headings"),
            DetailViews.headings,
            _itself,
            _tr("The headings of the selected page appear here."),
            _tr("No headings."),
        ),
        DetailTab("source", _tr("Source"), DetailViews.source_tab),
        DetailTab("structured-data", _tr("Structured data"), DetailViews.structured_data),
    )


def other_tabs() -> tuple[DetailTab, ...]:
    """What fewer people look for, and what is asked of few URLs."""
    return (
        DetailTab(
            "resources",
            _tr("Resources"),
            DetailViews.resources,
            _itself,
            _tr("Scripts, style sheets and other files of the selected page appear here."),
            _tr("No scripts, style sheets or other files."),
        ),
        DetailTab("snippet", _tr("Search result"), DetailViews.snippet),
        DetailTab("rendered-page", _tr("Rendered page"), DetailViews.rendered_page),
        DetailTab("view", _tr("View"), DetailViews.stored_page),
        DetailTab(
            "spelling",
            _tr("Spelling"),
            DetailViews.text_errors,
            _itself,
            _tr("The misspelt words of the selected page appear here."),
            _tr("No spelling or grammar errors. The settings say what is checked."),
        ),
        DetailTab(
            "cookies",
            _tr("Cookies"),
            DetailViews.cookies,
            _itself,
            _tr("Cookies set by the response appear here."),
            _tr("The response sets no cookies."),
        ),
        DetailTab("notes", _tr("Notes"), DetailViews.notes),
        DetailTab(
            "crawlers",
            _tr("Crawlers"),
            DetailViews.crawlers,
            _itself,
            _tr("Which crawlers may fetch the selected URL appears here."),
            _tr("The robots.txt of this host was not requested."),
        ),
    )


def _itself(view: "RowList") -> "RowList":
    """A view that is a list."""
    return view
