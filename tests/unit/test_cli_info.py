"""What `gossamer info` says of a project besides its counts."""

import json
from pathlib import Path

import pytest

from gossamer.cli.info_command import show_info
from gossamer.cli.parsed_commands import InfoCommand
from gossamer.model.archive_record import ArchiveRecord, RecordKind, archive_folder
from gossamer.model.settings.crawl_settings import CrawlSettings
from tests.fakes.crawled import SITE, Crawled


def told(project: Path, capsys: pytest.CaptureFixture[str]) -> tuple[str, object]:
    """The line on the archive, and the archive of the report."""
    show_info(InfoCommand(project=project))
    lines = capsys.readouterr().out.splitlines()
    show_info(InfoCommand(project=project, json=True))
    report = json.loads(capsys.readouterr().out)
    return next((line for line in lines if line.startswith("Archive: ")), ""), report["archive"]


def test_info_tells_where_the_archive_is_and_how_large(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with Crawled(tmp_path / "without.gossamer"):
        pass
    assert told(tmp_path / "without.gossamer", capsys) == ("", None)
    project = tmp_path / "site.gossamer"
    record = ArchiveRecord(RecordKind.RESPONSE, "a.warc.gz", 0, 9, bytes(20))
    with Crawled(project, CrawlSettings(roots=(SITE,), archive=True)) as site:
        site.page("/kept", archived=[record])
        site.page("/a")
        site.page("/b")
        site.redirect("/old", "/a")
    folder = archive_folder(project)
    absent: dict[str, object] = {
        "folder": str(folder),
        "files": None,
        "size_bytes": 0,
        "not_kept": {},
        "nodes": [],
    }
    assert told(project, capsys) == (f"Archive: {folder} (is not there)", absent)
    folder.mkdir()
    for name in ("a.warc.gz", "b.warc.gz"):
        (folder / name).write_bytes(bytes(1024))
    missing = {"text/html": 2}
    there = {
        "folder": str(folder),
        "files": 2,
        "size_bytes": 2048,
        "not_kept": missing,
        "nodes": [],
    }
    assert told(project, capsys) == (f"Archive: {folder} (2 files, 2.0 KiB)", there)
    show_info(InfoCommand(project=project))
    assert "not kept: text/html (2)" in capsys.readouterr().out
