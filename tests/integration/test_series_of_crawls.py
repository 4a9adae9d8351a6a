"""Crawls as a series: recorded as they end and are audited, crawled again, changed in between."""

from pathlib import Path

import pytest

from gossamer.model.crawl_state import CrawlState
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.session.recrawl import start_recrawl
from gossamer.session.series import series_of
from gossamer.store.reading.reader import Reader
from gossamer.store.series_file import Series
from gossamer.store.series_paths import series_folder
from tests.integration.crawling import closing, new_session, run, sessions, until_rest
from tests.sites import Site


@pytest.fixture(autouse=True)
def _own_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))


def recorded() -> Series:
    """The one series that there is, as its file has it."""
    (file,) = series_folder().glob("*.series")
    return Series(file)


def segments_of(path: Path) -> tuple[str, ...]:
    with Reader(path) as reader:
        return reader.summary().settings.segments


def test_crawls_are_recorded_as_they_end_and_as_they_are_audited(
    site: Site, tmp_path: Path
) -> None:
    site.page("/", links=["/a"], title="")
    site.page("/a")
    first, second = tmp_path / "a.gossamer", tmp_path / "b.gossamer"

    async def main() -> None:
        async with new_session(first, site.url()) as session:
            await session.start()
            assert await until_rest(session) is CrawlState.FINISHED
        (snapshot,) = recorded().crawls()
        assert (snapshot.pages, snapshot.state) == (2, CrawlState.FINISHED)
        assert not snapshot.audited
        async with closing(sessions().open(first)) as session:
            await session.audit(lambda _: None)
        (audited,) = recorded().crawls()
        assert audited.audited
        assert audited.issues >= snapshot.issues > 0
        site.page("/", links=["/a", "/b"])
        site.page("/b")
        async with closing(start_recrawl(first, second, sessions=sessions())) as again:
            await again.start()
            await until_rest(again)

    run(main())
    assert [each.pages for each in recorded().crawls()] == [2, 3]
    assert [Path(each.project) for each in recorded().crawls()] == [first, second]


def test_changed_segments_are_those_of_the_next_crawl(site: Site, tmp_path: Path) -> None:
    site.page("/")
    paths = [tmp_path / f"{name}.gossamer" for name in "abcde"]
    changed = ("Blog=address contains /blog/",)

    async def crawl_again(base: Path, new: Path, **changes: object) -> None:
        async with closing(start_recrawl(base, new, changes, sessions=sessions())) as again:
            await again.start()
            await until_rest(again)

    async def main() -> None:
        async with new_session(paths[0], site.url(), segments=("A=depth > 1",)) as session:
            await session.start()
            await until_rest(session)
        await crawl_again(paths[0], paths[1])
        async with closing(sessions().open(paths[1])) as second:
            await second.change({"segments": changed})
        await crawl_again(paths[0], paths[2])
        await crawl_again(paths[0], paths[3], segments=())
        await crawl_again(paths[3], paths[4])

    run(main())
    assert list(map(segments_of, paths)) == [("A=depth > 1",), changed, changed, (), ()]


def test_a_crawl_ends_well_where_its_series_cannot_be_written(site: Site, tmp_path: Path) -> None:
    site.page("/")
    series_folder().parent.mkdir(parents=True, exist_ok=True)
    series_folder().write_text("a file")
    first, second = tmp_path / "a.gossamer", tmp_path / "b.gossamer"

    async def main() -> None:
        async with new_session(first, site.url()) as session:
            await session.start()
            assert await until_rest(session) is CrawlState.FINISHED
            await session.audit(lambda _: None)
        async with closing(start_recrawl(first, second, sessions=sessions())) as again:
            await again.start()
            assert await until_rest(again) is CrawlState.FINISHED

    run(main())
    with pytest.raises(Exception, match="check its folder"):
        series_of(second)


@pytest.mark.parametrize("value", [5, ["no segment"], {"a": "b"}])
def test_segments_that_cannot_be_used_keep_no_site_from_being_crawled_again(
    site: Site, tmp_path: Path, value: object
) -> None:
    site.page("/")
    base, new = tmp_path / "a.gossamer", tmp_path / "b.gossamer"

    async def main() -> None:
        async with new_session(base, site.url(), segments=("A=depth > 1",)) as session:
            await session.start()
            await until_rest(session)

    run(main())
    recorded().set_setting("segments", value)
    start_recrawl(base, new, sessions=sessions())
    assert segments_of(new) == ("A=depth > 1",)


def test_crawls_from_the_same_urls_are_one_series_with_its_segments(
    site: Site, tmp_path: Path
) -> None:
    site.page("/")
    paths = [tmp_path / f"{name}.gossamer" for name in "abcd"]
    changed = ("Blog=address contains /blog/",)

    async def crawl(path: Path, **changes: object) -> None:
        async with new_session(path, site.url(), **changes) as session:
            await session.start()
            await until_rest(session)

    async def main() -> None:
        await crawl(paths[0], workers=2)
        await crawl(paths[1], segments=changed)
        await crawl(paths[2])
        apart = sessions().create(CrawlSettings(roots=(site.url(),)), paths[3], begins_series=True)
        async with closing(apart) as session:
            await session.start()
            await until_rest(session)

    run(main())
    assert [series_of(path).id for path in paths].count(series_of(paths[0]).id) == 3
    assert len(series_of(paths[0]).crawls()) == 3
    assert list(map(segments_of, paths)) == [(), changed, changed, ()]
