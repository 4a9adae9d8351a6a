"""The table of all settings in docs/settings.md, made from their declarations.

Usage: .venv/bin/python packaging/settings_table.py    bring docs/settings.md up to date
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

from setting_meanings import setting_meanings

from gossamer.cli.setting_options import spelling
from gossamer.model.settings.crawl_settings import DEFAULTS, SETTINGS
from gossamer.model.settings.setting_declaration import ChangePolicy
from gossamer.model.settings.setting_types import Number

REPO: Final = Path(__file__).resolve().parent.parent
DOCUMENT: Final = REPO / "docs" / "settings.md"
_HEAD: Final = (
    "| setting | option | default | from | to | changes | what it does |\n"
    "|---|---|---|---|---|---|---|\n"
)
_CHANGES: Final = {
    ChangePolicy.AT_ONCE: "at once",
    ChangePolicy.WITH_NEW_WORKERS: "new processes",
}
_NAMES: Final = {"roots": "`ROOT`", "needs_secrets": "`--auth`"}
"""What stands in the column of options for a setting that has none of its own."""


def with_table(document: str) -> str:
    """`document` with the table as the declarations have it now."""
    before, _, rest = document.partition("| setting |")
    _, _, after = rest.partition("\n\n")
    return f"{before}{_HEAD}{''.join(map(_row, SETTINGS))}\n{after}"


def _row(name: str) -> str:
    setting = SETTINGS[name]
    numbers = setting.values if isinstance(setting.values, Number) else None
    cells = (
        f"`{name}`",
        _NAMES.get(name, "") if setting.option is None else f"`{spelling(name)}`",
        "" if name == "roots" else in_words(getattr(DEFAULTS, name)),
        f"{numbers.low}" if numbers else "",
        f"{numbers.high}" if numbers else "",
        _CHANGES.get(setting.change, ""),
        _MEANINGS[name] + _needed(name),
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

if __name__ == "__main__":
    DOCUMENT.write_text(with_table(DOCUMENT.read_text(encoding="utf-8")), encoding="utf-8")
    sys.exit()
