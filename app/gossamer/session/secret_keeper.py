"""The secrets of a session: given by the person, or remembered by the system's keyring."""

import asyncio
from collections.abc import Iterable

from gossamer.model.secrets import OriginSecrets, SecretNames, Secrets
from gossamer.model.settings import CrawlSettings
from gossamer.session.keyring import forget, recalled, remember
from gossamer.session.secret_extraction import for_project, separated


class SecretKeeper:
    """Keeps the settings of a project, and in memory the secrets that it needs."""

    def __init__(self, settings: CrawlSettings) -> None:
        """Take the settings as stored."""
        self.settings, self._secrets = separated(settings)

    @property
    def missing_secrets(self) -> tuple[SecretNames, ...]:
        """The secrets that the crawl was begun with and that nobody has given again."""
        return self._secrets.missing(self.settings.needs_secrets)

    def give(self, secrets: OriginSecrets) -> None:
        """Take secrets, for the next start: for the origin that needs some, else that of the roots.

        UsageError if they cannot be used, or if there are several such origins.
        """
        self.tell(for_project(self.settings, secrets.checked()))

    def tell(self, secrets: Secrets) -> None:
        """Take secrets that are bound to origins already."""
        self._secrets = secrets.over(self._secrets)

    @staticmethod
    async def forget_secrets(origins: Iterable[str]) -> tuple[str, ...]:
        """Take out of the system's keyring what it has for `origins`; those it had any for.

        UsageError if it cannot be opened.
        """
        return await asyncio.to_thread(forget, origins)

    async def recall_secrets(self) -> None:
        """Take from the system's keyring what is missing."""
        origins = [names.origin for names in self.missing_secrets]
        if origins:
            found = await asyncio.to_thread(recalled, origins)
            self._secrets = self._secrets.over(found)

    async def remember_secrets(self) -> None:
        """Keep the secrets in the system's keyring; UsageError if it does not take them."""
        await asyncio.to_thread(remember, self._secrets)
