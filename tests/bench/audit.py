"""`audit`: the site audit of a finished project, in a process of its own: time and memory."""

import argparse
import json
import sqlite3
import subprocess
import time
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from msgspec.structs import replace

from gossamer.audit.site_audit import STAGES
from gossamer.model.link_kinds import LinkKind
from gossamer.model.store_batch import StoreBatch
from gossamer.store.project import store_settings, stored_settings
from gossamer.store.writing.writer import Writer
from tests.bench.contestants import PYTHON, REPO
from tests.bench.large_project import LINKS, build
from tests.bench.processes import MIB, run_in_child
from tests.bench.report import FOLDER, Findings, say
from tests.bench.series import PRODUCT, Series

_QUICK: Final = (10_000, 100_000)
_FULL: Final = (*_QUICK, 1_000_000)
_TARGETS_S: Final = {10_000: "< 2", 1_000_000: "< 120"}
_LIMIT_S: Final = 900.0
_CHANGED: Final = (
    "title_max_length",
    *sorted({name for stage in STAGES for name in stage.limits}),
)
"""Thresholds: one of a page rule, and all of stages."""
_IMG: Final = 20_000_001
_LONG_ALT: Final = 20_000_002


def benchmark(options: argparse.Namespace) -> Findings:
    """Build each project unless it is there, and audit it once in each round."""
    FOLDER.mkdir(exist_ok=True)
    series: list[Series] = []
    for pages in _FULL if options.full else _QUICK:
        project = FOLDER / f"audit-{pages}.gossamer"
        say(f"{project}, {pages:,} pages, {pages * LINKS:,} links")
        project.unlink(missing_ok=True)
        run_in_child(build, project, pages)
        _add_images(project)
        try:
            series += _series(project, pages, min(options.rounds, 3))
        finally:
            project.unlink()
    return Findings("audit", series, notes=_NOTES)


def _series(project: Path, pages: int, rounds: int) -> list[Series]:
    _measure(project)  # decides the page rules, which the crawl does for others
    whole: list[_Measured] = []
    again: dict[str, list[_Measured]] = {name: [] for name in _CHANGED}
    for _ in range(rounds):
        _touch(project)
        whole.append(_measure(project))
        for name, measured in again.items():
            _change(project, name)
            measured.append(_measure(project))
    name = f"{pages:,} pages"
    limit = _TARGETS_S.get(pages, "")
    changed_limit = "< 2" if pages <= max(_QUICK) else ""
    return [
        Series(name, PRODUCT, "s", tuple(each.seconds for each in whole), limit),
        Series(name, "processor time", "s", tuple(each.cpu_s for each in whole)),
        Series(f"{name}: memory", PRODUCT, "MiB", tuple(each.mib for each in whole), "< 600"),
        *(
            Series(
                f"{name}: another {setting}",
                PRODUCT,
                "s",
                tuple(each.seconds for each in measured),
                changed_limit,
            )
            for setting, measured in again.items()
        ),
    ]


def _change(project: Path, name: str) -> None:
    """Give a setting another value than it has."""
    settings = stored_settings(project)
    value = getattr(settings, name)
    other = not value if isinstance(value, bool) else value + 1
    store_settings(project, replace(settings, **{name: other}))


def _add_images(project: Path) -> None:
    """Make a tenth of the links images, of which one in a hundred has a long alt text."""
    with closing(sqlite3.connect(project)) as connection, connection:
        connection.executemany(
            "INSERT INTO text (id, value) VALUES (?, ?)",
            [(_IMG, "img"), (_LONG_ALT, "A long alt text. " * 10)],
        )
        connection.execute(
            "UPDATE link SET kind = ?, element = ?,"
            " text = CASE WHEN source % 100 = 0 THEN ? ELSE text END WHERE position IN (11, 12)",
            (int(LinkKind.IMAGE), _IMG, _LONG_ALT),
        )


def _touch(project: Path) -> None:
    """Change the content, so that all is audited again."""
    with Writer(project) as writer:
        (first,) = writer.by_id([1])
        writer.commit(StoreBatch(decided=[(first.id, first.outcome, None)]))


@dataclass(frozen=True)
class _Measured:
    seconds: float
    cpu_s: float
    mib: float


def _measure(project: Path) -> _Measured:
    """Audit in a process of its own, which has done nothing else."""
    begun_s = time.perf_counter()
    done = subprocess.run(
        [str(PYTHON), "-P", "-c", _PROBE, str(project)],
        cwd=REPO,
        check=True,
        capture_output=True,
        stdin=subprocess.DEVNULL,
        text=True,
        timeout=_LIMIT_S,
    )
    cpu_s, kib = json.loads(done.stdout)
    return _Measured(time.perf_counter() - begun_s, cpu_s, kib * 1024 / MIB)


_PROBE: Final = """
import json, resource, sys
from pathlib import Path
from gossamer.audit.site_audit import run_site_audit

run_site_audit(Path(sys.argv[1]))
used = resource.getrusage(resource.RUSAGE_SELF)
json.dump([used.ru_utime + used.ru_stime, used.ru_maxrss], sys.stdout)
"""
_NOTES: Final = (
    f"each page has {LINKS} links and a sketch; a third of the texts are near duplicates",
    "seconds include the start of the process; memory is the largest resident set",
    "another title_max_length: of a page rule, decided anew for all pages; others: of stages",
)
