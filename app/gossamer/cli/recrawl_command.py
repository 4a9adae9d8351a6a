"""Runs `gossamer recrawl`: crawls a project again, into a new one or one that replaces it."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from gossamer.cli import EXIT_NO_ROOT
from gossamer.cli.changed_settings import changed_settings
from gossamer.cli.crawl_command import (
    check_new,
    conclude,
    crawled,
    gated,
    secrets_for,
    wanted,
)
from gossamer.cli.crawl_end_notification import telling_of_crawl
from gossamer.cli.fail_on import bounds_of
from gossamer.cli.foreground_crawl import RunResult
from gossamer.cli.parsed_commands import RecrawlCommand
from gossamer.cli.suggested_commands import resume_command, suggested_command
from gossamer.cli.terminal import complain, remark
from gossamer.model.crawl_state import CrawlState
from gossamer.model.errors import KnownError
from gossamer.model.secrets import Secrets
from gossamer.session.crawl_host_pool import CrawlHostPool
from gossamer.session.project_files import delete_project
from gossamer.session.recrawl import (
    discard_update,
    finish_update,
    start_recrawl,
    start_update,
    update_failure,
    update_path,
)
from gossamer.session.session_factory import SessionFactory
from gossamer.store.project import stored_settings
from gossamer.store.reading.crawl_snapshot import read_identity
from gossamer.store.reading.reader import Reader

if TYPE_CHECKING:
    from gossamer.session.crawl_session import CrawlSession


def recrawl(command: RecrawlCommand, hosts: CrawlHostPool | None) -> int:
    """Run `gossamer recrawl` and return the exit code.

    `hosts` may hold a crawl host that is ready.
    """
    present = stored_settings(command.project)
    changes = changed_settings(command.settings_file, dict(command.changes), present)
    settings = replace(present, **changes).checked()
    bounds = bounds_of(command.fail_on, settings)
    exports = wanted(command.exports, command.output, settings)
    if command.output is not None:
        check_new(command.output)
    settings, secrets, bound = secrets_for(command.credentials, settings, command.project)
    changes["login_form"] = settings.login_form
    session = _opened(command, changes, bound, SessionFactory(hosts))
    session.give(secrets)
    session.choose_cluster(settings.cluster_choice)
    chosen = frozenset(changes) - {"insecure_hosts"}  # reported each time
    try:
        ending = crawled(session, command.output_options, command.credentials, chosen=chosen)
    except KnownError:
        if session.state is CrawlState.NEW:  # a secret is missing, say: the same command works then
            delete_project(session.path)
        raise
    project = session.path
    again = resume_command(
        project, settings.cluster_choice, login_values=command.credentials.login_values
    )
    if command.update:
        again = suggested_command("recrawl", command.project, "--update")
        project = _updated(command.project, session.path, ending)
    failure = None
    if command.update and project != command.project and _is_finished(project):
        failure = update_failure(command.project)
    stays = failure is None
    with telling_of_crawl(project, ending, failure):
        code = conclude(project, ending, exports, command.output_options, again, stays=stays)
    if failure is not None and code in {0, EXIT_NO_ROOT}:
        discard_update(command.project)
        complain(
            f"{command.project} was not replaced, and the new crawl is deleted: it has no page of"
            " the site."
        )
        return EXIT_NO_ROOT
    return gated(code, project, bounds, quiet=command.output_options.quiet)


def _opened(
    command: RecrawlCommand, changes: Mapping[str, object], bound: Secrets, sessions: SessionFactory
) -> "CrawlSession":
    """The session of the new project, or of the update that was begun before."""
    if not command.update:
        return start_recrawl(
            command.project, command.output, changes, secrets=bound, sessions=sessions
        )
    aside = update_path(command.project)
    begun = read_identity(aside) if aside.exists() else None
    session = start_update(command.project, changes, secrets=bound, sessions=sessions)
    is_changed = bool(command.changes) or command.settings_file is not None
    if is_changed and read_identity(aside) == begun:
        remark("Going on with an update that was begun before, with the settings of that.")
    session.ensure_free()
    return session


def _updated(file: Path, aside: Path, ending: RunResult) -> Path:
    """Where the crawl is now: in place of `file`, if it finished with results."""
    if ending != RunResult() or not _is_finished(aside):
        return aside
    if update_failure(file) is not None:
        return aside
    finish_update(file)
    return file


def _is_finished(project: Path) -> bool:
    with Reader(project) as reader:
        return reader.summary().state is CrawlState.FINISHED
