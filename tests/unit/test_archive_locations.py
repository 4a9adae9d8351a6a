"""Where answers are in archives: told by an index of the archive, or by the project."""

import sqlite3
import tracemalloc
from contextlib import closing
from hashlib import sha256
from pathlib import Path

import pytest

from gossamer.archive.warc_reader import read_response
from gossamer.model.archive_record import ArchiveRecord, RecordKind
from gossamer.model.archive_source import ArchiveSource
from gossamer.model.errors import ProjectError
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.session.archive_import import archived_roots, index_archives
from gossamer.store import project
from gossamer.store.reading.archive_reader import read_archive_records
from tests.fakes.warc import SITE, gzipped, http, page, record, write_warc


def test_an_archive_that_goes_on_growing_is_told(tmp_path: Path) -> None:
    pages = [record(f"{SITE}/{name}", http(page(name))) for name in "ab"]
    path = write_warc(tmp_path / "a.warc.gz", pages)
    source = ArchiveSource((str(path),))
    index_archives(source)
    assert archived_roots(source) == (f"{SITE}/a",)
    with path.open("ab") as file:
        file.write(gzipped(pages))
    with pytest.raises(ProjectError, match="has changed since it was read"):
        archived_roots(source)
    index_archives(source)
    assert archived_roots(source) == (f"{SITE}/a",)


def test_progress_is_not_told_of_each_record(tmp_path: Path) -> None:
    path = write_warc(tmp_path / "a.warc", [record(f"{SITE}/", http(page("a")))] * 2_000)
    told: list[int] = []
    index_archives(ArchiveSource((str(path),)), lambda done, _of: told.append(done))
    assert 50 < len(told) <= 101
    assert told == sorted(told)


@pytest.mark.parametrize("name", ["../a.warc.gz", "/dev/a.warc.gz", "..\\a.warc.gz", "C:a.warc.gz"])
def test_a_project_names_no_file_beside_its_archive(name: str, tmp_path: Path) -> None:
    path = tmp_path / "a.gossamer"
    project.create(path, CrawlSettings(roots=(SITE,)))
    with closing(sqlite3.connect(path)) as connection:
        files = [(1, name), (2, "[a] b.warc.gz")]
        connection.executemany("INSERT INTO archive_file (id, name) VALUES (?, ?)", files)
        connection.execute(
            "INSERT INTO archive_record (file, offset, length, kind, id, url, digest) VALUES"
            " (1, 0, 9, 1, 7, NULL, x'00'), (2, 0, 9, 1, 7, 'http://site.test/', x'00')"
        )
        [found] = read_archive_records(connection, 7)
    assert found == ArchiveRecord(
        RecordKind.RESPONSE, "[a] b.warc.gz", 0, 9, b"\0", url="http://site.test/"
    )


def test_a_large_body_is_held_twice_at_most(tmp_path: Path) -> None:
    body = bytes(16 << 20)
    place = write_warc(tmp_path / "a.warc.gz", [record(f"{SITE}/", http(body))])
    named = ArchiveRecord(RecordKind.RESPONSE, place.name, 0, 0, sha256(body).digest())
    tracemalloc.start()
    answer = read_response(tmp_path, named, f"{SITE}/")
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert answer.body == body
    assert peak < 2.5 * len(body)
