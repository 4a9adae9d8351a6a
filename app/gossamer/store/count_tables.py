"""Maintains the `…_count` tables: URLs by status, outcome, depth, time, type, issue and so on."""

import sqlite3
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from typing import Final, Literal, TypeAlias

from gossamer.model.custom_definitions import CustomCounts
from gossamer.model.discovery_rank import UNLINKED
from gossamer.model.outcome import Outcome
from gossamer.model.outcome_counts import DONE
from gossamer.model.overview_data import rounded_ms
from gossamer.model.visit import CountedResponse
from gossamer.store.bulk_insert import BulkInsert, listed

NO_STATUS = 0
"""Stands in `status_count` for visits without a usable response."""

_URLS = BulkInsert(
    "url_count",
    "outcome, depth, urls",
    "ON CONFLICT (outcome, depth) DO UPDATE SET urls = urls + excluded.urls",
)
_STATUSES = BulkInsert(
    "status_count",
    "status, urls, received_bytes, unchanged",
    "ON CONFLICT (status) DO UPDATE"
    " SET urls = urls + excluded.urls, received_bytes = received_bytes + excluded.received_bytes,"
    " unchanged = unchanged + excluded.unchanged",
)

_TIMES = BulkInsert(
    "time_count",
    "elapsed_ms, urls",
    "ON CONFLICT (elapsed_ms) DO UPDATE SET urls = urls + excluded.urls",
)
_TYPES = BulkInsert(
    "type_count",
    "content_type, urls",
    "ON CONFLICT (content_type) DO UPDATE SET urls = urls + excluded.urls",
)
_ISSUES = BulkInsert(
    "issue_count",
    "rule, urls, live",
    "ON CONFLICT (rule) DO UPDATE SET urls = urls + excluded.urls",
)
_LIVE = 1
CustomCount: TypeAlias = Literal["found", "missing", "failed"]
_CUSTOM = BulkInsert(
    "custom_count",
    "definition, found, missing, failed",
    "ON CONFLICT (definition) DO UPDATE SET found = found + excluded.found,"
    " missing = missing + excluded.missing, failed = failed + excluded.failed",
)
_CUSTOM_COLUMNS: Final[tuple[CustomCount, ...]] = ("found", "missing", "failed")


class CountTables:
    """Counts what a transaction changes; recounting millions of rows would take seconds."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        """Take the writer's connection."""
        self._connection = connection
        self._urls: Counter[tuple[int, int]] = Counter()
        self._statuses: Counter[int] = Counter()
        self._received: Counter[int] = Counter()
        self._unchanged: Counter[int] = Counter()
        self._times: Counter[int] = Counter()
        self._types: Counter[int] = Counter()
        self._issues: Counter[int] = Counter()
        self._custom: Counter[tuple[int, CustomCount]] = Counter()

    def forget(self) -> None:
        """Forget what is not written: after a rollback."""
        self._urls.clear()
        self._statuses.clear()
        self._received.clear()
        self._unchanged.clear()
        self._times.clear()
        self._types.clear()
        self._issues.clear()
        self._custom.clear()

    def url(self, outcome: int, depth: int, number: int = 1) -> None:
        """There are so many URLs more of this outcome at this depth."""
        self._urls[int(outcome), depth] += number

    def response(self, response: CountedResponse, number: int = 1) -> None:
        """Count so many more responses like this."""
        key = response.status or NO_STATUS
        self._statuses[key] += number
        self._received[key] += number * response.received_bytes
        self._unchanged[key] += number * response.is_unchanged

    def time_and_type(
        self, elapsed_ms: int | None, content_type: int | None, number: int = 1
    ) -> None:
        """Count so many more responses with this time and type: the id of a text, or none.

        A URL without a response has no time.
        """
        if elapsed_ms is not None:
            self._times[rounded_ms(elapsed_ms)] += number
        if content_type:
            self._types[content_type] += number

    def issues(self, rules: Mapping[int, int]) -> None:
        """There are so many URLs more with each of these page rules."""
        self._issues.update(rules)

    def no_issues(self, rules: Iterable[int]) -> None:
        """There is a URL less with each of them."""
        self._issues.subtract(rules)

    def custom(self, definition: int, column: CustomCount, number: int = 1) -> None:
        """There are so many pages more for which a definition came to this."""
        self._custom[definition, column] += number

    def flush(self) -> None:
        """Write the counts, in the transaction that is open."""
        urls = ((*kind, number) for kind, number in self._urls.items() if number)
        _URLS.run(self._connection, [value for row in urls for value in row])
        counts = (self._statuses, self._received, self._unchanged)
        _STATUSES.run(
            self._connection,
            [value for key in self._statuses for value in (key, *(each[key] for each in counts))],
        )
        for insert, measured in ((_TIMES, self._times), (_TYPES, self._types)):
            insert.run(self._connection, [value for pair in measured.items() for value in pair])
        issues = ((rule, number, _LIVE) for rule, number in self._issues.items() if number)
        _ISSUES.run(self._connection, [value for row in issues for value in row])
        _CUSTOM.run(
            self._connection,
            [
                value
                for each in {definition for definition, _ in self._custom}
                for value in (each, *(self._custom[each, column] for column in _CUSTOM_COLUMNS))
            ],
        )
        self.forget()


def count_custom(connection: sqlite3.Connection) -> dict[int, CustomCounts]:
    """Number of a definition → pages. ValueError for what is no number."""
    rows = connection.execute("SELECT definition, found, missing, failed FROM custom_count")
    return {number: CustomCounts(*map(int, counts)) for number, *counts in rows}


def count_issues(connection: sqlite3.Connection) -> dict[int, int]:
    """Number of a rule → URLs. ValueError for what is no number."""
    rows = connection.execute("SELECT rule, urls FROM issue_count WHERE urls > 0 ORDER BY rule")
    return {rule: int(number) for rule, number in rows}


def count_statuses(connection: sqlite3.Connection) -> dict[int, int]:
    """HTTP status → URLs. ValueError for what is no number."""
    rows = connection.execute("SELECT status, urls FROM status_count WHERE urls > 0")
    return {status: int(number) for status, number in rows if status != NO_STATUS}


def count_outcomes(connection: sqlite3.Connection) -> dict[Outcome, int]:
    """Outcome → URLs. ValueError for what is no outcome."""
    rows = connection.execute("SELECT outcome, total(urls) FROM url_count GROUP BY outcome")
    return {Outcome(outcome): int(number) for outcome, number in rows if number}


def count_depths(
    connection: sqlite3.Connection, outcomes: Collection[Outcome] = DONE
) -> dict[int, int]:
    """Clicks from a root → URLs with one of these outcomes. ValueError for what is no number."""
    rows = connection.execute(
        "SELECT depth, total(urls) FROM url_count"  # noqa: S608 - numbers
        f" WHERE outcome IN ({listed(outcomes)}) AND depth < ? GROUP BY depth",
        (UNLINKED,),
    )
    return {depth: int(number) for depth, number in rows if number}


def count_times(connection: sqlite3.Connection) -> dict[int, int]:
    """Milliseconds, see `rounded_ms` → responses. ValueError for what is no number."""
    rows = connection.execute("SELECT elapsed_ms, urls FROM time_count WHERE urls > 0")
    return {elapsed_ms: int(number) for elapsed_ms, number in rows}


def count_types(connection: sqlite3.Connection, limit: int) -> dict[str, int]:
    """MIME type → responses, the commonest `limit`, most first. ValueError if not a number."""
    rows = connection.execute(
        # A text may have several ids: a crawl that goes on does not know those of before.
        "SELECT t.value, sum(c.urls) FROM type_count c JOIN text t ON t.id = c.content_type"
        " WHERE c.urls > 0 GROUP BY t.value ORDER BY 2 DESC, min(c.content_type) LIMIT ?",
        (limit,),
    )
    return {content_type: int(number) for content_type, number in rows}
