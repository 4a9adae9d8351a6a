"""What the rules about URLs look for, on both sides of each line."""

from typing import Final

import pytest

from gossamer.audit.url_checks import UrlTrait, url_traits
from gossamer.urls.url_parts import parameter_names, path_of
from tests.cases import each_case

_CASES: Final[list[tuple[UrlTrait, list[str], list[str]]]] = [
    (
        UrlTrait.NON_ASCII,
        ["/caf%C3%A9", "/a?b=%E4%B8%AD", "/%e4"],
        ["/cafe", "/a%20b", "/a%2Fb", "/100%25", "/a%"],
    ),
    (UrlTrait.UNDERSCORE, ["/red_shoes", "/_/a"], ["/red-shoes", "/a?utm_source=b"]),
    (
        UrlTrait.UPPERCASE,
        ["/Shoes", "/a%20B", "/%C3%A9T", "/a%2FB"],
        ["/shoes", "/caf%C3%A9", "/a%2Fb", "/a%2fb", "/a?B=C"],
    ),
    (
        UrlTrait.MULTIPLE_SLASHES,
        ["//a", "/a//b", "/a//"],
        ["/", "/a/b/", "/a?b=//c", "/a?b=https://c.example//"],
    ),
    (
        UrlTrait.REPEATED_SEGMENT,
        ["/shop/shoes/shop", "/shop/shop/", "/a/b/c/a/"],
        ["/", "/shop/shoes", "/shop/Shop", "/a//b//c", "/a?a=a/a", "/shop/shops"],
    ),
    (UrlTrait.SPACE, ["/red%20shoes", "/a?b=c%20d"], ["/red+shoes", "/a?b=c+d", "/a%2520b"]),
    (
        UrlTrait.INTERNAL_SEARCH,
        ["/search/", "/en/search/shoes", "/?s=shoes", "/a?b=1&q=shoes", "/a?query", "/a?search="],
        ["/search", "/research/", "/searches/a", "/a?sort=q", "/a?b=q", "/a?qs=1", "/a?b=/search/"],
    ),
    (
        UrlTrait.TRACKING,
        [
            *("/?utm_source=a", "/a?b=1&utm_campaign=c", "/a?gclid=d", "/a?_ga=2.1", "/a?_gl=1"),
            *("/a?gad_source=1", "/a?gbraid=x", "/a?wbraid=x", "/a?dclid=x", "/a?srsltid=x"),
        ],
        ["/utm_source", "/a?b=utm_source", "/a?my_utm_source=b", "/a?utm=b", "/a?gclidx=1", "/a?"],
    ),
    (UrlTrait.PARAMETERS, ["/a?b", "/a?b=c", "/a?&b"], ["/a", "/a?", "/a?&"]),
]


@each_case(("trait", "having", "lacking"), _CASES, ids=[case[0].name for case in _CASES])
def test_a_url_has_the_traits_that_it_has_and_no_others(
    trait: UrlTrait, having: list[str], lacking: list[str]
) -> None:
    host = "https://my_Site.example"
    assert [path for path in having if not url_traits(host + path) & trait] == []
    assert [path for path in lacking if url_traits(host + path) & trait] == []


def test_a_url_is_tried_for_every_trait() -> None:
    assert {trait for trait, _, _ in _CASES} == set(UrlTrait)


@pytest.mark.parametrize(
    ("url", "path", "names"),
    [
        ("https://a.example/", "/", []),
        ("http://user@a.example:8080/b/c?d=e&f&g=h=i", "/b/c", ["d", "f", "g"]),
        ("https://a.example/b?", "/b", []),
        ("https://a.example/b?&&c=/d?e", "/b", ["c"]),
    ],
)
def test_path_and_names_of_parameters_are_read_from_a_url(
    url: str, path: str, names: list[str]
) -> None:
    assert path_of(url) == path
    assert parameter_names(url) == names
