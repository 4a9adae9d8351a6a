"""Sessions of one shell, which share the crawl host that waits."""

from collections.abc import Iterable
from pathlib import Path

from gossamer.model.secrets import NOTHING_SECRET, OriginSecrets
from gossamer.model.settings import CrawlSettings
from gossamer.session.crawl_session import CrawlSession
from gossamer.session.host_pool import HostPool


class CrawlSessions:
    """Makes sessions as `CrawlSession` does, on the crawl hosts that it was given."""

    def __init__(self, hosts: HostPool) -> None:
        """Take where crawl hosts come from."""
        self._hosts = hosts

    def create(
        self,
        settings: CrawlSettings,
        path: Path | None = None,
        secrets: OriginSecrets = NOTHING_SECRET,
    ) -> CrawlSession:
        """As `CrawlSession.create`."""
        return CrawlSession.create(settings, path, secrets, self._hosts)

    def open(self, path: Path) -> CrawlSession:
        """As `CrawlSession.open`."""
        return CrawlSession.open(path, self._hosts)

    async def forget_secrets(self, origins: Iterable[str]) -> tuple[str, ...]:
        """As `CrawlSession.forget_secrets`."""
        return await CrawlSession.forget_secrets(origins)
