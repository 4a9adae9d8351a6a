"""The secrets of a session: given by the person, or remembered by the system's keyring."""

import asyncio

from gossamer.model.errors import UsageError
from gossamer.model.secrets import OriginSecrets, SecretNames, Secrets
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.translatable import enumerated
from gossamer.session.keyring import recalled, remember
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
        self.add_secrets(for_project(self.settings, secrets.checked()))

    def add_secrets(self, secrets: Secrets) -> None:
        """Take secrets that are bound to origins already."""
        self._secrets = secrets.over(self._secrets)

    async def recall_secrets(self) -> None:
        """Take from the system's keyring what is missing."""
        origins = [names.origin for names in self.missing_secrets]
        if origins:
            found = await asyncio.to_thread(recalled, origins)
            self._secrets = self._secrets.over(found)

    async def complete_secrets(self) -> Secrets:
        """All secrets that the crawl needs, those too that the system's keyring has.

        UsageError, which names them, if some are missing.
        """
        await self.recall_secrets()
        if missing := self.missing_secrets:
            raise UsageError(
                "This crawl needs {secrets}: no project file holds that. Give it in the settings"
                " of the window, or with --auth, --cookie or --header.",
                secrets=enumerated([names.said for names in missing]),
            )
        return self._secrets

    async def remember_secrets(self) -> None:
        """Keep the secrets in the system's keyring; UsageError if it does not take them."""
        await asyncio.to_thread(remember, self._secrets)
