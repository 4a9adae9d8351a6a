"""`gossamer crawl` and `resume`: announce, run, report, export; the exit code."""

import asyncio
import shlex
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from gossamer.cli.crawl_summary import addresses, as_json, remarks_on, report_object, report_text
from gossamer.cli.credentials import complete, keep, secrets_of
from gossamer.cli.fail_on import EXIT_GATE, Bound, bounds_of, exceeded
from gossamer.cli.invocation import CrawlCommand, CredentialOptions, OutputOptions, ResumeCommand
from gossamer.cli.progress_display import display
from gossamer.cli.root_check import RootsFound, look_at_roots
from gossamer.cli.session_runner import Ending, crawl_to_end
from gossamer.cli.terminal import complain, remark, write_out
from gossamer.cli.verbose import list_errors, list_settings
from gossamer.model.errors import ProjectError, UsageError
from gossamer.model.number_format import number
from gossamer.model.outcome import Outcome
from gossamer.model.settings import CrawlSettings
from gossamer.model.state import CrawlState
from gossamer.session.crawl_session import CrawlSession
from gossamer.session.host_pool import HostPool
from gossamer.session.offline_counters import progress_of
from gossamer.session.paths import SUFFIX, log_path
from gossamer.session.secret_extraction import separated
from gossamer.session.settings_file import read_changes
from gossamer.session.settings_warnings import cautions
from gossamer.session.trap_report import raised
from gossamer.store.reader import Reader

if TYPE_CHECKING:
    from gossamer.cli.export_command import WantedExport

EXIT_NO_ROOT: Final = 3
EXIT_INTERRUPTED: Final = 130
_IN_THE_LOG: Final = frozenset(
    {Outcome.PAGE_NOT_PARSED, Outcome.WORKER_DIED, Outcome.UNEXPECTED_ERROR}
)
"""What went wrong in Gossamer itself; the log has a traceback of each."""


def crawl(asked: CrawlCommand, hosts: HostPool | None) -> int:
    """Carry out `gossamer crawl`; the exit code. `hosts` may have a crawl host ready."""
    exports = _wanted(asked.exports, asked.output, asked.settings)
    bounds = bounds_of(asked.fail_on)
    if asked.output is not None:
        _check_new(asked.output)
    secrets, bound = secrets_of(asked.access)
    session = CrawlSession.create(asked.settings, asked.output, secrets, hosts, bound=bound)
    chosen = asked.chosen - {"insecure_hosts"}  # told each time
    code = _crawl(session, exports, asked.manner, asked.access, chosen=chosen)
    return _gated(code, session.path, bounds)


def resume(asked: ResumeCommand, hosts: HostPool | None) -> int:
    """Carry out `gossamer resume`; the exit code. `hosts` may have a crawl host ready."""
    bounds = bounds_of(asked.fail_on)
    session = CrawlSession.open(asked.project, hosts)
    exports = _wanted(asked.exports, asked.project, session.settings)
    session.ensure_free()
    changes = _changes(asked, session.settings)
    if changes:
        asyncio.run(session.change(changes))
    secrets, bound = secrets_of(asked.access)
    session.give(secrets)
    session.tell(bound)
    code = _crawl(session, exports, asked.manner, asked.access, changed=bool(changes))
    return _gated(code, session.path, bounds)


def _gated(code: int, project: Path, bounds: Sequence[Bound]) -> int:
    """The exit code of a crawl that ended with `code`, once it has been held to `bounds`."""
    if code or not bounds:
        return code
    with Reader(project) as reader:
        sentences = exceeded(bounds, progress_of(reader.summary()))
    for sentence in sentences:
        complain(sentence)
    return EXIT_GATE if sentences else 0


def _changes(asked: ResumeCommand, present: CrawlSettings) -> dict[str, object]:
    """The settings that a crawl is to go on with, by name; the roots stay in any case."""
    file = asked.settings_file
    changes = {} if file is None else read_changes(file)
    for name, value in asked.changes:
        if name in asked.adding and isinstance(value, tuple):
            changes[name] = tuple(dict.fromkeys((*getattr(present, name), *value)))
        else:
            changes[name] = value
    return changes


def _crawl(
    session: CrawlSession,
    exports: "Sequence[WantedExport]",
    manner: OutputOptions,
    access: CredentialOptions,
    *,
    chosen: frozenset[str] = frozenset(),
    changed: bool = False,
) -> int:
    announce(session, manner, chosen)
    ending = Ending()
    if session.state is not CrawlState.FINISHED or session.progress.queued or changed:
        complete(session)
        keep(session, access)
        with display(quiet=manner.quiet) as shown:
            ending = asyncio.run(crawl_to_end(session, shown))
    return conclude(session.path, ending, exports, manner, resume_command(session.path))


def announce(
    session: CrawlSession, manner: OutputOptions, chosen: frozenset[str] = frozenset()
) -> None:
    """Say what is crawled and where it is kept, and what to know before anything is sent.

    Not what the person has `chosen` just now, by the names of settings.
    """
    roots = addresses(session.settings)
    others = f" and {number(len(roots) - 1)} more" if len(roots) > 1 else ""
    if not manner.quiet:
        remark(f"Crawling {roots[0]}{others} into {session.path}")
    if manner.verbose:
        list_settings(session.settings)
    for setting, caution in cautions(session.settings).items():
        if setting not in chosen:
            remark(str(caution))


def conclude(
    project: Path,
    ending: Ending,
    exports: "Sequence[WantedExport]",
    manner: OutputOptions,
    again: str,
) -> int:
    """Report and export what the project holds now; the exit code.

    `again` is the command that goes on with a crawl that did not come to its end.
    """
    if ending.trouble is not None:
        complain(str(ending.trouble.sentence))
        _complain_of_log(project)
        complain(f"Go on with: {again}")
        return ending.trouble.exit_code
    if ending.forced:
        complain(f"Left at once; go on with: {again}")
        return EXIT_INTERRUPTED
    if ending.interrupted or ending.notice:
        try:
            _report(project, manner)
        except ProjectError as e:  # its disk is why it was interrupted
            complain(str(e))
        how = f"{ending.notice} Go" if ending.notice else "Interrupted; go"
        complain(f"{how} on with: {again}")
        return EXIT_INTERRUPTED
    roots = _report(project, manner)
    if not _exported(project, exports, manner):
        return EXIT_INTERRUPTED
    for sentence in roots.sentences:
        complain(sentence)
    return 0 if roots.any_fetched else EXIT_NO_ROOT


def _wanted(
    texts: Sequence[str], project: Path | None, settings: CrawlSettings
) -> "Sequence[WantedExport]":
    if not texts:
        return ()
    from gossamer.cli.export_command import wanted_exports  # noqa: PLC0415 - few crawls need the formats

    return wanted_exports(texts, project, settings)


def _exported(project: Path, exports: "Sequence[WantedExport]", manner: OutputOptions) -> bool:
    """Write them; False when interrupted."""
    if not exports:
        return True
    from gossamer.cli.export_command import write_exports  # noqa: PLC0415 - few crawls need the formats

    return write_exports(project, exports, quiet=manner.quiet) != EXIT_INTERRUPTED


def resume_command(project: Path) -> str:
    """What to type to go on with a project."""
    words = ["gossamer", "resume", str(project)]
    return subprocess.list2cmdline(words) if sys.platform == "win32" else shlex.join(words)


def _check_new(output: Path) -> None:
    """Raise where no new project is to be made; what else may fail is seen when it is made."""
    if output.suffix.lower() != SUFFIX:
        from gossamer.export.formats import suffix_of  # noqa: PLC0415 - few crawls need the formats

        if suffix_of(output) is not None:
            raise UsageError(
                f"-o names the project file; to write a view to {output}"
                f" use --export pages={output}."
            )
    try:
        there = output.is_file()
    except OSError:  # a name of 300 letters
        return
    if there:
        raise ProjectError(
            f"{output} is there already; choose another name,"
            f" or go on with that crawl: {resume_command(output)}"
        )


def _report(project: Path, manner: OutputOptions) -> RootsFound:
    """Say what is in the file, which is all that counts; what became of the roots."""
    with Reader(project) as reader:
        summary = reader.summary()
        roots = look_at_roots(reader)
        remarks = remarks_on(reader)
        if manner.verbose:
            list_errors(reader)
    progress = progress_of(summary)
    settings, _ = separated(summary.settings)
    if manner.json:
        write_out(as_json(report_object(progress, settings, project, remarks)))
    else:
        write_out(report_text(progress, settings, project, remarks))
    if (trapped := remarks.trapped) is not None:
        complain(str(trapped.sentence))
        higher = raised(settings.max_similar)
        complain(f"To go on there: {resume_command(project)} --max-similar {higher}")
    if _IN_THE_LOG.intersection(progress.outcomes):
        _complain_of_log(project)
    return roots


def _complain_of_log(project: Path) -> None:
    try:
        path = log_path(project)
    except OSError:
        return  # there is no place for logs, so there is none
    if path.exists():
        complain(f"The log is {path}")
