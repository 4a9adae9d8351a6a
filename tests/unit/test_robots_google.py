"""Google's published examples of how robots.txt is read, in the words of its documentation."""

import pytest

from gossamer.robots.robots_txt import rules_for
from tests.cases import each_case

SITE = "http://example.com"


def allows(rules: str, url: str, user_agent: str = "Gossamer/1.0") -> bool:
    return rules_for(200, rules, user_agent).allowed(url)


MATCHES = {
    "/": ["/harry", "/x/y", "/a.html"],
    "/*": ["/harry", "/x/y", "/a.html"],
    "/fish": ["/fish", "/fish.html", "/fish/salmon.html", "/fishheads", "/fish.php?id=anything"],
    "/fish*": ["/fish", "/fish.html", "/fish/salmon.html", "/fishheads/yummy.html"],
    "/fish/": ["/fish/", "/fish/?id=anything", "/fish/salmon.htm"],
    "/*.php": ["/index.php", "/folder/a.php?p", "/folder/any.php.file.html", "/filename.php/"],
    "/*.php$": ["/filename.php", "/folder/filename.php"],
    "/fish*.php": ["/fish.php", "/fishheads/catfish.php?parameters"],
    "/x$y": ["/x$y"],
    "/a%3cd.html": ["/a%3Cd.html", "/a%3cd.html"],
    "/foo/bar?qux=taz&baz=http://foo.bar?tar": ["/foo/bar?qux=taz&baz=http://foo.bar?tar&par"],
}
MISMATCHES = {
    "/fish": ["/Fish.asp", "/catfish", "/?id=fish", "/desert/fish"],
    "/fish/": ["/fish", "/fish.html", "/animals/fish/", "/Fish/Salmon.asp"],
    "/*.php": ["/", "/windows.PHP", "/index?php"],
    "/*.php$": ["/filename.php?parameters", "/filename.php/", "/filename.php5", "/windows.PHP"],
    "/fish*.php": ["/Fish.PHP"],
}


@each_case(
    ("pattern", "path", "matches"),
    [
        *((pattern, path, True) for pattern, paths in MATCHES.items() for path in paths),
        *((pattern, path, False) for pattern, paths in MISMATCHES.items() for path in paths),
    ],
)
def test_which_paths_a_pattern_matches(pattern: str, path: str, *, matches: bool) -> None:
    assert allows(f"user-agent: *\ndisallow: {pattern}\n", SITE + path) is not matches


@each_case(
    ("rules", "path", "allowed"),
    [
        ("allow: /p\ndisallow: /", "/page", True),
        ("allow: /folder\ndisallow: /folder", "/folder/page", True),
        ("allow: /page\ndisallow: /*.htm", "/page.htm", False),
        ("allow: /page\ndisallow: /*.ph", "/page.php5", True),
        ("allow: /$\ndisallow: /", "/", True),
        ("allow: /$\ndisallow: /", "/page.htm", False),
        ("disallow: /x/page.html\nallow: /x/", "/x/page.html", False),
        ("disallow: /x/\nallow: /x/page.html", "/x/page.html", True),
        ("disallow: \nallow: ", "/x", True),
        ("disallow: /\nallow: ", "/x", False),
        ("disallow: /foo\nfoo: allow: /foo", "/foo", False),
    ],
)
def test_the_longest_rule_counts(rules: str, path: str, *, allowed: bool) -> None:
    assert allows(f"user-agent: *\n{rules}\n", SITE + path) is allowed


@pytest.mark.parametrize(
    ("user_agent", "allowed"),
    [
        ("hedwig-news", ["/group1"]),
        ("HEDWIG", ["/group3"]),
        ("hedwi", ["/group2"]),
        ("other", ["/group2"]),
    ],
)
def test_the_group_of_one_s_own_name_counts(user_agent: str, allowed: list[str]) -> None:
    rules = (
        "user-agent: hedwig-news\ndisallow: /\nallow: /group1\n"
        "user-agent: *\ndisallow: /\nallow: /group2\n"
        "user-agent: hedwig\ndisallow: /\nallow: /group3\n"
    )
    paths = ["/group1", "/group2", "/group3"]
    assert [path for path in paths if allows(rules, SITE + path, user_agent)] == allowed


@each_case(
    "group",
    [
        "user-agent: foo\nuser-agent: gossamer\ndisallow: /",
        "user-agent: foo\n\n\nuser-agent: gossamer\n\ndisallow: /",
        "user-agent: gossamer\nsitemap: /s.xml\ndisallow: /",
        "user-agent: gossamer\nunknown: x\ndisallow: /",
        "USER-AGENT: GOSSAMER\nDISALLOW: /",
        "user-agent gossamer\ndisallow /",
        "user-agent : gossamer # us\n disallow : / # all",
        "user-agent: gossamer\ndisallow: /z\n\nuser-agent: gossamer\ndisallow: /",
        "user-agent: gossamer bot\ndisallow: /",
        "user-agent: gossamer/2.1\ndisallow: /",
        "\ufeffuser-agent: gossamer\ndisallow: /",
    ],
)
def test_how_groups_may_be_written(group: str) -> None:
    assert not allows(group, f"{SITE}/x")
    assert allows(group, f"{SITE}/x", "fine/1")


@each_case(
    "between",
    [
        "invalid-unknown-line: x",
        "host: example.com",
        "noindex: /",
        "clean-param: ref /",
        "request-rate: 1/5",
        "crawl-delay: 5",
        "crawl delay 5",
        "sitemap: https://example.com/s.xml",
        "sitemap https://example.com/s.xml",
        "# a remark",
        "no record at all",
        "disallow this crawler",
        ":",
        "x:",
        "\0",
        "\ufffd\u2028",
        "a" * 20_000,
    ],
)
def test_what_stands_between_the_names_of_a_group_does_not_end_it(between: str) -> None:
    for names in ("gossamer", "*"), ("*", "gossamer"), ("other", "gossamer"):
        group = f"user-agent: {names[0]}\n{between}\n\nuser-agent: {names[1]}\ndisallow: /x\n"
        assert not allows(group, f"{SITE}/x"), (names, between)
    ended = f"user-agent: *\ndisallow: /x\n{between}\nuser-agent: gossamer\ndisallow: /y\n"
    assert allows(ended, f"{SITE}/x")
    assert not allows(ended, f"{SITE}/y")


@each_case("rule", ["allow: /y", "allow:", "disallow:", "disalow: /y", "disallow /y"])
def test_a_rule_ends_the_names_of_a_group(rule: str) -> None:
    group = f"user-agent: gossamer\n{rule}\nuser-agent: *\ndisallow: /x\n"
    assert allows(group, f"{SITE}/x")
    assert not allows(group, f"{SITE}/x", "other")


@each_case(
    ("line", "path", "allowed"),
    [
        ("disallows: /x", "/x", False),
        ("disallow : /x", "/x", False),
        ("disallow /x:y", "/x:y", False),
        ("disallow all: /x", "/x", True),
        ("disallow everything: all of /x", "/x", True),
        ("disallow /x and /y", "/x", True),
        ("nodisallow: /x", "/x", True),
        ("disallow: /x\x0by", "/x%0By", False),
        ("# see\x0cdisallow: /x", "/x", True),
        ("# see\u2028disallow: /x", "/x", True),
        ("disallow: /x\u2028y", "/x%E2%80%A8y", False),
        ("disallow: /x\rdisallow: /y", "/y", False),
    ],
)
def test_what_a_line_is(line: str, path: str, *, allowed: bool) -> None:
    assert allows(f"user-agent: *\n{line}\n", SITE + path) is allowed


def test_of_a_long_line_the_beginning_counts() -> None:
    path = "/x/" + "a" * (16_664 - len("disallow: /x/") - 2)
    rules = f"user-agent: *\ndisallow: {path}/rest\n"
    assert allows(rules, f"{SITE}/other")
    assert allows(rules, f"{SITE}{path}")
    assert not allows(rules, f"{SITE}{path}/another")
    short = f"user-agent: *\ndisallow: {path[:-9]}/rest\n"
    assert allows(short, f"{SITE}{path[:-9]}/another")


@pytest.mark.parametrize("mark", [b"\xef\xbb\xbf", b"\xef\xbb", b"\xef"])
def test_half_a_byte_order_mark_is_one_too(mark: bytes) -> None:
    text = (mark + b"user-agent: *\ndisallow: /\n").decode("utf-8", "replace")
    assert not allows(text, f"{SITE}/x")


@pytest.mark.parametrize("mark", [b"\xef\x11\xbf", b"x\xef\xbb\xbf"])
def test_what_is_no_byte_order_mark_spoils_its_line(mark: bytes) -> None:
    text = (mark + b"user-agent: *\ndisallow: /\n").decode("utf-8", "replace")
    assert allows(text, f"{SITE}/x")


@each_case(
    ("rule", "path", "allowed"),
    [
        ("/foo/bar/\u30c4", "/foo/bar/%E3%83%84", True),
        ("/foo/bar/%E3%83%84", "/foo/bar/%E3%83%84", True),
        ("/foo/bar/%e3%83%84", "/foo/bar/%E3%83%84", True),
        ("/foo/bar/%62%61%7A", "/foo/bar/%62%61%7A", True),
        ("/foo/bar/%62%61%7A", "/foo/bar/baz", True),  # RFC 9309 §2.2.2; Google's parser does not
        ("/caf%E9", "/caf%e9/menu", True),
        ("/caf%e9", "/caf%E9/menu", True),
        ("/caf%E9", "/caf%E8/menu", False),
        ("/caf%E9", "/caf%C3%A9/menu", False),
        ("/%C3%A9%E9", "/%C3%A9%E8", False),
        ("/%C3%A9", "/%c3%a9%E9", True),
        ("/%E9", "/%E9%C3%A9", True),
        ("/slash/index.html", "/slash/", True),
        ("/slash/index.html", "/slash/index.htm", False),
        ("/slash/index.html", "/slash/index.html", True),
        ("/slash/index.htm", "/slash/", False),
    ],
)
def test_how_addresses_may_be_spelled(rule: str, path: str, *, allowed: bool) -> None:
    assert allows(f"user-agent: *\ndisallow: /\nallow: {rule}\n", SITE + path) is allowed


GROUPS = """allow: /outside/

user-agent: foobot
disallow: /
allow: /x/
user-agent: barbot
disallow: /
allow: /y/


allow: /w/
user-agent: bazbot

user-agent: foobot
allow: /z/
disallow: /
"""


@pytest.mark.parametrize(
    ("user_agent", "open_paths"),
    [("foobot", ["/x/", "/z/"]), ("barbot", ["/y/", "/w/"]), ("bazbot", ["/z/"])],
)
def test_which_rules_belong_to_whom(user_agent: str, open_paths: list[str]) -> None:
    paths = ["/outside/", "/x/", "/y/", "/w/", "/z/"]
    assert [path for path in paths if allows(GROUPS, f"{SITE}{path}a", user_agent)] == open_paths


@each_case(
    "text",
    [
        "disallow: /",
        "user-agent: gossamerx\ndisallow: /",
        "user-agent: gossa\ndisallow: /",
        "user-agent: gossamer\nallow: /\nuser-agent: *\ndisallow: /",
        "foo: gossamer\nbar: /",
    ],
)
def test_what_does_not_concern_us(text: str) -> None:
    assert allows(text, f"{SITE}/x")
