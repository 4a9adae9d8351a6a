"""Notifications about crawls in shards that wait, or cannot go on: no project has their figures."""

import json
import random
import sys
from pathlib import Path

import pytest

from gossamer.cli import shards_command
from gossamer.cli.foreground_crawl import RunResult
from gossamer.cli.long_wait import LongWait
from gossamer.cli.parsed_commands import ResumeCommand, ResumeShardsCommand
from gossamer.model.messages.crawl_messages import Trouble
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.translatable import Translatable
from gossamer.notifying.channels import CommandChannel
from gossamer.notifying.conditions import parse_condition
from gossamer.notifying.notification_rules import NotificationRule
from gossamer.notifying.outbox_delivery import default_outbox
from gossamer.notifying.rule_store import RuleStore
from gossamer.shards.sharded_crawl import ShardedCrawl
from tests.fakes.sharded import ShardedFake
from tests.fakes.web import NO_CHECKS, FakeWeb

FULL = Translatable("The disk is full.")
DIED = Trouble(Translatable("The crawl process has ended."), 5)
SITES = [f"http://d{number}.test/" for number in range(4)]


@pytest.fixture
def shards(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """Shards that have fetched all of four sites: of each a page, and one that is gone."""
    for name in ("DATA", "CONFIG", "CACHE"):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(tmp_path / name.lower()))
    rule = NotificationRule(
        "all",
        tuple(map(parse_condition, ("ended", "errors:1"))),
        (CommandChannel((sys.executable, "-c", "pass")),),
    )
    RuleStore().add(rule)
    web = FakeWeb()
    for site, other in zip(SITES, (*SITES[1:], SITES[0]), strict=True):
        web.page(site, other, f"{other}gone")
    settings = CrawlSettings(roots=(*SITES,), guard=False, **NO_CHECKS)  # type: ignore[arg-type]  # field by field
    folder = tmp_path / "a.shards"
    folder.mkdir()
    crawl = ShardedFake(folder, settings, web, 2, random.Random(1))
    crawl.run(stop_after_s=100.0)
    return crawl.paths


@pytest.mark.parametrize("ending", ["waits", "failed", "paused", "interrupted"])
def test_shards_without_a_merged_project_are_told_of_with_their_sums(
    shards: list[Path], monkeypatch: pytest.MonkeyPatch, ending: str
) -> None:
    async def crawl_to_end(*_: object, long_wait: LongWait) -> RunResult:
        if ending == "waits":
            await long_wait._report(FULL)  # noqa: SLF001 - in place of ten minutes
        trouble = DIED if ending == "failed" else None
        notice = FULL if ending == "paused" else None
        return RunResult(
            interrupted=trouble is None and notice is None, trouble=trouble, notice=notice
        )

    folder = shards[0].parent
    monkeypatch.setattr(shards_command, "crawl_to_end", crawl_to_end)
    monkeypatch.setattr(ShardedCrawl, "state", "paused")
    shards_command.resume_shards(ResumeShardsCommand(ResumeCommand(project=folder)), None)
    messages = default_outbox().messages()
    if ending == "interrupted":
        assert not messages
        return
    (crawl,) = json.loads(messages[0].content)["crawls"]
    assert (crawl["ending"], crawl["project"]) == (
        "failed" if ending == "failed" else "paused",
        str(folder),
    )
    assert (crawl["urls"], crawl["pages"], crawl["errors"]) == (8, 4, 4)
    kinds = {each["condition"].partition(":")[0] for each in crawl["conditions"]}
    assert kinds == {"ended", "errors"}
