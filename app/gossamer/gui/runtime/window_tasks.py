"""Owns the window's asyncio tasks: one TaskGroup, named tasks, no unseen exception."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

from gossamer.model.errors import KnownError
from gossamer.model.translatable import Translatable


class WindowTasks:
    """Starts tasks in one TaskGroup; a failed task does not cancel the others.

    The sentence of a KnownError of a task goes to `on_known`, any other exception to `on_fault`;
    neither ends the group. To be used inside that group's `async with`. Tasks that belong to
    what may go before the rest, a window, are started in a `branch`, to be cancelled with it.
    """

    def __init__(
        self,
        group: asyncio.TaskGroup,
        on_known: Callable[[Translatable], None],
        on_fault: Callable[[Exception], None],
    ) -> None:
        self._group = group
        self._on_known = on_known
        self._on_fault = on_fault
        self._running: set[asyncio.Task[None]] = set()
        self._branches: list[WindowTasks] = []
        self._over = False
        self._then: Callable[[], None] | None = None

    def branch(self) -> "WindowTasks":
        """Tasks that can be cancelled apart from these, and are cancelled with them."""
        branch = WindowTasks(self._group, self._on_known, self._on_fault)
        self._branches = [each for each in self._branches if not each.has_ended]
        self._branches.append(branch)
        return branch

    @property
    def has_ended(self) -> bool:
        """Whether everything was cancelled, and has ended."""
        return self._over and not self._running

    def start(self, name: str, work: Coroutine[Any, Any, object]) -> asyncio.Task[None] | None:
        """Run `work` as a task called `name`.

        After `cancel_all` nothing is started any more: Qt timers and signals may still fire while
        the window is being closed.
        """
        if self._over:
            work.close()
            return None
        task = self._group.create_task(self._guarded(work), name=name)
        self._running.add(task)
        task.add_done_callback(self._end)
        # A task that is cancelled before its first step never reaches `work`.
        task.add_done_callback(lambda _: work.close())
        return task

    def names(self) -> list[str]:
        """The names of the tasks that run, sorted."""
        return sorted(task.get_name() for task in self._running)

    def cancel_all(self, then: Callable[[], None] | None = None) -> None:
        """Cancel every task and start no more; `then` is called when the last one has ended.

        The group waits for them on exit.
        """
        self._over = True
        self._then = then or self._then
        for branch in self._branches:
            branch.cancel_all()
        for task in self._running:
            task.cancel()
        self._tell_end()

    def _end(self, task: asyncio.Task[None]) -> None:
        self._running.discard(task)
        self._tell_end()

    def _tell_end(self) -> None:
        if self.has_ended and self._then is not None:
            then, self._then = self._then, None
            then()

    async def _guarded(self, work: Coroutine[Any, Any, object]) -> None:
        try:
            await work
        except KnownError as e:
            self._on_known(e.said)
        except Exception as e:  # noqa: BLE001 - one handler's bug must not close the window
            self._on_fault(e)
