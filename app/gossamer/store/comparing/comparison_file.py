"""Writes a comparison file, under a temporary name until it is complete."""

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from itertools import chain
from pathlib import Path
from typing import Final

import msgspec

from gossamer import __version__
from gossamer.model.comparison_results import (
    ComparisonSummary,
    FilterCounts,
    PageChange,
)
from gossamer.model.errors import OutputError
from gossamer.model.project_queries import Facet
from gossamer.model.project_queries import Value as FacetValue
from gossamer.model.site_file_changes import SiteFileChange
from gossamer.model.translatable import system_reason
from gossamer.store.atomic_files import StagingFolder
from gossamer.store.auditing.number_arrays import Ids
from gossamer.store.bulk_insert import BulkInsert, Value
from gossamer.store.comparing.comparison_schema import (
    COMPARISON_ID,
    COMPARISON_TABLES,
    COMPARISON_VERSION,
    INDEXES,
)
from gossamer.store.database import translated

_PAGE_COLUMNS: Final = (
    "id, url, before_url, before_id, after_id, change, before_set, after_set,"
    " fate, fate_status, fate_url, status, reason"
)
PAGE_WIDTH: Final = _PAGE_COLUMNS.count(",") + 1
"""Values of a row of `page`."""
_PAGES: Final = BulkInsert("page", _PAGE_COLUMNS)
_FIELDS: Final = BulkInsert("field_change", "page, field, before, after")
_ADDRESSES: Final = BulkInsert(
    "address", "id, url, before_outcome, before_status, after_outcome, after_status"
)
_LINKS: Final = BulkInsert("link_change", "page, target, gained")
_BROKEN: Final = BulkInsert("broken_link", "move, source, target")
_SITE_FILES: Final = BulkInsert(
    "site_file",
    "kind, url, before_status, after_status, before_text, after_text, before_urls, after_urls",
)
_ISSUES: Final = BulkInsert("issue_change", "rule, page, move")
_FILTERS: Final = BulkInsert(
    "filter",
    "section, value, before, after, added, new, began, removed, missing, ended,"
    " unknown, unknown_before",
)
_SETS: Final = BulkInsert("filter_set", "id, section, value")
_FOLDERS: Final = BulkInsert(
    "folder",
    "address, parent, level, before, after",
    "ON CONFLICT (address) DO UPDATE"
    " SET before = before + excluded.before, after = after + excluded.after",
)
_ROWS: Final = 50_000
_UPWARD: Final = """
    INSERT INTO folder (address, parent, level, before, after)
    SELECT parent, parent_folder(parent), level - 1, sum(before), sum(after) FROM folder
    WHERE level = ? AND parent <> '' GROUP BY parent
    ON CONFLICT (address) DO UPDATE
        SET before = before + excluded.before, after = after + excluded.after
"""


class ComparisonFile:
    """A comparison while it is written. For one thread; `complete_comparison` makes one."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        """Take a connection to an empty file."""
        self._connection = connection
        for pragma in (
            *("journal_mode=OFF", "synchronous=OFF", "cache_size=-32768", "temp_store=FILE"),
            *(f"application_id={COMPARISON_ID}", f"user_version={COMPARISON_VERSION}"),
        ):
            connection.execute(f"PRAGMA {pragma}")
        connection.create_function("parent_folder", 1, parent_folder, deterministic=True)
        connection.executescript(f"BEGIN; {COMPARISON_TABLES}")

    def add_pages(self, rows: Sequence[Value]) -> None:
        """Add rows of `page`, given as one flat sequence of PAGE_WIDTH values; NULL for none."""
        _PAGES.run(self._connection, rows)

    def add_field_changes(self, rows: Sequence[Value]) -> None:
        """Likewise rows of `field_change`."""
        _FIELDS.run(self._connection, rows)

    def mark_moved(self, pages: Ids, others: Ids, moved_by: Ids) -> None:
        """Note of pages where they are now, or where they were, and what tells so."""
        rows = zip(others.tolist(), moved_by.tolist(), pages.tolist(), strict=True)
        self._connection.executemany("UPDATE page SET moved = ?, moved_by = ? WHERE id = ?", rows)

    def add_site_files(self, changes: Iterable[SiteFileChange]) -> None:
        """Add rows of `site_file`."""
        rows = (msgspec.structs.astuple(each) for each in changes)
        _SITE_FILES.run(
            self._connection, [value for row in rows for value in (str(row[0]), *row[1:])]
        )

    def add_addresses(self, rows: Sequence[Value]) -> None:
        """Likewise rows of `address`."""
        _ADDRESSES.run(self._connection, rows)

    def add_link_changes(self, rows: Sequence[Value]) -> None:
        """Likewise rows of `link_change`."""
        _LINKS.run(self._connection, rows)

    def add_broken_links(self, rows: Sequence[Value]) -> None:
        """Likewise rows of `broken_link`."""
        _BROKEN.run(self._connection, rows)

    def add_issue_changes(self, rule: int, pages: Ids, moves: Ids) -> None:
        """Add the pages that have got or lost an issue, rising."""
        for start in range(0, len(pages), _ROWS):
            part = pages[start : start + _ROWS].tolist()
            rows: list[Value] = [rule] * (3 * len(part))
            rows[1::3] = part
            rows[2::3] = moves[start : start + _ROWS].tolist()
            _ISSUES.run(self._connection, rows)

    def mark_changed(self, pages: Ids) -> None:
        """Note that these pages have changed."""
        self._connection.executemany(
            f"UPDATE page SET change = {int(PageChange.CHANGED)} WHERE id = ?",  # noqa: S608 - a number
            ((page,) for page in pages.tolist()),
        )

    def add_filters(self, counts: Iterable[FilterCounts]) -> None:
        """Add rows of `filter`."""
        rows = ((c.section, c.value, *_numbers(c)) for c in counts)
        _FILTERS.run(self._connection, list(chain.from_iterable(rows)))

    def add_filter_sets(self, sets: Iterable[tuple[int, Facet, FacetValue]]) -> None:
        """Add rows of `filter_set`."""
        _SETS.run(self._connection, list(chain.from_iterable(sets)))

    def add_folders(self, counts: Iterable[tuple[str, int, int]]) -> None:
        """Add the URLs that are right in folders: address, how many before, how many after."""
        rows = (
            (address, parent_folder(address), address.count("/") - 3, before, after)
            for address, before, after in counts
        )
        _FOLDERS.run(self._connection, list(chain.from_iterable(rows)))

    def sum_folders(self) -> None:
        """Count the URLs of each folder for those above it, too."""
        (deepest,) = self._connection.execute("SELECT max(level) FROM folder").fetchone()
        for level in range(deepest or 0, 0, -1):
            self._connection.execute(_UPWARD, (level,))

    def finish(self, summary: ComparisonSummary) -> None:
        """Write the summary, and make the indexes."""
        self._connection.execute(
            "INSERT INTO comparison (id, program, summary) VALUES (1, ?, ?)",
            (f"Gossamer {__version__}", msgspec.json.encode(summary).decode()),
        )
        self._connection.executescript(INDEXES)  # which commits first


def parent_folder(address: str) -> str:
    """The folder above one, such as `https://example.com/` of `https://example.com/a/`."""
    above = address[: address.rfind("/", 0, -1) + 1]
    return "" if above.endswith("://") else above


def _numbers(counts: FilterCounts) -> tuple[int, ...]:
    return counts.before, counts.after, *counts.moves


@contextmanager
def new_comparison(target: Path) -> Iterator[ComparisonFile]:
    """Inside, a comparison to write; afterwards it is at `target`, in place of what was there.

    OutputError where it cannot be written; DiskError where the disk is full. Nothing is left of
    one that is not finished.
    """
    try:
        with StagingFolder(target.parent) as aside:
            part = aside.new(target.name)
            with translated(target), closing(_connection(part)) as connection:
                yield ComparisonFile(connection)
            aside.put(part, target, replace=True)
    except OSError as e:
        raise OutputError(
            "{path} cannot be written ({reason}); choose another location.",
            path=target,
            reason=system_reason(e),
        ) from e


def _connection(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(path, isolation_level=None, check_same_thread=False)
