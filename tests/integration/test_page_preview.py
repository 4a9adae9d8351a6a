"""One page rendered on request by a real browser, by the rules of the crawl; nothing is stored."""

import asyncio
import tempfile
from contextlib import suppress
from pathlib import Path

import pytest

from gossamer.model.errors import CrawlHostError, UsageError
from gossamer.model.fields.rendering_fields import RenderOutcome
from gossamer.model.link_traits import LinkOrigin
from gossamer.model.messages.page_rendering_messages import ComparedFact, RenderedLink
from gossamer.model.outcome import Outcome
from gossamer.model.rendering import BlockedBy
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.store.reading.reader import Reader
from tests.fakes.browsers import NEEDS_BROWSER
from tests.fakes.processes import child_processes
from tests.integration.crawling import closing, crawl_all, new_session, run, sessions
from tests.sites import Response, Site

HTML = b"""<!doctype html><html><head><title>Loading</title></head>
<body><a href=/old>gone soon</a><a href=/both>both</a><div id=app></div>
<script src=/app.js></script><script src=/private.js></script></body></html>"""
SCRIPT = b"""document.title = 'Shop';
document.querySelector('a').remove();
document.getElementById('app').innerHTML = '<h1>Scarves</h1><a href=/new>new</a>';
console.error('out of wool');"""


def shop(site: Site) -> None:
    site.page("/", links=["/shop"])
    site.respond("/shop", Response(body=HTML))
    site.file("/app.js", SCRIPT, "text/javascript")
    site.page("/both")
    site.page("/old")
    site.page("/new")
    site.robots("User-agent: *\nDisallow: /private.js\nDisallow: /secret\n")


@NEEDS_BROWSER
def test_a_page_of_a_crawl_without_rendering_is_rendered_on_request(
    site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shop(site)
    path = tmp_path / "a.gossamer"
    crawl_all(path, site.url("/"))
    before = site.paths.count("/shop")
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setenv("TMPDIR", str(temporary))

    async def main() -> None:
        async with closing(sessions().open(path)) as session:
            found = await session.inspection.rendering(site.url("/shop"))
        assert found.is_rendered
        assert found.rendering.render_outcome is RenderOutcome.RENDERED
        facts = {fact.name: fact for fact in found.facts}
        assert facts["title"] == ComparedFact("title", "Loading", "Shop")
        assert facts["h1"].differs
        assert facts["h1"].rendered == "Scarves"
        assert not facts["canonical"].differs
        assert found.links.differing == [
            RenderedLink(site.url("/new"), "new", LinkOrigin.RENDERED),
            RenderedLink(site.url("/old"), "gone soon", LinkOrigin.HTML_ONLY),
        ]
        assert found.links.both == 1
        assert found.texts is not None
        assert found.dom is not None
        assert any("Scarves" in part.text for row in found.texts.rows for part in row.right)
        added = [part.text for row in found.dom.rows for part in row.right if part.differs]
        assert '<a href="/new">' in added
        [message] = found.rendering.details.console[:1]
        assert (message.is_error, message.text) == (True, "out of wool")
        blocked = {
            each.url: each.blocked_by
            for each in found.rendering.details.resources
            if each.blocked_by
        }
        assert blocked == {site.url("/private.js"): BlockedBy.ROBOTS}
        assert found.rendering.screenshot.startswith(b"\xff\xd8"), "a JPEG"

    run(main())
    assert site.paths.count("/shop") == before + 1, "asked for once"
    assert list(temporary.iterdir()) == [], "the browser's profile is gone"
    with Reader(path) as reader:
        assert not reader.has_renderings(), "nothing is stored"


@NEEDS_BROWSER
def test_what_is_no_page_says_what_it_is(site: Site, tmp_path: Path) -> None:
    shop(site)
    site.respond("/gone", Response(status=404, body=b"<p>gone"))

    async def main() -> None:
        async with new_session(tmp_path / "a.gossamer", site.url("/")) as session:
            gone = await session.inspection.rendering(site.url("/gone"))
            assert (gone.fetched.status, gone.is_rendered) == (404, False)
            secret = await session.inspection.rendering(site.url("/secret"))
            assert secret.fetched.outcome is Outcome.BLOCKED_BY_ROBOTS

    run(main())
    assert "/secret" not in site.paths


@NEEDS_BROWSER
@pytest.mark.parametrize("is_killed", [False, True], ids=["cancelled", "killed"])
def test_a_preview_that_ends_early_leaves_no_process_and_no_profile(
    site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, is_killed: bool
) -> None:
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setenv("TMPDIR", str(temporary))
    monkeypatch.setattr(tempfile, "tempdir", None)
    shop(site)
    site.hang("/app.js")

    async def main() -> None:
        async with new_session(tmp_path / "a.gossamer", site.url("/")) as session:

            async def look() -> None:
                with suppress(CrawlHostError):  # the inspector process exited
                    await session.inspection.rendering(site.url("/shop"))

            async with asyncio.TaskGroup() as group:
                looking = group.create_task(look(), name="look")
                await site.wait_until(lambda: "/app.js" in site.paths)
                if is_killed:
                    kill_owner_of_browser()
                else:
                    looking.cancel()
            assert left_in(temporary) == []

    run(main())
    assert child_processes() == []


def kill_owner_of_browser() -> None:
    """Kill the process that has started a browser with a profile."""
    browser = next(
        each
        for each in child_processes()
        if any(word.startswith("--user-data-dir=") for word in each.cmdline())
    )
    owner = browser.parent()
    assert owner is not None
    owner.kill()


def left_in(folder: Path) -> list[Path]:
    return list(folder.iterdir())


def test_a_browser_that_is_not_there_is_named(site: Site, tmp_path: Path) -> None:
    shop(site)
    settings = CrawlSettings(roots=(site.url("/"),), browser="no-such-browser")

    async def main() -> None:
        made = sessions().create(settings, tmp_path / "a.gossamer")
        async with closing(made) as session:
            with pytest.raises(UsageError, match="no browser no-such-browser"):
                await session.inspection.rendering(site.url("/shop"))
            assert (await session.inspection.source(site.url("/"))).status == 200

    run(main())
