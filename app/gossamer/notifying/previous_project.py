"""Finds the crawl of the series with which one that has ended is compared."""

from contextlib import suppress
from pathlib import Path

from gossamer.model.errors import ProjectError
from gossamer.session.series import Series
from gossamer.store.reading.crawl_snapshot import read_identity
from gossamer.store.reading.reader import Reader


def previous_project(project: Path, series: Series) -> Path | None:
    """The previous crawl of a recrawl, else the last crawl before it whose file still exists.

    Failed crawls do not count.

    ProjectError if the project cannot be read.
    """
    with Reader(project) as reader:
        summary = reader.summary()
    crawls = series.crawls()
    failed = {each.created_at for each in crawls if each.has_failed}
    candidates = (
        [] if summary.previous is None else [(summary.previous.path, summary.previous.created_at)]
    )
    candidates += [
        (each.project, each.created_at)
        for each in reversed(crawls)
        if each.created_at < summary.created_at
    ]
    for path, created_at in candidates:
        if created_at not in failed and path and _is_there(Path(path), created_at):
            return Path(path)
    return None


def _is_there(path: Path, created_at: float) -> bool:
    """Whether that project is still at its path, and not another one."""
    with suppress(ProjectError):
        return path.is_file() and read_identity(path)[1] == created_at
    return False
