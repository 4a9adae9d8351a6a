"""Lists the commands in the help of the program: by topic, and without the options of each."""

from collections.abc import Iterator
from copy import copy
from typing import Final

import typer
from typer.models import CommandInfo

from gossamer.cli.command_group import CommandGroup

_ORDER: Final = (
    *("crawl", "resume", "recrawl", "audit", "compare", "redirects", "crawlers", "robots"),
    *("import", "export", "sql", "search", "info"),
    *("projects", "series", "note", "schedule", "notify", "copy", "merge", "rescue", "settings"),
    *("profiles", "delete", "login", "forget", "secrets", "browser", "measure"),
    *("updates", "demo", "completion"),
)


class OrderedCommands(CommandGroup):
    """Lists the commands by topic, whichever file they come from."""

    def list_commands(self, ctx: typer.Context) -> list[str]:  # type: ignore[override]  # typer's own context is not public
        """The names in the order of docs/command-line.md."""
        order = {name: place for place, name in enumerate(_ORDER)}
        return sorted(super().list_commands(ctx), key=lambda name: order.get(name, len(order)))


def names_only(whole: typer.Typer) -> typer.Typer:
    """The application as its help lists it: building the options of all commands takes longer."""
    small = copy(whole)
    small.registered_groups = []
    small.registered_commands = [
        CommandInfo(name, help=help_, hidden=hidden, callback=_list_only)
        for name, help_, hidden in _listed(whole)
    ]
    return small


def _listed(application: typer.Typer) -> Iterator[tuple[str, str | None, bool]]:
    """Name, help, and whether it is hidden, of each command, and of each group with a name."""
    for command in application.registered_commands:
        if command.callback is not None:
            name = command.name or command.callback.__name__
            yield name, command.help or command.callback.__doc__, command.hidden
    for group in application.registered_groups:
        if group.typer_instance is None:
            continue
        info = group.typer_instance.info
        if info.name:
            yield info.name, info.help, False
        else:
            yield from _listed(group.typer_instance)


def _list_only() -> None:
    """Stand in for a command that is listed."""
