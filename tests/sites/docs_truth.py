"""What nginx answers for a folder of documentation, read straight from the disk.

Nothing here asks a server: the verdict must not depend on the program that is judged, nor on
the one that serves it.
"""

import os
import pickle
from functools import cache
from pathlib import Path
from urllib.parse import unquote_to_bytes

from tests.sites.link_scan import decode_page
from tests.sites.truth import Answer, Truth, walk

_HTML_SUFFIXES = (".html", ".htm", ".shtml")


def nginx_answer(folder: Path, path: str) -> Answer:
    """nginx's answer to GET `path` with `root` at that folder and ``index index.html``.

    200 for a file (and for a folder's index.html), 301 for a folder without its slash, 403 for
    a folder without index, 404 for anything else, 400 for a path that climbs out.
    """
    name, mark, query = path.partition("?")
    parts = _normal_parts(unquote_to_bytes(name).decode("utf-8", "surrogateescape"))
    if parts is None:
        return Answer(400)
    wanted = folder.joinpath(*parts)
    as_folder = unquote_to_bytes(name).endswith(b"/")
    if wanted.is_dir():
        if not as_folder:
            return Answer(301, location=f"{name}/{mark}{query}")
        index = wanted / "index.html"
        return Answer(200, html=decode_page(index.read_bytes())) if index.is_file() else Answer(403)
    if as_folder or not wanted.is_file():
        return Answer(404)
    is_html = wanted.name.endswith(_HTML_SUFFIXES)
    return Answer(200, html=decode_page(wanted.read_bytes()) if is_html else None)


def _normal_parts(path: str) -> list[str] | None:
    """The path's segments as nginx maps them to files; None if they climb above the root."""
    parts: list[str] = []
    for segment in path.split("/"):
        if segment == "..":
            if not parts:
                return None
            parts.pop()
        elif segment not in {"", "."}:
            parts.append(segment)
    return parts


@cache
def docs_truth(folder: Path, root: str, kept: Path) -> Truth:
    """Everything reachable from the path `root` of the served folder.

    It is kept in this process, and in the file `kept` for others: thousands of pages take seconds.
    """
    if kept.exists():
        truth: Truth = pickle.loads(kept.read_bytes())  # noqa: S301 - our own file
        return truth
    truth = walk(root, lambda path: nginx_answer(folder, path))
    aside = kept.with_suffix(f".{os.getpid()}")
    aside.write_bytes(pickle.dumps(truth))
    aside.replace(kept)
    return truth
