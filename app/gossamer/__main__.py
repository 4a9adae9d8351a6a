"""Program entry: runs the window, the command line, or one of the child processes."""

# An interrupt during what is imported here would end in a traceback: only what every Python has
# loaded already stands here. `main` imports the rest, where an interrupt is seen to.
import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine
    from typing import IO, Any, NoReturn

    from gossamer.ipc.process_start import LaunchedProcess
    from gossamer.page_worker.page_worker import OpenRendering

_INTERRUPTED = 130
_USAGE = 2
_COLLECT_AFTER = 100_000
"""New objects of the command line, until Python looks for garbage. Imports leave none: looking
after each 700 objects takes 10 ms."""
_NO_WINDOW = (
    "gossamer: the window is not installed; install it with 'pip install gossamer' or"
    " 'apt install gossamer', or crawl in the terminal with 'gossamer crawl URL'.\n"
)


def main() -> int:
    """Run the program and return its exit code. An interrupt at any moment ends it with 130."""
    try:
        sys.unraisablehook = _report_unraisable
        return _run(sys.argv[1:])
    except KeyboardInterrupt:  # outside the command line, which catches its own
        os._exit(_INTERRUPTED)  # nothing more: another interrupt may follow at once


def _run(arguments: list[str]) -> int:
    """Each role imports no more than it needs."""
    from gossamer.ipc import CHILD_FLAG

    if arguments[:1] == [CHILD_FLAG]:
        _leave(_child(*arguments[1:]))
    import gc

    from gossamer.cli.main import run_cli  # a child needs no command line

    usual = gc.get_threshold()

    def window(target: str | None) -> int:
        gc.set_threshold(*usual)
        return _window(target)

    gc.set_threshold(_COLLECT_AFTER)
    code = run_cli(arguments, window, _begin_host)
    if "PySide6" not in sys.modules:  # Qt has things to do at its end: it hands over the clipboard
        _leave(code)
    return code


def _leave(code: int) -> "NoReturn":
    """End the process. Everything is closed; to take the interpreter apart would take 20 ms."""
    from contextlib import suppress

    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            with suppress(OSError):
                stream.flush()
    os._exit(code)


def _report_unraisable(unraisable: "sys.UnraisableHookArgs") -> None:
    """End at an interrupt where Python could only print it: in a finalizer, or between imports."""
    if issubclass(unraisable.exc_type, KeyboardInterrupt):
        os._exit(_INTERRUPTED)
    sys.__unraisablehook__(unraisable)


def _window(target: str | None) -> int:
    """Open the window, which is a distribution of its own."""
    try:
        from gossamer.gui.main import run_window
    except ModuleNotFoundError as e:
        if e.name not in {"gossamer.gui", "gossamer.gui.main"}:
            raise
        sys.stderr.write(_NO_WINDOW)
        return _USAGE
    return run_window(target)


def _begin_host(page_workers: int, stderr: "IO[bytes]") -> "LaunchedProcess":
    """A crawl host for the command line: where that can be, a copy of this process."""
    from gossamer.ipc.process_start import FORKS, fork
    from gossamer.session.crawl_host_pool import launched_host

    # Where a standard stream is closed, its number is soon that of some other file.
    if not FORKS or None in {sys.stdin, sys.stdout, sys.stderr}:
        return launched_host(page_workers, stderr)
    # What both need: what only the command line does is imported while the host goes on.
    import concurrent.futures.thread  # noqa: F401 - imported to be shared
    import dataclasses  # noqa: F401 - imported to be shared
    import json  # noqa: F401 - imported to be shared

    import gossamer.audit.rule_catalogue
    import gossamer.ipc.child_connection
    import gossamer.model.crawl_progress
    import gossamer.model.segments
    import gossamer.store.writing.writer
    import gossamer.urls.scope_and_limits  # noqa: F401 - imported to be shared
    from gossamer.ipc import ChildRole

    return fork(lambda: _child(ChildRole.HOST, str(page_workers)), "gossamer-host", stderr=stderr)


def _child(role: str, *arguments: str) -> int:
    """Be a child process. Ctrl+C is its parent's to answer, from the first moment on."""
    import gc
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    from gossamer.ipc import ChildRole

    if role == ChildRole.DEMO_SITE:
        from gossamer.demo.server_process import serve_parent

        return serve_parent()
    gc.disable()  # imports leave no garbage; `run_child` enables it
    if role == ChildRole.HOST:
        return _host(*map(int, arguments))
    from gossamer.ipc.child_loop import run_child

    if role == ChildRole.INSPECTOR:
        from gossamer.inspector import page_inspector as inspector

        return run_child(lambda: inspector.main(*arguments))
    if role == ChildRole.PATTERNS:
        from gossamer.child_processes import pattern_evaluator

        return run_child(pattern_evaluator.main)
    if role in _TASKS:
        return run_child(_task(role, *arguments))
    return run_child(_worker(role))


_TASKS = ("audit", "comparison", "local-cluster", "search-index", "sql-query")
"""The roles of processes that do one thing, of which they are told, and end."""


def _task(role: str, told: str) -> "Callable[[], Coroutine[Any, Any, int]]":
    from gossamer.ipc import ChildRole

    if role == ChildRole.SQL_QUERY:
        from gossamer.sql_console import query_child

        return lambda: query_child.main(told)

    if role == ChildRole.AUDIT:
        from gossamer.child_processes import site_auditor

        return lambda: site_auditor.main(told)
    if role == ChildRole.SEARCH_INDEX:
        from gossamer.child_processes import search_indexer

        return lambda: search_indexer.main(told)
    if role == ChildRole.LOCAL_CLUSTER:
        from gossamer.cluster import local_cluster

        return lambda: local_cluster.main(told)
    from gossamer.child_processes import project_comparer

    return lambda: project_comparer.main(told)


def _worker(role: str) -> "Callable[[], Coroutine[Any, Any, int]]":
    from gossamer.ipc import ChildRole

    if role == ChildRole.LOGIN_WINDOW:
        from gossamer.child_processes import login_process

        return login_process.main
    if role == ChildRole.LOGIN_FORM:
        from gossamer.child_processes import form_browser

        return form_browser.main
    from gossamer.page_worker import page_worker

    return lambda: page_worker.main(_rendering)


def _rendering() -> "OpenRendering":
    from gossamer.page_worker.rendering_fetcher import open_rendering

    return open_rendering


def _host(page_workers: int) -> int:
    workers = _begin_workers(page_workers)  # they come up while this process does
    from gossamer.crawl_host import crawl_host
    from gossamer.ipc.child_loop import HOST_COLLECTS_AFTER, run_child
    from gossamer.store.sqlite_locks import leave_out_locks

    leave_out_locks()
    return run_child(lambda: crawl_host.main(workers), collect_after=HOST_COLLECTS_AFTER)


def _begin_workers(number: int) -> "list[LaunchedProcess]":
    """Page workers that start before there is a thread or a loop: copies, where that can be.

    Where one cannot be started, the pool tries again and says why.
    """
    from gossamer.ipc import ChildRole
    from gossamer.ipc.process_start import FORKS, fork, launch
    from gossamer.model.errors import CrawlHostError

    if FORKS:  # this process imports for all of them
        import gossamer.ipc.child_loop
        import gossamer.page_worker.page_worker  # noqa: F401 - imported to be shared
        from gossamer.ipc.channel import FrameReader
        from gossamer.model.messages.worker_messages import Job

        FrameReader(Job)  # msgspec remembers what it finds out about the types

    begun: list[LaunchedProcess] = []
    try:
        for _ in range(number):
            if FORKS:
                child = fork(lambda: _child(ChildRole.PAGE_WORKER), "gossamer-worker", beside=begun)
            else:
                child = launch(ChildRole.PAGE_WORKER)
            begun.append(child)
    except CrawlHostError:
        pass
    return begun


if __name__ == "__main__":
    sys.exit(main())
