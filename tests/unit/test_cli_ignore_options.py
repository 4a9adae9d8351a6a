"""`--ignore ISSUE=ADDRESS`: the address is written as the crawl writes it."""

import pytest

from gossamer.cli.ignore_options import ignored_of
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.settings.rendering_choices import RenderMode

VIEWS = CrawlSettings(roots=("https://example.com",), render=RenderMode.ON, hash_routes=True)
DOCUMENTS = CrawlSettings(roots=("https://example.com",), render=RenderMode.ON)


@pytest.mark.parametrize(
    ("settings", "typed", "pattern"),
    [
        (VIEWS, "Example.com/#/cart", "https://example.com/#/cart"),
        (VIEWS, "Example.com/#part", "https://example.com/"),
        (DOCUMENTS, "Example.com/#/cart", "https://example.com/"),
        (VIEWS, "*/#/cart", "*/#/cart"),
    ],
)
def test_the_address_of_a_view_is_kept_where_views_are_pages(
    settings: CrawlSettings, typed: str, pattern: str
) -> None:
    (ignored,) = ignored_of([f"Page Titles: Missing={typed}"], settings)
    assert ignored.pattern == pattern
