"""A project in memory that answers what the window asks: the fake of store.reader.Reader."""

import re
import threading
from array import array
from collections import Counter
from collections.abc import Callable, Collection, Container, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from gossamer.gui.project.reader_interfaces import Ids, ProjectRows
from gossamer.gui.project.reader_thread import ProjectReader
from gossamer.model.archive_record import ArchiveRecord
from gossamer.model.audit_state import AuditState
from gossamer.model.audit_totals import AuditTotals
from gossamer.model.content_types import content_kind
from gossamer.model.custom_definitions import CustomCounts
from gossamer.model.evidence_links import LinkTest
from gossamer.model.facets import ISSUE, SEVERAL, FacetCount, chosen, without
from gossamer.model.fields.indexability import IndexableOrNot
from gossamer.model.fields.link_record import LinkRecord
from gossamer.model.fields.rendering_fields import RenderOutcome
from gossamer.model.fields.url_record import UrlRecord
from gossamer.model.ignored_issues import IgnoredIssue
from gossamer.model.index_progress import Indexing
from gossamer.model.link_kinds import INLINK_KINDS, OUTLINK_KINDS, LinkAction, LinkKind
from gossamer.model.outcome import ERROR_OUTCOMES, FORMER_PAGES, Outcome, UrlState, Verdict
from gossamer.model.outcome_counts import REPORTED
from gossamer.model.overview_data import ExtremePage, OverviewData, rounded_ms
from gossamer.model.project_queries import (
    MAX_LINKS,
    ChainHop,
    Column,
    Facet,
    Filter,
    FolderNode,
    LinkCounts,
    Order,
    Totals,
    TreeNode,
    View,
)
from gossamer.model.rendering import NO_DETAILS, RenderingDetails
from gossamer.model.search_excerpts import Excerpt, excerpt
from gossamer.model.search_query import Search, terms_of
from gossamer.model.segments import parse_segments
from gossamer.model.series_contents import Note
from gossamer.model.server_certificate import ServerCertificate
from gossamer.model.site_checks import SiteCheckRow
from gossamer.model.text_errors import (
    ErrorLocation,
    ErrorSummary,
    TextError,
    UncheckedPages,
    decode_errors,
)
from gossamer.model.url_conditions import ColumnTest
from gossamer.store.reading.row_mapping import closed
from gossamer.urls.url_folders import folders

_ALL = Filter()
_BY_DISCOVERY = Order()
_folders_of = cache(folders)
"""Asked again and again for the same few URLs: by each folder for each of them."""
SORT_KEYS: dict[Column, Callable[[Any], Any]] = {
    "address": lambda r: r.url,
    "status": lambda r: r.status,
    "outcome": lambda r: r.outcome,
    "title": lambda r: r.title,
    "depth": lambda r: r.depth,
    "time": lambda r: r.elapsed_ms,
    "size": lambda r: r.size_bytes,
    "inlinks": lambda r: r.inlinks,
}


FACET_VALUES: dict[Facet, Callable[[Any], Any]] = {
    "status_class": lambda r: (r.status or 0) // 100,
    "status": lambda r: r.status,
    "outcome": lambda r: r.outcome,
    "verdict": lambda r: r.verdict,
    "kind": lambda link: link.kind,
    "depth": lambda r: -1 if r.depth is None else r.depth,
    "content_kind": lambda r: content_kind(r.content_type),
    "content_type": lambda r: r.content_type or "",
    "chain_length": lambda r: r.chain_length,
    "chain_type": lambda r: r.chain_type,
    "warning": lambda r: r.warnings,
    "indexability": lambda r: r.indexability,
    "indexability_status": lambda r: r.indexability_status,
    "issue": lambda _: None,
    "ignored": lambda _: None,
    "segment": lambda r: r.segment or "",
    "custom": lambda _: None,
}


def values_of(facet: Facet, row: "UrlRecord | LinkRecord") -> list[Any]:
    value = FACET_VALUES[facet](row)
    if facet in SEVERAL:
        return list(value)
    return [] if value is None else [value]


def worst(records: Iterable[UrlRecord]) -> Verdict | None:
    """The gravest verdict on the errors among these."""
    found = {record.verdict for record in records if record.outcome in ERROR_OUTCOMES}
    grave = (Verdict.BROKEN, Verdict.UNVERIFIED, Verdict.REFUSED)
    return next((each for each in grave if each in found), None)


class InterruptedReadError(Exception):
    """A read was interrupted."""


@dataclass
class FakeRows:
    """URLs with the ids 1, 2, 3, …; links and headers beside them."""

    urls: dict[int, UrlRecord] = field(default_factory=dict)
    links: list[LinkRecord] = field(default_factory=list)
    answer_headers: dict[int, list[tuple[str, str]]] = field(default_factory=dict)
    page_texts: dict[int, str] = field(default_factory=dict)
    robots: dict[str, tuple[int | None, str]] = field(default_factory=dict)
    archive_records: dict[int, ArchiveRecord] = field(default_factory=dict)
    dom_records: dict[int, ArchiveRecord] = field(default_factory=dict)
    certificates: dict[str, ServerCertificate] = field(default_factory=dict)
    all_notes: list[Note] = field(default_factory=list)
    checks: list[SiteCheckRow] = field(default_factory=list)
    had_former_pages: bool = False
    """Whether a URL is, or was, a page of an earlier crawl."""
    filed: set[int] = field(default_factory=set)
    """URLs in a folder: those that were not skipped once."""
    paths: list[tuple[str, ...]] = field(default_factory=list)
    """Folders; a folder's id is its place here, from 1."""
    issues: dict[int, list[int]] = field(default_factory=dict)
    """The URLs that each audit rule holds for, by its number."""
    ignored: list[IgnoredIssue] = field(default_factory=list)
    renderings: dict[int, RenderingDetails] = field(default_factory=dict)
    screenshots: dict[int, bytes] = field(default_factory=dict)
    custom: dict[int, CustomCounts] = field(default_factory=dict)
    audit: AuditState = field(default_factory=lambda: AuditState(page_rules=True, stages=True))
    max_links: int = MAX_LINKS
    closed: bool = False
    interrupts: int = 0
    threads: set[int] = field(default_factory=set)
    calls: list[str] = field(default_factory=list)

    # ------------------------------------------------------- what a crawl does

    def add(
        self,
        url: str,
        outcome: Outcome = Outcome.PENDING,
        *,
        parent: int | None = None,
        **facts: Any,
    ) -> int:
        url_id = len(self.urls) + 1
        depth = 0 if parent is None else (self.urls[parent].depth or 0) + 1
        facts = {"depth": depth, "hops": 0} | facts
        self.urls[url_id] = UrlRecord(
            id=url_id, url=url, state=outcome.state, outcome=outcome, parent=parent, **facts
        )
        self._file(url_id)
        return url_id

    def change(self, url_id: int, **facts: Any) -> None:
        if "outcome" in facts:
            facts["state"] = facts["outcome"].state
        self.urls[url_id] = replace(self.urls[url_id], **facts)
        self._file(url_id)

    def link(
        self,
        source: int,
        target: int,
        text: str = "",
        *,
        kind: LinkKind = LinkKind.ANCHOR,
        action: LinkAction = LinkAction.FOLLOW,
        element: str = "a",
        traits: int = 0,
    ) -> None:
        position = sum(link.source_id == source for link in self.links)
        to, on = self.urls[target], self.urls[source]
        self.links.append(
            LinkRecord(
                source_id=source,
                source_url=on.url,
                target_id=target,
                target_url=to.url,
                position=position,
                kind=kind,
                action=action,
                text=text,
                rel="",
                element=element,
                fragment="",
                target_outcome=to.outcome,
                target_status=to.status,
                traits=traits,
                source_title=on.title,
            )
        )
        if kind in OUTLINK_KINDS:
            self.change(source, outlinks=on.outlinks + 1)
        if kind in INLINK_KINDS:
            self.change(target, inlinks=self.urls[target].inlinks + 1)

    # ------------------------------------------------------- what a reader does

    def close(self) -> None:
        self.closed = True

    def interrupt(self) -> None:
        self.interrupts += 1

    def outcome_counts(self) -> dict[Outcome, int]:
        self._called("outcome_counts")
        outcomes: dict[Outcome, int] = {}
        for record in self.urls.values():
            outcomes[record.outcome] = outcomes.get(record.outcome, 0) + 1
        return outcomes

    def audit_state(self) -> AuditState:
        self._called("audit_state")
        return self.audit

    def audit_totals(self, among: Filter = _ALL) -> AuditTotals:
        self._called("audit_totals")
        segments = among.values("segment")
        urls = [
            r
            for r in self.urls.values()
            if r.outcome in REPORTED and (not segments or (r.segment or "") in segments)
        ]
        pages = [r for r in urls if r.outcome is Outcome.PAGE]
        indexable = [r for r in pages if r.indexability is IndexableOrNot.INDEXABLE]
        return AuditTotals(len(urls), len(urls), 0, len(pages), len(indexable))

    def issues_of(self, url_id: int) -> dict[int, Any]:
        self._called("issues_of")
        return {rule: None for rule, urls in self.issues.items() if url_id in urls}

    def text_errors_of(self, url_id: int) -> list[TextError]:
        return decode_errors(self.urls[url_id].text_errors)

    def error_locations(self, error: TextError) -> list[ErrorLocation]:
        return [
            ErrorLocation(url_id, record.url, each)
            for url_id, record in self.urls.items()
            for each in self.text_errors_of(url_id)
            if each.text == error.text
        ]

    def error_summaries(self) -> list[ErrorSummary]:
        errors = {each.text: each for url_id in self.urls for each in self.text_errors_of(url_id)}
        return [
            ErrorSummary(each, "en_US", len(self.error_locations(each)), each.count)
            for each in errors.values()
        ]

    def unchecked_pages(self) -> UncheckedPages:
        return UncheckedPages({}, 0)

    def issue_values(self, rule: int, ids: Sequence[int]) -> dict[int, int | None]:
        self._called("issue_values")
        return {each: None for each in ids if each in self.issues[rule]}

    def tested_links(self, rule: int, ids: Sequence[int], test: LinkTest) -> dict[int, str]:
        self._called("tested_links")
        assert rule in self.issues
        at_ends = [
            (link.target_id, link.source_url) if test.inbound else (link.source_id, link.target_url)
            for link in self.links
            if link.kind in test.kinds
        ]
        return {each: url for each, url in reversed(at_ends) if each in ids}

    def violation_nodes(self, rule: int, ids: Sequence[int]) -> dict[int, tuple[int, str]]:
        self._called("violation_nodes")
        return {each: (2, "main > a") for each in ids if each in self.issues[rule]}

    def same_issue(self, rule: int, url_id: int, limit: int) -> list[int]:
        self._called("same_issue")
        return [other for other in self.issues[rule] if other != url_id][:limit]

    def custom_counts(self, segments: Collection[str] = ()) -> dict[int, CustomCounts]:
        self._called("custom_counts")
        assert not segments or not self.custom
        return dict(self.custom)

    def count_segments(self, texts: Sequence[str]) -> dict[str, int]:
        """Of segments whose conditions ask for a part of the address alone."""
        self._called("count_segments")
        found: Counter[str] = Counter()
        for record in self.urls.values():
            for each in parse_segments(texts):
                assert isinstance(each.condition, ColumnTest)
                if str(each.condition.value) in record.url:
                    found[each.name] += 1
                    break
        return dict(found)

    def ignored_issues(self) -> list[IgnoredIssue]:
        self._called("ignored_issues")
        return list(self.ignored)

    def near_duplicates(self, rule: int, url_id: int, limit: int) -> list[tuple[int, int]]:
        self._called("near_duplicates")
        others = [other for other in self.issues[rule] if other != url_id]
        return [(other, 99 - place) for place, other in enumerate(others)][:limit]

    def links_of_kinds(
        self, url_id: int, kinds: Collection[LinkKind], limit: int, after: int = -1
    ) -> list[LinkRecord]:
        self._called("links_of_kinds")
        found = [x for x in self.links if x.source_id == url_id and x.position > after]
        return [x for x in found if x.kind in kinds][:limit]

    def sitemap_alternates(self, url_id: int) -> list[LinkRecord]:
        self._called("sitemap_alternates")
        entries = [x for x in self.links if x.kind is LinkKind.SITEMAP and x.target_id == url_id]
        sources = {x.source_id for x in entries}
        return [x for x in self.links if x.source_id in sources and x.kind is LinkKind.ALTERNATE]

    def issue_counts(self, *, among: Filter = _ALL) -> dict[int, int]:
        self._called("issue_counts")
        segments = among.values("segment")
        found = {
            rule: sum(not segments or (self.urls[each].segment or "") in segments for each in urls)
            for rule, urls in self.issues.items()
        }
        return {rule: urls for rule, urls in found.items() if urls}

    def figures(self, limit: int = 8) -> OverviewData:
        self._called("figures")
        asked = [r for r in self.urls.values() if r.state in {UrlState.DONE, UrlState.FAILED}]
        return OverviewData(
            depths=Counter(
                r.depth for r in asked if r.depth is not None and r.outcome is Outcome.PAGE
            ),
            times=Counter(rounded_ms(r.elapsed_ms) for r in asked if r.elapsed_ms is not None),
            types=dict(Counter(r.content_type for r in asked if r.content_type).most_common(limit)),
            slowest=self._extreme(lambda r: r.elapsed_ms or 0, limit),
            largest=self._extreme(lambda r: r.size_bytes or 0, limit),
        )

    def _extreme(self, value: Callable[[UrlRecord], int], limit: int) -> list[ExtremePage]:
        pages = [r for r in self.urls.values() if r.outcome is Outcome.PAGE]
        pages.sort(key=lambda r: (-value(r), r.id))
        return [ExtremePage(r.id, r.url, value(r)) for r in pages[:limit]]

    @staticmethod
    def first_ids(_view: View, _filter: Filter, _order: Order) -> None:
        """All are found as soon as the first."""

    def ids(
        self, view: View, filter_: Filter = _ALL, order: Order = _BY_DISCOVERY, after: int = 0
    ) -> Ids:
        self._called("ids")
        found = [row for row in self._matching(view, filter_) if row.id > after]
        for each in reversed(order.keys):
            key = SORT_KEYS[each.column]  # type: ignore[index] # keys have columns
            known = [r for r in found if key(r) is not None]
            known.sort(key=key, reverse=each.descending)
            found = known + [r for r in found if key(r) is None]
        if order.column is None and order.descending:
            found.reverse()
        most = self.max_links if view.is_of_links else None
        return array("q", [record.id for record in found[:most]])

    def link_records(self, ids: Sequence[int]) -> list[LinkRecord]:
        self._called("link_records")
        by_id = {link.id: link for link in self.links}
        return [by_id[i] for i in ids if i in by_id]

    def has_former_pages(self) -> bool:
        return self.had_former_pages

    def view_counts(self) -> dict[View, int]:
        self._called("view_counts")
        return {view: len(self._matching(view, _ALL)) for view in View}

    def facet(self, view: View, filter_: Filter, facet: Facet) -> list[FacetCount]:
        self._called("facet")
        found = self._matching(view, without(filter_, facet))
        counts = Counter(value for row in found for value in values_of(facet, row))
        return [FacetCount(value, count) for value, count in counts.most_common()]

    def totals(self, ids: Sequence[int]) -> Totals:
        found = [self.urls[i] for i in ids if i in self.urls]
        times = [r.elapsed_ms for r in found if r.elapsed_ms is not None]
        return Totals(sum(r.size_bytes or 0 for r in found), sum(times), len(times))

    def folder_at(self, address: str) -> int | None:
        known = range(1, len(self.paths) + 1)
        return next((each for each in known if self.folder_address(each) == address), None)

    def folder_address(self, folder: int) -> str:
        return "".join(f"{name}/" for name in self.paths[folder - 1])

    def lookup(self, url: str) -> int | None:
        return next((r.id for r in self.urls.values() if r.url == url), None)

    def records(self, ids: Sequence[int]) -> list[UrlRecord]:
        self._called("records")
        return [self.urls[i] for i in ids if i in self.urls]

    def children(self, parent: int | None, after: int = 0, limit: int = 200) -> list[TreeNode]:
        self._called("children")
        found = [r for r in self.urls.values() if r.parent == parent and r.id > after]
        return [self._tree_node(r) for r in found[:limit]]

    def nodes(self, ids: Sequence[int]) -> list[TreeNode]:
        self._called("nodes")
        return [self._tree_node(self.urls[i]) for i in ids]

    def path_to(self, url_id: int) -> list[int]:
        path: list[int] = []
        at: int | None = url_id
        while at is not None and at in self.urls:
            path.insert(0, at)
            at = self.urls[at].parent
        return path

    def folders(
        self, parent: int | None, known: Container[int] = (), limit: int = 200
    ) -> list[FolderNode]:
        self._called("folders")
        above = () if parent is None else self.paths[parent - 1]
        inside = [self._folder(path) for path in self.paths if path[:-1] == above]
        found = [folder for folder in inside if folder.id not in known]
        return sorted(found, key=lambda f: f.name)[:limit]

    def folder_nodes(self, ids: Sequence[int]) -> list[FolderNode]:
        return [self._folder(self.paths[i - 1]) for i in ids if 0 < i <= len(self.paths)]

    def folder_path(self, names: Sequence[str]) -> list[int]:
        path = [tuple(names[: level + 1]) for level in range(len(names))]
        known = all(each in self.paths for each in path)
        return [self.paths.index(each) + 1 for each in path] if known else []

    def folder_urls(self, folder: int, after: int = 0, limit: int = 200) -> list[TreeNode]:
        path = self.paths[folder - 1]
        found = [r for r in self._filed() if _folders_of(r.url) == path and r.id > after]
        return [self._tree_node(r) for r in found[:limit]]

    def inlinks(
        self, url_id: int, after: tuple[int, int] = (0, -1), limit: int = 200
    ) -> list[LinkRecord]:
        self._called("inlinks")
        found = [x for x in self.links if x.target_id == url_id]
        found.sort(key=lambda x: (x.source_id, x.position))
        return [x for x in found if (x.source_id, x.position) > after][:limit]

    def link_counts(self, url_id: int) -> LinkCounts:
        into = [x for x in self.links if x.target_id == url_id]
        counted = [x.source_id for x in into if x.kind in INLINK_KINDS]
        out = [x for x in self.links if x.source_id == url_id]
        to_readers = sum(x.kind in OUTLINK_KINDS for x in out)
        return LinkCounts(
            inlinks=len(counted),
            unique_inlinks=len(set(counted)),
            outlinks=to_readers,
            other_inlinks=len(into) - len(counted),
            other_outlinks=len(out) - to_readers,
        )

    def lacks_browser(self) -> bool:
        return any(each.render_outcome is RenderOutcome.NO_BROWSER for each in self.urls.values())

    def rendering_details(self, url_id: int) -> RenderingDetails:
        return self.renderings.get(url_id, NO_DETAILS)

    def screenshot(self, url_id: int) -> bytes | None:
        return self.screenshots.get(url_id)

    def outlinks(self, url_id: int, after: int = -1, limit: int = 200) -> list[LinkRecord]:
        self._called("outlinks")
        found = [x for x in self.links if x.source_id == url_id and x.position > after]
        return sorted(found, key=lambda x: x.position)[:limit]

    def chain(self, url_id: int) -> list[ChainHop]:
        by_url = {r.url: r for r in self.urls.values()}
        start = self.urls[url_id]
        while start.redirect is None and (
            before := next((r for r in self.urls.values() if r.redirect == start.url), None)
        ):
            start = before
        hops = [start]
        while (to := hops[-1].redirect) and to in by_url and hops.count(hops[-1]) == 1:
            hops.append(by_url[to])
        leading = Counter(r.redirect for r in self.urls.values())
        chain = [
            ChainHop(
                r.id, r.url, r.status, r.outcome, r.elapsed_ms, r.redirect_kind, leading[r.url]
            )
            for r in hops
        ]
        return closed(chain)

    def redirect_sources(self, url_id: int, limit: int = 50) -> list[TreeNode]:
        url = self.urls[url_id].url
        found = [r for r in self.urls.values() if r.redirect == url]
        return [self._tree_node(r) for r in found[:limit]]

    def headers(self, url_id: int) -> list[tuple[str, str]]:
        return self.answer_headers.get(url_id, [])

    def excerpts(self, ids: Sequence[int], search: Search) -> dict[int, Excerpt]:
        texts = {url_id: self.page_texts[url_id] for url_id in ids if url_id in self.page_texts}
        terms = terms_of(search.query)
        return {url_id: excerpt(text, terms) for url_id, text in texts.items()}

    @staticmethod
    def choose_indexing(_indexing: Indexing) -> None:
        """Nothing is to be entered."""

    def page_text(self, url_id: int) -> str | None:
        return self.page_texts.get(url_id)

    def notes(self) -> list[Note]:
        return self.all_notes

    def robots_origins(self) -> list[str]:
        return sorted(self.robots)

    def archive_record(self, url_id: int) -> ArchiveRecord | None:
        return self.archive_records.get(url_id)

    def dom_record(self, url_id: int) -> ArchiveRecord | None:
        return self.dom_records.get(url_id)

    def certificate(self, origin: str) -> ServerCertificate | None:
        return self.certificates.get(origin)

    def robots_txt(self, origin: str) -> tuple[int | None, str] | None:
        return self.robots.get(origin)

    def site_checks(self) -> list[SiteCheckRow]:
        return list(self.checks)

    def urls_of(self, origin: str, after: int, limit: int) -> list[tuple[int, str]]:
        found = [(r.id, r.url) for r in self.urls.values() if r.url.startswith(f"{origin}/")]
        return sorted(each for each in found if each[0] > after)[:limit]

    def _called(self, name: str) -> None:
        self.calls.append(name)
        self.threads.add(threading.get_ident())

    def _matching(self, view: View, filter_: Filter) -> "list[UrlRecord | LinkRecord]":
        if view.is_of_links:
            text = filter_.text.lower()
            links = sorted(self.links, key=lambda link: link.id)
            return [
                x
                for x in links
                if x.target_outcome in view.outcomes
                and (not (kinds := filter_.values("kind")) or x.kind in kinds)
                and any(text in y.lower() for y in (x.source_url, x.target_url, x.text))
            ]
        return [
            record
            for record in [*self.urls.values()]  # a test may add one meanwhile
            if record.outcome in view.outcomes
            and (view is not View.EXTERNAL or record.outcome is Outcome.OUT_OF_SCOPE)
            and self._is_in(record, filter_)
        ]

    def _is_in(self, record: UrlRecord, filter_: Filter) -> bool:
        if filter_.folder is not None:
            inside = self.paths[filter_.folder - 1]
            if _folders_of(record.url)[: len(inside)] != inside:
                return False
        if filter_.found_on is not None and record.parent != filter_.found_on:
            return False
        rules = filter_.values(ISSUE)
        if rules and not any(record.id in self.issues.get(int(rule), ()) for rule in rules):
            return False
        for facet in FACET_VALUES.keys() - {ISSUE}:
            values = chosen(filter_, facet)
            if values and values.isdisjoint(values_of(facet, record)):
                return False
        if filter_.expression:
            return any(
                re.search(filter_.text, x, re.IGNORECASE) for x in (record.url, record.title or "")
            )
        text = filter_.text.lower()
        return text in record.url.lower() or text in (record.title or "").lower()

    def _tree_node(self, record: UrlRecord) -> TreeNode:
        found = [r for r in self.urls.values() if r.parent == record.id]
        return TreeNode(
            record.id,
            record.url,
            record.parent,
            record.outcome,
            record.status,
            record.title,
            len(found),
            record.redirect,
            sum(r.outcome in ERROR_OUTCOMES for r in found),
            worst(found),
        )

    def _file(self, url_id: int) -> None:
        """Put a URL into its folder, unless a rule refuses it."""
        self.had_former_pages |= self.urls[url_id].outcome in FORMER_PAGES
        if self.urls[url_id].state is UrlState.SKIPPED:
            return
        path = _folders_of(self.urls[url_id].url)
        if path:
            self.filed.add(url_id)
        for length in range(1, len(path) + 1):
            if path[:length] not in self.paths:
                self.paths.append(path[:length])

    def _filed(self) -> list[UrlRecord]:
        return [self.urls[url_id] for url_id in sorted(self.filed)]

    def _folder(self, path: tuple[str, ...]) -> FolderNode:
        below = [r for r in self._filed() if _folders_of(r.url)[: len(path)] == path]
        return FolderNode(
            self.paths.index(path) + 1,
            self.paths.index(path[:-1]) + 1 if len(path) > 1 else None,
            path[-1],
            len(below),
            sum(r.outcome in ERROR_OUTCOMES for r in below),
            sum(p[:-1] == path for p in self.paths),
            sum(_folders_of(r.url) == path for r in below),
            worst(below),
        )


class SteppedReader(ProjectReader):
    """Answers on the Qt thread, when told to: tests decide what happens in between."""

    def __init__(self, rows: ProjectRows) -> None:
        super().__init__(lambda _: rows)
        self.source = rows
        self.requests: dict[str, tuple[Callable[[ProjectRows], Any], Callable[[Any], None]]] = {}

    def submit(
        self,
        read: Callable[[ProjectRows], Any],
        done: Callable[[Any], None],
        *,
        key: str,
        on_failure: Callable[[], None] | None = None,
        background: bool = False,
    ) -> None:
        del on_failure, background
        self.requests[key] = (read, done)

    def forget(self, key: str) -> None:
        self.requests.pop(key, None)

    def step(self) -> None:
        """Answer what was asked until now; what that leads to stays unanswered."""
        requests, self.requests = self.requests, {}
        for read, done in requests.values():
            done(read(self.source))

    def answer_one(self, number: int) -> None:
        """Answer one of what was asked, out of turn."""
        if self.requests:
            keys = list(self.requests)
            read, done = self.requests.pop(keys[number % len(keys)])
            done(read(self.source))

    def open(self, path: Path) -> None:
        del path
        self.requests.clear()

    def close(self) -> None:
        self.requests.clear()


def site(pages: int, *, per_page: int = 5, base: str = "https://example.com") -> FakeRows:
    """A site of fetched pages, `per_page` found on each, in folders by hundreds."""
    rows = FakeRows()
    rows.add(f"{base}/", Outcome.PAGE, status=200, title="Home", elapsed_ms=12)
    for i in range(1, pages):
        rows.add(
            f"{base}/f{i // 100}/page{i}.html",
            Outcome.PAGE,
            parent=(i - 1) // per_page + 1,
            status=200,
            title=f"Page {i}",
            elapsed_ms=i * 7 % 500,
            size_bytes=i * 997 % 90_000,
        )
    return rows


def urls_of(rows: FakeRows, ids: Iterable[int]) -> list[str]:
    return [rows.urls[i].url for i in ids]
