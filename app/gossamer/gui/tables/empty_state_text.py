"""What a table without rows says: what will appear there, or that nothing did."""

from PySide6.QtCore import QCoreApplication

from gossamer.model.project_queries import View


def empty_words(view: View, *, ended: bool) -> str:
    """What the table of a view says while nothing is filtered; `ended`: no more is to come."""
    if ended:
        return {
            View.ALL: _tr("No address was found."),
            View.PAGES: _tr("No page was found."),
            View.REDIRECTS: _tr("No redirects."),
            View.ERRORS: _tr("No errors."),
            View.BROKEN_LINKS: _tr("No broken links."),
            View.EXTERNAL: _tr("No links to other sites."),
            View.RESOURCES: _tr(
                "No images, scripts or other files that work. Those that do not are on Errors."
            ),
            View.SKIPPED: _tr("Nothing was skipped."),
            View.LINKS: _tr("No links were found."),
        }[view]
    return {
        View.ALL: _tr("No address yet."),
        View.PAGES: _tr("Pages appear here once they have been fetched."),
        View.REDIRECTS: _tr("No redirects so far."),
        View.ERRORS: _tr("No errors so far."),
        View.BROKEN_LINKS: _tr("No broken links so far."),
        View.EXTERNAL: _tr("No links to other sites so far."),
        View.RESOURCES: _tr("Images, scripts and other files that work appear here."),
        View.SKIPPED: _tr("Nothing was skipped so far."),
        View.LINKS: _tr("Links appear here once pages have been read."),
    }[view]


def _tr(text: str) -> str:
    return QCoreApplication.translate("EmptyTable", text)
