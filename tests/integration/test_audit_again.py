"""A project is audited again from its archive: the same crawl, read anew, in its own place."""

import asyncio
import re
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import ExitStack
from contextlib import closing as closing_connection
from pathlib import Path
from typing import Any

import pytest

from gossamer.audit.rule_catalogue import RULES
from gossamer.audit.rules.validation import HIGH_CARBON
from gossamer.export.archive_exports import ensure_archive
from gossamer.model.archive_record import archive_folder
from gossamer.model.archive_source import LAST_CAPTURE
from gossamer.model.crawl_state import CrawlState
from gossamer.model.custom_definitions import CustomSearch
from gossamer.model.errors import KnownError, ProjectError, UsageError
from gossamer.model.fields.url_record import UrlRecord
from gossamer.model.ignored_issues import IgnoredIssue
from gossamer.model.messages.crawl_messages import BulkActionKind, UrlSelection
from gossamer.model.messages.process_messages import ProcessStep
from gossamer.model.outcome import FORMER_PAGES, Outcome
from gossamer.model.outcome_details import DetailCode
from gossamer.model.portable_filters import SavedFilter
from gossamer.model.project_queries import View
from gossamer.model.series_contents import Note, NoteSubject
from gossamer.model.settings.crawl_settings import DEFAULTS
from gossamer.model.store_batch import StoreBatch
from gossamer.session.archive_import import (
    archive_source,
    create_import,
    index_archives,
    source_of_project,
)
from gossamer.session.audit_again import AuditedAgain, audit_again
from gossamer.session.series import series_of
from gossamer.store.issue_ignoring import ignore_issues
from gossamer.store.locking.file_identity import BESIDE
from gossamer.store.reading.reader import Reader
from gossamer.store.writer_lock import WriterLock
from gossamer.store.writing.writer import Writer
from tests.fakes.project_content import content_of
from tests.fakes.warc import SITE, http, page, record, write_warc
from tests.integration.crawling import (
    closing,
    crawl_again,
    crawl_all,
    new_session,
    records,
    run,
    sessions,
    until_rest,
)
from tests.sites import Response, Site

NOWHERE = "http://127.0.0.1:1/"
SETTINGS: dict[str, Any] = {"archive": True, "check_external": True, "max_tries": 1}


def build(site: Site) -> None:
    site.page("/", links=["/a", "/old", "/missing", "/picture.png", NOWHERE, "/held/x", "/b"])
    site.page("/a", links=["/", "/picture.png", "/held/y"])
    site.page("/b", links=[f"/many/{number}" for number in range(20)])
    site.redirect("/old", "/a")
    site.file("/picture.png", b"\x89PNG", "image/png")
    for number in range(20):
        site.page(f"/many/{number}", links=[f"/deep/{number}"])
        site.page(f"/deep/{number}")


def again(project: Path, **changes: object) -> AuditedAgain:
    return run(audit_again(project, changes, sessions=sessions()))


def facts_of(project: Path) -> dict[str, Any]:
    """All that it says, times too, and all that people made of it."""
    facts = content_of(project)
    queries = {
        "project": "SELECT created_at, series, settings, state, seconds, base_path FROM project",
        "times": (
            "SELECT u.url, ttfb_ms, elapsed_ms, fetched_at, tries, freshness, says_new FROM visit v"
            " JOIN url u USING (id) ORDER BY 1"
        ),
        "ignored": (
            "SELECT rule, pattern, u.url, reason FROM ignored_issue o"
            " LEFT JOIN url u USING (id) ORDER BY 1, 2"
        ),
        "archive": (
            "SELECT f.name, offset, length, kind, u.url, r.url, digest FROM archive_record r"
            " JOIN archive_file f ON f.id = r.file LEFT JOIN url u ON u.id = r.id ORDER BY 1, 2"
        ),
        "checks": "SELECT * FROM site_check ORDER BY 1, 2",
        "slow": "SELECT kind, value, u.url FROM extreme JOIN url u USING (id) ORDER BY 1, 2, 3",
        "folders": (
            "SELECT p.name, f.name, f.urls, f.errors, f.direct FROM folder f"
            " LEFT JOIN folder p ON p.id = f.parent WHERE f.urls ORDER BY 1, 2"
        ),
        "counted": "SELECT elapsed_ms, urls FROM time_count WHERE urls ORDER BY 1",
    }
    with closing_connection(sqlite3.connect(project)) as connection:
        for name, query in queries.items():
            facts[name] = connection.execute(query).fetchall()
    return facts


@pytest.fixture(autouse=True)
def _own_series(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A crawl of a later site with the same port would take over the segments of its series."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))


@pytest.fixture
def project(site: Site, tmp_path: Path) -> Path:
    """A crawl with a page limit, of which a folder is held and an issue is ignored."""
    build(site)
    path = tmp_path / "a.gossamer"

    async def main() -> None:
        async with new_session(path, site.url("/"), max_pages=10, **SETTINGS) as session:
            await session.perform(BulkActionKind.HOLD, UrlSelection(folder=site.url("/held/")))
            await session.start()
            await until_rest(session)

    run(main())
    rule = min(RULES)
    ignored = IgnoredIssue(rule, site.url("/a"), None, "on purpose", "me", 1.0)
    ignore_issues(path, [ignored])
    return path


def test_a_crawl_read_again_says_the_same(site: Site, project: Path) -> None:
    again(project)  # the audit is up to date then
    before, files = facts_of(project), sorted(project.parent.iterdir())
    asked = len(site.requests)
    assert again(project) == AuditedAgain()
    assert len(site.requests) == asked
    assert sorted(project.parent.iterdir()) == files
    after = facts_of(project)
    for name, facts in before.items():
        assert after[name] == facts, name


def test_a_body_that_its_coding_does_not_fit_is_corrupt_again(site: Site, tmp_path: Path) -> None:
    site.status("/", 200, headers=[("Content-Encoding", "gzip")], body=b"<p>As it is.")
    path = tmp_path / "a.gossamer"
    crawl_all(path, site.url("/"), **SETTINGS)
    assert records(path)[site.url("/")].outcome is Outcome.BROKEN_ENCODING
    again(path)
    assert records(path)[site.url("/")].outcome is Outcome.BROKEN_ENCODING


def test_other_settings_hold_and_what_people_made_stays(site: Site, project: Path) -> None:
    """A search that the crawl did not have finds in all pages; what is excluded now is gone."""
    series = series_of(project)
    series.add_note(Note(text="see /a", subject=NoteSubject.URL, about=site.url("/a")))
    series.save_filter(SavedFilter(name="mine", tab="pages"))
    series.set_segments(("A = title = a",))
    said = (series.notes(), series.saved_filters(), series.segments())
    search = CustomSearch("Home", "page")
    before = records(project)
    again(project, custom_searches=(search,), exclude=("/old",), title_max_length=1)
    after = records(project)
    with Reader(project) as reader:
        found = [row.custom for row in reader.iterate(View.PAGES)]
    assert all(each is not None and each.results[search.number].values for each in found)
    assert site.url("/old") not in asked_in(after)
    assert after[site.url("/a")].outcome is Outcome.PAGE
    assert after[site.url("/held/x")].outcome is before[site.url("/held/x")].outcome is Outcome.HELD
    series = series_of(project)
    assert (series.notes(), series.saved_filters(), series.segments()) == said
    with Reader(project) as reader:
        settings = reader.summary().settings
        assert [each.reason for each in reader.ignored_issues()] == ["on purpose"]
        assert reader.audit_state().is_current
    assert (settings.max_pages, settings.archive, settings.title_max_length) == (10, True, 1)
    again(project, exclude=())  # its record is still known
    assert records(project)[site.url("/old")].outcome is before[site.url("/old")].outcome


def asked_in(rows: dict[str, UrlRecord]) -> set[str]:
    return {url for url, row in rows.items() if row.status is not None}


def test_pages_that_were_not_kept_keep_their_facts(site: Site, project: Path) -> None:
    again(project)
    before = facts_of(project)
    with closing_connection(sqlite3.connect(project)) as connection, connection:
        connection.execute(
            "DELETE FROM archive_record WHERE id = (SELECT id FROM url WHERE url = ?)",
            (site.url("/a"),),
        )
        connection.execute(
            "UPDATE archive_record SET digest = zeroblob(32) WHERE id ="
            " (SELECT id FROM url WHERE url = ?)",
            (site.url("/b"),),
        )
    assert again(project) == AuditedAgain(kept_facts=2)
    after = facts_of(project)
    assert after["links"] == before["links"]
    assert after["issues"] == before["issues"]
    assert after["times"] == before["times"]
    with Reader(project) as reader:
        (row,) = (row for row in reader.iterate(View.ALL) if row.url == site.url("/b"))
    assert row.detail == DetailCode.ARCHIVE_DAMAGED()


@pytest.mark.parametrize("fault", ["unfinished", "no archive", "file", "written", "setting"])
def test_what_cannot_be_audited_again_says_why(project: Path, tmp_path: Path, fault: str) -> None:
    folder = archive_folder(project)
    changes: dict[str, object] = {}
    refused: type[KnownError] = UsageError
    with ExitStack() as opened:
        match fault:
            case "unfinished":
                with Writer(project) as writer:
                    writer.commit(StoreBatch(state=CrawlState.PAUSED))
                refused, says = ProjectError, "not finished"
            case "no archive":
                shutil.rmtree(folder)
                says = re.escape(f"The archive folder {folder} is missing")
            case "file":
                file = next(folder.iterdir())
                file.rename(tmp_path / "elsewhere")
                (folder / f"{file.name[: -len('00000.warc.gz')]}00099.warc.gz").write_bytes(b"x")
                says = re.escape(f"The archive file {file} is missing")
            case "written":
                opened.enter_context(closing_connection(WriterLock(project)))
                refused, says = ProjectError, "."
            case _:
                changes, says = {"max_pages": 5}, "the order in which servers respond"
        before = project.read_bytes(), sorted(project.parent.iterdir())
        with pytest.raises(refused, match=says):
            again(project, **changes)
        assert (project.read_bytes(), sorted(project.parent.iterdir())) == before


def test_cancelled_it_leaves_nothing(project: Path) -> None:
    """At each stage that it tells of, the project and its folder stay as they were."""

    def seen() -> tuple[bytes, list[str]]:
        names = sorted(path.name for path in project.parent.iterdir())
        return project.read_bytes(), [name for name in names if not name.endswith(BESIDE)]

    before = seen()

    async def cancelled(stage: int) -> set[str]:
        stages: dict[str, None] = {}
        task: asyncio.Task[AuditedAgain]

        def on_step(step: ProcessStep) -> None:
            stages[step.stage] = None
            if len(stages) > stage:
                task.cancel()

        async with asyncio.TaskGroup() as group:
            task = group.create_task(audit_again(project, {}, on_step, sessions()))
            await asyncio.wait({task})
        assert task.cancelled()
        return set(stages)

    for stage in range(3):
        run(cancelled(stage))
        assert seen() == before


def test_a_change_meanwhile_is_not_lost(site: Site, project: Path) -> None:
    """Somebody who changed the project finds it as they left it; ignored issues are taken along."""
    ignored = IgnoredIssue(min(RULES), site.url("/b"), None, "later", "me", 2.0)

    async def ignore() -> None:
        await asyncio.to_thread(ignore_issues, project, [ignored])

    run(audit_again(project, {}, sessions=sessions(), let_go=ignore))
    with Reader(project) as reader:
        assert {each.reason for each in reader.ignored_issues()} == {"on purpose", "later"}

    async def change() -> None:
        async with closing(sessions().open(project)) as session:
            await session.change({"title_max_length": 7})

    with pytest.raises(ProjectError, match="changed while"):
        run(audit_again(project, {}, sessions=sessions(), let_go=change))
    with Reader(project) as reader:
        assert reader.summary().settings.title_max_length == 7

    site.page("/a", title="Fetched anew", links=["/", "/picture.png", "/held/y"])

    async def fetch_again() -> None:
        async with closing(sessions().open(project)) as session:
            page = records(project)[site.url("/a")]
            await session.perform(BulkActionKind.RECRAWL, UrlSelection(ids=(page.id,)))
            assert await until_rest(session) is CrawlState.FINISHED

    with pytest.raises(ProjectError, match="changed while"):
        run(audit_again(project, {}, sessions=sessions(), let_go=fetch_again))
    assert records(project)[site.url("/a")].title == "Fetched anew"


def test_a_recrawl_stays_one(site: Site, project: Path, tmp_path: Path) -> None:
    """Its earlier crawl, what has changed since, and pages that only that knew."""
    site.page("/", links=["/a", "/new"])
    new = crawl_again(project, tmp_path / "b.gossamer", max_pages=None)
    again(new)
    before = facts_of(new)
    assert FORMER_PAGES.intersection(Outcome(row["outcome"]) for row in before["urls"].values())
    again(new)
    after = facts_of(new)
    for name, facts in before.items():
        assert after[name] == facts, name


def test_what_was_imported_is_read_again_from_its_archive(tmp_path: Path) -> None:
    """It stays what it is: made from that archive, with pages that nothing links to."""
    pages = [record(f"{SITE}/{name}", http(page(name or "Home", "/gone"))) for name in ("", "x")]
    archive = write_warc(tmp_path / "site.warc.gz", pages)
    source = archive_source([archive], LAST_CAPTURE, unlinked=True)
    index_archives(source)
    project = tmp_path / "a.gossamer"

    async def make() -> None:
        async with closing(create_import(DEFAULTS, source, project, sessions())) as session:
            await session.start()
            assert await until_rest(session) is CrawlState.FINISHED

    run(make())
    again(project)
    before = facts_of(project)
    assert again(project) == AuditedAgain()
    after = facts_of(project)
    assert after == before
    assert len(asked_in(records(project))) == 2
    archive.unlink()
    with pytest.raises(UsageError, match="does not exist"):
        again(project)


def test_cancelled_too_late_it_is_done(project: Path) -> None:
    """When the project is being replaced, nobody is told that it is as it was."""

    async def main() -> AuditedAgain:
        async with asyncio.TaskGroup() as group:
            task: asyncio.Task[AuditedAgain]

            async def let_go() -> None:
                loop = asyncio.get_running_loop()
                loop.call_soon(task.cancel)
                loop.call_soon(lambda: loop.call_soon(lambda: loop.call_soon(task.cancel)))  # again

            work = audit_again(project, {"title_max_length": 3}, sessions=sessions(), let_go=let_go)
            task = group.create_task(work)
        return task.result()

    assert run(main()) == AuditedAgain()
    with Reader(project) as reader:
        assert reader.summary().settings.title_max_length == 3


@pytest.mark.parametrize("use", [again, ensure_archive, source_of_project])
def test_an_archive_that_was_moved_away_is_asked_for(
    project: Path, tmp_path: Path, use: Callable[[Path], object]
) -> None:
    folder = archive_folder(project)
    folder.rename(tmp_path / "elsewhere")
    with pytest.raises(UsageError, match=re.escape(f"The archive folder {folder} is missing")):
        use(project)


def test_what_was_received_of_a_cut_file_stays(site: Site, tmp_path: Path) -> None:
    """The archive has the beginning of the file, and cannot say how much there was."""
    site.page("/", links=["/large.zip", "/small.zip"])
    site.file("/large.zip", bytes(300_000), "application/zip")
    site.file("/small.zip", bytes(3_000), "application/zip")
    project = tmp_path / "a.gossamer"
    crawl_all(
        project, site.url("/"), archive=True, archive_content="everything", archive_max_bytes=50_000
    )
    before = {url: row.raw_bytes for url, row in records(project).items()}
    assert before[site.url("/large.zip")]
    again(project)
    assert {url: row.raw_bytes for url, row in records(project).items()} == before


def test_the_carbon_rating_of_a_cut_page_stays(site: Site, tmp_path: Path) -> None:
    """The bytes that were transferred decide it, which the archive does not have."""
    site.page("/", links=["/large"])
    site.respond("/large", Response(body=b"<title>Large</title><p>" + b"x " * 1_300_000))
    project = tmp_path / "a.gossamer"
    crawl_all(project, site.url("/"), archive=True, archive_max_bytes=50_000)

    def heavy() -> int:
        with Reader(project) as reader:
            return reader.issue_counts()[HIGH_CARBON.number]

    assert heavy() == 1
    again(project)
    assert heavy() == 1
