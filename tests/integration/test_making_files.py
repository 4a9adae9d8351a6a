"""Whatever makes a file leaves the old one or the whole new one, and nobody else may read it."""

import errno
import json
import os
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from gossamer.export.export_selection import ExportSelection
from gossamer.export.exporter import export
from gossamer.export.url_views import PAGES
from gossamer.model.errors import ProjectError
from gossamer.session.settings_file import save_settings
from gossamer.store.atomic_files import StagingFolder, sweep, write_aside
from gossamer.store.locking import lock_file
from gossamer.store.project import create
from gossamer.store.project_copy import copy_project
from gossamer.store.rescue.project_rescue import rescue
from gossamer.store.writer_lock import WriterLock
from tests.fakes.crawled import Crawled
from tests.fakes.damage import crawled_site
from tests.integration.making import KINDS, SETTINGS

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="forks, and looks at modes")

EVERY = {
    "create": 9,
    "copy": 11,
    "copy-archive": 17,
    "export": 13,
    "settings": 5,
    "rescue": 211,
    "rescue-archive": 223,
    "merge": 101,
    "folder": 251,
    "audit-again": 149,
    "wacz": 29,
    "offline": 47,
}
"""Which of the steps are tried besides those that `making` chooses."""


@pytest.fixture(scope="module")
def steps_of() -> Iterator[Callable[[str, Path, int], int]]:
    """Kills who makes a file of a kind at some of its steps; how many there are."""
    command = [sys.executable, "-m", "tests.integration.making"]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        asked, told = process.stdin, process.stdout
        assert asked is not None
        assert told is not None

        def steps(kind: str, folder: Path, every: int) -> int:
            asked.write(f"{json.dumps([kind, str(folder), every])}\n")
            asked.flush()
            number, wrong = json.loads(told.readline())
            assert wrong == ""
            return int(number)

        yield steps
        asked.close()
        assert process.wait() == 0


@pytest.mark.parametrize("kind", KINDS)
def test_a_kill_at_any_step_leaves_the_old_or_the_complete_new_file(
    kind: str, steps_of: Callable[[str, Path, int], int], tmp_path: Path
) -> None:
    every = 1 if os.environ.get("GOSSAMER_LONG_TESTS") else EVERY[kind]
    assert steps_of(kind, tmp_path, every) > 10, "there are that many steps"


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_new_files_are_readable_by_their_owner_only(tmp_path: Path) -> None:
    project, mask = tmp_path / "a.gossamer", os.umask(0)
    try:
        with Crawled(project) as crawled:
            crawled.page("/", "/a")
            beside = [project.with_name(project.name + end) for end in ("-wal", "-shm", ".lock")]
            assert [mode(path) for path in (project, *beside)] == [0o600] * 4
        copy_project(project, tmp_path / "copy.gossamer")
        rescue(project, tmp_path / "rescue.gossamer")
        export(project, ExportSelection(PAGES), tmp_path / "pages.csv")
        export(project, ExportSelection(PAGES), tmp_path / "pages.xlsx")
        save_settings(tmp_path / "a.toml", SETTINGS, replace=False)
    finally:
        os.umask(mask)
    assert {path.name: mode(path) for path in tmp_path.iterdir()} == dict.fromkeys(
        [*("a.gossamer", "copy.gossamer", "rescue.gossamer"), "pages.csv", "pages.xlsx", "a.toml"],
        0o600,
    )


def test_a_replaced_file_keeps_its_permissions(tmp_path: Path) -> None:
    project, shared = tmp_path / "a.gossamer", tmp_path / "shared.csv"
    create(project, SETTINGS)
    shared.touch()
    shared.chmod(0o640)
    export(project, ExportSelection(PAGES), shared)
    assert mode(shared) == 0o640


def test_a_symbolic_link_at_the_target_is_kept(tmp_path: Path) -> None:
    project, link = tmp_path / "a.gossamer", tmp_path / "link.csv"
    (tmp_path / "folder").mkdir()
    file = tmp_path / "folder" / "pages.csv"
    create(project, SETTINGS)
    link.symlink_to(file)
    export(project, ExportSelection(PAGES), link)
    assert link.is_symlink()
    assert file.read_text().startswith("Address,")


def test_user_files_with_temporary_names_are_kept(tmp_path: Path) -> None:
    project = tmp_path / "a.gossamer"
    with crawled_site(project, 10):
        pass
    mine = {
        tmp_path / name: name
        for name in (
            *("new.gossamer.partial", "new.gossamer.scratch", "new.gossamer.migrating"),
            *("copy.gossamer.partial", ".gossamer-0123456789abcdef.part", ".gossamer-mine.part"),
        )
    }
    for path, text in mine.items():
        path.write_text(text)
    copy_project(project, tmp_path / "copy.gossamer")
    rescue(project, tmp_path / "new.gossamer")
    assert {path: path.read_text() for path in mine} == mine
    made = {tmp_path / "copy.gossamer", tmp_path / "new.gossamer", project}
    assert set(tmp_path.iterdir()) == set(mine) | made


@pytest.mark.parametrize("has_links", [True, False])
def test_a_file_created_by_another_process_first_is_not_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, has_links: bool
) -> None:
    target = tmp_path / "mine.toml"
    if not has_links:
        monkeypatch.setattr(os, "link", refusing_links)
    with StagingFolder(tmp_path) as aside:
        part = aside.new("mine.toml")
        part.write_text("ours")
        target.write_text("theirs")
        with pytest.raises(FileExistsError):
            aside.put(part, target, replace=False)
        assert target.read_text() == "theirs"
        target.unlink()
        target.symlink_to("nowhere")
        with pytest.raises(FileExistsError):
            aside.put(part, target, replace=False)
        target.unlink()
        aside.put(part, target, replace=False)
        assert (target.read_text(), target.stat().st_nlink) == ("ours", 1)


def test_a_file_created_by_another_process_at_the_last_moment_is_not_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target, flush = tmp_path / "mine.toml", os.fsync

    def make_and_flush(descriptor: int) -> None:
        target.write_text("theirs")
        flush(descriptor)

    monkeypatch.setattr(os, "fsync", make_and_flush)
    with pytest.raises(FileExistsError):
        write_aside(target, b"ours", replace=False)
    assert target.read_text() == "theirs"
    assert list(tmp_path.iterdir()) == [target]


def test_a_hard_link_left_by_a_kill_is_removed_by_the_next_writer(tmp_path: Path) -> None:
    project = tmp_path / "a.gossamer"
    create(project, SETTINGS)
    with StagingFolder(tmp_path) as aside:
        os.link(project, aside.path / "a.gossamer")
        with pytest.raises(ProjectError, match="several hard links"):
            WriterLock(project)  # it is being put there
    left = tmp_path / ".gossamer-0123456789abcdef.part"
    left.mkdir()
    (left / "lock").touch()
    os.link(project, left / "a.gossamer")
    WriterLock(project).close()
    assert list(tmp_path.iterdir()) == [project]


def test_a_folder_that_is_swept_before_it_is_locked_is_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    locked = lock_file.try_lock
    swept: list[str] = []

    def sweep_and_lock(descriptor: int, *, shared: bool = False) -> None:
        if not swept:
            swept.extend(each.name for each in tmp_path.iterdir())
            sweep(tmp_path)
        locked(descriptor, shared=shared)

    monkeypatch.setattr(lock_file, "try_lock", sweep_and_lock)
    with StagingFolder(tmp_path) as aside:
        assert len(swept) == 1
        assert list(tmp_path.iterdir()) == [aside.path]
        aside.new("a")
    assert list(tmp_path.iterdir()) == []


def refusing_links(*_: object) -> None:
    raise PermissionError(errno.EPERM, "no links here")


def test_temporary_files_of_a_running_process_are_kept(tmp_path: Path) -> None:
    with ExitStack() as others:
        folders = [others.enter_context(StagingFolder(tmp_path)) for _ in range(3)]
        create(tmp_path / "a.gossamer", SETTINGS)
        assert all(folder.path.is_dir() for folder in folders)
        about_to_be_locked = tmp_path / ".gossamer-0123456789abcdef.part"
        about_to_be_locked.mkdir()
        create(tmp_path / "b.gossamer", SETTINGS)
        assert about_to_be_locked.is_dir()
        os.utime(about_to_be_locked, (0, 0))
        create(tmp_path / "c.gossamer", SETTINGS)
        assert not about_to_be_locked.exists()
    assert sorted(path.name[0] for path in tmp_path.iterdir()) == ["a", "b", "c"]


@pytest.mark.parametrize("end", ["-wal", "-journal"])
def test_no_project_is_created_beside_the_log_of_another(tmp_path: Path, end: str) -> None:
    """SQLite would take it for the log of the new project."""
    source, target = tmp_path / "source.gossamer", tmp_path / "new.gossamer"
    create(source, SETTINGS)
    log = target.with_name(target.name + end)
    log.write_bytes(b"what was committed last")
    for make in (
        lambda: create(target, SETTINGS),
        lambda: copy_project(source, target),
        lambda: rescue(source, target),
    ):
        with pytest.raises(Exception, match="is left over from another project of that name"):
            make()
    assert log.read_bytes() == b"what was committed last"
    log.write_bytes(b"")
    create(target, SETTINGS)
    assert not log.exists()
