"""The window's languages: from the texts in the code to what the window loads.

Usage: .venv/bin/python packaging/translations.py    bring resources/translations/*.ts up to date

The .ts files are Qt Linguist's and are kept with the code; the .qm files that are made of them are
not, they are made whenever Gossamer is set up.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from script_arguments import script_arguments
from shell import REPO, SetupError, run_quietly
from window_texts import Text, window_texts

FOLDER = REPO / "resources" / "translations"
ENGLISH = "gossamer_en"


def build_translations(python: Path) -> None:
    """Make the .qm file of each .ts file that has none as new, with the tools beside `python`."""
    for source in sorted(FOLDER.glob("*.ts")):
        compiled = source.with_suffix(".qm")
        if compiled.exists() and compiled.stat().st_mtime_ns >= source.stat().st_mtime_ns:
            continue
        command = [str(_tool(python, "lrelease")), "-silent", str(source), "-qm", str(compiled)]
        if not run_quietly(command, f"translating with {source.name} did not work"):
            raise SetupError("the window would speak English only; mend that file, or remove it.")


def update_sources(python: Path, folder: Path = FOLDER) -> int:
    """Add the texts that are new in the code to each .ts file, drop those that are gone.

    Qt's lupdate keeps the files. It is not given the code, whose contexts it mistakes, but a list
    of the texts in a language that it reads without fail.
    """
    command = [str(_tool(python, "lupdate")), "-silent", "-locations", "none", "-no-obsolete"]
    with tempfile.TemporaryDirectory() as aside:
        texts = Path(aside) / "texts.cpp"
        texts.write_text(
            "".join(map(_statement, window_texts(REPO / "app" / "gossamer"))), encoding="utf-8"
        )
        for source in sorted(folder.glob("*.ts")):
            # The texts in the code are English already, but for the forms of its plurals.
            forms = ["-pluralonly"] if source.stem == ENGLISH else []
            done = subprocess.run([*command, *forms, str(texts), "-ts", str(source)], check=False)
            if done.returncode:
                return done.returncode
    return 0


def _statement(text: Text) -> str:
    """`text` as C++ says it."""
    spoken = (text.context, text.source, text.comment)
    arguments = ", ".join(json.dumps(each, ensure_ascii=False) for each in spoken)
    return f"QCoreApplication::translate({arguments}{', n' if text.plural else ''});\n"


def _tool(python: Path, name: str) -> Path:
    """The tool beside `python`, or on PATH, where pip has it while it builds a wheel."""
    program = f"pyside6-{name}"
    found = shutil.which(program, path=str(python.parent)) or shutil.which(program)
    if found is None:
        raise SetupError(f"{program} is missing: install PySide6-Essentials, then try again.")
    return Path(found)


if __name__ == "__main__":
    script_arguments(__doc__)
    sys.exit(update_sources(Path(sys.executable)))
