"""Rescues a damaged project into a new one and reports what was lost."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any, Final

from gossamer.model.crawl_state import LIVE, CrawlState
from gossamer.model.custom_definitions import CustomResult
from gossamer.model.discovery_rank import Rank
from gossamer.model.errors import ProjectError
from gossamer.model.link_kinds import OUTLINK_KINDS
from gossamer.model.outcome import Outcome, UrlState
from gossamer.model.outcome_details import detail_of
from gossamer.model.store_batch import LinkRows, StoreBatch, UrlRow, VisitRow
from gossamer.model.translatable import system_reason
from gossamer.model.visit import PageLinks
from gossamer.store.certificate_table import read_certificates
from gossamer.store.database import file_version, translated
from gossamer.store.locking.file_identity import file_of
from gossamer.store.project import fill, new_project
from gossamer.store.reading.stored_visits import LINKS, VISITS, visit_of
from gossamer.store.rescue.carried_over_rows import (
    copy_dependent_rows,
    salvaged_budgets,
    salvaged_custom,
    salvaged_owed,
)
from gossamer.store.rescue.rescue_report import (
    MOST_RANGES,
    RescueReport,
    TableReport,
    links_without_page,
    report_texts,
    report_urls,
    visits_without_url,
)
from gossamer.store.rescue.row_salvage import IDENTITY, SHARD, SalvageTally, salvage
from gossamer.store.rescue.salvaged_project import (
    SalvagedProject,
    copy_identity,
    copy_shard,
    salvaged_project,
)
from gossamer.store.rescue.sqlite_page_reader import DatabasePages
from gossamer.store.rescue.undamaged_table_copy import (
    SOURCE,
    UNCHANGED,
    CopyStopped,
    copy_tables,
    stopping,
    whole_in,
)
from gossamer.store.risky_url_table import risky_rows
from gossamer.store.robots_table import read_robots_rows
from gossamer.store.row_validation import remove_nonsense
from gossamer.store.schema import VERSION
from gossamer.store.site_check_table import read_site_checks
from gossamer.store.stored_texts import StoredTexts
from gossamer.store.writer_lock import holder_of, taken
from gossamer.store.writing.writer import Writer

OnProgress = Callable[[int, int], None]
STEPS: Final = 1000
"""What progress counts to."""
_ROWS: Final = "rows"
"""The file for what was read, beside the new project."""
_MANY: Final = 500
_ASKED: Final = frozenset({UrlState.DONE, UrlState.FAILED})
_POSITION, _ACTION, _TARGET = 1, 2, 3
"""Where they stand in a row of LINKS."""
_URLS: Final = """
    SELECT u.id, u.url, u.depth, u.hops, u.as_file, u.listed, u.outcome, p.id,
        coalesce(t.value, ''), v.id
    FROM url u LEFT JOIN url p ON p.id = u.parent LEFT JOIN text t ON t.id = u.detail
    LEFT JOIN visit v ON v.id = u.id WHERE u.id > ? ORDER BY u.id LIMIT ?
"""


class RescueCancelled(Exception):  # noqa: N818 - not an error: somebody asked for it
    """The rescue was cancelled and its file removed."""


def rescue(
    source: Path,
    target: Path,
    progress: OnProgress = lambda _done, _of: None,
    cancelled: Callable[[], bool] = lambda: False,
    add_archive: Callable[[Path], None] = lambda _part: None,
) -> RescueReport:
    """Save what can be read of `source` into a new project at `target`; `source` is only read.

    Every row of the new project was in the old one. URLs whose response was lost, or some of whose
    links, are queued again: a resumed crawl fetches them again and finds what they led to.
    `progress` counts to STEPS. The new project appears with what `add_archive` makes beside it.
    Raises RescueCancelled soon after `cancelled` says so, ProjectError where nothing can be saved;
    then nothing is left at `target`.
    """
    with _read(source):
        _check(source)

    def tell(done: int, of: int) -> None:
        if cancelled():
            raise RescueCancelled
        progress(done, of)

    with new_project(target) as (aside, part):
        rows = aside.new(_ROWS)
        with _read(source), translated(part), closing(_scratch(rows)) as scratch:
            report = _Rescue(source, part, scratch, tell).run()
        add_archive(part)
        return report


@contextmanager
def _read(source: Path) -> Iterator[None]:
    try:
        yield
    except OSError as e:
        raise ProjectError(
            "{path} cannot be read ({reason}); check its disk.",
            path=source,
            reason=system_reason(e),
        ) from e


def _check(source: Path) -> None:
    holder = holder_of(source)
    if holder is not None:
        raise taken(source, holder)
    try:
        version = file_version(source)
    except ProjectError:
        if not source.is_file():
            raise
        version = VERSION  # of what its first bytes say nothing is known
    if VERSION < version < VERSION + 1000:
        raise ProjectError(
            "{path} was made by a newer Gossamer; update Gossamer to open it.", path=source
        )


def _scratch(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path.resolve().as_uri(), uri=True, isolation_level=None)
    connection.execute("PRAGMA trusted_schema=OFF")
    connection.execute("PRAGMA cell_size_check=ON")
    # If it does not come to its end, it is thrown away.
    connection.execute("PRAGMA journal_mode=OFF")
    connection.execute("PRAGMA synchronous=OFF")
    return connection


class _Rescue:
    """One rescue, from reading pages to the report."""

    def __init__(
        self, source: Path, target: Path, scratch: sqlite3.Connection, tell: OnProgress
    ) -> None:
        self._source = source
        self._target = target
        self._scratch = scratch
        self._tell = tell
        self._again: set[int] = set()
        self._links = 0
        self._lost_links = 0
        self._visits = 0
        self._lost_visits: list[int] = []

    def run(self) -> RescueReport:
        copied = self._copied()
        with DatabasePages(self._source) as pages:
            found = salvage(
                pages,
                self._scratch,
                lambda done, of: self._tell(done * STEPS // (2 * of), STEPS),
                copied,
            )
        remove_nonsense(self._scratch)
        project = salvaged_project(self._scratch, self._source)
        fill(self._target, project.settings, audited=False)
        with Writer(self._target) as writer:
            self._write(writer, project.state, project.seconds)
        copy_identity(self._scratch, self._target)
        copy_dependent_rows(self._scratch, self._target)
        is_whole = copied.issuperset(SHARD) or not (found.damaged_pages or found.damaged_rows)
        is_shard = copy_shard(
            self._scratch,
            self._target,
            is_whole=is_whole and not report_urls(self._scratch).lost,
            is_row_damaged=IDENTITY in found.incomplete,
        )
        return self._report(found, project, shard_lost=not is_shard)

    def _copied(self) -> frozenset[str]:
        """Copy the tables that are whole; their names."""
        try:
            return self._copied_unless_stopped()
        except CopyStopped as e:
            raise RescueCancelled from e

    def _copied_unless_stopped(self) -> frozenset[str]:
        whole = whole_in(self._source, self._stops)
        if whole:
            uri = f"{file_of(self._source).as_uri()}?{UNCHANGED}"
            self._scratch.execute(f"ATTACH ? AS {SOURCE}", (uri,))
        self._scratch.execute("BEGIN")
        with stopping(self._scratch, self._stops):
            return copy_tables(self._scratch, SOURCE, whole)

    def _stops(self) -> bool:
        try:
            self._tell(0, STEPS)
        except RescueCancelled:
            return True
        return False

    def _write(self, writer: Writer, state: CrawlState, seconds: float) -> None:
        count = self._count("url") + self._count("visit") + 1
        done = 0
        for batch in self._batches():
            writer.commit(batch)
            done += len(batch.new) + len(batch.visits)
            self._tell(STEPS // 2 + done * STEPS // (2 * count), STEPS)
        if state in LIVE or (self._again and state is CrawlState.FINISHED):
            state = CrawlState.PAUSED
        checks, shown = read_site_checks(self._scratch), read_certificates(self._scratch)
        risky = risky_rows(self._scratch)
        writer.commit(StoreBatch(site_checks=checks, certificates=shown, risky=risky))
        writer.commit(
            StoreBatch(robots=read_robots_rows(self._scratch), state=state, seconds=seconds)
        )
        writer.commit(StoreBatch(owed=salvaged_owed(self._scratch), reach=0))

    def _batches(self) -> Iterator[StoreBatch]:
        after = 0
        while rows := self._scratch.execute(_URLS, (after, _MANY)).fetchall():
            after = rows[-1][0]
            yield StoreBatch(new=[self._url(row) for row in rows])
        after = 0
        visits_at = self._scratch.cursor()
        visits_at.row_factory = sqlite3.Row
        texts = StoredTexts(self._scratch)
        while rows := visits_at.execute(VISITS, (after, _MANY)).fetchall():
            span = (rows[0]["id"], rows[-1]["id"])
            links, custom = self._links_of(*span), salvaged_custom(self._scratch, *span)
            kept = texts.of([row["id"] for row in rows], is_strict=False)
            visits = [
                self._visit(
                    row, links.get(row["id"], []), custom.get(row["id"], []), kept.get(row["id"])
                )
                for row in rows
            ]
            after = rows[-1]["id"]
            self._visits += len(visits)
            again = self._again.intersection(row.id for row in visits)
            yield StoreBatch(visits=visits)
            yield StoreBatch(
                decided=[(row.id, _waiting(row.outcome), None) for row in visits if row.id in again]
            )
        for budgets in salvaged_budgets(self._scratch):
            yield StoreBatch(budgets=budgets)

    def _url(self, row: tuple[Any, ...]) -> UrlRow:
        url_id, url, depth, hops, as_file, listed, number, parent, detail, visit = row
        rank = Rank.stored(depth, hops, as_file, listed)
        outcome = Outcome(number)
        if outcome.state in _ASKED and visit is None:
            self._lost_visits.append(url_id)
            self._again.add(url_id)
            outcome, detail = _waiting(outcome), None
        return UrlRow(url_id, url, rank, outcome, parent, detail_of(detail))

    def _links_of(self, first: int, last: int) -> dict[int, list[tuple[Any, ...]]]:
        rows = self._scratch.execute(LINKS, (first, last))
        return {source: list(group) for source, group in groupby(rows, key=itemgetter(0))}

    def _visit(
        self,
        row: sqlite3.Row,
        links: list[tuple[Any, ...]],
        custom: list[CustomResult],
        text: bytes | None,
    ) -> VisitRow:
        """The visit with those of its links whose targets are known."""
        usable = [link for link in links if link[_TARGET] is not None]
        known = PageLinks.of(link[_TARGET:] for link in usable)
        actions = bytes(link[_ACTION] for link in usable)
        there = links[-1][_POSITION] + 1 if links else 0
        outlinks = sum(map(known.kinds.count, OUTLINK_KINDS))
        lost = max(there - len(usable), row["outlinks"] - outlinks, 0)
        self._links += len(usable)
        self._lost_links += lost
        if lost:
            self._again.add(row["id"])
        rows = LinkRows(known.targets, actions, known)
        visit = visit_of(row, custom, text)
        return VisitRow(row["id"], visit, Outcome(row["outcome"]), row["tries"], rows)

    def _count(self, table: str) -> int:
        return int(self._scratch.execute(f"SELECT count(*) FROM {table}").fetchone()[0])  # noqa: S608 - our own names

    def _report(
        self, found: SalvageTally, project: SalvagedProject, *, shard_lost: bool
    ) -> RescueReport:
        visits = sorted([*self._lost_visits, *visits_without_url(self._scratch)])
        links = self._lost_links + links_without_page(self._scratch)
        return RescueReport(
            pages=found.pages,
            damaged_pages=found.damaged_pages,
            damaged_rows=found.damaged_rows,
            tables=(
                report_urls(self._scratch),
                TableReport("visit", self._visits, len(visits), _stretches(visits)),
                TableReport("link", self._links, links),
                report_texts(self._scratch),
            ),
            again=len(self._again),
            settings_lost=project.settings_lost,
            identity_lost=project.identity_lost,
            shard_lost=shard_lost,
        )


def _waiting(outcome: Outcome) -> Outcome:
    """The outcome of a URL that is to be asked again."""
    return Outcome.PENDING_CHECK if outcome is Outcome.CHECKED else Outcome.PENDING


def _stretches(ids: list[int]) -> tuple[tuple[int, int], ...]:
    """The first stretches of ids that follow each other, from and to."""
    found: list[tuple[int, int]] = []
    for number in ids:
        if found and found[-1][1] == number - 1:
            found[-1] = (found[-1][0], number)
        elif len(found) < MOST_RANGES:
            found.append((number, number))
    return tuple(found)
