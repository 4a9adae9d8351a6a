"""Records of one archive are copied into another as they stand, and nothing else is."""

import errno
import os
from hashlib import sha256
from pathlib import Path

import pytest
from msgspec.structs import replace

from gossamer.archive.archive_files import ArchiveFiles
from gossamer.archive.record_copies import MOST_COPIED_BYTES, RecordCopies, referred_record
from gossamer.archive.warc_reader import ArchiveReadError, OtherResponseError, read_response
from gossamer.archive.warc_records import (
    HTTP_RESPONSE,
    WarcRecord,
    WarcType,
    field_line,
    member_of,
    new_id,
    response_head,
)
from gossamer.crawl_host.previous_archive import PreviousArchive
from gossamer.model.archive_record import ArchiveRecord, RecordKind, archive_folder
from gossamer.model.outcome import Outcome
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.visit import Visit

URL = "http://site.test/a"
BODY = b"<title>A page</title>" * 99
DATE = "2026-11-23T00:00:00.000000Z"


def stored(folder: Path, *fields: tuple[str, str], times: int = 1, url: str = URL) -> ArchiveRecord:
    """A record in a file of its own, or the last of so many."""
    about = "".join(field_line(*each) for each in (("WARC-Target-URI", url), *fields))
    head = response_head((1, 1), 200, "OK", ())
    digest = sha256(BODY).digest()
    record = WarcRecord(
        WarcType.RESPONSE, new_id(), DATE, HTTP_RESPONSE, about, head, [BODY], digest
    )
    folder.mkdir(exist_ok=True)
    files = ArchiveFiles(folder, "test")
    files.begin()
    for _ in range(times):
        place = files.append([member_of(record)])
    files.close()
    return ArchiveRecord(RecordKind.RESPONSE, *place, digest)


def files_in(folder: Path) -> RecordCopies:
    folder.mkdir(exist_ok=True)
    return RecordCopies(ArchiveFiles(folder, "test"))


def test_a_copy_is_the_same_member(tmp_path: Path) -> None:
    record = stored(tmp_path / "a")
    copied = files_in(tmp_path / "b").copy(tmp_path / "a", record, URL)
    read = [
        (tmp_path / name / each.file).read_bytes()[each.offset : each.offset + each.length]
        for name, each in (("a", record), ("b", copied))
    ]
    assert read[0] == read[1]
    assert read_response(tmp_path / "b", copied, URL).body == BODY
    referred = referred_record(tmp_path / "b", copied, URL)
    assert referred == referred_record(tmp_path / "a", record, URL)
    assert referred is not None
    assert (referred.url, referred.date, referred.digest) == (URL, DATE, record.digest)


def test_a_body_that_others_repeat_is_copied_once_a_file(tmp_path: Path) -> None:
    repeated = stored(tmp_path / "a", times=2)
    record = replace(repeated, offset=repeated.offset - repeated.length)
    repeated = replace(repeated, kind=RecordKind.REVISIT, payload_offset=record.offset)
    for folder, order in (("b", (repeated, record)), ("c", (record, repeated))):
        copies = files_in(tmp_path / folder)
        copied = [copies.copy(tmp_path / "a", each, URL) for each in order]
        [place] = [each.offset for each in copied if each.payload_offset is None]
        [other] = [each for each in copied if each.payload_offset is not None]
        assert other.payload_offset == place != other.offset
        assert copies.copy(tmp_path / "a", record, URL).offset == place
        assert max(each.offset + each.length for each in copied) == (
            (tmp_path / folder / other.file).stat().st_size
        )


def test_what_is_not_the_answer_is_not_copied(tmp_path: Path) -> None:
    record, copies = stored(tmp_path / "a"), files_in(tmp_path / "b")
    for other, url, error in (
        (record, "http://site.test/b", OtherResponseError),
        (replace(record, digest=bytes(32)), URL, OtherResponseError),
        (replace(record, file="gone.warc.gz"), URL, ArchiveReadError),
        (replace(record, offset=record.offset + 1), URL, ArchiveReadError),
    ):
        with pytest.raises(error):
            copies.copy(tmp_path / "a", other, url)
    os.truncate(tmp_path / "a" / record.file, record.offset + record.length - 1)
    with pytest.raises(ArchiveReadError):
        copies.copy(tmp_path / "a", record, URL)
    assert list((tmp_path / "b").iterdir()) == []


def test_only_what_can_be_copied_whole_is_asked_for_on_conditions(tmp_path: Path) -> None:
    record = stored(tmp_path / "a")
    cut = stored(tmp_path / "a", ("WARC-Truncated", "length"))
    for other, url in (
        (cut, URL),
        (replace(record, kind=RecordKind.NOT_MODIFIED), URL),
        (replace(record, length=MOST_COPIED_BYTES + 1), URL),
        (replace(record, file="gone.warc.gz"), URL),
        (replace(record, offset=10**9), URL),
        (record, "http://site.test/b"),
    ):
        assert referred_record(tmp_path / "a", other, url) is None


def test_nothing_is_written_behind_what_was_cut_off_meanwhile(tmp_path: Path) -> None:
    record, copies = stored(tmp_path / "a", times=2), files_in(tmp_path / "b")
    first = copies.copy(tmp_path / "a", replace(record, offset=record.offset - record.length), URL)
    lost = copies.copy(tmp_path / "a", record, URL)
    os.truncate(tmp_path / "b" / first.file, lost.offset)
    again = copies.copy(tmp_path / "a", record, URL)
    assert again.file != first.file
    assert read_response(tmp_path / "b", again, URL).body == BODY


def test_the_visit_says_what_the_disk_says(tmp_path: Path) -> None:
    base = tmp_path / "a.gossamer"
    record = stored(archive_folder(base))
    (tmp_path / "b").touch()
    archive = PreviousArchive(base, tmp_path / "b", CrawlSettings(roots=(URL,)))
    visit = archive.taken_over(Visit(Outcome.PAGE), record, URL)
    assert visit is not None
    assert (visit.archived, visit.archive_errno) == ([], errno.ENOTDIR)
    assert archive.taken_over(visit, replace(record, digest=bytes(32)), URL) is None
