"""The single writer of a project file: commits batches and looks up URLs."""

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import TypeVar
from zlib import crc32

from gossamer.model.crawl_state import LIVE
from gossamer.model.errors import BugError
from gossamer.model.messages.crawl_messages import UrlSelection
from gossamer.model.outcome import KEPT_BY_ROBOTS, Outcome, UrlState, is_error
from gossamer.model.outcome_counts import IN_NO_FOLDER
from gossamer.model.outcome_details import Detail, detail_text
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.shards import HandedLink
from gossamer.model.store_batch import ProjectSummary, StoreBatch, UrlRow, VisitRow
from gossamer.model.visit import CountedResponse
from gossamer.store.audit_status import note_settings
from gossamer.store.bulk_insert import NULL, BulkInsert, Value, chunks, marks
from gossamer.store.closed_on_exit import ClosedOnExit
from gossamer.store.count_tables import CountTables
from gossamer.store.database import (
    MalformedContentError,
    check_header,
    open_for_writing,
    translated,
    translated_reading,
)
from gossamer.store.locking.file_identity import file_of
from gossamer.store.project_disk_check import ProjectDisk
from gossamer.store.project_summary import read_summary
from gossamer.store.risky_url_table import write_risky_urls
from gossamer.store.stored_settings import store_roots
from gossamer.store.writer_lock import WriterLock
from gossamer.store.writing.archive_rows import ArchiveEnds, ensure_archived, forget_archived
from gossamer.store.writing.folder_table import FolderTable
from gossamer.store.writing.host_rows import write_host_rows
from gossamer.store.writing.ignored_issue_urls import bind_ignored
from gossamer.store.writing.inlink_tables import Inlinks
from gossamer.store.writing.outgoing_links import OutgoingLinks
from gossamer.store.writing.rank_propagation import relax, url_rows
from gossamer.store.writing.redirect_loops import LoopDetector
from gossamer.store.writing.robots_blocked_issues import RobotsBlockedIssues, RulesFor
from gossamer.store.writing.selection_sql import (
    left_out,
    listed_dates,
    note_refused,
    queued_hosts,
    refused,
    selected,
)
from gossamer.store.writing.slowest_and_largest_pages import TopPages
from gossamer.store.writing.storable_text import clean_url, cleaned
from gossamer.store.writing.string_pool import StringPool
from gossamer.store.writing.url_indexes import UrlIndexes
from gossamer.store.writing.visit_dependent_rows import add_dependent_rows, remove_dependent_rows
from gossamer.store.writing.visit_writer import remove_visits, visited_among, write_visits
from gossamer.store.writing.wal_size import WalSize
from gossamer.urls.url_parsing import url_key

_T = TypeVar("_T")
_URL = BulkInsert(
    "url", "id, url, crc, state, outcome, depth, hops, as_file, listed, parent, folder, detail"
)

_QUEUED = f"state = {int(UrlState.QUEUED)}"


class Writer(ClosedOnExit):
    """Writes batches to a project file and looks up what it contains.

    Synchronous; used on one thread at a time. All methods raise ProjectError when the file cannot
    be used any more: damaged, or (DiskError) disk full, taken away. What was committed before is
    safe.
    """

    def __init__(
        self,
        path: Path,
        on_lost: Callable[[], None] = lambda: None,
        rules_for: RulesFor | None = None,
    ) -> None:
        """Open the project file at `path`, for us alone.

        `on_lost` is that of `WriterLock`, `rules_for` that of `RobotsBlockedIssues`.
        ProjectError if it is missing, no project, newer, damaged, or open in another writer.
        """
        self._path = path
        check_header(path)
        file = file_of(path)  # a link may be led elsewhere meanwhile
        with ExitStack() as opened, translated(path):
            self._lock = WriterLock(file, on_lost)
            opened.callback(self._lock.close)
            self._connection = open_for_writing(file)
            opened.callback(self._connection.close)
            self._texts = StringPool(self._connection)
            self._folders = FolderTable(self._connection)
            self._tallies = CountTables(self._connection)
            self._extremes = TopPages(self._connection)
            self._indexes = UrlIndexes(self._connection)
            self._inlinks = Inlinks(self._connection)
            self._outgoing = OutgoingLinks(self._connection)
            self._loops = LoopDetector(self._connection)
            self._outcomes = RobotsBlockedIssues(self._connection, rules_for)
            self._parts = (
                *(self._outcomes, self._texts, self._folders, self._tallies),
                *(self._extremes, self._indexes, self._inlinks),
            )
            self._place = ProjectDisk(file)
            self._ahead = WalSize(self._connection, file)
            opened.pop_all()
        self._closed = False

    def close(self) -> None:
        """Close the file and let go of it. Does nothing the second time.

        What is in the -wal file is merged even if readers have the project open: it is one file.
        """
        if self._closed:
            return
        self._closed = True
        with closing(self._lock), closing(self._connection), translated(self._path):
            try:
                self._complete()
            finally:  # a file that was moved away gets what is its own too
                # A reader in the middle of a long query may hold up this step; do not wait long.
                self._connection.execute("PRAGMA busy_timeout=300")
                if not self._lock.is_lost:
                    self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()

    def summary(self) -> ProjectSummary:
        """The project as a whole."""
        with translated(self._path):
            return read_summary(self._connection, self._path)

    def commit(self, batch: StoreBatch) -> list[UrlRow]:
        """Write `batch` in one transaction, in the order that `StoreBatch` tells.

        Returns the known URLs whose rank improved, with their new rank and present outcome, by id:
        those in `batch.improved` that really did, and those reached through them. A URL's parent
        never changes: it is where the URL was first found. DiskError, and nothing is written, if
        the archive rejected one of the responses.
        """
        ensure_archived(self._path, batch)
        try:
            improved = self._in_transaction(lambda: self._write(batch))
        except UnicodeEncodeError:
            clean = cleaned(batch)
            improved = self._in_transaction(lambda: self._write(clean))
            batch.replaced, batch.owing = clean.replaced, clean.owing
            batch.loop_changes, batch.peers = clean.loop_changes, clean.peers
        if batch.state is not None and batch.state not in LIVE:
            with translated(self._path):
                self._complete()
        return improved

    def change_settings(self, settings: CrawlSettings) -> None:
        """Store other settings in place of those there are."""
        self.commit(StoreBatch(settings=settings))

    def lookup(self, urls: Sequence[str]) -> dict[str, UrlRow]:
        """Those of `urls` that are known, by URL."""
        by_key: dict[int, list[str]] = {}
        for url in urls:
            by_key.setdefault(url_key(clean_url(url)), []).append(url)
        found = {}
        with translated_reading(self._path):
            ids = self._indexes.find(list(by_key))
            for chunk in chunks(ids):
                for row in url_rows(self._connection, f"id IN ({marks(len(chunk))})", chunk):
                    if (alike := by_key.get(url_key(row.url))) is None:
                        raise MalformedContentError("a key that leads to another URL")
                    for url in alike:
                        if clean_url(url) == row.url:
                            found[url] = row
        return found

    def budgets(self, limit: int) -> dict[str, int]:
        """What is spent of the up to `limit` budgets of which most is spent, by key."""
        with translated_reading(self._path):
            query = "SELECT key, spent FROM budget ORDER BY spent DESC LIMIT ?"
            return dict(self._connection.execute(query, (limit,)))

    def by_id(self, ids: Sequence[int]) -> list[UrlRow]:
        """Those of the URLs with these ids that there are, by id."""
        found: list[UrlRow] = []
        with translated_reading(self._path):
            for chunk in chunks(sorted(set(ids))):
                condition = f"id IN ({marks(len(chunk))}) ORDER BY id"
                found += url_rows(self._connection, condition, chunk)
        return found

    def selected(self, selection: UrlSelection, after: int, limit: int) -> list[UrlRow]:
        """Up to `limit` URLs of `selection` with an id above `after`, by id."""
        with translated_reading(self._path):
            return selected(self._connection, selection, after, limit)

    def queued(self, host: str, after: int, limit: int) -> list[UrlRow]:
        """Up to `limit` queued URLs of `host` (see `host_of`) with an id above `after`, by id."""
        with translated_reading(self._path):
            condition = f"{_QUEUED} AND host = ? AND id > ? ORDER BY id LIMIT ?"
            return list(url_rows(self._connection, condition, (host, after, limit)))

    def queued_hosts(self, after: str, limit: int) -> list[UrlRow]:
        """The first queued URL of each of up to `limit` hosts after `after`: a search for each."""
        with translated_reading(self._path):
            return queued_hosts(self._connection, after, limit)

    def listed_dates(self, after: int, limit: int) -> list[tuple[int, str, str]]:
        """Queued URLs that sitemaps date: see `engine.interfaces.Store`."""
        with translated_reading(self._path):
            return listed_dates(self._connection, after, limit)

    def refused(self, outcomes: Collection[Outcome], after: int, limit: int) -> list[UrlRow]:
        """Up to `limit` URLs with one of these outcomes, not just recorded, id above `after`.

        Among them, whatever `outcomes` are: sitemaps that were read otherwise, see READ_OTHERWISE.
        """
        with translated_reading(self._path):
            return refused(self._connection, outcomes, after, limit)

    def left_out(self, before: int, limit: int) -> list[UrlRow]:
        """Up to `limit` URLs that traps left out, with an id below `before`, the last first."""
        with translated_reading(self._path):
            return left_out(self._connection, before, limit)

    def outgoing(self, shard: int, after: int, limit: int) -> list[HandedLink]:
        """Up to `limit` links to another shard with numbers above `after`, in order."""
        with translated_reading(self._path):
            return self._outgoing.to_send(shard, after, limit)

    def archive_ends(self) -> ArchiveEnds:
        """Up to where the project names records of its archive."""
        with translated_reading(self._path):
            return ArchiveEnds.read(self._connection)

    def forget_archived(self, whole: Mapping[str, int]) -> int:
        """Have the project name no record beyond what is `whole`; of how many URLs it did."""
        return self._in_transaction(lambda: forget_archived(self._connection, whole))

    def bind_ignored(self) -> None:
        """Have what a recrawl took over to be ignored be known by its URLs."""
        self._in_transaction(lambda: bind_ignored(self._connection, self.lookup))

    def leave_folders(self, ids: Sequence[int]) -> None:
        """Take URLs out of the tree of folders, as it has none that were never asked."""

        def work() -> None:
            for url_id in ids:
                self._folders.remove(url_id)
            self._folders.flush()

        self._in_transaction(work)

    def _complete(self) -> None:
        """Bring the deferred indexes up to date, in parts that have room in the -wal file."""
        for index in (self._indexes, self._inlinks):
            done = False
            while not done:
                with self._transaction():
                    done = index.complete()

    def _in_transaction(self, work: Callable[[], _T]) -> _T:
        with translated(self._path), self._transaction():
            return work()

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self._place.check()
        self._ahead.fit()
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            self._lock.ensure_held()
            self._outgoing.ensure_current()
            yield
            self._connection.execute("COMMIT")
        except BaseException:
            # Some errors, such as a full disk, have rolled back already.
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
            for part in (*self._parts, self._outgoing):
                part.forget()
            raise

    def _write(self, batch: StoreBatch) -> list[UrlRow]:
        self._write_new(batch.new)
        self._move(batch.decided)
        self._outgoing.note(batch.new)
        self._outgoing.note_decided(batch.handed_over)
        write_risky_urls(self._connection, batch.risky)
        self._outgoing.note_risky(batch.risky)
        batch.replaced = self._write_visits(batch.visits)
        batch.loop_changes = self._loops.settle(batch.visits)
        self._move([(row.id, row.new, None) for row in batch.loop_changes])
        improved = relax(self._connection, batch, self._tallies)
        note_refused(self._connection, batch.refused)
        batch.owing = batch.owing or self._loops.owing
        self._outgoing.note(improved)
        self._outgoing.flush(batch)
        self._connection.executemany(
            "INSERT OR REPLACE INTO budget (key, spent) VALUES (?, ?)", batch.budgets.items()
        )
        write_host_rows(self._connection, batch)
        self._write_state(batch, changed=batch.changes_content or bool(improved))
        for part in self._parts:
            part.flush()
        return improved

    def _write_new(self, rows: list[UrlRow]) -> None:
        urls = [clean_url(row.url) for row in rows]
        folders = [
            None if row.outcome in IN_NO_FOLDER else self._folders.of(url)
            for url, row in zip(urls, rows, strict=True)
        ]
        kinds = Counter(
            (folder, row.outcome, row.rank.depth) for folder, row in zip(folders, rows, strict=True)
        )
        for (folder, outcome, depth), number in kinds.items():
            self._folders.add(folder, urls=number, errors=number * is_error(outcome))
            self._tallies.url(outcome, depth, number)
        self._indexes.add([row.id for row in rows], urls, folders)
        if not KEPT_BY_ROBOTS.isdisjoint(outcome for _, outcome, _ in kinds):
            self._outcomes.add(rows)
        values: list[Value] = []
        for row, url, folder in zip(rows, urls, folders, strict=True):
            rank, outcome = row.rank, row.outcome
            values += (row.id, url, crc32(url.encode()), int(outcome.state), int(outcome))
            values += (rank.depth, rank.hops, int(rank.as_file), int(rank.listed))
            values += (row.parent or NULL, folder or NULL, self._detail(row.detail))
        _URL.run(self._connection, values)

    def _write_visits(self, rows: list[VisitRow]) -> list[CountedResponse]:
        if not rows:
            return []
        self._move([(row.id, row.outcome, None) for row in rows])
        again = visited_among(self._connection, [row.id for row in rows])
        remove_dependent_rows(self._connection, again, self._tallies)
        replaced = remove_visits(self._connection, again, self._tallies, self._inlinks)
        write_visits(self._connection, rows, self._texts, self._tallies, self._inlinks)
        add_dependent_rows(self._connection, rows, self._tallies)
        self._extremes.remove(again)
        self._extremes.add(rows)
        return replaced

    def _move(self, decided: list[tuple[int, Outcome, Detail | None]]) -> None:
        """Give known URLs their outcome and state, and a folder to those that lacked one."""
        outcomes = {url_id: (outcome, detail) for url_id, outcome, detail in decided}
        ids = list(outcomes)
        values: list[tuple[Value, ...]] = []
        for chunk in chunks(ids):
            query = "SELECT id, url, outcome, depth, folder FROM url"
            query += f" WHERE id IN ({marks(len(chunk))})"
            for url_id, url, old, depth, folder in self._connection.execute(
                query, chunk
            ).fetchall():
                new, detail = outcomes[url_id]
                self._tallies.url(old, depth, -1)
                self._tallies.url(new, depth)
                self._outcomes.move(url_id, url, old, new)
                folder_now = self._moved(url, old, new, folder)
                if folder is None and folder_now is not None:
                    self._indexes.moved(url_id, folder_now)
                told = (folder_now or NULL, self._detail(detail))
                values.append((int(new.state), int(new), *told, url_id))
        if len(values) != len(ids):
            raise BugError("an outcome was given to a URL that is not in the project file")
        self._connection.executemany(
            "UPDATE url SET state = ?, outcome = ?, folder = ?, detail = ? WHERE id = ?", values
        )

    def _detail(self, detail: Detail | None) -> int | float:
        """The id of what is said of an outcome; NULL if there is nothing to say."""
        text = detail_text(detail)
        return self._texts.id_of(text) if text else NULL

    def _moved(self, url: str, old: int, new: Outcome, folder: int | None) -> int | None:
        """Count the change of outcome in the URL's folder; the folder it is in now."""
        errors = is_error(new) - is_error(Outcome(old))
        if folder is None and new not in IN_NO_FOLDER:
            folder = self._folders.of(url)
            self._folders.add(folder, urls=1, errors=is_error(new))
        elif errors:
            self._folders.add(folder, errors=errors)
        return folder

    def _write_state(self, batch: StoreBatch, *, changed: bool) -> None:
        if changed or batch.state is not None or batch.seconds is not None:
            self._connection.execute(
                "UPDATE project SET state = coalesce(?, state), seconds = coalesce(?, seconds),"
                " content_stamp = content_stamp + ?",
                (batch.state, batch.seconds, int(changed)),
            )
        if batch.base_position is not None:
            self._connection.execute("UPDATE project SET base_position = ?", (batch.base_position,))
        if batch.settings is not None:
            note_settings(self._connection, batch.settings)
            text = store_roots(self._connection, batch.settings)
            self._connection.execute("UPDATE project SET settings = ?", (text,))
