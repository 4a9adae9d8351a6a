"""What links mean is remembered by the part of the base that decides it, within bounds."""

import pytest

from gossamer.urls.query_encoding import QueryEncoding
from gossamer.urls.url_joining import Base, JoinCache
from gossamer.urls.url_parsing import join


def remembered(base: Base, href: str) -> str | None:
    return base.joined_in_folder.get(href) or base.joined_on_site.get(href)


@pytest.fixture
def memory() -> JoinCache:
    return JoinCache()


@pytest.mark.parametrize("href", ["x", "../x", "x?q", "/x", "http://example.com/x", "//other/x"])
def test_a_page_in_the_same_folder_knows_what_a_link_means(href: str, memory: JoinCache) -> None:
    url = Base("http://example.com/a/b", memory=memory).join(href)
    assert remembered(Base("http://example.com/a/c?q", memory=memory), href) == url


@pytest.mark.parametrize(
    ("learnt_at", "asked_at", "href"),
    [
        ("http://example.com/", "http://example.com/a/", "x"),
        ("http://example.com/a", "http://example.com/b", "?q"),
        ("http://example.com/a", "http://example.com/b", ""),
        ("http://example.com/a/b", "http://example.com/c/b", "../x"),
        ("http://example.com/", "https://example.com/", "/x"),
        ("http://example.com/", "https://example.com/", "//other/x"),
        ("http://example.com/", "http://user@example.com/", "/x"),
    ],
)
def test_where_it_may_mean_something_else_it_is_not_known(
    learnt_at: str, asked_at: str, href: str, memory: JoinCache
) -> None:
    Base(learnt_at, memory=memory).join(href)
    assert remembered(Base(asked_at, memory=memory), href) is None


def test_pages_in_another_encoding_have_queries_of_their_own(memory: JoinCache) -> None:
    page = "http://example.com/"
    assert Base(page, memory=memory).join("a?ü") == "http://example.com/a?%C3%BC"
    latin = Base(page, QueryEncoding("windows-1252", "cp1252"), memory)
    assert latin.join("a?ü") == "http://example.com/a?%FC"
    assert remembered(latin, "a?%FC") == "http://example.com/a?%FC"


def test_what_was_not_asked_about_for_longest_is_forgotten() -> None:
    memory = JoinCache(limit=3_500)
    for folder in "abc":
        Base(f"http://example.com/{folder}/", memory=memory).join("x")
    Base("http://example.com/a/", memory=memory)
    for folder in "de":
        Base(f"http://example.com/{folder}/", memory=memory).join("x")
    known = [
        folder
        for folder in "abcde"
        if remembered(Base(f"http://example.com/{folder}/", memory=memory), "x")
    ]
    assert known == ["a", "c", "d", "e"]


def test_one_folder_does_not_outgrow_the_memory() -> None:
    memory = JoinCache(limit=1_800)
    base = Base("http://example.com/", memory=memory)
    hrefs = [f"x{number}" for number in range(100)]
    for href in hrefs:
        assert base.join(href) == f"http://example.com/{href}"
    known = Base("http://example.com/", memory=memory)
    assert sum(remembered(known, href) is not None for href in hrefs) <= 4


def test_a_memory_without_room_remembers_nothing() -> None:
    base = Base("http://example.com/a/", memory=JoinCache(limit=0))
    assert base.join("x") == "http://example.com/a/x"
    assert remembered(base, "x") is None


@pytest.mark.parametrize(
    "url",
    [
        *("http://example.com/", "https://example.com/a/b?q=%20", "http://example.com/?"),
        *("https://example.com/app?x#/route", "mailto:me@example.com", "file:///a"),
    ],
)
def test_a_fragment_leads_to_the_page_itself(url: str, memory: JoinCache) -> None:
    assert Base(url, memory=memory).join("#") == join(url, "#")


def test_nothing_is_above_a_site(memory: JoinCache) -> None:
    base = Base("http://example.com/a/b/c", memory=memory)
    found = [base.join(f"{up}x") for up in ("../../../", "", "../", "../../", "../../../../")]
    folders = ("", "a/b/", "a/", "", "")
    assert found == [f"http://example.com/{folder}x" for folder in folders]


def test_long_links_are_not_remembered(memory: JoinCache) -> None:
    base = Base("http://example.com/", memory=memory)
    assert base.join("x" * 10_000)
    assert remembered(base, "x" * 10_000) is None


def test_plain_links_are_joined_together_as_they_are_one_by_one(memory: JoinCache) -> None:
    plain = ["x", "/a/x.html", "../x", "../../a/b/", "~x/y%20z", "y" * 400, "x?q=/a&b=%22:"]
    plain += ["http://other-host.example.org/x?q", "https://example.com/a/", "/x(y),z;v=1?"]
    others = ["#top", "/", "//other/x", "mailto:x", "a b", "", "y" * 900, "../..", "x/%2e%2e/y"]
    others += [
        "x:y",
        "x?q='",
        "x?q#f",
        "http://127.1/x",
        "http://a.xn--p1ai/x",
        "http://a.com:80/x",
    ]
    url = "http://example.com/a/b/c"
    joined = Base(url, memory=memory).join_plain([*plain, *others])
    assert joined == {href: join(url, href) for href in plain}
    known = Base("http://example.com/a/b/d", memory=memory)
    assert {href: remembered(known, href) for href in plain} == joined


def test_nothing_is_plain_on_a_page_that_is_no_web_address(memory: JoinCache) -> None:
    assert Base("mailto:me@example.com", memory=memory).join_plain(["x", "/x"]) == {}
