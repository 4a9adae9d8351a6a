"""Runs a `gossamer` command in a process of its own, for what the window does not import."""

import asyncio
import contextlib
from typing import Final, NamedTuple

from gossamer.ipc.process_start import program_command

_PROGRAM: Final = "gossamer: "
"""The prefix of each sentence of the command line."""


class CommandResult(NamedTuple):
    """Exit code, standard output, and complaints, without the program's name."""

    code: int
    output: bytes
    complaint: str


async def run_gossamer(*words: str) -> CommandResult:
    """Run `gossamer WORDS` to its end; OSError. If the task is cancelled, so is the process."""
    pipe, nothing = asyncio.subprocess.PIPE, asyncio.subprocess.DEVNULL
    process = await asyncio.create_subprocess_exec(
        *program_command(), *words, stdin=nothing, stdout=pipe, stderr=pipe
    )
    try:
        output, errors = await process.communicate()
    except asyncio.CancelledError:
        with contextlib.suppress(ProcessLookupError):  # it has just ended
            process.kill()
        await process.wait()
        raise
    lines = errors.decode(errors="replace").splitlines()
    told = "\n".join(each.removeprefix(_PROGRAM) for each in lines).strip()
    return CommandResult(process.returncode or 0, output, told)
