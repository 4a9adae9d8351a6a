"""Declares the tabs of the table: name, default columns, message when empty.

There is one for each view, one for each group of audit rules, and the Issues tab.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

from PySide6.QtCore import QCoreApplication

from gossamer.audit.group_columns import GROUP_COLUMNS, INDEXABILITY
from gossamer.audit.site_rule import RuleGroup, SiteRule
from gossamer.gui.text.local_formatting import QT_TRANSLATE_NOOP
from gossamer.gui.text.translated_sentences import spoken
from gossamer.gui.widgets.help_context import page_about
from gossamer.model.custom_definitions import (
    CustomDefinition,
    CustomExtraction,
    CustomSearch,
    column_of,
)
from gossamer.model.fields.url_record import URL_COLUMNS
from gossamer.model.issue_columns import issue_column
from gossamer.model.project_queries import Column, Facet, Value, View, facet_values
from gossamer.model.translatable import Translatable

TabKey: TypeAlias = str
"""A view, a group of rules, ISSUES, or one of CUSTOM_TABS."""
ISSUES: Final = "issues"
CUSTOM_TABS: Final[dict[TabKey, type[CustomSearch] | type[CustomExtraction]]] = {
    "custom_search": CustomSearch,
    "custom_extraction": CustomExtraction,
}
"""The tabs of custom definitions, and the kind that each is about."""


@dataclass(frozen=True, slots=True)
class TableTab:
    """How rows are shown; texts are English, and translated on use.

    `columns` are those that a tab has until the user chooses others. Without rows it says
    `none_yet` or, when the crawl finds no more, `none`. `view` has the rows as long as no rule is
    chosen. The `group` is that of the rules to choose from.
    """

    _name: str
    columns: Sequence[Column]
    _none_yet: str
    _none: str
    _tooltip: tuple[str, ...] = ()
    view: View = View.ALL
    group: RuleGroup | None = None
    facets: tuple[tuple[Facet, frozenset[Value]], ...] = ()
    """Which rows of the view the tab has, as in a Filter."""

    @property
    def name(self) -> str:
        """What the tab is called."""
        if self.group is not None:
            return spoken(Translatable(self.group.value))
        return QCoreApplication.translate("FilterBar", self._name)

    @property
    def tooltip(self) -> tuple[str, ...]:
        """Its contents, line by line; nothing if the name is enough."""
        return tuple(QCoreApplication.translate("FilterBar", line) for line in self._tooltip)

    def empty_text(self, *, ended: bool) -> str:
        """The placeholder without a filter; `ended`: the crawl finds no more."""
        text = self._none if ended else self._none_yet
        return QCoreApplication.translate("EmptyTable", text)


_OF_LINKS: Final = ("source", "target", "status", "anchor", "kind")
_VIEW_TABS: Final[dict[View, TableTab]] = {
    View.ALL: TableTab(
        QT_TRANSLATE_NOOP("FilterBar", "All"),
        (
            *("address", "status", "outcome", "content_type", "title", "depth", "size", "time"),
            "inlinks",
        ),
        QT_TRANSLATE_NOOP("EmptyTable", "No URLs yet."),
        QT_TRANSLATE_NOOP("EmptyTable", "No URLs found."),
        (QT_TRANSLATE_NOOP("FilterBar", "Every known URL, whether it was requested or not"),),
    ),
    View.PAGES: TableTab(
        QT_TRANSLATE_NOOP("FilterBar", "Pages"),
        (
            *("address", "status", "title", "h1", "depth", "words", "size", "time", "inlinks"),
            "outlinks",
        ),
        QT_TRANSLATE_NOOP("EmptyTable", "Pages appear here as they are fetched."),
        QT_TRANSLATE_NOOP("EmptyTable", "No pages found."),
        (QT_TRANSLATE_NOOP("FilterBar", "HTML pages that were fetched and read"),),
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
                "FilterBar", "By a 3xx status code, a Refresh header, a meta refresh or a script"
            ),
        ),
    ),
    View.ERRORS: TableTab(
        QT_TRANSLATE_NOOP("FilterBar", "Errors"),
        ("address", "status", "outcome", "depth", "time", "inlinks"),
        QT_TRANSLATE_NOOP("EmptyTable", "No errors yet."),
        QT_TRANSLATE_NOOP("EmptyTable", "No errors."),
        (QT_TRANSLATE_NOOP("FilterBar", "URLs that do not work: 4xx, 5xx, and no response"),),
    ),
    View.BROKEN_LINKS: TableTab(
        QT_TRANSLATE_NOOP("FilterBar", "Broken links"),
        (*_OF_LINKS, "outcome"),
        QT_TRANSLATE_NOOP("EmptyTable", "No broken links yet."),
        QT_TRANSLATE_NOOP("EmptyTable", "No broken links."),
        (QT_TRANSLATE_NOOP("FilterBar", "Every link to an error, with the page it is on"),),
    ),
    View.INTERNAL: TableTab(
        QT_TRANSLATE_NOOP("FilterBar", "Internal"),
        (
            *("address", "content_type", "status", *INDEXABILITY, "title", "description", "h1"),
            *("words", "depth", "inlinks", "outlinks", "time"),
        ),
        QT_TRANSLATE_NOOP("EmptyTable", "No URLs yet."),
        QT_TRANSLATE_NOOP("EmptyTable", "No URLs found."),
        (
            QT_TRANSLATE_NOOP(
                "FilterBar", "URLs of the site that were requested, or that robots.txt blocks"
            ),
        ),
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
    View.FORMER: TableTab(
        QT_TRANSLATE_NOOP("FilterBar", "Missing pages"),
        ("address", "outcome", "notes"),
        QT_TRANSLATE_NOOP("EmptyTable", "Missing pages appear at the end of a recrawl."),
        QT_TRANSLATE_NOOP("EmptyTable", "No missing pages."),
        (
            QT_TRANSLATE_NOOP(
                "FilterBar", "Pages of the crawl before that are gone or no longer linked"
            ),
            QT_TRANSLATE_NOOP("FilterBar", "They do not count as pages of this crawl"),
        ),
    ),
    View.LINKS: TableTab(
        QT_TRANSLATE_NOOP("FilterBar", "All links"),
        (*_OF_LINKS, "alt_text", "rel", "place", "path_type", "window", "path", "link_origin"),
        QT_TRANSLATE_NOOP("EmptyTable", "Links appear here as pages are parsed."),
        QT_TRANSLATE_NOOP("EmptyTable", "No links found."),
        (QT_TRANSLATE_NOOP("FilterBar", "Every link, with the page it is on and its target"),),
    ),
}
_COLUMN_OF: Final = {each.name: each.column for each in URL_COLUMNS}
_MAX_COLUMNS: Final = 10
_GROUP_VIEWS: Final[dict[RuleGroup, View]] = {
    RuleGroup.RESPONSE_CODES: View.ALL,
    RuleGroup.SECURITY: View.ALL,
    RuleGroup.URL: View.ALL,
    RuleGroup.IMAGES: View.RESOURCES,
    RuleGroup.SITEMAPS: View.ALL,
}
"""The other groups are about pages."""

_IMAGES: Final = (
    *("avif", "bmp", "gif", "jpeg", "png", "svg+xml", "tiff", "vnd.microsoft.icon", "webp"),
    "x-icon",
)
_GROUP_FACETS: Final = {
    RuleGroup.IMAGES: facet_values(content_type={f"image/{name}" for name in _IMAGES})
}
"""The other groups are about all that their view has."""


def _columns(fields: Iterable[str], *others: Column) -> tuple[Column, ...]:
    """The address, the columns of these fields, and these others."""
    of_fields = (_COLUMN_OF[name] for name in fields if name in _COLUMN_OF)
    return tuple(dict.fromkeys(("address", *of_fields, *others)))[:_MAX_COLUMNS]


def rule_columns(rule: SiteRule) -> tuple[Column, ...]:
    """The columns of the URLs that a rule holds for: first those that it is about.

    How grave it is that a URL does not respond, or redirects, depends on the links to it.
    """
    links: tuple[Column, ...] = ("inlinks",) if rule.group is RuleGroup.RESPONSE_CODES else ()
    evidence = evidence_columns(rule)
    return _columns(rule.fields, *evidence, *links, "status", *INDEXABILITY, "inlinks")


def evidence_columns(rule: SiteRule) -> tuple[Column, ...]:
    """The columns with the evidence of a rule; queries know only those that have a measure."""
    evidence = () if rule.evidence is None else rule.evidence.columns
    return tuple(
        each.sorts or f"evidence:{place}"
        if each.measure is None
        else issue_column(rule.number, each.measure)
        for place, each in enumerate(evidence)
    )


def page_about_tab(tab: TabKey) -> str:
    """The page of the help about a tab."""
    if tab in CUSTOM_TABS:
        return "window/custom"
    return page_about(None) if tab == ISSUES else f"tabs/{tab}"


def custom_columns(tab: TabKey, definitions: Iterable[CustomDefinition]) -> tuple[Column, ...]:
    """The columns of the tab of custom definitions: the address, then one for each of its kind."""
    of_kind = (column_of(each) for each in definitions if isinstance(each, CUSTOM_TABS[tab]))
    return ("address", "status", *of_kind, *INDEXABILITY)


def _group_tab(group: RuleGroup) -> TableTab:
    return TableTab(
        "",
        ("address", *GROUP_COLUMNS[group]),
        QT_TRANSLATE_NOOP("EmptyTable", "No URLs yet."),
        QT_TRANSLATE_NOOP("EmptyTable", "No URLs found."),
        view=_GROUP_VIEWS.get(group, View.PAGES),
        facets=_GROUP_FACETS.get(group, ()),
        group=group,
    )


_ISSUES_TAB: Final = TableTab(
    QT_TRANSLATE_NOOP("FilterBar", "Issues"),
    ("address", "status", *INDEXABILITY, "inlinks"),
    QT_TRANSLATE_NOOP("EmptyTable", "The URLs of the chosen issue appear here."),
    QT_TRANSLATE_NOOP("EmptyTable", "The URLs of the chosen issue appear here."),
    (QT_TRANSLATE_NOOP("FilterBar", "What is wrong, why it matters, and how to fix it"),),
)


def _custom_tab(name: str, hint: str) -> TableTab:
    return TableTab(
        name,
        ("address", "status", *INDEXABILITY),
        QT_TRANSLATE_NOOP("EmptyTable", "Pages appear here as they are fetched."),
        QT_TRANSLATE_NOOP("EmptyTable", "No pages found."),
        (hint,),
        view=View.PAGES,
    )


_CUSTOM: Final = (
    _custom_tab(
        QT_TRANSLATE_NOOP("FilterBar", "Custom search"),
        QT_TRANSLATE_NOOP("FilterBar", "Matches of the custom searches in the settings"),
    ),
    _custom_tab(
        QT_TRANSLATE_NOOP("FilterBar", "Custom extraction"),
        QT_TRANSLATE_NOOP("FilterBar", "Values of the custom extractions in the settings"),
    ),
)
TABS: Final[dict[TabKey, TableTab]] = {
    View.ALL: _VIEW_TABS[View.ALL],
    ISSUES: _ISSUES_TAB,
    **{view: replace(tab, view=view) for view, tab in _VIEW_TABS.items()},
    **{group: _group_tab(group) for group in RuleGroup},
    **dict(zip(CUSTOM_TABS, _CUSTOM, strict=True)),
}
"""All tabs, in their initial order."""
FIRST_GROUP: Final = next(iter(RuleGroup))
"""Lists of tabs have a line before its tab."""
USUAL_TABS: Final[frozenset[TabKey]] = frozenset(
    {
        *(ISSUES, *set(View) - {View.INTERNAL, View.FORMER}),
        *(RuleGroup.PAGE_TITLES, RuleGroup.META_DESCRIPTION, RuleGroup.H1),
    }
)
"""The tabs visible until the user chooses others."""
