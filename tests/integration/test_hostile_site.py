"""A site on which everything is wrong: each URL gets its row and its outcome, and it ends."""

from collections import Counter
from pathlib import Path

from gossamer.model.fields.url_record import UrlRecord
from tests.integration.crawling import crawl_all, records
from tests.integration.memory_watch import MEMORY_BYTES, MemoryWatch
from tests.sites import Site
from tests.sites.hostile import cases, put_up
from tests.sites.hostile_case import Case
from tests.sites.hostile_transport import SECRET, long_waits


def differences(case: Case, row: UrlRecord | None) -> list[str]:
    if row is None:
        return [f"{case.path}: no row"]
    found = []
    if row.outcome not in case.outcomes:
        found.append(f"{row.outcome.name} instead of {[o.name for o in case.outcomes]}")
    wanted: dict[str, object] = {
        "status": case.status,
        "verdict": case.verdict,
        "truncated": case.truncated,
        "title": case.title,
    }
    wanted = {name: value for name, value in wanted.items() if value is not None} | case.facts
    for name, value in wanted.items():
        if getattr(row, name) != value:
            found.append(f"{name} {getattr(row, name)!r:.60} instead of {value!r}")
    return [f"{case.path}: {what} ({row.status}, {row.detail})" for what in found]


def misled(case: Case, site: Site, rows: dict[str, UrlRecord]) -> list[str]:
    """Where the crawl went because of a case, or did not, and should not have, or should."""
    found = {path: rows.get(site.url(path)) for path in case.finds}
    outcomes = {path: None if row is None else row.outcome for path, row in found.items()}
    return [
        f"{case.path}: {path:.60} {outcome} instead of {case.finds[path]}"
        for path, outcome in outcomes.items()
        if outcome is not case.finds[path]
    ]


def check_all(site: Site, known: list[Case], path: Path) -> None:
    """Crawl a site of these cases: each has its row, in bounded memory."""
    assert max(Counter(case.path for case in known).values()) == 1
    put_up(site, known)
    with MemoryWatch() as memory:
        crawl_all(
            path, site.url(), workers=30, timeout_s=3.0, max_tries=2, guard=False, processes=2
        )
    rows = records(path)
    wrong = [line for case in known for line in differences(case, rows.get(site.url(case.path)))]
    wrong += [line for case in known for line in misled(case, site, rows)]
    told = f"{len(known)} cases, {memory.peak_bytes / 2**20:.0f} MiB"
    assert not wrong, "\n".join([told, *wrong])
    assert not [row.url for row in rows.values() if row.outcome.state.name == "QUEUED"], told
    assert not [row.detail for row in rows.values() if "Proxy(" in str(row.detail)], told
    assert SECRET.encode() not in path.read_bytes(), told
    assert memory.peak_bytes < MEMORY_BYTES, told


def test_every_behaviour_gets_its_row_and_its_outcome(site: Site, tmp_path: Path) -> None:
    known = cases()
    assert len(known) > 400
    check_all(site, known, tmp_path / "hostile.gossamer")


def test_an_extreme_retry_after_gets_a_row(site: Site, tmp_path: Path) -> None:
    check_all(site, list(long_waits()), tmp_path / "patience.gossamer")
