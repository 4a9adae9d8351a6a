"""The files that are made from declarations in the code, brought up to date together.

A script makes each kind. They run in the order in which one reads what another writes: Chinese
pages are made with the translations, which are compiled from what is translated.
"""

from __future__ import annotations

import sys
import xml.etree.ElementTree as ET
from subprocess import run
from typing import TYPE_CHECKING, Final

from shell import REPO, SetupError, say
from translations import FOLDER as TRANSLATIONS
from translations import build_translations

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_BEFORE: Final = (["packaging/translations.py"],)
_AFTER: Final = (
    ["packaging/settings_table.py"],
    ["packaging/issue_pages.py"],
    ["packaging/reference_pages.py"],
    ["-m", "tests.freeze"],
)
_MADE: Final = ("docs/**/*.md", "resources/translations/*.ts", "tests/data/projects/*.sql")


def generate(python: Path) -> int:
    """Make all of them with `python`, say what has changed and which texts are to be translated.

    Returns the exit code: 1 while texts are not translated.
    """
    before = dict(_contents())
    for command in _BEFORE:
        _run(python, command)
    build_translations(python)
    for command in _AFTER:
        _run(python, command)
    after = dict(_contents())
    changed = [path for path in before.keys() | after.keys() if before.get(path) != after.get(path)]
    for path in sorted(changed):
        sys.stdout.write(f"{path.relative_to(REPO).as_posix()}\n")
    sys.stdout.flush()
    if not changed:
        say("the generated files were up to date.")
    untranslated = 0
    for source in sorted(TRANSLATIONS.glob("*.ts")):
        texts = unfinished(source.read_text(encoding="utf-8"))
        untranslated += len(texts)
        for text in texts:
            say(f"{source.name} has no translation yet: {text}")
    if untranslated:
        say('translate these, remove type="unfinished", and run this again.')
    return 1 if untranslated else 0


def unfinished(translations: str) -> list[str]:
    """The texts of a .ts file that nobody has translated, or whose translation is a guess."""
    return [
        message.findtext("source", "")
        for message in ET.fromstring(translations).iter("message")  # noqa: S314 - our own files
        if message.find("translation[@type='unfinished']") is not None
    ]


def _contents() -> Iterator[tuple[Path, bytes]]:
    for pattern in _MADE:
        for path in REPO.glob(pattern):
            yield path, path.read_bytes()


def _run(python: Path, command: list[str]) -> None:
    if run([str(python), *command], cwd=REPO, check=False).returncode:
        raise SetupError(f"{command[-1]} failed; the files after it were not made.")
