"""Writes the manual page gossamer(1) from the declarations of the command line.

Usage: PYTHON packaging/manual_page.py > gossamer.1    with a PYTHON that Gossamer is installed for
"""

from __future__ import annotations

import inspect
import re
import sys
from typing import TYPE_CHECKING, Any, TypeAlias

import desktop_metadata as about
from releases import source_date
from script_arguments import script_arguments
from typer.main import get_command

from gossamer.cli.command_parser import whole_application

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

# typer's own copy of click is not public: its commands and contexts have no type for us.
Command: TypeAlias = Any
Context: TypeAlias = Any

_BASIS = "crawl"
"""The command whose options others share: they are explained there."""
_EXIT_CODE = re.compile(r"\b(\d+) (.+?)(?:, (?=\d)|\.$)")
"""A code and what it means, in the help of the program."""
_UNWRAPPED = "\b"
"""What stands before lines of a help text that are to be kept as they are."""
_FILES = (
    ("~/.local/share/gossamer", "Projects that were given no location, and locks."),
    ("~/.config/gossamer", "Settings of the window, defaults, profiles, schedules, notifications."),
    ("~/.local/state/gossamer/log", "Logs, without passwords."),
)
_VARIABLES = (
    ("GOSSAMER_PASSWORD", "The password for --auth where none is given."),
    ("GOSSAMER_PASSPHRASE", "The passphrase of the client certificate's key."),
    (
        "GOSSAMER_RELEASES",
        "The address of the list of releases; empty, nobody looks for newer ones.",
    ),
    ("GOSSAMER_NO_TOUR", "With any value, the window begins no tour on its first start."),
    ("XDG_DATA_HOME, XDG_CONFIG_HOME, XDG_STATE_HOME", "Other places for the folders below."),
)


def manual_page() -> str:
    """The page, in the macros of man(7)."""
    program = get_command(whole_application())
    context = program.make_context(about.COMMAND, ["--help"], resilient_parsing=True)
    basis = set(_options(program, context, _BASIS))
    names = [about.COMMAND, "1", source_date(), f"{about.NAME} {about.VERSION}", "User Commands"]
    lines = [
        ".TH " + " ".join(map(_quoted, names)),
        *_section("NAME", [f"{about.COMMAND} \\- {_plain(about.SUMMARY.english.lower())}"]),
        *_section("SYNOPSIS", _synopsis()),
        *_section("DESCRIPTION", _description()),
        ".SH COMMANDS",
    ]
    for name in _names(program, context):
        lines += _command(program, context, name, set() if name == _BASIS else basis)
    codes = _EXIT_CODE.findall(_unwrapped(program.epilog or ""))
    lines += _section("EXIT STATUS", _listed(codes))
    lines += _section("ENVIRONMENT", _listed(_VARIABLES))
    lines += _section("FILES", _listed(_FILES))
    return "\n".join(lines) + "\n"


def _synopsis() -> list[str]:
    name = about.COMMAND
    return [
        f".B {name}",
        "[URL | FILE.gossamer]",
        ".br",
        f".B {name}",
        ".I COMMAND",
        "[OPTIONS] ...",
    ]


def _description() -> list[str]:
    lines = []
    for paragraph in about.DESCRIPTION:
        lines += [".PP", _plain(paragraph.english)]
    window = "Without a command, the window opens, with that URL or project file if one is named."
    return [*lines, ".PP", window]


def _names(group: Command, context: Context, before: str = "") -> Iterator[str]:
    """The commands, those of a group by the name of the group and their own."""
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        if hasattr(command, "list_commands"):
            yield from _names(command, context, f"{before}{name} ")
        else:
            yield f"{before}{name}"


def _found(program: Command, context: Context, name: str) -> tuple[Command, Context]:
    """The command of that name, with the context that its help wants."""
    command, inner = program, context
    for word in name.split():
        command = command.get_command(inner, word)
        inner = type(context)(command, info_name=word, parent=inner)
    return command, inner


def _options(program: Command, context: Context, name: str) -> Mapping[tuple[str, str], str]:
    """The options of a command, by what its help says of them: the longest name of each."""
    command, inner = _found(program, context, name)
    return {
        record: max(each.opts, key=len)
        for each in command.params
        if each.param_type_name == "option" and (record := each.get_help_record(inner))
    }


def _command(
    program: Command, context: Context, name: str, explained: set[tuple[str, str]]
) -> Iterator[str]:
    """A command with its arguments and options, but for those that are `explained` elsewhere."""
    command, inner = _found(program, context, name)
    pieces = re.sub(r"[{}]|\.\.\.(?=}\.)", "", " ".join(command.collect_usage_pieces(inner)))
    yield f".SS {_quoted(f'{about.COMMAND} {name} {pieces}')}"
    for paragraph in inspect.cleandoc(command.help or "").split("\n\n"):
        yield from (".PP", _plain(_unwrapped(paragraph)))
    for each in command.params:
        if each.param_type_name == "argument" and each.help:
            yield from _term(each.metavar or each.name.upper(), each.help)
    options = _options(program, context, name)
    for record in options:
        if record not in explained:
            yield from _term(*record)
    shared = sorted(options[record] for record in explained & options.keys())
    if shared:
        told = f"These options are explained at {about.COMMAND} {_BASIS}: {', '.join(shared)}."
        yield from (".PP", _plain(told))


def _term(term: str, explanation: str) -> list[str]:
    return [".TP", f".B {_plain(term)}", _plain(explanation)]


def _listed(terms: Iterable[tuple[str, str]]) -> list[str]:
    return [line for term in terms for line in _term(*term)]


def _section(name: str, lines: Iterable[str]) -> list[str]:
    return [f".SH {_quoted(name)}", *lines]


def _unwrapped(text: str) -> str:
    return " ".join(text.replace(_UNWRAPPED, "").split())


def _quoted(text: str) -> str:
    return '"' + _plain(text).replace('"', "'") + '"'


def _plain(text: str) -> str:
    """Text that roff takes as it is: no escapes, no requests at its beginning."""
    escaped = text.replace("\\-", "\0").replace("\\", "\\e").replace("-", "\\-")
    escaped = " ".join(escaped.replace("\0", "\\-").split())
    return f"\\&{escaped}" if escaped.startswith((".", "'")) else escaped


if __name__ == "__main__":
    script_arguments(__doc__)
    sys.stdout.write(manual_page())
