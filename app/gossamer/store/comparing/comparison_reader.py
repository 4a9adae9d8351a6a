"""Reads a comparison file: counts, pages that differ, folders."""

import sqlite3
from array import array
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import chain, groupby
from operator import itemgetter
from pathlib import Path
from typing import Any, Final

import msgspec

from gossamer.model.comparison_field_choice import COMPARABLE
from gossamer.model.comparison_filters import ISSUE_SECTION
from gossamer.model.comparison_results import (
    BrokenLinkChange,
    BrokenLinkFilter,
    ComparedPage,
    ComparisonFilter,
    ComparisonOrder,
    ComparisonSummary,
    FieldChange,
    FilterCounts,
    FilterMove,
    FolderCounts,
    IssueMove,
    LinkChange,
    MovedBy,
    PageChange,
)
from gossamer.model.errors import ProjectError
from gossamer.model.fields.indexability import Indexability
from gossamer.model.outcome import Outcome
from gossamer.model.project_queries import Facet
from gossamer.model.site_file_changes import SiteFileChange
from gossamer.store.bulk_insert import Value, chunks, listed, marks
from gossamer.store.closed_on_exit import ClosedOnExit
from gossamer.store.comparing.comparison_queries import (
    BROKEN_LINKS,
    link_condition,
    link_order,
    page_condition,
    page_order,
)
from gossamer.store.comparing.comparison_schema import (
    COMPARISON_ID,
    COMPARISON_VERSION,
    value_from,
)
from gossamer.store.database import opened, primary_code, translated_reading
from gossamer.store.reading.read_interrupted import ReadInterrupted

_PAGE: Final = (
    "p.id, p.url, p.change, p.before_url, p.before_id, p.after_id, p.fate, p.fate_status,"
    " p.fate_url, p.status, p.reason, m.url, p.moved_by FROM page p"
    " LEFT JOIN page m ON m.id = p.moved"
)
_FILTER: Final = (
    "section, value, before, after, added, new, began, removed, missing, ended,"
    " unknown, unknown_before"
)
_SITE_FILE: Final = (
    "kind, url, before_status, after_status, before_text, after_text, before_urls, after_urls"
)
_LINK: Final = (
    "b.id, b.move, s.url, t.url, t.before_outcome, t.before_status, t.after_outcome, t.after_status"
)
_LINKS: Final = (
    "SELECT l.page, a.url, l.gained FROM link_change l JOIN address a ON a.id = l.target"
)
_LINKS_ORDER: Final = "ORDER BY l.page, l.gained, a.url"
_AT_ONCE: Final = 2_000
_Row = tuple[Any, ...]
_ALL: Final = ComparisonFilter()
_ALL_LINKS: Final = BrokenLinkFilter()
_AS_FOUND: Final = ComparisonOrder()


class ComparisonReader(ClosedOnExit):
    """Reads one comparison file. One thread at a time; `interrupt` from any thread.

    ProjectError for what is no comparison file or damaged; ReadInterrupted after `interrupt`.
    """

    def __init__(self, path: Path) -> None:
        """Open the file at `path`."""
        self._path = path
        if not path.is_file():
            raise ProjectError("The comparison {path} does not exist; compare again.", path=path)
        with translated_reading(path):
            self._connection = opened(path, "mode=ro")
            try:
                self._check()
            except BaseException:
                self._connection.close()
                raise

    def _check(self) -> None:
        (application_id,) = self._connection.execute("PRAGMA application_id").fetchone()
        (version,) = self._connection.execute("PRAGMA user_version").fetchone()
        if application_id != COMPARISON_ID or version != COMPARISON_VERSION:
            raise ProjectError("{path} is not a comparison; compare again.", path=self._path)

    def close(self) -> None:
        """Close the file. Does nothing the second time."""
        self._connection.close()

    def interrupt(self) -> None:
        """End the query that is running, if one is. Call from any thread."""
        with suppress(sqlite3.ProgrammingError):  # closed meanwhile
            self._connection.interrupt()

    # ------------------------------------------------------------ the whole

    def summary(self) -> ComparisonSummary:
        """The comparison as a whole."""
        with self._reading() as connection:
            (text,) = connection.execute("SELECT summary FROM comparison").fetchone()
            return msgspec.json.decode(text, type=ComparisonSummary)

    def filters(self, sections: Collection[Facet] = ()) -> list[FilterCounts]:
        """What came into each filter and issue, and what left it; of these sections, if any."""
        rows = self._rows(f"SELECT {_FILTER} FROM filter ORDER BY section, value")  # noqa: S608 - our own words
        found = [msgspec.convert(row, FilterCounts) for row in rows]
        return [each for each in found if not sections or each.section in sections]

    def issues(self) -> dict[int, FilterCounts]:
        """Likewise of each issue, by the number of its rule."""
        return {int(each.value): each for each in self.filters((ISSUE_SECTION,))}

    def folders(self, parent: str | None = None) -> list[FolderCounts]:
        """The folders right below one, by address; below "" the sites, and without one, all."""
        where, values = ("", ()) if parent is None else (" WHERE parent = ?", (parent,))
        rows = self._rows(
            f"SELECT address, level, before, after FROM folder{where} ORDER BY address",  # noqa: S608 - our own words
            values,
        )
        return [msgspec.convert(row, FolderCounts) for row in rows]

    def site_files(self) -> list[SiteFileChange]:
        """The robots.txt files and sitemaps that differ."""
        rows = self._rows(f"SELECT {_SITE_FILE} FROM site_file ORDER BY kind, url")  # noqa: S608 - our own words
        return [msgspec.convert(row, SiteFileChange) for row in rows]

    # ------------------------------------------------------------ pages

    def count_moved(self, rules: Collection[int], moves: Collection[FilterMove]) -> int:
        """Of how many URLs any of these has become of any of these issues."""
        sql = (
            "SELECT count(DISTINCT page) FROM issue_change"  # noqa: S608 - numbers
            f" WHERE rule IN ({listed(rules)}) AND move IN ({listed(moves)})"
        )
        ((number,),) = self._rows(sql)
        return int(number)

    def count(self, filter_: ComparisonFilter = _ALL) -> int:
        """How many pages pass a filter."""
        where, values = page_condition(filter_)
        ((number,),) = self._rows(f"SELECT count(*) FROM page p WHERE {where}", values)  # noqa: S608 - our own words
        return int(number)

    def ids(
        self, filter_: ComparisonFilter = _ALL, order: ComparisonOrder = _AS_FOUND
    ) -> "array[int]":
        """The ids of the pages that pass a filter, sorted; type code "q"."""
        where, values = page_condition(filter_)
        sort, of_sort = page_order(filter_, order)
        with self._reading() as connection:
            rows = connection.execute(
                f"SELECT p.id FROM page p WHERE {where} ORDER BY {sort}",  # noqa: S608 - our own words
                (*values, *of_sort),
            )
            return array("q", chain.from_iterable(rows))

    def pages(self, ids: Sequence[int]) -> list[ComparedPage]:
        """The pages with these ids, in this order, with all that has changed of them."""
        found: dict[int, ComparedPage] = {}
        for chunk in chunks(ids):
            among = f"IN ({marks(len(chunk))})"
            rows = self._rows(f"SELECT {_PAGE} WHERE p.id {among}", chunk)
            fields = self._grouped(
                f"SELECT page, field, before, after FROM field_change WHERE page {among}"  # noqa: S608 - marks only
                " ORDER BY page",
                chunk,
            )
            issues = self._grouped(
                f"SELECT page, rule, move FROM issue_change WHERE page {among} ORDER BY page, rule",  # noqa: S608 - marks only
                chunk,
            )
            links = self._grouped(f"{_LINKS} WHERE l.page {among} {_LINKS_ORDER}", chunk)
            with translated_reading(self._path):
                for row in rows:
                    rest = (each.get(row[0], []) for each in (fields, issues, links))
                    page = _page(row, *rest)
                    found[page.id] = page
        return [found[each] for each in ids if each in found]

    def iterate(
        self, filter_: ComparisonFilter = _ALL, order: ComparisonOrder = _AS_FOUND
    ) -> Iterator[ComparedPage]:
        """The pages that pass a filter, one by one, in 8 bytes of memory for each."""
        ids = self.ids(filter_, order)
        for start in range(0, len(ids), _AT_ONCE):
            yield from self.pages(ids[start : start + _AT_ONCE])

    # ------------------------------------------------------------ links

    def broken_link_ids(
        self, filter_: BrokenLinkFilter = _ALL_LINKS, order: ComparisonOrder = _AS_FOUND
    ) -> "array[int]":
        """The ids of the links that pass a filter, sorted; type code "q"."""
        where, values = link_condition(filter_)
        with self._reading() as connection:
            rows = connection.execute(
                f"SELECT b.id FROM {BROKEN_LINKS} WHERE {where} ORDER BY {link_order(order)}",  # noqa: S608 - our own words
                values,
            )
            return array("q", chain.from_iterable(rows))

    def broken_links(self, ids: Sequence[int]) -> list[BrokenLinkChange]:
        """The links with these ids, in this order."""
        found: dict[int, BrokenLinkChange] = {}
        for chunk in chunks(ids):
            sql = f"SELECT {_LINK} FROM {BROKEN_LINKS} WHERE b.id IN ({marks(len(chunk))})"  # noqa: S608 - marks only
            rows = self._rows(sql, chunk)
            with translated_reading(self._path):
                found.update((row[0], _broken_link(row)) for row in rows)
        return [found[each] for each in ids if each in found]

    def iterate_broken_links(
        self, filter_: BrokenLinkFilter = _ALL_LINKS
    ) -> Iterator[BrokenLinkChange]:
        """The links that pass a filter, one by one."""
        ids = self.broken_link_ids(filter_)
        for start in range(0, len(ids), _AT_ONCE):
            yield from self.broken_links(ids[start : start + _AT_ONCE])

    # ------------------------------------------------------------ the file

    def _grouped(self, sql: str, values: Sequence[Value]) -> dict[int, list[tuple[Any, ...]]]:
        rows = self._rows(sql, values)
        return {page: list(some) for page, some in groupby(rows, key=itemgetter(0))}

    def _rows(self, sql: str, values: Sequence[Value] = ()) -> list[tuple[Any, ...]]:
        with self._reading() as connection:
            return connection.execute(sql, values).fetchall()

    @contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection]:
        with translated_reading(self._path):
            try:
                yield self._connection
            except sqlite3.OperationalError as e:
                if primary_code(e) == sqlite3.SQLITE_INTERRUPT:
                    raise ReadInterrupted from e
                raise


_PLACES: Final = {name: place for place, name in enumerate(COMPARABLE)}


def _page(
    row: _Row, fields: Sequence[_Row], issues: Sequence[_Row], links: Sequence[_Row]
) -> ComparedPage:
    page, url, change, before_url, before_id, after_id, fate, *others = row
    fate_status, fate_url, status, reason, moved_url, moved_by = others
    return ComparedPage(
        id=page,
        url=url,
        change=PageChange(change),
        before_url=before_url,
        before_id=before_id,
        after_id=after_id,
        fate=None if fate is None else Outcome(fate),
        fate_status=fate_status,
        fate_url=fate_url,
        status=status,
        reason=None if reason is None else Indexability(reason),
        fields=tuple(
            FieldChange(
                name, value_from(COMPARABLE[name], before), value_from(COMPARABLE[name], after)
            )
            for _, name, before, after in sorted(fields, key=lambda each: _PLACES[each[1]])
        ),
        issues=tuple(IssueMove(rule, FilterMove(move)) for _, rule, move in issues),
        links=tuple(LinkChange(url, bool(gained)) for _, url, gained in links),
        moved_url=moved_url,
        moved_by=None if moved_by is None else MovedBy(moved_by),
    )


def _broken_link(row: _Row) -> BrokenLinkChange:
    link, move, source, target, *responses = row
    before, before_status, after, after_status = responses
    return BrokenLinkChange(
        *(link, FilterMove(move), source, target),
        before=None if before is None else Outcome(before),
        before_status=before_status,
        after=None if after is None else Outcome(after),
        after_status=after_status,
    )
