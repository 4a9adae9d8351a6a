"""How scripts here read their command lines: what is wrong is said before anything is done."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

EXIT_USAGE = 2
ANY_NUMBER = range(sys.maxsize)


class ScriptParser(argparse.ArgumentParser):
    """Reads a command line whose help is `usage`, the text of the script's module.

    `-h` and `--help` print it and end the script with exit code 0. What is wrong is told in one
    sentence, and ends it with 2. Options are not abbreviated: one that comes later must not change
    what a line means.
    """

    def __init__(self, usage: str | None, name: str | None = None) -> None:
        super().__init__(prog=name or Path(sys.argv[0]).name, allow_abbrev=False)
        self._text = (usage or "").strip()

    def format_help(self) -> str:
        """The text of the module."""
        return f"{self._text}\n"

    def error(self, message: str) -> NoReturn:
        """End the script with a sentence."""
        self.exit(EXIT_USAGE, f"{self.prog}: {message.rstrip('.')}; --help says how it is used.\n")

    def read(self, words: Sequence[str] | None = None) -> argparse.Namespace:
        """The values of options and operands, in any order, of this process or of `words`."""
        given, unknown = self.parse_known_intermixed_args(words)
        if unknown:
            option = next((word for word in unknown if word.startswith("-")), None)
            self.error(f"there is no option {option}" if option else f"{unknown[0]} is too much")
        return given


def script_arguments(
    usage: str | None,
    arguments: Sequence[str] | None = None,
    *,
    operands: range = range(1),
    options: Collection[str] = (),
    name: str | None = None,
) -> tuple[list[str], set[str]]:
    """The operands and the options of a command line; those of this process unless they are given.

    `operands`: how many there may be. `options` are words without values.
    `name`: what the user called, if that is not the script alone.
    """
    parser = ScriptParser(usage, name)
    parser.set_defaults(options=[])
    parser.add_argument("operands", nargs="*")
    for option in options:
        parser.add_argument(option, dest="options", action="append_const", const=option)
    given = parser.read(arguments)
    if len(given.operands) not in operands:
        wanted = str(operands[0]) if len(operands) == 1 else f"{operands[0]} to {operands[-1]}"
        parser.error(f"{len(given.operands)} arguments were given, but {wanted} are wanted")
    return given.operands, set(given.options)
