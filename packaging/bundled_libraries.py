"""The libraries of others that a package contains, and their licences, from their own metadata."""

from __future__ import annotations

import re
from dataclasses import dataclass
from importlib.metadata import Distribution, distributions
from pathlib import Path

import axe_core
import desktop_metadata as about

_LICENCE = re.compile(r"(?i)licen[cs]e|copying|copyright|notice|authors")
_NO_TEXTS = frozenset({".py", ".pyc", ".pyi", ".so"})
_CLASSIFIER = "License :: OSI Approved :: "
_AXE = Path("gossamer", "resources", "axe")


@dataclass(frozen=True)
class BundledLibrary:
    """A library, what its metadata says of its licence, and the files of its licences."""

    name: str
    version: str
    licence: str
    files: tuple[Path, ...]


def bundled_libraries(site: Path) -> list[BundledLibrary]:
    """The libraries in a folder of packages, by name, without Gossamer itself."""
    found = (_library(each) for each in distributions(path=[str(site)]))
    foreign = [each for each in found if not each.name.startswith(about.COMMAND)]
    if (site / _AXE).exists():
        files = tuple(sorted((site / _AXE).glob("LICENSE*")))
        foreign.append(BundledLibrary("axe-core", axe_core.VERSION, "MPL-2.0", files))
    return sorted(foreign, key=lambda each: each.name.lower())


def _library(distribution: Distribution) -> BundledLibrary:
    metadata = distribution.metadata
    named = [
        *metadata.get_all("License-Expression", []),
        *(line for text in metadata.get_all("License", []) for line in text.splitlines()[:1]),
        *(
            each.removeprefix(_CLASSIFIER)
            for each in metadata.get_all("Classifier", [])
            if each.startswith(_CLASSIFIER)
        ),
    ]
    files = (Path(str(each.locate())) for each in distribution.files or ())
    return BundledLibrary(
        name=metadata["Name"],
        version=distribution.version,
        licence=next((each.strip() for each in named if each.strip()), "see below"),
        files=tuple(path for path in files if is_licence(path) and path.is_file()),
    )


def is_licence(file: Path) -> bool:
    """Whether a file's name is that of a licence or notice."""
    return _LICENCE.search(file.name) is not None and file.suffix not in _NO_TEXTS
