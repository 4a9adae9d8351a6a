"""The reports on hreflang: the versions in other languages that pages name, and their faults."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import chain
from typing import Final, NamedTuple

from gossamer.audit.rules import hreflang
from gossamer.audit.site_rule import SiteRule
from gossamer.export.export_selection import Check, ExportSelection, ExportView
from gossamer.export.link_sheets import outlinks_of
from gossamer.export.sheet import Row, Sheet
from gossamer.export.url_cells import CELLS
from gossamer.export.url_reports import SelectRecords, internal_pages, urls_of_issue
from gossamer.export.url_views import size_of
from gossamer.model.bounded_dict import drop_oldest
from gossamer.model.fields.indexability import Indexability
from gossamer.model.fields.link_record import LinkRecord
from gossamer.model.fields.page_flags import MarkupFlag
from gossamer.model.fields.url_record import UrlRecord
from gossamer.model.link_kinds import LinkKind
from gossamer.model.project_queries import Filter, View
from gossamer.model.translatable import Sentence
from gossamer.store.reading.reader import Reader

_HREFLANG: Final = int(MarkupFlag.HREFLANG)
_OK: Final = 200
_DEFAULT: Final = "x-default"
_KEPT: Final = 20_000
"""Pages whose annotations are kept in memory."""
HREFLANG_HEADINGS: Final = (
    *("Address", "Indexability", "Indexability Status", "hreflang", "Hreflang URL"),
    *("Hreflang Status Code", "Hreflang Status", "Hreflang Indexability"),
    *("Hreflang Indexability Status", "Hreflang Inlinks", "Return hreflang"),
)


class Annotation(NamedTuple):
    """A page's annotation of its version in a language.

    `returned` are the languages with which that version names the page; `own` those with which the
    page names itself.
    """

    page: UrlRecord
    language: str
    target: UrlRecord
    returned: frozenset[str] = frozenset()
    own: frozenset[str] = frozenset()

    @property
    def is_other(self) -> bool:
        """Whether it is of another URL than the page itself."""
        return self.page.id != self.target.id


class _Annotations:
    """Returns the annotations of pages.

    Versions name each other: the annotations of one are kept for the others.
    """

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._has_sitemaps = reader.has_sitemaps()
        self._known: dict[int, list[tuple[str, int]]] = {}

    def of(self, page: UrlRecord) -> Iterator[Annotation]:
        """A page's annotations of its versions, with theirs of it."""
        named = self._named(page.id)
        ids = sorted({target for _, target in named})
        targets = {record.id: record for record in self._reader.records(ids)}
        own = frozenset(language.lower() for language, target in named if target == page.id)
        for language, target in named:
            if target in targets:
                back = self._named(target)
                returned = frozenset(each for each, url_id in back if url_id == page.id)
                yield Annotation(page, language, targets[target], returned, own)

    def _named(self, page: int) -> list[tuple[str, int]]:
        """The languages that a page names, each with the id of the URL."""
        if page not in self._known:
            if len(self._known) >= _KEPT:
                drop_oldest(self._known)
            links = chain(outlinks_of(self._reader, page), self._of_sitemaps(page))
            self._known[page] = [
                (link.text, link.target_id)
                for link in links
                if link.kind is LinkKind.ALTERNATE and link.text
            ]
        return self._known[page]

    def _of_sitemaps(self, page: int) -> Sequence[LinkRecord]:
        return self._reader.sitemap_alternates(page) if self._has_sitemaps else ()


def _is_inconsistent(each: Annotation) -> bool:
    names = {name.lower() for name in each.returned} - {_DEFAULT}
    own = each.own - {_DEFAULT}
    return each.is_other and bool(own) and not names <= own


def _report(
    pages: SelectRecords,
    is_shown: Callable[[Annotation], bool],
    reader: Reader,
    selection: ExportSelection,
    check: Check,
) -> Sheet:
    annotations = _Annotations(reader)

    def rows() -> Iterator[Row]:
        for page in pages(reader, selection.filter_, check):
            check()
            yield from (_row(each) for each in annotations.of(page) if is_shown(each))

    return Sheet(HREFLANG_HEADINGS, rows(), size_of(reader, View.PAGES))


def _row(each: Annotation) -> Row:
    target = each.target
    return (
        *(each.page.url, each.page.indexability, each.page.indexability_status, each.language),
        *(target.url, CELLS["Status Code"](target), CELLS["Status"](target)),
        *(target.indexability, target.indexability_status, target.inlinks),
        ", ".join(sorted(each.returned)) or None,
    )


def _annotated(reader: Reader, filter_: Filter, check: Check) -> Iterator[UrlRecord]:
    has_sitemaps = reader.has_sitemaps()
    for each in internal_pages(reader, filter_, check):
        if (each.markup or 0) & _HREFLANG or (has_sitemaps and reader.sitemap_alternates(each.id)):
            yield each


def _with_issue(
    rule: SiteRule, reader: Reader, filter_: Filter, _check: Check
) -> Iterator[UrlRecord]:
    return urls_of_issue(reader, rule.number, filter_)


def _view(
    name: str, label: Sentence, rule: SiteRule, is_shown: Callable[[Annotation], bool]
) -> ExportView:
    """The annotations for which a rule holds, of the pages that it lists."""
    build = partial(_report, partial(_with_issue, rule), is_shown)
    return ExportView(name, label, build, has_facets=True, needs_audit=True)


ALL: Final = ExportView(
    "hreflang_all",
    "Hreflang: all annotations",
    partial(_report, _annotated, lambda _: True),
    has_facets=True,
)
NON_200: Final = _view(
    "hreflang_non_200",
    "Hreflang: URLs that do not return status code 200",
    hreflang.NON_200,
    lambda each: each.target.status != _OK,
)
UNLINKED: Final = _view(
    "hreflang_unlinked",
    "Hreflang: unlinked URLs",
    hreflang.UNLINKED,
    lambda each: not each.target.inlinks,
)
MISSING_RETURN: Final = _view(
    "hreflang_missing_return",
    "Hreflang: missing return links",
    hreflang.MISSING_RETURN_LINKS,
    lambda each: each.is_other and not each.returned and each.target.status == _OK,
)
INCONSISTENT: Final = _view(
    "hreflang_inconsistent",
    "Hreflang: inconsistent return links",
    hreflang.INCONSISTENT_RETURN_LINKS,
    _is_inconsistent,
)
NON_CANONICAL: Final = _view(
    "hreflang_non_canonical",
    "Hreflang: non-canonical return links",
    hreflang.NON_CANONICAL_RETURN_LINKS,
    lambda each: each.target.indexability_status is Indexability.CANONICALISED,
)
NOINDEX: Final = _view(
    "hreflang_noindex",
    "Hreflang: noindex return links",
    hreflang.NOINDEX_RETURN_LINKS,
    lambda each: each.target.indexability_status is Indexability.NOINDEX,
)
