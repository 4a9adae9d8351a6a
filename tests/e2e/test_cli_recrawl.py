"""Projects crawled again from the command line: into new ones, in place of the old, interrupted."""

import json
import os
import signal
import sqlite3
import sys
from contextlib import closing
from pathlib import Path

import pytest

from gossamer.model.crawl_state import CrawlState
from gossamer.model.project_queries import View
from gossamer.store.reading.reader import Reader
from tests.e2e.program import gossamer, running
from tests.patience import PATIENCE_S
from tests.sites import Site
from tests.sites.nginx import Nginx, find_nginx
from tests.sites.versions import VersionedSite

FEW = ("--no-soft-404-probe", "--no-llms-txt", "--no-robots")


@pytest.fixture(autouse=True)
def _own_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep the crawls of an earlier site, which may have had the same port, out of the series."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))


@pytest.fixture
def versions(site: Site) -> VersionedSite:
    versions = VersionedSite(site)
    versions.page("/", "/a", "/b", "/old")
    for path in ("/a", "/b", "/old"):
        versions.page(path, "/")
    return versions


@pytest.fixture
def project(versions: VersionedSite, tmp_path: Path) -> Path:
    done = gossamer("crawl", versions.site.url("/"), "-o", "p.gossamer", *FEW, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    return tmp_path / "p.gossamer"


def asked_twice(versions: VersionedSite, path: str) -> None:
    """Wait until that is so."""
    ledger = versions.site.ledger

    def holds() -> bool:
        return [each.path for each in ledger.requests].count(path) > 1

    ledger.when(holds).result(PATIENCE_S)


def titles(path: Path) -> dict[str, str | None]:
    with Reader(path) as reader:
        return {"/" + each.url.split("/", 3)[3]: each.title for each in reader.iterate(View.PAGES)}


def series(path: Path) -> str:
    with Reader(path) as reader:
        return reader.summary().series


def test_a_recrawl_says_what_is_unchanged_changed_new_and_gone(
    versions: VersionedSite, project: Path, tmp_path: Path
) -> None:
    versions.page("/", "/a", "/b", "/new")
    versions.page("/new", "/")
    versions.remove("/old")
    done = gossamer("recrawl", "p.gossamer", "-o", "q.gossamer", "-q", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "Pages since the last crawl: 2 unchanged, 1 changed, 1 new, 1 gone." in done.stdout
    assert "different response" not in done.stdout
    assert series(tmp_path / "q.gossamer") == series(project)
    report = json.loads(gossamer("info", "q.gossamer", "--json", cwd=tmp_path).stdout)
    assert report
    gossamer("export", "q.gossamer", "former-pages", "-o", "former.csv", cwd=tmp_path)
    lines = (tmp_path / "former.csv").read_text(encoding="utf-8-sig").splitlines()
    assert len(lines) == 2
    assert versions.site.url("/old") in lines[1]
    assert "status 404" in lines[1]
    where = ("--where", "since-last-crawl=changed", "-o", "changed.csv")
    gossamer("export", "q.gossamer", "pages", *where, cwd=tmp_path)
    assert len((tmp_path / "changed.csv").read_text(encoding="utf-8-sig").splitlines()) == 2


def test_a_recrawl_counts_linked_pages_that_fail_now(
    versions: VersionedSite, project: Path, tmp_path: Path
) -> None:
    versions.remove("/a")  # which the home page links to
    for count in (1, 0):  # crawled once more, it is the same as before
        done = gossamer("recrawl", project.name, "-o", f"q{count}.gossamer", "--json", cwd=tmp_path)
        since = json.loads(done.stdout)["since_last_crawl"]
        assert since["changed_failures"] == count
        project = tmp_path / f"q{count}.gossamer"
    done = gossamer("recrawl", "p.gossamer", "-o", "r.gossamer", "-q", cwd=tmp_path)
    assert "Errors and redirects with a different response than before: 1." in done.stdout


def test_settings_and_ignored_issues_are_those_of_the_project(
    versions: VersionedSite, project: Path, tmp_path: Path
) -> None:
    address = versions.site.url("/a")
    ignored = f"Meta Description: Missing={address}"
    assert gossamer("audit", "p.gossamer", "--ignore", ignored, cwd=tmp_path).returncode == 0
    options = ("--title-max-length", "5", "--exclude", "/b$")
    done = gossamer("recrawl", "p.gossamer", "-o", "q.gossamer", "-q", *options, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    with Reader(tmp_path / "q.gossamer") as reader:
        settings = reader.summary().settings
        entries = reader.ignored_issues()
    assert (settings.title_max_length, settings.exclude) == (5, ("/b$",))
    assert not settings.obey_robots
    assert [(each.pattern, each.url_id is not None) for each in entries] == [(address, True)]
    assert not (project.parent / "p (update).gossamer").exists()


def test_an_update_takes_the_place_of_the_project(
    versions: VersionedSite, project: Path, tmp_path: Path
) -> None:
    before = series(project)
    versions.page("/a", "/", title="Another title")
    with Reader(project) as reader:  # who reads goes on reading what it was
        done = gossamer("recrawl", "p.gossamer", "--update", "--json", cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        assert "Another title" not in {each.title for each in reader.iterate(View.PAGES)}
    assert json.loads(done.stdout)["since_last_crawl"]["changed"] == 1
    assert json.loads(done.stdout)["project"] == str(project)
    assert titles(project)["/a"] == "Another title"
    assert series(project) == before
    assert [each.name for each in tmp_path.glob("*gossamer*")] == ["p.gossamer"]
    again = gossamer("recrawl", "p.gossamer", "--update", "-q", cwd=tmp_path)
    assert "4 unchanged, 0 changed" in again.stdout, again.stderr


def test_an_update_that_reaches_no_root_is_told_and_leaves_the_project_alone(
    versions: VersionedSite, project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = titles(project)
    for name in ("DATA", "CONFIG"):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(tmp_path / name.lower()))
    told = tmp_path / "told"
    words = [sys.executable, "-c", "import sys; open(sys.argv[1], 'w')", str(told)]
    added = gossamer("notify", "add", "end", "--when", "ended", "--", *words, cwd=tmp_path)
    assert added.returncode == 0, added.stderr
    versions.site.reset("/")
    done = gossamer("recrawl", "p.gossamer", "--update", "-q", "--max-tries", "1", cwd=tmp_path)
    assert done.returncode == 3
    assert "(update)" not in done.stdout + done.stderr
    assert done.stdout.startswith(f"Crawl of {versions.site.url('/')}: failed\n")
    assert "Project:" not in done.stdout, "there is none with these figures"
    assert "was not replaced" in done.stderr
    assert told.exists()
    shown = gossamer("series", "show", "p.gossamer", "--json", cwd=tmp_path)
    assert len(json.loads(shown.stdout)["crawls"]) == 1
    assert titles(project) == before
    assert [each.name for each in tmp_path.glob("*gossamer*")] == ["p.gossamer"]


def test_an_update_of_a_site_that_has_moved_leaves_the_project_alone(
    versions: VersionedSite, project: Path, tmp_path: Path
) -> None:
    before = titles(project)
    versions.site.redirect("/", "http://elsewhere.invalid/")
    done = gossamer("recrawl", "p.gossamer", "--update", "-q", cwd=tmp_path)
    assert done.returncode == 3, done.stderr
    assert "redirects to http://elsewhere.invalid/, outside this crawl" in done.stderr
    assert "was not replaced, and the new crawl is deleted" in done.stderr
    assert titles(project) == before
    assert [each.name for each in tmp_path.glob("*gossamer*")] == ["p.gossamer"]


def test_a_site_that_has_moved_has_failed_in_report_exit_code_and_series(
    versions: VersionedSite, project: Path, tmp_path: Path
) -> None:
    before = titles(project)
    versions.site.redirect("/", "http://elsewhere.invalid/")
    done = gossamer("recrawl", "p.gossamer", "-o", "new.gossamer", "-q", cwd=tmp_path)
    assert done.returncode == 3, done.stderr
    assert done.stdout.startswith(f"Crawl of {versions.site.url('/')}: failed\n")
    assert "redirects to http://elsewhere.invalid/, outside this crawl" in done.stderr
    again = gossamer("resume", "new.gossamer", "-q", cwd=tmp_path)
    assert again.returncode == 3, again.stderr
    shown = gossamer("series", "show", "p.gossamer", "--json", cwd=tmp_path)
    states = [each["state"] for each in json.loads(shown.stdout)["crawls"]]
    assert sorted(states) == ["failed", "finished"]
    assert titles(project) == before


def test_a_list_of_urls_that_all_redirect_away_is_no_site_that_has_moved(
    versions: VersionedSite, tmp_path: Path
) -> None:
    versions.site.redirect("/", "http://elsewhere.invalid/")
    (tmp_path / "list").write_text(versions.site.url("/"))
    words = ("crawl", "--list", "list", "-o", "p.gossamer", "-q", *FEW)
    assert gossamer(*words, cwd=tmp_path).returncode == 0
    done = gossamer("recrawl", "p.gossamer", "--update", "-q", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert [each.name for each in tmp_path.glob("*gossamer*")] == ["p.gossamer"]


def test_an_update_that_is_killed_goes_on_and_leaves_the_project_alone_until_then(
    versions: VersionedSite, project: Path, tmp_path: Path
) -> None:
    before = titles(project)
    versions.page("/a", "/", title="Another title")
    gate = versions.site.slow("/b", title="Slow")
    with running("recrawl", "p.gossamer", "--update", "-q", cwd=tmp_path) as process:
        aside = tmp_path / "p (update).gossamer"
        asked_twice(versions, "/b")
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
    gate.open()
    assert titles(project) == before
    assert aside.exists()
    (tmp_path / "s.toml").write_text("max_depth = 0\n")
    words = ("recrawl", "p.gossamer", "--update", "--settings", "s.toml", "-q")
    done = gossamer(*words, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "with the settings of that" in done.stderr
    assert titles(project)["/a"] == "Another title"
    assert titles(project)["/b"] == "Slow"
    assert not aside.exists()


def test_what_is_in_the_way_of_an_update_is_named(project: Path, tmp_path: Path) -> None:
    aside = tmp_path / "p (update).gossamer"
    assert gossamer("copy", "p.gossamer", "-o", str(aside), cwd=tmp_path).returncode == 0
    done = gossamer("recrawl", "p.gossamer", "--update", cwd=tmp_path)
    assert done.returncode == 4
    assert "is in the way" in done.stderr
    assert project.exists()
    done = gossamer("recrawl", "p.gossamer", "--update", "-o", "q.gossamer", cwd=tmp_path)
    assert done.returncode == 2


def test_a_recrawl_with_a_login_needs_its_secrets_and_leaves_nothing_without(
    versions: VersionedSite, tmp_path: Path
) -> None:
    cookie = ("--cookie", "sid=1")
    root = versions.site.url("/")
    assert gossamer("crawl", root, "-o", "p.gossamer", *FEW, *cookie, cwd=tmp_path).returncode == 0
    for options in (("-o", "q.gossamer"), ("--update",)):
        done = gossamer("recrawl", "p.gossamer", *options, cwd=tmp_path)
        assert done.returncode == 2
        assert "needs the cookie sid" in done.stderr
        assert [each.name for each in tmp_path.glob("*gossamer*")] == ["p.gossamer"]
    versions.forget()
    done = gossamer("recrawl", "p.gossamer", "-o", "q.gossamer", *cookie, "-q", cwd=tmp_path)
    assert "4 unchanged, 0 changed." in done.stdout, done.stderr
    assert versions.statuses == {304: 4}
    more = ("--cookie", "more=1")
    done = gossamer("recrawl", "p.gossamer", "-o", "r.gossamer", *cookie, *more, "-q", cwd=tmp_path)
    assert "0 unchanged, 4 fetched and the same, 0 changed." in done.stdout, done.stderr


def test_a_list_is_crawled_again_as_a_list(versions: VersionedSite, tmp_path: Path) -> None:
    addresses = [versions.site.url("/a"), versions.site.url("/b")]
    (tmp_path / "list.txt").write_text("\n".join(addresses), encoding="utf-8")
    gossamer("crawl", "--list", "list.txt", "-o", "p.gossamer", *FEW, cwd=tmp_path)
    done = gossamer("recrawl", "p.gossamer", "-o", "q.gossamer", "-q", cwd=tmp_path)
    assert "2 unchanged, 0 changed." in done.stdout, done.stderr
    assert set(titles(tmp_path / "q.gossamer")) == {"/a", "/b"}


def test_a_recrawl_that_is_killed_is_resumed(
    versions: VersionedSite, project: Path, tmp_path: Path
) -> None:
    gate = versions.site.slow("/b", title="Slow")
    versions.remove("/old")
    versions.page("/", "/a", "/b")
    with running("recrawl", "p.gossamer", "-o", "q.gossamer", "-q", cwd=tmp_path) as process:
        asked_twice(versions, "/b")
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
    gate.open()
    done = gossamer("resume", "q.gossamer", "-q", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "1 gone" in done.stdout
    with Reader(tmp_path / "q.gossamer") as reader:
        assert reader.summary().state is CrawlState.FINISHED
    assert project.exists()


@pytest.mark.skipif(find_nginx() is None, reason="needs nginx")
def test_a_recrawl_of_an_unchanged_nginx_site_transfers_no_page(tmp_path: Path) -> None:
    root, aside, log = tmp_path / "site", tmp_path / "nginx", tmp_path / "access.log"
    root.mkdir()
    aside.mkdir()
    names = [f"{number}.html" for number in range(30)]
    links = "".join(f"<a href=/{name}>{name}</a> " for name in names)
    for name in ("index.html", *names):
        (root / name).write_text(f"<!doctype html><title>{name}</title>{links}", encoding="utf-8")
        os.utime(root / name, (1_600_000_000, 1_600_000_000))
    program = find_nginx()
    assert program is not None
    with Nginx(program, root, aside, access_log=log) as server:
        gossamer("crawl", server.url("/"), "-o", "p.gossamer", "-q", *FEW, cwd=tmp_path)
        (root / "marker").touch()
        gossamer("crawl", server.url("/marker"), "-o", "m.gossamer", "-q", *FEW, cwd=tmp_path)
        done = gossamer("recrawl", "p.gossamer", "-o", "q.gossamer", "-q", cwd=tmp_path)
    assert "31 unchanged, 0 changed." in done.stdout, done.stderr
    lines = log.read_text(encoding="utf-8").splitlines()
    second = lines[next(n for n, line in enumerate(lines) if line.endswith("/marker")) + 1 :]
    assert len(second) == 31
    assert {line.split("\t")[0] for line in second} == {"304"}
    with closing(sqlite3.connect(tmp_path / "q.gossamer")) as connection:
        (received,) = connection.execute("SELECT sum(received_bytes) FROM status_count").fetchone()
    assert received == 0


def test_a_moved_page_that_redirects_is_said_to_have_moved_there(
    versions: VersionedSite, project: Path, tmp_path: Path
) -> None:
    versions.page("/", "/a", "/b", "/shop")
    versions.page("/shop", "/")
    versions.redirect("/old", "/shop")
    done = gossamer("recrawl", project.name, "-o", "q.gossamer", "-q", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    done = gossamer("compare", project.name, "q.gossamer", "-o", "moved.csv", cwd=tmp_path)
    shop = versions.site.url("/shop")
    assert f"Probably moved to {shop} (Redirects there)." in done.stdout
    assert f"{shop} (status 200)" in done.stdout
