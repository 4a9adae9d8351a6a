"""A pytest plugin: for several workers, tests are compiled before they are imported, in parallel.

After a fresh checkout one process would need seven seconds to rewrite the assertions of all files,
and each worker of xdist, which imports all of them, would do so too.
"""

import compileall
import importlib.util
import multiprocessing
import os
import re
import sys
from collections.abc import Sequence
from contextlib import suppress
from itertools import chain
from pathlib import Path
from typing import Final

import pytest
from _pytest.assertion import rewrite

_TESTS: Final = re.compile(r"test_\w+\.py$")
_HASH: Final = slice(8, 16)
"""Where a compiled file has the hash of its source (PEP 552)."""


def pytest_sessionstart(session: pytest.Session) -> None:
    """Compile what is stale, if workers are to run the tests; on all processors."""
    config = session.config
    many = config.option.forks or getattr(config.option, "numprocesses", None)
    if sys.platform == "win32" or not many:
        return
    stale = [path for path in chosen_test_files(config) if not is_compiled(path)]
    if not stale:
        return
    forks, count = multiprocessing.get_context("fork"), os.cpu_count() or 1
    parts = [stale[number::count] for number in range(count)]
    processes = [forks.Process(target=compile_tests, args=(part, config)) for part in parts]
    for process in processes:
        process.start()
    compileall.compile_dir(config.rootpath / "tests", rx=_TESTS, quiet=2)
    for process in processes:
        process.join()


def chosen_test_files(config: pytest.Config) -> list[Path]:
    """The test files of the folders and files that pytest is told to run."""
    named = [config.invocation_params.dir / each.partition("::")[0] for each in config.args]
    files = (each.rglob("test_*.py") if each.is_dir() else [each] for each in named)
    return sorted(set(chain.from_iterable(files)))


def compiled_path(path: Path) -> Path:
    """Where pytest looks for a test file with its assertions rewritten."""
    return rewrite.get_cache_dir(path) / f"{path.stem}{rewrite.PYC_TAIL}"


def is_compiled(path: Path) -> bool:
    """Whether what is compiled is what the file says now."""
    try:
        compiled, source = compiled_path(path).read_bytes(), path.read_bytes()
    except OSError:
        return False
    return compiled[_HASH] == importlib.util.source_hash(source)


def compile_tests(paths: Sequence[Path], config: pytest.Config) -> None:
    """Write test files with their assertions rewritten, as pytest does when it imports one.

    One that is wrong or missing is left to that import, which says so.
    """
    state = config.stash[rewrite.assertstate_key]
    for path in paths:
        with suppress(OSError, SyntaxError, ValueError):
            source_hash, code = rewrite._rewrite_test(path, config)  # noqa: SLF001 - it does not compile without importing
            target = compiled_path(path)
            target.parent.mkdir(exist_ok=True)
            rewrite._write_pyc(state, code, source_hash, target)  # noqa: SLF001 - likewise
