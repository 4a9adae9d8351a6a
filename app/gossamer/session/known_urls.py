"""Finds out whether any crawl of a series knows a URL, and suggests a similar one."""

from collections.abc import Iterator
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from gossamer.model.errors import ProjectError, UsageError
from gossamer.model.project_queries import Filter, View
from gossamer.model.series_contents import NoteSubject, ProjectLocation
from gossamer.session.project_locations import location_of
from gossamer.session.series import Series
from gossamer.store.reading.reader import Reader
from gossamer.urls.url_folders import folders

_MOST: Final = 2_000
"""URLs of a folder that are compared for a suggestion; more would take a second."""
_LEAST_ALIKE: Final = 0.75


def ensure_known(series: Series, url: str) -> None:
    """UsageError, with the most similar URL, if no available crawl knows the URL.

    `url` is serialised. A URL with a note is known; without any project, nothing is checked.
    """
    if series.notes(NoteSubject.URL, url):
        return
    meant: str | None = None
    is_read = False
    for project in _projects(series):
        with suppress(ProjectError), Reader(project) as reader:
            if reader.lookup(url) is not None:
                return
            meant = meant or _nearest(reader, url)
            is_read = True
    if not is_read:
        return
    if meant is None:
        raise UsageError(
            "No crawl of this site knows {url}; use --force if it is still to come.", url=url
        )
    raise UsageError(
        "No crawl of this site knows {url}; did you mean {meant}? Use --force if it is still to "
        "come.",
        url=url,
        meant=meant,
    )


def _projects(series: Series) -> Iterator[Path]:
    """The available projects, the latest first."""
    for crawl in reversed(series.crawls()):
        if location_of(crawl) is ProjectLocation.HERE:
            yield Path(crawl.project)


def _nearest(reader: Reader, url: str) -> str | None:
    """The known URL most similar to an unknown one; None if none is similar enough."""
    for each in _spellings(url):
        if reader.lookup(each) is not None:
            return each
    above = folders(url)
    for depth in range(len(above), 0, -1):
        folder = reader.folder_at(f"{'/'.join(above[:depth])}/")
        if folder is not None:
            return _most_like(url, reader, Filter(folder=folder))
    return _most_like(url, reader, Filter())


def _most_like(url: str, reader: Reader, among: Filter) -> str | None:
    from difflib import get_close_matches  # noqa: PLC0415 - rarely needed

    known = [each.url for each in islice(reader.iterate(View.ALL, among), _MOST)]
    return next(iter(get_close_matches(url, known, 1, _LEAST_ALIKE)), None)


def _spellings(url: str) -> list[str]:
    """The spellings that people take for the same URL."""
    parts = urlsplit(url)
    hosts = [parts.netloc, parts.netloc.removeprefix("www."), f"www.{parts.netloc}"]
    paths = [parts.path, parts.path.rstrip("/") or "/", f"{parts.path.rstrip('/')}/"]
    paths += [path.lower() for path in paths]
    return [
        parts._replace(scheme=scheme, netloc=host, path=path).geturl()
        for scheme in (parts.scheme, {"http": "https"}.get(parts.scheme, "http"))
        for host in hosts
        for path in paths
    ]
