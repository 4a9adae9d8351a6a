"""Entry point of the command line: runs the parsed command and maps errors to exit codes."""

import os
import sys
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from gossamer import __version__
from gossamer.cli import EXIT_BUG, EXIT_INTERRUPTED
from gossamer.cli import shell_completion as completion
from gossamer.cli.terminal import complain, prepare_streams
from gossamer.model.errors import KnownError, UsageError, cause_of

if TYPE_CHECKING:
    from gossamer.cli.parsed_commands import Invocation
    from gossamer.session.crawl_host_pool import Begin, CrawlHostPool


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
        return completion.complete()
    if not arguments or names_target(arguments[0]):
        return open_window(_target(arguments))
    with _hosts(arguments, begin_host) as hosts:
        from gossamer.cli.command_parser import parse  # noqa: PLC0415 - the window needs no typer

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
    """The fault of the named project, if that may be why something failed."""
    cause = cause_of(error) if isinstance(error, BaseExceptionGroup) else error
    project = getattr(command, "project", None)
    if project is None or isinstance(cause, KnownError):
        return None
    from gossamer.store.row_validation import fault_of  # noqa: PLC0415 - seldom needed

    return fault_of(project)


@contextmanager
def _hosts(arguments: list[str], begin: "Begin | None") -> Iterator["CrawlHostPool | None"]:
    """With a crawl host that starts while we read the command line, if one will be needed."""
    if not starts_crawl(arguments):
        yield None
        return
    from gossamer.session.crawl_host_pool import (  # noqa: PLC0415 - other commands need none of it
        CrawlHostPool,
        launched_host,
    )

    with CrawlHostPool(begin or launched_host) as hosts:
        hosts.prepare()
        yield hosts


def starts_crawl(arguments: list[str]) -> bool:
    """Whether `arguments`, if they are valid, will need a crawl host."""
    crawls = arguments[0] in {"crawl", "resume", "recrawl", "import"}
    return crawls and not {"-h", "--help"}.intersection(arguments)


def names_target(argument: str) -> bool:
    """Whether `argument` is an address or a project file, not a command or an option."""
    if argument.startswith("-"):
        return False
    return argument == "localhost" or any(mark in argument for mark in ".:/\\")


def _target(arguments: list[str]) -> str | None:
    if len(arguments) > 1:
        raise UsageError(
            "The window takes one URL, project or web archive and no options; to crawl in the "
            "terminal, use 'gossamer crawl'."
        )
    return arguments[0] if arguments else None


def _perform(command: "Invocation", hosts: "CrawlHostPool | None") -> int:
    from gossamer.cli.command_table import run_command  # noqa: PLC0415 - help needs none of it

    return run_command(command, hosts)


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
