"""Creates sessions: with new project files or on existing ones."""

import asyncio
import logging
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from msgspec import structs

from gossamer.extract.pattern_syntax import check_patterns
from gossamer.model.errors import KnownError, ProjectError
from gossamer.model.previous_crawl import PreviousCrawlReference
from gossamer.model.secrets import NO_SECRETS, NOTHING_SECRET, OriginSecrets, Secrets
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.settings.user_agents import user_agent_of
from gossamer.session.cluster_use import ensure_usable
from gossamer.session.crawl_host_pool import CrawlHostPool
from gossamer.session.crawl_secrets import split_off_new_secrets, split_off_secrets
from gossamer.session.default_paths import new_project_path
from gossamer.session.keyring import forget
from gossamer.session.session_timings import USUAL_TIMINGS, SessionTimings
from gossamer.session.snapshot_recorder import keep_segments_or_log
from gossamer.store.series_paths import series_path
from gossamer.urls.scope_and_limits import Scope
from gossamer.urls.series_id import site_series_id
from gossamer.urls.url_parsing import parse_root

if TYPE_CHECKING:
    from gossamer.session.crawl_session import CrawlSession
    from gossamer.session.form_login import FormLogin
    from gossamer.session.login import BrowserLogin


_log = logging.getLogger(__name__)

_MAX_TRIES: Final = 100
NO_CHANGES: Final[Mapping[str, object]] = MappingProxyType({})


def checked_settings(
    settings: CrawlSettings,
    secrets: OriginSecrets = NOTHING_SECRET,
    bound: Secrets = NO_SECRETS,
) -> tuple[CrawlSettings, Secrets]:
    """Settings that a new crawl can begin with, and what is secret in them or beside them.

    UsageError for settings that cannot be used.
    """
    typed = structs.replace(
        settings.checked(),
        needs_secrets=(),
        turns=(),
        user_agent=user_agent_of(settings.user_agent),
    )
    public, kept = split_off_secrets(typed, secrets.checked(), bound)
    Scope(public)
    check_patterns(public)
    for sitemap in public.sitemaps:
        parse_root(sitemap)
    return public, kept


class SessionFactory:
    """Makes the sessions of one shell, which share the crawl host started in advance."""

    def __init__(
        self, hosts: CrawlHostPool | None = None, timings: SessionTimings = USUAL_TIMINGS
    ) -> None:
        """`hosts` provides crawl hosts; by default, each is started when needed."""
        self._hosts = hosts or CrawlHostPool()
        self._timings = timings

    def create(
        self,
        settings: CrawlSettings,
        path: Path | None = None,
        secrets: OriginSecrets = NOTHING_SECRET,
        *,
        bound: Secrets = NO_SECRETS,
        previous: Path | None = None,
        begins_series: bool = False,
    ) -> "CrawlSession":
        """A session on a new project file, by default in the data folder.

        The crawl continues the series of the project `previous`, where that can be read; else that
        of other crawls from the same URLs, unless it `begins_series` of its own. Without segments
        it begins with those of the series; its own, the series takes over.

        `secrets`, and what is secret in the settings, are for the one origin that the roots have,
        what is `bound` for the origins that it names. They are kept in memory (see
        `gossamer.session.crawl_secrets`); the file names them, no more. Raises UsageError for
        settings that cannot be used, ProjectError where the file cannot be made or exists already.
        """
        settings, kept = checked_settings(settings, secrets, bound)
        series = "" if begins_series else _series_id(previous) or site_series_id(settings.roots)
        ensure_usable(settings, kept)
        own = settings.segments
        if not own and series:
            settings = structs.replace(settings, segments=_segments_of(series))
        session = self._new(settings, path, series=series)
        if own:
            keep_segments_or_log(session.path, own)
        session.add_secrets(kept)
        return session

    def create_recrawl(
        self,
        previous: Path,
        path: Path | None = None,
        changes: Mapping[str, object] = NO_CHANGES,
        *,
        bound: Secrets = NO_SECRETS,
    ) -> "CrawlSession":
        """A session on a new project that crawls the project `previous` again, with `changes`.

        It has all other settings of that, what was decided about folders included, with the
        segments that the series has now, which changed ones replace, and needs the same secrets.
        Raises as `create` does, ProjectError also where `previous` cannot be used.
        """
        from gossamer.session.series import next_segments  # noqa: PLC0415 - the window's start does without
        from gossamer.store import project  # noqa: PLC0415 - likewise
        from gossamer.store.reading.reader import Reader  # noqa: PLC0415 - likewise

        project.check(previous)
        with Reader(previous) as reader:
            summary = reader.summary()
        segments = next_segments(previous)
        own = {} if segments is None else {"segments": segments}
        wanted = structs.replace(summary.settings, **{**own, **changes}).checked()
        wanted = structs.replace(wanted, user_agent=user_agent_of(wanted.user_agent))
        # Made from an archive or not, a recrawl requests the site itself.
        wanted = structs.replace(wanted, source=None)
        settings, kept = split_off_new_secrets(summary.settings, wanted, bound)
        reference = PreviousCrawlReference(str(previous.absolute()), summary.created_at)
        session = self._new(settings, path, reference)
        if "segments" in changes:
            keep_segments_or_log(session.path, settings.segments)
        session.add_secrets(kept)
        return session

    def _new(
        self,
        settings: CrawlSettings,
        path: Path | None,
        previous: PreviousCrawlReference | None = None,
        series: str = "",
    ) -> "CrawlSession":
        from gossamer.store import project  # noqa: PLC0415 - the window's start does without

        Scope(settings)
        check_patterns(settings)
        for sitemap in settings.sitemaps:
            parse_root(sitemap)
        create = partial(project.create, settings=settings, previous=previous, series=series)
        if path is None:
            path = _created(create, parse_root(settings.roots[0]))
        else:
            create(path)
        session = self._session_of(path)  # unchecked: nobody else has written to it
        session.choose_cluster(settings.cluster_choice)
        return session

    def open(self, path: Path) -> "CrawlSession":
        """A session on an existing project; ProjectError with the reason if that fails."""
        from gossamer.store import project  # noqa: PLC0415 - the window's start does without

        project.check(path)
        return self._session_of(path)

    def _session_of(self, path: Path) -> "CrawlSession":
        from gossamer.session.crawl_session import CrawlSession  # noqa: PLC0415 - the window's start does without
        from gossamer.store.reading.reader import Reader  # noqa: PLC0415 - likewise

        with Reader(path) as reader:
            return CrawlSession(path, reader.summary(), self._hosts, self._timings)

    def open_released(self, path: Path) -> "CrawlSession":
        """As `open`, once no ending process, such as that of a killed shell, has the project."""
        from gossamer.session.crawl_host_connection import wait_for_endings  # noqa: PLC0415 - the window's start does without

        wait_for_endings(path)
        return self.open(path)

    def login(self, settings: CrawlSettings, secrets: Secrets, url: str = "") -> "BrowserLogin":
        """A browser window in which somebody logs in to the roots of `settings`, not yet open.

        It shows `url` first, by default the first root.
        """
        from gossamer.session.login import BrowserLogin  # noqa: PLC0415 - few log in

        return BrowserLogin(settings, url, secrets)

    def form_login(self, settings: CrawlSettings, secrets: Secrets) -> "FormLogin":
        """A login with a form for a crawl with these settings, not yet begun."""
        from gossamer.session.form_login import FormLogin  # noqa: PLC0415 - few log in

        return FormLogin(settings, secrets)

    async def forget_secrets(self, origins: Iterable[str]) -> tuple[str, ...]:
        """Remove the secrets of `origins` from the system's keyring; returns those that had any.

        UsageError if it cannot be opened.
        """
        return await asyncio.to_thread(forget, origins)


def _created(create: Callable[[Path], None], root: str) -> Path:
    """The path of a project that `create` makes for a crawl of `root` in the data folder."""
    for _ in range(_MAX_TRIES):
        path = new_project_path(root)
        try:
            create(path)
        except ProjectError:
            if path.exists():  # made meanwhile: another crawl of the host began in this second
                continue
            raise
        return path
    raise ProjectError("{path} already exists; choose another name.", path=path)


def _series_id(project: Path | None) -> str:
    """The id of the series of a project; "" for none, and where it cannot be read."""
    from gossamer.store.reading.crawl_snapshot import read_identity  # noqa: PLC0415 - the window's start does without

    if project is None:
        return ""
    try:
        return read_identity(project)[0]
    except ProjectError as e:
        _log.warning("%s", e)
        return ""


def _segments_of(series_id: str) -> tuple[str, ...]:
    """The segments of a series that has a file; () for none, and where they cannot be used."""
    if not series_path(series_id).exists():
        return ()
    from gossamer.model.segments import parse_segments  # noqa: PLC0415 - most crawls are of new sites
    from gossamer.store.series_file import Series  # noqa: PLC0415 - likewise

    try:
        segments = Series(series_path(series_id)).segments() or ()
        parse_segments(segments)
    except KnownError as e:
        _log.warning("%s", e)
        return ()
    return segments
