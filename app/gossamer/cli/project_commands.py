"""Runs the commands on project files: list, copy, rescue, delete, write settings."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Final

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn

from gossamer.cli import EXIT_INTERRUPTED
from gossamer.cli.crawl_summary import as_json
from gossamer.cli.interrupt_signals import noting_interrupt
from gossamer.cli.parsed_project_commands import (
    CopyCommand,
    DeleteCommand,
    ProjectsCommand,
    RescueCommand,
)
from gossamer.cli.parsed_settings_commands import SettingsCommand
from gossamer.cli.terminal import complain, printable, remark, write_out
from gossamer.model.errors import UsageError
from gossamer.model.number_format import number, size
from gossamer.session.known_projects import ProjectInfo, listed
from gossamer.session.project_files import (
    CopyCancelled,
    RescueCancelled,
    RescueReport,
    TableReport,
    copy_project,
    delete_project,
    rescue,
)
from gossamer.session.settings_file import save_settings, settings_text
from gossamer.store.project import stored_settings

_NAMES: Final = {"url": "URLs", "visit": "responses", "link": "links", "text": "texts"}


def list_projects(command: ProjectsCommand) -> int:
    """Run `gossamer projects` and return the exit code."""
    found = listed()
    if command.json:
        write_out(as_json({"projects": [_object(seen) for seen in found]}))
    else:
        write_out("".join(f"{_line(seen)}\n" for seen in found))
    return 0


def copy(command: CopyCommand) -> int:
    """Run `gossamer copy` and return the exit code."""
    with noting_interrupt() as interrupted, progress_bar("copy") as show:
        try:
            copy_project(command.project, command.output, show, interrupted)
        except CopyCancelled:
            complain(f"The copy was cancelled; {command.output} was not written.")
            return EXIT_INTERRUPTED
    remark(f"Copied to {command.output}")
    return 0


def rescue_project(command: RescueCommand) -> int:
    """Run `gossamer rescue` and return the exit code."""
    with noting_interrupt() as interrupted, progress_bar("rescue") as show:
        try:
            report = rescue(command.project, command.output, show, interrupted)
        except RescueCancelled:
            complain(f"The rescue was cancelled; {command.output} was not written.")
            return EXIT_INTERRUPTED
    write_out("".join(f"{line}\n" for line in rescue_lines(report)))
    remark(f"Saved to {command.output}")
    return 0


def delete(command: DeleteCommand) -> int:
    """Run `gossamer delete` and return the exit code."""
    if not command.yes:
        _confirm(f"Delete {printable(str(command.project))}?")
    delete_project(command.project)
    return 0


def write_settings(command: SettingsCommand) -> int:
    """Run `gossamer settings` and return the exit code."""
    stored = stored_settings(command.project)
    if command.output is None:
        text = settings_text(stored, all_roots=command.all_roots)
        write_out("".join(f"{printable(line)}\n" for line in text.splitlines()))
    else:
        save_settings(command.output, stored, replace=False, all_roots=command.all_roots)
    return 0


def rescue_lines(report: RescueReport) -> list[str]:
    """What a rescue saved and lost, as lines of text."""
    if report.whole:
        return ["Nothing was lost.", *(_saved(table) for table in report.tables)]
    damaged = (
        f"Damaged: {number(report.damaged_pages)} of {number(report.pages)} pages of the file,"
        f" {number(report.damaged_rows)} rows on other pages"
    )
    lines = [damaged, *(_saved(table) for table in report.tables)]
    if report.settings_lost:
        lines.append(
            "The settings were lost: roots were recovered from the URLs, the rest are defaults"
        )
    if report.identity_lost:
        lines.append(
            "When the crawl began, how long it took, or its series was lost, and is made up; or its"
            " previous crawl was lost"
        )
    if report.shard_lost:
        lines.append("If it was a shard, it is none any more, and cannot be merged with the others")
    if report.again:
        lines.append(f"{number(report.again)} URLs will be fetched again when the crawl is resumed")
    return lines


def _saved(table: TableReport) -> str:
    text = f"  {_NAMES[table.name]}: {number(table.saved)} saved"
    if table.lost:
        text += f", {number(table.lost)} lost"
    if table.gaps:
        gaps = ", ".join(f"{a}" if a == b else f"{a}-{b}" for a, b in table.gaps)
        text += f" (numbers {gaps})"
    return text


def _line(seen: ProjectInfo) -> str:
    if seen.trouble:
        return printable(str(seen.trouble))
    day = datetime.fromtimestamp(seen.changed_at).astimezone()
    held = f" by {seen.held_by}" if seen.held_by else ""
    counts = f"{number(seen.known - seen.queued)} of {number(seen.known)} URLs"
    roots = " ".join(seen.roots[:1])
    nothing = "" if seen.nothing is None else f", nothing found: {seen.nothing.sentence}"
    return printable(
        f"{day:%Y-%m-%d %H:%M}  {seen.state}{held}{nothing}  {counts}  {size(seen.size_bytes)}"
        f"  {roots}  {seen.path}"
    )


def _object(seen: ProjectInfo) -> dict[str, object]:
    return {
        "project": str(seen.path),
        "roots": list(seen.roots),
        "root_count": seen.root_count,
        "state": seen.state.value,
        "known": seen.known,
        "to_do": seen.queued,
        "nothing_found": None if seen.nothing is None else seen.nothing.name.lower(),
        "size": seen.size_bytes,
        "trouble": None if seen.trouble is None else str(seen.trouble),
    }


def _confirm(question: str) -> None:
    """Ask on the terminal; UsageError unless the answer is yes."""
    if sys.stdin is None or not sys.stdin.isatty():
        raise UsageError("There is no terminal to ask for confirmation; add --yes.")
    sys.stderr.write(f"{question} [y/N] ")
    sys.stderr.flush()
    if sys.stdin.readline().strip().lower() not in {"y", "yes"}:
        raise UsageError("Nothing was deleted.")


@contextmanager
def progress_bar(what: str) -> Iterator[Callable[[int, int], None]]:
    """The callback for the amount done and the total."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield lambda _done, _of: None
        return
    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn())
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task(what, total=None)
        yield lambda done, of: bar.update(task, completed=done, total=of)
