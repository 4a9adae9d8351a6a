"""Writing a view of a project into a file that appears only when it is complete."""

import errno
import os
import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from app.export.formats import format_for
from app.export.sheet import Format, Options, Row, Sheet
from app.export.sheets import ExportView, sheet
from app.model.errors import OutputError
from app.store.reader import Reader

_REPORTED_EVERY = 500
_DEFAULTS = Options()


class ExportCancelled(Exception):  # noqa: N818 - not an error: somebody asked for it
    """The export was cancelled; there is no file, or still the one from before."""


def export(
    project: Path,
    view: ExportView,
    out: Path,
    *,
    progress: Callable[[int, int], None] | None = None,
    cancelled: Callable[[], bool] | None = None,
    options: Options = _DEFAULTS,
) -> int:
    """Write a view of `project` to `out`, in the format of its suffix; the number of rows.

    Reads what is committed, also while a crawl runs. An existing file is replaced at the end, in
    one step. `progress` is called with the rows written and about how many there will be, at
    least once at the end, when both are the same. `cancelled` is asked for every row.

    Blocks: run it on a thread. Raises UsageError for an unknown suffix, ProjectError, OutputError
    when the file cannot be written, ExportCancelled.
    """
    format_ = check_output(out, project)
    counter = _Counter(progress, cancelled)
    with Reader(project) as reader:
        whole = sheet(reader, view, counter.check)
        watched = replace(whole, rows=counter.watch(whole))
        _write(out, format_, watched, options)
    counter.report(counter.rows)
    return counter.rows


def check_output(out: Path, project: Path | None = None) -> Format:
    """The format of `out`, which can be written as far as can be told before any work is done.

    Raises UsageError for an unknown suffix, OutputError for a place where no file can be written
    or where one must not be replaced, such as the `project` itself.
    """
    format_ = format_for(out)
    with _translated(out):
        if not out.parent.is_dir():
            raise OutputError(f"There is no folder {out.parent}; make it first.")
        if out.is_dir():
            raise OutputError(f"{out} is a folder; add a file name.")
        if out.exists() and not out.is_file():
            raise OutputError(f"{out} is not a file; choose another name.")
        if project is not None and out.exists() and project.exists() and out.samefile(project):
            raise OutputError(f"{out} is the project itself; choose another name.")
        if not os.access(out.parent, os.W_OK):
            raise OutputError(f"The folder {out.parent} cannot be written; choose another place.")
    return format_


class _Counter:
    """Counts rows on their way to the file, reports them, and stops them when cancelled."""

    def __init__(
        self,
        progress: Callable[[int, int], None] | None,
        cancelled: Callable[[], bool] | None,
    ) -> None:
        self.rows = 0
        self._progress = progress
        self._cancelled = cancelled

    def check(self) -> None:
        if self._cancelled is not None and self._cancelled():
            raise ExportCancelled

    def report(self, expected: int) -> None:
        if self._progress is not None:
            self._progress(self.rows, max(self.rows, expected))

    def watch(self, whole: Sheet) -> Iterator[Row]:
        for row in whole.rows:
            self.check()
            yield row
            self.rows += 1
            if self.rows % _REPORTED_EVERY == 0:
                self.report(whole.expected)
        self.check()


def _write(out: Path, format_: Format, whole: Sheet, options: Options) -> None:
    # In the same folder, so that it can take the place of `out` in one step.
    part = out.parent / f".gossamer-{secrets.token_hex(8)}.part"
    with _translated(out):
        try:
            part.open("xb").close()
            format_(part, whole, options)
            with part.open("rb+") as file:
                os.fsync(file.fileno())
            part.replace(out)
        finally:
            part.unlink(missing_ok=True)


@contextmanager
def _translated(out: Path) -> Iterator[None]:
    try:
        yield
    except OSError as e:
        if e.errno in {errno.ENOSPC, errno.EDQUOT}:
            raise OutputError(
                f"The disk is full; free some space, then export {out.name} again."
            ) from e
        reason = e.strerror or type(e).__name__
        raise OutputError(f"{out} cannot be written ({reason}); choose another place.") from e
