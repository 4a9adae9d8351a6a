"""A pytest plugin: `--forks N` runs the tests in N copies of the process that has collected them.

It does what pytest-xdist does, for less. There each worker is a Python that starts, imports and
collects all tests by itself, in four seconds of a processor, and has a thread that reports. Here
all is imported once, and workers are forked, without threads. Linux alone can do it: elsewhere
libraries of the system do not survive a fork.

A file is the business of one worker, which makes the fixtures of its module once. Who comes to the
end of a file takes the next one in the order in which they were collected.
"""

import os
import struct
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from io import FileIO
from itertools import groupby
from multiprocessing import Pipe
from multiprocessing.connection import Connection, wait
from typing import Any, Final

import pytest

_NUMBER: Final = struct.Struct("=H")
"""How a file stands in the pipe of those that are left, which all workers read."""
_MOST_FILES: Final = (1 << 16) // _NUMBER.size
"""As many as a pipe holds."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Say what `--forks` is."""
    words = "run the tests in so many copies of the process that has collected them"
    parser.addoption("--forks", type=int, default=0, metavar="N", help=words)


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session: pytest.Session) -> bool | None:
    """Have workers run the tests, and report here what they say."""
    option = session.config.option
    if not option.forks or option.collectonly or session.testsfailed or not session.items:
        return None
    files = [[*items] for _, items in groupby(session.items, lambda item: item.path)]
    capture: Any = session.config.pluginmanager.getplugin("capturemanager")
    session.config._tmp_path_factory.getbasetemp()  # type: ignore[attr-defined]  # noqa: SLF001 - workers have theirs in it
    capture.stop_global_capturing()  # a file, which each of them needs for itself
    workers: list[_Worker] = []
    try:
        with _numbers(len(files)) as left:
            for _ in range(min(option.forks, len(files))):
                workers.append(_fork(session, files, left.fileno(), workers))
        _report(session, workers)
    finally:
        for worker in workers:
            worker.said.close()
        for worker in workers:
            worker.wait()
        capture.start_global_capturing()
        capture.suspend_global_capture()
    return True


def _numbers(count: int) -> FileIO:
    """A pipe with the numbers of the files: whoever reads one of them has it alone."""
    if count > _MOST_FILES:
        raise pytest.UsageError(f"--forks takes {_MOST_FILES} files at most, and these are {count}")
    read, write = os.pipe()
    for number in range(count):
        os.write(write, _NUMBER.pack(number))
    os.close(write)
    return FileIO(read)


# ---------------------------------------------------------------- as the others see a worker


@dataclass(slots=True)
class _Worker:
    """A worker: a copy of this process."""

    pid: int
    ended: int
    """A descriptor that can be read when it has ended."""
    said: Connection
    """Sends the number of each test that it begins, a list of what is to be reported of it when it
    has run, and None when no test is left.
    """
    runs: pytest.Item | None = None
    is_done: bool = False
    status: int | None = None

    def wait(self) -> int:
        """Wait for its end: what `os.waitpid` says of it."""
        if self.status is None:
            _, self.status = os.waitpid(self.pid, 0)
            os.close(self.ended)
        return self.status


def _report(session: pytest.Session, workers: Sequence[_Worker]) -> None:
    """Report what workers say, until none is left or `session` has seen too many failures."""
    while running := {each.said: each for each in workers if not each.is_done}:
        ended = {each.ended: each for each in running.values()}
        ready = wait([*running, *ended])
        for said in ready:
            if isinstance(said, Connection):
                _take_message(session, running[said])
        for fd in ready:
            if isinstance(fd, int) and not (worker := ended[fd]).is_done and not worker.said.poll():
                worker.is_done = True
                _report_crash(session, worker)
        if session.shouldfail:
            raise session.Failed(session.shouldfail)
        if session.shouldstop:
            raise session.Interrupted(session.shouldstop)


def _take_message(session: pytest.Session, worker: _Worker) -> None:
    hook = session.config.hook
    try:
        message = worker.said.recv()
    except EOFError:
        worker.is_done = True
        _report_crash(session, worker)
        return
    if message is None:
        worker.is_done = True
    elif isinstance(message, int):
        worker.runs = session.items[message]
    else:
        for data in message:
            report = hook.pytest_report_from_serializable(config=session.config, data=data)
            hook.pytest_runtest_logreport(report=report)
        if worker.runs is not None:
            hook.pytest_runtest_logfinish(nodeid=worker.runs.nodeid, location=worker.runs.location)


def _report_crash(session: pytest.Session, worker: _Worker) -> None:
    """Report the test during which a worker ended, or with which it began."""
    code = os.waitstatus_to_exitcode(worker.wait())
    item = worker.runs or session.items[0]
    how = f"The process of this test ended with {code}: the rest of its file was not run."
    session.config.hook.pytest_runtest_logreport(
        report=pytest.TestReport(item.nodeid, item.location, {}, "failed", how, "call")
    )


# ---------------------------------------------------------------- as it sees itself


def _fork(
    session: pytest.Session,
    files: Sequence[Sequence[pytest.Item]],
    left: int,
    before: Sequence[_Worker],
) -> _Worker:
    """Start a worker. In it this function does not return."""
    read, write = Pipe(duplex=False)
    sys.stdout.flush()
    sys.stderr.flush()
    if pid := os.fork():
        write.close()
        return _Worker(pid, os.pidfd_open(pid), read)
    code = 1
    try:
        for connection in (read, *(each.said for each in before)):
            connection.close()
        _become_worker(session.config, len(before))
        _work(session, _taken(files, left), write)
        code = 0
    finally:
        os._exit(code)


def _become_worker(config: pytest.Config, number: int) -> None:
    """Have what pytest keeps in files and in memory for this worker alone, and write nothing."""
    os.environ["PYTEST_XDIST_WORKER"] = f"gw{number}"  # as a worker of xdist is told
    factory: Any = config._tmp_path_factory  # type: ignore[attr-defined]  # noqa: SLF001 - no setting
    factory._basetemp = factory.getbasetemp() / f"gw{number}"  # noqa: SLF001 - likewise
    factory.getbasetemp().mkdir(mode=0o700)
    plugins = config.pluginmanager
    plugins.unregister(name="terminalreporter")
    capture: Any = plugins.getplugin("capturemanager")
    capture.start_global_capturing()
    capture.suspend_global_capture()


def _taken(files: Sequence[Sequence[pytest.Item]], left: int) -> Iterator[pytest.Item]:
    """Yield the tests of each file that this worker takes."""
    while taken := os.read(left, _NUMBER.size):
        yield from files[_NUMBER.unpack(taken)[0]]


def _work(session: pytest.Session, items: Iterator[pytest.Item], told: Connection) -> None:
    """Run tests, and tell of each; end what fixtures have begun, whatever happens."""
    reports = _Reports(session.config)
    session.config.pluginmanager.register(reports)
    numbers = {item: number for number, item in enumerate(session.items)}
    item = next(items, None)
    try:
        while item is not None:
            told.send(numbers[item])
            following = next(items, None)
            session.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
            told.send(reports.taken())
            item = following
        told.send(None)
    except (KeyboardInterrupt, BrokenPipeError):
        return  # the process that has asked for the tests wants no more of them
    finally:
        session._setupstate.teardown_exact(None)  # noqa: SLF001 - as pytest does


class _Reports:
    """What is to be reported of the test that runs."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._data: list[dict[str, Any]] = []

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Keep it in a form that can be sent."""
        hook = self._config.hook
        data = hook.pytest_report_to_serializable(config=self._config, report=report)
        self._data.append(data)

    def taken(self) -> list[dict[str, Any]]:
        """All of it, once."""
        data, self._data = self._data, []
        return data
