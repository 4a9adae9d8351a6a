"""Which crawls are of one site: those that start from the same URLs."""

from gossamer.model.series_contents import is_series_id
from gossamer.urls.series_id import site_series_id
from tests.cases import each_case

SITE = site_series_id(["https://example.com/"])


@each_case(
    "roots",
    [
        ["example.com"],
        ["http://example.com"],
        ["https://www.example.com/"],
        ["https://jo:secret@example.com"],
        ["http://EXAMPLE.com:80/#top"],
        ["example.com", "https://www.example.com"],
    ],
)
def test_however_it_is_typed_a_site_stays_itself(roots: list[str]) -> None:
    assert is_series_id(SITE)
    assert site_series_id(roots) == SITE


@each_case(
    "root",
    [
        "https://example.org/",
        "https://example.com/blog/",
        "https://example.com:8080/",
        "https://a.example.com/",
        "https://example.com/?a",
    ],
)
def test_other_start_urls_are_of_another_site(root: str) -> None:
    assert site_series_id([root]) != SITE
    assert site_series_id(["example.com", root]) not in {SITE, site_series_id([root])}


def test_the_order_of_start_urls_makes_no_difference() -> None:
    assert site_series_id(["a.test", "b.test"]) == site_series_id(["b.test", "a.test"])
