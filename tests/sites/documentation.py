"""Installed documentation as real sites to crawl: where it lies, who serves it, what is true."""

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.sites.docs_truth import docs_truth
from tests.sites.nginx import Nginx, find_nginx
from tests.sites.truth import Truth


@dataclass(frozen=True, slots=True)
class Documentation:
    """A Debian package of HTML. `start` is a file whose folder, less `root`'s own, is served."""

    package: str
    start: str
    root: str


POSTGRESQL = Documentation("postgresql-doc-15", "html/index.html", "/index.html")
CPPREFERENCE = Documentation("cppreference-doc-en-html", "html/en/index.html", "/en/index.html")
CPPREFERENCE_CONTAINERS = Documentation(
    "cppreference-doc-en-html", "html/en/cpp/container/vector.html", "/vector.html"
)
"""A tenth of its pages, with all oddities of its names; what they link to beside is not there."""
LONG = bool(os.environ.get("GOSSAMER_LONG_TESTS"))
ALL = (POSTGRESQL, CPPREFERENCE if LONG else CPPREFERENCE_CONTAINERS)


@dataclass(frozen=True, slots=True)
class ServedDocumentation:
    """A documentation being served. `url(path)` maps the truth's paths to URLs."""

    documentation: Documentation
    folder: Path
    server: Nginx
    shared: Path
    """A folder that all processes of a test run have."""

    def url(self, path: str) -> str:
        """The absolute URL of a path."""
        return self.server.url(path)

    @property
    def root_url(self) -> str:
        """Where a crawl of it starts."""
        return self.server.url(self.documentation.root)

    @property
    def truth(self) -> Truth:
        """What a complete crawl from `root_url` must find."""
        kept = self.shared / f"{self.documentation.package}.pickle"
        return docs_truth(self.folder, self.documentation.root, kept)


class NotInstalledError(Exception):
    """The documentation or nginx is missing; says which package to install."""


def html_folder(documentation: Documentation) -> Path:
    """The folder to serve, as the package manager knows it. Raises NotInstalledError."""
    try:
        listed = subprocess.run(
            ["dpkg", "-L", documentation.package], capture_output=True, text=True, check=True
        )
    except (OSError, subprocess.CalledProcessError):
        raise NotInstalledError(f"needs the Debian package {documentation.package}") from None
    for line in listed.stdout.splitlines():
        # Minimal systems leave documentation out while unpacking; the list then lies.
        if line.endswith("/" + documentation.start) and Path(line).is_file():
            return Path(line.removesuffix(documentation.root))
    raise NotInstalledError(f"the HTML files of {documentation.package} are not on this disk")


@contextmanager
def serve_documentation(
    documentation: Documentation, tmp: Path, shared: Path | None = None
) -> Iterator[ServedDocumentation]:
    """Serve it with nginx on a free loopback port. Raises NotInstalledError."""
    folder = html_folder(documentation)
    program = find_nginx()
    if program is None:
        raise NotInstalledError("needs nginx (the Debian package nginx-light)")
    with Nginx(program, folder, tmp) as server:
        yield ServedDocumentation(documentation, folder, server, shared or tmp)
