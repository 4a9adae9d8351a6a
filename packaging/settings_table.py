"""The table of all settings in docs/settings.md, made from their declarations.

Usage: .venv/bin/python packaging/settings_table.py    bring docs/settings.md up to date

That of docs/zh/settings.md needs Qt for its texts: see reference_pages.py.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from script_arguments import script_arguments
from setting_meanings import setting_meanings

from gossamer.cli.setting_options import spelling
from gossamer.model.settings.crawl_settings import DEFAULTS, SETTINGS
from gossamer.model.settings.setting_declaration import ChangePolicy
from gossamer.model.settings.setting_types import Number

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

REPO: Final = Path(__file__).resolve().parent.parent
DOCUMENT: Final = REPO / "docs" / "settings.md"
_NAMES: Final = {"roots": "`ROOT`", "needs_secrets": "`--auth`"}
"""What stands in the column of options for a setting that has none of its own."""


class TableWords(NamedTuple):
    """What the table says in a language; `meaning` is given the name of a setting."""

    headings: tuple[str, str, str, str, str, str, str]
    changes: Mapping[ChangePolicy, str]
    values: Mapping[str, str]
    """Of defaults that are words."""
    meaning: Callable[[str], str]


def with_table(document: str, words: TableWords | None = None) -> str:
    """`document` with the table as the declarations have it now; in English without `words`."""
    said = words or _ENGLISH
    first = f"| {said.headings[0]} |"
    before, _, rest = document.partition(first)
    _, _, after = rest.partition("\n\n")
    head = f"| {' | '.join(said.headings)} |\n{'|---' * len(said.headings)}|\n"
    return f"{before}{head}{''.join(_row(name, said) for name in SETTINGS)}\n{after}"


def meaning(name: str) -> str:
    """What a setting does, in one line, without what it needs."""
    return _MEANINGS[name]


def _row(name: str, words: TableWords) -> str:
    setting = SETTINGS[name]
    default = "" if name == "roots" else in_words(getattr(DEFAULTS, name))
    numbers = setting.values if isinstance(setting.values, Number) else None
    cells = (
        f"`{name}`",
        _NAMES.get(name, "") if setting.option is None else f"`{spelling(name)}`",
        words.values.get(default, default),
        f"{numbers.low}" if numbers else "",
        f"{numbers.high}" if numbers else "",
        words.changes.get(setting.change, ""),
        words.meaning(name),
    )
    return "|" + "|".join(f" {cell} " if cell else " " for cell in cells) + "|\n"


def _needed(name: str) -> str:
    needed = SETTINGS[name].needs
    return f" No effect without `{needed}`." if needed else ""


def in_words(value: object) -> str:
    """A default as the table has it."""
    match value:
        case None | ():
            return "none"
        case bool():
            return "on" if value else "off"
        case tuple():
            return ", ".join(map(str, value))
        case float() if value.is_integer():
            return str(int(value))
        case _:
            return str(value)


_MEANINGS: Final = setting_meanings(REPO / "app" / "gossamer")
_ENGLISH: Final = TableWords(
    ("setting", "option", "default", "from", "to", "changes", "what it does"),
    {ChangePolicy.AT_ONCE: "at once", ChangePolicy.WITH_NEW_WORKERS: "new processes"},
    {},
    lambda name: _MEANINGS[name] + _needed(name),
)

if __name__ == "__main__":
    script_arguments(__doc__)
    DOCUMENT.write_text(with_table(DOCUMENT.read_text(encoding="utf-8")), encoding="utf-8")
    sys.exit()
