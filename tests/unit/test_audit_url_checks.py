"""What the rules about URLs look for, on both sides of each line."""

from collections.abc import Callable

import pytest

from gossamer.audit import url_checks as checks

_CASES: list[tuple[Callable[[str], bool], list[str], list[str]]] = [
    (
        checks.has_non_ascii,
        ["/caf%C3%A9", "/a?b=%E4%B8%AD", "/%e4"],
        ["/cafe", "/a%20b", "/a%2Fb", "/100%25", "/a%"],
    ),
    (checks.has_underscore, ["/red_shoes", "/_/a"], ["/red-shoes", "/a?utm_source=b"]),
    (
        checks.has_uppercase,
        ["/Shoes", "/a%20B", "/%C3%A9T", "/a%2FB"],
        ["/shoes", "/caf%C3%A9", "/a%2Fb", "/a%2fb", "/a?B=C"],
    ),
    (
        checks.has_multiple_slashes,
        ["//a", "/a//b", "/a//"],
        ["/", "/a/b/", "/a?b=//c", "/a?b=https://c.example//"],
    ),
    (
        checks.has_repeated_segment,
        ["/shop/shoes/shop", "/shop/shop/", "/a/b/c/a/"],
        ["/", "/shop/shoes", "/shop/Shop", "/a//b//c", "/a?a=a/a", "/shop/shops"],
    ),
    (checks.has_space, ["/red%20shoes", "/a?b=c%20d"], ["/red+shoes", "/a?b=c+d", "/a%2520b"]),
    (
        checks.is_internal_search,
        ["/search/", "/en/search/shoes", "/?s=shoes", "/a?b=1&q=shoes", "/a?query", "/a?search="],
        ["/search", "/research/", "/searches/a", "/a?sort=q", "/a?b=q", "/a?qs=1", "/a?b=/search/"],
    ),
    (
        checks.has_tracking_parameter,
        [
            *("/?utm_source=a", "/a?b=1&utm_campaign=c", "/a?gclid=d", "/a?_ga=2.1", "/a?_gl=1"),
            *("/a?gad_source=1", "/a?gbraid=x", "/a?wbraid=x", "/a?dclid=x", "/a?srsltid=x"),
        ],
        ["/utm_source", "/a?b=utm_source", "/a?my_utm_source=b", "/a?utm=b", "/a?gclidx=1", "/a?"],
    ),
]


@pytest.mark.parametrize(("check", "holds", "does_not"), _CASES)
def test_a_check_holds_for_what_it_is_about_and_nothing_else(
    check: Callable[[str], bool], holds: list[str], does_not: list[str]
) -> None:
    host = "https://my_Site.example"
    assert [path for path in holds if not check(host + path)] == []
    assert [path for path in does_not if check(host + path)] == []


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
    assert checks.path_of(url) == path
    assert checks.parameter_names(url) == names
