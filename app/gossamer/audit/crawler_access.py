"""Decides which crawlers may fetch a URL and use the page, and the effects of a new robots.txt.

Nothing is fetched here: robots.txt and a page's directives are passed in as read.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from gossamer.model.known_crawlers import KNOWN_CRAWLERS, KnownCrawler
from gossamer.robots.robots_txt import RobotsRules, named_groups, rules_for
from gossamer.urls.meta_robots import directive_words, robots_directives

_OK: Final = 200
_UNNAMED: Final = "crawler-without-group"


class PageDirectives(NamedTuple):
    """A page's directives for robots.

    `meta` has the name and the content of each robots `<meta>` element, such as ("robots",
    "noindex") or ("googlebot", "nosnippet"); `headers` the value of each X-Robots-Tag header.
    """

    meta: Sequence[tuple[str, str]] = ()
    headers: Sequence[str] = ()


NO_DIRECTIVES: Final = PageDirectives()


class CrawlerAccess(NamedTuple):
    """What one crawler may do with a URL.

    `group` is the name in robots.txt whose rules it follows, in lower case: one of its own, a
    stand-in's, "*", or "" if no group applies. `line` has the number (from 1) and the text of the
    line that decides, None if none does. `directive` is the page's directive that forbids its use:
    "X-Robots-Tag: noindex", "robots: noindex", or "". It is "" for a page that may not be fetched.
    """

    crawler: KnownCrawler
    may_fetch: bool
    may_use: bool
    group: str
    line: tuple[int, str] | None = None
    directive: str = ""


class AccessChange(NamedTuple):
    """A URL that an edited robots.txt allows or disallows to other crawlers than before."""

    url: str
    disallowed: tuple[str, ...]
    """The names of the crawlers that might fetch it before."""
    allowed: tuple[str, ...]
    """The names of those that may fetch it now."""


def crawler_access(
    url: str,
    robots_txt: str,
    directives: PageDirectives = NO_DIRECTIVES,
    *,
    status: int | None = _OK,
    crawlers: Sequence[KnownCrawler] = KNOWN_CRAWLERS,
) -> list[CrawlerAccess]:
    """What each of the crawlers may do with the serialised `url`.

    `robots_txt` is the file of its origin and `status` that of the response with it, None if there
    was no response.
    """
    file = _RobotsFile(robots_txt, status)
    by_group: dict[str, tuple[bool, tuple[int, str] | None]] = {}
    found = []
    for crawler in crawlers:
        group = file.group_of(crawler)
        if group not in by_group:
            rules = file.rules_of(group)
            by_group[group] = (rules.allowed(url), rules.deciding_line(url))
        may_fetch, line = by_group[group]
        directive = _forbidding_directive(crawler, directives) if may_fetch else ""
        may_use = may_fetch and not directive
        found.append(CrawlerAccess(crawler, may_fetch, may_use, group, line, directive))
    return found


def access_changes(
    urls: Iterable[str],
    before: str,
    after: str,
    *,
    status: int | None = _OK,
    crawlers: Sequence[KnownCrawler] = KNOWN_CRAWLERS,
) -> Iterator[AccessChange]:
    """The URLs, all of one origin, for which an edited robots.txt changes crawlers' access.

    `before` and `after` are the two texts; `status` is that of the response with the former, None
    if there was no response. Takes about 8 µs per URL and group of rules that the crawlers follow.
    """
    old, new = _RobotsFile(before, status), _RobotsFile(after, _OK)
    names: dict[tuple[str, str], list[str]] = {}
    for crawler in crawlers:
        names.setdefault((old.group_of(crawler), new.group_of(crawler)), []).append(crawler.name)
    pairs = [
        (old.rules_of(old_group), new.rules_of(new_group), tuple(concerned))
        for (old_group, new_group), concerned in names.items()
    ]
    for url in urls:
        disallowed: tuple[str, ...] = ()
        allowed: tuple[str, ...] = ()
        for old_rules, new_rules, concerned in pairs:
            is_allowed = new_rules.allowed(url)
            if old_rules.allowed(url) is is_allowed:
                continue
            if is_allowed:
                allowed += concerned
            else:
                disallowed += concerned
        if allowed or disallowed:
            yield AccessChange(url, disallowed, allowed)


class _RobotsFile:
    """A robots.txt, its rules parsed once for each group that a crawler follows."""

    def __init__(self, text: str, status: int | None) -> None:
        self._text = text
        self._status = status
        self._named = named_groups(text)
        self._rules: dict[str, RobotsRules] = {}

    def group_of(self, crawler: KnownCrawler) -> str:
        """The name of the group whose rules a crawler follows; "" for none."""
        names = (name.lower() for name in (*crawler.own_names, crawler.stand_in, "*"))
        return next((name for name in names if name in self._named), "")

    def rules_of(self, group: str) -> RobotsRules:
        """The rules of a group."""
        if group not in self._rules:
            name = _UNNAMED if group in {"", "*"} else group
            self._rules[group] = rules_for(self._status, self._text, name)
        return self._rules[group]


def _forbidding_directive(crawler: KnownCrawler, directives: PageDirectives) -> str:
    """The directive of a page that forbids its use to this crawler; "" for none.

    Its own come before those for all robots, which apply as well: of conflicting rules, the most
    restrictive one applies.
    """
    own = tuple(name.lower() for name in crawler.own_names)
    names = (*own, "robots")
    concerned = [(name.lower(), said) for name, said in directives.meta if name.lower() in names]
    concerned.sort(key=lambda each: names.index(each[0]))
    said = [(f"{name}: ", content) for name, content in concerned]
    said += [("X-Robots-Tag: ", robots_directives(directives.headers, name)) for name in own]
    for source, content in said:
        for directive in directive_words(content):
            if directive in crawler.obeys:
                return source + directive
    return ""
