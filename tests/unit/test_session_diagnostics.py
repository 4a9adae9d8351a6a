"""Diagnostics tell what is needed, about any project, and no secret."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from gossamer import __version__
from gossamer.extract import native_dom_walk as native_walk
from gossamer.ipc.log_file import kept_logs
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.session.default_paths import log_path
from gossamer.session.diagnostics import diagnostics
from gossamer.store.project import create
from gossamer.store.writer_lock import WriterLock


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "a.gossamer"
    create(path, CrawlSettings(roots=("https://me:hunter2@a.example",), workers=33))
    return path


def test_versions_settings_and_state(path: Path) -> None:
    text = diagnostics(path)
    for expected in (f"Gossamer {__version__}", "SQLite 3.", "aiohttp 3.", "workers = 33"):
        assert expected in text
    assert f"Reading pages in C: {native_walk.STATE}\n" in text
    assert "Project a.gossamer: new, 0 URLs, 0 to do" in text
    assert "Held by nobody" in text
    assert "Last errors in" in text
    lock = WriterLock(path)
    assert "Held by process" in diagnostics(path)
    lock.close()
    assert "hunter2" not in text


def test_the_last_errors_and_what_is_no_line_of_ours(path: Path) -> None:
    log = log_path(path)
    old = kept_logs(log)[1]
    old.write_text('{"event": "long ago", "level": "error"}\n' * 30)
    log.write_text(
        '{"event": "all is well", "level": "info"}\n'
        '{"event": "a worker ended", "level": "warning"}\n'
        "Fatal Python error: Segmentation fault\n" + '["odd"]\n' + "x" * 9000 + "\n"
    )
    text = diagnostics(path)
    assert "all is well" not in text
    assert "a worker ended" in text
    assert "Segmentation fault" in text
    assert text.count("long ago") == 16
    assert len(text) < 10_000


def test_stored_settings_that_are_no_longer_valid_hide_nothing_else(path: Path) -> None:
    step = {"submit_url": "https://b.example/in", "typed": ["name"]}
    form = {"page": "https://b.example/login", "steps": [step]}
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(
            "UPDATE project SET settings = json_set(settings, '$.login_form', json(?))",
            (json.dumps(form),),
        )
    text = diagnostics(path)
    assert "Last errors in" in text
    assert "b.example" in text


def test_no_project_and_one_that_cannot_be_opened(tmp_path: Path) -> None:
    assert "Last errors" not in diagnostics()
    assert "does not exist" in diagnostics(tmp_path / "none.gossamer")
    (tmp_path / "bad.gossamer").write_bytes(b"x")
    assert "is not a Gossamer project" in diagnostics(tmp_path / "bad.gossamer")
