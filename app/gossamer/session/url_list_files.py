"""Reads URL lists from files."""

from io import BytesIO, TextIOWrapper
from pathlib import Path
from typing import Final

from gossamer.model.errors import UsageError
from gossamer.model.translatable import system_reason

MAX_BYTES: Final = 64 * 1024 * 1024


def list_text(path: Path) -> str:
    """The text of a list of addresses, UTF-8; see `gossamer.urls.url_list` for what is in it.

    Blocks. Raises UsageError if the file cannot be read, is larger than MAX_BYTES, or is no text.
    """
    try:
        with path.open("rb") as file:  # a pipe or a device does not know its size
            data = file.read(MAX_BYTES + 1)
        if len(data) > MAX_BYTES:
            raise UsageError("{path} is larger than 64 MiB; split the list.", path=path)
        return TextIOWrapper(BytesIO(data), encoding="utf-8-sig").read()
    except UnicodeDecodeError as e:
        raise UsageError(
            "{path} is not a text file; save the URLs as plain text.", path=path
        ) from e
    except OSError as e:
        raise UsageError(
            "{path} cannot be read: {why}; check its name.",
            path=path,
            why=system_reason(e),
        ) from e
