"""The folder of a browser's profile: new each time, and removed even if its owner is killed."""

import logging
import os
import shutil
import signal
import stat
import sys
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from time import sleep, time
from typing import Final

_PREFIX: Final = "gossamer-browser-"
_OWNER: Final = "owner.lock"
_NEW: Final = "owner.new"
_PID_BYTES: Final = 20
_UNOWNED_S: Final = 60.0
"""A folder without an owner that is as old as this is abandoned, rather than just being made."""
_LOOKS: Final = 100
_LOOK_EVERY_S: Final = 0.01
_SOCKET: Final = len("/org.chromium.Chromium.XXXXXX/SingletonSocket")
_LONGEST_SOCKET: Final = 107
"""So many bytes the path of a socket may have on Linux; a browser with a longer one aborts."""
_SHORT_PARENT: Final = Path("/tmp")  # noqa: S108 - what is made in it is made by `mkdtemp`
_log = logging.getLogger(__name__)


def profile_parent(*, has_socket: bool) -> Path:
    """Where a profile is made: the folder for temporary files.

    A browser that has a socket in its profile needs a short path to it.
    """
    usual = Path(tempfile.gettempdir())
    name = len(f"/{_PREFIX}XXXXXXXX")
    is_long = len(os.fsencode(usual)) + name + _SOCKET > _LONGEST_SOCKET
    is_linux = sys.platform == "linux"  # elsewhere, browsers do not ask us for the place
    return _SHORT_PARENT if has_socket and is_linux and is_long else usual


class BrowserProfile:
    """A new and empty folder, which only this user can read.

    As long as this process lives, it holds a lock on a file in it. So others can tell when a
    profile is abandoned: each browser that starts or ends removes those of killed processes. So do
    a crawl host whose render worker was killed, and a shell whose page preview, measurement or
    login window was. If all processes were killed at once, the next crawl or window does it,
    whether it has a browser or not.
    """

    def __init__(self, parent: Path | None = None) -> None:
        """Make it in `parent`, by default the folder for temporary files."""
        self._parent = parent or Path(tempfile.gettempdir())
        remove_abandoned(self._parent)
        self.path = Path(tempfile.mkdtemp(prefix=_PREFIX, dir=self._parent))
        # Nobody else sees it before it is locked.
        self._owner = _lock(self.path / _NEW)
        (self.path / _NEW).rename(self.path / _OWNER)

    def write_preferences(self, preferences: Mapping[str, object]) -> None:
        """Write the initial settings: the file `Preferences` of its first profile."""
        import json  # noqa: PLC0415 - processes that remove abandoned profiles write no settings

        folder = self.path / "Default"
        folder.mkdir(mode=0o700)
        (folder / "Preferences").write_text(json.dumps(preferences), "utf-8")

    def note_browser(self, pid: int) -> None:
        """Note the browser that uses it, to be ended with it: a stopped one does not see us go."""
        os.write(self._owner, str(pid).encode())

    def remove(self) -> None:
        """Remove it, now that the browser has ended."""
        _unlock(self._owner)
        shutil.rmtree(self.path, ignore_errors=True)
        remove_abandoned(self._parent)


def remove_all_abandoned() -> None:
    """Remove the profiles whose owner has ended, of browsers of all kinds, as far as possible."""
    with suppress(OSError):  # a computer without a folder for temporary files has no profiles
        for parent in {profile_parent(has_socket=each) for each in (False, True)}:
            remove_abandoned(parent)


def remove_abandoned(parent: Path) -> None:
    """Remove the profiles in `parent` whose owner has ended."""
    for folder in parent.glob(f"{_PREFIX}*"):
        with suppress(OSError):
            if _is_abandoned(folder):
                _log.info("removing an abandoned profile", extra={"path": str(folder)})
                shutil.rmtree(folder, ignore_errors=True)


def _is_abandoned(folder: Path) -> bool:
    """Whether it is ours, and nobody's any more.

    In the folder for temporary files, others can make anything of that name: a pipe as its lock,
    which keeps who reads it waiting for ever, or the number of our browser in it.
    """
    if not _is_ours(folder):
        return False
    owner = folder / _OWNER
    if not owner.exists():
        return time() - folder.stat().st_mtime > _UNOWNED_S
    descriptor = _lock(owner)
    pid = os.read(descriptor, _PID_BYTES)
    _unlock(descriptor)
    if pid.isdigit():
        _end_browser(int(pid), folder)
    return True


def _is_ours(folder: Path) -> bool:
    status = folder.lstat()
    is_of_this_user = sys.platform == "win32" or status.st_uid == os.geteuid()
    return stat.S_ISDIR(status.st_mode) and is_of_this_user


def _end_browser(pid: int, profile: Path) -> None:
    """End the process group of a browser that still uses this profile, if that is known.

    It is gone on return, as far as it ends in time: until then, it writes into the profile.
    """
    with suppress(OSError):
        if os.fsencode(profile) in Path(f"/proc/{pid}/cmdline").read_bytes():
            os.killpg(pid, signal.SIGKILL)
        for _ in range(_LOOKS):
            os.killpg(pid, 0)  # ProcessLookupError when it is gone
            sleep(_LOOK_EVERY_S)


def _lock(path: Path) -> int:
    """Create and lock a file. OSError if another process has locked it."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o600)
    try:
        if sys.platform == "win32":
            import msvcrt  # noqa: PLC0415 - of Windows alone

            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl  # noqa: PLC0415 - Windows has none

            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BaseException:
        os.close(descriptor)
        raise
    return descriptor


def _unlock(descriptor: int) -> None:
    os.close(descriptor)
