"""Real documentation and the demo site, crawled whole: every URL once, and all that is known of
it as an independent reading of the files says."""

from collections.abc import Callable
from pathlib import Path

from gossamer.model.outcome import Outcome
from gossamer.model.settings.scope_settings import OUTLINK_NAMES
from gossamer.session.demo_process import demo_site
from tests.e2e.crawl_truth import EVERY_PAGE, check_documentation, differences, found_in
from tests.integration.crawling import crawl_all, new_session, run, until_rest
from tests.patience import PATIENCE_S
from tests.sites import demo_truth
from tests.sites.documentation import ServedDocumentation


def test_crawl_of_the_postgresql_manual(
    postgresql_docs: ServedDocumentation, tmp_path: Path
) -> None:
    project = tmp_path / "a.gossamer"
    crawl_all(project, postgresql_docs.root_url, processes=None, **EVERY_PAGE)
    check_documentation(postgresql_docs, project)


def test_crawl_of_cppreference(cppreference_docs: ServedDocumentation, tmp_path: Path) -> None:
    project = tmp_path / "a.gossamer"
    crawl_all(project, cppreference_docs.root_url, processes=None, **EVERY_PAGE)
    check_documentation(cppreference_docs, project)


def crawl_demo(project: Path, **changes: object) -> Callable[[str], str]:
    """Crawl the demo site as the program serves it; maps paths to URLs."""

    async def main() -> str:
        async with demo_site() as url, new_session(project, url, **changes) as session:
            await session.start()
            await until_rest(session)
            return url.rstrip("/")

    origin = run(main(), PATIENCE_S)
    return lambda path: path if "://" in path else origin + path


def test_crawl_of_the_demo_site(tmp_path: Path) -> None:
    """More chains are beyond this limit than beyond the usual one of `test_cli_crawl.py`."""
    max_redirects = 2
    project = tmp_path / "a.gossamer"
    url_of = crawl_demo(
        project,
        max_redirects=max_redirects,
        workers=40,
        follow_kinds=OUTLINK_NAMES,
        check_kinds=(),
    )
    found = found_in(project)
    truth = demo_truth.expected(max_redirects)
    assert differences(found, truth, url_of) == []
    blocked = {url_of(path) for path, url in truth.urls.items() if url.status is None}
    assert found.with_outcome(Outcome.BLOCKED_BY_ROBOTS) == blocked
    beyond = found.with_outcome(Outcome.BEYOND_REDIRECT_LIMIT)
    assert beyond == {url_of(path) for path in truth.beyond_limit}
    assert found.with_outcome(Outcome.PENDING) == set()
