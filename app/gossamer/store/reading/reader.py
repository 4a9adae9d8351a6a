"""Reads a project file, even while it is written: tables, trees, links, redirect chains."""

from array import array
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import partial
from itertools import chain as chained

from gossamer.model.facets import OF_RULES, FacetCount
from gossamer.model.fields.link_record import LinkRecord
from gossamer.model.fields.url_record import UrlRecord
from gossamer.model.link_kinds import LinkKind
from gossamer.model.outcome import Outcome
from gossamer.model.overview_data import OverviewData
from gossamer.model.project_queries import (
    MAX_LINKS,
    ChainHop,
    Facet,
    Filter,
    LinkCounts,
    Order,
    Totals,
    TreeNode,
    UrlCounts,
    View,
)
from gossamer.model.search_query import RELEVANCE
from gossamer.model.series_contents import Note
from gossamer.model.server_certificate import ServerCertificate
from gossamer.model.site_checks import SiteCheckRow
from gossamer.model.store_batch import ProjectSummary
from gossamer.store import redirect_chains as chains
from gossamer.store.bulk_insert import CHUNK, Value, chunks, marks
from gossamer.store.certificate_table import read_certificate, read_certificates
from gossamer.store.count_tables import count_depths, count_outcomes, count_statuses
from gossamer.store.project_summary import read_summary
from gossamer.store.reading import queries as sql
from gossamer.store.reading.custom_reader import CustomReader
from gossamer.store.reading.facet_counts import (
    count_facet,
    count_links,
    count_views,
    folder_address,
    folder_at,
    total,
)
from gossamer.store.reading.filter_conditions import FAR
from gossamer.store.reading.issue_reader import IssueReader
from gossamer.store.reading.link_blocks import LinkBlock, LinkField, each_link, link_blocks
from gossamer.store.reading.link_query_plan import link_reach
from gossamer.store.reading.rendering_reader import RenderingReader
from gossamer.store.reading.row_mapping import (
    closed,
    counts_of,
    headers_by_id,
    headers_of,
    hop,
    link,
    record,
    robots_of,
)
from gossamer.store.reading.search_reader import SearchReader
from gossamer.store.reading.text_error_reader import TextErrorReader
from gossamer.store.reading.tree_reader import TreeReader
from gossamer.store.site_check_table import read_site_checks
from gossamer.store.writing.slowest_and_largest_pages import read_figures
from gossamer.store.writing.storable_text import clean_url
from gossamer.urls.url_parsing import url_key

_ALL = Filter()
_HEADERS = """
    coalesce(t.value, ''), v.header_values
    FROM visit v LEFT JOIN text t ON t.id = v.header_names
"""
_BY_DISCOVERY = Order()
_STREAMED = 2000
"""Rows read at a time when streaming. Between two such reads no transaction is open, which would
keep the writer from emptying the -wal file."""


class Reader(TreeReader, CustomReader, IssueReader, TextErrorReader, RenderingReader, SearchReader):
    """Reads one project file. One thread at a time; `interrupt` from any thread.

    Every method sees what was committed when it was called, and raises ReadInterrupted after
    `interrupt`, ProjectError when the file cannot be read any more.
    """

    # ------------------------------------------------------------ the project

    def summary(self) -> ProjectSummary:
        """The project as a whole."""
        with self._reading():
            return read_summary(self._connection, self._path)

    def counts(self) -> UrlCounts:
        """How many URLs there are of each kind."""
        with self._reading():
            statuses, depths = count_statuses(self._connection), count_depths(self._connection)
        return UrlCounts(self.outcome_counts(), statuses, depths)

    def outcome_counts(self) -> dict[Outcome, int]:
        """How many URLs there are of each outcome: the cheapest look at the project as a whole."""
        with self._reading():
            return count_outcomes(self._connection)

    def last_fetched(self, outcome: Outcome) -> float:
        """When a URL with this outcome was last fetched: Unix time, 0 if there is none."""
        query = (
            "SELECT max(v.fetched_at) FROM url u JOIN visit v ON v.id = u.id WHERE u.outcome = ?"
        )
        found = self._row(query, (int(outcome),))
        return 0.0 if found is None or found[0] is None else found[0]

    def figures(self, limit: int = 8) -> OverviewData:
        """The project in figures; types, slowest and largest pages: up to `limit` of each."""
        with self._reading():
            return read_figures(self._connection, limit)

    def notes(self) -> Sequence[Note]:
        """All notes of the series, the oldest first."""
        with self._reading():
            return self._functions.note_table.notes

    def link_count(self) -> int:
        """How many links there are, of any kind: during a crawl, about so many."""
        with self._reading():
            return count_links(self._connection)

    def in_sitemaps(self, ids: Sequence[int]) -> set[int]:
        """Those of `ids` that a sitemap names."""
        asked = map(sql.sitemaps_among, chunks(ids))
        return {url_id for query in asked for (url_id,) in self._rows(query.sql, query.values)}

    def has_sitemaps(self) -> bool:
        """Whether a sitemap was read that names anything."""
        kind = int(LinkKind.SITEMAP)
        return self._row("SELECT 1 FROM link WHERE kind = ? LIMIT 1", (kind,)) is not None

    def robots_txt(self, origin: str) -> tuple[int | None, str] | None:
        """Status and text of the robots.txt of an origin; None if it was not asked for."""
        found = self._made(robots_of, "SELECT status, text FROM robots WHERE origin = ?", (origin,))
        return found[0] if found else None

    def site_checks(self) -> list[SiteCheckRow]:
        """The results of site checks, such as for made-up URLs, by origin."""
        with self._reading():
            return read_site_checks(self._connection)

    def certificates(self) -> list[ServerCertificate]:
        """Those that https servers showed, by origin."""
        with self._reading():
            return read_certificates(self._connection)

    def certificate(self, origin: str) -> ServerCertificate | None:
        """That of an https origin; None if none was seen."""
        with self._reading():
            return read_certificate(self._connection, origin)

    def robots_origins(self) -> list[str]:
        """The origins whose robots.txt was asked for, in order."""
        return [site for (site,) in self._rows("SELECT origin FROM robots ORDER BY origin", ())]

    def urls_of(self, origin: str, after: int, limit: int) -> list[tuple[int, str]]:
        """Up to `limit` URLs of an origin with ids above `after`, by id."""
        query = "SELECT id, url FROM url WHERE id > ? AND url >= ? AND url < ? ORDER BY id LIMIT ?"
        return list(self._rows(query, (after, f"{origin}/", f"{origin}0", limit)))  # 0 follows /

    def lookup(self, url: str) -> int | None:
        """The id of `url`, serialised; None if it is not known."""
        stored = clean_url(url)
        found = self._row(sql.BY_URL, (url_key(stored), stored))
        return found[0] if found else None

    # ------------------------------------------------------------ tables

    def ids(
        self, view: View, filter_: Filter = _ALL, order: Order = _BY_DISCOVERY, after: int = 0
    ) -> "array[int]":
        """The ids of all rows of a view that pass the filter, sorted; type code "q".

        `after` gives only ids above it. Of links, the first MAX_LINKS by discovery, however they
        are sorted. UsageError for an expression that is wrong or takes too long.
        """
        self._functions.prepare(view, filter_)
        order = Order(RELEVANCE) if filter_.search and order.column is None else order
        is_ranked = order == Order(RELEVANCE) and filter_.search and not view.is_of_links
        order = _BY_DISCOVERY if is_ranked else order  # thousands are ranked, and not sorted by SQL
        limit = MAX_LINKS if view.is_of_links else None
        with self._reading():
            if is_ranked and view is View.ALL and filter_ == Filter(search=filter_.search):
                hits = self._functions.hits
                return hits.best_first(hits.found_ids(after))
            reach = link_reach(self._connection, view, filter_)
            query = sql.matching_ids(view, filter_, order, after=after, limit=limit, reach=reach)
            # Row by row: a list is ten times as large, and holds up all threads on its way to it.
            rows = self._connection.execute(query.sql, query.values)
            found = array("q", chained.from_iterable(rows))
            return self._functions.hits.best_first(found) if is_ranked else found

    def records(self, ids: Sequence[int]) -> list[UrlRecord]:
        """The URLs with these ids, in this order; ids that are not known are left out."""
        selected, joins = sql.RECORD_SELECTED, sql.RECORD_JOINS
        if not self.has_renderings():
            selected, joins = sql.UNRENDERED_SELECTED, sql.UNRENDERED_JOINS
        records = self._by_id(selected, joins, ids, record)
        found = {record.id: record for record in records}
        for chunk in chunks([each.id for each in found.values() if each.outcome.is_redirect]):
            ends = self._made(
                partial(chains.with_chain, found), chains.chain_ends(len(chunk)), chunk
            )
            found.update((each.id, each) for each in ends)
        found.update((each.id, each) for each in self.with_custom(found))
        return [found[url_id] for url_id in ids if url_id in found]

    def link_records(self, ids: Sequence[int]) -> list[LinkRecord]:
        """The links with these ids, in this order; ids that are not known are left out."""
        found: dict[int, LinkRecord] = {}
        for chunk in chunks(ids):
            wanted = sql.links_among(chunk)
            found.update((x.id, x) for x in self._links(wanted.sql, "1", wanted.values))
        return [found[each] for each in ids if each in found]

    def facet(self, view: View, filter_: Filter, facet: Facet) -> list[FacetCount]:
        """The values of a facet among the rows of a view that pass the filter, with their counts.

        What the filter says of that facet itself is left aside: these are the values to choose
        from. The most frequent first, at most MAX_VALUES; of a folder, the folders right below.
        Of links all are counted, those for which `ids` has no room too: in constant memory, at
        twenty million within seconds, or a minute with a filter that looks at each of them.
        """
        self._functions.prepare(view, filter_)
        with self._reading():
            return count_facet(self._connection, view, filter_, facet)

    def view_counts(self) -> dict[View, int]:
        """How many rows each view has; of links, those too for which `ids` has no room."""
        self._functions.prepare(View.EXTERNAL, _ALL)
        with self._reading():
            return count_views(self._connection)

    def totals(self, ids: Sequence[int]) -> Totals:
        """What the URLs with these ids amount to."""
        with self._reading():
            return total(self._connection, ids)

    def folder_at(self, address: str) -> int | None:
        """The id of the folder with this address; None if it is not known."""
        with self._reading():
            return folder_at(self._connection, address)

    def folder_address(self, folder: int) -> str:
        """The address of a folder: "https://example.com/docs/"; "" if it is not known."""
        with self._reading():
            return folder_address(self._connection, folder)

    def iterate(
        self, view: View, filter_: Filter = _ALL, order: Order = _BY_DISCOVERY
    ) -> Iterator[UrlRecord]:
        """The URLs of a view, one by one, in constant memory.

        Sorted, searched for, and of issues, it needs 8 bytes of memory for each URL, and leaves out
        URLs that are committed meanwhile; otherwise it includes them.
        """
        is_found = filter_.search or not OF_RULES.isdisjoint(dict(filter_.facets))
        if order == _BY_DISCOVERY and not is_found:
            yield from self._iterate_by_discovery(view, filter_)
            return
        ids = self.ids(view, filter_, order)
        for start in range(0, len(ids), _STREAMED):
            yield from self.records(ids[start : start + _STREAMED])

    def _iterate_by_discovery(self, view: View, filter_: Filter) -> Iterator[UrlRecord]:
        self._functions.prepare(view, filter_)
        after = 0
        while True:
            query = sql.matching_ids(view, filter_, _BY_DISCOVERY, after=after, limit=_STREAMED)
            ids = [url_id for (url_id,) in self._rows(query.sql, query.values)]
            if not ids:
                return
            yield from self.records(ids)
            after = ids[-1]

    # ------------------------------------------------------------ one URL

    def inlinks(
        self, url_id: int, after: tuple[int, int] = (0, -1), limit: int = 200
    ) -> list[LinkRecord]:
        """Links to a URL, of any kind; up to `limit` above (source, position) `after`."""
        return self._links(sql.INLINKS, sql.INLINKS_AFTER, (url_id, *after, limit))

    def link_counts(self, url_id: int) -> LinkCounts:
        """How many links `inlinks` and `outlinks` have, by whether a table counts them."""
        return self._made(counts_of, sql.LINK_COUNTS, (url_id,))[0]

    def outlinks(self, url_id: int, after: int = -1, limit: int = 200) -> list[LinkRecord]:
        """Links on a URL, of any kind; up to `limit` above position `after`."""
        return self._links(
            "link l",
            "l.source = ? AND l.position > ? ORDER BY l.position LIMIT ?",
            (url_id, after, limit),
        )

    def links_of_kinds(
        self, url_id: int, kinds: Collection[LinkKind], limit: int, after: int = -1
    ) -> list[LinkRecord]:
        """The links on a URL that are of these kinds; up to `limit` above position `after`."""
        numbers = sorted(map(int, kinds))
        among = f"l.kind IN ({marks(len(numbers))}) ORDER BY l.position LIMIT ?"
        values = (url_id, after, *numbers, limit)
        return self._links("link l", f"l.source = ? AND l.position > ? AND {among}", values)

    def sitemap_alternates(self, url_id: int) -> list[LinkRecord]:
        """What entries of sitemaps name as the versions of a URL in other languages."""
        return self._links(sql.SITEMAP_ALTERNATES, sql.OF_ENTRIES, (url_id,))

    def chain(self, url_id: int) -> list[ChainHop]:
        """The redirect chain from a redirect to its end; for other URLs, the one that ends there.

        Where several redirects lead to one URL, the chain comes in by the one found first. A
        loop ends with the URL that comes again. Empty if the URL is not known.
        """
        with self._reading():
            ids = chains.chain_through(self._connection, url_id)
        return self._hops(ids)

    def redirect_sources(self, url_id: int, limit: int = 50) -> list[TreeNode]:
        """URLs that redirect to one, by id; at most `limit`."""
        with self._reading():
            ids = chains.redirect_sources(self._connection, url_id, limit)
        return self.nodes(ids)

    def headers(self, url_id: int) -> list[tuple[str, str]]:
        """The response headers of a URL, in their order; empty if there was no response."""
        found = self._made(headers_of, f"SELECT {_HEADERS} WHERE v.id = ?", (url_id,))
        return found[0] if found else []

    def headers_among(self, ids: Sequence[int]) -> dict[int, list[tuple[str, str]]]:
        """The response headers of those of these URLs that got a response."""
        found: dict[int, list[tuple[str, str]]] = {}
        for chunk in chunks(ids):
            query = f"SELECT v.id, {_HEADERS} WHERE v.id IN ({marks(len(chunk))})"
            found.update(self._made(headers_by_id, query, chunk))
        return found

    # ------------------------------------------------------------ streams

    def links(self) -> Iterator[LinkRecord]:
        """All links, by source and position, one by one, in constant memory."""
        return each_link(self._connection, self._reading)

    def matching_links(self, view: View, filter_: Filter) -> Iterator[LinkRecord]:
        """The links of a view that pass the filter, by source and position.

        Needs 8 bytes of memory for each if they are few, and the same however many they are.
        """
        self._functions.prepare(view, filter_)
        with self._reading():
            reach = link_reach(self._connection, view, filter_)
        limit, after = _STREAMED if reach == FAR else None, 0
        while True:
            query = sql.matching_ids(
                view, filter_, _BY_DISCOVERY, after=after, limit=limit, reach=reach
            )
            with self._reading():
                rows = self._connection.execute(query.sql, query.values)
                ids = array("q", chained.from_iterable(rows))
            for start in range(0, len(ids), _STREAMED):
                yield from self.link_records(ids[start : start + _STREAMED])
            if len(ids) != limit:
                return
            after = ids[-1]

    def link_blocks(self, fields: Sequence[LinkField]) -> Iterator[LinkBlock]:
        """These fields of all links, thousands at a time: in a tenth of the time."""
        return link_blocks(self._connection, self._reading, fields)

    def chains(self) -> Iterator[list[ChainHop]]:
        """All redirect chains, each from its start, one by one, in constant memory.

        Chains that meet are told apart by their starts. See `chain` for loops.
        """
        after: int | None = 0
        while after is not None:
            with self._reading():
                found, after = chains.chain_starts(self._connection, after, CHUNK)
            for ids in found:
                yield self._hops(ids)

    # ------------------------------------------------------------ the file

    def _links(self, tables: str, condition: str, values: Iterable[Value]) -> list[LinkRecord]:
        return self._made(
            link,
            f"SELECT {sql.LINK_SELECTED} FROM {tables}{sql.LINK_READING} WHERE {condition}",  # noqa: S608 - our own words
            values,
        )

    def _hops(self, ids: list[int]) -> list[ChainHop]:
        found = {hop.id: hop for hop in self._by_id(sql.HOP_COLUMNS, sql.NODE_JOINS, ids, hop)}
        return closed([found[url_id] for url_id in ids if url_id in found])
