"""Shell completion: prints the completion script and handles the shell's requests."""

import os
from typing import TYPE_CHECKING, Final

from gossamer.cli.terminal import listed, write_out
from gossamer.model.errors import UsageError

if TYPE_CHECKING:
    from gossamer.cli.parsed_commands import CompletionCommand

_PROGRAM: Final = "gossamer"
_VARIABLE: Final = "_GOSSAMER_COMPLETE"
"""Set by the script to what the shell requests; other variables have the command line so far."""
SHELLS: Final = ("bash", "zsh", "fish", "powershell")


def is_asked() -> bool:
    """Whether a shell's completion script started this process."""
    return _VARIABLE in os.environ


def complete() -> int:
    """Print the completions as typer does; return the exit code."""
    from typer._completion_classes import completion_init  # noqa: PLC0415 - few starts need it
    from typer.main import get_command  # noqa: PLC0415 - likewise

    from gossamer.cli.command_parser import whole_application  # noqa: PLC0415 - likewise

    completion_init()
    try:
        get_command(whole_application()).main([], prog_name=_PROGRAM, complete_var=_VARIABLE)
    except SystemExit as e:
        return e.code if isinstance(e.code, int) else 0
    return 0


def show_script(command: "CompletionCommand") -> int:
    """Run `gossamer completion` and return the exit code."""
    from typer._completion_shared import get_completion_script  # noqa: PLC0415 - only here

    shell = command.shell
    if shell not in SHELLS:
        raise UsageError(f"Cannot complete for {shell!r}; choose {listed(SHELLS, 'or')}.")
    script = get_completion_script(prog_name=_PROGRAM, complete_var=_VARIABLE, shell=shell)
    write_out(f"{script}\n")
    return 0
