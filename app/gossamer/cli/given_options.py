"""Gives a command the options of the settings; imports their declarations when they are needed.

The help of the program lists commands without their options.
"""

import inspect
from collections.abc import Callable
from functools import cached_property, update_wrapper
from pathlib import Path
from typing import TYPE_CHECKING

import typer
from msgspec import structs

from gossamer.cli.offered_options import OptionsOffered

if TYPE_CHECKING:
    from gossamer.model.settings.crawl_settings import CrawlSettings


def with_setting_options(
    after: str, *, resume: bool, are_defaults_shown: bool = True, asks_network: bool = True
) -> Callable[[Callable[..., object]], Callable[..., object]]:
    """Make a command of a function whose last parameter is `given`, of type GivenOptions.

    In place of that the command has the options of the settings, see `OptionsOffered`, and last
    those for a run, except those that the function declares itself.
    """
    offered = OptionsOffered(after, resume, are_defaults_shown, asks_network)
    return lambda command: _CommandWithSettings(command, offered)


class _CommandWithSettings:
    """A command whose signature is built when typer asks for it: that of each takes 2 ms."""

    __wrapped__: Callable[..., object]

    def __init__(self, command: Callable[..., object], offered: OptionsOffered) -> None:
        update_wrapper(self, command)
        self._offered = offered
        self._own = inspect.signature(command).parameters

    @cached_property
    def __signature__(self) -> inspect.Signature:
        from gossamer.cli.setting_options import parameters  # noqa: PLC0415 - see above

        *own, _given = self._own.values()
        return inspect.Signature(parameters(own, self._offered))

    def __call__(self, context: typer.Context, **typed: object) -> object:
        """Call the function with its own parameters, and the rest as `given`."""
        from gossamer.cli.setting_options import given_options  # noqa: PLC0415 - see above

        own = {name: typed.pop(name) for name in self._own if name in typed}
        return self.__wrapped__(**own, given=given_options(context, typed))


def base_settings(file: Path | None, profile: str | None) -> "CrawlSettings":
    """The settings in `file`, overridden by those of `profile`; the defaults if there is none.

    UsageError or ProjectError if the file or the profile cannot be used.
    """
    from gossamer.model.settings.crawl_settings import DEFAULTS  # noqa: PLC0415 - see above

    base = DEFAULTS if file is None else _read(file)
    return base if profile is None else structs.replace(base, **_profile(profile))


def _read(file: Path) -> "CrawlSettings":
    from gossamer.session.settings_file import read_settings  # noqa: PLC0415 - see above

    return read_settings(file)


def _profile(name: str) -> dict[str, object]:
    from gossamer.session.profile_store import ProfileStore  # noqa: PLC0415 - see above

    return ProfileStore().changes(name)
