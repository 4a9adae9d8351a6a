"""Documentation as sites to crawl, and the server's own word on who crawled what."""

import shutil
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from urllib.parse import unquote

from tests.bench.report import say
from tests.sites.documentation import (
    CPPREFERENCE,
    POSTGRESQL,
    Documentation,
    NotInstalledError,
    html_folder,
)
from tests.sites.nginx import Nginx, find_nginx

PYTHON: Final = Documentation("python3.11-doc", "html/index.html", "/index.html")
JAVA: Final = Documentation("openjdk-17-doc", "api/index.html", "/index.html")
SITES: Final = {
    "cppreference": CPPREFERENCE,
    "postgresql": POSTGRESQL,
    "python": PYTHON,
    "java": JAVA,
}
_USUAL: Final = ("cppreference", "postgresql", "python")
"""The others take long, and Debian installs much beside them: only who names them gets them."""


@dataclass(frozen=True, slots=True)
class BenchSite:
    """A site on this disk: its short name, the folder to serve, the path a crawl starts from."""

    name: str
    folder: Path
    root: str


def installed(names: Sequence[str] = ()) -> list[BenchSite]:
    """The named sites (the usual without names) that this machine has; says which it lacks.

    NotInstalledError if that leaves none, or nginx is missing.
    """
    if find_nginx() is None:
        raise NotInstalledError("needs nginx (the Debian package nginx-light)")
    found = []
    for name in names or _USUAL:
        try:
            found.append(BenchSite(name, html_folder(SITES[name]), SITES[name].root))
        except NotInstalledError as e:
            say(f"{name} is left out: {e}")
    if not found:
        raise NotInstalledError("no site to crawl is installed")
    return found


@contextmanager
def serve(site: BenchSite, tmp: Path, access_log: Path | None = None) -> Iterator[str]:
    """Serve it with a fresh nginx; yields the URL of its root page."""
    program = find_nginx()
    if program is None:
        raise NotInstalledError("needs nginx (the Debian package nginx-light)")
    folder = tmp / "nginx"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    with Nginx(program, site.folder, folder, access_log=access_log) as server:
        yield server.url(site.root)


@dataclass(frozen=True, slots=True)
class Served:
    """What one crawl got. `pages` are the decoded paths of HTML pages sent with status 200."""

    pages: frozenset[str]
    requests: int
    repeated: int
    """Requests for a page that was sent before, under this or another spelling."""


def served(log: Iterable[str]) -> Served:
    """Read the lines that nginx logged."""
    sent: Counter[str] = Counter()
    requests = 0
    for line in log:
        status, method, content_type, target = line.rstrip("\n").split("\t")
        requests += 1
        if (status, method, content_type) == ("200", "GET", "text/html"):
            sent[unquote(target.partition("?")[0])] += 1
    return Served(frozenset(sent), requests, sum(sent.values()) - len(sent))


def differences(pages: dict[str, frozenset[str]], expected: str) -> list[str]:
    """Sentences on who crawled other pages than the contestant named `expected`."""
    wanted = pages[expected]
    sentences = []
    for who, found in pages.items():
        if found != wanted:
            missing, more = sorted(wanted - found), sorted(found - wanted)
            examples = ", ".join([*missing[:2], *more[:2]])
            sentences.append(
                f"{who} crawled OTHER PAGES than {expected}: {len(missing)} of {len(wanted)}"
                f" missing, {len(more)} more (as {examples})"
            )
    return sentences
