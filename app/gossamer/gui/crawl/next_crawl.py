"""What the next crawl begins with: the defaults, a profile over them, and what was changed."""

from typing import TYPE_CHECKING

import msgspec
from PySide6.QtCore import QObject, Signal

from gossamer.gui.crawl.typed_credentials import TypedAccess
from gossamer.model.errors import UsageError
from gossamer.model.settings import DEFAULTS, SETTINGS, CrawlSettings, for_another_crawl
from gossamer.session.profile_store import ProfileStore

if TYPE_CHECKING:
    from gossamer.model.translatable import Translatable


class NextCrawl(QObject):
    """Settings without roots, for one crawl: the crawl after that begins with the defaults again.

    No project alters them, but one that they are taken over from. `changed` says that they, where
    they come from, or the defaults are others. It outlives a window that is made anew in another
    language.
    """

    changed = Signal()

    def __init__(self, profiles: ProfileStore) -> None:
        super().__init__()
        self.profiles = profiles
        self.access = TypedAccess()
        self.trouble: Translatable | None = None
        """Why the person's defaults cannot be used; those that are built in take their place."""
        self.profile = ""
        """The profile chosen, "" for none."""
        self.project = ""
        """The name of the project that they were taken over from, "" for none."""
        self.defaults = DEFAULTS
        self.settings = DEFAULTS
        self.read_defaults()
        self.settings = self.defaults

    def read_defaults(self) -> None:
        """The defaults may be others."""
        try:
            self.defaults, self.trouble = self.profiles.defaults(), None
        except UsageError as e:
            self.defaults, self.trouble = DEFAULTS, e.said
        self.changed.emit()

    def begin_anew(self) -> None:
        """Go back to the defaults and the profile, if one is chosen.

        A profile that is gone or cannot be used is chosen no more.
        """
        try:
            changes = self.profiles.changes(self.profile) if self.profile else {}
        except UsageError:
            self.profile, changes = "", {}
        self.project = ""
        self.take(msgspec.structs.replace(self.defaults, **changes))

    def choose(self, profile: str) -> None:
        """Begin with a profile, "" for none; UsageError if it cannot be used."""
        if profile:
            self.profiles.changes(profile)
        self.profile = profile
        self.begin_anew()

    def reset(self) -> None:
        """Go back to the defaults alone."""
        self.choose("")

    def take_over(self, settings: CrawlSettings, project: str) -> None:
        """Begin with the settings of a project, but for what belongs to its crawl alone."""
        self.profile, self.project = "", project
        self.take(for_another_crawl(settings))

    def take(self, settings: CrawlSettings) -> None:
        """Begin with these."""
        self.settings = msgspec.structs.replace(settings, roots=())
        self.changed.emit()

    def set(self, **values: object) -> None:
        """Begin with another value of some settings."""
        self.take(msgspec.structs.replace(self.settings, **values))

    def differences(self) -> list[str]:
        """The names of the settings in the form that are not as by default."""
        return [
            name
            for name, setting in SETTINGS.items()
            if setting.section and getattr(self.settings, name) != getattr(self.defaults, name)
        ]
