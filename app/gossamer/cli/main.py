"""Entry point of the command line: runs the parsed command and maps errors to exit codes."""

import gc
import os
import sys
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final

from gossamer import __version__
from gossamer.cli import EXIT_BUG, EXIT_INTERRUPTED
from gossamer.cli import shell_completion as completion
from gossamer.cli.terminal import complain, prepare_streams
from gossamer.model.errors import KnownError, UsageError, cause_of

if TYPE_CHECKING:
    from gossamer.cli.parsed_commands import Invocation, Keeping, OfSeries
    from gossamer.cli.parsed_schedule_commands import OfSchedules
    from gossamer.session.host_pool import Begin, HostPool

_COLLECT_AFTER: Final = 100_000
"""New objects. Imports leave no garbage: to look for it after every 700 objects takes 10 ms."""


def run_cli(
    arguments: list[str],
    open_window: Callable[[str | None], int],
    begin_host: "Begin | None" = None,
) -> int:
    """Run the command in `arguments` (without the program's name) and return the exit code.

    `open_window` opens the window on a URL or project file, if any; it is called if `arguments`
    name no command. `begin_host` starts the first crawl host, by its name if it is None; it is
    called while there is neither a thread nor a loop. The codes are listed in docs/command-line.md.
    Never raises; a failure is one sentence on standard error.
    """
    prepare_streams()
    try:
        return _run(arguments, open_window, begin_host)
    except KeyboardInterrupt:
        complain("Interrupted.")
        return EXIT_INTERRUPTED
    except Exception as e:  # noqa: BLE001 - the last line of defence: a sentence and a log
        return _failed(e)


def _run(
    arguments: list[str],
    open_window: Callable[[str | None], int],
    begin_host: "Begin | None",
) -> int:
    if completion.is_asked():
        return completion.answer()
    if not arguments or names_target(arguments[0]):
        return open_window(_target(arguments))
    gc.set_threshold(_COLLECT_AFTER)
    with _hosts(arguments, begin_host) as hosts:
        from gossamer.cli.commands import parse  # noqa: PLC0415 - the window needs no typer

        command = parse(arguments)
        if isinstance(command, int):
            return command
        try:
            return _perform(command, hosts)
        except Exception as e:
            if (fault := _fault_of_project(command, e)) is not None:
                raise fault from e
            raise


def _fault_of_project(command: "Invocation", error: Exception) -> KnownError | None:
    """What is wrong with the project that was named, if that may be why something failed."""
    cause = cause_of(error) if isinstance(error, BaseExceptionGroup) else error
    project = getattr(command, "project", None)
    if project is None or isinstance(cause, KnownError):
        return None
    from gossamer.store.row_validation import fault_of  # noqa: PLC0415 - seldom needed

    return fault_of(project)


@contextmanager
def _hosts(arguments: list[str], begin: "Begin | None") -> Iterator["HostPool | None"]:
    """With a crawl host that comes up while we read the command line, if one will be wanted."""
    if not starts_crawl(arguments):
        yield None
        return
    from gossamer.session.host_pool import (  # noqa: PLC0415 - other commands need none of it
        HostPool,
        launched_host,
    )

    with HostPool(begin or launched_host) as hosts:
        hosts.prepare()
        yield hosts


def starts_crawl(arguments: list[str]) -> bool:
    """Whether `arguments` will want a crawl host, if there is nothing wrong with them."""
    crawls = arguments[0] in {"crawl", "resume", "recrawl"}
    return crawls and not {"-h", "--help"}.intersection(arguments)


def names_target(argument: str) -> bool:
    """Whether `argument` is an address or a project file, not a command or an option."""
    if argument.startswith("-"):
        return False
    return argument == "localhost" or any(mark in argument for mark in ".:/\\")


def _target(arguments: list[str]) -> str | None:
    if len(arguments) > 1:
        raise UsageError(
            "The window takes one URL or project file and no options; to crawl in the terminal, "
            "use 'gossamer crawl'."
        )
    return arguments[0] if arguments else None


def _perform(  # noqa: PLR0911, PLR0912, C901 - one for each command
    command: "Invocation", hosts: "HostPool | None"
) -> int:
    """Run a command. Each one imports only what it needs, so that help stays fast."""
    from gossamer.cli import parsed_commands, parsed_schedule_commands  # noqa: PLC0415 - help needs none of it

    match command:
        case parsed_commands.CrawlCommand():
            from gossamer.cli.crawl_command import crawl  # noqa: PLC0415 - help needs none of it

            return crawl(command, hosts)
        case parsed_commands.ResumeCommand():
            from gossamer.cli.crawl_command import resume  # noqa: PLC0415 - help needs none of it

            return resume(command, hosts)
        case parsed_commands.RecrawlCommand():
            from gossamer.cli.recrawl_command import recrawl  # noqa: PLC0415 - help needs none of it

            return recrawl(command, hosts)
        case parsed_commands.ExportCommand():
            from gossamer.cli.export_command import export_project  # noqa: PLC0415 - help needs none of it

            return export_project(command)
        case parsed_commands.InfoCommand():
            from gossamer.cli.info_command import show_info  # noqa: PLC0415 - help needs none of it

            return show_info(command)
        case parsed_commands.ForgetCommand():
            from gossamer.cli.credentials import forget  # noqa: PLC0415 - help needs none of it

            return forget(command)
        case parsed_commands.LoginCommand():
            from gossamer.cli.login_command import log_in  # noqa: PLC0415 - help needs none of it

            return log_in(command)
        case parsed_commands.DemoCommand():
            from gossamer.cli.demo_command import demo  # noqa: PLC0415 - help needs none of it

            return demo(command)
        case parsed_commands.CompletionCommand():
            return completion.show_script(command.shell)
        case _ if isinstance(command, parsed_commands.OfSeries):
            return _perform_on_series(command)
        case _ if isinstance(command, parsed_schedule_commands.OfSchedules):
            return _perform_on_schedules(command)
        case _:
            return _perform_on_files(command)


def _perform_on_files(command: "Keeping") -> int:  # noqa: PLR0911, PLR0912, C901 - one for each command
    from gossamer.cli import parsed_commands, project_commands  # noqa: PLC0415 - help needs none of it

    match command:
        case parsed_commands.ProjectsCommand():
            return project_commands.list_projects(command)
        case parsed_commands.CopyCommand():
            return project_commands.copy(command)
        case parsed_commands.RescueCommand():
            return project_commands.rescue_project(command)
        case parsed_commands.DeleteCommand():
            return project_commands.delete(command)
        case parsed_commands.SettingsCommand():
            return project_commands.write_settings(command)
        case parsed_commands.CrawlersCommand():
            from gossamer.cli.access_command import show_crawlers  # noqa: PLC0415 - few need it

            return show_crawlers(command)
        case parsed_commands.RobotsCommand():
            from gossamer.cli.access_command import try_robots  # noqa: PLC0415 - few need it

            return try_robots(command)
        case parsed_commands.AuditCommand():
            from gossamer.cli.audit_command import audit  # noqa: PLC0415 - few need it

            return audit(command)
        case parsed_commands.CompareCommand():
            from gossamer.cli.compare_command import compare  # noqa: PLC0415 - few need it

            return compare(command)
        case parsed_commands.BrowserCommand():
            from gossamer.cli.browser_command import show_browsers  # noqa: PLC0415 - few need it

            return show_browsers(command)
        case parsed_commands.MeasureCommand():
            from gossamer.cli.measure_command import measure  # noqa: PLC0415 - few need it

            return measure(command)
        case parsed_commands.ProfilesCommand():
            from gossamer.cli.profile_commands import handle_profiles  # noqa: PLC0415 - few need them

            return handle_profiles(command)


def _perform_on_series(command: "OfSeries") -> int:
    from gossamer.cli import note_command, parsed_commands, series_command  # noqa: PLC0415 - few need it

    match command:
        case parsed_commands.ListSeriesCommand():
            return series_command.list_series(command)
        case parsed_commands.ShowSeriesCommand():
            return series_command.show_series(command)
        case parsed_commands.AddNoteCommand():
            return note_command.add_note(command)
        case parsed_commands.ListNotesCommand():
            return note_command.list_notes(command)
        case parsed_commands.RemoveNoteCommand():
            return note_command.remove_note(command)


def _perform_on_schedules(command: "OfSchedules") -> int:
    from gossamer.cli import parsed_schedule_commands, schedule_command  # noqa: PLC0415 - few need it

    match command:
        case parsed_schedule_commands.AddScheduleCommand():
            return schedule_command.add_schedule(command)
        case parsed_schedule_commands.ListSchedulesCommand():
            return schedule_command.list_schedules(command)
        case parsed_schedule_commands.ShowScheduleCommand():
            return schedule_command.show_schedule(command)
        case parsed_schedule_commands.ChangeScheduleCommand():
            return schedule_command.change_schedule(command)
        case parsed_schedule_commands.RunScheduleCommand():
            return schedule_command.run_schedules(command)


def _failed(error: Exception) -> int:
    """Report an error and return its exit code."""
    cause = cause_of(error) if isinstance(error, BaseExceptionGroup) else error
    if isinstance(cause, KnownError):
        complain(str(cause))
        return cause.exit_code

    where = log_bug(error)
    place = f"the details are in {where}" if where else "the details could not be logged"
    complain(f"An unexpected error occurred ({type(cause).__name__}: {cause}); {place}.")
    if not where:
        traceback.print_exception(error)
    return EXIT_BUG


def log_bug(error: BaseException) -> Path | None:
    """Append the traceback to the command line's log; its path, None if it cannot be written."""
    now = datetime.now().astimezone().isoformat(timespec="seconds")
    command = " ".join(_unspoken(sys.argv[1:]))
    trace = "".join(traceback.format_exception(error))
    try:
        from gossamer.ipc.log_file import opened_log  # noqa: PLC0415 - what is broken may be this
        from gossamer.session.default_paths import program_log  # noqa: PLC0415 - likewise

        path = program_log()
        with os.fdopen(opened_log(path), "a", encoding="utf-8", errors="backslashreplace") as log:
            log.write(f"{now} Gossamer {__version__}: {command}\n{trace}\n")
    except (OSError, ImportError):
        return None
    return path


def _unspoken(arguments: list[str]) -> list[str]:
    """The command and the names of its options, without their values, which may be passwords."""
    return [
        word.partition("=")[0]
        for number, word in enumerate(arguments)
        if word.startswith("--") or (number == 0 and word.isalpha())
    ]
