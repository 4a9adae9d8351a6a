"""A project is searched after all that puts another one in its place, or is made from it."""

from pathlib import Path

from gossamer.model.crawl_state import CrawlState
from gossamer.model.project_queries import Filter, Order, View
from gossamer.model.search_query import RELEVANCE, Search
from gossamer.session.archive_import import create_import, index_archives, source_of_project
from gossamer.session.audit_again import audit_again
from gossamer.session.recrawl import finish_update, start_update
from gossamer.store.reading.reader import Reader
from tests.integration.crawling import closing, crawl_all, run, sessions, until_rest
from tests.sites import Site
from tests.sites.versions import VersionedSite


def found(project: Path, words: str) -> list[str]:
    """The titles of the pages that are found, best first."""
    with Reader(project) as reader:
        ids = reader.ids(View.ALL, Filter(search=Search(words)), Order(RELEVANCE))
        return [str(record.title) for record in reader.records(ids)]


def update(project: Path) -> None:
    async def main() -> None:
        async with closing(start_update(project, sessions=sessions())) as session:
            await session.start()
            assert await until_rest(session) is CrawlState.FINISHED
        finish_update(project)

    run(main())


def read_archive(base: Path, new: Path) -> None:
    source, settings = source_of_project(base)
    index_archives(source)

    async def main() -> None:
        async with closing(create_import(settings, source, new, sessions())) as session:
            await session.start()
            assert await until_rest(session) is CrawlState.FINISHED

    run(main())


def test_what_is_there_now_is_found_however_it_came_there(site: Site, tmp_path: Path) -> None:
    """Each time with the index that the search before has left."""
    versions = VersionedSite(site)
    versions.page("/", "/a", "/b", title="Start")
    versions.page("/a", title="A", body="<nav>menu</nav><p>red shoes</p>")
    versions.page("/b", title="B", body="<p>blue shoes</p>")
    project, imported = tmp_path / "a.gossamer", tmp_path / "b.gossamer"
    crawl_all(project, site.url("/"), archive=True)
    run(audit_again(project, {"full_text_search": True}, sessions=sessions()))
    assert (found(project, "red"), found(project, "menu")) == (["A"], []), "kept only then"
    versions.page("/a", title="A", body="<nav>menu</nav><p>green shoes</p>")
    update(project)
    assert (found(project, "red"), found(project, "green")) == ([], ["A"])
    assert found(project, "blue") == ["B"], "which was not sent again"
    read_archive(project, imported)
    assert sorted(found(imported, "shoes")) == ["A", "B"]
    assert found(imported, "red") == []
    run(audit_again(project, {"content_exclude": ("p",)}, sessions=sessions()))
    assert (found(project, "green"), found(project, "menu")) == ([], ["A"])
    assert found(imported, "green") == ["A"], "that has an index of its own"
