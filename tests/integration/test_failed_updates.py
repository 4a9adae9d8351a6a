"""Updates of projects whose crawl has failed replace nothing, and are not in the way."""

from pathlib import Path

import pytest

from gossamer.model.crawl_state import CrawlState
from gossamer.model.errors import ProjectError
from gossamer.model.project_queries import View
from gossamer.session.recrawl import finish_update, start_update, update_path
from gossamer.store.reading.reader import Reader
from tests.integration.crawling import closing, crawl_all, run, sessions, until_rest
from tests.sites import Site


def begin_update(project: Path) -> None:
    """Crawl the update to its end, but leave it aside."""

    async def main() -> None:
        async with closing(start_update(project, sessions=sessions())) as session:
            await session.start()
            assert await until_rest(session) is CrawlState.FINISHED

    run(main())


def titles(project: Path) -> list[str | None]:
    with Reader(project) as reader:
        return [each.title for each in reader.iterate(View.PAGES)]


def test_an_update_of_a_site_that_was_moved_for_a_time_is_begun_anew(
    site: Site, tmp_path: Path
) -> None:
    project = tmp_path / "p.gossamer"
    site.page("/", title="Before")
    crawl_all(project, site.url("/"))
    site.redirect("/", "http://elsewhere.invalid/")
    begin_update(project)
    with pytest.raises(ProjectError, match="not replaced: http"):
        finish_update(project)
    assert titles(project) == ["Before"]

    site.status("/", 403)
    begin_update(project)
    with pytest.raises(ProjectError, match="not replaced: The new crawl has no page"):
        finish_update(project)

    site.page("/", title="After")
    begin_update(project)
    finish_update(project)
    assert titles(project) == ["After"]
    assert not update_path(project).exists()


def test_a_list_whose_pages_all_redirect_elsewhere_by_now_is_updated(
    site: Site, tmp_path: Path
) -> None:
    project = tmp_path / "p.gossamer"
    site.page("/old", title="Before")
    crawl_all(project, site.url("/old"), list_only=True)
    site.redirect("/old", "http://elsewhere.invalid/")
    begin_update(project)
    finish_update(project)
    with Reader(project) as reader:
        redirects = [each.redirect for each in reader.iterate(View.REDIRECTS)]
    assert redirects == ["http://elsewhere.invalid/"]
