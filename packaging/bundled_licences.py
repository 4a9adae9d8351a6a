"""The licences of the libraries that a package contains, from their own metadata."""

from __future__ import annotations

import re
import textwrap
from dataclasses import dataclass
from importlib.metadata import Distribution, distributions
from typing import TYPE_CHECKING

import desktop_metadata as about
from shell import REPO

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_NAMES = re.compile(r"(?i)licen[cs]e|copying|notice|authors")
_CLASSIFIER = "License :: OSI Approved :: "
_COMMON = "/usr/share/common-licenses"
"""Where Debian has the texts that many packages would repeat; policy asks to name them there."""
_TO_THE_END = r".*?(?:END OF TERMS AND CONDITIONS|\Z)"
_COMMON_TEXTS = {
    "Apache-2.0": re.compile(r"Apache License\s+Version 2\.0," + _TO_THE_END, re.DOTALL),
    "GPL-3": re.compile(r"GNU GENERAL PUBLIC LICENSE\s+Version 3," + _TO_THE_END, re.DOTALL),
    "MPL-2.0": re.compile(
        r"Mozilla Public License,? Version 2\.0\s+=+.*", re.DOTALL | re.IGNORECASE
    ),
}
_WITHOUT_TEXT = {
    "LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only": ("LGPL-3", "GPL-3", "GPL-2"),
}
"""Qt for Python's wheels name their licence and bring no text of it."""
_QT = (
    "Qt and PySide6 are used unmodified, as shared libraries, under the GNU Lesser General Public "
    "License 3. They are files of their own, which you may replace with another build. "
    "Their source is that of Qt for Python of the same version, with third-party components under "
    "licences that its documentation lists."
)


@dataclass(frozen=True)
class BundledLibrary:
    """A library and what its metadata says of its licence."""

    name: str
    version: str
    licence: str
    texts: tuple[str, ...]


def bundled_libraries(site: Path) -> list[BundledLibrary]:
    """The libraries installed in a folder, by name, without Gossamer itself."""
    found = (library(each) for each in distributions(path=[str(site)]))
    foreign = (each for each in found if not each.name.startswith(about.COMMAND))
    return sorted(foreign, key=lambda each: each.name.lower())


def library(distribution: Distribution) -> BundledLibrary:
    """What the metadata of a distribution says."""
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
    return BundledLibrary(
        name=metadata["Name"],
        version=distribution.version,
        licence=next((each.strip() for each in named if each.strip()), "see below"),
        texts=tuple(_texts(distribution)),
    )


def copyright_file(site: Path) -> str:
    """What Debian's policy wants in /usr/share/doc/PACKAGE/copyright."""
    own = (REPO / "LICENSE").read_text("utf-8")
    head = f"{about.NAME} ({about.HOMEPAGE}/) is published under this licence:"
    parts = [f"{head}\n\n{_indented(own)}"]
    libraries = bundled_libraries(site)
    names = "\n".join(f"  {each.name} {each.version}: {each.licence}" for each in libraries)
    parts.append(f"The package contains these libraries below /usr/lib/gossamer:\n\n{names}")
    axe = site / "gossamer" / "resources" / "axe"
    if axe.exists():
        texts = [path.read_text("utf-8") for path in sorted(axe.glob("LICENSE*"))]
        parts.append(_part("axe-core", "MPL-2.0", tuple(texts)))
    parts += [_part(f"{each.name} {each.version}", each.licence, each.texts) for each in libraries]
    return "\n\n".join(parts) + "\n"


def _part(name: str, licence: str, texts: tuple[str, ...]) -> str:
    head = f"{name} ({licence})"
    said = [f"{head}\n{'=' * len(head)}", *(_indented(_shortened(text)) for text in texts)]
    if common := _WITHOUT_TEXT.get(licence):
        places = ", ".join(f"{_COMMON}/{each}" for each in common)
        said += [textwrap.fill(_QT, 78), f"The texts of these licences are in {places}."]
    elif not texts:
        said.append("Its wheel brings no text of it.")
    return "\n\n".join(said)


def _texts(distribution: Distribution) -> Iterator[str]:
    """The texts of a distribution's licences and notices."""
    for file in distribution.files or ():
        if _NAMES.search(file.name) and file.suffix not in {".py", ".pyc", ".pyi"}:
            yield file.read_text("utf-8")


def _shortened(text: str) -> str:
    """A text, with the place of what Debian has in one place."""
    for name, pattern in _COMMON_TEXTS.items():
        text = pattern.sub(f"[The text of this licence is in {_COMMON}/{name}.]", text)
    return text


def _indented(text: str) -> str:
    return textwrap.indent(text.strip().expandtabs(), "  ")
