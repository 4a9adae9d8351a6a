"""Addresses of one copy of a site as those of another."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.model.errors import UsageError
from gossamer.urls.url_mapping import NO_MAPPING, MappedPrefix, UrlMapping
from tests.cases import each_case

STAGING = "https://staging.example.com/"
LIVE = "https://www.example.com/"


@each_case(
    ("mapping", "url", "mapped"),
    [
        (f"{STAGING}={LIVE}", f"{STAGING}a?b=c", f"{LIVE}a?b=c"),
        (f"{STAGING}={LIVE}", STAGING, LIVE),
        ("https://staging.example.com=https://www.example.com", f"{STAGING}a", f"{LIVE}a"),
        (f"{STAGING}={LIVE}", "https://staging.example.com.evil/", None),
        (f"{STAGING}={LIVE}", "https://staging.example.com:8443/", None),
        (f"{STAGING}={LIVE}", "http://staging.example.com/", None),
        ("http://localhost:8000/=https://www.example.com/", "http://localhost:8000/a", f"{LIVE}a"),
        (f"{LIVE}old={LIVE}new", f"{LIVE}old/a", f"{LIVE}new/a"),
        (f"{LIVE}old/={LIVE}new", f"{LIVE}old?q", f"{LIVE}new?q"),
        (f"{LIVE}old={LIVE}new", f"{LIVE}older", None),
        (f"{STAGING}site/={LIVE}", f"{STAGING}site", LIVE),
        (f"{STAGING}site/={LIVE}", f"{STAGING}site?q", f"{LIVE}?q"),
        (f"{STAGING}={LIVE}beta/", f"{STAGING}a", f"{LIVE}beta/a"),
        (f"HTTPS://Staging.Example.com/={LIVE}", f"{STAGING}a", f"{LIVE}a"),
    ],
)
def test_a_prefix_ends_where_a_host_or_segment_does(
    mapping: str, url: str, mapped: str | None
) -> None:
    assert UrlMapping.parsed([mapping]).map(url) == (mapped or url)


def test_a_folder_that_has_moved_is_mapped_after_what_is_mapped_already() -> None:
    moved = NO_MAPPING.with_prefix(f"{LIVE}old/", f"{LIVE}new/")
    assert moved.map(f"{LIVE}old/a") == f"{LIVE}new/a"
    copy = UrlMapping.parsed([f"{STAGING}={LIVE}"])
    copy = copy.with_prefix(copy.unmap(f"{LIVE}old/"), f"{LIVE}new/")
    assert copy.map(f"{STAGING}old/a") == f"{LIVE}new/a"
    assert copy.map(f"{STAGING}other") == f"{LIVE}other"


def test_the_longest_prefix_counts() -> None:
    mapping = UrlMapping.parsed([f"{STAGING}={LIVE}", f"{STAGING}blog/=https://blog.example.com/"])
    assert mapping.map(f"{STAGING}blog/a") == "https://blog.example.com/a"
    assert mapping.map(f"{STAGING}b") == f"{LIVE}b"


def test_it_does_not_matter_which_copy_is_named_first() -> None:
    mapping = UrlMapping.parsed([f"{STAGING}={LIVE}", f"{LIVE}old={LIVE}new"])
    assert mapping.directed([STAGING], [LIVE]).prefixes == mapping.prefixes
    turned = mapping.directed([LIVE], [STAGING])
    assert turned.map(f"{LIVE}a") == f"{STAGING}a"
    assert turned.map(f"{LIVE}old/a") == f"{LIVE}new/a"


@pytest.mark.parametrize("earlier", ["old", "new"])
def test_it_does_not_matter_which_folder_of_a_host_is_named_first(earlier: str) -> None:
    mapping = UrlMapping.parsed([f"{LIVE}old={LIVE}new"]).directed([LIVE], [LIVE])
    later = {"old": "new", "new": "old"}[earlier]
    turned = mapping.turned(lambda prefix: prefix == f"{LIVE}{earlier}")
    assert turned.map(f"{LIVE}{earlier}/a") == f"{LIVE}{later}/a"
    assert mapping.turned(lambda _: True).prefixes == mapping.prefixes
    assert mapping.turned(lambda _: False).prefixes == mapping.prefixes


@each_case(
    "text",
    ["", "a=b", STAGING, f"{STAGING}=", f"={LIVE}", f"{STAGING}?a={LIVE}", "ftp://a/=http://b/"],
)
def test_what_maps_nothing_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="maps no addresses"):
        UrlMapping.parsed([text])


@given(st.text("ab/?=:", max_size=12))
def test_mapping_there_and_back_gives_the_same_address(rest: str) -> None:
    prefix = MappedPrefix(STAGING, LIVE)
    url = f"{STAGING}{rest}"
    assert UrlMapping([prefix.backwards]).map(UrlMapping([prefix]).map(url)) == url
    assert NO_MAPPING.map(url) == url
