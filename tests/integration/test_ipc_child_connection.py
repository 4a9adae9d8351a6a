"""A parent and its child find each other, and nobody else gets between them."""

import asyncio
import socket
import subprocess
import sys
from contextlib import suppress
from typing import cast

import psutil
import pytest

from gossamer.ipc import PROTOCOL_VERSION, ChildRole
from gossamer.ipc.channel import Channel
from gossamer.ipc.child_connection import ChildProcess, adopt
from gossamer.ipc.process_start import (
    LOOPBACK,
    Process,
    command_line,
    launch_command,
    listening,
)
from gossamer.model.errors import CrawlHostError
from gossamer.model.messages.crawl_messages import HostCommand, Pause, Resume, SetWorkers
from tests.fakes.processes import child_processes
from tests.integration.crawling import assert_gone
from tests.patience import PATIENCE_S

ECHO = """
import asyncio
from gossamer.ipc.child_connection import connect_to_parent
from gossamer.model.messages.crawl_messages import HostCommand

async def main():
    closed = asyncio.Event()
    channel = None
    def echo(messages):
        for message in messages:
            channel.send(message)
    channel = await connect_to_parent(HostCommand, echo, closed.set)
    await closed.wait()

asyncio.run(main())
"""

LATE = """
import socket, sys
line = sys.stdin.readline().split()
port = int(line[0])
strangers = []
for opening in (b"", b"x", b"x" * 32, b"GET / HTTP/1.1\\r\\nHost: localhost\\r\\n\\r\\n"):
    stranger = socket.create_connection(("127.0.0.1", port))
    stranger.sendall(opening)
    stranger.settimeout(5)
    strangers.append(stranger)
for stranger in strangers[2:]:
    try:
        assert stranger.recv(1) == b""
    except ConnectionResetError:
        pass
import io
sys.stdin = io.StringIO(" ".join(line) + "\\n")
"""

OTHER_VERSION = ECHO.replace("closed.set)", f"closed.set, version={PROTOCOL_VERSION + 1})")
SILENT = "import time; time.sleep(60)"
DEAF = "import sys; sys.exit(7)"
GARBLED = ECHO.replace("channel.send(message)", "channel._transport.write(b'x' * 100)")


def python(script: str) -> list[str]:
    """The command of a child that runs this script."""
    return [sys.executable, "-c", script]


class Talk:
    """What a parent hears from its child."""

    def __init__(self, *command: str) -> None:
        """Take the command that starts the child."""
        self._command = list(command)
        self.heard: list[HostCommand] = []
        self.closed = 0
        self._changed = asyncio.Event()

    def on_messages(self, messages: list[HostCommand]) -> None:
        self.heard += messages
        self._changed.set()

    def on_closed(self) -> None:
        self.closed += 1
        self._changed.set()

    async def until(self, heard: int = 0, closed: int = 0) -> None:
        async with asyncio.timeout(PATIENCE_S):
            while len(self.heard) < heard or self.closed < closed:
                self._changed.clear()
                await self._changed.wait()

    async def spawn(self, timeout_s: float = PATIENCE_S) -> ChildProcess[HostCommand]:
        return await adopt(
            launch_command(self._command),
            message_type=HostCommand,
            on_messages=self.on_messages,
            on_closed=self.on_closed,
            timeout_s=timeout_s,
        )


def files() -> int:
    return psutil.Process().num_fds()


async def echo_and_end(script: str) -> None:
    talk = Talk(*python(script))
    running = await talk.spawn()
    messages: list[HostCommand] = [Pause(now=True), Resume(), *map(SetWorkers, range(500))]
    for message in messages:
        running.send(message)
    await talk.until(heard=len(messages))
    assert talk.heard == messages
    assert await running.end(PATIENCE_S) == 0
    await talk.until(closed=1)
    assert running.closed
    running.send(Resume())
    assert talk.closed == 1
    assert not psutil.pid_exists(running.pid)


@pytest.mark.parametrize("script", [ECHO, LATE + ECHO], ids=["alone", "after strangers"])
def test_messages_go_both_ways(script: str) -> None:
    asyncio.run(echo_and_end(script))


def test_strangers_leave_nothing_behind() -> None:
    async def main() -> None:
        await echo_and_end(LATE + ECHO)
        before = files()
        await echo_and_end(LATE + ECHO)
        assert files() <= before
        assert asyncio.all_tasks() == {asyncio.current_task()}

    asyncio.run(main())


def test_a_large_message_arrives_whole() -> None:
    async def main() -> None:
        talk = Talk(*python(ECHO))
        running = await talk.spawn()
        messages: list[HostCommand] = [SetWorkers(n) for n in range(200_000)]
        for message in messages:
            running.send(message)
        await talk.until(heard=len(messages))
        assert talk.heard == messages
        await running.end(PATIENCE_S)

    asyncio.run(main())


def test_a_child_that_ends_at_once_is_told() -> None:
    async def main() -> None:
        with pytest.raises(CrawlHostError, match="exit code 7"):
            await Talk(*python(DEAF)).spawn()
        assert child_processes() == []

    asyncio.run(main())


def test_a_child_that_never_connects_is_ended() -> None:
    async def main() -> None:
        with pytest.raises(CrawlHostError, match="in time"):
            await Talk(*python(SILENT)).spawn(timeout_s=0.1)
        assert child_processes() == []

    asyncio.run(main())


def test_a_program_that_is_not_there_is_told() -> None:
    with pytest.raises(CrawlHostError, match="cannot be started"):
        asyncio.run(Talk("/nowhere/gossamer").spawn())


def test_a_child_that_talks_nonsense_is_cut_off() -> None:
    async def main() -> None:
        talk = Talk(*python(GARBLED))
        running = await talk.spawn()
        running.send(Resume())
        await talk.until(closed=1)
        assert await running.reap() == 0
        assert talk.heard == []

    asyncio.run(main())


def test_a_killed_child_is_noticed() -> None:
    async def main() -> None:
        talk = Talk(*python(ECHO))
        running = await talk.spawn()
        running.kill()
        await talk.until(closed=1)
        assert await running.reap() == -9
        assert child_processes() == []

    asyncio.run(main())


class Undying:
    """A process that a signal does not end, as one that waits for a dead disk."""

    returncode = None

    def __init__(self, process: Process) -> None:
        self.pid = process.pid

    def kill(self) -> None:
        """Nothing comes of it."""

    def poll(self) -> None:
        """It runs."""

    def wait(self, timeout: float | None = None) -> int:
        raise subprocess.TimeoutExpired("gossamer", timeout or 0.0)


def test_a_child_that_cannot_be_ended_holds_nobody_up() -> None:
    async def main() -> None:
        talk = Talk(*python(ECHO))
        launched = launch_command(python(ECHO))
        process = launched.process
        launched.process = Undying(process)
        try:
            running = await adopt(
                launched,
                message_type=HostCommand,
                on_messages=talk.on_messages,
                on_closed=talk.on_closed,
                timeout_s=PATIENCE_S,
            )
            running.kill()
            await talk.until(closed=1)
            assert await running.reap() is None
        finally:
            process.kill()
            process.wait()

    asyncio.run(main())


def test_a_child_of_another_version_is_ended_and_told_of_in_one_sentence() -> None:
    async def main() -> None:
        talk = Talk(*python(OTHER_VERSION))
        with pytest.raises(CrawlHostError, match=r"another version of Gossamer .* start it again"):
            await talk.spawn()
        assert (talk.heard, talk.closed) == ([], 0)
        assert child_processes() == []

    asyncio.run(main())


def test_a_spawn_that_is_cancelled_leaves_no_process() -> None:
    async def main() -> None:
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.05):
                await Talk(*python(SILENT)).spawn()
        assert child_processes() == []

    asyncio.run(main())


PARENT = f"""
import asyncio, os, sys
from gossamer.ipc.child_connection import adopt
from gossamer.ipc.process_start import launch_command

async def main():
    launched = launch_command([sys.executable, "-c", {ECHO!r}])
    made = await adopt(launched, message_type=int, on_messages=print, on_closed=print)
    print(made.pid, flush=True)
    os._exit(0)

asyncio.run(main())
"""


def test_a_child_whose_parent_is_gone_ends() -> None:
    parent = subprocess.run(
        [sys.executable, "-c", PARENT],
        check=False,
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
    )
    assert parent.returncode == 0, parent.stderr
    with suppress(psutil.NoSuchProcess):
        assert_gone([psutil.Process(int(parent.stdout))])


def test_the_command_line_does_not_look_where_the_person_stands() -> None:
    assert command_line(ChildRole.HOST)[1:] == ["-P", "-m", "gossamer", "--child", "host"]


def test_messages_after_the_end_are_dropped() -> None:
    async def main() -> None:
        talk = Talk()
        channel: Channel[HostCommand] = Channel(HostCommand, talk.on_messages, talk.on_closed)
        here, there = socket.socketpair()
        loop = asyncio.get_running_loop()
        await loop.create_connection(lambda: channel, sock=here)
        channel.send(Pause())
        channel.close()
        await channel.wait_closed()
        there.setblocking(True)
        sent = b""
        while data := there.recv(1000):
            sent += data
        there.close()
        assert b"Pause" in sent
        channel.send(Pause())
        channel.close()
        assert (talk.closed, channel.closed) == (1, True)

    asyncio.run(main())


class _LongLived:
    """A process in name alone, which neither exits nor is killed."""

    pid = 0
    returncode = None

    def poll(self) -> None:
        """It still runs."""

    def kill(self) -> None:
        """Its connection is not closed by that."""

    def wait(self, timeout: float | None = None) -> int:
        del timeout
        return 0


@pytest.mark.parametrize("turns", range(1, 9))
@pytest.mark.parametrize("is_complete", [False, True], ids=["no token yet", "with its token"])
def test_whoever_is_cancelled_while_a_child_connects_leaves_no_connection(
    turns: int, is_complete: bool
) -> None:
    """Whichever turn of the loop it is in: the child sees the end of its connection."""

    def ignored(messages: list[HostCommand]) -> None:
        """It says nothing."""

    def ended() -> None:
        """Nobody waits for that."""

    async def main() -> None:
        launched = listening(lambda _listener, _line: cast("Process", _LongLived()))
        with socket.create_connection((LOOPBACK, launched.listener.getsockname()[1])) as child:
            if is_complete:
                child.sendall(launched.token + PROTOCOL_VERSION.to_bytes(2))
            async with asyncio.TaskGroup() as group:
                waiting = group.create_task(
                    adopt(launched, message_type=HostCommand, on_messages=ignored, on_closed=ended)
                )
                for _ in range(turns):
                    await asyncio.sleep(0)
                if waiting.done():
                    waiting.result().kill()
                waiting.cancel()
            for _ in range(20):
                await asyncio.sleep(0)
            child.setblocking(False)
            with suppress(ConnectionResetError):
                assert child.recv(1) == b""

    asyncio.run(main())
