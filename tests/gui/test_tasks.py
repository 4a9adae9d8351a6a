"""Tasks have an owner and a name, and one that fails takes no other with it."""

import asyncio

from gossamer.gui.runtime.window_tasks import WindowTasks
from gossamer.model.errors import UsageError
from tests.gui.conftest import Run
from tests.gui.stage import until


def test_known_errors_and_bugs_are_distinguished_and_end_no_other_task(run: Run[None]) -> None:
    async def main() -> None:
        sentences: list[str] = []
        crashes: list[Exception] = []
        failed, survived = asyncio.Event(), asyncio.Event()

        async def refuse() -> None:
            raise UsageError("Type an address.")

        async def fail() -> None:
            failed.set()
            raise ZeroDivisionError

        async def go_on() -> None:
            await failed.wait()
            survived.set()

        async with asyncio.TaskGroup() as group:
            tasks = WindowTasks(group, lambda said: sentences.append(str(said)), crashes.append)
            tasks.start("go on", go_on())
            tasks.start("refuse", refuse())
            tasks.start("fail", fail())
            assert tasks.names() == ["fail", "go on", "refuse"]
        assert sentences == ["Type an address."]
        assert [type(e) for e in crashes] == [ZeroDivisionError]
        assert survived.is_set()
        assert tasks.names() == []

    run(main())


def test_all_tasks_end_when_they_are_cancelled(run: Run[None]) -> None:
    async def main() -> None:
        cancelled = 0
        started = asyncio.Semaphore(0)

        async def wait() -> None:
            nonlocal cancelled
            started.release()
            try:
                await asyncio.Event().wait()
            except asyncio.CancelledError:
                cancelled += 1
                raise

        async with asyncio.TaskGroup() as group:
            tasks = WindowTasks(group, print, print)
            for n in range(3):
                tasks.start(f"wait {n}", wait())
            for _ in range(3):
                await started.acquire()
            tasks.cancel_all()
            assert tasks.start("too late", wait()) is None
        assert cancelled == 3

    run(main())


def test_a_task_that_is_cancelled_before_it_begins_leaves_no_trace(run: Run[None]) -> None:
    """Warnings are errors: work that is never awaited fails this test."""

    async def main() -> None:
        async with asyncio.TaskGroup() as group:
            tasks = WindowTasks(group, print, print)
            task = tasks.start("late", asyncio.sleep(3600))
            tasks.cancel_all()
        assert task is not None
        assert task.cancelled()

    run(main())


def test_a_task_group_is_cancelled_separately_and_signals_its_end(run: Run[None]) -> None:
    async def main() -> None:
        told: list[list[str]] = []
        async with asyncio.TaskGroup() as group:
            tasks = WindowTasks(group, print, print)
            branch = tasks.branch()
            tasks.start("goes on", asyncio.Event().wait())
            branch.start("goes with the window", asyncio.Event().wait())
            branch.cancel_all(then=lambda: told.append(branch.names()))
            assert told == []  # not before its tasks have ended
            await until(lambda: branch.has_ended)
            assert told == [[]]
            assert tasks.names() == ["goes on"]
            other = tasks.branch()
            task = other.start("ends with the program", asyncio.Event().wait())
            tasks.cancel_all()
        assert task is not None
        assert task.cancelled()
        assert told == [[]]

    run(main())
