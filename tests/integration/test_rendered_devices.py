"""What style sheets and scripts learn of the device that a page is rendered for."""

from collections.abc import Callable
from pathlib import Path

import pytest

from gossamer.model.settings.rendering_choices import RenderDevice, RenderMode
from gossamer.render.browser_discovery import BrowserProgram
from tests.fakes.browsers import NEEDS_BROWSER, NEEDS_FULL_BROWSER, browser, full_browser
from tests.integration.crawling import crawl_all, records
from tests.sites import Response, Site

QUERIES = ("(hover)", "(any-hover)", "(pointer: fine)", "(any-pointer: fine)", "(pointer: coarse)")
PAGE = f"""<!doctype html><title>-</title><style>
menu {{ display: none }}
@media (hover) {{ menu {{ display: block }} }}
</style><menu><h2>Menu</h2></menu><script>
const said = {list(QUERIES)}.filter(query => matchMedia(query).matches);
const shown = document.querySelector('menu').checkVisibility();
document.title = [...said, navigator.maxTouchPoints, shown].join(' ');
</script>"""


@pytest.mark.parametrize(
    "program",
    [
        pytest.param(browser, marks=NEEDS_BROWSER, id="usual"),
        pytest.param(full_browser, marks=NEEDS_FULL_BROWSER, id="full"),
    ],
)
@pytest.mark.parametrize(
    ("device", "title"),
    [
        (RenderDevice.DESKTOP, "(hover) (any-hover) (pointer: fine) (any-pointer: fine) 0 true"),
        (RenderDevice.MOBILE, "(pointer: coarse) 1 false"),
    ],
)
def test_a_desktop_has_a_mouse_and_a_phone_a_touch_screen(
    site: Site,
    tmp_path: Path,
    device: RenderDevice,
    title: str,
    program: Callable[[], BrowserProgram],
) -> None:
    site.respond("/", Response(body=PAGE.encode()))
    path = tmp_path / "a.gossamer"
    settings = {"render": RenderMode.ON, "device": device, "browser": program().path}
    crawl_all(path, site.url("/"), **settings)
    assert records(path)[site.url("/")].title == title
