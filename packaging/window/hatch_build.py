"""What belongs to the distribution `gossamer`: hatchling calls this.

In a checkout its files lie two folders up, among those of gossamer-core; in its source distribution
they lie beside this one.
"""

from __future__ import annotations

import re
import shutil
import sys
import tomllib
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

HERE = Path(__file__).resolve().parent
REPO = HERE.parent.parent
CONTENTS = {
    "app/gossamer/gui": "gossamer/gui",
    "resources/help/pages": "gossamer/resources/help/pages",
    "resources/icons": "gossamer/resources/icons",
}
"""Folders, and where they lie in a wheel."""
DESKTOP = "desktop"
"""Where a source distribution has what desktops look for below an installation's prefix."""


class WindowMetadata(MetadataHookInterface):
    """Takes from gossamer-core what must be the same for both."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Fill in what is dynamic; a source distribution has it in its PKG-INFO."""
        if is_source_distribution():
            return
        core = tomllib.loads((REPO / "pyproject.toml").read_text("utf-8"))["project"]
        ours = tomllib.loads((HERE / "pyproject.toml").read_text("utf-8"))["tool"]["gossamer"]
        version = core_version()
        metadata["version"] = version
        metadata["requires-python"] = core["requires-python"]
        metadata["readme"] = {
            "content-type": "text/markdown",
            "text": (REPO / core["readme"]).read_text("utf-8"),
        }
        metadata["dependencies"] = [f"gossamer-core=={version}", *ours["dependencies"]]
        metadata["optional-dependencies"] = {
            extra: [f"gossamer-core[{extra}]=={version}"]
            for extra in core["optional-dependencies"]
            if extra != "dev"
        }
        metadata["classifiers"] = [*ours["classifiers"], *core["classifiers"]]


class WindowContents(BuildHookInterface[Any]):
    """Names the files."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Have them included; an editable install finds them by its path."""
        if version == "editable":
            return
        inside = is_source_distribution()
        home = HERE if inside else REPO
        prefix = HERE / DESKTOP if inside else made_desktop_files()
        if not inside:
            make_help_pages()
        shared = {str(path): path.relative_to(prefix).as_posix() for path in files(prefix)}
        included = build_data["force_include"]
        if self.target_name == "sdist":
            included |= {str(home / folder): folder for folder in (*CONTENTS, "LICENSE")}
            included |= {path: f"{DESKTOP}/{place}" for path, place in shared.items()}
        else:
            included |= {str(home / folder): place for folder, place in CONTENTS.items()}
            build_data["shared_data"] |= shared


def made_desktop_files() -> Path:
    """A prefix with what desktops look for, made from what is declared of it."""
    sys.path.insert(0, str(REPO / "packaging"))
    from desktop_files import write_desktop_files  # noqa: PLC0415 - found only now

    prefix = REPO / "build" / DESKTOP
    shutil.rmtree(prefix, ignore_errors=True)
    write_desktop_files(prefix)
    return prefix


def make_help_pages() -> None:
    """The documentation as the window shows it."""
    sys.path.insert(0, str(REPO / "packaging"))
    from help_pages import build_help_pages  # noqa: PLC0415 - found only now

    build_help_pages()


def files(folder: Path) -> list[Path]:
    """Those in a folder and below it."""
    return sorted(path for path in folder.rglob("*") if path.is_file())


def is_source_distribution() -> bool:
    """Whether this is an unpacked source distribution."""
    return (HERE / "app").exists()


def core_version() -> str:
    """The version of the package, which this distribution has too."""
    text = (REPO / "app" / "gossamer" / "__init__.py").read_text("utf-8")
    found = re.search(r'^__version__ = "(.+)"$', text, flags=re.MULTILINE)
    if found is None:
        raise ValueError("app/gossamer/__init__.py says no version")
    return found[1]
