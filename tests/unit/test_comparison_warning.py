"""Warnings for comparisons with crawls that do not show their site."""

from pathlib import Path

import pytest

from gossamer.model.outcome import Outcome
from gossamer.session.crawl_failure import comparison_warning
from tests.fakes.crawled import Crawled


@pytest.mark.parametrize(
    ("root", "warning"),
    [
        ("page", None),
        ("redirect", None),
        ("moved", "redirects to https://example.com/new, outside this crawl"),
        ("refused", "a.gossamer is a crawl that has failed."),
    ],
)
def test_a_crawl_that_does_not_show_its_site_is_told(
    tmp_path: Path, root: str, warning: str | None
) -> None:
    path = tmp_path / "a.gossamer"
    with Crawled(path) as crawled:
        if root == "page":
            crawled.page("/")
        elif root == "refused":
            crawled.failed("/", Outcome.CONNECTION_REFUSED)
        else:
            moved = {"outcome": Outcome.REDIRECT_OUT_OF_SCOPE} if root == "moved" else {}
            crawled.redirect("/", "/new", **moved)
    told = comparison_warning(path)
    assert (told is None) is (warning is None)
    assert warning is None or warning in str(told)
