"""A project takes the place of another in one step, whoever has that open."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from gossamer.model.crawl_state import CrawlState
from gossamer.model.errors import ProjectError
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.store_batch import StoreBatch
from gossamer.store import project
from gossamer.store.project_replacement import replace_project
from gossamer.store.reading.reader import Reader
from gossamer.store.writing.writer import Writer


def made(path: Path, seconds: float) -> Path:
    """A finished project that took so long."""
    project.create(path, CrawlSettings(roots=("http://site.test/",)))
    with Writer(path) as writer:
        writer.commit(StoreBatch(state=CrawlState.FINISHED, seconds=seconds))
    return path


@pytest.fixture
def old(tmp_path: Path) -> Path:
    return made(tmp_path / "old.gossamer", 1.0)


@pytest.fixture
def new(tmp_path: Path) -> Path:
    return made(tmp_path / "new.gossamer", 2.0)


def seconds(path: Path) -> float:
    with Reader(path) as reader:
        return reader.summary().seconds


def test_it_has_the_name_of_the_other_and_nothing_is_left(old: Path, new: Path) -> None:
    old.chmod(0o640)
    replace_project(new, old)
    assert seconds(old) == 2.0
    assert old.stat().st_mode & 0o777 == 0o640
    assert [each.name for each in old.parent.iterdir()] == ["old.gossamer"]


def test_who_reads_the_other_goes_on_reading_it(old: Path, new: Path) -> None:
    with Reader(old) as reader:
        assert reader.summary().seconds == 1.0
        replace_project(new, old)
        with Writer(old) as writer:
            writer.commit(StoreBatch(seconds=3.0))
            assert reader.summary().seconds == 1.0
            assert seconds(old) == 3.0
    assert seconds(old) == 3.0


@pytest.mark.parametrize("held", ["old", "new"])
def test_one_that_is_being_written_stays(old: Path, new: Path, held: str) -> None:
    with Writer(old if held == "old" else new), pytest.raises(ProjectError, match="being crawled"):
        replace_project(new, old)
    assert (seconds(old), seconds(new)) == (1.0, 2.0)


def test_one_whose_log_is_needed_by_a_reader_stays(old: Path, new: Path) -> None:
    with closing(sqlite3.connect(old, isolation_level=None)) as reading:
        with closing(sqlite3.connect(old, isolation_level=None)) as writing:
            writing.execute("UPDATE project SET seconds = 1.5")
            reading.execute("BEGIN")
            reading.execute("SELECT * FROM project").fetchall()
            writing.execute("UPDATE project SET seconds = 1.6")
        with pytest.raises(ProjectError, match="open in another program"):
            replace_project(new, old)
    assert (seconds(old), seconds(new)) == (1.6, 2.0)


def test_a_link_goes_on_leading_to_the_place(old: Path, new: Path, tmp_path: Path) -> None:
    link = tmp_path / "link.gossamer"
    link.symlink_to(old)
    replace_project(new, link)
    assert link.is_symlink()
    assert seconds(old) == 2.0
