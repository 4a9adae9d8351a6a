"""What style sheets and scripts learn of the device that a page is rendered for."""

from collections.abc import Iterator

import pytest

from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.settings.rendering_choices import RenderDevice
from gossamer.page_worker.rendering_fetcher import limits_of
from gossamer.render.page_requests import PageResponse
from gossamer.render.rendered_page import RenderJob
from tests.fakes.browsers import NEEDS_BROWSER, NEEDS_FULL_BROWSER, browser, full_browser
from tests.integration.shared_renderer import SharedRenderer

QUERIES = ("(hover)", "(any-hover)", "(pointer: fine)", "(any-pointer: fine)", "(pointer: coarse)")
PAGE = f"""<!doctype html><title>-</title><style>
menu {{ display: none }}
@media (hover) {{ menu {{ display: block }} }}
</style><menu><h2>Menu</h2></menu><script>
const said = {list(QUERIES)}.filter(query => matchMedia(query).matches);
const shown = document.querySelector('menu').checkVisibility();
document.title = [...said, navigator.maxTouchPoints, shown].join(' ');
</script>"""


@pytest.fixture(
    scope="module",
    params=[
        pytest.param(browser, marks=NEEDS_BROWSER, id="usual"),
        pytest.param(full_browser, marks=NEEDS_FULL_BROWSER, id="full"),
    ],
)
def renderer(request: pytest.FixtureRequest) -> Iterator[SharedRenderer]:
    with SharedRenderer(request.param()) as shared:
        yield shared


@pytest.mark.parametrize(
    ("device", "title"),
    [
        (RenderDevice.DESKTOP, "(hover) (any-hover) (pointer: fine) (any-pointer: fine) 0 true"),
        (RenderDevice.MOBILE, "(pointer: coarse) 1 false"),
    ],
)
def test_a_desktop_has_a_mouse_and_a_phone_a_touch_screen(
    device: RenderDevice, title: str, renderer: SharedRenderer
) -> None:
    limits = limits_of(CrawlSettings(roots=(), device=device))
    response = PageResponse(200, [("Content-Type", "text/html")], PAGE.encode())
    page = renderer.render(RenderJob("http://devices.example/", response, limits))
    assert f"<title>{title}</title>" in page.html
