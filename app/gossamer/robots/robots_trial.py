"""Tries an edited robots.txt on URLs: which ones a crawler may or may not fetch any more."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from gossamer.robots.robots_txt import RobotsRules, rules_for

_OK = 200


class RobotsVerdict(NamedTuple):
    """Whether a URL may be fetched, and the line that decides, by number and text, if one does."""

    allowed: bool
    line: tuple[int, str] | None = None


class RobotsChange(NamedTuple):
    """A URL that the edited robots.txt and the stored one decide differently."""

    url: str
    before: RobotsVerdict
    after: RobotsVerdict


class RobotsTrial:
    """A stored robots.txt and an edited one, for one crawler."""

    def __init__(self, status: int | None, stored: str, edited: str, user_agent: str) -> None:
        """Take status and text of the stored file, and a User-Agent header or a crawler's name."""
        self._before = rules_for(status, stored, user_agent)
        self._after = rules_for(_OK, edited, user_agent)

    def verdicts(self, url: str) -> tuple[RobotsVerdict, RobotsVerdict]:
        """The verdicts of both on a URL of their origin."""
        return _verdict(self._before, url), _verdict(self._after, url)

    def changes(self, urls: Iterable[str]) -> Iterator[RobotsChange]:
        """Those of the URLs, all of the origin, that they decide differently."""
        before, after = self._before.allowed, self._after.allowed
        for url in urls:
            if before(url) is not after(url):
                yield RobotsChange(url, *self.verdicts(url))


def _verdict(rules: RobotsRules, url: str) -> RobotsVerdict:
    return RobotsVerdict(rules.allowed(url), rules.deciding_line(url))
