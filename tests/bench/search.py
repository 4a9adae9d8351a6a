"""`search`: full-text search on a finished project of copies of cppreference: processor time."""

import argparse
import json
import subprocess
import tempfile
from pathlib import Path
from typing import Final

from tests.bench.contestants import PYTHON, REPO, environment
from tests.bench.report import Findings, say
from tests.bench.series import PRODUCT, Series
from tests.bench.sites import BenchSite, installed, serve

_COPIES: Final = 2
_COPIES_FULL: Final = 22
"""Nearly 100,000 pages."""
_LIMIT_S: Final = 1800.0


def benchmark(options: argparse.Namespace) -> Findings:
    """Crawl so many copies and audit them, for Link Scores; then search, once in each round."""
    site = installed(["cppreference"])[0]
    copies = _COPIES_FULL if options.full else _COPIES
    with tempfile.TemporaryDirectory(prefix="gossamer-bench-") as name:
        home = Path(name)
        project, out = home / "search.gossamer", home / "found.json"
        copied = _copied(site, home / "site", copies)
        say(f"{copies} copies of {site.name} are crawled, audited and searched")
        with serve(copied, home) as root:
            _run(home, "gossamer", "crawl", root, "-o", str(project), *_OPTIONS)
        _run(home, "gossamer", "audit", str(project))
        _run(home, "tests.bench.search_probe", str(project), str(out), str(options.rounds))
        found = json.loads(out.read_text(encoding="utf-8"))
    series = []
    for words, pages, first_ms, all_ms in found:
        what = f"{words} ({pages:,} pages)"
        series.append(Series(f"{what}: first rows", PRODUCT, "ms", tuple(first_ms), "< 200"))
        series.append(Series(f"{what}: all", PRODUCT, "ms", tuple(all_ms)))
    notes = _NOTES if options.full else (*_NOTES, "a quick run; --full has nearly 100,000 pages")
    return Findings("search", series, notes=notes)


def _copied(site: BenchSite, folder: Path, copies: int) -> BenchSite:
    """The site so many times under other addresses, with a page that links to all."""
    folder.mkdir()
    links = []
    for number in range(copies):
        (folder / f"copy{number}").symlink_to(site.folder)
        links.append(f'<p><a href="/copy{number}{site.root}">Copy {number}</a></p>')
    (folder / "index.html").write_text(f"<title>Copies</title>{''.join(links)}", encoding="utf-8")
    return BenchSite(site.name, folder, "/index.html")


def _run(home: Path, module: str, *arguments: str) -> None:
    subprocess.run(
        [str(PYTHON), "-P", "-m", module, *arguments],
        cwd=REPO,
        env={**environment(home), "PYTHONPATH": str(REPO)},
        check=True,
        capture_output=True,
        timeout=_LIMIT_S,
    )


_OPTIONS: Final = ("--full-text-search", "--max-similar", "1000000", "--check-kinds", "")
_NOTES: Final = (
    "processor time; each search follows another one, with the project open.",
    "first rows: 50 with their snippets. all: until the ids of all are there, in their order.",
)
