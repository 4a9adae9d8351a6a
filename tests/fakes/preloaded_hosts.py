"""Crawl hosts forked from a process that has imported all they need.

Each is a process of its own that runs the program's entry, as on the command line, which forks its
host too. What a test saves is most of the time of a small crawl: Python's start and the imports.
"""

import ctypes
import functools
import json
import os
import socket
import subprocess
import sys
from pathlib import Path
from typing import IO, Any, Final

from gossamer.ipc import CHILD_FLAG, ChildRole
from gossamer.ipc.process_start import FORKS, ForkedProcess, LaunchedProcess, fork
from gossamer.session.host_pool import launched_host

PRELOADED: Final = "preloaded-hosts"
"""What the system lists the process as that forks."""
_MOST_BYTES: Final = 200_000
"""Of a message; most of it is the environment."""
_SET_CHILD_SUBREAPER: Final = 36
"""An option of prctl(2)."""
_REPARENTED: Final = b"reparented"


def preloaded_host(page_workers: int, stderr: IO[bytes]) -> LaunchedProcess:
    """Start a crawl host, as a `HostPool` begins one."""
    return _forking().start(page_workers, stderr) if FORKS else launched_host(page_workers, stderr)


@functools.cache
def _forking() -> "_Forking":
    return _Forking()


def _adopt_orphans(*, adopt: bool) -> None:
    """Have this process become the parent of its descendants whose parents end, or not."""
    ctypes.CDLL(None).prctl(_SET_CHILD_SUBREAPER, int(adopt), 0, 0, 0)


class _Forking:
    """The process that forks; it ends with the one that started it."""

    def __init__(self) -> None:
        self._connection, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-P", str(Path(__file__).absolute()), str(theirs.fileno())],
                stdin=subprocess.DEVNULL,
                pass_fds=[theirs.fileno()],
                process_group=0,
            )

    def start(self, page_workers: int, stderr: IO[bytes]) -> LaunchedProcess:
        """Start a crawl host that is a child of this process."""
        wanted = {"workers": page_workers, "environ": dict(os.environ), "folder": str(Path.cwd())}
        _adopt_orphans(adopt=True)
        try:
            socket.send_fds(self._connection, [json.dumps(wanted).encode()], [stderr.fileno()])
            told, [listener], _, _ = socket.recv_fds(self._connection, _MOST_BYTES, 1)
            assert self._connection.recv(_MOST_BYTES) == _REPARENTED
        finally:
            _adopt_orphans(adopt=False)
        launched = json.loads(told)
        return LaunchedProcess(
            ForkedProcess(launched["pid"]),
            socket.socket(fileno=listener),
            bytes.fromhex(launched["token"]),
        )


def _fork_on_request(connection: socket.socket) -> None:
    """Fork as asked, until nobody is left to ask."""
    while True:
        message, descriptors, _, _ = socket.recv_fds(connection, _MOST_BYTES, 1)
        if not message:
            return
        # Who forks the host ends at once: that gives the host to the process that asked for it.
        if between := os.fork():
            os.waitpid(between, 0)
            connection.send(_REPARENTED)
        else:
            try:
                _fork_host(connection, json.loads(message), descriptors[0])
            finally:
                os._exit(0)
        os.close(descriptors[0])


def _fork_host(connection: socket.socket, wanted: dict[str, Any], stderr: int) -> None:
    from gossamer.__main__ import main  # noqa: PLC0415 - not for the process of the tests

    os.environ.clear()
    os.environ.update(wanted["environ"])
    os.chdir(wanted["folder"])

    def be_host() -> int:
        connection.close()
        sys.argv = ["gossamer", CHILD_FLAG, ChildRole.HOST, str(wanted["workers"])]
        return main()

    with os.fdopen(stderr, "wb") as file:
        launched = fork(be_host, "gossamer-host", stderr=file)
    told = {"pid": launched.process.pid, "token": launched.token.hex()}
    socket.send_fds(connection, [json.dumps(told).encode()], [launched.listener.fileno()])


def _preload() -> None:
    """Import what crawl hosts and page workers need, which leaves no garbage to look for."""
    import gc  # noqa: PLC0415 - not for the process of the tests

    gc.disable()
    import gossamer.__main__  # noqa: PLC0415 - likewise
    import gossamer.host.child_loop  # noqa: PLC0415 - likewise
    import gossamer.host.crawl_host  # noqa: PLC0415 - likewise
    import gossamer.host.page_worker  # noqa: F401, PLC0415 - likewise

    gc.freeze()


if __name__ == "__main__":
    Path("/proc/self/comm").write_text(PRELOADED, encoding="ascii")
    _preload()
    _fork_on_request(socket.socket(fileno=int(sys.argv[1])))
