"""An edited robots.txt is tried on URLs, and the lines that decide are told."""

import random

from gossamer.robots.robots_trial import RobotsTrial
from gossamer.robots.robots_txt import rules_for

SITE = "https://example.com"
BEFORE = "User-agent: *\nDisallow: /private/\n\nUser-agent: GPTBot\nDisallow: /\n"
AFTER = "User-agent: *\nDisallow: /private/\nAllow: /private/open/\nDisallow: /new\n"


def test_urls_whose_verdict_changes_are_told_with_both_lines() -> None:
    trial = RobotsTrial(200, BEFORE, AFTER, "Googlebot")
    urls = [f"{SITE}{path}" for path in ("/", "/private/a", "/private/open/a", "/new")]
    changes = {each.url.removeprefix(SITE): each for each in trial.changes(urls)}
    assert changes.keys() == {"/private/open/a", "/new"}
    opened, closed = changes["/private/open/a"], changes["/new"]
    assert (opened.before.allowed, opened.after.allowed) == (False, True)
    assert opened.before.line == (2, "Disallow: /private/")
    assert opened.after.line == (3, "Allow: /private/open/")
    assert (closed.before.line, closed.after.line) == (None, (4, "Disallow: /new"))


def test_each_crawler_follows_its_own_group() -> None:
    trial = RobotsTrial(200, BEFORE, AFTER, "GPTBot")
    (change,) = trial.changes([f"{SITE}/"])
    assert (change.before.line, change.after.allowed) == ((5, "Disallow: /"), True)


def test_a_stored_file_that_was_not_found_allows_everything() -> None:
    trial = RobotsTrial(404, "<html>", AFTER, "Googlebot")
    assert [each.url for each in trial.changes([f"{SITE}/", f"{SITE}/new"])] == [f"{SITE}/new"]


def test_the_deciding_line_agrees_with_the_verdict_in_any_file() -> None:
    choose = random.Random(7)
    names = ["*", "gossamer", "other", "Gossamer/1.0", ""]
    paths = ["/", "/a", "/a/", "/a*", "/*b$", "", "/a/b", "/A", "/%61", "/a$"]
    fields = ["Allow", "Disallow", "disalow", "Crawl-delay", "Sitemap", "Noindex"]
    for _ in range(300):
        lines = [
            f"User-agent: {choose.choice(names)}"
            if choose.random() < 0.3
            else f"{choose.choice(fields)}: {choose.choice(paths)}"
            for _ in range(choose.randrange(12))
        ]
        rules = rules_for(200, "\n".join(lines), "gossamer")
        for path in ("/", "/a", "/a/b", "/ab", "/b", "/A/b"):
            line = rules.deciding_line(f"{SITE}{path}")
            if not rules.allowed(f"{SITE}{path}"):
                assert line is not None, (lines, path)
            if line is not None:
                said = lines[line[0] - 1].strip()
                assert said == line[1]
                assert said.lower().startswith("allow") is rules.allowed(f"{SITE}{path}")
