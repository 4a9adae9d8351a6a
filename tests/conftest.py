"""Fixtures that every kind of test may ask for, and what holds for all of them."""

import atexit
import gc
import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from shutil import disk_usage
from typing import Any, Final

import hypothesis
import pytest
from hypothesis import strategies
from hypothesis.internal.conjecture import providers

from gossamer.gui.runtime.qt_import import import_qt_core

pytest_plugins = [
    "tests.sites.fixtures",
    "tests.hang_watch",
    "tests.compiled_once",
    "tests.forked_workers",
]

EXAMPLES = int(os.environ.get("GOSSAMER_EXAMPLES", "25"))
"""Of each property that says no number of its own. They are the same on each run."""
ALL_TESTS = bool(os.environ.get("GOSSAMER_ALL_TESTS"))
"""On a machine that has everything the tests want, a test that is skipped is a failure."""


# A shell starts what runs in its background with SIGINT ignored, and children inherit that: none of
# the programs that the tests interrupt would notice.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# What one interpreter has compiled, with its assertions rewritten, all after it only read: the
# workers of pytest, the next run, and each program that a test starts.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

# What dev.py says to glibc is for this process: a browser loses its GPU process by it.
os.environ.pop("GLIBC_TUNABLES", None)

# A worker of xdist takes a second to free what it has, one object after the other.
if "PYTEST_XDIST_WORKER" in os.environ:
    atexit.register(os._exit, 0)

import_qt_core()  # of each test module, as pytest-qt has imported Qt before
gc.disable()  # collecting leaves no garbage; `pytest_collection_finish` enables it

# Projects are flushed to the disk at every commit: the tests' own need not outlive a power failure.
_MEMORY = Path("/dev/shm")  # noqa: S108 - pytest makes its own folder there
_NEEDED_BYTES = 4 << 30
if _MEMORY.is_dir() and disk_usage(_MEMORY).free >= _NEEDED_BYTES:
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(_MEMORY))

# The same examples on each run, and no verdict on how fast a busy machine is. Hypothesis would also
# try the constants of all our modules that are imported by then: what it tries would depend on
# which tests the process has run before, and on code that the test has nothing to do with.
hypothesis.settings.register_profile(
    "gossamer", derandomize=True, deadline=None, max_examples=EXAMPLES
)
hypothesis.settings.load_profile("gossamer")
providers._get_local_constants = lambda: providers._local_constants  # noqa: SLF001 - no setting


@pytest.fixture(scope="session", autouse=True)
def _own_folders(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keep the settings and projects of the user who runs the tests out of them."""
    home = tmp_path_factory.mktemp("home")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HOME", str(home))
        for name in ("CONFIG", "DATA", "CACHE", "STATE"):
            patch.setenv(f"XDG_{name}_HOME", str(home / name.lower()))
        yield


_COLLECT_AFTER: Final = 10_000
"""New objects. Tests leave few cycles behind; with the usual 700, looking took 3 % of the time."""
_COLLECT_ALL_AFTER: Final = 100
"""Looks for garbage among what is not new."""
_LAST: Final = ("unit", "architecture")
"""Folders with short files, which leave all processes busy to the end."""
_LONG: Final = frozenset(
    f"test_{name}.py"
    for name in (
        *("translations", "shards_trap_budgets", "cluster_job_prefetch", "store_facet_counts"),
        *("processes", "extract_native_walk", "audit_stages", "engine_semantics", "series"),
        *("test_suite", "export", "site_audit", "export_reports", "cli_mistakes", "store_reader"),
        *("engine_queue_window", "engine_network_outage", "prefix_lists", "engine_commands"),
    )
)
"""Those of these folders that take longest: no process is left with one of them at the end."""


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Have tests that wait for other processes run beside those that compute.

    The files of each folder are spread evenly over the run, in their order; of short ones, the
    longest come first.
    """
    files: dict[str, list[Path]] = {}
    for path in dict.fromkeys(item.path for item in items):
        files.setdefault(path.parent.name, []).append(path)
    place = {
        path: (folder in _LAST, path.name not in _LONG, number / len(paths))
        for folder, paths in files.items()
        for number, path in enumerate(paths)
    }
    items.sort(key=lambda item: place[item.path])


def pytest_collection_finish() -> None:
    """Leave what was collected out of every search for garbage: it stays to the end."""
    if sys.version_info >= (3, 14):
        _first_example()
    gc.freeze()
    _, recent, _ = gc.get_threshold()
    gc.set_threshold(_COLLECT_AFTER, recent, _COLLECT_ALL_AFTER)
    gc.enable()


@hypothesis.settings(max_examples=1, database=None)
@hypothesis.given(strategies.none())
def _first_example(_: None) -> None:
    """Have hypothesis make its random numbers, whose owner it would not find once it is frozen."""


def _fail_if_skipped(report: pytest.TestReport | pytest.CollectReport) -> None:
    """Turn a skip into a failure that keeps the reason, where nothing may be skipped."""
    if ALL_TESTS and report.skipped and not hasattr(report, "wasxfail"):
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr
        report.outcome = "failed"
        report.longrepr = f"{reason}\nGOSSAMER_ALL_TESTS is set: nothing may be skipped."


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Any:  # noqa: ANN401 - pytest's own annotation of hook wrappers
    report: pytest.TestReport = yield
    _fail_if_skipped(report)
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Any:  # noqa: ANN401 - pytest's own annotation of hook wrappers
    report: pytest.CollectReport = yield
    _fail_if_skipped(report)
    return report
