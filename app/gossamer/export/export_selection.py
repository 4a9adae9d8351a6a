"""Describes what to export: a view of a project, or a table as the window shows it."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeAlias

from gossamer.audit.sitemap_export_rules import SitemapRule
from gossamer.export.sheet import Sheet
from gossamer.export.view_rows import ViewRows
from gossamer.model.facets import OF_RULES
from gossamer.model.project_queries import Filter, LinksOf, Table
from gossamer.model.translatable import Sentence
from gossamer.store.reading.reader import Reader

Check: TypeAlias = Callable[[], None]
"""Called now and then while rows are read; may raise to end the reading."""
BuildSheet: TypeAlias = Callable[[Reader, "ExportSelection", Check], Sheet]


@dataclass(frozen=True, slots=True)
class ExportView:
    """The declaration of a view of a project: a table that can be exported.

    Command line, shell completion and window list it by its `name` and `label`. `build` makes its
    sheet; without one, it is a document. `has_facets` says that `build` applies the whole filter of
    the selection, `has_text` that it applies its text; `is_of_links` that its rows are links, and
    the filter is about their targets. `needs_audit` says that the rows are correct only once the
    audit is up to date. `file` names its file, if it is not the name. `rows` is the equivalent of
    `build` in SQL, if there is one.
    """

    name: str
    label: Sentence = field(compare=False)
    build: BuildSheet | None = field(default=None, compare=False)
    has_facets: bool = field(default=False, compare=False)
    has_text: bool = field(default=False, compare=False)
    is_of_links: bool = field(default=False, compare=False)
    needs_audit: bool = field(default=False, compare=False)
    file: str = field(default="", compare=False)
    rows: ViewRows | None = field(default=None, compare=False)

    @property
    def file_name(self) -> str:
        """A name for its file, without suffix: letters, digits, underscores; in issues brackets."""
        return self.file or re.sub(r"[^a-z0-9]+", "_", self.name.lower()).strip("_")


@dataclass(frozen=True, slots=True)
class ExportSelection:
    """The selection of a project's data to export.

    `columns` are names of columns, in any case; none means all of them, or those that a table
    shows. `text` keeps the rows with it in address or title, or in any column without these; a
    table has its own filter. `lifted` are the rules that a sitemap does not apply; `alternates`
    adds the versions of pages in other languages. `filter_` has facets for views whose rows are
    URLs.
    """

    source: ExportView | Table | LinksOf
    columns: tuple[str, ...] = ()
    text: str = ""
    lifted: frozenset[SitemapRule] = frozenset()
    alternates: bool = False
    filter_: Filter = field(default_factory=Filter)

    @property
    def needs_audit(self) -> bool:
        """Whether the rows are correct only once the audit is up to date."""
        if isinstance(self.source, Table):
            return not OF_RULES.isdisjoint(dict(self.source.filter_.facets))
        is_audited = isinstance(self.source, ExportView) and self.source.needs_audit
        return is_audited or not OF_RULES.isdisjoint(dict(self.filter_.facets))

    @property
    def name(self) -> str:
        """Its name in messages."""
        source = self.source
        if isinstance(source, Table):
            return source.view.value
        return source.end.value if isinstance(source, LinksOf) else source.name
