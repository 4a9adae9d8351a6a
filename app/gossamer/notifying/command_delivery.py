"""Delivers messages to programs: started without a shell, with JSON on their standard input."""

import asyncio
import os
import signal
import sys
from contextlib import suppress
from typing import Final

from gossamer.ipc import SECRET_VARIABLES
from gossamer.model.text_cleaning import one_line
from gossamer.model.translatable import Translatable, said, system_reason
from gossamer.notifying.channels import CommandChannel
from gossamer.notifying.delivery_failure import DeliveryError
from gossamer.notifying.delivery_log import log_delivery
from gossamer.notifying.notification_messages import Message, json_of

LIMIT_S: Final = 60.0
MAX_OUTPUT: Final = 16 * 1024
"""Bytes of its output that the log keeps."""
_SHOWN: Final = 200
_GOODBYE_S: Final = 2.0


async def deliver_to_command(
    channel: CommandChannel, message: Message, limit_s: float = LIMIT_S
) -> Translatable:
    """Run the program to its end; returns its output.

    DeliveryError if it cannot be started, fails or takes too long. If it takes too long or this is
    cancelled, it is ended with everything it has started.
    """
    environment = {
        name: value for name, value in os.environ.items() if name not in SECRET_VARIABLES
    }
    try:
        process = await asyncio.create_subprocess_exec(
            *channel.argv,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
            env=environment,
            start_new_session=True,
        )
    except OSError as e:
        raise DeliveryError(
            said(
                "{program} cannot be started: {reason}",
                program=channel.argv[0],
                reason=system_reason(e),
            )
        ) from e
    try:
        async with asyncio.timeout(limit_s):
            output = await _talked(process, json_of(message))
            code = await process.wait()
    except TimeoutError:
        raise DeliveryError(
            said("{program} ran for over {seconds:g} s", program=channel.argv[0], seconds=limit_s),
            reached=True,
        ) from None
    finally:
        _end(process)
        with suppress(TimeoutError):
            async with asyncio.timeout(_GOODBYE_S):
                await process.wait()
    tail = one_line(output.decode("utf-8", "replace"), MAX_OUTPUT)
    log_delivery(channel, f"exit code {code}: {tail}")
    ending = _ending(channel.argv[0], code, one_line(tail[-_SHOWN:]))
    if code:
        raise DeliveryError(ending, reached=True)
    return ending


def _ending(program: str, code: int, output: str) -> Translatable:
    if not output:
        return said(
            "{program} ended with exit code {code} and no output", program=program, code=code
        )
    return said(
        "{program} ended with exit code {code}: {output}", program=program, code=code, output=output
    )


async def _talked(process: asyncio.subprocess.Process, body: bytes) -> bytes:
    """Send it the body, whether it reads it or not; returns the end of its output."""

    async def write() -> None:
        if process.stdin is not None:
            with suppress(ConnectionError):
                process.stdin.write(body)
                await process.stdin.drain()
            process.stdin.close()

    async with asyncio.TaskGroup() as group:
        group.create_task(write(), name="input of a notification command")
        reading = group.create_task(_last(process), name="output of a notification command")
    return reading.result()


async def _last(process: asyncio.subprocess.Process) -> bytes:
    kept = b""
    while process.stdout is not None and (some := await process.stdout.read(MAX_OUTPUT)):
        kept = (kept + some)[-MAX_OUTPUT:]
    return kept


def _end(process: asyncio.subprocess.Process) -> None:
    """End it and everything it has started, as far as the system has process groups."""
    with suppress(ProcessLookupError, PermissionError):
        if sys.platform != "win32":
            os.killpg(process.pid, signal.SIGKILL)
        elif process.returncode is None:
            process.kill()
