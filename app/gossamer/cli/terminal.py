"""Writes to the terminal: strips control characters and survives closed pipes."""

import errno
import io
import os
import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Final, TextIO
from unicodedata import category

from gossamer.model.errors import OutputError
from gossamer.model.number_format import number

_SHAPELESS: Final = re.compile("[\u00ad\u061c\u200b\u200e\u200f\u2060\ufeff]")
"""Soft hyphens, spaces without a width, and marks that have a direction but change no other's."""
_JOINERS: Final = frozenset("\u200c\u200d")
_SHAPED: Final = frozenset({"Lo", "Mc", "Mn", "Sk", "So"})
"""Letters without case, marks and symbols: https://www.unicode.org/reports/tr44/."""


def printable(text: str) -> str:
    """`text` on one line, safe for a terminal.

    Control characters, escape sequences, changes of writing direction and lone surrogates become
    U+FFFD: URLs and reasons come from servers, file names from strangers. Joiners stay where
    letters are shaped by them, other characters without a shape are left out.
    """
    if text.isprintable():
        return text
    text = _SHAPELESS.sub("", text)
    return "".join(
        letter if letter.isprintable() or _is_shaping(letter, before) else "\ufffd"
        for before, letter in zip(("", *text), text, strict=False)
    )


def _is_shaping(letter: str, before: str) -> bool:
    """Whether `letter` joins or separates its neighbours: in Persian, Hindi, or in an emoji."""
    return letter in _JOINERS and (not before or category(before) in _SHAPED)


def prepare_streams() -> None:
    """Replace characters that the terminal's encoding lacks instead of raising."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")


def complain(sentence: str) -> None:
    """Write one sentence to standard error, after the program's name."""
    remark(f"gossamer: {sentence}")


def remark(line: str) -> None:
    """Write one line to standard error; if nobody can read it, do nothing."""
    try:
        _write(sys.stderr, f"{printable(line)}\n")
    except OSError:
        silence(sys.stderr)


def write_out(text: str) -> None:
    """Write a result to standard output; its lines must be `printable`. As in `writing_out`."""
    with writing_out():
        _write(sys.stdout, text)


@contextmanager
def writing_out() -> Iterator[None]:
    """Inside, standard output is written: a closed pipe (`gossamer ... | head`) is not an error.

    Raises OutputError if it cannot be written for another reason, such as a full disk.
    """
    try:
        yield
    except OSError as e:
        silence(sys.stdout)
        # Windows says EINVAL for a broken pipe.
        if e.errno not in {errno.EPIPE, errno.EINVAL}:
            raise not_printed(e) from e


def not_printed(problem: OSError) -> OutputError:
    """The error that says why standard output cannot be written."""
    return OutputError(
        f"Standard output cannot be written ({problem.strerror}); send it somewhere else."
    )


def _write(stream: TextIO | None, text: str) -> None:
    # None if the program was started without that stream.
    if stream is not None:
        stream.write(text)
        stream.flush()


def silence(stream: TextIO | None) -> None:
    """Redirect the stream to nowhere: the interpreter flushes it once more at exit."""
    if stream is None:
        return
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)


def counted(value: int, noun: str) -> str:
    """1 and "row" as "1 row", 2 and "row" as "2 rows"."""
    return f"{number(value)} {noun}" if value == 1 else f"{number(value)} {noun}s"


def listed(words: Sequence[str], last: str = "and") -> str:
    """Words as in a sentence: "a, b and c"."""
    if len(words) < 2:  # noqa: PLR2004 - one word needs no "and"
        return "".join(words)
    return f"{', '.join(words[:-1])} {last} {words[-1]}"
