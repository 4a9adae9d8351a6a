"""The kinds of package that `dev.py package KIND` makes, and what holds for each.

A kind is a function `build` in a module of its own: it is given a folder for what it makes, `dist`,
and its options, which a function `add_options` beside it declares if there are any, and returns the
files that it made there. A file is complete or not there: make it aside, then rename it.
"""

from __future__ import annotations

import os
import subprocess
from importlib import import_module
from typing import TYPE_CHECKING, Protocol

from script_arguments import ScriptParser
from shell import REPO, say

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Mapping
    from pathlib import Path

DIST = REPO / "dist"
KINDS: Mapping[str, str] = {
    "deb": "deb",
    "wheel": "wheels",
    "folder": "frozen_folder",
    "appimage": "appimage",
    "installer": "windows_installer",
    "flatpak": "flatpak",
    "image": "container_image",
}
"""The name of each kind, and the module whose `build` makes it: imported when it is wanted."""
_EPOCH = "SOURCE_DATE_EPOCH"
_FIRST_ZIP_TIME = "315532800"
"""1980-01-01: what zip files can say at the earliest."""


class Build(Protocol):
    """The function `build` of a module that makes a kind."""

    def __call__(self, dist: Path, options: Namespace) -> list[Path]:
        """Make packages in `dist` and return their paths; SetupError with a sentence."""


def kind_parser(kind: str) -> ScriptParser:
    """Reads the words after the name of a kind."""
    module = import_module(KINDS[kind])
    parser = ScriptParser(module.__doc__, f"dev.py package {kind}")
    if declared := getattr(module, "add_options", None):
        declared(parser)
    return parser


def build_packages(kind: str, options: Namespace, dist: Path = DIST) -> list[Path]:
    """Make the packages of one kind, with the same content whenever the source is the same."""
    os.environ.setdefault(_EPOCH, source_time())
    dist.mkdir(parents=True, exist_ok=True)
    build: Build = import_module(KINDS[kind]).build
    made = build(dist, options)
    for path in made:
        say(f"made {path} ({path.stat().st_size / 1e6:.1f} MB)")
    return made


def source_time(checkout: Path = REPO) -> str:
    """When the source was last committed, in seconds since 1970; without git the start of 1980."""
    asked = ["git", "log", "-1", "--format=%ct"]
    try:
        done = subprocess.run(asked, cwd=checkout, check=False, capture_output=True, text=True)
    except OSError:
        return _FIRST_ZIP_TIME
    return done.stdout.strip() or _FIRST_ZIP_TIME
