"""Exports from the command line: asked for, checked, written with progress, given up."""

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from app.cli.invocation import Export
from app.cli.signals import noting_interrupt
from app.cli.terminal import complain, remark
from app.cli.words import listed, number
from app.export.exporter import ExportCancelled, check_output, export
from app.export.sheets import ExportView
from app.model.errors import UsageError
from app.store.project import check

EXIT_INTERRUPTED: Final = 130


@dataclass(frozen=True, slots=True)
class WantedExport:
    """A view and the file it goes to."""

    view: ExportView
    out: Path


def wanted_exports(texts: Sequence[str], project: Path | None) -> list[WantedExport]:
    """What VIEW=FILE options ask for. UsageError or OutputError for what could not be written.

    Looked at before a crawl begins, so that nobody waits hours for a mistyped name.
    """
    wanted = [_wanted(text) for text in texts]
    files: set[Path] = set()
    for one in wanted:
        check_output(one.out, project)
        if (file := one.out.resolve()) in files:
            raise UsageError(f"Two exports go to {one.out}; name two files.")
        files.add(file)
    return wanted


def export_project(asked: Export) -> int:
    """Carry out `gossamer export`; the exit code."""
    wanted = WantedExport(_view(asked.view), asked.output)
    check_output(wanted.out, asked.project)
    check(asked.project)  # a project that cannot be used is told before progress is shown
    return write_exports(asked.project, [wanted], quiet=False)


def write_exports(project: Path, wanted: Sequence[WantedExport], *, quiet: bool) -> int:
    """Write them one after the other; the exit code: 0, or 130 when interrupted.

    Raises what `app.export.exporter.export` raises.
    """
    with noting_interrupt() as interrupted:
        for one in wanted:
            try:
                with _progress(one, quiet=quiet) as progress:
                    rows = export(
                        project, one.view, one.out, progress=progress, cancelled=interrupted
                    )
            except ExportCancelled:
                complain(f"The export was cancelled; {one.out} was not written.")
                return EXIT_INTERRUPTED
            if not quiet:
                remark(f"{one.view}: {number(rows)} rows in {one.out}")
    return 0


def _wanted(text: str) -> WantedExport:
    view, equals, file = text.partition("=")
    if not equals or not file:
        raise UsageError(f"{text!r} is not VIEW=FILE; write, for example, --export pages=out.csv.")
    # After an equals sign the shell does not expand "~".
    return WantedExport(_view(view), Path(file).expanduser())


def _view(name: str) -> ExportView:
    try:
        return ExportView(name)
    except ValueError:
        views = listed([view.value for view in ExportView], "or")
        raise UsageError(f"There is no view {name!r}; choose {views}.") from None


@contextmanager
def _progress(wanted: WantedExport, *, quiet: bool) -> Iterator[Callable[[int, int], None] | None]:
    """What to call with rows written and rows expected; None where nobody looks."""
    if quiet or sys.stderr is None or not sys.stderr.isatty():
        yield None
        return
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True, auto_refresh=False) as bar:
        task = bar.add_task(wanted.view.value, total=None)

        def show(rows: int, expected: int) -> None:
            bar.update(task, completed=rows, total=expected, refresh=True)

        yield show
