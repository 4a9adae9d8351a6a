"""A crawl of a long list: what is told of it stays short."""

import json
from pathlib import Path

import pytest

from gossamer.cli.main import run_cli
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.session.known_projects import glance
from gossamer.session.settings_file import read_settings, settings_of
from gossamer.store.project import create, store_settings, stored_settings

MANY = tuple(f"https://example.com/{number}" for number in range(5_500))


@pytest.fixture
def project(tmp_path: Path) -> Path:
    path = tmp_path / "list.gossamer"
    create(path, CrawlSettings(roots=MANY, list_only=True))
    return path


def test_info_of_thousands_of_roots_stays_short(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_cli(["info", str(project)], lambda _: 0) == 0
    text = capsys.readouterr().out
    assert len(text) < 10_000
    assert "https://example.com/0, " in text
    assert "and 5,470 more" in text
    assert run_cli(["info", "--json", str(project)], lambda _: 0) == 0
    text = capsys.readouterr().out
    assert len(text) < 10_000
    told = json.loads(text)
    assert told["root_count"] == len(MANY)
    assert told["roots"] == told["settings"]["roots"] == list(MANY[:10])
    assert run_cli(["projects", "--json"], lambda _: 0) == 0


def test_settings_leave_out_most_roots_without_the_option_all_roots(
    project: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_cli(["settings", str(project)], lambda _: 0) == 0
    text = capsys.readouterr().out
    assert len(text) < 10_000
    assert (
        "# roots: 5,500 addresses from a list, which 'gossamer settings --all-roots' writes."
        in text
    )
    assert '#   "https://example.com/2"\n' in text
    found, names = settings_of(text)
    assert "roots" not in names
    assert found.list_only
    brief, whole = tmp_path / "brief.toml", tmp_path / "whole.toml"
    assert run_cli(["settings", str(project), "-o", str(brief)], lambda _: 0) == 0
    assert brief.read_text(encoding="utf-8") == text
    assert run_cli(["settings", str(project), "-o", str(whole), "--all-roots"], lambda _: 0) == 0
    assert read_settings(whole).roots == MANY
    assert run_cli(["crawl", "--settings", str(brief)], lambda _: 0) == 2
    assert "Enter the URL of a website" in capsys.readouterr().err


def test_diagnostics_of_thousands_of_roots_stay_short(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_cli(["info", "--diagnostics", str(project)], lambda _: 0) == 0
    assert len(capsys.readouterr().out) < 20_000


def test_a_project_keeps_all_roots(project: Path) -> None:
    settings = stored_settings(project)
    assert settings.roots == MANY
    assert (glance(project).roots, glance(project).root_count) == (MANY[:10], len(MANY))
    store_settings(project, CrawlSettings(roots=MANY, workers=3))
    assert stored_settings(project) == CrawlSettings(roots=MANY, workers=3)
    store_settings(project, CrawlSettings(roots=MANY[:2]))
    assert stored_settings(project).roots == MANY[:2]
