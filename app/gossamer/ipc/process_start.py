"""Starts child processes: by running the program, or by forking this process.

No event loop is needed, so a child can start while its parent does. A forked child skips imports
and shares memory, but only on Linux: system libraries of macOS do not survive a fork, and Windows
has none. Fork only before the process has threads or a running loop: locks they hold would never
open.
"""

import os
import signal
import socket
import subprocess
import sys
import threading
import time
import traceback
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO, Final, NoReturn, Protocol

from gossamer.ipc import CHILD_FLAG, SECRET_VARIABLES, ChildRole
from gossamer.model.errors import CrawlHostError
from gossamer.model.translatable import system_reason

TOKEN_BYTES: Final = 32
LOOPBACK: Final = "127.0.0.1"
FORKS: Final = sys.platform == "linux"
_FIRST_PAUSE_S = 0.0005
_LONGEST_PAUSE_S = 0.05
_MOST_LETTERS = 15


def command_line(role: ChildRole, *arguments: str) -> list[str]:
    """The command that starts this program as the child `role`."""
    return [*program_command(), CHILD_FLAG, role, *arguments]


def program_command() -> list[str]:
    """The words that start this program, whatever the working directory is."""
    if getattr(sys, "frozen", False):
        return [sys.executable]
    # -P: a folder named `gossamer` in the working directory is not ours.
    return [sys.executable, "-P", "-m", "gossamer"]


def lasting_command(environment: Mapping[str, str] = os.environ) -> list[str]:
    """The words that start this program also after it has ended, to be stored.

    An AppImage is mounted while it runs; only its file stays. A program that another AppImage has
    started finds the variables of that one.
    """
    file, mounted = environment.get("APPIMAGE"), environment.get("APPDIR")
    if not (getattr(sys, "frozen", False) and file and mounted):
        return program_command()
    return [file] if Path(sys.executable).is_relative_to(mounted) else program_command()


class Process(Protocol):
    """The parts of `subprocess.Popen` that a parent process needs."""

    @property
    def pid(self) -> int:
        """The process id."""

    @property
    def returncode(self) -> int | None:
        """The exit code, once polled; negative: the signal that ended it."""

    def poll(self) -> int | None:
        """The exit code if it has ended."""

    def wait(self, timeout: float | None = None) -> int:
        """The exit code when it has ended; subprocess.TimeoutExpired."""

    def kill(self) -> None:
        """End it at once."""


class LaunchedProcess:
    """A child that was started. It connects to `listener` and presents `token`.

    Either `gossamer.ipc.child_connection.adopt` it or `abandon` it.
    """

    def __init__(self, process: Process, listener: socket.socket, token: bytes) -> None:
        """`process` knows the port and the token."""
        self.process = process
        self.listener = listener
        self.token = token

    def abandon(self) -> None:
        """End it, and wait until it is gone. Its own children notice that, and end too."""
        self.listener.close()
        self.process.kill()
        self.process.wait()  # it is dead already; this takes no time


def launch(
    role: ChildRole,
    *arguments: str,
    stderr: IO[bytes] | None = None,
    without: Collection[str] = (),
) -> LaunchedProcess:
    """Start the child `role`, `without` these environment variables.

    CrawlHostError if the system does not let us.
    """
    return launch_command(command_line(role, *arguments), stderr, without)


def launch_command(
    command: list[str], stderr: IO[bytes] | None = None, without: Collection[str] = ()
) -> LaunchedProcess:
    """Start the program that `command` names; CrawlHostError if the system does not let us."""

    def start(_listener: socket.socket, line: bytes) -> "subprocess.Popen[bytes]":
        process = _start(command, stderr, without)
        if process.stdin is not None:
            with suppress(OSError):  # `adopt` notices a child that is dead already
                process.stdin.write(line)
                process.stdin.close()
        return process

    return listening(start)


def listening(start: Callable[[socket.socket, bytes], Process]) -> LaunchedProcess:
    """Listen, and have `start` start a process which then connects; CrawlHostError if it cannot.

    `start` is given the listener and the line that the process is to read from its standard
    input: port and token.
    """
    token = os.urandom(TOKEN_BYTES)
    try:
        listener = socket.create_server((LOOPBACK, 0))
    except OSError as e:
        raise _refused(e) from e
    port: int = listener.getsockname()[1]
    try:
        process = start(listener, f"{port} {token.hex()}\n".encode())
    except OSError as e:
        listener.close()
        raise _refused(e) from e
    return LaunchedProcess(process, listener, token)


def _start(
    command: list[str], stderr: IO[bytes] | None, without: Collection[str]
) -> "subprocess.Popen[bytes]":
    # A child is told what it needs; others may see the environment that it was started with.
    left_out = {*SECRET_VARIABLES, *without}
    return subprocess.Popen(  # noqa: S603  # our own program
        command,
        env={name: value for name, value in os.environ.items() if name not in left_out},
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=stderr,
        # A group of its own, so that Ctrl+C in a terminal reaches the parent only: it decides
        # how its children end.
        process_group=None if sys.platform == "win32" else 0,
        creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
    )


def _refused(error: OSError) -> CrawlHostError:
    return CrawlHostError(
        "A helper process cannot be started ({reason}); close other programs and try again.",
        reason=system_reason(error),
    )


class ForkedProcess:
    """A forked child process, with the interface of `subprocess.Popen`."""

    def __init__(self, pid: int) -> None:
        """`pid` is a child of this process that nobody else waits for."""
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
        with self._lock:  # a released number may be another process's by now
            if self.returncode is None:
                os.kill(self.pid, signal.SIGKILL)


def fork(
    main: Callable[[], int],
    name: str,
    *,
    beside: Sequence[LaunchedProcess] = (),
    stderr: IO[bytes] | None = None,
) -> LaunchedProcess:
    """Start a copy of this process, which does `main`: that returns its exit code.

    The system lists it by `name`, of which it keeps 15 letters. It has a standard input of its own
    and a group of its own, as every child of ours. `beside` are those started before, whose
    connections it must not keep. CrawlHostError if the system does not let us.
    """

    def start(listener: socket.socket, line: bytes) -> ForkedProcess:
        read, write = os.pipe()
        try:
            os.write(write, line)
            os.close(write)
            if pid := _fork_without_interrupts():
                return ForkedProcess(pid)
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


def _forget_passwords() -> None:
    """Remove passwords from this process's environment, and from what /proc shows of it."""
    if os.environ.keys().isdisjoint(SECRET_VARIABLES):
        return
    import ctypes  # noqa: PLC0415 - few have a password there

    library = ctypes.CDLL(None)
    library.getenv.restype = ctypes.c_void_p
    for variable in SECRET_VARIABLES:
        if at := library.getenv(variable.encode()):
            ctypes.memset(at, 0, len(ctypes.string_at(at)))
        os.environ.pop(variable, None)


def _be_child(main: Callable[[], int], name: str, stdin: int, stderr: IO[bytes] | None) -> NoReturn:
    code = 1
    try:
        os.setpgid(0, 0)
        _forget_passwords()
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
