"""The files of shards: who may write them, what they hand over, and what cannot be merged."""

import sqlite3
import sys
from contextlib import closing
from pathlib import Path

import pytest

from gossamer.model.archive_record import archive_folder
from gossamer.model.crawl_state import CrawlState
from gossamer.model.discovery_rank import JUST_RECORDED, Rank
from gossamer.model.errors import DiskError, KnownError, ProjectError, UsageError
from gossamer.model.outcome import Outcome
from gossamer.model.project_queries import View
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.settings.rendering_choices import RenderMode
from gossamer.model.shards import HandedLink, PeerCounts, ShardIdentity
from gossamer.model.store_batch import StoreBatch, UrlRow
from gossamer.shards.shard_folder import create_shards, shards_in
from gossamer.shards.shard_merging import merge_shards
from gossamer.store.reading.reader import Reader
from gossamer.store.writer_lock import lock_path
from gossamer.store.writing.outgoing_links import SupersededError
from gossamer.store.writing.writer import Writer
from gossamer.urls.shard_ownership import Ownership
from tests.fakes.archived import archive_files
from tests.fakes.recount import miscounts

SETTINGS = CrawlSettings(roots=("http://a.test/", "http://b.test/"))
OTHER = Outcome.OTHER_SHARD


@pytest.fixture
def shards(tmp_path: Path) -> list[Path]:
    return create_shards(tmp_path / "a.shards", SETTINGS, 2, "")


def elsewhere(shard: int) -> str:
    """A URL that belongs to the other one of two shards."""
    urls = (f"http://site{number}.test/" for number in range(100))
    return next(url for url in urls if Ownership(2).owner(url) != shard)


@pytest.mark.skipif(sys.platform != "linux", reason="moves where Linux keeps locks")
def test_a_writer_that_another_has_superseded_commits_nothing_more(
    shards: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = Writer(shards[0])
    # On a drive whose locks are lost, another process can come to write the same file.
    lock_path(shards[0]).unlink()
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "of another machine"))
    with Writer(shards[0]) as second:
        second.commit(StoreBatch(seconds=2.0, state=CrawlState.PAUSED))
        with pytest.raises(SupersededError):
            first.commit(StoreBatch(seconds=1.0, state=CrawlState.RUNNING))
        assert second.summary().seconds == 2.0
    with pytest.raises(ProjectError):
        first.close()


def test_links_to_other_shards_wait_in_the_file_until_they_are_acknowledged(
    shards: list[Path],
) -> None:
    there = elsewhere(0)
    page = UrlRow(1, "http://page.test/", Rank(0), Outcome.PENDING)
    link = UrlRow(2, there, Rank(3), OTHER, 1)
    referrer = UrlRow(3, f"{there}page", JUST_RECORDED, OTHER)
    with Writer(shards[0]) as writer:
        writer.commit(StoreBatch(new=[page, link, referrer], received={1: 4}))
        writer.commit(StoreBatch(improved=[(2, Rank(1))]))
    with Writer(shards[0]) as writer:  # as after a crash
        assert writer.outgoing(1, 0, 10) == [
            HandedLink(there, Rank(3), "http://page.test/"),
            HandedLink(there, Rank(1), "http://page.test/"),
        ]
        assert writer.summary().peers == {1: PeerCounts(2, 0, 4)}
        writer.commit(StoreBatch(acknowledged={1: 1}))
        assert writer.outgoing(1, 0, 10) == [HandedLink(there, Rank(1), "http://page.test/")]
        assert writer.summary().peers == {1: PeerCounts(2, 1, 4)}
        writer.commit(StoreBatch(risky=[(2, "Sign out")]))
        said = HandedLink(there, JUST_RECORDED, "http://page.test/", "Sign out")
        assert writer.outgoing(1, 2, 10) == [said]
        assert writer.summary().peers == {1: PeerCounts(3, 1, 4)}


def test_only_the_latest_files_of_all_shards_of_one_crawl_can_be_merged(
    shards: list[Path], tmp_path: Path
) -> None:
    others = create_shards(tmp_path / "b.shards", SETTINGS, 2, "")
    target = tmp_path / "merged.gossamer"
    for wrong, error in [
        (shards[:1], "add shard 2 of 2"),
        ([shards[0], shards[0]], "the same shard"),
        ([shards[0], others[1]], "different crawls"),
        ([], "Name the files"),
    ]:
        with pytest.raises(KnownError, match=error):
            merge_shards(wrong, target)
    with Writer(shards[1]) as writer:
        writer.commit(StoreBatch(received={0: 3}))
        with pytest.raises(ProjectError, match="is being crawled"):
            merge_shards(shards, target)
    with pytest.raises(ProjectError, match="Shard 1 is older than what shard 2 has exchanged"):
        merge_shards(shards, target)
    assert not target.exists()


def test_a_link_under_way_between_shards_is_queued_in_the_merged_project(tmp_path: Path) -> None:
    mine, there = elsewhere(1), elsewhere(0)
    shards = create_shards(tmp_path / "a.shards", CrawlSettings(roots=(mine, there)), 2, "")
    links = [
        UrlRow(2, f"{there}new", Rank(2), OTHER, 1),
        UrlRow(3, f"{there}known", Rank(1), OTHER),
    ]
    with Writer(shards[0]) as writer:
        writer.commit(StoreBatch(new=[UrlRow(1, mine, Rank(0), Outcome.PENDING), *links]))
        writer.commit(StoreBatch(state=CrawlState.FINISHED))
    with Writer(shards[1]) as writer:
        writer.commit(StoreBatch(new=[UrlRow(1, f"{there}known", Rank(4), Outcome.PENDING)]))
        writer.commit(StoreBatch(state=CrawlState.FINISHED))
    merge_shards(shards, tmp_path / "merged.gossamer")
    with Reader(tmp_path / "merged.gossamer") as reader:
        assert reader.summary().state is CrawlState.PAUSED
        rows = {row.url: (row.outcome, row.depth) for row in reader.iterate(View.ALL)}
    assert rows == {
        mine: (Outcome.PENDING, 0),
        f"{there}new": (Outcome.PENDING, 2),
        f"{there}known": (Outcome.PENDING, 1),
    }
    assert miscounts(tmp_path / "merged.gossamer") == []


@pytest.mark.parametrize("view", ["", "#/cart"])
def test_a_root_whose_shard_has_not_begun_stays_a_root(tmp_path: Path, view: str) -> None:
    mine, there = elsewhere(1), f"{elsewhere(0)}{view}"
    settings = CrawlSettings(
        roots=(mine, there), include=("never",), render=RenderMode.ON, hash_routes=True
    )
    shards = create_shards(tmp_path / "a.shards", settings, 2, "")
    with Writer(shards[0]) as writer:
        root = UrlRow(1, mine, Rank(0), Outcome.PENDING)
        writer.commit(StoreBatch(new=[root, UrlRow(2, there, Rank(1), OTHER, 1)]))
    merge_shards(shards, tmp_path / "merged.gossamer")
    with Reader(tmp_path / "merged.gossamer") as reader:
        found = [(row.outcome, row.depth, row.parent) for row in reader.iterate(View.ALL)]
    assert found == [(Outcome.PENDING, 0, None)] * 2


def test_what_was_to_be_asked_for_is_in_a_folder_of_the_merged_project_too(
    shards: list[Path], tmp_path: Path
) -> None:
    ours = elsewhere(1)
    rows = [UrlRow(n, f"{ours}{name}", Rank(1), Outcome.PENDING) for n, name in enumerate("ab", 1)]
    for number, path in enumerate(shards):
        with Writer(path) as writer:
            new = [] if number else rows
            never = [] if number else [UrlRow(3, f"{ours}c", Rank(1), Outcome.OUT_OF_SCOPE)]
            writer.commit(StoreBatch(new=[*new, *never]))
            batch = StoreBatch(state=CrawlState.FINISHED)
            batch.decided += [(row.id, Outcome.BLOCKED_BY_ROBOTS, None) for row in new]
            writer.commit(batch)
    merge_shards(shards, tmp_path / "merged.gossamer")
    with sqlite3.connect(tmp_path / "merged.gossamer") as connection:
        found = connection.execute("SELECT url, folder IS NOT NULL FROM url").fetchall()
    connection.close()
    assert sorted(found) == [(f"{ours}a", 1), (f"{ours}b", 1), (f"{ours}c", 0)]
    assert miscounts(tmp_path / "merged.gossamer") == []


def test_a_folder_without_all_shards_names_the_missing_file(shards: list[Path]) -> None:
    assert shards_in(shards[0].parent) == shards
    shards[1].unlink()
    with pytest.raises(ProjectError, match=r"restore the file shard-2-of-2\.gossamer"):
        shards_in(shards[0].parent)
    with pytest.raises(ProjectError, match="a folder without shards"):
        shards_in(shards[0].parent.parent)


def test_shards_are_made_all_at_once_or_not_at_all(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="1 to 1000 shards"):
        create_shards(tmp_path / "a.shards", SETTINGS, 1001, "")
    assert list(tmp_path.iterdir()) == []


def test_what_is_divided_among_shards_is_given_out_whole() -> None:
    shares = [ShardIdentity("", number, 4).share_of(10) for number in range(4)]
    assert shares == [3, 3, 2, 2]
    assert ShardIdentity("", 3, 4).share_of(2) == 1


def test_all_hosts_of_a_domain_have_one_owner_which_never_changes() -> None:
    owner = Ownership(7).owner
    assert owner("http://www.example.co.uk/a") == owner("https://shop.example.co.uk:8443/b")
    # Files of crawls depend on it: a host must not go to another shard with a new version.
    urls = [f"https://www.site{number}.com/" for number in range(8)]
    assert [owner(url) for url in urls] == [6, 4, 3, 3, 2, 3, 6, 6]


def name_archived(shard: Path, name: str, node: str | None) -> None:
    """Have a shard name a record of six bytes in such a file of its archive."""
    archive_folder(shard).mkdir()
    with closing(sqlite3.connect(shard)) as connection, connection:
        row = (name, node)
        connection.execute("INSERT INTO archive_file (id, name, node) VALUES (1, ?, ?)", row)
        connection.execute(
            "INSERT INTO archive_record (file, offset, length, kind, id, url, digest)"
            " VALUES (1, 0, 6, 1, NULL, 'http://a.test/robots.txt', x'00')"
        )


@pytest.mark.parametrize("node", [None, "10.0.0.1"])
@pytest.mark.parametrize("name", ["secret.txt", "a-20261123120000-1-00000.warc.gz"])
def test_a_shard_of_a_stranger_brings_no_file_from_elsewhere_into_the_archive(
    shards: list[Path], tmp_path: Path, name: str, node: str | None
) -> None:
    (tmp_path / name).write_bytes(b"secret")
    name_archived(shards[0], f"../../{name}", node)
    merged = tmp_path / "merged.gossamer"
    merge_shards(shards, merged)
    assert archive_files(merged) == []
    with closing(sqlite3.connect(merged)) as connection:
        assert connection.execute("SELECT count(*) FROM archive_file").fetchone() == (0,)


def test_archive_files_of_equal_names_are_all_kept(shards: list[Path], tmp_path: Path) -> None:
    name = "site-20261123120000-1-00007.warc.gz"
    merged = tmp_path / "merged.gossamer"
    for shard, content in zip(shards, (b"first.", b"second"), strict=True):
        name_archived(shard, name, None)
        (archive_folder(shard) / name).write_bytes(content)
    merge_shards(shards, merged)
    with closing(sqlite3.connect(merged)) as connection:
        names = [each for (each,) in connection.execute("SELECT name FROM archive_file")]
    assert names == [name, "site-20261123120000-1-00008.warc.gz"]
    contents = [(archive_folder(merged) / each).read_bytes() for each in names]
    assert contents == [b"first.", b"second"]


def test_archive_files_of_equal_names_on_nodes_are_told(shards: list[Path], tmp_path: Path) -> None:
    name = "site-20261123120000-1-00007.warc.gz"
    merged = tmp_path / "merged.gossamer"
    for shard in shards:
        name_archived(shard, name, "10.0.0.1")
    with pytest.raises(ProjectError, match=f"Two shards have an archive file {name}"):
        merge_shards(shards, merged)
    (archive_folder(shards[0]) / name).write_bytes(b"copied")
    merge_shards(shards, merged)
    assert [each.read_bytes() for each in archive_files(merged)] == [b"copied"]


@pytest.mark.skipif(sys.platform == "win32", reason="only administrators make links there")
def test_a_link_in_the_archive_of_a_stranger_is_not_followed(
    shards: list[Path], tmp_path: Path
) -> None:
    """Whoever got the merged project would get the file."""
    (tmp_path / "secret").write_bytes(b"secret")
    merged = tmp_path / "merged.gossamer"
    links = [
        archive_folder(each) / f"{each.stem}-20261123120000-1-00000.warc.gz" for each in shards
    ]
    for shard, link, node in zip(shards, links, ("10.0.0.1", None), strict=True):
        name_archived(shard, link.name, node)
        link.symlink_to(tmp_path / "secret")
    with pytest.raises(DiskError, match="missing"):
        merge_shards(shards, merged)
    links[1].unlink()
    links[1].write_bytes(b"record")
    merge_shards(shards, merged)
    assert [each.read_bytes() for each in archive_files(merged)] == [b"record"]
