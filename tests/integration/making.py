"""Files that are made by a process which is killed before some of its steps in turn.

Those are the steps that put files in their places, what follows each, the removal of what is left,
and every so-many-th.

After each kill the old or the whole new file must be there, nothing else that anybody sees, and the
file can be made at the next try, which removes what the killed process had left.

`python -m tests.integration.making` reads requests, a line each, a JSON list of kind, folder and
every how many steps, and answers each with a line of JSON: a list of the number of steps and of
what went wrong, "" for nothing. A copy of it, which has imported all, does what is requested.
"""

import json
import os
import shutil
import signal
import sqlite3
import sys
import traceback
from collections.abc import Callable, Sequence
from contextlib import closing
from itertools import count
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any, Final

import pytest
from msgspec import structs

from gossamer.export.archive_exports import ARCHIVE_EXPORTS, ArchiveRequest
from gossamer.export.export_selection import ExportSelection
from gossamer.export.exporter import export
from gossamer.export.link_sheets import LINKS
from gossamer.export.view_bundles import BUNDLES, BundleRequest
from gossamer.model.archive_record import archive_folder
from gossamer.model.archive_source import ArchiveSource
from gossamer.model.errors import ProjectError
from gossamer.model.project_queries import View
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.session.project_files import copy_project as copy_with_archive
from gossamer.session.project_files import rescue as rescue_with_archive
from gossamer.session.settings_file import read_settings, save_settings
from gossamer.shards.shard_folder import create_shards
from gossamer.shards.shard_merging import merge_shards
from gossamer.store import database
from gossamer.store.atomic_files import StagingFolder
from gossamer.store.locking.database_descriptors import FileConnection
from gossamer.store.locking.file_identity import BESIDE
from gossamer.store.project import check, create, store_settings, stored_settings
from gossamer.store.project_carry_over import take_over, take_over_ignored
from gossamer.store.project_copy import copy_project
from gossamer.store.project_replacement import replace_project
from gossamer.store.reading.reader import Reader
from gossamer.store.rescue.project_rescue import rescue
from tests.fakes.contents import contents
from tests.fakes.damage import crawled_site
from tests.fakes.warc import http, record, write_warc

SETTINGS: Final = CrawlSettings(roots=("http://a.example/",))
OLD: Final = b"from before"
STEPS: Final = frozenset(
    {"open", "os.rename", "os.mkdir", "os.remove", "os.rmdir", "os.chmod", "os.link"}
    | {"os.truncate", "sqlite3.connect", "shutil.rmtree", "fcntl.flock", "os.fsync"}
)
PUTS: Final = frozenset({"os.rename", "os.link"})
"""Steps that put a file, or a folder, in its place."""
REMOVES: Final = "shutil.rmtree"
"""What follows an exchange of two folders, which is no step by itself."""
LAST_PUTS: Final = 3
"""So many of them are tried: those before them are done aside."""


class Making:
    """A way to make a file, and to tell whether it is whole."""

    others: frozenset[str] = frozenset()
    """What is there besides the source, and stays."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.source = folder / "source.gossamer"
        self.target = folder / "new.gossamer"
        with crawled_site(self.source, 30):
            pass
        self.whole = contents(self.source)
        self.old: bytes | None = None

    def make(self) -> None:
        create(self.target, SETTINGS)

    def assert_whole(self) -> None:
        check(self.target, budget_s=60)

    def assert_old_or_new(self) -> None:
        """What a killed process may leave, as everybody sees it."""
        seen = {path.name for path in self.folder.iterdir() if not path.name.startswith(".")}
        beside = {f"{self.target.name}.lock", *(f"{self.source.name}{end}" for end in BESIDE)}
        assert seen - beside <= {self.source.name, self.target.name}, seen
        if self.target.exists() and self.target.read_bytes() != self.old:
            self.assert_whole()
        else:
            assert self.target.exists() is (self.old is not None)

    def let_time_pass(self) -> None:
        """What has no lock file yet, or any more, is left alone for an hour."""
        for left in self.folder.glob(".gossamer-*.part"):
            if not (left / "lock").exists():
                os.utime(left, (0, 0))

    def begin_anew(self) -> None:
        if self.old is None:
            self.target.unlink(missing_ok=True)
        else:
            self.target.write_bytes(self.old)


class Copy(Making):
    def make(self) -> None:
        copy_project(self.source, self.target)

    def assert_whole(self) -> None:
        assert contents(self.target) == self.whole


class Rescue(Making):
    def make(self) -> None:
        rescue(self.source, self.target)

    def assert_whole(self) -> None:
        assert contents(self.target) == self.whole


class WithArchive(Making):
    """A copy of a project with its archive: nobody sees the copy without it, whole."""

    others = frozenset({"source.archive"})

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        kept = archive_folder(self.source)
        kept.mkdir()
        for number in range(3):
            (kept / f"source-20260101000000-1-0000{number}.warc.gz").write_bytes(b"kept" * 99)
        self.files = self.kept(kept)

    def kept(self, folder: Path) -> dict[str, bytes]:
        return {path.name: path.read_bytes() for path in folder.iterdir()}

    def make(self) -> None:
        copy_with_archive(self.source, self.target)

    def assert_whole(self) -> None:
        assert contents(self.target) == self.whole
        assert self.kept(archive_folder(self.target)) == self.files

    def assert_old_or_new(self) -> None:
        place = archive_folder(self.target)
        seen = {path.name for path in self.folder.iterdir() if not path.name.startswith(".")}
        beside = {f"{self.target.name}.lock", *(f"{self.source.name}{end}" for end in BESIDE)}
        known = {self.source.name, *self.others, self.target.name, place.name}
        assert seen - beside <= known, seen
        if self.target.exists():
            self.assert_whole()
        elif place.exists():  # it is put in its place a moment before the project
            assert self.kept(place) == self.files
            with pytest.raises(ProjectError, match="is in the way; move or delete it"):
                self.make()

    def begin_anew(self) -> None:
        super().begin_anew()
        shutil.rmtree(archive_folder(self.target), ignore_errors=True)


class RescueWithArchive(WithArchive):
    def make(self) -> None:
        rescue_with_archive(self.source, self.target)


class Merge(WithArchive):
    """Shards that are merged, with the archive of one of them."""

    others = frozenset({"source.archive", "shards"})

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.shards = create_shards(folder / "shards", SETTINGS, 2, "")
        kept = archive_folder(self.shards[0])
        kept.mkdir()
        with closing(sqlite3.connect(self.shards[0])) as shard, shard:
            for number, (name, data) in enumerate(self.files.items(), 1):
                (kept / name).write_bytes(data)
                shard.execute("INSERT INTO archive_file (id, name) VALUES (?, ?)", (number, name))
                shard.execute(
                    "INSERT INTO archive_record (file, offset, length, kind, url, digest)"
                    " VALUES (?, 0, ?, 0, 'http://a.example/robots.txt', ?)",
                    (number, len(data), bytes(32)),
                )

    def make(self) -> None:
        merge_shards(self.shards, self.target)

    def assert_whole(self) -> None:
        check(self.target, budget_s=60)
        assert self.kept(archive_folder(self.target)) == self.files


class Export(Making):
    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.target = folder / "links.csv"
        self.old = OLD
        self.begin_anew()

    def make(self) -> None:
        export(self.source, ExportSelection(LINKS), self.target)

    def assert_whole(self) -> None:
        lines = self.target.read_text().splitlines()
        assert len(lines) > sum(self.whole.links.values())


class ExportFolder(Making):
    """Replaces a folder of an earlier export as a whole."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.target = folder / "tabs"
        self.old = OLD
        self.request = BundleRequest(BUNDLES["all_tabs"], self.target)
        self.names = {f"{name}.csv" for name in self.request.bundle.file_names()}
        self.begin_anew()

    def make(self) -> None:
        self.request.write(self.source, None, lambda: False)

    def assert_whole(self) -> None:
        found = {path.name: path.read_bytes() for path in self.target.iterdir()}
        assert set(found) == self.names
        assert OLD not in found.values()

    def assert_old_or_new(self) -> None:
        seen = {path.name for path in self.folder.iterdir() if not path.name.startswith(".")}
        assert seen - {f"{self.source.name}{end}" for end in BESIDE} == {
            self.source.name,
            self.target.name,
        }
        if {path.read_bytes() for path in self.target.iterdir()} != {OLD}:
            self.assert_whole()

    def begin_anew(self) -> None:
        shutil.rmtree(self.target, ignore_errors=True)
        self.target.mkdir()
        for name in self.names:
            (self.target / name).write_bytes(OLD)


class Settings(Making):
    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.target = folder / "mine.toml"
        self.old = OLD
        self.begin_anew()

    def make(self) -> None:
        save_settings(self.target, SETTINGS, replace=True)

    def assert_whole(self) -> None:
        assert read_settings(self.target) == SETTINGS


class AuditAgain(Making):
    """The last steps of auditing again: a project made aside takes over, and its place."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.old = self.source.read_bytes()
        self.begin_anew()

    def make(self) -> None:
        with StagingFolder(self.folder) as aside:
            made = aside.path / self.target.name
            copy_project(self.source, made)
            take_over(made, self.target, stored_settings(self.target))
            replace_project(made, self.target, lambda: take_over_ignored(made, self.target))

    def assert_whole(self) -> None:
        check(self.target, budget_s=60)
        assert contents(self.target) == self.whole

    def assert_old_or_new(self) -> None:
        left = {f"{self.target.name}{end}" for end in BESIDE}
        seen = {path.name for path in self.folder.iterdir() if not path.name.startswith(".")}
        beside = {
            f"{self.target.name}.lock",
            *left,
            *(f"{self.source.name}{end}" for end in BESIDE),
        }
        assert seen - beside == {self.source.name, self.target.name}, seen
        self.assert_whole()

    def begin_anew(self) -> None:
        for end in BESIDE:
            self.target.with_name(self.target.name + end).unlink(missing_ok=True)
        super().begin_anew()


class ArchiveCopy(Making):
    """What is exported of an archive: `export` to `name`."""

    export = "wacz"
    name = "new.wacz"
    others = frozenset({".kept.warc.gz"})

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.target = folder / self.name
        with Reader(self.source) as reader:
            urls = [row.url for row in reader.iterate(View.PAGES)]
        kept = [record(url, http(f"<title>{url}</title>")) for url in urls[:4]]
        archive = write_warc(folder / ".kept.warc.gz", kept)  # as hidden as what is left aside
        settings = stored_settings(self.source)
        source = ArchiveSource((str(archive),))
        store_settings(self.source, structs.replace(settings, source=source))
        self.make()
        self.files = self.sizes()
        assert self.files
        self.begin_anew()

    def make(self) -> None:
        request = ArchiveRequest(ARCHIVE_EXPORTS[self.export], self.target)
        request.write(self.source, None, lambda: False)

    def sizes(self) -> dict[str, int]:
        files = [self.target, *self.target.rglob("*")]
        return {path.name: path.stat().st_size for path in files if path.is_file()}

    def assert_whole(self) -> None:
        assert self.sizes() == self.files

    def begin_anew(self) -> None:
        shutil.rmtree(self.target, ignore_errors=True)
        self.target.unlink(missing_ok=True)


class OfflineCopy(ArchiveCopy):
    export = "offline"
    name = "copy"

    def assert_old_or_new(self) -> None:
        if self.target.exists():
            self.assert_whole()


KINDS: Final[dict[str, Callable[[Path], Making]]] = {
    "create": Making,
    "copy": Copy,
    "copy-archive": WithArchive,
    "merge": Merge,
    "rescue": Rescue,
    "rescue-archive": RescueWithArchive,
    "export": Export,
    "settings": Settings,
    "folder": ExportFolder,
    "audit-again": AuditAgain,
    "wacz": ArchiveCopy,
    "offline": OfflineCopy,
}


def hear_steps(heard: Callable[[str], None]) -> None:
    """Have `heard` told of each step of this process before it: a call about files, or SQL."""

    def hook(event: str, _arguments: object) -> None:
        if event in STEPS:
            heard(event)

    class Counted(sqlite3.Connection):
        def execute(self, sql: str, *parameters: Any) -> sqlite3.Cursor:
            heard("sql")
            return super().execute(sql, *parameters)

    class CountedFileConnection(Counted, FileConnection):
        """What the store opens."""

    connect = sqlite3.connect

    def connected(*arguments: Any, **named: Any) -> sqlite3.Connection:
        return connect(*arguments, **named, factory=Counted)

    vars(sqlite3)["connect"] = connected
    vars(database)["FileConnection"] = CountedFileConnection
    sys.addaudithook(hook)


def is_killed(making: Making, heard: Callable[[str], None]) -> bool:
    """Make the file in a copy of this process; whether that was killed before it was done."""
    if pid := os.fork():
        _, status = os.waitpid(pid, 0)
        code = os.waitstatus_to_exitcode(status)
        assert code in {0, -signal.SIGKILL}, code
        return code != 0
    code = 1
    try:
        hear_steps(heard)
        making.make()
        code = 0
    finally:
        os._exit(code)


def is_killed_before(making: Making, step: int) -> bool:
    """Likewise, killed before its step with this number."""
    steps = count(1)

    def kill(_event: str) -> None:
        if next(steps) == step:
            os.kill(os.getpid(), signal.SIGKILL)

    return is_killed(making, kill)


def steps_to(making: Making) -> list[str]:
    """The steps in which a process makes the file when nobody kills it."""
    with TemporaryFile() as noted:

        def note(event: str) -> None:
            os.write(noted.fileno(), f"{event}\n".encode())

        assert not is_killed(making, note)
        noted.seek(0)
        return noted.read().decode().split()


def moments(steps: Sequence[str], every: int) -> list[int]:
    """The numbers of the steps before which the process is killed."""
    puts = [number for number, step in enumerate(steps, 1) if step in PUTS][-LAST_PUTS:]
    chosen = {*range(1, len(steps) + 1, every), *puts, *(number + 1 for number in puts)}
    chosen.update(number for number, step in enumerate(steps, 1) if step == REMOVES)
    return sorted(number for number in chosen if number <= len(steps))


def steps_of(kind: str, folder: Path, every: int) -> int:
    """How many steps there are; AssertionError if a kill leaves anything."""
    making = KINDS[kind](folder)
    before = making.source.read_bytes()
    making.make()  # what it imports is read once, and no step of those who are killed
    making.assert_whole()
    making.begin_anew()
    steps = steps_to(making)
    making.begin_anew()
    for step in moments(steps, every):
        assert is_killed_before(making, step), step
        making.assert_old_or_new()
        making.let_time_pass()
        making.begin_anew()
        making.make()
        making.assert_whole()
        making.begin_anew()
        left = sorted({path.name for path in folder.iterdir()} - making.others)
        expected = [making.source.name] + ([making.target.name] if making.old else [])
        assert left == sorted(expected), left
    assert making.source.read_bytes() == before
    return len(steps)


def answer(kind: str, folder: str, every: int) -> None:
    steps, wrong = 0, ""
    try:
        steps = steps_of(kind, Path(folder), every)
    except BaseException:  # noqa: BLE001 - whoever asked raises it
        wrong = traceback.format_exc()
    say(steps, wrong)


def say(steps: int, wrong: str) -> None:
    sys.stdout.write(f"{json.dumps([steps, wrong])}\n")
    sys.stdout.flush()


def main() -> None:
    for line in sys.stdin:
        if pid := os.fork():
            _, status = os.waitpid(pid, 0)
            if status:
                say(0, f"it ended with {os.waitstatus_to_exitcode(status)}")
            continue
        code = 1
        try:
            answer(*json.loads(line))
            code = 0
        finally:
            os._exit(code)


if __name__ == "__main__":
    main()
