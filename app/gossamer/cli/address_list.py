"""Addresses from a file, one on each line."""

import sys
from pathlib import Path

from gossamer.model.errors import UsageError

MAX_BYTES = 64 * 1024 * 1024
STANDARD_INPUT = "-"


def read_addresses(name: str) -> tuple[str, ...]:
    """The addresses in the file `name`, or on standard input for "-".

    Empty lines and lines that begin with # are passed over. Raises UsageError if the file cannot
    be read, is larger than 64 MiB, is no text, or holds no address.
    """
    try:
        text = sys.stdin.read(MAX_BYTES) if name == STANDARD_INPUT else _text_of(Path(name))
    except OSError as e:
        reason = e.strerror or "it cannot be read"
        raise UsageError(f"{name}: {reason}; name a file with an address on each line.") from e
    except UnicodeDecodeError as e:
        raise UsageError(f"{name} is not a text file; save the addresses as plain text.") from e
    lines = (line.strip() for line in text.splitlines())
    addresses = tuple(line for line in lines if line and not line.startswith("#"))
    if not addresses:
        raise UsageError(f"{name} holds no address; write one on each line.")
    return addresses


def _text_of(path: Path) -> str:
    if path.stat().st_size > MAX_BYTES:
        raise UsageError(f"{path} is larger than 64 MiB; split the list.")
    return path.read_text(encoding="utf-8-sig")
