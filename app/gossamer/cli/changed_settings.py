"""Combines a project's settings with those of a file and of the command line."""

from collections.abc import Container, Mapping
from pathlib import Path

from gossamer.model.settings.crawl_settings import CrawlSettings


def changed_settings(
    file: Path | None,
    typed: Mapping[str, object],
    present: CrawlSettings,
    adding: Container[str] = (),
) -> dict[str, object]:
    """What a settings file and the command line change of the `present` settings, by name.

    The roots never change. What was typed goes before what stands in the file, and of the settings
    in `adding`, which have several values, comes to the present ones.
    """
    changes: dict[str, object] = {}
    if file is not None:
        from gossamer.session.settings_file import read_changes  # noqa: PLC0415 - few crawls need it

        changes = read_changes(file)
    for name, value in typed.items():
        if name in adding and isinstance(value, tuple):
            changes[name] = tuple(dict.fromkeys((*getattr(present, name), *value)))
        else:
            changes[name] = value
    return changes
