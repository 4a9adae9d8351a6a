"""The archives that replace the network for a crawl that is made from them."""

from typing import Final

from msgspec import Struct

LAST_CAPTURE: Final = 1e15
"""A moment after all captures."""
ARCHIVE_SUFFIXES: Final = (".wacz", ".warc", ".warc.gz", ".warc.zst", ".arc", ".arc.gz")
"""The endings of the names of archives."""


def is_archive_name(name: str) -> bool:
    """Whether a file of this name, or path, is called like an archive."""
    return name.lower().endswith(ARCHIVE_SUFFIXES)


class ArchiveSource(Struct, frozen=True, forbid_unknown_fields=True):
    """Which archives a crawl is made from, and which part of them is crawled."""

    archives: tuple[str, ...]
    """Paths of WARC and WACZ files."""
    moment: float = LAST_CAPTURE
    """Of several captures of a URL, the last one up to this moment counts, in Unix time; if all are
    later, the first."""
    unlinked: bool = True
    """Whether pages are crawled that nothing links to."""
    project: str = ""
    """The project that this archive belongs to, which knows what the archive does not keep, such as
    servers that did not respond. "" for an archive made by others."""
