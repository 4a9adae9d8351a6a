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
    """The changes of a settings file and the command line to the `present` settings, by name.

    The roots never change. Typed values override those of the file; for the settings in `adding`,
    which have several values, they are added to the present ones.
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
