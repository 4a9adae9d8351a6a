"""Stores the user's settings profiles and the defaults of new crawls.

Each is a settings file in the configuration folder. It holds only settings that any crawl may use
(`REUSABLE`): no addresses, no secrets, no trust in certificates.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from msgspec.structs import replace

from gossamer.model.errors import OutputError, UsageError
from gossamer.model.file_names import MOST_LETTERS, given_name, known_name
from gossamer.model.settings.built_in_profiles import CHANGES
from gossamer.model.settings.crawl_settings import REUSABLE, CrawlSettings
from gossamer.model.translatable import system_reason
from gossamer.session.default_paths import config_folder
from gossamer.session.settings_file import read_changes, save_settings
from gossamer.store.atomic_files import make_private

DEFAULTS: Final = "defaults"
"""The name of the defaults among those of profiles."""
_END: Final = ".toml"
_BUILT_IN: Final = CrawlSettings(roots=("example.com",))


class ProfileStore:
    """Reads and writes profiles in `folder`, by default the user's. Nothing is cached.

    Everything raises UsageError, with one sentence, about a name or a file that cannot be used,
    OutputError if a file cannot be written.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = config_folder() if folder is None else folder

    def names(self) -> list[str]:
        """The names of the user's own profiles, sorted."""
        folder = self._folder / "profiles"
        try:
            files = [each for each in folder.iterdir() if each.suffix == _END and each.is_file()]
        except FileNotFoundError:
            return []
        except OSError as e:
            raise UsageError(
                "The profile folder {folder} cannot be read ({reason}).",
                folder=folder,
                reason=system_reason(e),
            ) from e
        return sorted((each.stem for each in files), key=str.casefold)

    def changes(self, name: str) -> dict[str, object]:
        """The settings that a profile, built in or not, changes, by name."""
        built_in = CHANGES.get(name.casefold())
        if built_in is not None:
            return dict(built_in)
        path = self._existing(name)
        if path is None:
            return {}
        found = read_changes(path)
        changes = {name: value for name, value in found.items() if name in REUSABLE}
        try:
            replace(_BUILT_IN, **changes).checked()
        except UsageError as e:
            raise UsageError("{path} cannot be used: {why}", path=path, why=e.said) from e
        return changes

    @property
    def has_defaults(self) -> bool:
        """Whether the user has any: otherwise the built-in ones apply."""
        return self._path(DEFAULTS).is_file()

    def defaults(self) -> CrawlSettings:
        """The settings that a new crawl begins with, without roots."""
        return replace(CrawlSettings(roots=()), **self.changes(DEFAULTS))

    def save(self, name: str, changes: Mapping[str, object], *, overwrite: bool = False) -> str:
        """Keep `changes`, as far as they may be any crawl's, as a profile; its name as it is kept.

        An older one of this name is refused, or with `overwrite` replaced in one step.
        """
        name = _own_name(name)
        known = self._known(name)
        if known is not None and not overwrite:
            raise UsageError("A profile named {name} already exists.", name=known)
        kept = {each: value for each, value in changes.items() if each in REUSABLE}
        path = self._path(known or name)
        try:
            make_private(path.parent)
        except OSError as e:
            raise UsageError(
                "The profile folder {folder} cannot be created ({reason}).",
                folder=path.parent,
                reason=system_reason(e),
            ) from e
        settings = replace(_BUILT_IN, **kept).checked()
        save_settings(path, settings, kept, replace=overwrite)
        return known or name

    def save_defaults(self, settings: CrawlSettings) -> None:
        """Make `settings` the defaults of new crawls."""
        self.save(DEFAULTS, {name: getattr(settings, name) for name in REUSABLE}, overwrite=True)

    def rename(self, name: str, new: str) -> str:
        """Rename a profile; returns the stored name."""
        new = _own_name(new)
        known = self._known(new)
        path = self._existing(name)
        if path is None or DEFAULTS in {path.stem, new}:
            raise UsageError("The defaults cannot be renamed.")
        if known is not None and known != path.stem:
            raise UsageError("A profile named {name} already exists.", name=known)
        with _changing(path):
            path.rename(self._path(new))
        return new

    def delete(self, name: str) -> None:
        """Delete a profile; without saved defaults, the built-in ones apply."""
        path = self._existing(name)
        if path is not None:
            with _changing(path):
                path.unlink(missing_ok=True)

    def _existing(self, name: str) -> Path | None:
        """The file of a profile of the user's; None for defaults that there are none of."""
        if name.casefold() in CHANGES:
            raise UsageError("The profile {name} is built in.", name=name)
        known = self._known(name)
        if known is not None:
            return self._path(known)
        if name == DEFAULTS:
            return None
        raise UsageError(
            "There is no profile named {name!r}; the profiles are {known}.",
            name=name,
            known=", ".join([*CHANGES, *self.names()]),
        )

    def _known(self, name: str) -> str | None:
        """How a profile is spelled that is kept: some file systems do not tell cases apart."""
        if name == DEFAULTS:
            return DEFAULTS if self.has_defaults else None
        return known_name(name, self.names())

    def _path(self, name: str) -> Path:
        folder = self._folder if name == DEFAULTS else self._folder / "profiles"
        return folder / f"{name}{_END}"


def _own_name(typed: str) -> str:
    """The name of a profile as it is kept; UsageError for one that cannot be."""
    name = given_name(typed, _END)
    if name is None:
        raise UsageError(
            "{name!r} is not a valid profile name; use at most {most} letters, digits, spaces and "
            "hyphens.",
            name=typed,
            most=MOST_LETTERS,
        )
    if name.casefold() in CHANGES:
        raise UsageError("The profile {name} is built in; choose another name.", name=name)
    if name != DEFAULTS and name.casefold() == DEFAULTS:
        raise UsageError("{name} is reserved; choose another profile name.", name=name)
    return name


@contextmanager
def _changing(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as e:
        raise OutputError(
            "{path} cannot be changed ({reason}).", path=path, reason=system_reason(e)
        ) from e
