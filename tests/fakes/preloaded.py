"""Processes forked from one that has imported all that the program may need.

Each is a process of its own that runs the program's entry with its own arguments, environment and
streams. What a test saves is Python's start and the imports, most of the time of a small crawl.
Tests of how the program starts start it by its name.
"""

import functools
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, TYPE_CHECKING, Any, Final, NoReturn

from gossamer.ipc import CHILD_FLAG, ChildRole
from gossamer.ipc.process_start import (
    FORKS,
    ForkedProcess,
    LaunchedProcess,
    Process,
    fork,
    launch,
)
from gossamer.session.crawl_host_pool import launched_host

if TYPE_CHECKING:
    import pytest

PRELOADED: Final = "preloaded"
"""What the system lists the process as that forks."""
_MOST_BYTES: Final = 200_000
"""Of a message; most of it is the environment."""
_STREAMS: Final = 3
_WITH_TASKS: Final = frozenset({"audit", "compare", "crawl", "recrawl", "resume", "schedule"})
"""Commands that audit or compare, for which they start a process."""
_LAUNCHING: Final = (
    "crawl_host.worker_kinds",
    "page_worker.pattern_process",
    "session.child_task",
    "session.demo_process",
    "session.form_login",
    "session.login",
    "session.page_inspection",
    "sql_console.query_process",
)
"""Modules that start a process for what they do. Starting Python and importing takes 0.35 s."""
_OF_CLUSTERS: Final = (
    *("gossamer.__main__", "gossamer.ipc.child_loop", "gossamer.crawl_host.crawl_host"),
    *("gossamer.page_worker.page_worker", "gossamer.page_worker.rendering_fetcher"),
    *("gossamer.cluster.cluster", "gossamer.cluster.local_cluster"),
)
"""What crawl hosts import for crawls on a cluster."""


def preloaded_host(page_workers: int, stderr: IO[bytes]) -> LaunchedProcess:
    """Start a crawl host, as a `CrawlHostPool` begins one."""
    if not FORKS:
        return launched_host(page_workers, stderr)
    return _preloaded_child(_forking(()), stderr, ChildRole.HOST, str(page_workers))


def preloaded_cluster_host(page_workers: int, stderr: IO[bytes]) -> LaunchedProcess:
    """Likewise, where pages are fetched on a cluster: importing Dask takes 0.4 s."""
    if not FORKS:
        return launched_host(page_workers, stderr)
    return _preloaded_child(_forking(_OF_CLUSTERS), stderr, ChildRole.HOST, str(page_workers))


def _preloaded_task(forking: "_Forking", role: ChildRole, *arguments: str) -> LaunchedProcess:
    """Start the process of a task, as `gossamer.ipc.process_start.launch` does."""
    with Path(os.devnull).open("wb") as stderr:
        return _preloaded_child(forking, stderr, role, *arguments)


def preloaded_child(role: ChildRole, *arguments: str) -> LaunchedProcess:
    """Start a child process of a session, as `gossamer.ipc.process_start.launch` does."""
    if not FORKS:
        return launch(role, *arguments)
    return _preloaded_task(_forking(()), role, *arguments)


def preload_children(patch: "pytest.MonkeyPatch") -> None:
    """Have sessions start processes for audits, comparisons, queries and such in this way.

    Crawl hosts are, where a test asks for it.
    """
    for name in _LAUNCHING:
        patch.setattr(f"gossamer.{name}.launch", preloaded_child)


def _preloaded_child(
    forking: "_Forking", stderr: IO[bytes], role: ChildRole, *arguments: str
) -> LaunchedProcess:
    words = [CHILD_FLAG, role, *arguments]
    told, [listener] = forking.ask(words, Path.cwd(), [stderr.fileno()])
    return LaunchedProcess(
        ForkedProcess(told["pid"]), socket.socket(fileno=listener), bytes.fromhex(told["token"])
    )


def start_forking() -> None:
    """Start the process that forks, where there is one, and not only when it is first asked."""
    if FORKS:
        _forking(())


def run_preloaded(
    arguments: Sequence[str], folder: Path, timeout_s: float
) -> "subprocess.CompletedProcess[bytes]":
    """Run the program to its end, with nothing to read. TimeoutExpired if it takes longer."""
    with TemporaryFile() as out, TemporaryFile() as err:
        process = start_preloaded(arguments, folder, out.fileno(), err.fileno())
        try:
            code = process.wait(timeout_s)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            raise
        out.seek(0)
        err.seek(0)
        return subprocess.CompletedProcess(arguments, code, out.read(), err.read())


def start_preloaded(arguments: Sequence[str], folder: Path, out: int, err: int) -> ForkedProcess:
    """Start the program with nothing to read. It writes to these descriptors."""
    with Path(os.devnull).open("rb") as stdin:
        told, _ = _forking(()).ask(arguments, folder, [stdin.fileno(), out, err])
    return ForkedProcess(told["pid"])


def start_script(
    script: str,
    *arguments: str,
    modules: tuple[str, ...] = (),
    streams: tuple[int, int] | None = None,
) -> Process:
    """Start a process that does as `python -c` with this script.

    It reads and writes `streams`, by default nothing. `modules` are imported already, by default
    those of the program.
    """
    command = [sys.executable, "-c", script, *arguments]
    with Path(os.devnull).open("r+b") as nothing:
        stdin, stdout = streams or (nothing.fileno(), nothing.fileno())
        if not FORKS:
            return subprocess.Popen(command, stdin=stdin, stdout=stdout, stderr=nothing)
        all_three = [stdin, stdout, nothing.fileno()]
        told, _ = _forking(modules).ask(arguments, Path.cwd(), all_three, script=script)
        return ForkedProcess(told["pid"])


@functools.cache
def _forking(modules: tuple[str, ...]) -> "_Forking":
    return _Forking(modules)


class _Forking:
    """The process that forks; it ends with the one that started it."""

    def __init__(self, modules: tuple[str, ...] = (), *, of_this: bool = False) -> None:
        """Start it, or make it a copy `of_this` process, which has imported all and no thread.

        It imports `modules`, by default those of the program.
        """
        self._connection, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        if of_this:
            self._copy(theirs)
            return
        with theirs:
            self._process = subprocess.Popen(
                [
                    *(sys.executable, "-P", str(Path(__file__).absolute())),
                    *(str(theirs.fileno()), *modules),
                ],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                pass_fds=[theirs.fileno()],
                process_group=0,
                # NumPy's linear algebra, which nobody here wants, has threads of its own.
                env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},
            )

    def _copy(self, theirs: socket.socket) -> None:
        if os.fork():
            theirs.close()
            return
        try:
            self._connection.close()
            os.setpgid(0, 0)
            for stream in range(_STREAMS):
                os.dup2(os.open(os.devnull, os.O_RDWR), stream)
            _fork_on_request(theirs)
        finally:
            os._exit(0)

    def ask(
        self, arguments: Sequence[str], folder: Path, streams: list[int], script: str = ""
    ) -> tuple[dict[str, Any], list[int]]:
        """Start the program as a child of this process; what is told of it, and its listener.

        `streams` are its three, or the standard error of a child process of the program. A `script`
        is run in place of the program.
        """
        wanted = {
            "arguments": arguments,
            "environ": dict(os.environ),
            "folder": str(folder),
            "script": script,
        }
        socket.send_fds(self._connection, [json.dumps(wanted).encode()], streams)
        told, descriptors, _, _ = socket.recv_fds(self._connection, _MOST_BYTES, 1)
        answer: dict[str, Any] = json.loads(told)
        return answer, descriptors


def _fork_on_request(connection: socket.socket) -> None:
    """Fork as asked, until nobody is left to ask."""
    while True:
        message, streams, _, _ = socket.recv_fds(connection, _MOST_BYTES, _STREAMS)
        if not message:
            return
        wanted = json.loads(message)
        # This process and its copy have the environment, the folder and the arguments.
        os.environ.clear()
        os.environ.update(wanted["environ"])
        tempfile.tempdir = None  # that of the crawl that the process has made
        os.chdir(wanted["folder"])
        sys.argv = ["gossamer", *wanted["arguments"]]
        if len(streams) == _STREAMS:
            _fork_program(connection, wanted["script"], streams)
        else:
            _fork_child(connection, streams[0])
        for stream in streams:
            os.close(stream)


def _fork_program(connection: socket.socket, script: str, streams: list[int]) -> None:
    from tests.fakes.sibling_fork import fork_sibling  # noqa: PLC0415 - found once it has preloaded

    if pid := fork_sibling():
        connection.send(json.dumps({"pid": pid}).encode())
        return
    _become(connection, streams)
    _run_script(script) if script else _be_command()


def _fork_child(connection: socket.socket, stderr: int) -> None:
    from tests.fakes.sibling_fork import fork_sibling  # noqa: PLC0415 - found once it has preloaded

    fork_own = os.fork

    def be_child() -> int:
        from gossamer.__main__ import main  # noqa: PLC0415 - not for the process of the tests

        vars(os)["fork"] = fork_own
        connection.close()
        return main()

    vars(os)["fork"] = fork_sibling
    try:
        with os.fdopen(stderr, "wb", closefd=False) as file:
            launched = fork(be_child, "gossamer-host", stderr=file)
    finally:
        vars(os)["fork"] = fork_own
    with launched.listener:
        told = {"pid": launched.process.pid, "token": launched.token.hex()}
        socket.send_fds(connection, [json.dumps(told).encode()], [launched.listener.fileno()])


def _become(connection: socket.socket, streams: list[int]) -> None:
    """Have these streams as the standard ones, and heed hang-ups, which are ignored under nohup."""
    connection.close()
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
    for stream in {*streams}:
        os.close(stream)
    # Python takes what is written to for what it was at first: a file, in which it could seek.
    sys.stdout = open(1, "w", closefd=False)  # noqa: SIM115 - as the interpreter opens it
    sys.stderr = open(2, "w", buffering=1, errors="backslashreplace", closefd=False)  # noqa: SIM115 - likewise


def _run_script(script: str) -> NoReturn:
    code = 1
    try:
        exec(script, {"__name__": "__main__"})  # noqa: S102 - a test's own
        code = 0
    finally:
        os._exit(code)


def _be_command() -> NoReturn:
    from gossamer.__main__ import main  # noqa: PLC0415 - not for the process of the tests
    from gossamer.session import child_task  # noqa: PLC0415 - likewise

    if sys.argv[1:2] and sys.argv[1] in _WITH_TASKS:
        vars(child_task)["launch"] = functools.partial(_preloaded_task, _Forking(of_this=True))
    _be_patient()
    code = 1
    try:
        code = main()
        sys.stdout.flush()
    finally:
        os._exit(code)


def _be_patient() -> None:
    from gossamer.session.session_factory import SessionFactory  # noqa: PLC0415 - likewise

    vars(SessionFactory)["__init__"].__defaults__ = patient_defaults()


def patient_defaults() -> tuple[object, ...]:
    """Those of `SessionFactory` for sessions that never say that a project opens slowly.

    On a busy machine, each does.
    """
    from gossamer.session.session_factory import SessionFactory  # noqa: PLC0415 - likewise
    from gossamer.session.session_timings import USUAL_TIMINGS, SessionTimings  # noqa: PLC0415 - not for the process of the tests

    patient = SessionTimings(opening_s=120.0)
    given = SessionFactory.__init__.__defaults__ or ()
    assert USUAL_TIMINGS in given
    return tuple(patient if each is USUAL_TIMINGS else each for each in given)


def _preload(modules: Sequence[str]) -> None:
    """Import these, or what commands, crawl hosts and page workers need: that is no garbage."""
    import gc  # noqa: PLC0415 - not for the process of the tests
    import importlib  # noqa: PLC0415 - likewise

    gc.disable()
    for module in modules or _modules_of_program():
        importlib.import_module(module)
    sys.path.append(str(Path(__file__).parents[2]))
    from tests.fakes.huge_pages import gather_in_huge_pages  # noqa: PLC0415 - likewise

    if not modules:
        _use_once()
    gc.freeze()
    gc.enable()
    gather_in_huge_pages()


def _modules_of_program() -> tuple[str, ...]:
    import pkgutil  # noqa: PLC0415 - not for the process of the tests

    import gossamer.cli  # noqa: PLC0415 - likewise

    return (
        *(each.name for each in pkgutil.iter_modules(gossamer.cli.__path__, "gossamer.cli.")),
        *("gossamer.__main__", "gossamer.ipc.child_loop", "gossamer.crawl_host.crawl_host"),
        *("gossamer.page_worker.page_worker", "gossamer.export.exporter"),
        *("gossamer.session.session_factory", "gossamer.session.audit_process"),
        *("gossamer.child_processes.site_auditor", "gossamer.child_processes.project_comparer"),
        *("gossamer.inspector.page_inspector", "gossamer.sql_console.query_child"),
        *("gossamer.page_worker.rendering_fetcher", "gossamer.child_processes.pattern_evaluator"),
        *("gossamer.child_processes.form_browser", "gossamer.child_processes.login_process"),
        *("gossamer.crawl_host.previous_crawl_thread", "gossamer.render.browser_profile"),
        # What is imported late: for the first host name, and by the audit of near duplicates.
        *("encodings.idna", "numpy.random"),
    )


def _use_once() -> None:
    """Have code adapted, expressions compiled and tables read that each first crawl would."""
    from gossamer.ipc.channel import FrameReader  # noqa: PLC0415 - not for the process of the tests
    from gossamer.model.messages.crawl_messages import HostCommand  # noqa: PLC0415 - likewise
    from gossamer.model.messages.process_messages import ProcessReport  # noqa: PLC0415 - likewise
    from gossamer.model.messages.worker_messages import Job, Result  # noqa: PLC0415 - likewise
    from gossamer.model.settings.crawl_settings import CrawlSettings  # noqa: PLC0415 - likewise
    from gossamer.urls.domains import registrable_domain  # noqa: PLC0415 - likewise
    from tests.fakes.first_crawl import crawl_first  # noqa: PLC0415 - likewise

    for messages in (HostCommand, Job, Result, ProcessReport):
        FrameReader(messages)  # msgspec remembers what it finds out about the types
    CrawlSettings(roots=("https://example.com/",)).checked()
    registrable_domain("example.com")
    crawl_first()


if __name__ == "__main__":
    Path("/proc/self/comm").write_text(PRELOADED, encoding="ascii")
    _preload(sys.argv[2:])
    _fork_on_request(socket.socket(fileno=int(sys.argv[1])))
