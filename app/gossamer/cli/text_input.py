"""Reads the texts that a command gets in a file or on standard input, within limits."""

import sys
from pathlib import Path
from typing import Final

from gossamer.model.errors import UsageError
from gossamer.model.translatable import system_reason

_KIB: Final = 1024
_MIB: Final = 1024 * 1024


def standard_input(max_bytes: int) -> str:
    """All of standard input, which is UTF-8, with or without a byte order mark.

    UsageError if there is none, it is larger than that, or no such text; it quotes nothing.
    """
    if sys.stdin is None:  # the program was started without it
        raise UsageError("There is no standard input; name a file.")
    data = _within(sys.stdin.buffer.read(max_bytes + 1), max_bytes, "Standard input")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as e:
        raise UsageError("Standard input is not UTF-8 text.") from e


def file_text(path: Path, max_bytes: int) -> str:
    """The text of a file in UTF-8; what is none becomes U+FFFD.

    UsageError if it cannot be read, or is larger than that.
    """
    try:
        with path.open("rb") as file:
            data = file.read(max_bytes + 1)
    except OSError as e:
        raise UsageError(
            "{path} cannot be read ({reason}); check the path.", path=path, reason=system_reason(e)
        ) from e
    return _within(data, max_bytes, str(path)).decode("utf-8-sig", "replace")


def _within(data: bytes, max_bytes: int, name: str) -> bytes:
    if len(data) <= max_bytes:
        return data
    unit, size = ("MiB", _MIB) if max_bytes % _MIB == 0 else ("KiB", _KIB)
    most = f"{max_bytes // size} {unit}" if max_bytes % size == 0 else f"{max_bytes:,} bytes"
    raise UsageError("{name} is larger than {most}; shorten it.", name=name, most=most)
