"""Runs `gossamer profiles`: lists, shows, saves, renames and deletes profiles."""

import json
from contextlib import suppress

from msgspec.structs import replace

from gossamer.cli.parsed_settings_commands import ProfilesCommand as Asked
from gossamer.cli.terminal import printable, remark, write_out
from gossamer.model.errors import KnownError, UsageError
from gossamer.model.settings.built_in_profiles import CHANGES
from gossamer.model.settings.crawl_settings import REUSABLE, CrawlSettings
from gossamer.session.profile_store import DEFAULTS, ProfileStore
from gossamer.session.settings_file import read_changes, settings_of, settings_text


def handle_profiles(command: Asked) -> int:
    """Run `gossamer profiles` and return the exit code."""
    kept = ProfileStore()
    if command.name is None:
        write_out("".join(f"{printable(line)}\n" for line in _listed(kept)))
    elif command.rename is not None:
        remark(f"Renamed the profile to {kept.rename(command.name, command.rename)}")
    elif command.delete:
        kept.delete(command.name)
    elif command.source is not None or command.values:
        changes = {} if command.source is None else read_changes(command.source)
        for typed in command.values:
            changes |= _value(typed)
        remark(f"Saved as {kept.save(command.name, changes, overwrite=command.replace)}")
    else:
        changes = kept.changes(command.name)
        text = settings_text(replace(CrawlSettings(roots=()), **changes), changes)
        write_out("".join(f"{printable(line)}\n" for line in text.splitlines()))
    return 0


def _listed(kept: ProfileStore) -> list[str]:
    """A line for each profile, and for the defaults if there are any."""
    own = kept.names()
    names = [*CHANGES, *own, *([DEFAULTS] if kept.has_defaults else [])]
    width = max(map(len, names))
    return [f"{name:{width}}  {_summary(kept, name)}" for name in names]


def _summary(kept: ProfileStore, name: str) -> str:
    try:
        named = ", ".join(kept.changes(name))
    except KnownError as e:
        return str(e)
    return f"built in: {named}" if name in CHANGES else named


def _value(typed: str) -> dict[str, object]:
    """A setting typed as NAME=VALUE, its value as in a settings file, bare text, or `none`."""
    name, equals, value = typed.partition("=")
    name = name.strip().replace("-", "_")
    if not equals or name not in REUSABLE:
        raise UsageError(
            f"{printable(typed)!r} is not a profile setting; write SETTING=VALUE with a name from"
            " docs/settings.md. A profile has no settings of one site or crawl."
        )
    way = f'unset = ["{name}"]' if value == "none" else f"{name} = {value}"
    with suppress(UsageError):
        settings, names = settings_of(way)
        if names == {name}:
            return {name: getattr(settings, name)}
    return {name: getattr(settings_of(f"{name} = {json.dumps(value)}")[0], name)}
