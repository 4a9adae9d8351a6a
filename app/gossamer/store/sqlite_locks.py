"""Has SQLite leave out its own locks, where no connection is used by two threads at a time."""

import ctypes
import sqlite3
import sys
import traceback
from collections.abc import Callable
from typing import Final, TypeVar

T = TypeVar("T")

# https://www.sqlite.org/c3ref/c_config_covering_index_scan.html
_MULTITHREAD: Final = 2
_MEMSTATUS: Final = 9
_OFF: Final = 0


def leave_out_locks() -> bool:
    """Have the SQLite of this process leave its locks out; whether it does.

    Call it while the process has no connection. Afterwards, a thread may hand a connection on to
    another, but two must not use it at a time, except to interrupt it. Where SQLite's functions are
    not found, everything stays as it is.
    """
    if sys.platform != "linux":  # the system's own libraries may use the same SQLite
        return False
    try:
        library = _library()
        shutdown, initialize = library.sqlite3_shutdown, library.sqlite3_initialize
        configure = library.sqlite3_config
    except (OSError, AttributeError):
        return False
    shutdown()  # Python's module has initialized it
    is_refused = configure(_MULTITHREAD) or configure(_MEMSTATUS, _OFF)
    return not (initialize() or is_refused)


def call_and_release(function: Callable[[], T]) -> T:
    """The result of `function`; its cursors end on this thread, even if it fails.

    An error keeps what its functions had: the thread that drops it would end a cursor while this
    one uses the connection.
    """
    try:
        return function()
    except BaseException as e:
        each: BaseException | None = e
        while each is not None:
            traceback.clear_frames(each.__traceback__)
            each = each.__cause__ or each.__context__
        raise


def _library() -> ctypes.CDLL:
    """SQLite as Python's module has loaded it; AttributeError if it is part of the interpreter."""
    import _sqlite3  # noqa: PLC0415 - not every Python has it as a file

    library = ctypes.CDLL(_sqlite3.__file__)  # finds what that is linked with
    library.sqlite3_libversion.restype = ctypes.c_char_p
    if library.sqlite3_libversion().decode() != sqlite3.sqlite_version:
        raise AttributeError("another SQLite than Python's")
    return library
