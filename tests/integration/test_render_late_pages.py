"""Which pages are finished when they are read: by virtual time, and by the real wait."""

from pathlib import Path

from gossamer.model.settings.rendering_choices import RenderMode, RenderWait
from tests.fakes.browsers import NEEDS_BROWSER
from tests.integration.crawling import crawl_all, records
from tests.sites import Site
from tests.sites.late_pages import WAYS, late_answer, late_page_paths, title_of

pytestmark = NEEDS_BROWSER
FRAMES = "20 frames"
ONE_OF_EACH = {way: path for path, way in reversed(late_page_paths().items())}


def unfinished(tmp_path: Path, ways: list[str], wait: RenderWait) -> list[str]:
    """The ways of those pages that were read too early, when scripts had two seconds."""
    path = tmp_path / "a.gossamer"
    with Site() as site:
        site.generate(late_answer)
        urls = {way: site.url(ONE_OF_EACH[way]) for way in ways}
        crawl_all(
            *(path, urls[ways[0]]),
            roots=tuple(urls.values()),
            list_only=True,
            render=RenderMode.ON,
            render_wait=wait,
            ajax_timeout_s=2.0,
        )
        found = records(path)
        return [way for way, url in urls.items() if found[url].h1 != title_of(ONE_OF_EACH[way])]


def test_virtual_time_waits_for_fetches_and_timers(tmp_path: Path) -> None:
    assert unfinished(tmp_path, [way for way in WAYS if way != FRAMES], RenderWait.VIRTUAL) == []


def test_the_real_wait_sees_what_comes_after_some_frames_too(tmp_path: Path) -> None:
    assert unfinished(tmp_path, [FRAMES, "fetch"], RenderWait.REAL) == []
