import pytest

from gossamer.robots.product_token import product_token
from gossamer.robots.robots_txt import LIMIT_BYTES, MAX_CRAWL_DELAY_S, rules_for
from tests.cases import each_case

US = "Gossamer/0.1 (website crawler)"
SITE = "https://example.com"


def allowed(text: str, *paths: str, user_agent: str = US) -> list[bool]:
    rules = rules_for(200, text, user_agent)
    return [rules.allowed(SITE + path) for path in paths]


# ---------------------------------------------------------------- what the status means

EVERYTHING_BLOCKED = "User-agent: *\nDisallow: /\n"


@each_case("status", [300, 302, 304, 400, 401, 403, 404, 410, 451])
def test_without_robots_txt_everything_is_allowed(status: int) -> None:
    rules = rules_for(status, EVERYTHING_BLOCKED, US)
    assert rules.allowed(f"{SITE}/a")
    assert rules.blocking_line(f"{SITE}/a") is None


@each_case("status", [None, 429, 500, 503, 599, 999])
def test_while_the_rules_cannot_be_known_nothing_is_allowed(status: int | None) -> None:
    rules = rules_for(status, "User-agent: *\nAllow: /\n", US)
    assert not rules.allowed(f"{SITE}/a")
    assert rules.allowed(f"{SITE}/robots.txt")
    assert rules.blocking_line(f"{SITE}/a") is None
    assert rules.crawl_delay_s is None


@pytest.mark.parametrize("status", [200, 203, 206])
def test_what_came_with_2xx_counts(status: int) -> None:
    assert not rules_for(status, EVERYTHING_BLOCKED, US).allowed(f"{SITE}/a")


@pytest.mark.parametrize(
    "text", ["", "\n\n", "<!DOCTYPE html><title>Disallow: /</title>", "\0\ufffd"]
)
def test_what_holds_no_rules_blocks_nothing(text: str) -> None:
    assert allowed(text, "/", "/a") == [True, True]


# ---------------------------------------------------------------- groups


def test_the_group_for_us_counts_alone() -> None:
    text = "User-agent: *\nDisallow: /\n\nUser-agent: gossamer\nDisallow: /private\n"
    assert allowed(text, "/a", "/private/b") == [True, False]
    assert allowed(text, "/a", user_agent="Other/1.0") == [False]


def test_groups_for_us_add_up() -> None:
    text = "User-agent: Gossamer\nDisallow: /a\n\nUser-agent: x\nDisallow: /\n\n"
    text += "User-agent: y\nUser-agent: GOSSAMER\nDisallow: /b\n"
    assert allowed(text, "/a", "/b", "/c") == [False, False, True]


@pytest.mark.parametrize("word", ["website", "crawler", "amer", "gossamer-news"])
def test_other_words_of_our_header_are_not_our_name(word: str) -> None:
    assert allowed(f"User-agent: {word}\nDisallow: /\n", "/a") == [True]


@each_case(
    ("user_agent", "token"),
    [
        ("Gossamer/0.1 (website crawler)", "gossamer"),
        ("Mozilla/5.0 (compatible; Foobot/2.1; +http://foo.example)", "foobot"),
        ("Mozilla/5.0 (X11; Linux x86_64) Gecko/20100101", "mozilla"),
        ("my-bot_x", "my-bot_x"),
        ("  Bot 2000", "bot"),
        ("", ""),
        ("()", ""),
    ],
)
def test_the_name_by_which_robots_txt_calls_a_crawler(user_agent: str, token: str) -> None:
    assert product_token(user_agent) == token


def test_a_crawler_without_a_name_keeps_the_rules_for_all() -> None:
    text = "User-agent: x\nDisallow: /a\nUser-agent: *\nDisallow: /b\n"
    assert allowed(text, "/a", "/b", user_agent="()") == [True, False]


# ---------------------------------------------------------------- patterns


@each_case(
    ("rules", "path", "expected"),
    [
        ("Disallow: /a", "/a", False),
        ("Disallow: /a", "/abc?x", False),
        ("Disallow: /a", "/A", True),
        ("Disallow: /a/", "/a", True),
        ("Disallow:", "/a", True),
        ("Disallow: /*.pdf$", "/x/y.pdf", False),
        ("Disallow: /*.pdf$", "/x/y.pdf?z", True),
        ("Disallow: /*?", "/a?b", False),
        ("Disallow: /*?", "/a", True),
        ("Disallow: /a\nAllow: /a/b", "/a/b/c", True),
        ("Allow: /a/b\nDisallow: /a", "/a/c", False),
        ("Disallow: /a\nAllow: /a", "/a", True),
        ("Disallow: /ä", "/%C3%A4", False),
        ("Disallow: /%c3%a4", "/%C3%A4", False),
        ("Disallow: /a # why", "/a", False),
        ("DISALLOW : /a", "/a", False),
        ("dissallow: /a", "/a", False),
        ("Disallow: /\nAllow: /$", "/", True),
        ("Disallow: /a%2Fb", "/a/b", True),
        ("Disallow: //", "//a", False),
    ],
)
def test_patterns(rules: str, path: str, expected: bool) -> None:
    assert allowed(f"User-agent: *\n{rules}\n", path) == [expected]


@pytest.mark.parametrize("url", ["http://a:%5B@h/x", "http://[::1]:8080/x", "http://h./x"])
def test_rules_look_at_the_path_whatever_the_host(url: str) -> None:
    rules = rules_for(200, "User-agent: *\nDisallow: /x\n", US)
    assert not rules.allowed(url)
    assert rules.allowed(url[:-1] + "y")


# ---------------------------------------------------------------- delay and sitemaps


@each_case(
    ("written", "seconds"),
    [
        ("2", 2.0),
        ("0.5", 0.5),
        ("30", 30.0),
        ("31", MAX_CRAWL_DELAY_S),
        ("86400", MAX_CRAWL_DELAY_S),
        ("1e9", None),
        ("nan", None),
        ("inf", None),
        ("-1", None),
        ("0", None),
        ("soon", None),
        ("", None),
    ],
)
def test_crawl_delays_stay_within_reason(written: str, seconds: float | None) -> None:
    text = f"User-agent: *\nCrawl-delay: {written}\n"
    assert rules_for(200, text, US).crawl_delay_s == seconds


def test_the_crawl_delay_of_others_is_not_ours() -> None:
    assert rules_for(200, "User-agent: x\nCrawl-delay: 5\n", US).crawl_delay_s is None


def test_a_crawl_delay_is_theirs_who_are_named_right_above_it() -> None:
    text = "User-agent: x\nUser-agent: gossamer\nCrawl-delay: 9\n\nUser-agent: *\n"
    text += "Crawl-delay: 2\nDisallow: /a\n"
    assert rules_for(200, text, US).crawl_delay_s == 9.0
    assert rules_for(200, text, "Other/1.0").crawl_delay_s == 2.0
    assert allowed(text, "/a", "/b") == [False, True]


def test_sitemaps_are_listed_once_wherever_they_stand() -> None:
    text = "Sitemap: https://example.com/1.xml\nUser-agent: x\nsitemap:https://e.example/2.xml\n"
    rules = rules_for(200, text + text, US)
    assert rules.sitemaps == ("https://example.com/1.xml", "https://e.example/2.xml")
    assert rules_for(404, text, US).sitemaps == ()


# ---------------------------------------------------------------- large and odd files


def test_a_byte_order_mark_does_not_hide_the_first_line() -> None:
    assert allowed("\ufeffUser-agent: *\nDisallow: /a\n", "/a") == [False]


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_line_ends(newline: str) -> None:
    text = newline.join(["User-agent: *", "Disallow: /a", "Disallow: /b"])
    assert allowed(text, "/a", "/b", "/c") == [False, False, True]


def test_a_long_file_ends_at_its_last_whole_line_within_the_limit() -> None:
    head = "User-agent: *\nDisallow: /early\n#"
    last = "\nDisallow: /"
    filler = "ä" * ((LIMIT_BYTES - len(head) - len(last)) // 2)
    text = f"{head}{filler}{last}private\nDisallow: /late\n"
    assert allowed(text, "/early", "/a", "/private", "/late") == [False, True, True, True]


def test_lone_surrogates_are_no_trouble() -> None:
    assert allowed("User-agent: *\n#\ud800\nDisallow: /a\n", "/a") == [False]


# ---------------------------------------------------------------- explaining

EXPLAINED = """\
# keep out
User-agent: other
Disallow: /a/b/c

User-agent: gossamer
Disallow: /a   # all of it
Allow: /a/ok
Disallow: /a/b
Disallow: /a/b
"""


@each_case(
    ("path", "line"),
    [
        ("/a", (6, "Disallow: /a   # all of it")),
        ("/a/x", (6, "Disallow: /a   # all of it")),
        ("/a/b/c", (8, "Disallow: /a/b")),
        ("/a/ok", None),
        ("/b", None),
    ],
)
def test_the_line_that_blocks(path: str, line: tuple[int, str] | None) -> None:
    assert rules_for(200, EXPLAINED, US).blocking_line(SITE + path) == line


def test_the_line_that_blocks_may_stand_below_lines_that_mean_nothing() -> None:
    text = "User-agent: gossamer\n# \x0c\u2028\nHost: x\nUser-agent: *\n\r\nDisallow: / # all\n"
    assert rules_for(200, text, US).blocking_line(f"{SITE}/a") == (6, "Disallow: / # all")


def test_the_line_that_blocks_may_be_misspelled() -> None:
    rules = rules_for(200, "useragent: *\n  disalow: /a\n", US)
    assert rules.blocking_line(f"{SITE}/a") == (2, "disalow: /a")


def test_every_blocked_path_has_its_line() -> None:
    rules = rules_for(200, EXPLAINED + "Disallow: /*.php$\nDisallow: /ü\n", US)
    for path in ("/x.php", "/%C3%BC/y", "/a/b.php"):
        assert not rules.allowed(SITE + path)
        assert rules.blocking_line(SITE + path) is not None
