"""Gives a project remade from an archive what only its predecessor knows.

That is what people made of it, what only a server could tell, and what became of URLs that were
never asked. The new project has ids of its own: all is found by URL.
"""

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Final

from gossamer.model.archive_record import archive_folder
from gossamer.model.archive_source import ArchiveSource
from gossamer.model.discovery_rank import JUST_FORMER
from gossamer.model.freshness import UNCHANGED
from gossamer.model.outcome import FORMER_PAGES, Outcome
from gossamer.model.outcome_details import DetailCode, detail_of, detail_text
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.store_batch import StoreBatch, UrlRow
from gossamer.store.bulk_insert import listed
from gossamer.store.database import open_for_reading, open_for_writing, translated
from gossamer.store.locking.file_identity import file_of
from gossamer.store.writer_lock import WriterLock
from gossamer.store.writing.writer import Writer

_ROWS: Final = 2_000
_MISSING: Final = int(Outcome.NOT_IN_ARCHIVE)
_IDS: Final = """
    CREATE TEMP TABLE original_id (original INTEGER PRIMARY KEY, id INTEGER NOT NULL);
    INSERT INTO original_id SELECT f.id, n.id FROM original.url_key fk
        JOIN main.url_key nk ON nk.key = fk.key
        JOIN original.url f ON f.id = fk.id JOIN main.url n ON n.id = nk.id AND n.url = f.url;
"""
_UNASKED: Final = f"""
    SELECT n.id, f.outcome, d.value, f.folder IS NULL AND n.folder IS NOT NULL
    FROM temp.original_id i
    JOIN original.url f ON f.id = i.original JOIN main.url n ON n.id = i.id
    LEFT JOIN original.text d ON d.id = f.detail
    WHERE n.outcome = {_MISSING} AND f.outcome <> {_MISSING}
        AND NOT EXISTS (SELECT 1 FROM original.visit WHERE id = f.id)
"""  # noqa: S608 - our own words
_FORMER_PAGES: Final = f"""
    SELECT f.url, f.outcome, coalesce(p.id, 1), d.value FROM original.url f
    LEFT JOIN temp.original_id p ON p.original = f.parent
    LEFT JOIN original.text d ON d.id = f.detail
    WHERE f.outcome IN ({listed(FORMER_PAGES)})
        AND f.id NOT IN (SELECT original FROM temp.original_id) ORDER BY f.id
"""  # noqa: S608 - our own words
_RECEIVED: Final = f"freshness IN ({listed(UNCHANGED)})"
_TAKE_OVER: Final = f"""
    UPDATE main.project SET (created_at, series, base_path, base_created_at, base_position, seconds,
        content_stamp) = (SELECT created_at, series, base_path, base_created_at, base_position,
        seconds, content_stamp + main.project.content_stamp + 1 FROM original.project);

    UPDATE main.visit AS v SET tries = f.tries, says_new = f.says_new, freshness = f.freshness,
        unchanged_since = f.unchanged_since, raw_bytes = f.raw_bytes
    FROM temp.original_id i JOIN original.visit f ON f.id = i.original
    WHERE v.id = i.id AND v.status IS f.status;

    DELETE FROM main.status_count;
    INSERT INTO main.status_count (status, urls, received_bytes, unchanged)
    SELECT coalesce(status, 0), count(*),
        total(iif(coalesce({_RECEIVED}, 0), 0, raw_bytes) + coalesce(resource_bytes, 0)),
        total(coalesce({_RECEIVED}, 0)) FROM main.visit GROUP BY 1;

    UPDATE main.url AS n SET parent = p.id
    FROM temp.original_id i JOIN original.url f ON f.id = i.original
    JOIN temp.original_id p ON p.original = f.parent
    WHERE n.id = i.id AND NOT EXISTS (SELECT 1 FROM original.url c WHERE c.parent IS NOT NULL
        AND c.parent NOT IN (SELECT original FROM temp.original_id));

    INSERT INTO main.archive_file SELECT * FROM original.archive_file;
    INSERT INTO main.archive_record
        (file, offset, length, kind, id, url, digest, payload_offset)
    SELECT r.file, r.offset, r.length, r.kind, i.id,
        coalesce(r.url, iif(i.id IS NULL, f.url, NULL)), r.digest, r.payload_offset
    FROM original.archive_record r LEFT JOIN temp.original_id i ON i.original = r.id
    LEFT JOIN original.url f ON f.id = r.id;

    DELETE FROM main.site_check WHERE outcome = {_MISSING};
    INSERT OR IGNORE INTO main.site_check SELECT * FROM original.site_check;
    INSERT OR REPLACE INTO main.robots SELECT * FROM original.robots;
    INSERT OR REPLACE INTO main.certificate SELECT * FROM original.certificate;

    INSERT OR IGNORE INTO main.risky_url SELECT i.id, r.words
        FROM original.risky_url r JOIN temp.original_id i ON i.original = r.id;

    DELETE FROM main.budget;
    INSERT INTO main.budget SELECT * FROM original.budget;
    DELETE FROM main.owed;
    INSERT INTO main.owed SELECT o.depth, i.id FROM original.owed o
        JOIN temp.original_id i ON i.original = o.id;
    DELETE FROM main.loop_owed;
    INSERT INTO main.loop_owed SELECT i.id, o.after FROM original.loop_owed o
        JOIN temp.original_id i ON i.original = o.id;
"""  # noqa: S608 - our own words
_DECIDED: Final = """
    INSERT OR IGNORE INTO main.issue (rule, id, value) SELECT o.rule, i.id, o.value
    FROM original.issue o JOIN temp.original_id i ON i.original = o.id
    JOIN main.visit v ON v.id = i.id JOIN original.visit f ON f.id = i.original
    WHERE o.rule = {rule} AND v.status IS f.status AND v.content_hash IS NOT NULL;
    INSERT OR REPLACE INTO main.issue_count (rule, urls, live)
    SELECT {rule}, count(*), 1 FROM main.issue WHERE rule = {rule};
"""
"""Takes over a page rule that the size of the response decides: an archive may have less of it."""
_IGNORED: Final = """
    DELETE FROM main.ignored_issue;
    INSERT INTO main.ignored_issue (rule, pattern, id, reason, author, ignored_at)
    SELECT o.rule, o.pattern, i.id, o.reason, o.author, o.ignored_at
    FROM original.ignored_issue o LEFT JOIN temp.original_id i ON i.original = o.id;
"""
_KEPT_FACTS: Final = """
    SELECT count(*) FROM visit v JOIN url u ON u.id = v.id
    WHERE v.content_hash IS NOT NULL AND (coalesce(v.detail, '') IN (?, ?)
        OR NOT EXISTS (SELECT 1 FROM archive_record r WHERE r.id = v.id AND r.url IS NULL))
"""
_ARCHIVE_FILES: Final = "SELECT name FROM archive_file ORDER BY name"


def take_over(
    renewed: Path, original: Path, settings: CrawlSettings, size_rules: Iterable[int] = ()
) -> None:
    """Have the finished project at `renewed` be the crawl at `original`, with these settings.

    It takes over when that was made, its series, its archive, what is ignored, and what its URLs
    were decided to be that the archive could not tell: also by `size_rules`, which judge how many
    bytes were transferred. ProjectError where one of them cannot be used; `renewed` is to be thrown
    away then.
    """
    with (
        translated(renewed),
        Writer(renewed) as writer,
        closing(_joined(renewed, original)) as joined,
    ):
        unasked = joined.execute(_UNASKED)
        while rows := unasked.fetchmany(_ROWS):
            decided = [(url, Outcome(outcome), detail_of(told)) for url, outcome, told, _ in rows]
            writer.commit(StoreBatch(decided=decided))
            writer.leave_folders([url for url, *_, is_in_none in rows if is_in_none])
        _add_former_pages(writer, joined)
        writer.change_settings(settings)
    with translated(renewed), closing(WriterLock(renewed)):
        by_size = (_DECIDED.format(rule=int(rule)) for rule in size_rules)
        _run(renewed, original, _TAKE_OVER, *by_size, _IGNORED)


def take_over_ignored(renewed: Path, original: Path) -> None:
    """Have `renewed` ignore what `original` ignores by now. ProjectError as above."""
    with translated(renewed):
        _run(renewed, original, _IGNORED)


def count_kept_facts(project: Path, source: ArchiveSource) -> int:
    """Of how many pages and files that were read its own archive has nothing that could be used.

    0 where the archives are those of others, which are all that the project knows.
    """
    if not source.project:
        return 0
    with translated(project), closing(open_for_reading(project)) as connection:
        why = (DetailCode.ARCHIVE_DAMAGED(), DetailCode.ARCHIVE_RENDERING())
        return int(connection.execute(_KEPT_FACTS, [*map(detail_text, why)]).fetchone()[0])


def missing_archive_files(project: Path) -> list[str]:
    """The names of files that the project names and its archive does not have."""
    folder = archive_folder(file_of(project))
    with translated(project), closing(open_for_reading(project)) as connection:
        names = [name for (name,) in connection.execute(_ARCHIVE_FILES)]
    return [name for name in names if not (folder / name).is_file()]


def _add_former_pages(writer: Writer, joined: sqlite3.Connection) -> None:
    """Add the pages that only the previous crawl of `original` knew: no archive has them."""
    number = writer.summary().last_id
    pages = joined.execute(_FORMER_PAGES)
    while rows := pages.fetchmany(_ROWS):
        new = [
            UrlRow(number + place, url, JUST_FORMER, Outcome(outcome), parent, detail_of(detail))
            for place, (url, outcome, parent, detail) in enumerate(rows, 1)
        ]
        number += len(new)
        writer.commit(StoreBatch(new=new))


def _run(renewed: Path, original: Path, *scripts: str) -> None:
    """Run these in one transaction."""
    with closing(_joined(renewed, original)) as joined:
        joined.execute("BEGIN IMMEDIATE")
        for script in scripts:
            for statement in _statements(script):
                joined.execute(statement)
        joined.execute("COMMIT")


def _statements(script: str) -> Iterator[str]:
    """Its statements: `executescript` would commit what is open."""
    yield from filter(None, map(str.strip, script.split(";")))


def _joined(renewed: Path, original: Path) -> sqlite3.Connection:
    """A connection to both, with the ids of URLs that both know in `temp.original_id`."""
    connection = open_for_writing(renewed)
    try:
        connection.execute("ATTACH ? AS original", (f"{file_of(original).as_uri()}?mode=rw",))
        connection.executescript(_IDS)
    except BaseException:
        connection.close()
        raise
    return connection
