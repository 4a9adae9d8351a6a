"""Reads texts from standard input, within limits."""

import sys
from typing import Final

from gossamer.model.errors import UsageError

_MIB: Final = 1024 * 1024


def standard_input(max_bytes: int) -> str:
    """All of standard input, which is UTF-8, with or without a byte order mark.

    UsageError if there is none, it is larger than that, or no such text; it quotes nothing.
    """
    if sys.stdin is None:  # the program was started without it
        raise UsageError("There is no standard input; name a file.")
    data = sys.stdin.buffer.read(max_bytes + 1)
    if len(data) > max_bytes:
        most = f"{max_bytes // _MIB} MiB" if max_bytes >= _MIB else f"{max_bytes:,} bytes"
        raise UsageError("Standard input is larger than {most}; shorten it.", most=most)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as e:
        raise UsageError("Standard input is not UTF-8 text.") from e
