"""The lease of a shard: who may write it, also if no lock works across machines.

A file beside the shard says who has it, and counts up as long as that one lives. No clocks are
compared: who wants the shard watches, by a clock of its own, whether the file changes. Who has it
and cannot say so any more stops by itself in half that time, by its own clock. So clocks may be
wrong by any amount, as long as none runs twice as fast as another.
"""

import errno
import os
import secrets
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final

import msgspec

from gossamer.model.errors import ProjectError
from gossamer.model.lock_owner import LockOwner
from gossamer.store.locking.lock_file import is_of_this_machine, this_process

LEASE_END: Final = ".lease"
_VERSION: Final = 1
_SIZE: Final = 1024
"""Of the file, always: it is written in place, which needs no room on a full disk."""


class LeaseTimes(msgspec.Struct, frozen=True):
    """The times of a lease, in seconds."""

    expires: float = 30.0
    """Without a change for so long, another machine may take the shard."""
    holds: float = 15.0
    """Without having said so for so long, who has it stops."""
    renew: float = 3.0
    confirm: float = 2.0
    """Two that take it at once both have written by then: the last one has it."""
    look: float = 0.5


USUAL_TIMES: Final = LeaseTimes()


class LeaseText(msgspec.Struct, frozen=True, kw_only=True):
    """The contents of the lease file."""

    version: int = _VERSION
    owner: LockOwner
    nonce: str
    """Of one time that somebody has it."""
    beat: int = 0
    is_free: bool = False


class LeaseLostError(ProjectError):
    """Another process may have the shard by now: nothing more may be written."""

    def __init__(self) -> None:
        super().__init__(
            "The folder of this shard could not be reached for a while, so another machine may "
            "crawl it by now; what was committed is safe. Resume the crawl."
        )


def pause(seconds: float) -> None:
    """Wait."""
    time.sleep(seconds)


def awake_s() -> float:
    """A clock that goes on while the machine sleeps, where there is one."""
    boottime = getattr(time, "CLOCK_BOOTTIME", None)
    return time.monotonic() if boottime is None else time.clock_gettime(boottime)


def lease_path(file: Path) -> Path:
    """The lease of the shard in `file`."""
    return file.with_name(file.name + LEASE_END)


def make_lease(file: Path) -> None:
    """Make the lease of a new shard, which nobody has."""
    text = LeaseText(owner=LockOwner(), nonce="", is_free=True)
    lease_path(file).write_bytes(_encoded(text))


def foreign_holder(file: Path) -> LockOwner | None:
    """Whose the shard is, if that is another machine; whether it still runs is not known."""
    path = lease_path(file)
    if not path.exists():
        return None
    text = _read(path)
    if text is None:  # it is being written, or is damaged: time will tell
        return LockOwner()
    return None if text.is_free or is_of_this_machine(text.owner) else text.owner


def is_held(file: Path) -> bool:
    """Whether somebody has the shard, or had it and did not come to let go of it."""
    text = _read(lease_path(file))
    return text is None or not text.is_free


def outwait(file: Path, times: LeaseTimes = USUAL_TIMES) -> bool:
    """Wait until the lease of another machine has expired; False if that machine goes on."""
    first = _read(lease_path(file))
    began_s = awake_s()
    while awake_s() < began_s + times.expires:
        pause(times.look)
        text = _read(lease_path(file))
        if first is None:
            first = text
        elif text is not None and text != first:
            return text.is_free
    return True


class Lease:
    """A lease that is held, from construction until `close`; threads renew and watch it."""

    def __init__(
        self,
        file: Path,
        on_lost: Callable[[], None] = lambda: None,
        times: LeaseTimes = USUAL_TIMES,
    ) -> None:
        """Take the lease of the shard in `file`, which nobody has, or whose time is over.

        BlockingIOError if another is faster. `on_lost` is called once, in a thread, when it
        cannot be held: then the process should end without another write.
        """
        self._path = lease_path(file)
        self._on_lost = on_lost
        self._times = times
        self._nonce = secrets.token_hex(16)
        self._beat = 0
        self._owner = this_process()
        self._renewed_s = awake_s()
        self._lost = False
        self._writing = threading.Lock()
        before = _read(self._path)
        self._write(is_free=False)
        if before is None or (before.nonce and not is_of_this_machine(before.owner)):
            pause(times.confirm)
        if not self._is_ours():
            raise BlockingIOError(errno.EAGAIN, "another machine was faster")
        self._stop = threading.Event()
        for work in (self._renew, self._watch):
            threading.Thread(target=work, name="lease", daemon=True).start()

    @property
    def is_lost(self) -> bool:
        """Whether another may have it by now."""
        return self._lost or awake_s() >= self._renewed_s + self._times.holds

    def ensure_held(self) -> None:
        """Raise LeaseLostError unless it is held for some time to come."""
        if self.is_lost:
            raise LeaseLostError

    def close(self) -> None:
        """Let go of it, so that others need not wait. Does nothing the second time."""
        if self._stop.is_set():
            return
        self._stop.set()
        if self._writing.acquire(timeout=self._times.confirm):
            with suppress(OSError):
                if not self.is_lost and self._is_ours():
                    self._write(is_free=True)

    def _renew(self) -> None:
        while not self._stop.wait(self._times.renew):
            with suppress(OSError), self._writing:  # tried again until it is lost
                began_s = awake_s()
                if self._stop.is_set():
                    return
                if not self._is_ours():
                    self._lost = True
                elif not self.is_lost:
                    self._beat += 1
                    self._write(is_free=False)
                    self._renewed_s = began_s

    def _watch(self) -> None:
        """Not in the other thread: that one may wait for a drive that has gone."""
        while not self._stop.wait(self._times.look):
            if self.is_lost:
                self._lost = True
                self._on_lost()
                return

    def _is_ours(self) -> bool:
        text = _read(self._path)
        return text is not None and text.nonce == self._nonce

    def _write(self, *, is_free: bool) -> None:
        text = LeaseText(owner=self._owner, nonce=self._nonce, beat=self._beat, is_free=is_free)
        # Not fsync: a local disk that is busy may take long for that, and a network drive sends
        # what was written when the file is closed.
        descriptor = os.open(self._path, os.O_WRONLY | getattr(os, "O_CLOEXEC", 0))
        try:
            os.write(descriptor, _encoded(text))
        finally:
            os.close(descriptor)


def _encoded(text: LeaseText) -> bytes:
    return msgspec.json.encode(text).ljust(_SIZE - 1) + b"\n"


def _read(path: Path) -> LeaseText | None:
    """What a lease says; None where it is none of ours, or being written this moment."""
    with path.open("rb") as file:
        data = file.read(_SIZE)
    try:
        return msgspec.json.decode(data, type=LeaseText)
    except ValueError:
        return None
