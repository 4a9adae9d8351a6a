"""`compare`: two finished projects that differ by a declared list: time, memory, and the truth."""

import argparse
import json
import shutil
import sqlite3
import subprocess
import time
from collections import Counter
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from gossamer.model.comparison_results import ComparisonSummary, FilterCounts
from gossamer.model.link_kinds import LinkKind
from gossamer.model.outcome import PAGES, Outcome
from gossamer.store.bulk_insert import listed
from gossamer.store.comparing.comparison_reader import ComparisonReader
from gossamer.urls.url_parsing import url_key
from tests.bench.contestants import PYTHON, REPO
from tests.bench.large_project import LINKS, build
from tests.bench.processes import MIB, run_in_child
from tests.bench.report import FOLDER, Findings, say
from tests.bench.series import PRODUCT, Series

_QUICK: Final = (1_000, 100_000)
_FULL: Final = (*_QUICK, 1_000_000)
_TARGETS_S: Final = {1_000_000: "< 180"}
_LIMIT_S: Final = 1800.0
_RULES: Final = tuple(range(101, 113))
"""Twelve issues of each page."""
_GAINED, _LOST, _IGNORED = 201, 202, 203
_FILES: Final = 2
"""So many files for each page, which were checked."""
_EVERY: Final = 1_000
_TITLE, _ERROR, _GONE, _MOVED, _WORDS, _TEXT, _INLINKS, _DEPTH, _GAIN, _LANGUAGE, _LOSS = range(
    10, 21
)
"""Of a thousand pages the ones that change, by what does."""
_PREPARE: Final = (
    """
    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < :files)
    INSERT INTO url (id, url, crc, state, outcome, depth, hops, as_file, listed, parent)
    SELECT :last + i, 'https://example.com/files/' || i || '.png', 0, 1, :checked, 65535, 0, 1, 0, 1
    FROM n
    """,
    """
    INSERT INTO url_key (key, id)
    SELECT url_key(url), id FROM url WHERE id > :last ORDER BY 1
    """,
    """
    INSERT INTO visit (id, status, reason, content_type, fetched_at, tries, outlinks, header_values,
        size_bytes, raw_bytes, elapsed_ms)
    SELECT id, 200, '', NULL, 0, 1, 0, '', 1000, 1000, 5 FROM url WHERE id > :last
    """,
    """
    INSERT INTO inlink_count (id, links, sources, others)
    SELECT id, 1, 1, 0 FROM url WHERE id > :last
    """,
    "UPDATE project SET indexed = (SELECT max(id) FROM url)",
)
_ISSUES: Final = "INSERT INTO issue (rule, id) SELECT ?, id FROM url WHERE id <= ?"
_CHANGES: Final = {
    _TITLE: "UPDATE visit SET title = title || ' anew' WHERE {which}",
    _ERROR: "UPDATE visit SET status = 404 WHERE {which}",
    _MOVED: "UPDATE url SET url = url || '?moved' WHERE {which}",
    _WORDS: "UPDATE visit SET word_count = word_count + 1 WHERE {which}",
    _TEXT: "UPDATE visit SET sketch = CAST(x'ffff' || substr(sketch, 3) AS BLOB) WHERE {which}",
    _INLINKS: "UPDATE inlink_count SET links = links + 1 WHERE {which}",
    _DEPTH: "UPDATE url SET depth = depth + 1 WHERE {which}",
    _GAIN: f"INSERT INTO issue (rule, id) SELECT {_GAINED}, id FROM url WHERE {{which}}",  # noqa: S608 - numbers
    _LANGUAGE: "INSERT INTO link (source, position, target, kind, action, traits, text)"  # noqa: S608 - numbers
    f" SELECT id, 100000, 1, {int(LinkKind.ALTERNATE)}, 0, 0,"
    " (SELECT id FROM text WHERE value = 'de') FROM url WHERE {which}",
    _LOSS: f"DELETE FROM issue WHERE rule = {_LOST} AND {{which}}",  # noqa: S608 - numbers
}


_LEADING: Final = f"""
    SELECT l.source % {_EVERY}, count(DISTINCT l.source) FROM link l JOIN url u ON u.id = l.source
    WHERE u.outcome IN ({listed(PAGES)}) AND l.source % {_EVERY} NOT IN ({_GONE}, {_MOVED})
    AND l.target <= {{pages}} AND l.target % {_EVERY} IN ({_GONE}, {_MOVED}) GROUP BY 1
"""  # noqa: S608 - numbers
"""How many pages lead to what is gone or moved, by their own kinds."""


def benchmark(options: argparse.Namespace) -> Findings:
    """Build two projects of each size, and compare them once in each round."""
    FOLDER.mkdir(exist_ok=True)
    series: list[Series] = []
    for pages in _FULL if options.full else _QUICK:
        before, after = (FOLDER / f"compare-{pages}-{name}.gossamer" for name in ("a", "b"))
        for each in (before, after):
            each.unlink(missing_ok=True)
        say(f"{before}, {pages:,} pages, {pages * LINKS:,} links")
        run_in_child(build, before, pages)
        _prepare(before, pages)
        shutil.copyfile(before, after)
        _change(after, pages)
        try:
            series += _series(before, after, pages, options.rounds)
        finally:
            before.unlink()
            after.unlink()
    return Findings("compare", series, notes=_NOTES)


def _series(before: Path, after: Path, pages: int, rounds: int) -> list[Series]:
    result = FOLDER / "compare.comparison"
    measured = []
    for _ in range(min(rounds, 3)):
        measured.append(_measure(before, after, result))
        _check(before, result, pages)
        result.unlink()
    name = f"{pages:,} pages"
    return [
        Series(name, PRODUCT, "s", tuple(x.seconds for x in measured), _TARGETS_S.get(pages, "")),
        Series(name, "processor time", "s", tuple(x.cpu_s for x in measured)),
        Series(f"{name}: memory", PRODUCT, "MiB", tuple(x.mib for x in measured), "< 600"),
    ]


def _connected(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path)
    connection.create_function("url_key", 1, url_key, deterministic=True)
    connection.execute("PRAGMA synchronous=OFF")
    connection.execute("PRAGMA cache_size=-262144")
    return connection


def _prepare(path: Path, pages: int) -> None:
    """Add files and issues, so that there are three URLs and twelve issues for each page."""
    with closing(_connected(path)) as connection, connection:
        (last,) = connection.execute("SELECT max(id) FROM url").fetchone()
        values = {"files": _FILES * pages, "last": last, "checked": int(Outcome.CHECKED)}
        for sql in _PREPARE:
            used = {name: value for name, value in values.items() if f":{name}" in sql}
            connection.execute(sql, used)
        for rule in (*_RULES, _LOST):
            connection.execute(_ISSUES, (rule, pages))
        _count_issues(connection)


def _count_issues(connection: sqlite3.Connection) -> None:
    connection.execute("DELETE FROM issue_count")
    connection.execute("INSERT INTO issue_count SELECT rule, count(*), 1 FROM issue GROUP BY rule")


def _which(kind: int, pages: int) -> str:
    return f"id % {_EVERY} = {kind} AND id <= {pages}"


def _end_of(end: str, which: str) -> str:
    """That a link begins or ends at one of these URLs."""
    return which.replace("id", end)


def _change(path: Path, pages: int) -> None:
    with closing(_connected(path)) as connection, connection:
        moved = f"SELECT id FROM url WHERE {_which(_MOVED, pages)}"  # noqa: S608 - numbers
        connection.execute("INSERT OR IGNORE INTO text (value) VALUES ('de')")
        for kind, sql in _CHANGES.items():
            connection.execute(sql.format(which=_which(kind, pages)))
        connection.execute(f"DELETE FROM url_key WHERE id IN ({moved})")  # noqa: S608 - numbers
        connection.execute(
            f"INSERT INTO url_key SELECT url_key(url), id FROM url WHERE id IN ({moved})"  # noqa: S608 - numbers
        )
        gone = _which(_GONE, pages)
        for table in ("url_key", "visit", "inlink_count", "issue", "url"):
            connection.execute(f"DELETE FROM {table} WHERE {gone}")  # noqa: S608 - our own names
        either = f"{_end_of('source', gone)} OR {_end_of('target', gone)}"
        for table in ("link", "inlink"):
            connection.execute(f"DELETE FROM {table} WHERE {either}")  # noqa: S608 - our own names
        _count_issues(connection)


def _check(before: Path, result: Path, pages: int) -> None:
    """Compare the findings with what was changed; AssertionError."""
    expected = _expected(before, pages)
    with ComparisonReader(result) as reader:
        summary, issues = reader.summary(), reader.issues()
    found = {name: count for name, count in summary.fields.items() if count}
    _same("fields", found, expected.fields)
    _same("pages", _pages(summary), expected.pages)
    _same("issues", {rule: issues[rule] for rule in (_GAINED, _LOST, _RULES[0])}, expected.issues)


def _pages(summary: ComparisonSummary) -> tuple[int, int, int]:
    return summary.new, summary.missing, summary.changed


def _same(what: str, found: Any, expected: Any) -> None:  # noqa: ANN401 - anything
    if found != expected:
        raise AssertionError(f"{what}: {found}, not {expected}")


@dataclass(frozen=True)
class _Expected:
    pages: tuple[int, int, int]
    fields: dict[str, int]
    issues: dict[int, FilterCounts]


def _expected(before: Path, pages: int) -> _Expected:
    """What was changed, where there was anything to change."""
    read: Counter[int] = Counter()
    there: Counter[int] = Counter()
    with closing(sqlite3.connect(before)) as connection:
        rows = connection.execute(
            f"SELECT u.id % {_EVERY}, v.word_count IS NOT NULL FROM url u JOIN visit v"  # noqa: S608 - numbers
            f" ON v.id = u.id WHERE u.id <= {pages}"
        )
        for kind, is_read in rows:
            there[kind] += 1
            read[kind] += is_read
        outlinks = Counter(dict(connection.execute(_LEADING.format(pages=pages))))
    fields = {
        "title": read[_TITLE],
        "status": read[_ERROR],
        "indexability": read[_ERROR],
        "indexability_status": read[_ERROR],
        "word_count": read[_WORDS],
        "content_similarity": read[_TEXT],
        "inlinks": there[_INLINKS],
        "depth": there[_DEPTH],
        "outlinks": outlinks.total(),
        "hreflang": read[_LANGUAGE],
    }
    changed = (
        *(read[_TITLE], read[_ERROR], read[_WORDS], read[_TEXT], there[_INLINKS], there[_DEPTH]),
        *(there[_GAIN], there[_LOSS], read[_LANGUAGE]),
        *(count for kind, count in outlinks.items() if not _TITLE <= kind <= _LOSS),
    )
    new, gone = there[_MOVED], there[_GONE] + there[_MOVED]
    kept = FilterCounts("issue", _RULES[0], pages, pages - there[_GONE], new=new, missing=gone)
    gained = FilterCounts("issue", _GAINED, 0, there[_GAIN], added=there[_GAIN])
    after = pages - there[_GONE] - there[_LOSS]
    lost = FilterCounts("issue", _LOST, pages, after, new=new, removed=there[_LOSS], missing=gone)
    counts = {name: count for name, count in fields.items() if count}
    return _Expected(
        (new, gone, sum(changed)), counts, {_GAINED: gained, _LOST: lost, _RULES[0]: kept}
    )


@dataclass(frozen=True)
class _Measured:
    seconds: float
    cpu_s: float
    mib: float


def _measure(before: Path, after: Path, result: Path) -> _Measured:
    """Compare in a process of its own, which has done nothing else."""
    begun_s = time.perf_counter()
    done = subprocess.run(
        [str(PYTHON), "-P", "-c", _PROBE, str(before), str(after), str(result)],
        cwd=REPO,
        check=True,
        stdout=subprocess.PIPE,
        stdin=subprocess.DEVNULL,
        text=True,
        timeout=_LIMIT_S,
    )
    cpu_s, kib = json.loads(done.stdout)
    return _Measured(time.perf_counter() - begun_s, cpu_s, kib * 1024 / MIB)


_PROBE: Final = """
import json, resource, sys
from pathlib import Path
from gossamer.comparison.project_comparison import compare

compare(*map(Path, sys.argv[1:]))
used = resource.getrusage(resource.RUSAGE_SELF)
json.dump([used.ru_utime + used.ru_stime, used.ru_maxrss], sys.stdout)
"""
_NOTES: Final = (
    f"each project has three URLs, {LINKS} links and {len(_RULES) + 1} issues for each page",
    "one page in a hundred differs; that exactly these are found is checked in each round",
    "seconds include the start of the process; memory is the largest resident set",
)
