"""The window's languages: from the texts in the code to what the window loads.

Usage: .venv/bin/python packaging/translations.py    bring resources/translations/*.ts up to date

The .ts files are Qt Linguist's and are kept with the code; the .qm files that are made of them are
not, they are made whenever Gossamer is set up.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from shell import REPO, SetupError, run_quietly

FOLDER = REPO / "resources" / "translations"


def build_translations(python: Path) -> None:
    """Make the .qm file of each .ts file that has none as new, with the tools beside `python`."""
    for source in sorted(FOLDER.glob("*.ts")):
        compiled = source.with_suffix(".qm")
        if compiled.exists() and compiled.stat().st_mtime_ns >= source.stat().st_mtime_ns:
            continue
        command = [str(_tool(python, "lrelease")), "-silent", str(source), "-qm", str(compiled)]
        if not run_quietly(command, f"translating with {source.name} did not work"):
            raise SetupError("the window would speak English only; mend that file, or remove it.")


def update_sources(python: Path) -> int:
    """Add the texts that are new in the code to each .ts file, drop those that are gone."""
    sources = sorted(FOLDER.glob("*.ts"))
    command = [str(_tool(python, "lupdate")), "-extensions", "py", "-locations", "none"]
    return subprocess.run(
        [*command, "-no-obsolete", "app", "-ts", *map(str, sources)], cwd=REPO, check=False
    ).returncode


def _tool(python: Path, name: str) -> Path:
    suffix = ".exe" if sys.platform == "win32" else ""
    return python.parent / f"pyside6-{name}{suffix}"


if __name__ == "__main__":
    sys.exit(update_sources(Path(sys.executable)))
