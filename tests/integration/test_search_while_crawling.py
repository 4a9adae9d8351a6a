"""The search index follows a crawl, whatever is killed meanwhile."""

import asyncio
import random
import sqlite3
import sys
from contextlib import closing as closed
from pathlib import Path

import pytest

from gossamer.model.crawl_state import CrawlState
from gossamer.model.project_queries import Filter, Order, View
from gossamer.model.search_query import RELEVANCE, Search
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.store import project as projects
from gossamer.store.reading.reader import Reader
from gossamer.store.searching.incremental_indexing import waiting_blocks
from gossamer.store.searching.index_files import index_path, remove_index
from gossamer.store.text_blocks import BLOCK_BYTES
from tests.integration.crawled_sites import mixed_site
from tests.integration.crawling import new_session, resume_all, run, until_rest
from tests.integration.killed_crawls import one_life
from tests.sites import Response, Site

PAGES = 20
ROUNDS = 3


def waiting(project: Path) -> int:
    with closed(sqlite3.connect(project)) as connection:
        return waiting_blocks(connection)


def texts(project: Path) -> int:
    with closed(sqlite3.connect(project)) as connection:
        return int(connection.execute("SELECT count(*) FROM page_text").fetchone()[0])


def index_file(project: Path) -> Path:
    with closed(sqlite3.connect(project)) as connection:
        return index_path(connection)


def found(project: Path, words: str) -> set[int]:
    with Reader(project) as reader:
        return set(reader.ids(View.ALL, Filter(search=Search(words)), Order(RELEVANCE)))


def long_page(number: int) -> Response:
    """A page with a block of text for itself."""
    text = f"<p>word{number} {'red shoes ' * (BLOCK_BYTES // 10 + 1)}</p>"
    return Response(body=f"<title>Page {number}</title>{text}".encode())


def test_an_index_follows_while_the_crawl_goes_on(site: Site, tmp_path: Path) -> None:
    project = tmp_path / "a.gossamer"
    site.page("/", links=[*(f"/{number}" for number in range(PAGES)), "/last"])
    for number in range(PAGES):
        site.respond(f"/{number}", long_page(number))
    site.page("/last")
    gate = site.slow("/last")

    async def main() -> None:
        async with new_session(project, site.url(), full_text_search=True) as session:
            await session.start()
            while texts(project) < PAGES or waiting(project):  # noqa: ASYNC110 - a process tells nobody
                await asyncio.sleep(0.01)
            assert len(found(project, "word1 OR word2")) == 2
            gate.open()
            assert await until_rest(session) is CrawlState.FINISHED

    run(main())
    assert len(found(project, "shoes")) == PAGES


@pytest.mark.skipif(sys.platform == "win32", reason="looks for processes of Linux")
def test_whatever_is_killed_the_index_has_what_is_committed(site: Site, tmp_path: Path) -> None:
    chance = random.Random(57)
    mixed_site(site, chance, 100)
    project = tmp_path / "a.gossamer"
    settings = CrawlSettings(
        roots=(site.url(),), processes=2, use_sitemaps=False, full_text_search=True
    )
    projects.create(project, settings)
    for _ in range(ROUNDS):
        one_life(site, project, chance)
        with Reader(project) as reader:
            is_searchable = reader.has_texts()
        assert not is_searchable or found(project, "page")
    resume_all(project)
    followed = {words: found(project, words) for words in ("page", "in:title 17", "-17")}
    remove_index(index_file(project))
    assert {words: found(project, words) for words in followed} == followed
    assert len(followed["page"]) >= 100
