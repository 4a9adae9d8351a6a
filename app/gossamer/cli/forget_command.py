"""`gossamer forget`: take out of the system's keyring what it was asked to remember."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

from gossamer.cli.credential_options import origin_named
from gossamer.cli.parsed_arguments import ForgetCommand
from gossamer.cli.terminal import printable, write_out
from gossamer.session.session_factory import SessionFactory


def forget(command: ForgetCommand) -> int:
    """Carry out `gossamer forget`; the exit code. Says of each site whether there was anything."""
    origins = list(dict.fromkeys(each for target in command.targets for each in _origins(target)))
    forgotten = asyncio.run(SessionFactory().forget_secrets(origins))
    for site in origins:
        what = "Forgot what was" if site in forgotten else "Nothing was"
        write_out(f"{what} remembered for {printable(site)}\n")
    if not origins:
        write_out("No project named needs secrets; nothing was remembered for any.\n")
    return 0


def _origins(target: str) -> Iterator[str]:
    """The origin that is named, or those for which a project needs secrets."""
    if target.lower().endswith(".gossamer"):
        yield from (
            needs.origin for needs in SessionFactory().open(Path(target)).settings.needs_secrets
        )
    else:
        yield origin_named(target)
