"""Starting a child process. This needs no loop, so a child can come up while its parent does."""

import os
import socket
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import IO, Final, Protocol

from gossamer.ipc import CHILD_FLAG, PASSWORD_VARIABLE, ChildRole
from gossamer.model.errors import CrawlHostError
from gossamer.model.translatable import system_reason

TOKEN_BYTES: Final = 32
LOOPBACK: Final = "127.0.0.1"


def command_line(role: ChildRole, *arguments: str) -> list[str]:
    """The command that starts this program as the child `role`."""
    if getattr(sys, "frozen", False):
        program = [sys.executable]
    else:
        # -P: a folder named `gossamer` where the person stands is not ours.
        program = [sys.executable, "-P", "-m", "gossamer"]
    return [*program, CHILD_FLAG, role, *arguments]


class Process(Protocol):
    """A child process, as far as who started it has to do with it. `subprocess.Popen` is one."""

    @property
    def pid(self) -> int:
        """The process id."""

    @property
    def returncode(self) -> int | None:
        """The exit code, once somebody has looked; negative: the signal that ended it."""

    def poll(self) -> int | None:
        """The exit code if it has ended."""

    def wait(self, timeout: float | None = None) -> int:
        """The exit code when it has ended; subprocess.TimeoutExpired."""

    def kill(self) -> None:
        """End it at once."""


class Launched:
    """A child that was started. It connects to `listener` once it is up, and shows `token`.

    Either `gossamer.ipc.child_process.adopt` it or `abandon` it.
    """

    def __init__(self, process: Process, listener: socket.socket, token: bytes) -> None:
        """Take a process that knows the port and the token."""
        self.process = process
        self.listener = listener
        self.token = token

    def abandon(self) -> None:
        """End it, wait until it has gone. Its own children notice that, and end too."""
        self.listener.close()
        self.process.kill()
        self.process.wait()  # it is dead already; this takes no time


def launch(role: ChildRole, *arguments: str, stderr: IO[bytes] | None = None) -> Launched:
    """Start the child `role`; CrawlHostError if the system does not let us."""

    def start(_listener: socket.socket, line: bytes) -> "subprocess.Popen[bytes]":
        process = _start(command_line(role, *arguments), stderr)
        if process.stdin is not None:
            with suppress(OSError):  # a child that is dead already is noticed by who adopts it
                process.stdin.write(line)
                process.stdin.close()
        return process

    return listening(start)


def listening(start: Callable[[socket.socket, bytes], Process]) -> Launched:
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
    return Launched(process, listener, token)


def _start(command: list[str], stderr: IO[bytes] | None) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(  # noqa: S603  # our own program
        command,
        # A child is told what it needs; others may see the environment that it was started with.
        env={name: value for name, value in os.environ.items() if name != PASSWORD_VARIABLE},
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
