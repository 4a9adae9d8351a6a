"""Projects and logs that nobody names get names that every system takes."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from gossamer.model.file_names import MAX_NAME_BYTES
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.session import session_factory
from gossamer.session.default_paths import (
    crawl_log,
    free_project_path,
    log_path,
    new_project_path,
    projects_folder,
)
from gossamer.session.known_projects import listed
from gossamer.session.session_factory import SessionFactory
from gossamer.store.project import create
from tests.cases import each_case


@each_case(
    ("root", "start"),
    [
        ("https://example.com/a/../b?c", "example.com 20"),
        ("https://example.com:8443/", "example.com-8443 20"),
        ("http://[::1]:8080/", "1-8080 20"),
        ("https://con.example.com/", "_con.example.com 20"),
        ("https://com1/", "com1 20"),
        ("https://nul./", "nul 20"),
        (f"https://{'x' * 63}.{'y' * 63}.{'z' * 63}.com/", "x" * 63 + "." + "y" * 47 + " 20"),
    ],
)
def test_a_new_project_is_called_after_its_host(root: str, start: str) -> None:
    path = new_project_path(root)
    assert path.name.startswith(start)
    assert path.suffix == ".gossamer"
    assert len(path.name) <= MAX_NAME_BYTES


def test_the_path_of_a_new_project_is_not_taken_yet() -> None:
    for _ in range(12):
        path = new_project_path("https://con.example.com/")
        assert not path.exists()
        path.touch()


def test_crawls_of_a_host_begun_in_the_same_second_have_a_project_each(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    free = [new_project_path("https://example.com/") for _ in range(3)]
    free[2] = free[2].with_stem("another")
    monkeypatch.setattr(session_factory, "new_project_path", lambda _: free.pop(0))
    settings = CrawlSettings(roots=("https://example.com/",))
    made = [SessionFactory().create(settings).path for _ in range(2)]
    assert len({*made}) == 2
    assert all(path.exists() for path in made)


def test_projects_of_schedules_are_listed_with_those_that_nobody_named() -> None:
    own = new_project_path("https://example.com/")
    scheduled = free_project_path(
        projects_folder() / "shop", "shop", datetime(2026, 5, 4, 2, 30, tzinfo=UTC)
    )
    assert scheduled.name == "shop 2026-05-04 02.30.00.gossamer"
    for path in (own, scheduled):
        create(path, CrawlSettings(roots=("https://example.com/",)))
    assert {own, scheduled} <= {each.path for each in listed()}


def test_a_log_is_called_after_its_project(tmp_path: Path) -> None:
    names = [
        log_path(tmp_path / f"{stem}.gossamer").name for stem in ("a", "a\n\x1b[1m", "漢" * 80)
    ]
    assert [name[:-13] for name in names] == ["a", "a--[1m", "漢" * 42]
    assert {name[-13] for name in names} == {"-"}
    assert log_path(tmp_path / "a.gossamer") != log_path(tmp_path / "b" / "a.gossamer")


def test_without_a_place_that_can_be_told_there_is_no_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", f"{tmp_path}/\udcff")
    assert crawl_log(tmp_path / "a.gossamer") == Path("/dev/null")
