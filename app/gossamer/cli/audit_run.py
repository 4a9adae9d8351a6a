"""Brings the audit of a project up to date in the foreground, with progress, until an interrupt."""

import asyncio
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn

from gossamer.cli.interrupt_signals import calling_on_interrupt
from gossamer.model.messages.process_messages import ProcessStep
from gossamer.session.audit_process import audit_project
from gossamer.store.reading.reader import Reader


def ensure_audited(project: Path, *, quiet: bool) -> bool:
    """Decide the rules of the audit again if anything has changed since; False if interrupted.

    A project that is being crawled is audited as it is now. KnownError where it cannot be written.
    """
    with Reader(project) as reader:
        if reader.audit_state().is_current:
            return True
    with _progress(quiet=quiet) as show:
        return asyncio.run(_audit(project, show))


async def _audit(project: Path, show: Callable[[ProcessStep], None]) -> bool:
    async with asyncio.TaskGroup() as group:
        audit = group.create_task(audit_project(project, show), name="site audit")

        def interrupt() -> None:
            audit.cancel()

        with calling_on_interrupt(interrupt):
            await asyncio.wait({audit})
    return not audit.cancelled()


@contextmanager
def _progress(*, quiet: bool) -> Iterator[Callable[[ProcessStep], None]]:
    """The callback for the steps; it shows nothing if nobody watches."""
    if quiet or sys.stderr is None or not sys.stderr.isatty():
        yield lambda _: None
        return
    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn())
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True, auto_refresh=False) as bar:
        task = bar.add_task("Audit", total=None)

        def show(step: ProcessStep) -> None:
            bar.update(
                task,
                description=f"Audit: {step.stage}",
                completed=step.done,
                total=step.total,
                refresh=True,
            )

        yield show
