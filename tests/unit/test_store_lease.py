"""Who may write a shard, where no lock reaches from machine to machine."""

import errno
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest

from gossamer.model.crawl_state import CrawlState
from gossamer.model.errors import ProjectError
from gossamer.model.lock_owner import LockOwner
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.store_batch import StoreBatch
from gossamer.shards.shard_folder import create_shards
from gossamer.store.locking import lease
from gossamer.store.locking.lease import (
    Lease,
    LeaseLostError,
    LeaseText,
    LeaseTimes,
    foreign_holder,
    lease_path,
    outwait,
)
from gossamer.store.locking.lock_file import encode_holder, this_process
from gossamer.store.reading.reader import Reader
from gossamer.store.writer_lock import WriterLock, lock_path
from gossamer.store.writing.writer import Writer

HAL = LockOwner(pid=12, host="hal", boot="another")
SETTINGS = CrawlSettings(roots=("http://a.test/", "http://b.test/"))
STILL = LeaseTimes(renew=1e6, look=1e6)
"""Threads that do nothing while the test looks."""


class Clock:
    """A clock that goes on when somebody sleeps; `happens` is what happens meanwhile."""

    def __init__(self) -> None:
        self.now_s = 1000.0
        self.happens: Any = lambda: None

    def __call__(self) -> float:
        return self.now_s

    def sleep(self, seconds: float) -> None:
        self.now_s += seconds
        self.happens()


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr(lease, "awake_s", made)
    monkeypatch.setattr(lease, "pause", made.sleep)
    return made


@pytest.fixture
def shard(tmp_path: Path) -> Path:
    return create_shards(tmp_path / "a.shards", SETTINGS, 2, "")[0]


def says(shard: Path, owner: LockOwner, beat: int = 0, *, is_free: bool = False) -> None:
    """Have the lease say that somebody else has the shard."""
    text = LeaseText(owner=owner, nonce="n", beat=beat, is_free=is_free)
    lease_path(shard).write_bytes(msgspec.json.encode(text).ljust(1023) + b"\n")


def test_a_new_shard_is_nobodys_and_one_that_was_closed_is_again(shard: Path, clock: Clock) -> None:
    for _turn in range(3):
        assert foreign_holder(shard) is None
        held = Lease(shard, times=STILL)
        held.ensure_held()
        held.close()
        held.close()
    assert clock.now_s == 1000.0, "nobody waited"


def test_the_lease_of_another_machine_is_waited_for_as_long_as_it_may_be_alive(
    shard: Path, clock: Clock
) -> None:
    says(shard, HAL)
    assert foreign_holder(shard) == HAL
    assert outwait(shard)
    assert clock.now_s >= 1030.0


@pytest.mark.parametrize("torn", [False, True])
def test_a_machine_that_goes_on_keeps_its_shard(shard: Path, clock: Clock, *, torn: bool) -> None:
    says(shard, HAL, 1)
    if torn:
        lease_path(shard).write_bytes(b"")

    def beats() -> None:
        if clock.now_s > 1010.0:
            says(shard, HAL, 2)
        elif clock.now_s > 1001.0:
            says(shard, HAL, 1)

    clock.happens = beats
    assert foreign_holder(shard) is not None
    assert not outwait(shard)
    assert clock.now_s < 1012.0


def test_a_shard_that_is_let_go_meanwhile_is_taken_at_once(shard: Path, clock: Clock) -> None:
    says(shard, HAL)
    clock.happens = lambda: says(shard, HAL, is_free=True)
    assert outwait(shard)
    assert clock.now_s < 1002.0


def test_of_two_machines_that_take_it_at_once_one_has_it(shard: Path, clock: Clock) -> None:
    says(shard, HAL)
    clock.happens = lambda: says(shard, LockOwner(pid=3, host="sal", boot="third"))
    with pytest.raises(BlockingIOError):
        Lease(shard, times=STILL)


def test_who_cannot_renew_stops_before_others_may_begin(shard: Path, clock: Clock) -> None:
    held = Lease(shard, times=STILL)
    clock.now_s += STILL.holds - 0.1
    held.ensure_held()
    clock.now_s += 0.2
    assert STILL.holds < STILL.expires / 2 + 0.1
    with pytest.raises(LeaseLostError):
        held.ensure_held()
    held.close()
    assert not msgspec.json.decode(lease_path(shard).read_bytes(), type=LeaseText).is_free


def test_a_lease_is_renewed_and_its_loss_is_told(shard: Path) -> None:
    from threading import Event  # noqa: PLC0415 - here alone

    told = Event()
    held = Lease(shard, told.set, LeaseTimes(renew=0.01, look=0.01, holds=60.0))
    first = lease_path(shard).read_bytes()
    while lease_path(shard).read_bytes() in {first, b""}:
        assert not told.is_set()
    says(shard, HAL)
    assert told.wait(60), "another has it"
    assert held.is_lost
    held.close()
    assert foreign_holder(shard) == HAL


def test_a_writer_without_its_lease_writes_nothing_more(shard: Path, clock: Clock) -> None:
    writer = Writer(shard)
    writer.commit(StoreBatch(seconds=1.0, state=CrawlState.PAUSED))
    clock.now_s += 20
    before = shard.read_bytes()
    with pytest.raises(LeaseLostError):
        writer.commit(StoreBatch(seconds=2.0, state=CrawlState.RUNNING))
    assert shard.read_bytes() == before
    with pytest.raises(ProjectError):
        writer.close()
    with Reader(shard) as reader:
        assert reader.summary().seconds == 1.0


@pytest.mark.skipif(sys.platform == "win32", reason="drives know locks there")
def test_where_a_drive_knows_no_locks_a_machine_that_has_gone_is_followed(
    shard: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unlocked(*_: object) -> None:
        raise OSError(errno.ENOLCK, "no locks")

    monkeypatch.setattr("fcntl.flock", unlocked)
    says(shard, HAL)
    lock_path(shard).write_bytes(encode_holder(HAL))
    lock = WriterLock(shard)
    assert clock.now_s >= 1030.0
    assert b"hal" not in lock_path(shard).read_bytes()
    with pytest.raises(ProjectError, match=str(this_process().pid)):
        WriterLock(shard)
    lock.close()
    assert not lock_path(shard).exists()
