"""What a rescue reports: what was saved of each table, and what is known to be lost of it."""

import sqlite3
from dataclasses import dataclass
from typing import Final

from gossamer.store.field_sql import LINK_TEXTS, VISIT_COLUMNS

MOST_RANGES: Final = 20
"""Of the stretches of lost ids, so many are reported."""
_GAPS: Final = """
    SELECT before + 1, id - 1 FROM
        (SELECT id, lag(id, 1, 0) OVER (ORDER BY id) AS before
        FROM (SELECT id FROM {table} UNION ALL SELECT ?))
    WHERE id > before + 1 ORDER BY id LIMIT ?
"""
_POOLED: Final = " UNION ".join(
    f"SELECT {each.name} AS id FROM {each.table}"  # noqa: S608 - our own words
    for each in (*VISIT_COLUMNS, *LINK_TEXTS)
    if each.storage.pooled
)
_LOST_TEXTS: Final = f"""
    SELECT count(*) FROM ({_POOLED} UNION SELECT header_names FROM visit
    UNION SELECT detail FROM url) WHERE id IS NOT NULL AND id NOT IN (SELECT id FROM text)
"""  # noqa: S608 - our own words


@dataclass(frozen=True, slots=True)
class TableReport:
    """How much of a table was saved. `lost` counts rows known to have existed."""

    name: str
    saved: int
    lost: int
    gaps: tuple[tuple[int, int], ...] = ()
    """Ids that are missing, from and to; at most the first 20 stretches."""


@dataclass(frozen=True, slots=True)
class RescueReport:
    """The result of a rescue. `again` counts URLs that a resumed crawl fetches again."""

    pages: int
    damaged_pages: int
    damaged_rows: int
    tables: tuple[TableReport, ...]
    again: int
    settings_lost: bool
    identity_lost: bool
    """Of a crawl whose settings were read: its series, begin or duration was made up, or what it
    says of its previous crawl was lost.
    """
    shard_lost: bool
    """Whether it was a shard, or may have been one, and is none any more."""

    @property
    def whole(self) -> bool:
        """Whether nothing was lost."""
        lost = any(table.lost for table in self.tables) or self.identity_lost or self.shard_lost
        return not (lost or self.damaged_pages or self.damaged_rows or self.settings_lost)


def report_urls(rows: sqlite3.Connection) -> TableReport:
    """The report on URLs: those with a response existed, too."""
    return _report_dense(rows, "url", max(_last(rows, "url"), _last(rows, "visit")))


def report_texts(rows: sqlite3.Connection) -> TableReport:
    """The report on texts: lost are those that a row names."""
    report = _report_dense(rows, "text", _last(rows, "text"))
    if not report.lost:
        return report
    (lost,) = rows.execute(_LOST_TEXTS).fetchone()
    return TableReport("text", report.saved, lost)


def visits_without_url(rows: sqlite3.Connection) -> list[int]:
    """The ids of responses that were read, and whose URL was lost."""
    found = rows.execute("SELECT id FROM visit WHERE id NOT IN (SELECT id FROM url)")
    return [number for (number,) in found]


def links_without_page(rows: sqlite3.Connection) -> int:
    """How many links were read of pages whose URL or response was lost."""
    lost = "source NOT IN (SELECT v.id FROM visit v JOIN url u ON u.id = v.id)"
    return int(rows.execute(f"SELECT count(*) FROM link WHERE {lost}").fetchone()[0])  # noqa: S608 - our own words


def _report_dense(rows: sqlite3.Connection, table: str, last: int) -> TableReport:
    """The report on a table whose ids have no gaps: from 1 to the last one heard of."""
    (saved,) = rows.execute(f"SELECT count(*) FROM {table}").fetchone()  # noqa: S608 - our own names
    gaps = rows.execute(_GAPS.format(table=table), (last + 1, MOST_RANGES)).fetchall()
    return TableReport(table, saved, last - saved, tuple((a, b) for a, b in gaps))


def _last(rows: sqlite3.Connection, table: str) -> int:
    return int(rows.execute(f"SELECT coalesce(max(id), 0) FROM {table}").fetchone()[0])  # noqa: S608 - our own names
