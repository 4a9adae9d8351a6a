"""Reads lists of words that are typed, or kept in files."""

from collections.abc import Iterable
from pathlib import Path
from typing import Final

from gossamer.model.errors import UsageError
from gossamer.model.file_names import typed_path
from gossamer.model.translatable import system_reason

_FILE: Final = "@"
_MAX_BYTES: Final = 4 * 1024 * 1024


def words_of(typed: Iterable[str]) -> tuple[str, ...]:
    """The typed words, each once, with those of a file for each `@FILE`.

    A file is UTF-8 with a word on each line; a line that begins with # is a comment. UsageError if
    it cannot be read.
    """
    words: list[str] = []
    for each in typed:
        if each.startswith(_FILE):
            words += words_in(typed_path(each.removeprefix(_FILE)))
        else:
            words.append(each)
    return tuple(dict.fromkeys(words))


def words_in(file: Path) -> list[str]:
    """The words in a file; UsageError if it cannot be read."""
    try:
        with file.open("rb") as opened:
            data = opened.read(_MAX_BYTES + 1)
        if len(data) > _MAX_BYTES:
            raise UsageError("The word list {file} is larger than 4 MB; shorten it.", file=file)
        lines = data.decode("utf-8-sig").splitlines()
    except OSError as e:
        raise UsageError(
            "The word list {file} cannot be read ({reason}); name another file.",
            file=file,
            reason=system_reason(e),
        ) from e
    except UnicodeDecodeError as e:
        raise UsageError(
            "The word list {file} is not UTF-8 text; save it as that.", file=file
        ) from e
    words = (line.strip() for line in lines)
    return [word for word in words if word and not word.startswith("#")]
