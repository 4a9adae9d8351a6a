"""Merges the shards of a crawl at rest into one project.

The rows are written by the writer of crawls, in the order of the shards: so counts, folders,
indexes, inlinks and redirect loops, also those across shards, are what they would be after one
crawl. Ranks are those that the shards have agreed on. Rows are read some hundred at a time.

Of a crawl that has not finished, what is queued in a shard is queued in the merged project, and so
is what a link leads to that is still under way from one shard to another.
"""

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from functools import partial
from itertools import chain, groupby, permutations
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from msgspec.structs import replace

from gossamer.model.crawl_state import CrawlState
from gossamer.model.discovery_rank import Rank
from gossamer.model.outcome import Outcome
from gossamer.model.outcome_counts import IN_NO_FOLDER
from gossamer.model.outcome_details import detail_of
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.shards import HandedAs
from gossamer.model.store_batch import LinkRows, StoreBatch, UrlRow, VisitRow
from gossamer.model.visit import PageLinks
from gossamer.store.certificate_table import read_certificates
from gossamer.store.database import translated, translated_reading
from gossamer.store.merging.copied_rows import copy_dependent_rows, summed_budgets
from gossamer.store.merging.merged_archive import MergedNames, merge_archives
from gossamer.store.merging.merged_ids import MergedIds, RowSource
from gossamer.store.merging.shard_files import ShardFile, ShardFiles
from gossamer.store.project import fill, new_project
from gossamer.store.reading.stored_visits import LINKS, VISITS, custom_by_page, visit_of
from gossamer.store.risky_url_table import risky_rows
from gossamer.store.robots_table import read_robots_rows
from gossamer.store.site_check_table import read_site_checks
from gossamer.store.stored_texts import StoredTexts
from gossamer.store.writing.writer import Writer
from gossamer.urls.url_parsing import parse_root

if TYPE_CHECKING:
    from gossamer.model.server_certificate import ServerCertificate

OnProgress = Callable[[int, int], None]
OutcomeOf = Callable[[UrlRow], Outcome]
"""What becomes of a URL by its address and rank in a crawl without shards."""
_FREE: Final = HandedAs.FREE
_IDS: Final = "ids"
"""The file for the ids of the merged project, beside it."""
_MANY: Final = 500
_ACTION, _TARGET = 2, 3
"""Where they stand in a row of LINKS."""
_RANK, _OUTCOME, _PARENT, _DETAIL, _FOLDER = slice(2, 6), 6, 7, 8, 9
"""Likewise of _URLS."""
_URLS: Final = """
    SELECT u.id, u.url, u.depth, u.hops, u.as_file, u.listed, u.outcome, u.parent, t.value,
        u.folder
    FROM url u LEFT JOIN text t ON t.id = u.detail WHERE u.id > ? ORDER BY u.id LIMIT ?
"""
_CUSTOM: Final = """
    SELECT id, definition, value, failure FROM custom_value
    WHERE definition IN (SELECT definition FROM custom_count) AND id BETWEEN ? AND ?
    ORDER BY id, definition, position
"""


class MergeCancelled(Exception):  # noqa: N818 - not an error: somebody asked for it
    """The merge was cancelled and its file removed."""


def merge(
    sources: Sequence[Path],
    target: Path,
    policy_of: Callable[[CrawlSettings], OutcomeOf],
    progress: OnProgress = lambda _done, _of: None,
    cancelled: Callable[[], bool] = lambda: False,
) -> None:
    """Make one project at `target` of all shards of a crawl; they are only read.

    It is finished if the crawl is; otherwise it is paused. Its pages are without issues until it is
    audited. `progress` is told of rows done, and of how many. Raises MergeCancelled soon after
    `cancelled` says so, UsageError for what are not all shards of one crawl, ProjectError where
    they cannot be read, are being crawled, or it cannot be made.
    """

    def check() -> None:
        if cancelled():
            raise MergeCancelled

    with (
        ShardFiles.opened(sources) as files,
        new_project(target) as (aside, part),
        closing(_scratch(aside.new(_IDS))) as scratch,
        translated(part),
    ):
        names = merge_archives(files.shards, part, target, check)
        settings = files.shards[0].summary.settings
        fill(part, settings, audited=False)
        ids = MergedIds(scratch, files.shards)
        merging = _Merge(files, part, ids, names, _Undecided(settings, policy_of(settings)))
        # Each row is looked at twice for its id, and written with its visit.
        of = 3 * sum(shard.summary.last_id for shard in files.shards) + 1
        done = 0
        for rows in merging.steps():
            check()
            done += rows
            progress(min(done, of), of)


def _scratch(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, isolation_level=None)
    # If it does not come to its end, it is thrown away.
    connection.execute("PRAGMA journal_mode=OFF")
    connection.execute("PRAGMA synchronous=OFF")
    return connection


class _Merge:
    """One merge, in steps; each yields about how many rows were dealt with."""

    def __init__(
        self,
        files: ShardFiles,
        target: Path,
        ids: MergedIds,
        names: MergedNames,
        undecided: "_Undecided",
    ) -> None:
        self._shards = files.shards
        self._state = CrawlState.FINISHED if files.is_finished else CrawlState.PAUSED
        self._target = target
        self._ids = ids
        self._names = names
        self._undecided = undecided

    def steps(self) -> Iterator[int]:
        for shard in self._shards:
            with translated_reading(shard.path):
                yield from self._ids.assign_own(shard)
        for shard in self._shards:
            with translated_reading(shard.path):
                yield from self._ids.assign_others(shard)
        with Writer(self._target) as writer:
            yield from self._write(writer)
        copy_dependent_rows(self._shards, self._target, self._ids.new_ids, self._names)

    def _write(self, writer: Writer) -> Iterator[int]:
        for refused in (False, True):  # by their new ids: what is refused comes last
            for shard in self._shards:
                with translated_reading(shard.path):
                    for batch in self._urls(shard, refused=refused):
                        writer.commit(batch)
                        yield 0 if refused else len(batch.new)
        for shard in self._shards:
            with translated_reading(shard.path):
                for batch in self._visits(shard):
                    writer.commit(batch)
                    yield 0
        for batch in chain(self._rest(), self._better_ranks()):
            writer.commit(batch)
        owing = True
        while owing:
            last = StoreBatch(state=self._state)
            writer.commit(last)
            owing = last.owing

    def _urls(self, shard: ShardFile, *, refused: bool) -> Iterator[StoreBatch]:
        after = 0
        while rows := shard.connection.execute(_URLS, (after, _MANY)).fetchall():
            places = self._ids.rows(shard, rows[0][0], rows[-1][0])
            parents = self._ids.new_ids(shard, [row[_PARENT] for row in rows if row[_PARENT]])
            after = rows[-1][0]
            batch = StoreBatch()
            for row in rows:
                new, place = places[row[0]]
                if place is (RowSource.REFUSED if refused else RowSource.OWN):
                    url = self._undecided.decided(_url(new, row, parents))
                    _add(batch, url, in_folder=row[_FOLDER] is not None)
                elif (
                    place is RowSource.REPEATED and refused and row[_OUTCOME] != Outcome.OTHER_SHARD
                ):
                    batch.improved.append((new, _rank(row)))
            yield batch

    def _visits(self, shard: ShardFile) -> Iterator[StoreBatch]:
        after = 0
        cursor = shard.connection.cursor()
        cursor.row_factory = sqlite3.Row
        texts = StoredTexts(shard.connection)
        while rows := cursor.execute(VISITS, (after, _MANY)).fetchall():
            span = (rows[0]["id"], after := rows[-1]["id"])
            found = shard.connection.execute(LINKS, span).fetchall()
            new = self._ids.new_ids(
                shard, [*(row["id"] for row in rows), *(link[_TARGET] for link in found)]
            )
            links = {source: list(group) for source, group in groupby(found, key=itemgetter(0))}
            custom = custom_by_page(shard.connection.execute(_CUSTOM, span))
            kept = texts.of([row["id"] for row in rows])
            yield StoreBatch(
                visits=[
                    VisitRow(
                        new[row["id"]],
                        visit_of(
                            *(row, custom.get(row["id"], []), kept.get(row["id"])), is_strict=True
                        ),
                        *(Outcome(row["outcome"]), row["tries"]),
                        _links(links.get(row["id"], []), new),
                    )
                    for row in rows
                ]
            )

    def _rest(self) -> Iterator[StoreBatch]:
        """What hosts were asked apart from URLs, and what is known of the crawl as a whole."""
        shown: dict[str, ServerCertificate] = {}
        for shard in self._shards:
            with translated_reading(shard.path):
                for each in read_certificates(shard.connection):
                    other = shown.setdefault(each.origin, each)
                    shown[each.origin] = min(each, other, key=lambda one: one.not_after)
                yield StoreBatch(
                    robots=read_robots_rows(shard.connection),
                    site_checks=read_site_checks(shard.connection),
                )
                risky = dict(risky_rows(shard.connection))
                new = self._ids.new_ids(shard, list(risky))
                yield StoreBatch(risky=[(new[url_id], risky[url_id]) for url_id in risky])
        seconds = max(shard.summary.seconds for shard in self._shards)
        budgets = summed_budgets(self._shards)
        yield StoreBatch(certificates=list(shown.values()), budgets=budgets, seconds=seconds)

    def _better_ranks(self) -> Iterator[StoreBatch]:
        """What shards of an unfinished crawl have not agreed on: to be carried on over links."""
        for shard, other in permutations(self._shards, 2):
            with translated_reading(shard.path):
                for links in shard.under_way_to(other):
                    new = self._ids.new_ids(shard, [url_id for url_id, *_ in links])
                    yield StoreBatch(
                        improved=[
                            (new[url_id], rank) for url_id, how, rank in links if how is _FREE
                        ],
                        propagated=[
                            (new[url_id], rank) for url_id, how, rank in links if how is not _FREE
                        ],
                    )
        for shard in self._shards:
            with translated_reading(shard.path):
                for ids in shard.owed():
                    yield StoreBatch(owed=list(self._ids.new_ids(shard, ids).values()))


class _Undecided:
    """Decides about URLs of other shards that these do not have yet: the link is under way."""

    def __init__(self, settings: CrawlSettings, outcome_of: OutcomeOf) -> None:
        parsed = partial(parse_root, hash_routes=settings.crawls_hash_routes)
        self._roots = frozenset(map(parsed, settings.roots))
        self._outcome_of = outcome_of

    def decided(self, row: UrlRow) -> UrlRow:
        """What becomes of it in the crawl as a whole."""
        if row.outcome is not Outcome.OTHER_SHARD:
            return row
        if row.url in self._roots:  # its shard has not begun
            row = replace(row, rank=Rank(0), parent=None)
        return replace(row, outcome=self._outcome_of(row))


def _url(new: int, row: tuple[Any, ...], parents: dict[int, int]) -> UrlRow:
    parent = None if row[_PARENT] is None else parents[row[_PARENT]]
    return UrlRow(new, row[1], _rank(row), Outcome(row[_OUTCOME]), parent, detail_of(row[_DETAIL]))


def _add(batch: StoreBatch, row: UrlRow, *, in_folder: bool) -> None:
    """Add a URL; one that was to be asked for before it was skipped is in a folder."""
    if in_folder and row.outcome in IN_NO_FOLDER:
        batch.new.append(replace(row, outcome=Outcome.PENDING, detail=None))
        batch.decided.append((row.id, row.outcome, row.detail))
    else:
        batch.new.append(row)


def _rank(row: tuple[Any, ...]) -> Rank:
    return Rank.stored(*row[_RANK])


def _links(rows: list[tuple[Any, ...]], new: dict[int, int]) -> LinkRows:
    """The links of a page, whose targets have other ids in the merged project."""
    links = PageLinks.of((new[row[_TARGET]], *row[_TARGET + 1 :]) for row in rows)
    return LinkRows(links.targets, bytes(row[_ACTION] for row in rows), links)
