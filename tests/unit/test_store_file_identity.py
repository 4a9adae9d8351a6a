"""A project is a file: by whatever name somebody comes to it, it has one writer and one log."""

import os
import shutil
import socket
import sys
from contextlib import closing, suppress
from pathlib import Path

import pytest

from gossamer.model.discovery_rank import Rank
from gossamer.model.errors import ProjectError
from gossamer.model.outcome import Outcome
from gossamer.model.project_queries import View
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.store_batch import StoreBatch, UrlRow
from gossamer.session.default_paths import log_path
from gossamer.session.known_projects import listed
from gossamer.store.locking import file_identity
from gossamer.store.locking.file_identity import BESIDE
from gossamer.store.project import check, create, mark_cancelled
from gossamer.store.project_copy import delete_project
from gossamer.store.reading.project_listing import glance
from gossamer.store.reading.reader import Reader
from gossamer.store.rescue.project_rescue import rescue
from gossamer.store.writer_lock import WriterLock, holder_of, lock_path
from gossamer.store.writing.writer import Writer
from tests.fakes.crawled import Crawled

SETTINGS = CrawlSettings(roots=("a.example",))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    folder = tmp_path / "folder"
    folder.mkdir()
    return folder / "a.gossamer"


def by_link(path: Path) -> Path:
    link = path.parent.parent / "link.gossamer"
    link.symlink_to(path)
    return link


def by_linked_folder(path: Path) -> Path:
    folder = path.parent.parent / "linked"
    folder.symlink_to(path.parent)
    return folder / path.name


def by_links_of_links(path: Path) -> Path:
    again = path.with_name("again.gossamer")
    again.symlink_to(Path("..") / by_link(path).name)
    return again


def by_relative_path(path: Path) -> Path:
    return Path(os.path.relpath(path))


def by_detour(path: Path) -> Path:
    return path.parent / ".." / path.parent.name / path.name


NAMES = [by_link, by_linked_folder, by_links_of_links, by_relative_path, by_detour]


@pytest.mark.parametrize("other_name", NAMES)
def test_one_writer_whatever_the_name(path: Path, other_name: object) -> None:
    create(path, SETTINGS)
    assert callable(other_name)
    other = other_name(path)
    for first, second in ((path, other), (other, path)):
        with Writer(first):
            assert holder_of(second) is not None
            assert glance(second).held_by is not None
            for deed in (Writer, mark_cancelled, delete_project):
                with pytest.raises(ProjectError, match="is being crawled"):
                    deed(second)
            with pytest.raises(ProjectError, match="is being crawled"):
                rescue(second, path.with_name("new.gossamer"))
        assert holder_of(second) is None
    check(path, budget_s=60)
    assert sorted(file.suffix for file in path.parent.iterdir()) in (
        [".gossamer"],
        [".gossamer", ".gossamer"],
    )


@pytest.mark.parametrize("other_name", NAMES)
def test_one_log_whatever_the_name(
    path: Path, other_name: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    # What the user of this machine has crawled is listed, too.
    monkeypatch.setattr(
        "gossamer.session.known_projects.projects_folder", lambda: path.parent / "none"
    )
    create(path, SETTINGS)
    assert callable(other_name)
    other = other_name(path)
    assert log_path(other) == log_path(path)
    assert [seen.path for seen in listed([other, path])] == [other.absolute()]


def test_a_link_that_is_led_elsewhere_does_not_lead_the_writer_there(path: Path) -> None:
    link, other = by_link(path), path.with_name("other.gossamer")
    create(path, SETTINGS)
    create(other, SETTINGS)
    with Writer(link) as writer:
        link.unlink()
        link.symlink_to(other)
        writer.commit(StoreBatch(new=[UrlRow(1, "http://a.example/", Rank(0), Outcome.PENDING)]))
    with Reader(path) as ours, Reader(other) as theirs:
        assert (len(ours.ids(View.ALL)), len(theirs.ids(View.ALL))) == (1, 0)


def test_a_project_that_was_renamed_under_its_writer_has_no_second_one(path: Path) -> None:
    """SQLite would make a second log for it, and each writer would undo the other's work."""
    renamed = path.with_name("renamed.gossamer")
    with Crawled(path) as crawled:
        crawled.page("/", "/a")
        path.rename(renamed)
        assert holder_of(renamed) is not None
        with pytest.raises(ProjectError, match="is being crawled"):
            Writer(renamed)
        renamed.rename(path)
    check(path, budget_s=60)
    Writer(path).close()


def test_more_names_than_one_are_refused_by_who_writes(path: Path) -> None:
    """A copy made with `cp -al` is the same file."""
    create(path, SETTINGS)
    other = path.with_name("b.gossamer")
    other.hardlink_to(path)
    for name in (path, other):
        with pytest.raises(ProjectError, match=r"several hard links.* use a copy"):
            Writer(name)
        with pytest.raises(ProjectError, match="several hard links"):
            delete_project(name)
        with Reader(name) as reader:
            assert reader.summary().settings.roots == SETTINGS.roots
    other.unlink()
    Writer(path).close()
    assert [file.name for file in path.parent.iterdir()] == [path.name]


def test_a_name_that_is_made_during_a_crawl_lets_no_second_writer_in(path: Path) -> None:
    other = path.with_name("b.gossamer")
    with Crawled(path) as crawled:
        crawled.page("/", "/a")
        other.hardlink_to(path)
        with pytest.raises(ProjectError, match="is being crawled"):
            Writer(other)
        crawled.page("/a")
    other.unlink()
    check(path, budget_s=60)


def test_a_file_that_is_mounted_by_itself_is_refused(
    path: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """As a container may have it. Its log would stay outside of the project's folder."""
    if sys.platform != "linux":
        pytest.skip("only Linux tells what is mounted")
    path = path.with_name("a b.gossamer")
    create(path, SETTINGS)
    mounts = tmp_path / "mountinfo"
    escaped = str(path).replace(" ", "\\040")
    mounts.write_text(f"36 35 98:0 / {escaped} rw - ext4 /dev/x rw\n", encoding="utf-8")
    monkeypatch.setattr(file_identity, "_MOUNTS", mounts)
    with pytest.raises(ProjectError, match="mount its folder"):
        Writer(path)
    mounts.write_text(f"36 35 98:0 / {path.parent} rw - ext4 /dev/x rw\n", encoding="utf-8")
    Writer(path).close()


def test_deleting_a_project_by_a_link_leaves_neither(path: Path) -> None:
    create(path, SETTINGS)
    link = by_link(path)
    path.with_name(f"{path.name}-wal").touch()
    delete_project(link)
    assert list(path.parent.iterdir()) == []
    assert not link.is_symlink()


def as_pipe(path: Path) -> None:
    os.mkfifo(path)


def as_socket(path: Path) -> None:
    with closing(socket.socket(socket.AF_UNIX)) as bound:
        bound.bind(str(path))


def as_folder(path: Path) -> None:
    path.mkdir()


def as_link(path: Path) -> None:
    victim = path.with_name("victim")
    victim.write_text("years of work")
    path.symlink_to(victim)


def as_dead_link(path: Path) -> None:
    path.symlink_to(path.with_name("nothing"))


KINDS = [as_pipe, as_socket, as_folder, as_link, as_dead_link]


@pytest.mark.parametrize("suffix", [".lock", *BESIDE])
@pytest.mark.parametrize("kind", KINDS)
def test_what_is_no_file_beside_a_project_is_neither_read_nor_waited_for(
    path: Path, monkeypatch: pytest.MonkeyPatch, suffix: str, kind: object
) -> None:
    create(path, SETTINGS)
    monkeypatch.chdir(path.parent)  # the name of a socket may not be long
    assert callable(kind)
    kind(Path(path.name + suffix))
    with pytest.raises(ProjectError) as refused:
        Writer(path)
    assert holder_of(path) is None
    if kind is not as_folder or suffix == ".lock":  # SQLite takes no folder for a file either
        assert "next to it is not a file; delete that" in str(refused.value)
        assert (glance(path).trouble is None) is (suffix == ".lock")
    with suppress(ProjectError):
        rescue(path, path.with_name("new.gossamer"))
    victim = path.with_name("victim")
    assert not victim.exists() or victim.read_text() == "years of work"


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_no_file_is_no_project(
    path: Path, monkeypatch: pytest.MonkeyPatch, kind: object
) -> None:
    monkeypatch.chdir(path.parent)
    assert callable(kind)
    kind(Path(path.name))
    for deed in (check, Writer, lambda x: rescue(x, path.with_name("new.gossamer"))):
        with pytest.raises(ProjectError):
            deed(path)


def test_locks_of_processes_that_were_killed_do_not_pile_up(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(path.parent))
    create(path, SETTINGS)
    with Writer(path):
        (mine,) = [file for file in lock_folder().iterdir() if holder_of(path)]
    for number in range(3):
        left = mine.with_name(f"{number}.lock")
        left.touch()
        os.utime(left, (0, 0))
    with Writer(path):
        assert list(lock_folder().iterdir()) == [mine]
    assert list(lock_folder().iterdir()) == []


def lock_folder() -> Path:
    return Path(os.environ["XDG_DATA_HOME"]) / "gossamer" / "locks"


def test_without_a_place_for_locks_the_one_beside_the_project_counts(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    nowhere = path.with_name("file")
    nowhere.touch()
    monkeypatch.setenv("XDG_DATA_HOME", str(nowhere))
    create(path, SETTINGS)
    with closing(WriterLock(path)):
        assert lock_path(path).exists()
        with pytest.raises(ProjectError, match="is being crawled"):
            WriterLock(path)


def test_a_copy_is_another_project(path: Path) -> None:
    create(path, SETTINGS)
    copy = path.with_name("b.gossamer")
    shutil.copy(path, copy)
    with Writer(path), Writer(copy):
        pass
