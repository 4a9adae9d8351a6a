"""Declares the tabs of the table: name, default columns, message when empty."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QCoreApplication

from gossamer.gui.text.local_formatting import QT_TRANSLATE_NOOP
from gossamer.model.project_queries import Column, View


@dataclass(frozen=True, slots=True)
class TableTab:
    """How a view is shown; texts are English, and translated when they are asked for.

    `columns` are those that a tab has until the person chooses otherwise. Without rows it says
    `none_yet` or, when the crawl finds no more, `none`.
    """

    _name: str
    columns: Sequence[Column]
    _none_yet: str
    _none: str
    _tooltip: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """What the tab is called."""
        return QCoreApplication.translate("FilterBar", self._name)

    @property
    def tooltip(self) -> tuple[str, ...]:
        """What is in it, line by line; nothing where the name says all."""
        return tuple(QCoreApplication.translate("FilterBar", line) for line in self._tooltip)

    def empty_text(self, *, ended: bool) -> str:
        """The placeholder without a filter; `ended`: the crawl finds no more."""
        text = self._none if ended else self._none_yet
        return QCoreApplication.translate("EmptyTable", text)


_OF_LINKS: Final = ("source", "target", "status", "anchor", "kind")
TABS: Final[dict[View, TableTab]] = {
    View.ALL: TableTab(
        QT_TRANSLATE_NOOP("FilterBar", "All"),
        (
            *("address", "status", "outcome", "content_type", "title", "depth", "size", "time"),
            "inlinks",
        ),
        QT_TRANSLATE_NOOP("EmptyTable", "No URLs yet."),
        QT_TRANSLATE_NOOP("EmptyTable", "No URLs found."),
    ),
    View.PAGES: TableTab(
        QT_TRANSLATE_NOOP("FilterBar", "Pages"),
        (
            *("address", "status", "title", "h1", "depth", "words", "size", "time", "inlinks"),
            "outlinks",
        ),
        QT_TRANSLATE_NOOP("EmptyTable", "Pages appear here as they are fetched."),
        QT_TRANSLATE_NOOP("EmptyTable", "No pages found."),
    ),
    View.REDIRECTS: TableTab(
        QT_TRANSLATE_NOOP("FilterBar", "Redirects"),
        (
            *("address", "status", "outcome", "chain_length", "chain_type", "final_url"),
            *("final_status", "inlinks"),
        ),
        QT_TRANSLATE_NOOP("EmptyTable", "No redirects yet."),
        QT_TRANSLATE_NOOP("EmptyTable", "No redirects."),
        (
            QT_TRANSLATE_NOOP("FilterBar", "Every URL that redirects, wherever it was found"),
            QT_TRANSLATE_NOOP(
                "FilterBar", "By a 3xx status code, a Refresh header or a meta refresh"
            ),
        ),
    ),
    View.ERRORS: TableTab(
        QT_TRANSLATE_NOOP("FilterBar", "Errors"),
        ("address", "status", "outcome", "depth", "time", "inlinks"),
        QT_TRANSLATE_NOOP("EmptyTable", "No errors yet."),
        QT_TRANSLATE_NOOP("EmptyTable", "No errors."),
    ),
    View.BROKEN_LINKS: TableTab(
        QT_TRANSLATE_NOOP("FilterBar", "Broken links"),
        (*_OF_LINKS, "outcome"),
        QT_TRANSLATE_NOOP("EmptyTable", "No broken links yet."),
        QT_TRANSLATE_NOOP("EmptyTable", "No broken links."),
        (QT_TRANSLATE_NOOP("FilterBar", "Every link to an error, with the page it is on"),),
    ),
    View.EXTERNAL: TableTab(
        QT_TRANSLATE_NOOP("FilterBar", "External"),
        ("address", "status", "outcome", "inlinks", "time"),
        QT_TRANSLATE_NOOP("EmptyTable", "No external links yet."),
        QT_TRANSLATE_NOOP("EmptyTable", "No external links."),
        (QT_TRANSLATE_NOOP("FilterBar", "URLs on other hosts"),),
    ),
    View.RESOURCES: TableTab(
        QT_TRANSLATE_NOOP("FilterBar", "Resources"),
        ("address", "status", "outcome", "content_type", "size", "time", "inlinks"),
        QT_TRANSLATE_NOOP("EmptyTable", "Working images, scripts and other files appear here."),
        QT_TRANSLATE_NOOP(
            "EmptyTable",
            "No working images, scripts or other files. See Errors for broken ones.",
        ),
        (
            QT_TRANSLATE_NOOP("FilterBar", "Working images, scripts, style sheets and other files"),
            QT_TRANSLATE_NOOP("FilterBar", "See Errors for broken ones"),
        ),
    ),
    View.SKIPPED: TableTab(
        QT_TRANSLATE_NOOP("FilterBar", "Skipped"),
        ("address", "outcome", "inlinks"),
        QT_TRANSLATE_NOOP("EmptyTable", "No skipped URLs yet."),
        QT_TRANSLATE_NOOP("EmptyTable", "No skipped URLs."),
        (
            QT_TRANSLATE_NOOP(
                "FilterBar", "Known, but not requested; see the Outcome column for the reason"
            ),
        ),
    ),
    View.LINKS: TableTab(
        QT_TRANSLATE_NOOP("FilterBar", "Links"),
        (*_OF_LINKS, "position"),
        QT_TRANSLATE_NOOP("EmptyTable", "Links appear here as pages are parsed."),
        QT_TRANSLATE_NOOP("EmptyTable", "No links found."),
    ),
}
"""The tab of each view."""
