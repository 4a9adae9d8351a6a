"""When a node reads what its workers send: on sockets, with the loops that nodes run on."""

import asyncio
import socket
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import pytest

from gossamer.cluster.batched_reading import read_arrived
from gossamer.ipc.channel import Channel, encoded, frame

LARGE = b"x" * 3_000_000
"""More than the system holds for a connection."""


def loops() -> list[Callable[[], asyncio.AbstractEventLoop]]:
    if sys.platform == "win32":
        return [asyncio.new_event_loop]
    import uvloop  # noqa: PLC0415 - not there on Windows

    return [asyncio.new_event_loop, uvloop.new_event_loop]


each_loop = pytest.mark.parametrize("loop", loops())


class Worker:
    """A worker that says something, as seen by its node."""

    def __init__(self) -> None:
        self.heard: list[bytes] = []
        self.is_gone = asyncio.Event()
        self.channel: Channel[bytes] = Channel(bytes, self._hear, self.is_gone.set)
        self.news = asyncio.Event()
        ours, self.theirs = socket.socketpair()
        self.theirs.setblocking(False)
        self._ours = ours

    def _hear(self, messages: list[bytes]) -> None:
        self.heard += messages
        self.news.set()

    async def connect(self) -> None:
        await asyncio.get_running_loop().create_connection(lambda: self.channel, sock=self._ours)
        self.channel.pause_reading()

    async def say(self, *words: bytes) -> None:
        await asyncio.get_running_loop().sock_sendall(self.theirs, frame(words))


@asynccontextmanager
async def worker() -> AsyncIterator[Worker]:
    one = Worker()
    await one.connect()
    try:
        yield one
    finally:
        one.theirs.close()
        one.channel.abort()


async def some_turns() -> None:
    for _ in range(10):
        await asyncio.sleep(0)


def run(loop: Callable[[], asyncio.AbstractEventLoop], main: Callable[[], object]) -> None:
    with asyncio.Runner(loop_factory=loop) as runner:
        runner.run(main())  # type: ignore[arg-type]  # a coroutine


@each_loop
def test_what_has_come_is_read_and_what_comes_later_is_left(
    loop: Callable[[], asyncio.AbstractEventLoop],
) -> None:
    async def main() -> None:
        async with worker() as one, worker() as other:
            workers = [one.channel, other.channel]
            await one.say(b"a")
            await one.say(b"b")
            await other.say(b"c")
            await some_turns()
            assert one.heard == other.heard == []
            await read_arrived(workers)
            assert one.heard == [encoded([b"a"]), encoded([b"b"])]
            assert other.heard == [encoded([b"c"])]
            await one.say(b"d")
            await some_turns()
            assert len(one.heard) == 2
            await read_arrived(workers)
            assert one.heard[2:] == [encoded([b"d"])]

    run(loop, main)


@each_loop
def test_a_frame_that_has_begun_is_read_to_its_end_as_it_comes(
    loop: Callable[[], asyncio.AbstractEventLoop],
) -> None:
    async def main() -> None:
        async with worker() as one, asyncio.TaskGroup() as group:
            group.create_task(one.say(LARGE), name="say")
            await some_turns()
            await read_arrived([one.channel])
            await one.news.wait()
            assert one.heard == [encoded([LARGE])]

    run(loop, main)


@each_loop
def test_the_end_of_a_worker_is_noticed_with_the_next_look(
    loop: Callable[[], asyncio.AbstractEventLoop],
) -> None:
    async def main() -> None:
        async with worker() as one:
            await one.say(b"last")
            one.theirs.close()
            await some_turns()
            assert not one.is_gone.is_set()
            await read_arrived([one.channel])
            assert one.heard == [encoded([b"last"])]
            await one.is_gone.wait()
            await read_arrived([one.channel])

    run(loop, main)


class Chatterbox:
    """A worker that sends without a pause."""

    reads = 0
    has_part = is_paused = False

    def resume_reading(self) -> None:
        asyncio.get_running_loop().call_soon(self._chat)

    def _chat(self) -> None:
        self.reads += 1
        if not self.is_paused:
            asyncio.get_running_loop().call_soon(self._chat)

    def pause_reading(self) -> None:
        self.is_paused = True


def test_a_worker_that_sends_without_a_pause_does_not_hold_the_call() -> None:
    async def main() -> None:
        one = Chatterbox()
        await read_arrived([one])
        assert one.is_paused

    asyncio.run(main())
