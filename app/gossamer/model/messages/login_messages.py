"""The messages between a shell and the process that shows a login window."""

from msgspec import Struct

from gossamer.model.secrets import NO_SECRETS, Secrets
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.translatable import Translatable

# ---------------------------------------------------------------- shell → login window


class OpenLogin(Struct, tag=True, frozen=True):
    """Open a browser window on `url`, for a crawl with these settings.

    Of the secrets, those of its proxy are used.
    """

    url: str
    settings: CrawlSettings
    secrets: Secrets = NO_SECRETS


class FinishLogin(Struct, tag=True, frozen=True):
    """The user has logged in: read what the browser knows, and close it."""


LoginWindowCommand = OpenLogin | FinishLogin

# ---------------------------------------------------------------- login window → shell


class LoginOpened(Struct, tag=True, frozen=True):
    """The window is open."""


class LoginSeen(Struct, tag=True, frozen=True):
    """What the browser knows so far of the sites of the crawl."""

    cookies: int
    stored_values: int
    asks_password: bool = False
    """Whether one of its pages shows a field for a password."""


class LoginEnded(Struct, tag=True, frozen=True):
    """The window is closed. `secrets` is what the browser knew of the sites of the crawl.

    `reason` says why there was no window, and `exit_code` is that of the command line.
    """

    secrets: Secrets = NO_SECRETS
    reason: Translatable | None = None
    exit_code: int = 0


LoginReport = LoginOpened | LoginSeen | LoginEnded
