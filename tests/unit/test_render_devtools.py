"""The DevTools pipe: messages, calls and events."""

import asyncio
from collections.abc import Coroutine
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.render.devtools_connection import (
    DevtoolsConnection,
    DevtoolsError,
    MessageSplitter,
    Params,
    read_message,
)
from tests.cases import each_case
from tests.fakes.virtual_loop import run_virtual


class Pipe(asyncio.WriteTransport):
    """The browser's end of the pipe."""

    def __init__(self) -> None:
        super().__init__()
        self.sent: list[dict[str, object]] = []
        self.aborted = False

    def write(self, data: bytes | bytearray | memoryview) -> None:
        self.sent += [msgspec.json.decode(part) for part in bytes(data).split(b"\0") if part]

    def is_closing(self) -> bool:
        return self.aborted

    def abort(self) -> None:
        self.aborted = True


def connected() -> tuple[DevtoolsConnection, Pipe]:
    connection, pipe = DevtoolsConnection(), Pipe()
    connection.connection_made(pipe)
    return connection, pipe


def received(connection: DevtoolsConnection, **message: object) -> None:
    connection.data_received(msgspec.json.encode(message) + b"\0")


async def failure(call: Coroutine[Any, Any, object]) -> str:
    """How a call failed."""
    with pytest.raises(DevtoolsError) as failed:
        await call
    return f"{failed.typename}: {failed.value}"


@given(st.lists(st.binary(max_size=20)), st.data())
def test_messages_come_whole_however_they_are_cut(parts: list[bytes], data: st.DataObject) -> None:
    messages = [part.replace(b"\0", b"") for part in parts]
    stream = b"".join(message + b"\0" for message in messages)
    splitter, found = MessageSplitter(), []
    while stream:
        size = data.draw(st.integers(1, len(stream)))
        found += splitter.feed(stream[:size])
        stream = stream[size:]
    assert found == messages


def test_a_message_that_is_too_long_is_dropped_and_the_next_is_read() -> None:
    splitter = MessageSplitter(max_bytes=10)
    assert splitter.feed(b"x" * 10) == []
    assert splitter.feed(b"x") == []
    assert splitter.feed(b"x" * 9 + b"\0next\0") == [b"next"]
    assert splitter.feed(b"x" * 10 + b"\0" + b"y" * 11 + b"\0z\0") == [b"x" * 10, b"z"]


def test_half_a_character_in_a_message_harms_no_other_page() -> None:
    message = read_message(rb'{"method": "A.b", "params": {"title": "a\ud800b"}}')
    assert message is not None
    assert message.params == {"title": "a?b"}


@each_case("message", [b"", b"{", b"[1]", b'{"id": "x"}', b"[" * 100_000])
def test_what_is_no_message_is_passed_over(message: bytes) -> None:
    assert read_message(message) is None


def test_a_call_gets_the_answer_with_its_number() -> None:
    async def main() -> Params:
        connection, pipe = connected()
        async with asyncio.TaskGroup() as group:
            first = group.create_task(connection.call("A.b", {"x": 1}, "S"))
            second = group.create_task(connection.call("C.d"))
            await asyncio.sleep(0)
            assert pipe.sent[0] == {"id": 1, "method": "A.b", "params": {"x": 1}, "sessionId": "S"}
            assert pipe.sent[1] == {"id": 2, "method": "C.d"}
            received(connection, id=2, result={"two": 2})
            received(connection, id=1, result={"one": 1}, sessionId="S")
        return {**first.result(), **second.result()}

    assert run_virtual(main()) == {"one": 1, "two": 2}


def test_a_refused_call_and_one_without_an_answer_raise() -> None:
    async def main() -> list[str]:
        connection, _ = connected()
        async with asyncio.TaskGroup() as group:
            refused = group.create_task(failure(connection.call("A.b")))
            slow = group.create_task(failure(connection.call("A.slow", timeout_s=3)))
            await asyncio.sleep(0)
            received(connection, id=1, error={"message": "no such target"})
        return [refused.result(), slow.result()]

    assert run_virtual(main()) == [
        "DevtoolsError: no such target",
        "DevtoolsError: A.slow: no reply within 3 s",
    ]


def test_when_the_browser_ends_every_call_does() -> None:
    async def main() -> list[str]:
        connection, _ = connected()
        async with asyncio.TaskGroup() as group:
            waiting = group.create_task(failure(connection.call("A.b")))
            watching = group.create_task(failure(connection.fail_when_gone()))
            await asyncio.sleep(0)
            assert not connection.gone.is_set()
            connection.connection_lost(None)
        return [waiting.result(), watching.result(), await failure(connection.call("A.c"))]

    assert run_virtual(main()) == ["BrowserGoneError: the browser has ended"] * 3


def test_when_a_tab_ends_its_calls_do_and_those_of_others_go_on() -> None:
    async def main() -> tuple[str, Params]:
        connection, _ = connected()
        async with asyncio.TaskGroup() as group:
            lost = group.create_task(failure(connection.call("A.b", session="S")))
            other = group.create_task(connection.call("A.b", session="T"))
            await asyncio.sleep(0)
            connection.close_session("S")
            received(connection, id=1, result={"late": 1}, sessionId="S")
            received(connection, id=2, result={"two": 2}, sessionId="T")
        return lost.result(), other.result()

    assert run_virtual(main()) == ("DevtoolsError: the tab has gone", {"two": 2})


def test_a_call_waits_as_long_as_any_may_where_it_does_not_say() -> None:
    async def main() -> str:
        connection = DevtoolsConnection(call_s=2)
        connection.connection_made(Pipe())
        return await failure(connection.call("A.slow"))

    assert run_virtual(main()) == "DevtoolsError: A.slow: no reply within 2 s"


def test_events_reach_the_listener_of_their_session_alone() -> None:
    connection, _ = connected()
    heard: list[tuple[str, str]] = []
    connection.listen("", lambda method, _: heard.append(("browser", method)))
    connection.listen("S", lambda method, _: heard.append(("S", method)))
    received(connection, method="Target.created", params={})
    received(connection, method="Page.loaded", params={}, sessionId="S")
    received(connection, method="Page.loaded", params={}, sessionId="T")
    connection.forget("S")
    received(connection, method="Page.loaded", params={}, sessionId="S")
    assert heard == [("browser", "Target.created"), ("S", "Page.loaded")]
