"""The previous project of a recrawl is opened, or done without."""

import asyncio
import threading
from hashlib import sha256
from pathlib import Path

from gossamer.archive.archive_repair import carry_out, file_sizes, repair_of
from gossamer.archive.warc_reader import read_response
from gossamer.crawl_host.previous_crawl_thread import PreviousCrawlThread
from gossamer.model.archive_record import ArchiveRecord, RecordKind, archive_folder
from gossamer.model.outcome import Outcome
from gossamer.model.previous_crawl import PreviousCrawlReference, PreviousText
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.store_batch import HostResponse, StoreBatch
from gossamer.model.visit import Visit
from gossamer.store import project
from gossamer.store.reading.reader import Reader
from gossamer.store.writing.writer import Writer
from tests.fakes.warc import SITE, http, record, write_warc

SETTINGS = CrawlSettings(roots=("http://site.test/",))


def reads_alike(path: Path, **before: object) -> bool | None:
    """Whether a previous project with these settings reads pages alike; None: it was not opened."""
    project.create(path, CrawlSettings(**{"roots": SETTINGS.roots, **before}))  # type: ignore[arg-type] # field by field
    with Reader(path) as reader:
        reference = PreviousCrawlReference(str(path), reader.summary().created_at)

    async def main() -> bool | None:
        previous = await PreviousCrawlThread.opened(reference, SETTINGS)
        if previous is None:
            return None
        await previous.close()
        return previous.reads_alike

    try:
        return asyncio.run(main())
    finally:
        for thread in threading.enumerate():
            if thread.name.startswith("previous"):
                thread.join(10.0)
                assert not thread.is_alive()


def test_a_pattern_that_is_refused_by_now_does_not_keep_a_recrawl_from_its_project(
    tmp_path: Path,
) -> None:
    assert reads_alike(tmp_path / "p.gossamer", exclude=("(a+)+$",))


def test_copies_go_on_in_another_file_after_the_archive_was_repaired(tmp_path: Path) -> None:
    """The repair removes a file of which nothing is committed yet."""
    url, body, base = f"{SITE}/robots.txt", b"Disallow:", tmp_path / "base.gossamer"
    settings = CrawlSettings(roots=SETTINGS.roots, archive=True)
    project.create(base, settings)
    for folder in (archive_folder(base), tmp_path / "a.archive"):
        folder.mkdir()
    kept = write_warc(
        archive_folder(base) / "base-20260101000000-1-00000.warc.gz", [record(url, http(body))]
    )
    place = ArchiveRecord(
        RecordKind.RESPONSE, kept.name, 0, kept.stat().st_size, sha256(body).digest()
    )
    with Writer(base) as writer:
        writer.commit(StoreBatch(host_responses=[HostResponse(url, [place])]))
    with Reader(base) as reader:
        reference = PreviousCrawlReference(str(base), reader.summary().created_at)
    known = PreviousText(Visit(Outcome.FILE, 200), "Disallow:")

    async def main() -> list[Visit | None]:
        previous = await PreviousCrawlThread.opened(reference, settings, tmp_path / "a.archive")
        assert previous is not None
        first = await previous.confirmed_text(url, known)
        await previous.drop()
        carry_out(tmp_path / "a.archive", repair_of({}, file_sizes(tmp_path / "a.archive")))
        second = await previous.confirmed_text(url, known)
        await previous.close()
        return [first, second]

    first, second = asyncio.run(main())
    assert first is not None
    assert second is not None
    assert second.archive_errno == 0
    assert first.archived[0].file != second.archived[0].file
    assert read_response(tmp_path / "a.archive", second.archived[0], url).body == body


def test_a_project_whose_settings_make_no_sense_is_done_without(tmp_path: Path) -> None:
    assert reads_alike(tmp_path / "p.gossamer", roots=("ftp://site.test/",)) is None
