"""Waits for a process with a single task, with progress, until an interrupt."""

import asyncio
import sys
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from typing import Any, TypeAlias

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn

from gossamer.cli.interrupt_signals import calling_on_interrupt
from gossamer.model.messages.process_messages import ProcessStep

ShowStep: TypeAlias = Callable[[ProcessStep], None]


def run_in_foreground(
    name: str, work: Callable[[ShowStep], Coroutine[Any, Any, None]], *, quiet: bool
) -> bool:
    """Do `work`, with a callback for its steps; False if interrupted. Raises what it raises.

    The `name` precedes the bar.
    """
    with _progress(name, quiet=quiet) as show:
        return asyncio.run(_run(name, work(show)))


async def _run(name: str, work: Coroutine[Any, Any, None]) -> bool:
    async with asyncio.TaskGroup() as group:
        task = group.create_task(work, name=name)

        def interrupt() -> None:
            task.cancel()

        with calling_on_interrupt(interrupt):
            await asyncio.wait({task})
    return not task.cancelled()


@contextmanager
def _progress(name: str, *, quiet: bool) -> Iterator[ShowStep]:
    """The callback for the steps; it shows nothing if nobody watches."""
    if quiet or sys.stderr is None or not sys.stderr.isatty():
        yield lambda _: None
        return
    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn())
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True, auto_refresh=False) as bar:
        task = bar.add_task(name, total=None)

        def show(step: ProcessStep) -> None:
            bar.update(
                task,
                description=f"{name}: {step.stage}",
                completed=step.done,
                total=step.total,
                refresh=True,
            )

        yield show
