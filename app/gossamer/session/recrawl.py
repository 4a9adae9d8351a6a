"""Crawls a project again: into a new project, or into one that replaces it in the end."""

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

from gossamer.model.archive_record import UPDATE_SUFFIX
from gossamer.model.crawl_state import CrawlState
from gossamer.model.errors import ProjectError
from gossamer.model.file_names import file_name
from gossamer.model.outcome import PAGES, Outcome
from gossamer.model.outcome_counts import count
from gossamer.model.secrets import NO_SECRETS, Secrets
from gossamer.model.translatable import Translatable, said
from gossamer.session.crawl_failure import crawl_failure
from gossamer.session.default_paths import SUFFIX
from gossamer.session.project_archive import linked_archive, replace_archive
from gossamer.session.project_files import delete_project
from gossamer.session.session_factory import NO_CHANGES, SessionFactory
from gossamer.session.snapshot_recorder import record_or_log
from gossamer.store.locking.file_identity import file_of
from gossamer.store.project_replacement import replace_project
from gossamer.store.reading.crawl_snapshot import read_identity
from gossamer.store.reading.reader import Reader
from gossamer.store.searching.index_files import index_of, remove_index

if TYPE_CHECKING:
    from gossamer.session.crawl_session import CrawlSession

_UPDATE: Final = f"{UPDATE_SUFFIX}{SUFFIX}"
_REDIRECTS: Final = frozenset(each for each in Outcome if each.is_redirect)


def start_recrawl(
    previous: Path,
    new: Path | None = None,
    changes: Mapping[str, object] = NO_CHANGES,
    *,
    secrets: Secrets = NO_SECRETS,
    sessions: SessionFactory | None = None,
) -> "CrawlSession":
    """A session on a new project that crawls `previous` again; `start` it.

    The project is at `new`, by default in the data folder. It has the settings of `previous`, with
    `changes` by name, and needs the same secrets. Raises UsageError for settings that cannot be
    used, ProjectError if `previous` cannot be read, or the new file cannot be made or exists.
    """
    return (sessions or SessionFactory()).create_recrawl(previous, new, changes, bound=secrets)


def update_path(file: Path) -> Path:
    """The path of the project that is to replace the one at `file`."""
    file = file_of(file)
    return file.with_name(file_name(file.stem, _UPDATE))


def start_update(
    file: Path,
    changes: Mapping[str, object] = NO_CHANGES,
    *,
    secrets: Secrets = NO_SECRETS,
    sessions: SessionFactory | None = None,
) -> "CrawlSession":
    """A session on the project that is to replace `file`, new or begun before.

    One that was begun before continues with its own settings, unless it has failed: then it is
    deleted. Raises as `start_recrawl` does.
    """
    sessions, aside = sessions or SessionFactory(), update_path(file)
    sessions.open(file).ensure_free()  # or the crawl would be in vain
    if not aside.exists():
        return start_recrawl(file, aside, changes, secrets=secrets, sessions=sessions)
    with Reader(aside) as reader, Reader(file) as of_file:
        previous, created_at = reader.summary().previous, of_file.summary().created_at
        state = reader.summary().state
    if previous is None or previous.created_at != created_at:
        raise ProjectError(
            "{aside} is in the way: it is not an update of the current {path}; move or delete it.",
            aside=aside,
            path=file,
        )
    session = sessions.open(aside)
    if state is CrawlState.FINISHED and update_failure(file) is not None:
        session.ensure_free()
        discard_update(file)
        return start_recrawl(file, aside, changes, secrets=secrets, sessions=sessions)
    session.add_secrets(secrets)
    return session


def update_failure(file: Path) -> Translatable | None:
    """Why the finished update of `file` must not replace it; None if it may.

    It has failed, or it has no page and `file` has some: a server that refuses every request, say.
    Of a list of URLs, redirects are results, too.
    """
    file = file_of(file)
    aside = update_path(file)
    if (why := crawl_failure(aside)) is not None:
        return why
    with Reader(aside) as reader, Reader(file) as of_file:
        results = PAGES | _REDIRECTS if reader.summary().settings.list_only else PAGES
        if count(reader.outcome_counts(), results) or not count(of_file.outcome_counts(), PAGES):
            return None
    return said("The new crawl has no page.")


def finish_update(file: Path) -> None:
    """Replace `file` by its finished, closed update, in one step.

    ProjectError, with nothing changed, if it is not finished or has an `update_failure`, or if
    somebody is writing either.
    """
    file = file_of(file)
    aside = update_path(file)
    with Reader(aside) as reader:
        state = reader.summary().state
    if state is not CrawlState.FINISHED:
        raise ProjectError("{aside} is not finished; resume it first.", aside=aside)
    if (why := update_failure(file)) is not None:
        raise ProjectError("{path} was not replaced: {reason}", path=file, reason=why)
    series, created_at = read_identity(file)
    with linked_archive(aside, file):
        replace_project(aside, file)
    remove_index(index_of(series, created_at))
    replace_archive(aside, file)
    record_or_log(file)  # its series knows it by the name that it had


def discard_update(file: Path) -> None:
    """Delete the failed update of `file`, and its figures in the series.

    ProjectError if it cannot be deleted.
    """
    from gossamer.session.series import series_of  # noqa: PLC0415 - it imports all audit rules

    aside = update_path(file)
    _, created_at = read_identity(aside)
    delete_project(aside)
    with suppress(ProjectError):  # a series that cannot be written has no figures of it either
        series_of(file, gather=False).remove_crawl(created_at)
