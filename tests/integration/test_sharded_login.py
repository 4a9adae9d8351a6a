"""Shards of a crawl with a login tell each other of links that sign out or delete."""

import sys
from contextlib import ExitStack
from pathlib import Path

import pytest

from gossamer.model.crawl_state import CrawlState
from gossamer.model.messages.crawl_messages import Trouble
from gossamer.model.outcome import Outcome
from gossamer.model.secrets import Login, LoginCookie, OriginSecrets, Secrets
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.session.crawl_host_pool import CrawlHostPool
from gossamer.shards.shard_folder import create_shards
from gossamer.shards.sharded_crawl import ShardedCrawl
from gossamer.urls.shard_ownership import Ownership
from tests.fakes.preloaded import preloaded_host
from tests.integration.crawling import records, run
from tests.sites import Site

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="needs several loopback addresses")
LOGIN = Login(cookies=(LoginCookie("session", "s3cret"),))


def test_the_owner_of_a_url_hears_what_a_link_in_another_shard_says_of_it(tmp_path: Path) -> None:
    with ExitStack() as stack:
        sites = [stack.enter_context(Site(f"127.0.0.{number}")) for number in range(1, 9)]
        owner = Ownership(2).owner
        here = next(site for site in sites if owner(site.url("/")) == 0)
        there = next(site for site in sites if owner(site.url("/")) == 1)
        away, heard = there.url("/away"), there.url("/heard")
        here.page("/", body=f"<a href={away}>Sign out</a><a href={heard}>News</a>")
        there.page("/", links=["/later"])
        gate = there.slow("/later", links=["/away", "/end"])
        for path in ("/heard", "/away", "/end"):
            there.page(path)
        roots = (here.url("/"), there.url("/"))
        paths = create_shards(tmp_path / "a.shards", CrawlSettings(roots=roots), 2, "")

        async def main() -> None:
            crawl = ShardedCrawl(paths, CrawlHostPool(begin=preloaded_host))
            origin = there.url("/").rstrip("/")
            for shard in crawl.shards:
                shard.add_secrets(Secrets({origin: OriginSecrets(login=LOGIN)}))
            try:
                await crawl.start()
                await there.wait_until(lambda: "/heard" in there.paths)
                gate.open()
                async for news in crawl.updates():
                    assert not isinstance(news, Trouble), news.sentence
                    if news.state is CrawlState.FINISHED:
                        break
            finally:
                await crawl.close()

        run(main())
        found = records(paths[1])
        assert found[there.url("/end")].outcome is Outcome.PAGE
        assert found[away].outcome is Outcome.ENDS_SESSION
        assert str(found[away].detail) == "Sign out"
        assert "/away" not in there.paths
