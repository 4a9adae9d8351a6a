"""A crawl of a long list: what is told of it stays short."""

import json
from pathlib import Path

import pytest

from gossamer.cli.main import run_cli
from gossamer.model.settings import CrawlSettings
from gossamer.session.projects import glance
from gossamer.store.project import create, store_settings, stored_settings

MANY = tuple(f"https://example.com/{number}" for number in range(50_500))


@pytest.fixture
def project(tmp_path: Path) -> Path:
    path = tmp_path / "list.gossamer"
    create(path, CrawlSettings(roots=MANY, list_only=True))
    return path


def test_info_stays_short(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run_cli(["info", str(project)], lambda _: 0) == 0
    text = capsys.readouterr().out
    assert len(text) < 10_000
    assert "https://example.com/0, " in text
    assert "and 50,470 more" in text
    assert run_cli(["info", "--json", str(project)], lambda _: 0) == 0
    text = capsys.readouterr().out
    assert len(text) < 10_000
    told = json.loads(text)
    assert told["root_count"] == len(MANY)
    assert told["roots"] == told["settings"]["roots"] == list(MANY[:10])
    assert run_cli(["projects", "--json"], lambda _: 0) == 0


def test_all_roots_are_kept(project: Path) -> None:
    settings = stored_settings(project)
    assert settings.roots == MANY
    assert (glance(project).roots, glance(project).root_count) == (MANY[:10], len(MANY))
    store_settings(project, CrawlSettings(roots=MANY, workers=3))
    assert stored_settings(project) == CrawlSettings(roots=MANY, workers=3)
    store_settings(project, CrawlSettings(roots=MANY[:2]))
    assert stored_settings(project).roots == MANY[:2]
