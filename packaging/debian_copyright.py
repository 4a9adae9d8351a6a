"""What Debian's policy wants to be said of the licences of everything in a package."""

from __future__ import annotations

import re
import textwrap
from typing import TYPE_CHECKING

import desktop_metadata as about
from bundled_libraries import bundled_libraries
from shell import REPO

if TYPE_CHECKING:
    from pathlib import Path

    from bundled_libraries import BundledLibrary

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


def copyright_file(site: Path) -> str:
    """What Debian's policy wants in /usr/share/doc/PACKAGE/copyright."""
    own = (REPO / "LICENSE").read_text("utf-8")
    head = f"{about.NAME} ({about.HOMEPAGE}/) is published under this licence:"
    parts = [f"{head}\n\n{_indented(own)}"]
    libraries = bundled_libraries(site)
    names = "\n".join(f"  {each.name} {each.version}: {each.licence}" for each in libraries)
    parts.append(f"The package contains these libraries below /usr/lib/gossamer:\n\n{names}")
    parts += [_part(each) for each in libraries]
    return "\n\n".join(parts) + "\n"


def _part(library: BundledLibrary) -> str:
    head = f"{library.name} {library.version} ({library.licence})"
    texts = [_indented(_shortened(file.read_text("utf-8"))) for file in library.files]
    said = [f"{head}\n{'=' * len(head)}", *texts]
    if common := _WITHOUT_TEXT.get(library.licence):
        places = ", ".join(f"{_COMMON}/{each}" for each in common)
        said += [textwrap.fill(_QT, 78), f"The texts of these licences are in {places}."]
    elif not texts:
        said.append("Its wheel brings no text of it.")
    return "\n\n".join(said)


def _shortened(text: str) -> str:
    """A text, with the place of what Debian has in one place."""
    for name, pattern in _COMMON_TEXTS.items():
        text = pattern.sub(f"[The text of this licence is in {_COMMON}/{name}.]", text)
    return text


def _indented(text: str) -> str:
    return textwrap.indent(text.strip().expandtabs(), "  ")
