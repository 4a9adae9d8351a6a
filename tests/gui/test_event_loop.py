"""The event loop: asyncio's order, Qt's fairness, no timer left behind."""

import asyncio
import contextvars
import gc
import sys
import threading
import time
import weakref
from collections.abc import AsyncIterator
from typing import Any

import pytest
from PySide6.QtCore import QEvent, QObject, QTimer
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QApplication, QWidget

from gossamer.gui.runtime.event_loop import WindowLoop
from tests.gui.conftest import Run
from tests.patience import PATIENCE_S


def the_loop() -> WindowLoop:
    loop = asyncio.get_running_loop()
    assert isinstance(loop, WindowLoop)
    return loop


def test_callbacks_run_in_the_order_they_were_scheduled(run: Run[list[str]]) -> None:
    async def main() -> list[str]:
        loop, done = the_loop(), asyncio.Event()
        order: list[str] = []
        now = loop.time()
        loop.call_at(now + 0.004, order.append, "later")
        loop.call_at(now + 0.002, order.append, "sooner")
        loop.call_at(now + 0.006, done.set)
        for name in "abc":
            loop.call_soon(order.append, name)
        loop.call_soon(lambda: loop.call_soon(order.append, "from a callback"))
        await done.wait()
        return order

    order = run(main())
    timers = ["sooner", "later"]  # due before the callback's turn, where the machine is busy
    assert [each for each in order if each not in timers] == ["a", "b", "c", "from a callback"]
    assert [each for each in order if each in timers] == timers


def test_timers_due_at_the_same_moment_keep_their_order(run: Run[list[int]]) -> None:
    async def main() -> list[int]:
        loop, done = the_loop(), asyncio.Event()
        order: list[int] = []
        when = loop.time() + 0.003
        for n in range(20):
            loop.call_at(when, order.append, n)
        loop.call_at(when, done.set)
        await done.wait()
        return order

    assert run(main()) == list(range(20))


def test_timers_never_fire_early_and_report_their_time(run: Run[None]) -> None:
    async def main() -> None:
        loop, done = the_loop(), asyncio.Event()
        before_s = loop.time()
        handle = loop.call_later(0.0123, done.set)
        assert before_s + 0.0123 <= handle.when() <= loop.time() + 0.0123
        await done.wait()
        assert loop.time() >= handle.when()

    run(main())


def test_a_cancelled_callback_does_not_run(run: Run[list[str]]) -> None:
    async def main() -> list[str]:
        loop, done = the_loop(), asyncio.Event()
        order: list[str] = []
        loop.call_soon(order.append, "soon").cancel()
        loop.call_later(0.001, order.append, "later").cancel()
        loop.call_later(0.003, done.set)
        await done.wait()
        return order

    assert run(main()) == []


def test_completed_timeouts_leave_no_timers(run: Run[None]) -> None:
    async def main() -> None:
        loop = the_loop()
        before = loop.pending_timers()

        async def at_once() -> None:
            return None

        for _ in range(600):
            await asyncio.wait_for(at_once(), 300)
        assert loop.pending_timers() < before + 100

        handles = [loop.call_later(300, print) for _ in range(1000)]
        for handle in handles:
            handle.cancel()
        assert loop.pending_timers() < before + 100

    run(main())


def test_one_iteration_makes_few_calls(run: Run[float]) -> None:
    """Of Python and of C, together with what it does: asyncio's own loop makes 14, qasync's 42."""
    steps, tasks = 200, 100
    calls = 0

    def count(_frame: object, event: str, _argument: object) -> None:
        nonlocal calls
        calls += event in {"call", "c_call"}

    async def spin() -> None:
        for _ in range(steps):
            await asyncio.sleep(0)

    async def main() -> float:
        sys.setprofile(count)
        try:
            async with asyncio.TaskGroup() as group:
                for _ in range(tasks):
                    group.create_task(spin())
        finally:
            sys.setprofile(None)
        return calls / (steps * tasks)

    assert run(main()) < 20


class Canvas(QWidget):
    """A widget that wants to be painted all the time and counts how often it was."""

    def __init__(self) -> None:
        super().__init__()
        self.paints = 0

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        del event
        self.paints += 1
        self.update()


def test_busy_tasks_do_not_starve_painting(
    run: Run[None], qapp: QApplication, monkeypatch: pytest.MonkeyPatch
) -> None:
    canvas = Canvas()
    canvas.show()
    qapp.processEvents()
    tasks, steps, step_s = 200, 4, 0.0005

    async def main() -> None:
        now = the_loop().time()

        async def busy() -> None:
            nonlocal now
            for _ in range(steps):
                now += step_s
                await asyncio.sleep(0)

        # Time is what the tasks say they take, however busy the machine is.
        monkeypatch.setattr(the_loop(), "time", lambda: now)
        canvas.paints = 0
        async with asyncio.TaskGroup() as group:
            for _ in range(tasks):  # 100 ms of work are ready at any time
                group.create_task(busy())

    run(main())
    canvas.deleteLater()
    longest_s = 0.032  # without a paint
    assert canvas.paints > tasks * steps * step_s / longest_s


def test_an_exception_in_a_callback_goes_to_the_handler(run: Run[None]) -> None:
    async def main() -> None:
        loop, seen = the_loop(), asyncio.Event()
        contexts: list[dict[str, Any]] = []

        def handler(_loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
            contexts.append(context)
            seen.set()

        def fails() -> None:
            raise ValueError("on purpose")

        loop.set_exception_handler(handler)
        try:
            loop.call_soon(fails)
            await seen.wait()
        finally:
            loop.set_exception_handler(None)
        assert str(contexts[0]["exception"]) == "on purpose"

    run(main())


def test_call_soon_threadsafe_keeps_the_context(run: Run[None]) -> None:
    word: contextvars.ContextVar[str] = contextvars.ContextVar("word", default="none")

    async def main() -> None:
        loop, done = the_loop(), asyncio.Event()
        seen: list[tuple[str, bool]] = []

        def note() -> None:
            seen.append((word.get(), threading.current_thread() is threading.main_thread()))
            done.set()

        def elsewhere() -> None:
            word.set("carried")
            loop.call_soon_threadsafe(note, context=contextvars.copy_context())

        thread = threading.Thread(target=elsewhere)
        thread.start()
        await done.wait()
        thread.join()
        assert seen == [("carried", True)]
        assert await asyncio.to_thread(threading.current_thread) is not threading.main_thread()

    run(main())


def test_a_nested_qt_loop_does_not_enter_tasks_twice(run: Run[list[str]]) -> None:
    async def main() -> list[str]:
        loop, done = the_loop(), asyncio.Event()
        order: list[str] = []

        def nested() -> None:
            loop.call_soon(order.append, "after")
            loop.call_soon(done.set)
            QTimer.singleShot(5, lambda: order.append("Qt went on"))
            end = time.perf_counter() + PATIENCE_S
            while "Qt went on" not in order and time.perf_counter() < end:
                QApplication.processEvents()

        loop.call_soon(nested)
        await done.wait()
        return order

    assert run(main()) == ["Qt went on", "after"]


def test_an_abandoned_generator_is_closed(run: Run[None]) -> None:
    async def main() -> None:
        closed = asyncio.Event()

        async def numbers() -> AsyncIterator[int]:
            try:
                yield 1
                yield 2
            finally:
                closed.set()

        async for _ in numbers():
            break
        await closed.wait()

    run(main())


def test_child_processes_can_be_read_and_written(run: Run[bytes]) -> None:
    async def main() -> bytes:
        pipe = asyncio.subprocess.PIPE
        child = await asyncio.create_subprocess_exec(
            sys.executable, "-c", "print(input()[::-1])", stdin=pipe, stdout=pipe
        )
        answer, _ = await child.communicate(b"ressog\n")
        assert child.returncode == 0
        return answer.strip()

    assert run(main()) == b"gosser"


def test_events_posted_to_objects_arrive_between_passes(run: Run[int]) -> None:
    class Receiver(QObject):
        got = 0

        def event(self, event: QEvent) -> bool:
            if event.type() == QEvent.Type.User:
                self.got += 1
                arrived.set()
            return super().event(event)

    arrived = asyncio.Event()

    async def main() -> int:
        receiver = Receiver()
        for _ in range(5):
            QApplication.postEvent(receiver, QEvent(QEvent.Type.User))
            await arrived.wait()
            arrived.clear()
        return receiver.got

    assert run(main()) == 5


def test_garbage_is_collected_by_the_thread_of_the_loop_alone(run: Run[None]) -> None:
    class Cycle:
        def __init__(self) -> None:
            self.itself = self

    def allocate() -> None:
        kept: list[list[int]] = [[] for _ in range(50_000)]
        del kept

    where: list[threading.Thread] = []

    async def main() -> None:
        loop, collected = the_loop(), asyncio.Event()

        def note() -> None:
            where.append(threading.current_thread())
            loop.call_soon_threadsafe(collected.set)

        gc.collect()
        weakref.finalize(Cycle(), note)
        await loop.run_in_executor(None, allocate)
        kept = [[n] for n in range(2 * gc.get_threshold()[0])]
        await collected.wait()
        del kept

    run(main())
    assert where == [threading.main_thread()]
