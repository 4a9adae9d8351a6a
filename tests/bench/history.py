"""`history`: a site with 52 crawls: opening its history, adding a crawl, and the memory for that.

The last crawl is a project of the size measured. The others have snapshots with its figures and
300 issues each; their projects are small ones, because nothing of them is read but who they are.
"""

import argparse
import json
import os
import shutil
import sqlite3
import subprocess
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tests.bench.contestants import PYTHON, REPO
from tests.bench.large_project import LINKS, build
from tests.bench.processes import run_in_child
from tests.bench.report import FOLDER, Findings, say
from tests.bench.series import PRODUCT, Series

_QUICK: Final = (1_000, 100_000)
_FULL: Final = (*_QUICK, 1_000_000)
_CRAWLS: Final = 52
_SMALL: Final = 100
"""Pages of the other projects."""
_NOTES_KEPT: Final = 1_000
_WEEK_S: Final = 7 * 86_400
_LIMIT_S: Final = 600.0


def benchmark(options: argparse.Namespace) -> Findings:
    """Build a project of each size with 51 earlier crawls, and measure once in each round."""
    series: list[Series] = []
    for pages in _FULL if options.full else _QUICK:
        folder = FOLDER / f"history-{pages}"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        say(f"{folder}, {pages:,} pages, {pages * LINKS:,} links")
        last = folder / "last.gossamer"
        run_in_child(build, last, pages)
        _add_earlier(last)
        try:
            series += _series(last, pages, options.rounds)
        finally:
            shutil.rmtree(folder)
    return Findings("history", series, notes=_NOTES)


def _add_earlier(last: Path) -> None:
    """Make the projects of the earlier crawls."""
    first = last.with_name("earlier-1.gossamer")
    run_in_child(build, first, _SMALL)
    with closing(sqlite3.connect(last)) as connection:
        series, begun = connection.execute("SELECT series, created_at FROM project").fetchone()
    for number in range(1, _CRAWLS):
        path = last.with_name(f"earlier-{number}.gossamer")
        if path != first:
            shutil.copyfile(first, path)
    for number in range(1, _CRAWLS):
        path = last.with_name(f"earlier-{number}.gossamer")
        with closing(sqlite3.connect(path)) as connection, connection:
            connection.execute(
                "UPDATE project SET series = ?, created_at = ?", (series, begun - number * _WEEK_S)
            )


@dataclass(frozen=True)
class _Measured:
    first_ms: float
    first_cpu_ms: float
    add_ms: float
    add_cpu_ms: float
    read_ms: float
    read_cpu_ms: float
    open_ms: float
    open_cpu_ms: float
    find_ms: float
    find_cpu_ms: float
    note_ms: float
    note_cpu_ms: float
    mib: float
    kib: float


def _series(last: Path, pages: int, rounds: int) -> list[Series]:
    data = last.with_name("data")
    measured = []
    for _ in range(min(rounds, 3)):
        shutil.rmtree(data, ignore_errors=True)
        measured.append(_measure(last, data))
    name = f"{pages:,} pages, {_CRAWLS} crawls"
    timed = (
        ("make the series from the projects", "first", ""),
        ("add a crawl", "add", "< 100"),
        ("read the history", "read", ""),
        ("open the history, up to the painted window", "open", "< 1000"),
        ("look for moved projects, behind the window", "find", ""),
        (f"write a note, beside {_NOTES_KEPT:,} others", "note", ""),
    )
    told = [
        *((what, f"{key}_ms", "ms", target) for what, key, target in timed),
        *((f"{what}: processor time", f"{key}_cpu_ms", "ms", "") for what, key, _ in timed),
        ("memory for the history", "mib", "MiB", "< 50"),
        ("series file", "kib", "KiB", ""),
    ]
    return [
        Series(f"{name}: {what}", PRODUCT, unit, tuple(getattr(x, key) for x in measured), target)
        for what, key, unit, target in told
    ]


def _measure(last: Path, data: Path) -> _Measured:
    done = subprocess.run(
        [str(PYTHON), "-P", "-c", _PROBE, str(last), str(_NOTES_KEPT)],
        cwd=REPO,
        check=True,
        stdout=subprocess.PIPE,
        stdin=subprocess.DEVNULL,
        text=True,
        timeout=_LIMIT_S,
        env={**os.environ, "XDG_DATA_HOME": str(data), "QT_QPA_PLATFORM": "offscreen"},
    )
    return _Measured(*json.loads(done.stdout))


_PROBE: Final = """
import json, sys, time
from pathlib import Path
import psutil
from msgspec.structs import replace
from PySide6.QtWidgets import QApplication, QWidget
from gossamer.gui.history.history_window import HistoryWindow
from gossamer.gui.history.site_history import read_history
from gossamer.model.series_contents import Note, NoteSubject
from gossamer.model.settings.crawl_settings import DEFAULTS
from gossamer.session.project_locations import find_moved
from gossamer.session.series import created_at_of, record_snapshot, series_of, write_note

times = []

def timed(work):
    begun_s, cpu_s = time.perf_counter(), time.process_time()
    value = work()
    times.append((time.perf_counter() - begun_s) * 1000)
    times.append((time.process_time() - cpu_s) * 1000)
    return value

last = Path(sys.argv[1])
series = timed(lambda: series_of(last))
crawls = series.crawls()
assert len(crawls) == 52, len(crawls)
rules = {number: 1000 + number for number in range(100, 400)}
for each in crawls[:-1]:
    figures = {name: getattr(crawls[-1], name) for name in ("pages", "urls", "errors", "high")}
    series.record(replace(each, **figures), rules)
series.remove_crawl(crawls[-1].created_at)
timed(lambda: record_snapshot(last))
for number in range(int(sys.argv[2])):
    write_note(series, Note(text="x" * 80, subject=NoteSubject.URL, about=f"https://x/{number}"))
app = QApplication([])
parent = QWidget()
process = psutil.Process()
before = process.memory_info().rss
history = timed(lambda: read_history(series_of(last), created_at_of(last)))

def open_window():
    found = read_history(series_of(last), created_at_of(last))
    window = HistoryWindow(parent)
    window.show_crawls("example.com", found.crawls, found.flags)
    window.offer_trends([("All", (100,))])
    window.show_trend((100,), series.issue_trend((100,)))
    window.show_notes(found.notes, DEFAULTS)
    window.show()
    app.processEvents()
    window.grab()
    return window

window = timed(open_window)
used = process.memory_info().rss - before
timed(lambda: find_moved(series, last))
timed(lambda: write_note(series, Note(text="one more")))
print(json.dumps([*times, used / 2**20, series.path.stat().st_size / 1024]))
"""
_NOTES: Final = (
    f"the project of the last crawl has {LINKS} links on each page; the others {_SMALL} pages",
    f"the series has {_NOTES_KEPT:,} notes about URLs and 300 issues in each of {_CRAWLS} crawls",
)
