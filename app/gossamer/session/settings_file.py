"""Reads and writes crawl settings as TOML files that people can edit and share.

The file is versioned. None is written with a secret in it, though a user may add headers. What
is None, which TOML cannot say, is named in `unset`. What is not there stays as it is, which for a
new crawl is the default.
"""

import json
import re
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Final

import msgspec
from msgspec.structs import replace

from gossamer.model.errors import OutputError, UsageError
from gossamer.model.request_headers import header_line, header_of
from gossamer.model.settings.crawl_settings import (
    OF_ONE_CRAWL,
    SETTINGS,
    CrawlSettings,
    encode_settings,
    for_another_crawl,
)
from gossamer.model.settings.setting_types import Headers
from gossamer.model.translatable import system_reason
from gossamer.session.crawl_secrets import split_off_secrets
from gossamer.store.atomic_files import write_aside
from gossamer.urls.url_parsing import without_userinfo

VERSION: Final = 1
_VERSION_KEY: Final = "settings_version"
_UNSET: Final = "unset"
ROOTS: Final = 30
"""Roots that a user looks through; of a list there may be many thousands."""
_FIRST_ROOTS: Final = 3
_MISFIT: Final = re.compile(r"Expected `(.+)`, got `(.+)` - at `\$\.(.+)`")
_NO_CHOICE: Final = re.compile(r"Invalid enum value (.+) - at `\$\.(.+)`")
_UNKNOWN: Final = re.compile(r"Object contains unknown field `(.+)`")
_TYPES: Final = {
    "int": "a whole number",
    "float": "a number",
    "bool": "true or false",
    "str": "a text",
    "array": "a list",
    "object": "a table",
}
_HEADERS: Final = {
    name: setting.values
    for name, setting in SETTINGS.items()
    if isinstance(setting.values, Headers)
}
_MAX_BYTES: Final = 64 * 1024 * 1024
_HEAD: Final = """\
# Settings of a Gossamer crawl. What is left out has its default: docs/settings.md has them all.
"""
_SECRET: Final = tuple(name for name, headers in _HEADERS.items() if not headers.public)
_WRITTEN: Final = frozenset(SETTINGS).difference(OF_ONE_CRAWL, _SECRET)


def settings_text(
    settings: CrawlSettings, names: Collection[str] = _WRITTEN, *, all_roots: bool = False
) -> str:
    """The settings called `names` as TOML, one a line, without what is secret.

    Of more roots than ROOTS a comment has the number and the first ones, unless `all_roots`.
    """
    if not all_roots and "roots" in names and len(settings.roots) > ROOTS:
        others = frozenset(names) - {"roots"}
        return settings_text(settings, others) + _first_roots(settings.roots)
    public, _ = split_off_secrets(replace(settings, headers=()))
    values: dict[str, object] = json.loads(encode_settings(public))
    values |= {name: [*map(header_line, getattr(public, name))] for name in _HEADERS}
    values = {name: value for name, value in values.items() if name in names}
    lines = [f"{_VERSION_KEY} = {VERSION}"]
    lines += [f"{name} = {_toml(value)}" for name, value in values.items() if value is not None]
    if unset := [name for name, value in values.items() if value is None]:
        lines.append(f"{_UNSET} = {_toml(unset)}")
    return _HEAD + "".join(f"{line}\n" for line in lines)


def _first_roots(roots: Sequence[str]) -> str:
    first = "".join(f"#   {_toml(without_userinfo(root)[0])}\n" for root in roots[:_FIRST_ROOTS])
    return (
        f"# roots: {len(roots):,} addresses from a list, which 'gossamer settings --all-roots'"
        f" writes. The first ones:\n{first}"
    )


def save_settings(
    path: Path,
    settings: CrawlSettings,
    names: Collection[str] = _WRITTEN,
    *,
    replace: bool,
    all_roots: bool = False,
) -> None:
    """Write those called `names` into a file in one step; see `settings_text`.

    OutputError if that fails, or the file exists and is not to be replaced.
    """
    try:
        text = settings_text(settings, names, all_roots=all_roots)
        write_aside(path, text.encode(), replace=replace)
    except FileExistsError:
        raise OutputError("{path} already exists; choose another name.", path=path) from None
    except OSError as e:
        raise OutputError(
            "{path} cannot be written ({reason}); choose another location.",
            path=path,
            reason=system_reason(e),
        ) from e


def read_settings(path: Path) -> CrawlSettings:
    """The settings in a TOML file, or those of a project.

    They may have no roots. Raises UsageError for a file that cannot be used, ProjectError for such
    a project.
    """
    return _read(path)[0]


def read_changes(path: Path) -> dict[str, object]:
    """The settings in such a file, by name, without the roots."""
    settings, names = _read(path)
    wanted = names.difference(OF_ONE_CRAWL, ("roots",))
    return {name: getattr(settings, name) for name in SETTINGS if name in wanted}


def settings_of(text: str) -> tuple[CrawlSettings, frozenset[str]]:
    """The settings in a TOML text, and those that it names; UsageError about what is wrong."""
    import tomllib  # noqa: PLC0415 - only who names a file of settings needs it

    try:
        values = tomllib.loads(text)
        version = values.pop(_VERSION_KEY, VERSION)
        if version != VERSION:
            raise UsageError("it was made by a newer Gossamer; update Gossamer to use it.")
        if values.get("insecure_hosts"):
            raise UsageError("certificate exceptions are per crawl; use --insecure.")
        values |= dict.fromkeys(_names(values.pop(_UNSET, [])))
        values |= {name: _headers(values[name]) for name in _HEADERS if name in values}
        kept = {name: value for name, value in values.items() if name not in OF_ONE_CRAWL}
        typed = {"roots": [], **kept}
        return msgspec.convert(typed, CrawlSettings), frozenset(values)
    except (TypeError, ValueError, RecursionError) as e:
        raise UsageError("{why}; see docs/settings.md.", why=_reason(str(e)).rstrip(".")) from e


def _read(path: Path) -> tuple[CrawlSettings, frozenset[str]]:
    try:
        with path.open("rb") as file:
            data = file.read(_MAX_BYTES)
    except OSError as e:
        raise UsageError(
            "{path}: {reason}; name a settings file or a project.",
            path=path,
            reason=system_reason(e),
        ) from e
    if data.startswith(b"SQLite format 3\0"):
        from gossamer.store.project import stored_settings  # noqa: PLC0415 - the window's start does without

        stored = for_another_crawl(split_off_secrets(stored_settings(path))[0])
        return stored, frozenset(SETTINGS)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as e:
        raise UsageError("{path} is not a settings file: it is not UTF-8 text.", path=path) from e
    try:
        return settings_of(text)
    except UsageError as e:
        raise UsageError("{path} is not a settings file: {why}", path=path, why=e.said) from e


def _reason(reason: str) -> str:
    """The message of msgspec about a value, in the words of the file.

    >>> _reason("Expected `float | null`, got `str` - at `$.rate`")
    'rate must be a number, not a text'
    """
    if unknown := _UNKNOWN.fullmatch(reason):
        return f"there is no setting {unknown[1]}"
    if choice := _NO_CHOICE.fullmatch(reason):
        return f"{choice[2]} cannot be {choice[1]}"
    found = _MISFIT.fullmatch(reason)
    if found is None:
        return reason
    wanted = [_TYPES.get(each, each) for each in found[1].split(" | ") if each != "null"]
    return f"{found[3]} must be {' or '.join(wanted)}, not {_TYPES.get(found[2], found[2])}"


def _names(typed: object) -> list[str]:
    """The settings that have no value."""
    if not isinstance(typed, list) or not all(isinstance(each, str) for each in typed):
        raise ValueError(f"{_UNSET} must be a list of settings")
    return typed


def _headers(typed: object) -> object:
    """Headers as a user writes them, each 'Name: value', as names and values."""
    if not isinstance(typed, list):
        return typed
    return [header_of(each) if isinstance(each, str) else each for each in typed]


def _toml(value: object) -> str:
    """A value of the settings as JSON has it, but for records and for what nobody sees."""
    match value:
        case [dict(), *_]:
            return "[\n" + "".join(f"    {_toml(each)},\n" for each in value) + "]"
        case dict():
            pairs = ", ".join(f"{name} = {_toml(each)}" for name, each in value.items())
            return f"{{ {pairs} }}"
    text = json.dumps(value, ensure_ascii=False)
    if text.isprintable():
        return text
    return "".join(each if each.isprintable() else f"\\U{ord(each):08x}" for each in text)
