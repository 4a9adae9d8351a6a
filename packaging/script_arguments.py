"""How scripts here read their command lines: what is wrong is said before anything is done."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, NoReturn

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

EXIT_USAGE = 2
ANY_NUMBER = range(sys.maxsize)
_HELP = {"-h", "--help"}


def script_arguments(
    usage: str | None,
    arguments: Sequence[str] | None = None,
    *,
    operands: range = range(1),
    options: Collection[str] = (),
) -> tuple[list[str], set[str]]:
    """The operands and the options of a command line; those of this process unless they are given.

    `operands`: how many there may be. `options` are words without values. `-h` and `--help` print
    `usage`, the text of the script's module, and end the script with exit code 0; what else is not
    known ends it with 2 and a sentence.
    """
    words = sys.argv[1:] if arguments is None else arguments
    if not _HELP.isdisjoint(words):
        print((usage or "").strip())
        sys.exit()
    given = {word for word in words if word.startswith("-")}
    plain = [word for word in words if word not in given]
    if unknown := sorted(given.difference(options)):
        refuse(f"there is no option {unknown[0]}.", usage)
    if len(plain) not in operands:
        wanted = str(operands[0]) if len(operands) == 1 else f"{operands[0]} to {operands[-1]}"
        refuse(f"{len(plain)} arguments were given, but {wanted} are wanted.", usage)
    return plain, given


def refuse(sentence: str, usage: str | None) -> NoReturn:
    """Say what is wrong and how the script is used, and end it."""
    print(f"{sentence}\n\n{(usage or '').strip()}", file=sys.stderr)
    sys.exit(EXIT_USAGE)
