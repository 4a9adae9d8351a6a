"""Holds the settings of the next crawl and the credentials typed for it."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

import msgspec
from PySide6.QtCore import QObject, Signal

from gossamer.gui.crawl.session_interfaces import NO_ACCESS, TypedCredentials
from gossamer.model.errors import UsageError
from gossamer.model.settings.crawl_settings import (
    DEFAULTS,
    SETTINGS,
    CrawlSettings,
    for_another_crawl,
)
from gossamer.session.profile_store import ProfileStore
from gossamer.urls.url_parsing import origin, parse_root

if TYPE_CHECKING:
    from gossamer.model.translatable import Translatable


_NO_ORIGINS: Final[frozenset[str]] = frozenset()
"""Where secrets wait that were typed without an address."""


class TypedCredentialStore:
    """Credentials typed for the next crawl, kept in memory for the origins they were typed for.

    What was typed without an address is used for the next address that is crawled, unless others
    were typed for that address.
    """

    def __init__(self) -> None:
        self._access: dict[frozenset[str], TypedCredentials] = {}

    def take(self, access: TypedCredentials, roots: Sequence[str]) -> None:
        """Store what was typed for `roots`, replacing earlier values for them."""
        self._access.pop(_NO_ORIGINS, None)
        self._access[origins_of(roots)] = access

    def take_of_crawl(self, access: TypedCredentials, roots: Sequence[str]) -> None:
        """Store what was typed for the current crawl; what waits for an address still does."""
        self._access[origins_of(roots)] = access

    def shown(self, roots: Sequence[str]) -> TypedCredentials:
        """What to show while `roots` are in the address field."""
        if not self._access:  # a list has many roots
            return NO_ACCESS
        unbound = self._access.get(_NO_ORIGINS, NO_ACCESS)
        return self._access.get(origins_of(roots), unbound)

    def of_crawl(self, roots: Sequence[str]) -> TypedCredentials:
        """What was typed for the current crawl of `roots`, or for these before it began."""
        return self._access.get(origins_of(roots), NO_ACCESS) if self._access else NO_ACCESS

    def of(self, roots: Sequence[str]) -> TypedCredentials:
        """The secrets for a crawl of `roots`: those typed for just these origins."""
        if not self._access:  # a list has many roots
            return NO_ACCESS
        unbound = self._access.pop(_NO_ORIGINS, None)
        if unbound is not None:
            self._access.setdefault(origins_of(roots), unbound)  # as `shown` prefers
        return self._access.get(origins_of(roots), NO_ACCESS)

    def elsewhere(self, roots: Sequence[str]) -> list[str]:
        """The origins that secrets were typed for, if a crawl of `roots` gets none of them."""
        typed = {origins: access for origins, access in self._access.items() if access}
        if not typed or _NO_ORIGINS in typed:
            return []
        here = origins_of(roots)
        return [] if not here or here in typed else sorted(set().union(*typed))


def origins_of(roots: Sequence[str]) -> frozenset[str]:
    """The origins of addresses as typed; an invalid address has none."""
    found = set()
    for root in roots:
        try:
            found.add(origin(parse_root(root)))
        except UsageError:
            continue
    return frozenset(found)


def is_for(address: str, roots: Sequence[str]) -> bool:
    """Whether secrets typed for `roots` are for an address as typed; for any if there are none."""
    return not roots or origins_of([address]) <= origins_of(roots)


class NextCrawl(QObject):
    """Settings of the next crawl, without roots; after it starts, they return to the defaults.

    No project alters them, except one that they are copied from. `changed` says that they, their
    source, or the defaults have changed. It outlives a window that is rebuilt in another language.
    """

    changed = Signal()

    def __init__(self, profiles: ProfileStore) -> None:
        super().__init__()
        self.profiles = profiles
        self.access = TypedCredentialStore()
        self.trouble: Translatable | None = None
        """Why the user's defaults cannot be used; the built-in ones replace them."""
        self.profile = ""
        """The profile chosen, "" for none."""
        self.project = ""
        """The name of the project that they were copied from, "" for none."""
        self.defaults = DEFAULTS
        self.settings = DEFAULTS
        self.read_defaults()
        self.settings = self.defaults

    def read_defaults(self) -> None:
        """Read the defaults, which may have changed."""
        try:
            self.defaults, self.trouble = self.profiles.defaults(), None
        except UsageError as e:
            self.defaults, self.trouble = DEFAULTS, e.said
        self.changed.emit()

    def begin_anew(self) -> None:
        """Go back to the defaults and the profile, if one is chosen.

        A profile that is gone or cannot be used is no longer chosen.
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
        """Go back to only the defaults."""
        self.choose("")

    def copy_settings(self, settings: CrawlSettings, project: str) -> None:
        """Begin with the settings of a project, except those that belong only to its crawl."""
        self.profile, self.project = "", project
        self.take(for_another_crawl(settings))

    def take(self, settings: CrawlSettings) -> None:
        """Begin with these."""
        self.settings = msgspec.structs.replace(settings, roots=())
        self.changed.emit()

    def take_access(self, access: TypedCredentials, roots: Sequence[str]) -> None:
        """Have a crawl of `roots` begin with these credentials."""
        self.access.take(access, roots)
        self.changed.emit()

    def set(self, **values: object) -> None:
        """Begin with other values of some settings."""
        self.take(msgspec.structs.replace(self.settings, **values))

    def differences(self) -> list[str]:
        """The names of the settings in the form that are not at their defaults."""
        return [
            name
            for name, setting in SETTINGS.items()
            if setting.section and getattr(self.settings, name) != getattr(self.defaults, name)
        ]
