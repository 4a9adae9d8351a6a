"""SQLite without locks of its own works as before, and where it cannot be told, it stays."""

import _sqlite3
import subprocess
import sys
import weakref

import pytest

from gossamer.store.sqlite_locks import call_and_release

_WITHOUT_LOCKS = """
import sqlite3, threading
from gossamer.store.sqlite_locks import leave_out_locks
told = leave_out_locks()
connection = sqlite3.connect(":memory:", check_same_thread=False)
connection.execute("CREATE TABLE t (a)")
rows = [(number,) for number in range(1000)]
thread = threading.Thread(target=lambda: connection.executemany("INSERT INTO t VALUES (?)", rows))
thread.start()
thread.join()
(found,) = connection.execute("SELECT count(*) FROM t").fetchone()
print(told, found, sqlite3.connect(":memory:").execute("SELECT 1").fetchone())
"""
_UNKNOWN = """
import _sqlite3, sqlite3
{change}
from gossamer.store.sqlite_locks import leave_out_locks
print(leave_out_locks(), sqlite3.connect(":memory:").execute("SELECT 1").fetchone())
"""


def printed(script: str) -> str:
    """What a process of its own prints: how SQLite is configured holds for all of a process."""
    command = [sys.executable, "-c", script]
    return subprocess.run(command, check=True, capture_output=True, text=True, timeout=60).stdout


@pytest.mark.skipif(
    sys.platform != "linux" or not hasattr(_sqlite3, "__file__"),
    reason="needs SQLite as a library",
)
def test_a_connection_is_handed_from_thread_to_thread() -> None:
    assert printed(_WITHOUT_LOCKS) == "True 1000 (1,)\n"


@pytest.mark.parametrize(
    "change",
    [
        "import sys; sys.platform = 'darwin'",
        "vars(_sqlite3).pop('__file__', None)",
        "_sqlite3.__file__ = '/nowhere.so'",
        "import _ctypes; _sqlite3.__file__ = _ctypes.__file__",
        "sqlite3.sqlite_version = '3.0.0'",
    ],
    ids=["another system", "in the interpreter", "no file", "no functions", "another version"],
)
def test_where_it_cannot_be_told_everything_stays(change: str) -> None:
    assert printed(_UNKNOWN.format(change=change)) == "False (1,)\n"


def test_what_fails_leaves_nothing_to_whoever_handles_the_error() -> None:
    """Nor what the errors had from which it came."""

    class Rows:
        """As a cursor."""

    ended: list[str] = []

    def read(name: str) -> None:
        rows = Rows()
        weakref.finalize(rows, ended.append, name)
        raise ValueError(name)

    def call() -> None:
        rows = Rows()
        weakref.finalize(rows, ended.append, "outer")
        try:
            read("inner")
        except ValueError as e:
            raise KeyError from e

    with pytest.raises(KeyError) as raised:
        call_and_release(call)
    assert isinstance(raised.value.__cause__, ValueError)
    assert sorted(ended) == ["inner", "outer"]
