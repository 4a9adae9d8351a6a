"""Runs `gossamer crawl` and `resume`: crawls, reports, exports, and picks the exit code."""

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from gossamer.audit.over_budget_report import raised
from gossamer.cli import EXIT_GATE, EXIT_INTERRUPTED, EXIT_NO_ROOT
from gossamer.cli.changed_settings import changed_settings
from gossamer.cli.crawl_end_notification import long_wait_of, telling_of_crawl
from gossamer.cli.crawl_summary import (
    SummaryNotes,
    addresses,
    as_json,
    list_errors,
    list_settings,
    remarks_on,
    report_object,
    report_text,
)
from gossamer.cli.credentials import complete, remember, secrets_of
from gossamer.cli.fail_on import FailThreshold, bounds_of, exceeded
from gossamer.cli.foreground_crawl import RunResult, crawl_to_end
from gossamer.cli.parsed_commands import (
    CrawlCommand,
    CredentialOptions,
    FormChoice,
    OutputOptions,
    ResumeCommand,
)
from gossamer.cli.progress_display import display
from gossamer.cli.root_failures import RootCheck, check_roots
from gossamer.cli.setting_options import spelled_on, spelling
from gossamer.cli.suggested_commands import resume_command
from gossamer.cli.terminal import complain, listed, remark, write_out
from gossamer.model.crawl_progress import progress_of
from gossamer.model.crawl_state import CrawlState
from gossamer.model.errors import ProjectError, UsageError
from gossamer.model.fields.derived_rendering_fields import RenderStatus
from gossamer.model.messages.crawl_messages import Progress
from gossamer.model.number_format import number
from gossamer.model.outcome import Outcome
from gossamer.model.outcome_counts import needs_scripts
from gossamer.model.secrets import OriginSecrets, Secrets
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.translatable import Translatable
from gossamer.session.crawl_failure import as_told
from gossamer.session.crawl_host_pool import CrawlHostPool
from gossamer.session.crawl_secrets import split_off_secrets
from gossamer.session.crawl_session import CrawlSession
from gossamer.session.default_paths import SUFFIX, log_path
from gossamer.session.session_factory import SessionFactory
from gossamer.session.settings_warnings import (
    cautions,
    missing_browser,
    missing_dictionaries,
    missing_for_accessibility,
    without_effect,
)
from gossamer.store.reading.reader import Reader

if TYPE_CHECKING:
    from gossamer.export.view_bundles import Request

_IN_THE_LOG: Final = frozenset(
    {Outcome.PAGE_NOT_PARSED, Outcome.WORKER_DIED, Outcome.UNEXPECTED_ERROR}
)
"""Errors of Gossamer itself; the log has a traceback of each."""


def crawl(command: CrawlCommand, hosts: CrawlHostPool | None) -> int:
    """Run `gossamer crawl` and return the exit code.

    `hosts` may hold a crawl host that is ready.
    """
    exports = wanted(command.exports, command.output, command.settings)
    bounds = bounds_of(command.fail_on, command.settings)
    if command.output is not None:
        check_new(command.output)
    settings, secrets, bound = secrets_for(command.credentials, command.settings)
    session = SessionFactory(hosts).create(
        settings, command.output, secrets, bound=bound, begins_series=command.begins_series
    )
    chosen = command.chosen - {"insecure_hosts"}  # reported each time
    code = _crawl(session, exports, command.output_options, command.credentials, chosen=chosen)
    return gated(code, session.path, bounds, quiet=command.output_options.quiet)


def crawl_for_audit(command: CrawlCommand) -> tuple[Path, int]:
    """Crawl without a report; the project, and the exit code: if not 0, it is incomplete."""
    if command.output is not None:
        check_new(command.output)
    settings, secrets, bound = secrets_for(command.credentials, command.settings)
    session = SessionFactory().create(settings, command.output, secrets, bound=bound)
    chosen = command.chosen - {"insecure_hosts"}
    return session.path, _crawl(
        session, (), command.output_options, command.credentials, chosen=chosen
    )


def resume(command: ResumeCommand, hosts: CrawlHostPool | None) -> int:
    """Run `gossamer resume` and return the exit code.

    `hosts` may hold a crawl host that is ready.
    """
    session = SessionFactory(hosts).open_released(command.project)
    bounds = bounds_of(command.fail_on, session.settings)
    exports = wanted(command.exports, command.project, session.settings)
    session.ensure_free()
    typed = dict(command.changes)
    changes = changed_settings(command.settings_file, typed, session.settings, command.adding)
    settings, secrets, bound = secrets_for(command.credentials, session.settings, session.path)
    if settings.login_form != session.settings.login_form:
        changes["login_form"] = settings.login_form
    if changes:
        asyncio.run(session.change(changes))
    session.give(secrets)
    session.add_secrets(bound)
    code = _crawl(
        session,
        exports,
        command.output_options,
        command.credentials,
        changed=bool(changes or bound),
    )
    return gated(code, session.path, bounds, quiet=command.output_options.quiet)


def gated(code: int, project: Path, bounds: Sequence[FailThreshold], *, quiet: bool) -> int:
    """The exit code after `bounds` are applied to a crawl that ended with `code`."""
    if code or not bounds:
        return code
    if any(bound.is_of_issues for bound in bounds):
        from gossamer.cli.foreground_audit import ensure_audited  # noqa: PLC0415 - few crawls need it

        if not ensure_audited(project, quiet=quiet):
            return EXIT_INTERRUPTED
    with Reader(project) as reader:
        return gate(bounds, progress_of(reader.summary()), reader.issue_counts())


def gate(bounds: Sequence[FailThreshold], progress: Progress, issues: Mapping[int, int]) -> int:
    """The exit code for these counts; complains about each of the `bounds` that is exceeded."""
    sentences = exceeded(bounds, progress, issues)
    for sentence in sentences:
        complain(sentence)
    return EXIT_GATE if sentences else 0


def secrets_for(
    credentials: CredentialOptions, settings: CrawlSettings, project: Path | None = None
) -> tuple[CrawlSettings, OriginSecrets, Secrets]:
    """As `secrets_of`, after a login, if that is wanted; the settings have its form.

    The login of `project` is used if it is newer than the one that has expired there.
    """
    secrets, bound = secrets_of(credentials)
    if not (credentials.login or credentials.login_form):
        return settings, secrets, bound
    public, in_settings = split_off_secrets(settings, bound=bound)
    if credentials.login_form:
        from gossamer.cli.form_login_recording import record_login  # noqa: PLC0415 - few crawls need it

        choice = FormChoice(values=credentials.login_values)
        form, found = record_login(public, credentials.login_form, choice, in_settings)
        return replace(settings, login_form=form), secrets, bound.over(found)
    from gossamer.cli.login_command import login_for  # noqa: PLC0415 - likewise

    expired_s = 0.0
    if project is not None:
        with Reader(project) as reader:
            expired_s = reader.last_fetched(Outcome.LOGIN_REQUIRED)
    return settings, secrets, bound.over(login_for(public, in_settings, expired_s))


def _crawl(
    session: CrawlSession,
    exports: "Sequence[Request]",
    output_options: OutputOptions,
    credentials: CredentialOptions,
    *,
    chosen: frozenset[str] = frozenset(),
    changed: bool = False,
) -> int:
    again = resume_command(
        session.path, session.settings.cluster_choice, login_values=credentials.login_values
    )
    ending = crawled(session, output_options, credentials, chosen=chosen, changed=changed)
    with telling_of_crawl(session.path, ending):
        return conclude(session.path, ending, exports, output_options, again)


def crawled(
    session: CrawlSession,
    output_options: OutputOptions,
    credentials: CredentialOptions,
    *,
    chosen: frozenset[str] = frozenset(),
    changed: bool = False,
) -> RunResult:
    """Announce the crawl and run it, if there is something left to do."""
    announce(session, output_options, chosen)
    if session.state is CrawlState.FINISHED and not (session.progress.queued or changed):
        return RunResult()
    complete(session, credentials)
    remember(session, credentials)
    with display(quiet=output_options.quiet) as shown:
        running = crawl_to_end(session, shown, long_wait=long_wait_of(session.path))
        ending = asyncio.run(running)
    if session.settings.login_form is not None:  # which is sent again when it is resumed
        ending = replace(ending, wants_login=False)
    return ending


def announce(
    session: CrawlSession, output_options: OutputOptions, chosen: frozenset[str] = frozenset()
) -> None:
    """Announce the crawl, its project file and cautions before the first request.

    Leaves out cautions about settings that the user has just `chosen`.
    """
    roots = addresses(session.settings)
    others = f" and {number(len(roots) - 1)} more" if len(roots) > 1 else ""
    if not output_options.quiet:
        remark(f"Crawling {roots[0]}{others} into {session.path}")
    if output_options.verbose:
        list_settings(session.settings)
    # Without rendering, a crawl starts no browser.
    unsaid = chosen if session.settings.renders_pages else chosen | {"browser"}
    for setting, caution in cautions(session.settings).items():
        if setting not in unsaid:
            remark(str(caution))
    for sentence in _shortfalls(session.settings, chosen):
        complain(sentence)


def _shortfalls(settings: CrawlSettings, chosen: frozenset[str]) -> Iterator[str]:
    """What the settings require but the crawl cannot do: a sentence each."""
    for needed, names in without_effect(settings, chosen).items():
        verb = "has" if len(names) == 1 else "have"
        options = listed([spelling(name) for name in names])
        yield f"{options} {verb} no effect without {spelled_on(needed)}."
    yield from map(str, missing_dictionaries(settings))
    missing = (missing_browser(settings), missing_for_accessibility(settings))
    yield from map(str, filter(None, missing))


def conclude(
    project: Path,
    ending: RunResult,
    exports: "Sequence[Request]",
    output_options: OutputOptions,
    again: str,
    *,
    stays: bool = True,
) -> int:
    """Report and export the project's contents; return the exit code.

    `again` resumes a crawl that did not finish. The report does not name a project that is not
    kept.
    """
    if ending.trouble is not None:
        complain(str(ending.trouble.sentence))
        _complain_of_log(project)
        complain(f"Resume with: {again}")
        return ending.trouble.exit_code
    if ending.forced:
        complain(f"Quit at once; resume with: {again}")
        return EXIT_INTERRUPTED
    if ending.interrupted or ending.notice:
        try:
            _report(project, output_options)
        except ProjectError as e:  # its disk is why it was interrupted
            complain(str(e))
        if ending.wants_login:
            again += " --login"
        how = f"{ending.notice} Resume" if ending.notice else "Interrupted; resume"
        complain(f"{how} with: {again}")
        return EXIT_INTERRUPTED
    roots = _report(project, output_options, stays=stays)
    if not _exported(project, exports, output_options):
        return EXIT_INTERRUPTED
    for sentence in roots.sentences:
        complain(sentence)
    return 0 if roots.shows_site else EXIT_NO_ROOT


def wanted(
    texts: Sequence[str], project: Path | None, settings: CrawlSettings
) -> "Sequence[Request]":
    """The requested exports; UsageError for impossible ones."""
    if not texts:
        return ()
    from gossamer.cli.export_command import wanted_exports  # noqa: PLC0415 - few crawls need the formats

    return wanted_exports(texts, project, settings)


def _exported(project: Path, exports: "Sequence[Request]", output_options: OutputOptions) -> bool:
    """Write the exports; False if interrupted."""
    if not exports:
        return True
    from gossamer.cli.export_command import write_exports  # noqa: PLC0415 - few crawls need the formats

    return write_exports(project, exports, quiet=output_options.quiet) != EXIT_INTERRUPTED


def check_new(output: Path) -> None:
    """Raise if `output` cannot become a new project; creating it detects all other errors."""
    if output.suffix.lower() != SUFFIX:
        from gossamer.export.formats import suffix_of  # noqa: PLC0415 - few crawls need the formats

        if suffix_of(output) is not None:
            raise UsageError(
                f"-o sets the project file; to export a view to {output},"
                f" use --export pages={output}."
            )
    try:
        there = output.is_file()
    except OSError:  # a name of 300 letters
        return
    if there:
        raise ProjectError(
            f"{output} already exists; choose another name,"
            f" or resume that crawl: {resume_command(output)}"
        )


def _report(project: Path, output_options: OutputOptions, *, stays: bool = True) -> RootCheck:
    """Print the report from the project file; return what became of the roots."""
    with Reader(project) as reader:
        summary = reader.summary()
        roots = check_roots(reader, summary.settings, told=output_options.roots)
        remarks = remarks_on(reader)
        gaps = _proofreading_gaps(reader, summary.settings)
        if output_options.verbose:
            list_errors(reader)
    progress = as_told(progress_of(summary), shows_site=roots.shows_site)
    named = project if stays else None
    settings, _ = split_off_secrets(summary.settings)
    report = progress, settings, named, remarks
    if output_options.report:
        write_out(as_json(report_object(*report)) if output_options.json else report_text(*report))
    if (trapped := remarks.trapped) is not None:
        complain(str(trapped.sentence))
        higher = raised(settings.max_similar)
        complain(f"To fetch more of them: {resume_command(project)} --max-similar {higher}")
    for gap in gaps:
        complain(str(gap))
    _complain_of_rendering(progress, settings, remarks)
    if _IN_THE_LOG.intersection(progress.outcomes):
        _complain_of_log(project)
    return roots


def _complain_of_rendering(
    progress: Progress, settings: CrawlSettings, remarks: SummaryNotes
) -> None:
    """Say what pages lack because they were not rendered, and what to do."""
    if not settings.renders_pages:
        if needs_scripts(progress.outcomes, is_over=True):
            complain(
                "Pages of this site are empty without JavaScript. Crawl it again with "
                "'--render on' to see their text and links."
            )
        return
    pages = remarks.rendering.get(RenderStatus.NO_BROWSER, 0)
    if pages and not missing_browser(settings):
        complain(
            f"The browser did not start, so pages were not rendered: {number(pages)}. The log says "
            "why; 'gossamer browser' lists the browsers of this computer."
        )


def _proofreading_gaps(reader: Reader, settings: CrawlSettings) -> list[Translatable]:
    if not settings.proofreads_pages:
        return []
    from gossamer.audit.proofreading_gaps import proofreading_gaps  # noqa: PLC0415 - off by default

    return proofreading_gaps(reader, settings)


def _complain_of_log(project: Path) -> None:
    try:
        path = log_path(project)
    except OSError:
        return  # there is no place for logs, so there is none
    if path.exists():
        complain(f"See the log: {path}")
