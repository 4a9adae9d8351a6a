"""A line between two programs that is slow, stalls and breaks off: a proxy for TCP on loopback.

What arrives is in order and whole up to the byte at which a connection is cut, as TCP promises;
lost packets are what stalls it. All chances follow from a seed, but not when they fall.
"""

import asyncio
import random
import threading
from contextlib import suppress
from dataclasses import dataclass
from types import TracebackType
from typing import Final, Self

_CHUNK: Final = 1 << 14
_MOST_UNDER_WAY: Final = 256
"""Chunks: with more, the sender waits."""
_PATIENCE_S: Final = 30.0


@dataclass(frozen=True, slots=True)
class Weather:
    """How poor the line is."""

    delay_s: float = 0.2
    """Of each byte, in each direction."""
    stall_every_s: float = 0.0
    """On average between two moments from which nothing passes for a while; 0 for never."""
    stall_s: tuple[float, float] = (0.5, 4.0)
    bytes_to_cut: int = 0
    """That pass on average in one direction before the connection is cut; 0 for never."""


class PoorLine:
    """Listens on `port` and passes all on to the port `target`. Use as a context manager."""

    def __init__(self, target: int, weather: Weather, seed: int) -> None:
        self.port = 0
        self.stalls = self.cuts = 0
        self._target = target
        self._weather = weather
        self._chance = random.Random(seed)
        self._loop = asyncio.new_event_loop()
        self._stop = asyncio.Event()
        self._ready = threading.Event()
        self._stalled_until_s = 0.0
        self._thread = threading.Thread(target=self._run, name="poor line", daemon=True)

    @property
    def address(self) -> str:
        """To connect to, as Dask writes it."""
        return f"tcp://127.0.0.1:{self.port}"

    def __enter__(self) -> Self:
        self._thread.start()
        self._ready.wait(_PATIENCE_S)
        return self

    def __exit__(
        self,
        exc_type: type[BaseException] | None,
        exc: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join(_PATIENCE_S)

    def _run(self) -> None:
        with asyncio.Runner(loop_factory=lambda: self._loop) as runner:
            runner.run(self._main())

    async def _main(self) -> None:
        tasks: set[asyncio.Task[None]] = set()
        async with asyncio.TaskGroup() as group:

            def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
                task = group.create_task(self._connected(reader, writer))
                tasks.add(task)
                task.add_done_callback(tasks.discard)

            server = await asyncio.start_server(connected, "127.0.0.1", 0)
            self.port = server.sockets[0].getsockname()[1]
            self._ready.set()
            tasks.add(group.create_task(self._stall()))
            await self._stop.wait()
            server.close()
            for task in tasks:
                task.cancel()

    async def _stall(self) -> None:
        weather = self._weather
        while weather.stall_every_s:
            await asyncio.sleep(self._chance.expovariate(1.0 / weather.stall_every_s))
            self._stalled_until_s = self._loop.time() + self._chance.uniform(*weather.stall_s)
            self.stalls += 1

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            far_reader, far_writer = await asyncio.open_connection("127.0.0.1", self._target)
        except OSError:
            writer.transport.abort()
            return
        ends = (writer, far_writer)
        try:
            async with asyncio.TaskGroup() as group:
                group.create_task(self._pass(reader, far_writer, ends))
                group.create_task(self._pass(far_reader, writer, ends))
        finally:
            for end in ends:
                end.close()

    async def _pass(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        ends: tuple[asyncio.StreamWriter, asyncio.StreamWriter],
    ) -> None:
        """Pass one direction on, each chunk when it is due."""
        under_way: asyncio.Queue[tuple[float, bytes]] = asyncio.Queue(_MOST_UNDER_WAY)
        async with asyncio.TaskGroup() as group:
            group.create_task(self._deliver(under_way, writer, ends))
            data = b"all"
            while data:
                try:
                    data = await reader.read(_CHUNK)
                except OSError:
                    data = b""
                await under_way.put((self._loop.time() + self._weather.delay_s, data))

    async def _deliver(
        self,
        under_way: asyncio.Queue[tuple[float, bytes]],
        writer: asyncio.StreamWriter,
        ends: tuple[asyncio.StreamWriter, asyncio.StreamWriter],
    ) -> None:
        left = self._bytes_to_cut()
        while True:
            due_s, data = await under_way.get()
            await asyncio.sleep(due_s - self._loop.time())
            await asyncio.sleep(self._stalled_until_s - self._loop.time())
            if not data:
                with suppress(OSError, RuntimeError):
                    writer.write_eof()
                return
            writer.write(data[:left])
            left -= len(data)
            with suppress(OSError):
                await writer.drain()
            if left <= 0:
                self.cuts += 1
                left = self._bytes_to_cut()
                for end in ends:
                    end.transport.abort()

    def _bytes_to_cut(self) -> int:
        mean = self._weather.bytes_to_cut
        return 1 + int(self._chance.expovariate(1.0 / mean)) if mean else 1 << 62
