"""The archive's pure parts: records, gzip members, names of files, what is cut after a crash."""

import errno
import gzip
import io
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.archive.archive_files import ArchiveFiles, archive_file_name
from gossamer.archive.archive_repair import ArchiveRepair, carry_out, file_sizes, repair_of
from gossamer.archive.gzip_members import gzip_member
from gossamer.archive.kept_responses import is_file_kept, is_type_kept
from gossamer.archive.warc_reader import member_at
from gossamer.archive.warc_records import field_line, response_head, split_off_secrets
from gossamer.model.archive_record import is_archive_file
from gossamer.model.settings.archive_settings import ArchiveContent
from tests.fakes.archived import types_in

ONE, OTHER = "a-20261123120000-1-00000.warc.gz", "a-20261123120000-2-00000.warc.gz"


@given(
    st.binary(max_size=300),
    st.lists(st.binary(max_size=200_000), max_size=4),
    st.booleans(),
)
def test_a_member_unpacks_to_what_went_in(head: bytes, body: list[bytes], is_stored: bool) -> None:
    member = gzip_member(head, body, b"\r\n\r\n", is_stored=is_stored)
    plain = head + b"".join(body) + b"\r\n\r\n"
    assert gzip.decompress(member) == plain
    assert b"".join(member_at(io.BytesIO(b"before" + member + b"after"), 6)) == plain


@given(st.binary(min_size=1, max_size=2_000), st.integers(0, 10_000))
def test_a_torn_member_is_never_taken_for_a_whole_one(body: bytes, cut: int) -> None:
    member = gzip_member(b"", [body], b"", is_stored=True)
    with pytest.raises(ValueError, match="whole"):
        list(member_at(io.BytesIO(member[: cut % len(member)]), 0))


def test_the_head_of_an_answer_stands_as_it_came_but_for_the_transfer_coding() -> None:
    headers = [(b"server", b"n"), (b"Transfer-Encoding", b"chunked"), (b"X", b"\xff")]
    assert response_head((1, 1), 404, "Nöt", headers) == (
        b"HTTP/1.1 404 N\xc3\xb6t\r\nserver: n\r\n"
        b"X-Crawler-Transfer-Encoding: chunked\r\nX: \xff\r\n\r\n"
    )
    assert response_head((1, 0), 200, "", []) == b"HTTP/1.0 200\r\n\r\n"


def test_values_of_secret_headers_are_left_out_and_nothing_else() -> None:
    sent = (
        b"GET /a HTTP/1.1\r\nHost: a\r\nCOOKIE: s=1\r\nX-Token: t\r\nX-Tokens: u\r\n\r\nCookie: b"
    )
    kept, found = split_off_secrets(sent, {"cookie", "x-token"})
    assert found
    assert kept == (
        b"GET /a HTTP/1.1\r\nHost: a\r\nCOOKIE: (left out)\r\nX-Token: (left out)\r\nX-Tokens: u"
        b"\r\n\r\nCookie: b"
    )
    posted = b"POST / HTTP/1.1\r\nContent-Length: 7\r\n\r\n"
    assert split_off_secrets(posted + b"token=1", (), has_body=False) == (posted, True)
    assert split_off_secrets(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n", {"cookie"}) == (
        b"GET / HTTP/1.1\r\nHost: a\r\n\r\n",
        False,
    )
    cookie = [(b"Set-Cookie", b"sid=secret; Path=/"), (b"set-cookie2", b"a=b")]
    told = response_head((1, 1), 200, "OK", cookie, leaves_out_cookies=True)
    assert b"secret" not in told
    assert b"Set-Cookie: sid=(left out); Path=/" in told


def test_a_value_cannot_break_a_line() -> None:
    assert field_line("a", "1\r\nWARC-Type: response\x85b") == "a: 1 WARC-Type: response b\r\n"


def test_file_names_are_told_from_those_of_others() -> None:
    name = archive_file_name("shop", "20261123120000", 4711, 3)
    assert name == "shop-20261123120000-4711-00003.warc.gz"
    assert is_archive_file(name)
    assert is_archive_file(archive_file_name("长" * 300, "20261123120000", 1, 0))
    elsewhere = (f"../{name}", f"/{name}", f"..\\{name}", f"C:{name}")
    nameless = "-".join(name.split("-")[1:])
    for other in ("shop.warc.gz", "notes.txt", f"{name}.part", nameless, *elsewhere):
        assert not is_archive_file(other)


def test_what_no_row_names_is_cut_and_what_is_missing_is_told() -> None:
    other = "mine.warc.gz"
    assert repair_of({ONE: 10}, {ONE: 10, other: 5}) == ArchiveRepair()
    assert repair_of({ONE: 10}, {ONE: 12}) == ArchiveRepair(cut={ONE: 10})
    assert repair_of({ONE: 10}, {ONE: 9, OTHER: 7}) == ArchiveRepair([OTHER], lost={ONE: 9})
    assert repair_of({ONE: 10}, {}) == ArchiveRepair(lost={ONE: 0})
    assert repair_of({}, {}) == ArchiveRepair()


def test_a_repair_leaves_the_files_of_others_alone(tmp_path: Path) -> None:
    for name in (ONE, OTHER, "mine.txt"):
        (tmp_path / name).write_bytes(b"0123456789")
    (tmp_path / "folder").mkdir()
    carry_out(tmp_path, repair_of({ONE: 4}, file_sizes(tmp_path)))
    assert file_sizes(tmp_path) == {ONE: 4, "mine.txt": 10}


def test_a_repair_cuts_no_file_of_another_archive(tmp_path: Path) -> None:
    """The files of a merged project are links to those of its shards."""
    shard, merged = tmp_path / "shard", tmp_path / "merged"
    shard.mkdir()
    merged.mkdir()
    (shard / ONE).write_bytes(b"0123456789")
    (shard / ONE).chmod(0o600)
    os.link(shard / ONE, merged / ONE)
    carry_out(merged, repair_of({ONE: 4}, file_sizes(merged)))
    assert (merged / ONE).read_bytes() == b"0123"
    assert (merged / ONE).stat().st_mode & 0o777 == 0o600
    assert (shard / ONE).read_bytes() == b"0123456789"
    assert [path.name for path in merged.iterdir()] == [ONE]


@pytest.mark.parametrize(
    ("content_type", "kept"),
    [
        ("image/png", {"resources", "everything"}),
        ("text/javascript", {"resources", "everything"}),
        ("font/woff2", {"resources", "everything"}),
        ("application/pdf", {"everything"}),
        ("", {"everything"}),
    ],
)
def test_what_is_kept_of_files_follows_from_their_type(content_type: str, kept: set[str]) -> None:
    assert {each.value for each in ArchiveContent if is_file_kept(content_type, each)} == kept


@pytest.mark.parametrize(
    ("content_type", "types", "kept"),
    [
        ("text/html", (), True),
        ("", (), True),
        ("text/html", ("text/html",), True),
        ("text/html", ("application/pdf", "image/*"), False),
        ("image/svg+xml", ("application/pdf", "image/*"), True),
        ("imagery/png", ("image/*",), False),
        ("", ("image/*",), False),
    ],
)
def test_content_types_that_are_kept(content_type: str, types: tuple[str, ...], kept: bool) -> None:
    assert is_type_kept(content_type, types) is kept


def test_files_are_split_and_each_begins_with_what_it_is(tmp_path: Path) -> None:
    folder = tmp_path / "a.archive"
    folder.mkdir()
    files = ArchiveFiles(folder, "us", max_bytes=2_000, clock=lambda: 0.0)
    member = gzip_member(b"", [bytes(range(256)) * 3], b"", is_stored=True)
    places = []
    for _ in range(6):
        files.begin()
        places.append(files.append([b"", member]))
    files.close()
    names = sorted(path.name for path in folder.iterdir())
    assert [name[-13:] for name in names] == [f"{n:05}.warc.gz" for n in range(len(names))]
    assert len(names) > 1
    assert sorted({place.file for place in places}) == names
    for place in places:
        data = (folder / place.file).read_bytes()
        assert data[place.offset : place.offset + place.length] == member
    for name in names:
        first = (folder / name).read_bytes()[: places[0].offset]
        alone = tmp_path / name
        alone.write_bytes(first)
        assert types_in(alone) == [("warcinfo", "")]


def test_a_folder_that_was_moved_away_is_not_made_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever came before: the repair of an archive takes an empty folder for all that is left."""
    folder, aside = tmp_path / "a.archive", tmp_path / "aside"
    folder.mkdir()
    used, unused = (ArchiveFiles(folder, "us", writer=n, max_bytes=1) for n in (1, 2))
    used.begin()
    used.append([b"x"])

    def reject(_descriptor: int, _data: object) -> int:
        raise OSError(errno.ENOSPC, "full")

    with monkeypatch.context() as patched:
        patched.setattr(os, "write", reject)
        with pytest.raises(OSError, match="full"):
            used.begin()
    folder.rename(aside)
    for files in (used, unused):
        with pytest.raises(FileNotFoundError):
            files.begin()
        files.close()
    assert not folder.exists()


def test_another_process_never_appends_to_a_file(tmp_path: Path) -> None:
    first, second = (ArchiveFiles(tmp_path, "us", clock=lambda: 0.0) for _ in range(2))
    assert first.begin() != second.begin()
