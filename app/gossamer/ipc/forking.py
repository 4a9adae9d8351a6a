"""Starting a child as a copy of this process: it needs no imports of its own, and shares memory.

Only on Linux. macOS has system libraries that do not bear it, Windows has nothing of the kind:
there, `gossamer.ipc.process_launch` does the same for its price. A copy of a process with threads
or a running loop would have locks that nobody opens: whoever forks has neither yet.
"""

import os
import signal
import socket
import subprocess
import sys
import threading
import time
import traceback
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO, Final, NoReturn

from gossamer.ipc import PASSWORD_VARIABLE
from gossamer.ipc.process_launch import Launched, listening

FORKS: Final = sys.platform == "linux"
_FIRST_PAUSE_S = 0.0005
_LONGEST_PAUSE_S = 0.05
_MOST_LETTERS = 15


class Forked:
    """A child process; what `subprocess.Popen` is to one that was started by name."""

    def __init__(self, pid: int) -> None:
        """Take a child of this process that nobody else waits for."""
        self.pid: Final = pid
        self.returncode: int | None = None
        self._lock = threading.Lock()

    def poll(self) -> int | None:
        """Its exit code, or the negative number of the signal that ended it; None if it runs."""
        with self._lock:
            if self.returncode is None:
                self.returncode = self._exit_code()
            return self.returncode

    def _exit_code(self) -> int | None:
        try:
            ended, status = os.waitpid(self.pid, os.WNOHANG)
        except ChildProcessError:  # SIGCHLD is ignored: the system keeps nothing of its end
            return 0
        return os.waitstatus_to_exitcode(status) if ended else None

    def wait(self, timeout: float | None = None) -> int:
        """Its exit code, once it has ended; subprocess.TimeoutExpired if it goes on."""
        deadline = None if timeout is None else time.monotonic() + timeout
        pause_s = _FIRST_PAUSE_S
        while (code := self.poll()) is None:
            if deadline is not None and time.monotonic() >= deadline:
                raise subprocess.TimeoutExpired(f"process {self.pid}", timeout or 0.0)
            time.sleep(pause_s)
            pause_s = min(2 * pause_s, _LONGEST_PAUSE_S)
        return code

    def kill(self) -> None:
        """End it at once, if it still runs."""
        with self._lock:  # a number that was given back may be another process's by now
            if self.returncode is None:
                os.kill(self.pid, signal.SIGKILL)


def fork(
    main: Callable[[], int],
    name: str,
    *,
    beside: Sequence[Launched] = (),
    stderr: IO[bytes] | None = None,
) -> Launched:
    """Start a copy of this process, which does `main`: that returns its exit code.

    The system lists it by `name`, of which it keeps 15 letters. It has a standard input of its own
    and a group of its own, as every child of ours. `beside` are those that were started before,
    whose connections are not its business. CrawlHostError if the system does not let us.
    """

    def start(listener: socket.socket, line: bytes) -> Forked:
        read, write = os.pipe()
        try:
            os.write(write, line)
            os.close(write)
            if pid := _fork_without_interrupts():
                return Forked(pid)
            for awaited in (listener, *(other.listener for other in beside)):
                awaited.close()
            _be_child(main, name, read, stderr)
        finally:
            os.close(read)

    return listening(start)


def _fork_without_interrupts() -> int:
    """Fork. The child ignores Ctrl+C from its start: it would take its parent's way out."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        pid = os.fork()
        if not pid:
            signal.signal(signal.SIGINT, signal.SIG_IGN)
        return pid
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _forget_password() -> None:
    """Take the password out of this process's environment, and out of what /proc shows of it."""
    if PASSWORD_VARIABLE not in os.environ:
        return
    import ctypes  # noqa: PLC0415 - few have a password there

    library = ctypes.CDLL(None)
    library.getenv.restype = ctypes.c_void_p
    if at := library.getenv(PASSWORD_VARIABLE.encode()):
        ctypes.memset(at, 0, len(ctypes.string_at(at)))
    del os.environ[PASSWORD_VARIABLE]


def _be_child(main: Callable[[], int], name: str, stdin: int, stderr: IO[bytes] | None) -> NoReturn:
    code = 1
    try:
        os.setpgid(0, 0)
        _forget_password()
        with suppress(OSError):
            Path("/proc/self/comm").write_text(name[:_MOST_LETTERS], encoding="ascii")
        os.dup2(stdin, 0)
        os.close(stdin)
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, 1)
        os.close(nowhere)
        if stderr is not None:
            os.dup2(stderr.fileno(), 2)
        # A terminal's may have been read ahead, and where there is none Python has no object.
        sys.stdin = open(0, closefd=False)  # noqa: SIM115 - as the interpreter opens it
        sys.stderr = open(2, "w", buffering=1, errors="backslashreplace", closefd=False)  # noqa: SIM115 - likewise
        code = main()
    except BaseException:  # noqa: BLE001 - what is above in the stack is the parent's business
        traceback.print_exc()
    finally:
        os._exit(code)
