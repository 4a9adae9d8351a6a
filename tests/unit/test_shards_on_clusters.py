"""A crawl in shards fetches on the cluster that was named: begun, and resumed."""

import asyncio
from pathlib import Path

import pytest

from gossamer.cli import shards_command
from gossamer.cli.parsed_commands import (
    CrawlCommand,
    CrawlShardsCommand,
    CredentialOptions,
    ResumeCommand,
    ResumeShardsCommand,
    TypedSecret,
)
from gossamer.model.cluster_address import ClusterChoice
from gossamer.model.errors import CrawlHostError, KnownError, ProjectError, UsageError
from gossamer.model.messages.crawl_messages import Start, Trouble
from gossamer.model.secrets import HttpAuth, OriginSecrets, Secrets
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.session.crawl_host_pool import CrawlHostPool
from gossamer.shards.shard_folder import create_shards
from gossamer.shards.shard_nodes import SILENCE_S, ShardNodes
from gossamer.shards.shard_session import ShardSession
from gossamer.shards.sharded_crawl import ShardedCrawl
from tests.fakes.virtual_loop import run_virtual

SCHEDULER = "tcp://127.0.0.1:8786"
OPEN_NETWORK = "tcp://192.0.2.1:8786"
SETTINGS = CrawlSettings(roots=("http://a.test/",))


@pytest.fixture
def begun(monkeypatch: pytest.MonkeyPatch) -> list[ShardedCrawl]:
    """The crawls that the command line would begin."""
    crawls: list[ShardedCrawl] = []

    def begin(crawl: ShardedCrawl, *_: object) -> int:
        crawls.append(crawl)
        return 0

    monkeypatch.setattr(shards_command, "_crawl", begin)
    return crawls


def starts_of(crawl: ShardedCrawl, monkeypatch: pytest.MonkeyPatch) -> list[Start]:
    """What the crawl hosts of its shards would be told."""
    told: list[Start] = []

    async def start(_: ShardSession, start: Start, *_more: object) -> None:
        told.append(start)

    monkeypatch.setattr(ShardSession, "_start_host", start)

    async def main() -> None:
        for shard in crawl.shards:
            await shard._start_host_with(())  # noqa: SLF001 - what is sent is the point

    asyncio.run(main())
    return told


def test_the_command_line_leads_all_shards_to_the_cluster(
    tmp_path: Path, begun: list[ShardedCrawl]
) -> None:
    settings = CrawlSettings(roots=("http://a.test/",), cluster=SCHEDULER)
    command = CrawlCommand(settings=settings, output=tmp_path / "a.gossamer")
    shards_command.crawl_in_shards(CrawlShardsCommand(command, 2), None)
    folder = tmp_path / "a.shards"
    resumed = ResumeCommand(project=folder, changes=(("cluster", "local:2"),))
    shards_command.resume_shards(ResumeShardsCommand(resumed), None)
    shards_command.resume_shards(ResumeShardsCommand(ResumeCommand(project=folder)), None)
    chosen = [[shard.settings.cluster for shard in crawl.shards] for crawl in begun]
    assert chosen == [[SCHEDULER] * 2, ["local:2"] * 2, ["", ""]]


def test_an_interrupted_crawl_is_told_to_go_on_where_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[object] = []
    monkeypatch.setattr(shards_command, "_crawl", lambda *given: told.append(given[-1]))
    settings = CrawlSettings(roots=("http://a.test/",), cluster="local:2")
    command = CrawlCommand(settings=settings, output=Path("a.gossamer"))
    monkeypatch.chdir(tmp_path)
    shards_command.crawl_in_shards(CrawlShardsCommand(command, 2, on_nodes=True), None)
    resumed = ResumeCommand(project=Path("a.shards"), changes=(("cluster", SCHEDULER),))
    shards_command.resume_shards(ResumeShardsCommand(resumed), None)
    assert told == [
        "gossamer resume a.shards --cluster local:2 --shards-on-nodes",
        f"gossamer resume a.shards --cluster {SCHEDULER}",
    ]


def test_other_settings_of_shards_cannot_change(tmp_path: Path, begun: list[ShardedCrawl]) -> None:
    create_shards(tmp_path / "a.shards", SETTINGS, 2, "")
    resumed = ResumeCommand(project=tmp_path / "a.shards", changes=(("rate", 1.0),))
    with pytest.raises(UsageError, match="cannot be changed"):
        shards_command.resume_shards(ResumeShardsCommand(resumed), None)
    assert not begun


def test_on_nodes_a_shard_crawls_by_itself_beside_its_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, begun: list[ShardedCrawl]
) -> None:
    settings = CrawlSettings(roots=("http://a.test/",), cluster=SCHEDULER)
    command = CrawlCommand(settings=settings, output=tmp_path / "a.gossamer")
    shards_command.crawl_in_shards(CrawlShardsCommand(command, 2, on_nodes=True), None)
    resumed = ResumeCommand(project=tmp_path / "a.shards", changes=(("cluster", "local:2"),))
    shards_command.resume_shards(ResumeShardsCommand(resumed, on_nodes=True), None)

    class Link:
        clock_ahead_s = 0.0

    class Place:
        page_workers = 3
        link = Link()

    async def place(*_: object) -> Place:
        return Place()

    monkeypatch.setattr(ShardNodes, "place", place)
    for crawl in begun:
        first, _ = starts_of(crawl, monkeypatch)
        assert (first.cluster.address, first.processes, first.silence_s) == ("", 3, SILENCE_S)
        assert first.log == str(tmp_path / "a.shards" / "shard-1-of-2.log")


def test_shards_on_nodes_need_both(tmp_path: Path, begun: list[ShardedCrawl]) -> None:
    alone = CrawlCommand(settings=SETTINGS, output=tmp_path / "a.gossamer")
    with pytest.raises(UsageError, match="add --cluster"):
        shards_command.crawl_in_shards(CrawlShardsCommand(alone, 2, on_nodes=True), None)
    with pytest.raises(UsageError, match="add --shards"):
        shards_command.crawl_in_shards(CrawlShardsCommand(alone, 0, on_nodes=True), None)
    resumed = ResumeCommand(project=tmp_path / "a.gossamer")
    with pytest.raises(UsageError, match="needs the folder"):
        shards_command.resume_shards(ResumeShardsCommand(resumed, on_nodes=True), None)
    assert not begun
    assert not (tmp_path / "a.shards").exists()


@pytest.mark.parametrize(
    ("address", "told"),
    [
        (SCHEDULER, [SCHEDULER] * 3),
        ("local:4", ["local:2", "local:1", "local:1"]),
        ("local:1", ["local:1"] * 3),
        ("", [""] * 3),
    ],
)
def test_nodes_of_this_machine_are_shared_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, address: str, told: list[str]
) -> None:
    crawl = ShardedCrawl(create_shards(tmp_path / "a.shards", SETTINGS, 3, ""), CrawlHostPool())
    crawl.choose_cluster(ClusterChoice(address, is_insecure=True))
    starts = starts_of(crawl, monkeypatch)
    assert [start.cluster.address for start in starts] == told
    assert all(start.cluster.is_insecure for start in starts)


@pytest.mark.parametrize("on_nodes", [False, True])
def test_secrets_are_refused_before_there_are_shards_if_others_can_read_the_connection(
    tmp_path: Path, begun: list[ShardedCrawl], *, on_nodes: bool
) -> None:
    settings = CrawlSettings(roots=("http://a.test/",), cluster=OPEN_NETWORK)
    credentials = CredentialOptions(cookies=(TypedSecret("", "a=b"),))
    command = CrawlCommand(settings, tmp_path / "a.gossamer", credentials=credentials)
    with pytest.raises(UsageError, match="not encrypted"):
        shards_command.crawl_in_shards(CrawlShardsCommand(command, 2, on_nodes=on_nodes), None)
    assert not begun
    assert not (tmp_path / "a.shards").exists()


@pytest.mark.parametrize("on_nodes", [False, True])
def test_secrets_given_later_are_refused_before_any_node_is_looked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, on_nodes: bool
) -> None:
    looked: list[object] = []

    async def begin(*_: object, **_more: object) -> None:
        looked.append(None)

    monkeypatch.setattr(ShardNodes, "begin", begin)
    monkeypatch.setattr(ShardSession, "_start_host", begin)
    crawl = ShardedCrawl(create_shards(tmp_path / "a.shards", SETTINGS, 2, ""), CrawlHostPool())
    crawl.choose_cluster(ClusterChoice(OPEN_NETWORK))
    if on_nodes:
        crawl.crawl_on_nodes(ClusterChoice(OPEN_NETWORK))
    auth = OriginSecrets(auth=HttpAuth("me", "secret"))
    crawl.shards[0].add_secrets(Secrets({"http://a.test": auth}))
    crawl.share_secrets()

    async def main() -> None:
        try:
            with pytest.raises(UsageError, match="not encrypted"):
                await crawl.start()
        finally:
            await crawl.close()

    asyncio.run(main())
    assert not looked


@pytest.mark.parametrize(
    "why", [ProjectError("It is gone."), CrawlHostError("No page worker can be started there.")]
)
def test_who_reads_updates_late_hears_why_a_shard_did_not_start_on_a_node(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, why: KnownError
) -> None:
    """After as many tries as make sense."""

    async def begin(*_: object, **_more: object) -> None:
        pass

    tried = asyncio.Event()

    async def start(*_: object) -> None:
        tried.set()
        raise why

    monkeypatch.setattr(ShardNodes, "begin", begin)
    monkeypatch.setattr(ShardSession, "start", start)
    crawl = ShardedCrawl(create_shards(tmp_path / "a.shards", SETTINGS, 1, ""), CrawlHostPool())
    crawl.crawl_on_nodes(ClusterChoice(SCHEDULER))

    async def main() -> str:
        await crawl.start()
        await tried.wait()
        try:
            async for news in crawl.updates():
                if isinstance(news, Trouble):
                    return str(news.sentence)
        finally:
            await crawl.close()
        return ""

    assert run_virtual(main()) == str(why)
