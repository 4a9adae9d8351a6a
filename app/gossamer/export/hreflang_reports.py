"""The reports on hreflang: the versions in other languages that pages name, and their faults."""

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache, partial
from itertools import chain
from typing import Final, NamedTuple, TypeAlias

from gossamer.audit.rules import hreflang
from gossamer.audit.site_rule import SiteRule
from gossamer.export.export_selection import Check, ExportSelection, ExportView
from gossamer.export.link_sheets import inlinks_of, outlinks_of
from gossamer.export.sheet import Row, Sheet
from gossamer.export.url_cells import CELLS
from gossamer.export.url_reports import SelectRecords, internal_pages, urls_of_issue
from gossamer.export.url_views import size_of
from gossamer.model.bounded_dict import drop_oldest
from gossamer.model.fields.indexability import Indexability
from gossamer.model.fields.link_record import LinkRecord
from gossamer.model.fields.page_flags import MarkupFlag
from gossamer.model.fields.url_record import UrlRecord
from gossamer.model.hreflang_codes import comparable_code
from gossamer.model.link_kinds import HYPERLINK_KINDS, LinkKind
from gossamer.model.outcome import Outcome
from gossamer.model.outcome_counts import REDIRECTS
from gossamer.model.project_queries import Filter, View
from gossamer.model.translatable import Sentence
from gossamer.store.reading.reader import Reader
from gossamer.urls.url_parsing import is_http

_HREFLANG: Final = int(MarkupFlag.HREFLANG)
_OK: Final = 200
_SUCCESS: Final = 2
"""The first digit of such status codes."""
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
        own = frozenset(
            comparable_code(language) for language, target in named if target == page.id
        )
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


IsShown: TypeAlias = Callable[[Annotation], bool]


def _is_not_ok(each: Annotation) -> bool:
    is_asked = each.target.indexability_reason is not Indexability.UNKNOWN
    return is_asked and each.target.status != _OK


def _is_page(record: UrlRecord) -> bool:
    """Whether it is a page that was read: of what was only checked, nobody knows what it names."""
    return record.word_count is not None and (record.status or 0) // 100 == _SUCCESS


def _is_unanswered(each: Annotation) -> bool:
    outcome = each.target.outcome
    is_whole_page = _is_page(each.target) and outcome is not Outcome.PAGE_INCOMPLETE
    is_open = each.is_other and not each.returned
    return is_open and is_whole_page and outcome not in REDIRECTS


def _is_inconsistent(each: Annotation) -> bool:
    names = set(map(comparable_code, each.returned)) - {_DEFAULT}
    own = each.own - {_DEFAULT}
    return each.is_other and bool(own) and not names <= own


def _is_not_indexable(reason: Indexability, each: Annotation) -> bool:
    is_for_reason = each.target.indexability_reason is reason
    return each.is_other and _is_page(each.target) and is_for_reason


def _are_unlinked(reader: Reader) -> IsShown:
    """Tells the annotations of internal URLs that no visitor can reach from elsewhere."""
    external = frozenset(reader.ids(View.EXTERNAL))

    def is_unlinked(each: Annotation) -> bool:
        target = each.target
        is_root = target.parent is None and target.depth == 0
        if not each.is_other or is_root or target.id in external or not is_http(target.url):
            return False
        return not is_reached(target.id)

    @lru_cache(_KEPT)
    def is_reached(url_id: int) -> bool:
        return any(map(_leads_to, inlinks_of(reader, url_id)))

    return is_unlinked


def _leads_to(link: LinkRecord) -> bool:
    """Whether it takes visitors to its target from another page, or as a redirect."""
    is_click = link.kind in HYPERLINK_KINDS and link.source_id != link.target_id
    return is_click or link.kind is LinkKind.REDIRECT


def _report(
    pages: SelectRecords,
    test: Callable[[Reader], IsShown],
    reader: Reader,
    selection: ExportSelection,
    check: Check,
) -> Sheet:
    annotations, is_shown = _Annotations(reader), test(reader)

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
    name: str, label: Sentence, rule: SiteRule, test: Callable[[Reader], IsShown]
) -> ExportView:
    """The annotations for which a rule holds, of the pages that it lists."""
    build = partial(_report, partial(_with_issue, rule), test)
    return ExportView(name, label, build, has_facets=True, needs_audit=True)


ALL: Final = ExportView(
    "hreflang_all",
    "Hreflang: all annotations",
    partial(_report, _annotated, lambda _: lambda _: True),
    has_facets=True,
)
NON_200: Final = _view(
    "hreflang_non_200",
    "Hreflang: URLs that do not return status code 200",
    hreflang.NON_200,
    lambda _: _is_not_ok,
)
UNLINKED: Final = _view(
    "hreflang_unlinked",
    "Hreflang: unlinked URLs",
    hreflang.UNLINKED,
    _are_unlinked,
)
MISSING_RETURN: Final = _view(
    "hreflang_missing_return",
    "Hreflang: missing return links",
    hreflang.MISSING_RETURN_LINKS,
    lambda _: _is_unanswered,
)
INCONSISTENT: Final = _view(
    "hreflang_inconsistent",
    "Hreflang: inconsistent return links",
    hreflang.INCONSISTENT_RETURN_LINKS,
    lambda _: _is_inconsistent,
)
NON_CANONICAL: Final = _view(
    "hreflang_non_canonical",
    "Hreflang: non-canonical return links",
    hreflang.NON_CANONICAL_RETURN_LINKS,
    lambda _: partial(_is_not_indexable, Indexability.CANONICALISED),
)
NOINDEX: Final = _view(
    "hreflang_noindex",
    "Hreflang: noindex return links",
    hreflang.NOINDEX_RETURN_LINKS,
    lambda _: partial(_is_not_indexable, Indexability.NOINDEX),
)
