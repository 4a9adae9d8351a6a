"""What `gossamer info` says of the shards of a crawl: what it says of one that has them all."""

import json
import random
from pathlib import Path
from typing import Any

import pytest

from gossamer.cli.command_parser import parse
from gossamer.cli.info_command import show_info
from gossamer.cli.parsed_commands import AuditCommand, InfoCommand
from gossamer.model.errors import ProjectError
from tests.fakes.sharded import ShardedFake, crawl_at_once, random_sites, settings_by

OF_THE_FILES = {"project", "shards", "created", "seconds", "pages_per_second", "state"}
"""What need not be the same."""
LEFT_OUT = {"known", "skipped", "outcomes"}
"""What counts URLs out of scope: in each shard that has found them."""


def told(path: Path, capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    show_info(InfoCommand(path, json=True))
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


@pytest.mark.parametrize("seed", range(3))
def test_the_sums_of_all_shards_are_those_of_one_crawl(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], seed: int
) -> None:
    chance = random.Random(seed)
    web, settings = random_sites(chance), settings_by(chance)
    crawl_at_once(tmp_path / "one.gossamer", settings, web)
    folder = tmp_path / "a.shards"
    folder.mkdir()
    ShardedFake(folder, settings, web, 3, chance).run()
    one, many = told(tmp_path / "one.gossamer", capsys), told(folder, capsys)
    assert one["known"] > 1
    assert (one["shards"], many["shards"]) == (None, 3)
    assert many["project"] == str(folder)
    assert many["state"] == one["state"]
    same = one.keys() - OF_THE_FILES - LEFT_OUT
    assert {name: one[name] for name in same} == {name: many[name] for name in same}
    for counts in one["outcomes"], many["outcomes"]:
        counts.pop("out_of_scope", None)
    assert one["outcomes"] == many["outcomes"]
    show_info(InfoCommand(folder))
    assert "\nShards:  3\n" in capsys.readouterr().out


def test_a_folder_without_all_shards_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ProjectError, match="folder without shards"):
        show_info(InfoCommand(tmp_path))


def test_an_audit_takes_a_folder_of_shards_for_a_project_and_no_other(tmp_path: Path) -> None:
    for name, is_project in (("a.shards", True), ("www.example.com", False)):
        folder = tmp_path / name
        folder.mkdir()
        command = parse(["audit", str(folder)])
        assert isinstance(command, AuditCommand)
        assert (command.project == folder) is is_project
