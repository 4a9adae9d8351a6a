"""A project file that is open stays safe when it is opened once more in the same process."""

import subprocess
import sys
from pathlib import Path

from gossamer.model.project_queries import View
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.store.database import ensure_readable
from gossamer.store.project import check, create
from gossamer.store.reading.project_listing import glance
from gossamer.store.reading.reader import Reader
from gossamer.store.rescue.project_rescue import rescue
from tests.patience import PATIENCE_S

WRITE = """
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1])
connection.execute("UPDATE project SET seconds = seconds + 1")
connection.commit()
connection.close()
"""


def write_elsewhere(path: Path) -> None:
    subprocess.run([sys.executable, "-c", WRITE, str(path)], check=True, timeout=PATIENCE_S)


def open_descriptors() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


def test_a_second_look_does_not_let_another_process_delete_the_log_of_the_first(
    tmp_path: Path,
) -> None:
    path = tmp_path / "a.gossamer"
    create(path, CrawlSettings(roots=("https://example.com/",)))
    write_ahead_log = path.with_name("a.gossamer-wal")
    with Reader(path) as reader:
        reader.ids(View.ALL)
        check(path)
        glance(path)
        with Reader(path):
            pass
        ensure_readable(path)
        rescue(path, tmp_path / "rescued.gossamer")
        write_elsewhere(path)
        assert write_ahead_log.exists(), "the other process is not the last"
        assert reader.summary().seconds == 1
        write_elsewhere(path)
        assert reader.summary().seconds == 2


def test_descriptors_that_were_kept_are_closed_with_the_last_connection(tmp_path: Path) -> None:
    path = tmp_path / "a.gossamer"
    create(path, CrawlSettings(roots=("https://example.com/",)))
    before = open_descriptors()
    with Reader(path):
        for _ in range(10):
            ensure_readable(path)
        assert open_descriptors() < before + 10, "one descriptor serves all looks"
    ensure_readable(path)
    assert open_descriptors() == before
