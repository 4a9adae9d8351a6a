"""Whatever a site is like and however it changes: a recrawl says what a crawl of it says."""

import random
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from hypothesis import example, given, settings
from hypothesis import strategies as st

from gossamer.crawl_host.previous_crawl_thread import PreviousCrawlThread
from gossamer.crawl_host.writer_thread import StoreThread
from gossamer.engine.crawl import Crawl
from gossamer.model.crawl_path import CrawlPath
from gossamer.model.crawl_state import CrawlState
from gossamer.model.discovery_rank import FORMER
from gossamer.model.freshness import NO_CONDITIONS, Conditions
from gossamer.model.messages.worker_messages import ConfigureWorker, Fetch, FetchKind
from gossamer.model.previous_crawl import PreviousCrawlReference
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.visit import FetchMode, Visit
from gossamer.page_worker.page_worker import open_runner
from gossamer.page_worker.worker_job_loop import JobRunner
from gossamer.robots.robots_txt import rules_for
from gossamer.store import project
from gossamer.store.reading.reader import Reader
from gossamer.urls.scope_and_limits import Scope
from tests.fakes.project_content import content_of
from tests.fakes.recount import miscounts
from tests.integration.crawling import run
from tests.sites import Site
from tests.sites.responses import Response
from tests.sites.versions import VersionedSite

if TYPE_CHECKING:
    from gossamer.model.server_certificate import ServerCertificate

WORDS = ("rose", "thorn", "garden", "spring", "water", "sun", "friend", "soil", "seed", "leaf")
HEADS = (
    "",
    "<link rel=canonical href=/1>",
    "<meta name=robots content='noindex, nofollow'>",
    "<meta http-equiv=refresh content='0; url=/2'>",
    "<meta http-equiv=refresh content='30; url=/3'>",
    "<base href=/deep/>",
    "<title>One</title><title>Two</title>",
    "<link rel=alternate hreflang=de href=/4>",
    '<script type=application/ld+json>{"@type":"Person","name":"x"}</script>',
)
HEADERS = (
    (),
    (("Link", '</5>; rel="next"'),),
    (("X-Robots-Tag", "nofollow"),),
    (("Set-Cookie", "a=b; Path=/"), ("Set-Cookie", "c=d; HttpOnly")),
    (("Content-Security-Policy", "default-src 'self' 'nonce-12345'"),),
)


class Workers:
    """A page worker without a process, as the engine's Fetcher."""

    def __init__(self, runner: JobRunner) -> None:
        self._runner = runner
        self.certificates: list[ServerCertificate] = []
        self.not_modified = 0

    async def fetch(
        self,
        url: str,
        kind: FetchKind = FetchKind.PAGE,
        mode: FetchMode = FetchMode.USUAL,
        conditions: Conditions = NO_CONDITIONS,
        path: CrawlPath | None = None,
    ) -> Visit:
        job = Fetch(0, url, kind, mode=mode, conditions=conditions, path=path)
        visit = (await self._runner.run(job)).visit
        self.not_modified += visit.not_modified
        return visit

    async def fetch_text(
        self, url: str, conditions: Conditions = NO_CONDITIONS
    ) -> tuple[Visit, str]:
        job = Fetch(0, url, FetchKind.TEXT, conditions=conditions)
        fetched = await self._runner.run(job)
        self.not_modified += fetched.visit.not_modified
        return fetched.visit, fetched.text

    def change_settings(self, settings: CrawlSettings) -> None:
        """Nothing changes here."""

    async def drop(self) -> None:
        await self._runner.drop()


def crawl(path: Path, crawl_settings: CrawlSettings, base: Path | None = None) -> int:
    """Crawl to the end; how often the server said that nothing is modified."""

    async def main() -> int:
        reference = None
        if base is not None:
            reference = PreviousCrawlReference(str(base), created_at(base))
        project.create(path, crawl_settings, reference)
        store = StoreThread()
        known = None
        try:
            summary = await store.open(path)
            if summary.previous is not None:
                known = await PreviousCrawlThread.opened(summary.previous, crawl_settings)
            async with open_runner(ConfigureWorker(crawl_settings)) as runner:
                workers = Workers(runner)
                scope = Scope(crawl_settings)
                subject = Crawl(summary, store, workers, rules_for, scope, previous=known)
                assert await subject.run() is CrawlState.FINISHED
                return workers.not_modified
        finally:
            if known is not None:
                await known.close()
            await store.close()

    return run(main())


def created_at(path: Path) -> float:
    """When a project was created."""
    with Reader(path) as reader:
        return reader.summary().created_at


def put_something(versions: VersionedSite, path: str, chance: random.Random) -> None:
    """Have anything at a path: mostly pages, some of them odd."""
    kind = chance.random()
    if kind < 0.08:
        to, status = f"/{chance.randrange(9)}", chance.choice([301, 302])
        if chance.random() < 0.5:
            versions.redirect(path, to, status)
        else:
            versions.site.redirect(path, to, status=status)
    elif kind < 0.14:
        versions.site.status(path, chance.choice([404, 410, 403, 500 + chance.randrange(2)]))
    elif kind < 0.2:
        versions.put(path, b"%PDF-1.4 " + bytes(chance.randrange(2000)), "application/pdf")
    elif kind < 0.25 and path not in versions.bodies:  # else it would be lying to a condition
        versions.site.respond(path, Response(304, b"", None))
    elif kind < 0.32:
        versions.put(path, chance.randbytes(50), chance.choice(["image/png", "text/css"]))
    else:
        text = " ".join(chance.choices(WORDS, k=chance.choice([3, 40, 300])))
        links = [chance.choice(["/", "#top", ""]) + str(chance.randrange(9)) for _ in range(3)]
        anchors = "".join(
            f"<a href='{link}'{chance.choice(['', ' rel=nofollow', ' target=_blank'])}>"
            f"{chance.choice(['here', link, '<img src=/6 alt=x>'])}</a>"
            for link in links
        )
        body = f"<!doctype html><html lang=en><head>{chance.choice(HEADS)}<title>{path} {text[:50]}"
        body += f"</title></head><body><h1>{text[:20]}</h1><p>{text}</p>{anchors}</body></html>"
        versions.put(path, body.encode(), headers=chance.choice(HEADERS))


def said_by(path: Path, crawl_settings: CrawlSettings) -> dict[str, Any]:
    """What a project says. Which of two files that are alike came first, is chance."""
    content = content_of(path, with_parents=False)
    if crawl_settings.workers > 1:
        visits = content["visits"].values()
        content["new"] = sum(row.pop("says_new") or 0 for row in visits)
    return content


@settings(max_examples=8, deadline=None)
@given(seed=st.integers(0, 2**32))
@example(seed=3)
def test_a_recrawl_says_what_a_crawl_says(seed: int) -> None:
    chance = random.Random(seed)
    with Site() as site, TemporaryDirectory() as folder:
        versions = VersionedSite(site)
        versions.has_dates = chance.random() < 0.7
        if chance.random() < 0.2:
            versions.etag_of = lambda _: ""
            versions.has_dates = True
        paths = ["/", *(f"/{number}" for number in range(9)), "/deep/1", "/deep/2"]
        for path in paths:
            put_something(versions, path, chance)
        versions.page("/", *paths, title="The start page")
        crawl_settings = CrawlSettings(
            roots=(site.url("/"),), guard=False, workers=chance.choice([1, 8]), max_tries=1
        )
        base, new, anew = (Path(folder) / name for name in ("base", "new", "anew"))
        crawl(base, crawl_settings)
        changed = chance.sample(paths[1:], k=chance.randrange(4))
        if versions.etag_of(b"") == "":  # a date alone does not tell what changed in that second
            versions.modified_s += bool(changed)
        for path in changed:
            put_something(versions, path, chance)
        not_modified = crawl(new, crawl_settings, base)
        crawl(anew, crawl_settings)
        found = said_by(new, crawl_settings)
        for url in [url for url, row in found["urls"].items() if row["depth"] == FORMER]:
            del found["urls"][url]
        found["url_count"] = [row for row in found["url_count"] if row[1] != FORMER]
        assert found == said_by(anew, crawl_settings)
        assert miscounts(new) == []
        assert not_modified or changed


def test_the_test_above_meets_pages_that_are_not_modified() -> None:
    with Site() as site, TemporaryDirectory() as folder:
        versions = VersionedSite(site)
        versions.page("/", "/1")
        versions.page("/1")
        crawl_settings = CrawlSettings(roots=(site.url("/"),))
        base, new = Path(folder) / "base", Path(folder) / "new"
        assert crawl(base, crawl_settings) == 0
        assert crawl(new, crawl_settings, base) == 2
