"""One page looked at: in any state of the crawl, by its rules, and nothing left behind."""

import asyncio
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from gossamer.model.crawl_state import CrawlState
from gossamer.model.errors import UsageError
from gossamer.model.outcome import Outcome
from gossamer.model.secrets import HttpAuth, OriginSecrets
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.session.session_timings import SessionTimings
from tests.integration.crawling import (
    assert_gone,
    closing,
    crawl_all,
    new_session,
    run,
    sessions,
    timed_session,
    until,
)
from tests.sites import Response, Site

PAGE = b"<html><body>\n<p id=a>One</p>\n<a href=/next>two</a></body></html>"


def test_inspecting_a_page_of_a_finished_crawl(site: Site, tmp_path: Path) -> None:
    site.page("/", links=["/next"])
    site.page("/next")
    path = tmp_path / "a.gossamer"
    crawl_all(path, site.url("/"))
    site.respond("/", Response(body=PAGE))
    before = len(site.paths)

    async def main() -> None:
        async with closing(sessions().open(path)) as session:
            source = await session.inspection.source(site.url("/"), site.url("/next"))
            assert source.status == 200
            assert source.text.encode() == PAGE
            assert [source.text[start:end] for start, end in source.spans] == ["/next"]
            assert ("User-Agent", session.settings.user_agent) in source.request
            rule = await session.inspection.test_rule("p#a, a")
            assert [(match.text, match.line) for match in rule.matches] == [("One", 2), ("two", 3)]
            assert (await session.inspection.test_rule("p[")).error
            other = await session.inspection.source(site.url("/"))
            assert other.spans == []
            assert session.state is CrawlState.FINISHED

    run(main())
    assert sorted(site.paths[before:]) == ["/", "/robots.txt"]


def test_inspecting_a_page_during_a_crawl_and_a_pause(site: Site, tmp_path: Path) -> None:
    site.page("/", links=["/slow"])
    site.hang("/slow")
    site.respond("/look", Response(body=PAGE, status=404))

    async def main() -> None:
        async with new_session(tmp_path / "a.gossamer", site.url("/")) as session:
            await session.start()
            await until(session, lambda progress: bool(progress.in_flight))
            first = await session.inspection.source(site.url("/look"))
            assert (first.status, first.text.encode()) == (404, PAGE)
            await session.pause(now=True)
            again = await session.inspection.source(site.url("/look"), again=True)
            assert again.text == first.text
            assert session.state is CrawlState.PAUSED

    run(main())
    assert site.paths.count("/look") == 2


def test_inspection_uses_robots_txt_and_secrets_as_the_crawl_does(
    site: Site, tmp_path: Path
) -> None:
    site.robots("User-agent: *\nDisallow: /private\n")
    site.page("/")
    site.page("/private")

    async def main() -> None:
        secrets = OriginSecrets(auth=HttpAuth("me", "hush"))
        settings = CrawlSettings(roots=(site.url("/"),), processes=1)
        session = sessions().create(settings, tmp_path / "a.gossamer", secrets)
        async with closing(session):
            blocked = await session.inspection.source(site.url("/private"))
            assert blocked.outcome is Outcome.BLOCKED_BY_ROBOTS
            assert "line 2" in str(blocked.detail)
            assert blocked.text == ""
            allowed = await session.inspection.source(site.url("/"))
            assert ("Authorization", "…") in allowed.request
            assert "hush" not in repr(allowed)

    run(main())
    assert "/private" not in site.paths


def test_structured_data_is_read_from_the_page_as_it_was_just_fetched(
    site: Site, tmp_path: Path
) -> None:
    site.robots("User-agent: *\nDisallow: /private\n")
    data = b'{"@context": "https://schema.org", "@type": "Person", "name": "A"}'
    site.respond("/", Response(body=b"<script type=application/ld+json>" + data + b"</script>"))

    async def main() -> None:
        async with new_session(tmp_path / "a.gossamer", site.url("/")) as session:
            found = await session.inspection.contents(site.url("/"))
            assert found.fetched.is_read
            assert [item.types for item in found.items] == [["Person"]]
            await session.inspection.source(site.url("/"))
            assert site.paths.count("/") == 1
            await session.inspection.contents(site.url("/"), again=True)
            assert site.paths.count("/") == 2
            blocked = await session.inspection.contents(site.url("/private"))
            assert blocked.fetched.outcome is Outcome.BLOCKED_BY_ROBOTS
            assert not blocked.fetched.is_read

    run(main())
    assert "/private" not in site.paths


def test_the_texts_of_two_pages_are_compared(site: Site, tmp_path: Path) -> None:
    same = b"<p>" + b" ".join(b"%d" % n for n in range(40)) + b"</p>"
    site.respond("/", Response(body=b"<nav>no</nav>" + same + b"<p>a red house</p>"))
    site.respond("/other", Response(body=same + b"<p>a blue house</p>"))

    async def main() -> None:
        async with new_session(tmp_path / "a.gossamer", site.url("/")) as session:
            found = await session.inspection.comparison(site.url("/"), site.url("/other"))
            assert (found.url, found.other) == (site.url("/"), site.url("/other"))
            assert found.fetched.is_read
            assert found.other_fetched.status == 200
            assert found.percent == 90
            assert [row.differs for row in found.texts.rows] == [False, True]
            assert [part.text for part in found.texts.rows[1].right if part.differs] == ["blue"]
            gone = await session.inspection.comparison(site.url("/"), site.url("/missing"))
            assert gone.other_fetched.status == 404

    run(main())


def test_a_cancelled_inspection_leaves_no_connection(site: Site, tmp_path: Path) -> None:
    site.hang("/slow")
    site.respond("/", Response(body=PAGE))

    async def main() -> None:
        async with new_session(tmp_path / "a.gossamer", site.url("/")) as session:
            async with asyncio.TaskGroup() as group:
                looking = group.create_task(session.inspection.source(site.url("/slow")))
                await site.wait_for_in_flight(1)
                looking.cancel()
            await site.wait_for_disconnect()
            assert (await session.inspection.source(site.url("/"))).status == 200

    run(main())


LOOK = """
import asyncio, sys
from pathlib import Path
from gossamer.session.session_factory import SessionFactory
asyncio.run(SessionFactory().open(Path(sys.argv[1])).inspection.source(sys.argv[2]))
"""


def test_a_killed_shell_leaves_no_inspector(site: Site, tmp_path: Path) -> None:
    site.hang("/slow")
    project = tmp_path / "a.gossamer"
    sessions().create(CrawlSettings(roots=(site.url("/"),)), project)
    with subprocess.Popen([sys.executable, "-c", LOOK, project, site.url("/slow")]) as shell:
        site.block_until(lambda: site.in_flight == 1)
        family = psutil.Process(shell.pid).children()
        shell.kill()
    assert len(family) == 1
    assert_gone(family)
    site.block_until(lambda: site.open_connections == 0)


def test_an_endless_extraction_rule_is_aborted(site: Site, tmp_path: Path) -> None:
    site.respond("/", Response(body=b"<div>" * 500 + b"<p>" * 5_000))

    async def main() -> None:
        timings = SessionTimings(rule_s=2.0)
        async with timed_session(timings, tmp_path / "a.gossamer", site.url("/")) as session:
            await session.inspection.source(site.url("/"))
            with pytest.raises(UsageError, match="took longer than"):
                await session.inspection.test_rule("video " + "div " * 30 + "p")
            assert (await session.inspection.test_rule("p")).count == 5_000

    run(main())


def test_binary_and_oversized_bodies(site: Site, tmp_path: Path) -> None:
    site.file("/image", b"\x89PNG" * 100, "image/png")
    site.file("/long", b"x" * (3 << 20), "text/plain")

    async def main() -> None:
        async with new_session(tmp_path / "a.gossamer", site.url("/")) as session:
            image = await session.inspection.source(site.url("/image"))
            assert (image.text, image.is_text, image.status) == ("", False, 200)
            long = await session.inspection.source(site.url("/long"))
            assert long.truncated
            assert long.is_text
            assert len(long.text.replace("\n", "")) == 2 << 20

    run(main())
