"""One writer; everybody else learns who it is, and nobody is held out by the dead."""

import errno
import os
import socket
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import msgspec
import pytest

from gossamer.model.errors import ProjectError
from gossamer.model.lock_owner import LockOwner
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.store.locking import lock_file
from gossamer.store.locking.lock_file import encode_holder, is_gone, is_orphaned, this_process
from gossamer.store.project import create
from gossamer.store.writer_lock import WriterLock, holder_of, lock_path
from gossamer.store.writing.writer import Writer

DEAD = 2**22 + 1
"""No process has this id: Linux gives none above 2^22."""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "a.gossamer"


@pytest.fixture
def no_locks(monkeypatch: pytest.MonkeyPatch) -> None:
    """A file system that knows no locks."""

    def unsupported(descriptor: int, *, shared: bool = False) -> None:
        del descriptor, shared
        raise OSError(errno.EOPNOTSUPP, "not supported")

    monkeypatch.setattr(lock_file, "try_lock", unsupported)


def left_behind(path: Path, **changes: object) -> None:
    """A lock file as a process with these differences to ours would leave it."""
    holder = msgspec.structs.replace(this_process(), **changes)
    lock_path(path).write_bytes(encode_holder(holder))


def test_the_holder_of_a_project_is_known(path: Path) -> None:
    create(path, CrawlSettings(roots=("a.example",)))
    assert holder_of(path) is None
    with Writer(path):
        holder = holder_of(path)
        assert holder is not None
        assert (holder.pid, holder.host) == (os.getpid(), socket.gethostname())
        with pytest.raises(ProjectError, match=f"process {os.getpid()} on .*, since 20"):
            Writer(path)
    assert holder_of(path) is None


def test_reading_the_holder_does_not_release_the_lock(path: Path) -> None:
    held = WriterLock(path)
    for _ in range(3):
        assert holder_of(path)
    with pytest.raises(ProjectError, match="being crawled"):
        WriterLock(path)
    held.close()


def test_two_readers_of_the_holder_do_not_see_each_other_as_writers(path: Path) -> None:
    left_behind(path, pid=DEAD)
    descriptor = os.open(lock_path(path), os.O_RDONLY)
    lock_file.try_lock(descriptor, shared=True)
    assert holder_of(path) is None
    os.close(descriptor)


@pytest.mark.parametrize(
    "changes",
    [
        {"pid": DEAD},
        {"started": "1"},
        {"boot": "another start of the machine"},
        {"host": "another-machine"},
        {},
    ],
    ids=["dead", "pid reused", "reboot", "other machine", "this process, without the lock"],
)
def test_a_stale_lock_file_does_not_block(path: Path, changes: dict[str, object]) -> None:
    left_behind(path, **changes)
    assert holder_of(path) is None
    WriterLock(path).close()
    assert list(path.parent.iterdir()) == []


def test_a_process_whose_owner_has_gone_is_known() -> None:
    ours = this_process()
    assert not is_orphaned(ours)
    assert is_orphaned(msgspec.structs.replace(ours, parent=DEAD))
    assert is_orphaned(msgspec.structs.replace(ours, parent_started="1"))
    assert not is_orphaned(msgspec.structs.replace(ours, parent=DEAD, host="another-machine"))
    assert not is_orphaned(msgspec.structs.replace(ours, parent=0))


@pytest.mark.parametrize(
    "text", [b"", b"\xff" * 9000, b"{}", b'{"pid": "x"}', b'{"host": "\\u001b[0m"}']
)
def test_a_foreign_lock_file_is_ignored(path: Path, text: bytes) -> None:
    lock_path(path).write_bytes(text)
    assert holder_of(path) is None
    held = WriterLock(path)
    lock_path(path).write_bytes(text)
    assert holder_of(path) is not None
    held.close()


@pytest.mark.usefixtures("no_locks")
@pytest.mark.parametrize(
    ("changes", "gone"),
    [
        ({"pid": DEAD}, True),
        ({"started": "1"}, True),
        ({"boot": "another start of the machine"}, True),
        ({"host": "another-machine"}, False),
        ({}, False),
    ],
    ids=["dead", "pid reused", "reboot", "other machine", "running"],
)
def test_without_locks_the_text_of_the_lock_file_decides(
    path: Path, changes: dict[str, object], *, gone: bool
) -> None:
    left_behind(path, **changes)
    assert (holder_of(path) is None) is gone
    if gone:
        held = WriterLock(path)
        holder = holder_of(path)
        assert holder is not None
        assert holder.pid == os.getpid()
        held.close()
    else:
        with pytest.raises(ProjectError, match="being crawled"):
            WriterLock(path)


@pytest.mark.usefixtures("no_locks")
@pytest.mark.parametrize("links", [True, False])
def test_without_file_locks_a_stale_lock_is_taken_by_one_process_only(
    path: Path, monkeypatch: pytest.MonkeyPatch, *, links: bool
) -> None:
    left_behind(path, pid=DEAD)
    judged = is_gone
    faster: list[bool] = []
    if not links:
        monkeypatch.setattr(os, "link", lambda *_: refuse_link())

    def refuse_link() -> None:
        raise OSError(errno.EOPNOTSUPP, "not supported")

    def is_gone_after_another_came(holder: LockOwner) -> bool:
        gone = judged(holder)
        if not faster:
            faster.append(False)
            with suppress(ProjectError):
                faster[0] = bool(WriterLock(path))
        return gone

    monkeypatch.setattr(lock_file, "is_gone", is_gone_after_another_came)
    try:
        slower = bool(WriterLock(path))
    except ProjectError:
        slower = False
    assert faster[0] is not slower, "one of them has it"
    assert sorted(file.name for file in path.parent.iterdir()) == [lock_path(path).name]


@pytest.mark.usefixtures("no_locks")
def test_without_file_locks_a_stale_claim_does_not_block(path: Path) -> None:
    left_behind(path, pid=DEAD)
    left = lock_path(path).read_bytes()
    lock_path(path).with_name(f"{lock_path(path).name}-claim").write_bytes(left)
    WriterLock(path).close()
    assert list(path.parent.iterdir()) == []


@pytest.mark.usefixtures("no_locks")
def test_without_file_locks_another_machine_is_trusted_and_a_way_out_given(path: Path) -> None:
    left_behind(path, host="another-machine")
    with pytest.raises(ProjectError, match=r"on another-machine.* delete .*a\.gossamer\.lock"):
        WriterLock(path)


def test_the_lock_of_a_killed_process_is_recognised(path: Path) -> None:
    create(path, CrawlSettings(roots=("a.example",)))
    script = (
        "import os, sys; from pathlib import Path;"
        " from gossamer.store.writing.writer import Writer;"
        "Writer(Path(sys.argv[1])); os._exit(9)"
    )
    subprocess.run([sys.executable, "-c", script, path], check=False)
    assert lock_path(path).exists()
    assert holder_of(path) is None


def test_an_unknown_process_does_not_count_as_gone() -> None:
    assert not is_gone(LockOwner())
    assert str(LockOwner()) == "another process"
    assert str(LockOwner(pid=3, host="h", since=1e300)) == "process 3 on h"
