"""Splits a typed command into words, and joins words again, by the rules of the system.

On Windows, backslashes are parts of paths: they are special only before quotes.
"""

import re
import shlex
import subprocess
import sys
from collections.abc import Sequence
from typing import Final

from gossamer.model.errors import UsageError

_WINDOWS: Final = "win32"
_PIECE: Final = re.compile(r'(\\*)"|[ \t]+|\\+|[^\\" \t]+')


def split_command(command: str, platform: str = sys.platform) -> tuple[str, ...]:
    """The program and its arguments; quotes keep words together. UsageError if one has no end."""
    try:
        if platform == _WINDOWS:
            return tuple(_windows_words(command))
        return tuple(shlex.split(command))
    except ValueError as e:
        raise UsageError(
            "The command has a quote without its end: {command}", command=command
        ) from e


def join_command(words: Sequence[str], platform: str = sys.platform) -> str:
    """The inverse of `split_command`."""
    return subprocess.list2cmdline(words) if platform == _WINDOWS else shlex.join(words)


def _windows_words(command: str) -> list[str]:
    """By the rules of Microsoft's C runtime, "Parsing C command-line arguments". ValueError."""
    words = _WindowsWords()
    for piece in _PIECE.finditer(command):
        if piece[1] is None:
            words.add(piece[0])
        else:
            words.add_quote(len(piece[1]), piece.span())
    return words.ended()


class _WindowsWords:
    def __init__(self) -> None:
        self._words: list[str] = []
        self._word: str | None = None
        self._is_quoted = False
        self._unquoted_at = -1
        """Where a quote has just ended: another one there is a letter, and the quoted part
        continues."""

    def add(self, text: str) -> None:
        """Letters, or spaces."""
        if not text.isspace() or self._is_quoted:
            self._word = (self._word or "") + text
        elif self._word is not None:
            self._words.append(self._word)
            self._word = None

    def add_quote(self, slashes: int, span: tuple[int, int]) -> None:
        """A quote after backslashes: two of them stand for one, a last one makes it a letter."""
        is_letter = slashes % 2 == 1
        if not slashes and span[0] == self._unquoted_at:
            is_letter = self._is_quoted = True
        elif not is_letter:
            self._is_quoted = not self._is_quoted
            self._unquoted_at = -1 if self._is_quoted else span[1]
        self._word = (self._word or "") + "\\" * (slashes // 2) + '"' * is_letter

    def ended(self) -> list[str]:
        """All words; ValueError within quotes."""
        if self._is_quoted:
            raise ValueError
        return self._words if self._word is None else [*self._words, self._word]
