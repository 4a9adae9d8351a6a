"""All views of a project that can be exported, by name, in the order of lists."""

from difflib import get_close_matches
from typing import Final

from gossamer.export.export_selection import ExportView
from gossamer.export.formats import REPORT
from gossamer.export.link_sheets import BROKEN_LINKS, LINKS
from gossamer.export.redirect_views import REDIRECTS
from gossamer.export.sitemap_sheet import SITEMAP
from gossamer.export.url_views import ALL, ERRORS, EXTERNAL, PAGES, RESOURCES, SITEMAP_CHECK
from gossamer.model.errors import UsageError

VIEWS: Final = {
    view.name: view
    for view in (
        *(PAGES, REDIRECTS, LINKS, ERRORS, BROKEN_LINKS, RESOURCES, EXTERNAL, ALL, SITEMAP_CHECK),
        *(REPORT, SITEMAP),
    )
}


def view_named(name: str) -> ExportView:
    """The view with this name. UsageError, with the names that are like it, if there is none."""
    if name in VIEWS:
        return VIEWS[name]
    known = ", ".join(get_close_matches(name, VIEWS, cutoff=0.4) or VIEWS)
    raise UsageError("Unknown view {name!r}; choose {known}.", name=name, known=known)
