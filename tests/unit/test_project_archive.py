"""The archive of a project is copied with it: its own files, and nothing that they may lead to."""

import os
import sys
from pathlib import Path

import pytest

from gossamer.model.archive_record import archive_folder
from gossamer.session.project_archive import copy_archive

STAMP = "20261123120000-1"


@pytest.mark.skipif(sys.platform == "win32", reason="has no pipes with names")
def test_links_and_pipes_in_an_archive_are_not_copied(tmp_path: Path) -> None:
    """A pipe would keep the copy waiting for ever."""
    source, part, target = (tmp_path / f"{name}.gossamer" for name in ("a", "part", "b"))
    folder = archive_folder(source)
    folder.mkdir()
    own, link, pipe = (folder / f"a-{STAMP}-0000{number}.warc.gz" for number in range(3))
    own.write_bytes(b"record")
    (tmp_path / "secret").write_bytes(b"secret")
    link.symlink_to(tmp_path / "secret")
    os.mkfifo(pipe)
    copy_archive(source, part, target)
    assert [each.name for each in archive_folder(part).iterdir()] == [own.name]
