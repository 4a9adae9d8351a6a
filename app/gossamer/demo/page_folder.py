"""Pages of a folder that are served in place of the demo site's, so that one can mend it."""

import mimetypes
from pathlib import Path
from urllib.parse import unquote, urlsplit

from gossamer.demo.site import DemoResponse


def page_in(folder: Path, target: str) -> DemoResponse | None:
    """The answer to a request target from the file below `folder` that has its path, if any.

    A path that ends with a slash stands for `index.html` there. Queries do not count. What leads
    out of the folder is no file of it. The file is read anew each time.
    """
    path = unquote(urlsplit(target).path).lstrip("/")
    file = (folder / path / "index.html") if path.endswith("/") or not path else folder / path
    try:
        inside = file.resolve().is_relative_to(folder.resolve())
        body = file.read_bytes() if inside else None
    except (OSError, ValueError):  # not there, a folder, or no name that a file could have
        return None
    if body is None:
        return None
    kind = mimetypes.guess_type(file.name)[0] or "application/octet-stream"
    if kind.startswith("text/"):
        kind += "; charset=utf-8"
    return DemoResponse(200, (("Content-Type", kind),), body)
