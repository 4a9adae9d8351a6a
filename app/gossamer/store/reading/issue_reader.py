"""Reads the results of the audit of a project: which rules hold for which URLs."""

from collections import Counter
from collections.abc import Sequence
from typing import Final

from gossamer.model.audit_state import AuditState
from gossamer.model.audit_totals import AuditTotals
from gossamer.model.evidence_links import LinkTest
from gossamer.model.fields.indexability import IndexableOrNot, indexable_sql
from gossamer.model.ignored_issues import IgnoredIssue
from gossamer.model.outcome_counts import REPORTED
from gossamer.model.project_queries import Filter, View
from gossamer.model.segments import parse_segments
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.sketches import SKETCH_BYTES, share_of
from gossamer.store.audit_status import read_audit_state
from gossamer.store.bulk_insert import Value, chunks, listed, marks
from gossamer.store.count_tables import count_issues
from gossamer.store.reading.filter_conditions import EXTERNAL, FAR, condition, joined
from gossamer.store.reading.ignored_rows import (
    IGNORED_ROWS,
    IS_OPEN,
    OPEN_ROWS,
    count_ignored_issues,
    count_open_issues,
    read_ignored_issues,
)
from gossamer.store.reading.project_connection import ProjectConnection
from gossamer.store.reading.queries import issue_counts
from gossamer.store.reading.segment_view import segment_sql
from gossamer.store.reading.tested_links import links_sql, told_links
from gossamer.store.stored_settings import checked_settings

_ISSUES_OF = f"""
    SELECT c.rule, i.value FROM issue_count c CROSS JOIN issue i ON i.rule = c.rule AND i.id = ?1
    WHERE c.urls > 0 AND {IS_OPEN}
    ORDER BY c.rule
"""  # noqa: S608 - our own words
_BY_SEGMENT = f"""
    WITH segmented (id, name) AS MATERIALIZED
        (SELECT u.id, (SELECT sg.name FROM url_segment sg WHERE sg.id = u.id) FROM url u)
    SELECT i.rule, s.name, count(*) FROM ({OPEN_ROWS}) i JOIN segmented s ON s.id = i.id
    GROUP BY 1, 2
"""  # noqa: S608 - our own words
_TOTALS = f"""
    SELECT count(*), total({EXTERNAL}), count(v.word_count),
        total(CASE WHEN v.word_count IS NOT NULL
            THEN {indexable_sql()} = '{IndexableOrNot.INDEXABLE.value}' END)
    FROM url u LEFT JOIN visit v ON v.id = u.id
    WHERE u.outcome IN ({listed(REPORTED)}) AND u.url GLOB 'http*://*'
"""  # noqa: S608 - our own words
"""URLs, external ones, pages and indexable ones: see AuditTotals."""
_FIRST_OF = "SELECT min(id, value) FROM issue WHERE rule = ? AND id = ? AND value IS NOT NULL"
_SAME = "SELECT id FROM issue WHERE rule = ? AND (value = ? OR id = ?) AND id <> ? LIMIT ?"

_LANGUAGE = "SELECT (SELECT value FROM text WHERE id = v.language) FROM visit v WHERE v.id = ?"
_NEAR = "SELECT id FROM issue WHERE rule = ? ORDER BY id LIMIT ?"
_OWN = f"""
    SELECT v.sketch, v.content_hash, a.near_duplicate_id FROM visit v
    JOIN url_audit a ON a.id = v.id
    WHERE v.id = ? AND length(v.sketch) = {SKETCH_BYTES} AND a.near_duplicate_id IS NOT NULL
"""  # noqa: S608 - a number
_SKETCHES = f"""
    SELECT id, sketch, content_hash FROM visit WHERE length(sketch) = {SKETCH_BYTES} AND id
"""  # noqa: S608 - a number
_ALL: Final = Filter()
MAX_COMPARED: Final = 10_000
"""Near duplicates of a project that are compared with one page: a quarter of a second or so."""


class IssueReader(ProjectConnection):
    """Reads issues. Raises as `Reader` does. Rules are told by their numbers."""

    def audit_state(self, settings: CrawlSettings | None = None) -> AuditState:
        """Whether the audit is up to date, by the thresholds of `settings` or the project's own."""
        with self._reading():
            return read_audit_state(self._connection, settings)

    def issue_counts(self, *, with_ignored: bool = False, among: Filter = _ALL) -> dict[int, int]:
        """How many URLs each rule holds for, by number; without rules that hold for none.

        What is ignored does not count, unless `with_ignored`. Only URLs that pass `among` count;
        that reads all URLs.
        """
        if among != _ALL:
            return self._counts_among(among, with_ignored=with_ignored)
        count = count_issues if with_ignored else count_open_issues
        with self._reading():
            return count(self._connection)

    def ignored_counts(self) -> dict[int, int]:
        """For how many URLs each rule is ignored, by number; without rules of which none is."""
        with self._reading():
            return count_ignored_issues(self._connection)

    def ignored_issues(self) -> list[IgnoredIssue]:
        """What is ignored, rule by rule, with how many URLs that is now."""
        with self._reading():
            return read_ignored_issues(self._connection)

    def issues_by_segment(self) -> dict[int, dict[str | None, int]]:
        """How many URLs each rule holds for in each segment, by number; None is no segment."""
        found: dict[int, dict[str | None, int]] = {}
        for rule, segment, urls in self._rows(_BY_SEGMENT, ()):
            found.setdefault(rule, {})[segment] = urls
        return found

    def count_segments(self, texts: Sequence[str]) -> dict[str, int]:
        """How many URLs would be in each segment if these were the segments; without empty ones.

        UsageError about what is wrong. Reads all URLs.
        """
        segments = parse_segments(texts)
        names = f"SELECT name, count(*) FROM ({segment_sql(segments)}) WHERE name IS NOT NULL"  # noqa: S608 - values are quoted
        return dict(self._rows(f"{names} GROUP BY name", ()))

    def audit_totals(self, among: Filter = _ALL) -> AuditTotals:
        """How many URLs there are of the kinds that rules are about, of those that pass `among`."""
        wanted, sql = condition(View.ALL, among), _TOTALS
        if among != _ALL:
            sql += f" AND u.id IN (SELECT u.id FROM {joined(View.ALL, wanted.joins)} WHERE {wanted.sql})"  # noqa: S608, E501 - our own words
        with self._reading():
            self._functions.prepare(View.EXTERNAL, among)
            row = self._connection.execute(sql, wanted.values).fetchone()
        urls, external, pages, indexable = map(int, row)
        return AuditTotals(urls, urls - external, external, pages, indexable)

    def _counts_among(self, among: Filter, *, with_ignored: bool) -> dict[int, int]:
        found: Counter[int] = Counter()
        with self._reading():
            self._functions.prepare(View.ALL, among)
            for rows in (OPEN_ROWS, IGNORED_ROWS) if with_ignored else (OPEN_ROWS,):
                query = issue_counts(View.ALL, among, rows, FAR)
                for rule, urls in self._connection.execute(query.sql, query.values):
                    found[rule] += int(urls)
        return dict(found)

    def issue_values(self, rule: int, ids: Sequence[int]) -> dict[int, Value]:
        """What a rule measured of those of these URLs for which it holds; None for nothing."""
        found: dict[int, Value] = {}
        for chunk in chunks(ids):
            query = f"SELECT id, value FROM issue WHERE rule = ? AND id IN ({marks(len(chunk))})"  # noqa: S608 - marks only
            found.update(self._rows(query, (rule, *chunk)))
        return found

    def tested_links(self, rule: int, ids: Sequence[int], test: LinkTest) -> dict[int, str]:
        """The first links of these URLs that pass a test, as a text; those without are left out."""
        if test.is_internal is not None:
            self._functions.prepare_scope()
        sql, values = links_sql(test)
        found = {}
        for url_id in ids:
            rows = self._rows(sql, (url_id, rule if test.to_measured else 0, *values))
            if test.accepts is not None:
                [(language,)] = self._rows(_LANGUAGE, (url_id,))
                rows = [row for row in rows if test.accepts(row[1] or "", language)]
            if rows:
                found[url_id] = told_links(rows, with_text=test.tells_text)
        return found

    def same_issue(self, rule: int, url_id: int, limit: int) -> list[int]:
        """Other URLs for which a rule about duplicates holds for the same reason, by id.

        The value of such a rule is the id of another one, the same for all but one of them.
        """
        found: list[int] = []
        for (first,) in self._rows(_FIRST_OF, (rule, url_id)):
            others = self._rows(_SAME, (rule, first, first, url_id, limit))
            found += [number for (number,) in others]
        return found

    def near_duplicates(self, rule: int, url_id: int, limit: int) -> list[tuple[int, int]]:
        """Other URLs for which the rule on near duplicates holds, with what they share in percent.

        The most similar first. Of more than `MAX_COMPARED`, only those are compared that have the
        lowest ids, and what the rule measured.
        """
        held = self._rows(_NEAR, (rule, MAX_COMPARED))
        own = self._rows(_OWN, (url_id,))
        least = checked_settings(self._connection, self._path).duplicate_min_percent / 100
        found: list[tuple[int, int]] = []
        for sketch, content, closest in own:
            ids = {number for (number,) in held} | {closest}
            for chunk in chunks(sorted(ids - {url_id})):
                query = f"{_SKETCHES} IN ({marks(len(chunk))})"
                for other, other_sketch, other_content in self._rows(query, chunk):
                    share = share_of(sketch, other_sketch)
                    if other_content != content and (share >= least or other == closest):
                        found.append((other, int(100 * share + 0.5)))
        found.sort(key=lambda each: (-each[1], each[0]))
        return found[:limit]

    def issues_of(self, url_id: int) -> dict[int, Value]:
        """The rules that hold for a URL, rising, and what each measured; without ignored ones."""
        return dict(self._rows(_ISSUES_OF, (url_id,)))
