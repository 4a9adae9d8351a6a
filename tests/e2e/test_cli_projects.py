"""Projects handled from the command line: copied in mid-crawl, listed, rescued, deleted."""

import json
import os
from pathlib import Path

import pytest

from tests.e2e.program import gossamer, running
from tests.fakes.damage import PAGE_SIZE, crawled_site
from tests.integration.crawling import asked, crawl_all, resume_all
from tests.sites import Site


def test_a_copy_made_during_a_crawl_can_be_resumed(site: Site, tmp_path: Path) -> None:
    site.page("/", links=["/a", "/held"])
    site.page("/a")
    site.slow("/held")
    with running("crawl", site.url(), "-o", "x.gossamer", cwd=tmp_path) as process:
        site.block_until(lambda: {"/a", "/held"} <= set(site.paths))
        copied = gossamer("copy", "x.gossamer", "-o", "y.gossamer", cwd=tmp_path)
        assert (copied.returncode, copied.stderr) == (0, "Copied to y.gossamer\n")
        process.kill()
    site.page("/held")
    assert gossamer("resume", "y.gossamer", "-q", cwd=tmp_path).returncode == 0
    assert len(asked(tmp_path / "y.gossamer")) == 3


def test_urls_over_the_trap_limit_are_reported_and_can_be_resumed(
    site: Site, tmp_path: Path
) -> None:
    site.page("/", links=["/month/0"], title="Welcome")
    for n in range(60):
        site.page(f"/month/{n}", links=[f"/month/{n + 1}", f"/month/{n + 2}"], title="A month")
    limited = ("crawl", site.url(), "-o", "x.gossamer", "--max-similar", "10", "--json", "-q")
    crawled = gossamer(*limited, cwd=tmp_path)
    told = json.loads(crawled.stdout)
    assert crawled.returncode == 0
    assert told["trap_limit"]["urls"] == told["skipped"] > 0
    assert "The trap limit skipped" in crawled.stderr
    assert "--max-similar 20" in crawled.stderr
    gated = gossamer("resume", "x.gossamer", "-q", "--fail-on", "over_budget", cwd=tmp_path)
    assert gated.returncode == 5
    info = gossamer("info", "x.gossamer", cwd=tmp_path).stdout
    assert "The trap limit skipped" in info
    resumed = gossamer("resume", "x.gossamer", "--max-similar", "500", "--json", cwd=tmp_path)
    told = json.loads(resumed.stdout)
    assert (resumed.returncode, told["pages"], told["trap_limit"]) == (0, 61, None)
    assert "trap limit" not in resumed.stderr


def test_rescue_and_resume_restore_the_whole_crawl(site: Site, tmp_path: Path) -> None:
    for n in range(150):
        site.page(f"/{n}", links=[f"/{n * 3 % 150}", f"/{n * 5 % 150}", "/"])
    site.page("/", links=[f"/{n}" for n in range(150)])
    path, new = tmp_path / "x.gossamer", tmp_path / "new.gossamer"
    crawl_all(path, site.url())
    whole = {url: record.outlinks for url, record in asked(path).items()}
    data = bytearray(path.read_bytes())
    for number in range(26, len(data) // PAGE_SIZE, 5):
        data[number * PAGE_SIZE : (number + 1) * PAGE_SIZE] = os.urandom(PAGE_SIZE)
    path.write_bytes(data)
    opened = gossamer("info", path, cwd=tmp_path)
    assert opened.returncode == 4
    assert "gossamer rescue FILE -o NEW" in opened.stderr
    rescued = gossamer("rescue", path, "-o", new, cwd=tmp_path)
    assert rescued.returncode == 0, rescued.stderr
    assert "URLs will be fetched again when the crawl is resumed" in rescued.stdout
    resume_all(new)
    assert {url: record.outlinks for url, record in asked(new).items()} == whole


def test_projects_are_listed_and_deleted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    folder = tmp_path / "gossamer" / "projects"
    assert gossamer("projects", cwd=tmp_path).stdout == ""
    folder.mkdir(parents=True)
    (folder / "broken.gossamer").write_bytes(b"x")
    with crawled_site(folder / "untitled.gossamer"):
        shown = gossamer("projects", cwd=tmp_path).stdout
        assert "running" not in shown
        assert "of 129 URLs" in shown
        refused = gossamer("delete", folder / "untitled.gossamer", "-y", cwd=tmp_path)
        assert refused.returncode == 4
    told = json.loads(gossamer("projects", "--json", cwd=tmp_path).stdout)["projects"]
    trouble = {each["known"]: each["trouble"] for each in told}
    assert trouble[129] is None
    assert "is not a Gossamer project" in trouble[0]
    unsure = gossamer("delete", folder / "untitled.gossamer", cwd=tmp_path)
    assert (unsure.returncode, "add --yes" in unsure.stderr) == (2, True)
    for name in ("untitled", "broken"):
        assert gossamer("delete", folder / f"{name}.gossamer", "-y", cwd=tmp_path).returncode == 0
    assert list(folder.iterdir()) == []


def test_settings_of_one_crawl_are_used_for_the_next(site: Site, tmp_path: Path) -> None:
    site.page("/", links=["/a"])
    site.page("/a")
    options = ("--workers", "3", "--exclude", "/b", "-q")
    first = gossamer("crawl", site.url(), "-o", "x.gossamer", *options, cwd=tmp_path)
    assert first.returncode == 0
    assert gossamer("settings", "x.gossamer", "-o", "x.toml", cwd=tmp_path).returncode == 0
    again = gossamer("settings", "x.gossamer", "-o", "x.toml", cwd=tmp_path)
    assert again.returncode == 2
    assert gossamer("settings", "x.gossamer", cwd=tmp_path).stdout == (
        tmp_path / "x.toml"
    ).read_text(encoding="utf-8")
    second = gossamer("crawl", "--settings", "x.toml", "-o", "y.gossamer", "-q", cwd=tmp_path)
    assert second.returncode == 0, second.stderr
    resumed = gossamer("resume", "y.gossamer", "--workers", "20", "-q", cwd=tmp_path)
    assert resumed.returncode == 0, resumed.stderr
    told = json.loads(gossamer("info", "y.gossamer", "--json", cwd=tmp_path).stdout)
    assert (told["settings"]["workers"], told["settings"]["exclude"]) == (20, ["/b"])
