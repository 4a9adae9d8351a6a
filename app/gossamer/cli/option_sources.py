"""What was typed, apart from what is only the default."""

from pathlib import Path
from typing import Final

import typer
from msgspec import structs

from gossamer.model.errors import UsageError
from gossamer.model.settings import CrawlSettings

_SETTINGS: Final = {
    "timeout": "timeout_s",
    "public_header": "public_headers",
    "insecure": "insecure_hosts",
    "host_match": "host_match",
    "no_cookies": "keep_cookies",
    "no_robots": "obey_robots",
    "no_guard": "guard",
}
"""Parameters of `gossamer crawl` that are called otherwise than their settings."""
_LIST: Final = "list_file"


def over(
    context: typer.Context, typed: CrawlSettings, file: Path | None, profile: str | None
) -> CrawlSettings:
    """The settings in `file`, over them those of `profile`, over these what was typed.

    UsageError or ProjectError where the file or the profile cannot be used.
    """
    if file is None and profile is None:
        return typed
    base = CrawlSettings(roots=()) if file is None else _read(file)
    if profile is not None:
        base = structs.replace(base, **_profile(profile))
    return structs.replace(base, **{name: getattr(typed, name) for name in given(context)})


def given(context: typer.Context) -> frozenset[str]:
    """The names of the settings that were typed."""
    names = {_SETTINGS.get(name, name) for name in context.params if _was_given(context, name)}
    if _LIST in names:
        names |= {"roots", "list_only"}
    return frozenset(names.intersection(CrawlSettings.__struct_fields__))


def _read(file: Path) -> CrawlSettings:
    from gossamer.session.settings_file import read_settings  # noqa: PLC0415 - help needs none of it

    return read_settings(file)


def _profile(name: str) -> dict[str, object]:
    from gossamer.session.profile_store import ProfileStore  # noqa: PLC0415 - likewise

    return ProfileStore().changes(name)


def why_not_on_resume(misuse: typer.BadParameter) -> str:
    """The reason if `misuse` is that of a setting which a crawl that has begun cannot change."""
    option = getattr(misuse, "option_name", None)
    if not isinstance(option, str) or misuse.ctx is None or misuse.ctx.info_name != "resume":
        return ""
    name = option.lstrip("-").replace("-", "_")
    name = _SETTINGS.get(name, name)
    if name not in CrawlSettings.__struct_fields__:
        return ""
    from gossamer.session.live_settings import refuse_unless_changeable  # noqa: PLC0415 - seldom needed

    try:
        refuse_unless_changeable(name)
    except UsageError as e:
        return str(e)
    return ""


def _was_given(context: typer.Context, name: str) -> bool:
    source = context.get_parameter_source(name)
    return source is not None and source.name == "COMMANDLINE"
