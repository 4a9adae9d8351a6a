"""Groups of commands: `gossamer GROUP COMMAND`, such as `gossamer series show`."""

from typing import TYPE_CHECKING, Any

import typer
import typer.core

from gossamer.cli.option_casting import use_own_conversion

if TYPE_CHECKING:
    from typer._click.core import Command


class CommandGroup(typer.core.TyperGroup):
    """Lists its commands in the order of their declarations; casts options with our own types."""

    def list_commands(self, ctx: typer.Context) -> list[str]:  # type: ignore[override]  # typer's own context is not public
        """The names of the commands."""
        del ctx
        return list(self.commands)

    def get_params(self, ctx: typer.Context) -> list[Any]:  # type: ignore[override]  # likewise
        """The options before the command."""
        params = super().get_params(ctx)
        use_own_conversion(params)
        return params

    def get_command(self, ctx: typer.Context, cmd_name: str) -> "Command | None":  # type: ignore[override]  # likewise
        """The command of that name, if there is one."""
        command = super().get_command(ctx, cmd_name)
        if command is not None:
            use_own_conversion(command.get_params(ctx))
        return command


def command_group(name: str, says: str) -> typer.Typer:
    """An empty group of commands for `whole_application`; `says` is its help."""
    return typer.Typer(
        cls=CommandGroup,
        name=name,
        help=says,
        rich_markup_mode=None,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
