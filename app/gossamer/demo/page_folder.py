"""Pages of a folder that are served in place of the demo site's, so that one can mend it."""

import mimetypes
from pathlib import Path
from urllib.parse import unquote, urlsplit

from gossamer.demo.site import DemoResponse


def page_in(folder: Path, target: str) -> DemoResponse | None:
    """The response to a request target from the file with its path below `folder`, if any.

    A path that ends with a slash means `index.html` there. Queries do not count. A path that leads
    out of the folder has no file. The file is read each time.
    """
    try:
        path = unquote(urlsplit(target).path).lstrip("/")
        file = (folder / path / "index.html") if path.endswith("/") or not path else folder / path
        inside = file.resolve().is_relative_to(folder.resolve())
        body = file.read_bytes() if inside else None
    except (OSError, ValueError):  # missing, a folder, or no possible target or name of a file
        return None
    if body is None:
        return None
    kind = mimetypes.guess_type(file.name)[0] or "application/octet-stream"
    if kind.startswith("text/"):
        kind += "; charset=utf-8"
    return DemoResponse(200, (("Content-Type", kind),), body)
