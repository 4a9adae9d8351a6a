"""Finds out whether there is a newer version, on request."""

import os
import ssl

from gossamer import __version__
from gossamer.model.errors import UsageError
from gossamer.model.releases import (
    LIMIT_S,
    RELEASES_VARIABLE,
    is_newer,
    read_releases,
    releases_source,
)
from gossamer.session.update_report import UpdateReport


async def check_for_updates(
    source: str | None = None,
    *,
    version: str = __version__,
    limit_s: float = LIMIT_S,
    tls: ssl.SSLContext | None = None,
) -> UpdateReport:
    """Fetch the list of releases, by default ours; UpdateCheckError, UsageError without one."""
    from gossamer.fetch.release_list_request import requested_releases  # noqa: PLC0415 - it takes aiohttp

    source = releases_source(os.environ) if source is None else source
    if not source.startswith(("https://", "http://")):
        raise UsageError(
            "There is no list of releases to check: {variable} is set and names none. Get newer "
            "versions the way that you got this one.",
            variable=RELEASES_VARIABLE,
        )
    found = read_releases(await requested_releases(source, limit_s, tls), source)
    return UpdateReport(version, found.latest, is_newer(found.latest, version), found.page)
