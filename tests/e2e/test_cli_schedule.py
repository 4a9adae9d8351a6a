"""Schedules on the command line: added, run, interrupted, overlapping, failing, removed."""

import json
import os
import signal
import sqlite3
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from msgspec.structs import replace

from gossamer.scheduling.run_decision import previous_project_of
from gossamer.scheduling.run_history import RunHistory, RunRecords, ScheduledRun
from gossamer.scheduling.schedule_operations import Schedules
from gossamer.scheduling.schedule_store import ScheduleStore
from gossamer.session.default_paths import outbox_path
from gossamer.store.series_paths import series_folder
from gossamer.store.writer_lock import WriterLock
from tests.e2e.program import gossamer, running
from tests.patience import PATIENCE_S
from tests.sites import Site

if TYPE_CHECKING:
    import subprocess

NAME = "shop"


@pytest.fixture(autouse=True)
def _forget_schedules() -> Iterator[None]:
    yield
    schedules = Schedules()
    for name in schedules.names():
        schedules.remove(name)


@pytest.fixture
def shop(site: Site, tmp_path: Path) -> Site:
    """A schedule for a small site, whose projects go to a folder of the test."""
    site.page("/", links=["/a", "/b"])
    for path in ("/a", "/b"):
        site.page(path, title=path)
    when = ("--daily", "02:30", "--timer", "none", "--folder", tmp_path / "projects")
    added = gossamer("schedule", "add", NAME, site.url(), *when, cwd=tmp_path)
    assert (added.returncode, added.stdout) == (0, "")
    assert "Added the schedule shop: daily at 02:30, started by you." in added.stderr
    return site


def run(cwd: Path, *options: str) -> "subprocess.CompletedProcess[str]":
    return gossamer("schedule", "run", NAME, *options, cwd=cwd)


def shown(cwd: Path) -> dict[str, Any]:
    done = gossamer("schedule", "show", NAME, "--json", cwd=cwd)
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def outcomes(cwd: Path) -> list[str]:
    return [each["outcome"] for each in shown(cwd)["runs"]]


def projects(folder: Path) -> list[Path]:
    return sorted((folder / "projects").glob("*.gossamer"), key=lambda path: path.stem)


def test_a_schedule_is_run_and_its_second_run_crawls_the_first_project_again(
    shop: Site, tmp_path: Path
) -> None:
    first = run(tmp_path)
    assert first.returncode == 0, first.stderr
    assert "shop: Crawling into " in first.stderr
    shop.page("/", title="Sale", links=["/a", "/c"])
    shop.page("/c")
    second = run(tmp_path)
    assert second.returncode == 0, second.stderr
    assert f"shop: Since {projects(tmp_path)[0]}: 1 new, 1 missing, 1 changed (new" in second.stderr
    issues = shown(tmp_path)["last"]["changes"]["issues"]
    assert issues > 0  # the new page has some
    assert [each["changes"] for each in shown(tmp_path)["runs"]] == [
        None,
        {"new": 1, "missing": 1, "changed": 1, "lost": 0, "issues": issues},
    ]
    assert sorted(shop.paths).count("/a") == 2
    assert outcomes(tmp_path) == ["finished", "finished"]
    with closing(sqlite3.connect(projects(tmp_path)[1])) as connection:
        (series,) = connection.execute("SELECT series FROM project").fetchone()
    with closing(sqlite3.connect(projects(tmp_path)[0])) as connection:
        assert connection.execute("SELECT series FROM project").fetchone() == (series,)
    listed = gossamer("schedule", "list", cwd=tmp_path).stdout
    assert listed.startswith(f"shop  {shop.url()}  daily at 02:30  started by you  last ")
    assert f": finished, 1 new, 1 missing, 1 changed (new issues: {issues})" in listed
    (object_,) = json.loads(gossamer("schedule", "list", "--json", cwd=tmp_path).stdout)[
        "schedules"
    ]
    assert (object_["site"], object_["next"]) == (shop.url(), None)
    assert object_["last"]["compared_with"] == str(projects(tmp_path)[0])
    text = gossamer("schedule", "show", NAME, cwd=tmp_path).stdout
    assert "keeps          7 daily, 8 weekly, 12 monthly\n" in text
    log = Path(next(line for line in text.splitlines() if line.startswith("log"))[15:])
    assert log.read_text(encoding="utf-8").count(" Crawling into ") == 2


def test_deleted_pages_are_counted_and_messages_that_do_not_arrive_are_failures(
    shop: Site, tmp_path: Path
) -> None:
    run(tmp_path)
    gossamer("notify", "add", "bad", "--when", "ended", "--", "/no/such/program", cwd=tmp_path)
    try:
        shop.status("/a", 404)  # the home page still links to it
        done = run(tmp_path)
        assert done.returncode == 8, done.stderr
        assert ": 0 new, 0 missing, 1 changed (pages that now fail or redirect: 1" in done.stderr
        last = shown(tmp_path)["runs"][-1]
        assert last["changes"]["lost"] == 1
        (failure,) = last["failures"]
        assert failure.startswith("Not delivered: command /no/such/program")
    finally:
        gossamer("notify", "remove", "bad", cwd=tmp_path)
        outbox_path().unlink(missing_ok=True)


def test_a_timer_that_goes_off_too_early_does_nothing(shop: Site, tmp_path: Path) -> None:
    done = gossamer("schedule", "run", "--due", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "The schedule shop is not due.\n")
    assert shop.paths == []
    assert projects(tmp_path) == []


@pytest.mark.skipif(sys.platform == "win32", reason="sends POSIX signals")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_an_interrupted_run_is_resumed_by_the_next_one(
    number: signal.Signals, shop: Site, tmp_path: Path
) -> None:
    gate = shop.slow("/b")
    with running("schedule", "run", NAME, cwd=tmp_path) as process:
        shop.block_until(lambda: "/b" in shop.paths and "/a" in shop.paths)
        busy = run(tmp_path)
        assert busy.returncode == 7
        assert busy.stderr.startswith("gossamer: The schedule shop is running already (process ")
        assert shown(tmp_path)["running"]
        process.send_signal(number)
        process.wait(PATIENCE_S)
        shop.block_until(lambda: shop.open_connections == 0)
    assert process.returncode == (130 if number == signal.SIGTERM else -number)
    assert not shown(tmp_path)["running"]
    assert "interrupted" in gossamer("schedule", "list", cwd=tmp_path).stdout
    gate.open()
    resumed = run(tmp_path, "--due")
    assert resumed.returncode == 0, resumed.stderr
    assert "shop: Resuming the crawl of " in resumed.stderr
    assert outcomes(tmp_path)[-1] == "finished"
    assert len(projects(tmp_path)) == 1
    assert (shop.paths.count("/"), shop.paths.count("/b")) == (1, 2)


@pytest.mark.skipif(sys.platform == "win32", reason="sends POSIX signals")
def test_a_run_that_is_killed_after_its_crawl_goes_on_with_what_follows(
    shop: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("CONFIG", "DATA"):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(tmp_path / name.lower()))
    when = ("--daily", "02:30", "--timer", "none", "--folder", tmp_path / "projects")
    assert gossamer("schedule", "add", NAME, shop.url(), *when, cwd=tmp_path).returncode == 0
    gate = shop.slow("/hook")
    words = ("--when", "ended", "--webhook", shop.url("/hook"))
    assert gossamer("notify", "add", "hook", *words, cwd=tmp_path).returncode == 0
    with running("schedule", "run", NAME, cwd=tmp_path) as process:
        shop.block_until(lambda: "/hook" in shop.paths)
        process.send_signal(signal.SIGKILL)
        process.wait(PATIENCE_S)
    gate.open()
    asked = len(shop.paths)
    assert outcomes(tmp_path) == ["interrupted"]
    assert not shown(tmp_path)["running"], "the lock is gone with the process"
    done = run(tmp_path, "--due")
    assert done.returncode == 0, done.stderr
    assert outcomes(tmp_path)[-1] == "finished"
    assert shop.paths[asked:] == [], "the crawl was complete, and the message waits"
    assert gossamer("notify", "retry", cwd=tmp_path).returncode == 0
    assert shop.paths[asked:] == ["/hook"]
    assert len(projects(tmp_path)) == 1
    assert "not due" in run(tmp_path, "--due").stderr


def test_whether_sitemaps_are_read_is_told_a_schedule_at_any_time(
    shop: Site, tmp_path: Path
) -> None:
    """By the sentence that says so: before and after its first run, of an address and a project."""
    assert run(tmp_path).returncode == 0
    (first,) = projects(tmp_path)
    when = ("--daily", "02:30", "--timer", "none", "--keep-all", "--folder", tmp_path / "projects")
    for site in (shop.url(), first):
        for option, is_read in (("--use-sitemaps", True), ("--no-use-sitemaps", False)):
            words = ("schedule", "add", NAME, site, *when, option, "--replace")
            assert gossamer(*words, cwd=tmp_path).returncode == 0
            asked = len(shop.paths)
            assert run(tmp_path).returncode == 0
            assert ("/sitemap.xml" in shop.paths[asked:]) == is_read


def test_all_projects_stay_if_that_is_said_and_not_by_keeping_none(
    shop: Site, tmp_path: Path
) -> None:
    words = ("schedule", "add", NAME, shop.url(), "--daily", "02:30", "--timer", "none")
    none = ("--keep-daily", "0", "--keep-weekly", "0", "--keep-monthly", "0", "--replace")
    before = Schedules().named(NAME).retention
    refused = gossamer(*words, *none, cwd=tmp_path)
    assert refused.returncode == 2
    assert "at least one day, week or month" in refused.stderr
    assert Schedules().named(NAME).retention == before
    assert gossamer(*words, "--keep-all", "--replace", cwd=tmp_path).returncode == 0
    assert Schedules().named(NAME).retention.keeps_all


def test_a_run_that_was_killed_before_it_had_a_project_is_due_still(
    shop: Site, tmp_path: Path
) -> None:
    schedule = Schedules().named(NAME)
    ScheduleStore().save(replace(schedule, since=0.0), replace=True)
    killed = ScheduledRun(1.0, 1.0, project=str(tmp_path / "projects" / "shop.gossamer"))
    later = replace(killed, started_s=time.time(), begun_s=time.time())
    RunRecords().write(NAME, RunHistory((killed, later)))
    done = run(tmp_path, "--due")
    assert done.returncode == 0, done.stderr
    assert outcomes(tmp_path)[-1] == "finished"
    assert shop.paths.count("/") == 1


def test_no_run_begins_while_its_last_project_is_being_crawled(shop: Site, tmp_path: Path) -> None:
    assert run(tmp_path).returncode == 0
    (project,) = projects(tmp_path)
    asked = len(shop.paths)
    with closing(WriterLock(project)):
        done = run(tmp_path)
    assert done.returncode == 7
    assert f"The schedule shop cannot run now: {project} is being crawled (process " in done.stderr
    assert (len(shop.paths), projects(tmp_path)) == (asked, [project])
    assert outcomes(tmp_path) == ["finished"]


def test_a_crawl_that_fails_is_not_what_the_next_run_crawls_again(tmp_path: Path) -> None:
    settings = tmp_path / "s.toml"
    settings.write_text("max_tries = 1\n", encoding="utf-8")
    options = ("--cron", "@weekly", "--timer", "none", "--settings", settings)
    folder = tmp_path / "projects"
    with Site() as site:
        site.page("/")
        added = gossamer(
            "schedule", "add", NAME, site.url(), *options, "--folder", folder, cwd=tmp_path
        )
        assert added.returncode == 0, added.stderr
        assert run(tmp_path).returncode == 0
    failed = run(tmp_path)
    assert failed.returncode == 3, failed.stderr
    assert outcomes(tmp_path) == ["finished", "failed"]
    assert "127.0.0.1" in shown(tmp_path)["runs"][-1]["failures"][0]
    good, _ = projects(tmp_path)
    assert previous_project_of(Schedules().named(NAME), RunRecords().read(NAME)) == good


def test_a_site_that_has_moved_to_another_host_is_a_failed_run(shop: Site, tmp_path: Path) -> None:
    assert run(tmp_path).returncode == 0
    shop.redirect("/", "http://elsewhere.invalid/")
    for _ in range(2):
        moved = run(tmp_path)
        assert moved.returncode == 3, moved.stderr
    assert outcomes(tmp_path) == ["finished", "failed", "failed"]
    assert "redirects to http://elsewhere.invalid/" in shown(tmp_path)["runs"][-1]["failures"][0]
    good = projects(tmp_path)[0]
    assert previous_project_of(Schedules().named(NAME), RunRecords().read(NAME)) == good
    shop.page("/")
    assert run(tmp_path).returncode == 0
    assert good in projects(tmp_path)


def test_a_step_that_fails_does_not_undo_the_crawl(shop: Site, tmp_path: Path) -> None:
    assert shop.paths == []
    folder = series_folder()
    aside = folder.with_name("aside")
    if folder.exists():
        folder.rename(aside)
    folder.write_text("in the way")
    try:
        done = run(tmp_path)
    finally:
        folder.unlink()
        if aside.exists():
            aside.rename(folder)
    assert done.returncode == 8, done.stderr
    assert len(projects(tmp_path)) == 1
    (last,) = shown(tmp_path)["runs"]
    assert last["outcome"] == "finished, but not all that follows"
    assert any("series" in each for each in last["failures"])


def test_old_projects_are_removed_after_a_run_and_told_of(shop: Site, tmp_path: Path) -> None:
    for _ in range(2):
        assert run(tmp_path).returncode == 0
    oldest = projects(tmp_path)[0]
    done = run(tmp_path)
    assert f"shop: Removed {oldest}, as the retention rule says." in done.stderr
    assert oldest not in projects(tmp_path)
    assert shown(tmp_path)["runs"][-1]["removed"] == [str(oldest)]
    assert shop.paths


def test_a_removed_schedule_leaves_its_projects(shop: Site, tmp_path: Path) -> None:
    assert run(tmp_path).returncode == 0
    done = gossamer("schedule", "remove", NAME, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "Removed: shop\n")
    assert len(projects(tmp_path)) == 1
    assert gossamer("schedule", "list", cwd=tmp_path).stdout == ""
    assert RunRecords().read(NAME).runs == ()
    assert shop.paths


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["add", "x", "https://a.test"], "Say when to crawl"),
        (["add", "x", "https://a.test", "--daily", "2", "--cron", "@daily"], "Say when to crawl"),
        (
            ["add", "x", "https://a.test", "--weekly", "someday", "02:30"],
            "is not a day of the week",
        ),
        (["add", "x", "https://a.test", "--daily", "02:30", "--timer", "at"], "There is no timer"),
        (
            ["add", "x", "https://a.test", "--daily", "02:30", "--keep-daily", "-1"],
            "cannot be kept",
        ),
        (["add", "x", "none.gossamer", "--daily", "02:30", "--timer", "none"], "none.gossamer"),
        (["add", "x", "a.gossamer", "--daily", "02:30", "--profile", "p"], "its own settings"),
        (["run"], "Specify a schedule"),
        (["run", "nothing"], "There is no schedule named 'nothing'"),
        (["show", "nothing"], "There is no schedule named 'nothing'"),
    ],
)
def test_mistakes_are_told_in_one_sentence(
    arguments: list[str], sentence: str, tmp_path: Path
) -> None:
    done = gossamer("schedule", *arguments, cwd=tmp_path)
    assert done.returncode in {2, 4}
    assert sentence in done.stderr
    assert done.stderr.startswith("gossamer: ")
    assert done.stderr.count(os.linesep) == 1
