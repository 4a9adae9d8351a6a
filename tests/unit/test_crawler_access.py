"""Who may crawl a site, and what an edited robots.txt changes."""

import pytest

from gossamer.audit.crawler_access import (
    AccessChange,
    CrawlerAccess,
    PageDirectives,
    access_changes,
    crawler_access,
)
from gossamer.model.known_crawlers import KNOWN_CRAWLERS, CrawlerPurpose
from gossamer.robots.product_token import product_token
from tests.cases import each_case

SITE = "https://site.example"
ROBOTS = """\
User-agent: *
Disallow: /private/
Allow: /private/open/

User-agent: Googlebot
Disallow: /search

User-agent: GPTBot
User-agent: CCBot/2.0
Disallow: /  # no training

User-agent: Yandex
Allow: /
"""


def access(
    name: str,
    path: str = "/",
    robots_txt: str = ROBOTS,
    directives: PageDirectives | None = None,
    status: int | None = 200,
) -> CrawlerAccess:
    found = crawler_access(SITE + path, robots_txt, directives or PageDirectives(), status=status)
    return next(each for each in found if each.crawler.name == name)


@each_case(
    ("name", "path", "may_fetch", "group", "line"),
    [
        ("GPTBot", "/", False, "gptbot", (10, "Disallow: /  # no training")),
        ("CCBot", "/a", False, "ccbot", (10, "Disallow: /  # no training")),
        ("ClaudeBot", "/", True, "*", None),
        ("ClaudeBot", "/private/a", False, "*", (2, "Disallow: /private/")),
        ("ClaudeBot", "/private/open/a", True, "*", (3, "Allow: /private/open/")),
        ("Googlebot", "/private/a", True, "googlebot", None),
        ("Googlebot", "/search?q=1", False, "googlebot", (6, "Disallow: /search")),
        ("Googlebot-Image", "/search", False, "googlebot", (6, "Disallow: /search")),
        ("Google-Extended", "/search", True, "*", None),
        ("Applebot", "/search", False, "googlebot", (6, "Disallow: /search")),
        ("Applebot-Extended", "/search", True, "*", None),
        ("YandexBot", "/private/a", True, "yandex", (13, "Allow: /")),
    ],
)
def test_each_crawler_follows_its_group_and_the_line_that_decides_is_named(
    name: str, path: str, may_fetch: bool, group: str, line: tuple[int, str] | None
) -> None:
    found = access(name, path)
    assert (found.may_fetch, found.group, found.line) == (may_fetch, group, line)
    assert found.may_use is may_fetch


def test_a_group_of_its_own_comes_before_that_of_a_stand_in() -> None:
    robots_txt = "User-agent: Googlebot\nDisallow: /\nUser-agent: Applebot\nDisallow: /a\n"
    assert access("Applebot", "/b", robots_txt).may_fetch
    assert not access("Googlebot", "/b", robots_txt).may_fetch


def test_without_a_group_everything_is_allowed() -> None:
    found = access("Bingbot", "/a", "User-agent: GPTBot\nDisallow: /\n")
    assert (found.may_fetch, found.group, found.line) == (True, "", None)


@pytest.mark.parametrize(("status", "may_fetch"), [(404, True), (503, False), (None, False)])
def test_a_robots_txt_that_was_not_read_allows_all_or_nothing(
    status: int | None, may_fetch: bool
) -> None:
    assert {access(name, status=status).may_fetch for name in ("Googlebot", "GPTBot")} == {
        may_fetch
    }


NOINDEX = PageDirectives(meta=[("robots", "NoIndex, follow")])
FOR_GOOGLE = PageDirectives(meta=[("googlebot", "none")])
IN_HEADER = PageDirectives(headers=["bingbot: noindex", "nofollow"])
NOARCHIVE = PageDirectives(headers=["noarchive"])
NO_IMAGES = PageDirectives(meta=[("robots", "noimageindex")])


@each_case(
    ("name", "directives", "directive"),
    [
        ("Googlebot", NOINDEX, "robots: noindex"),
        ("GPTBot", NOINDEX, ""),
        ("Googlebot", FOR_GOOGLE, "googlebot: none"),
        ("Googlebot-News", FOR_GOOGLE, "googlebot: none"),
        ("Bingbot", FOR_GOOGLE, ""),
        ("Applebot", FOR_GOOGLE, ""),
        ("Bingbot", IN_HEADER, "X-Robots-Tag: noindex"),
        ("Googlebot", IN_HEADER, ""),
        ("Amazonbot", NOARCHIVE, "X-Robots-Tag: noarchive"),
        ("Amzn-SearchBot", NOARCHIVE, ""),
        ("Googlebot-Image", NO_IMAGES, "robots: noimageindex"),
        ("Googlebot", NO_IMAGES, ""),
    ],
)
def test_directives_of_the_page_forbid_its_use_to_crawlers_that_obey_them(
    name: str, directives: PageDirectives, directive: str
) -> None:
    found = access(name, robots_txt="", directives=directives)
    assert (found.may_fetch, found.may_use, found.directive) == (True, not directive, directive)


def test_directives_are_not_read_of_a_page_that_may_not_be_fetched() -> None:
    found = access("Googlebot", "/search", directives=NOINDEX)
    assert (found.may_fetch, found.may_use, found.directive) == (False, False, "")


URLS = [f"{SITE}{path}" for path in ("/", "/private/a", "/private/open/a", "/search")]


def test_an_edited_robots_txt_is_tried_on_all_urls() -> None:
    edited = ROBOTS.replace("Disallow: /search", "Disallow: /private/a").replace(
        "User-agent: GPTBot\n", ""
    )
    changes = {
        change.url.removeprefix(SITE): change for change in access_changes(URLS, ROBOTS, edited)
    }
    google = {"Googlebot", "Googlebot-Image", "Googlebot-Video", "Googlebot-News", "Applebot"}
    assert set(changes["/search"].allowed) == {*google, "GPTBot"}
    assert set(changes["/private/a"].disallowed) == google
    assert changes["/"] == AccessChange(URLS[0], (), ("GPTBot",))
    assert changes["/private/a"].allowed == ()


@each_case(("status", "forbids"), [(None, True), (503, True), (429, True), (404, False)])
def test_an_edited_robots_txt_is_tried_against_what_the_response_meant(
    status: int | None, forbids: bool
) -> None:
    allowing = "User-agent: *\nAllow: /\n"
    changes = list(access_changes(URLS, "User-agent: *\nDisallow: /\n", allowing, status=status))
    assert [each.url for each in changes] == (URLS if forbids else [])
    assert all(len(each.allowed) == len(KNOWN_CRAWLERS) for each in changes)


def test_an_edit_that_means_the_same_changes_nothing() -> None:
    reworded = ROBOTS.replace("Disallow", "disallow").replace("# no training", "")
    assert list(access_changes(URLS, ROBOTS, reworded)) == []


def test_changes_are_those_between_the_two_files() -> None:
    edited = "User-agent: *\nDisallow: /private/open/\nAllow: /search\n"
    for change in access_changes(URLS, ROBOTS, edited):
        before = {
            each.crawler.name for each in crawler_access(change.url, ROBOTS) if each.may_fetch
        }
        after = {each.crawler.name for each in crawler_access(change.url, edited) if each.may_fetch}
        assert set(change.disallowed) == before - after
        assert set(change.allowed) == after - before


def test_the_names_of_known_crawlers_are_product_tokens_each_once() -> None:
    names = [crawler.name.lower() for crawler in KNOWN_CRAWLERS]
    assert len(names) == len(set(names))
    assert [product_token(name) for name in names] == names


def test_every_purpose_has_crawlers_and_every_crawler_a_page_about_it_but_one() -> None:
    assert {crawler.purpose for crawler in KNOWN_CRAWLERS} == set(CrawlerPurpose)
    without = {crawler.name for crawler in KNOWN_CRAWLERS if not crawler.documentation}
    assert without == {"Bytespider"}
    assert all(
        crawler.documentation.startswith("https://")
        for crawler in KNOWN_CRAWLERS
        if crawler.documentation
    )
