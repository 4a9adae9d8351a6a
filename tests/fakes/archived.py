"""What the archive of a project has, read by us and by warcio."""

import sqlite3
from contextlib import closing
from pathlib import Path

from warcio.archiveiterator import ArchiveIterator

from gossamer.archive.warc_reader import StoredResponse, read_dom, read_response
from gossamer.model.archive_record import ArchiveRecord, archive_folder
from gossamer.store.reading.archive_reader import (
    read_archive_records,
    read_dom_record,
    read_host_records,
)


def archive_files(project: Path) -> list[Path]:
    """The files of the archive beside a project, by name."""
    folder = archive_folder(project)
    return sorted(folder.iterdir()) if folder.exists() else []


def archived(project: Path) -> dict[str, list[tuple[ArchiveRecord, StoredResponse]]]:
    """By URL, the records that the project names, each with the answer in the archive."""
    found: dict[str, list[tuple[ArchiveRecord, StoredResponse]]] = {}
    folder = archive_folder(project)
    with closing(sqlite3.connect(project)) as connection:
        for url_id, url in connection.execute("SELECT id, url FROM url").fetchall():
            for record in read_archive_records(connection, url_id):
                found.setdefault(url, []).append((record, read_response(folder, record, url)))
    return found


def bodies(project: Path) -> dict[str, list[bytes | None]]:
    """The bodies that the archive of a project has, by URL."""
    return {url: [answer.body for _, answer in found] for url, found in archived(project).items()}


def doms(project: Path) -> dict[str, bytes]:
    """The DOMs that the archive of a project has, by the URL of the page."""
    folder = archive_folder(project)
    with closing(sqlite3.connect(project)) as connection:
        urls = connection.execute("SELECT id, url FROM url").fetchall()
        records = {url: read_dom_record(connection, url_id) for url_id, url in urls}
    return {
        url: read_dom(folder, record, url).markup
        for url, record in records.items()
        if record is not None
    }


def types_in(path: Path) -> list[tuple[str, str]]:
    """Types and URLs of the records of a file, as warcio reads it; its digests are right."""
    found = []
    with path.open("rb") as file:
        for record in ArchiveIterator(file, check_digests="raise"):
            # `warcio check` does the same, but decodes bodies, too, for which it knows an old br.
            record.raw_stream.read()
            assert record.digest_checker.passed is not False
            found.append((record.rec_type, record.rec_headers.get_header("WARC-Target-URI") or ""))
    return found


def host_bodies(project: Path) -> dict[str, bytes | None]:
    """The bodies that it has of what is no URL of the crawl, such as robots.txt, by URL."""
    folder = archive_folder(project)
    with closing(sqlite3.connect(project)) as connection:
        query = "SELECT DISTINCT url FROM archive_record WHERE id IS NULL"
        urls = [url for (url,) in connection.execute(query)]
        records = {url: read_host_records(connection, url)[0] for url in urls}
    return {url: read_response(folder, record, url).body for url, record in records.items()}


def facts_in(path: Path) -> dict[str, str]:
    """What metadata records of a file say, by URL."""
    with path.open("rb") as file:
        return {
            record.rec_headers.get_header("WARC-Target-URI"): record.raw_stream.read().decode()
            for record in ArchiveIterator(file)
            if record.rec_type == "metadata"
        }
