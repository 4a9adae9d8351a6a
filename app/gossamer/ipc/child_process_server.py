"""Serves the process that started this one until that is gone or done."""

import asyncio
from typing import Protocol, TypeVar

from gossamer.ipc.channel import Channel
from gossamer.ipc.child_connection import connect_to_parent

In = TypeVar("In")


class ChildProcessServer(Protocol[In]):
    """Replies to the messages of a parent."""

    abandoned: asyncio.Event
    """Set when nobody wants replies any more."""

    def receive(self, messages: list[In]) -> None:
        """Receive messages."""

    async def serve(self, channel: Channel[In]) -> None:
        """Serve until cancelled."""


async def serve_parent(server: ChildProcessServer[In], message_type: object, name: str) -> int:
    """Serve until the parent is gone; returns the exit code. `name` is that of the task."""
    channel: Channel[In] = await connect_to_parent(
        message_type, server.receive, server.abandoned.set
    )
    async with asyncio.TaskGroup() as group:
        serving = group.create_task(server.serve(channel), name=name)
        await server.abandoned.wait()
        serving.cancel()
    return 0
