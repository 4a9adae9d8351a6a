"""robots.txt, by RFC 9309 and, where that is silent, as Google reads it.

What the answer's status means is decided here; the rules themselves are Protego's business.
"""

import re
from dataclasses import dataclass, field

from protego import Protego

LIMIT_BYTES = 500 * 1024
"""RFC 9309 §2.5: at least this much is read. What follows is ignored."""
MAX_CRAWL_DELAY_S = 30.0
"""Longer delays are honoured as this one: a site of 10,000 pages then takes three days."""
_NONSENSE_DELAY_S = 86_400.0
_TOO_MANY_REQUESTS = 429
_FIRST_SERVER_ERROR = 500

_DISALLOW_ALL = "User-agent: *\nDisallow: /\n"
_COMPATIBLE = re.compile(r"Mozilla/.*?[(;] *compatible; *([^\s/;(),]+)", re.IGNORECASE)
_TOKEN = re.compile(r"[^\s/;(),]+")
_AGENT_LINE = re.compile(
    r"^([ \t]*user[- ]?agent(?:[ \t]*:|[ \t])[ \t]*)([^\s/;(),#]*)([^\r\n]*)$",
    re.IGNORECASE | re.MULTILINE,
)
_LONG_LINE = re.compile(r"([^\r\n]{16663})[^\r\n]+")
"""What Google reads of a line: eight times the longest URL that browsers once knew."""
_PROBE_URL = "http://probe/gossamer-probe-4c1d"


@dataclass(frozen=True, slots=True)
class RobotsRules:
    """The rules of one origin for one user agent. Made by `rules_for`.

    `crawl_delay_s` is the least time between two requests that the site asks for, at most
    MAX_CRAWL_DELAY_S; None without a usable one. `sitemaps` are as written, each once.
    """

    token: str
    text: str
    crawl_delay_s: float | None
    sitemaps: tuple[str, ...]
    _rules: Protego = field(repr=False, compare=False)

    def allowed(self, url: str) -> bool:
        """Whether the serialised `url`, of the origin, may be fetched."""
        return self._rules.can_fetch(url, self.token)

    def blocking_line(self, url: str) -> tuple[int, str] | None:
        """Number (from 1) and text of the line that keeps `url` from being fetched.

        None if it may be fetched, and if no line says so but the answer's status. Takes up to two
        seconds for the largest files: it is for explaining, not for crawling.
        """
        if self.allowed(url):
            return None
        lines = _addressed(self.text, self.token).splitlines()
        blocking = [
            (number, line.strip())
            for number, line in enumerate(lines, 1)
            if _blocks(line, url) and self._applies(lines, number)
        ]
        # RFC 9309 §2.2.2: the most specific rule counts, which is the longest.
        return max(blocking, key=lambda found: len(_value(found[1])), default=None)

    def _applies(self, lines: list[str], number: int) -> bool:
        """Whether the line stands in a group for our user agent: a rule in its place shows it."""
        probed = [*lines[: number - 1], f"Disallow: {_path(_PROBE_URL)}", *lines[number:]]
        return not Protego.parse("\n".join(probed)).can_fetch(_PROBE_URL, self.token)


def rules_for(status: int | None, text: str, user_agent: str) -> RobotsRules:
    """The rules that an answer to the request for robots.txt means for `user_agent`.

    2xx: what `text` says. 4xx: everything is allowed. 429, 5xx and no answer (`status` None):
    nothing is, as the rules cannot be known (RFC 9309 §2.3.1). Redirects that led nowhere count
    as 4xx.
    """
    if status is None or status == _TOO_MANY_REQUESTS or status >= _FIRST_SERVER_ERROR:
        return _read("", _DISALLOW_ALL, user_agent)
    text = _cut(text) if status // 100 == 2 else ""  # noqa: PLR2004 - a status 2xx
    return _read(text, text, user_agent)


def product_token(user_agent: str) -> str:
    """The name by which robots.txt calls a crawler with this User-Agent header.

    Its first word up to the version; the word after "compatible;" where it poses as a browser.
    """
    found = _COMPATIBLE.match(user_agent)
    if found:
        return found[1].lower()
    first = _TOKEN.match(user_agent.strip())
    return first[0].lower() if first else ""


def _read(text: str, rules_text: str, user_agent: str) -> RobotsRules:
    token = product_token(user_agent)
    rules = Protego.parse(_addressed(rules_text, token))
    return RobotsRules(
        token=token,
        text=text,
        crawl_delay_s=_sane_delay(rules.crawl_delay(token)),
        sitemaps=tuple(dict.fromkeys(rules.sitemaps)),
        _rules=rules,
    )


def _addressed(text: str, token: str) -> str:
    """`text` with the names of other crawlers made unlike ours; the lines stay where they are.

    RFC 9309 §2.2.1: a group is ours if it names us, in any case, whatever version follows.
    Protego is content with the beginning of a name.
    """

    def readdressed(line: re.Match[str]) -> str:
        name = line[2].lower()
        is_for_us = name == "*" or (token and name == token)
        # Longer than ours, so that ours cannot begin with it.
        return line[1] + (name if is_for_us else f"not-{token}")

    return _AGENT_LINE.sub(readdressed, text)


def _cut(text: str) -> str:
    """`text` without byte order mark, whole or half, up to the last whole line within the limit."""
    text = text.removeprefix("\ufeff").removeprefix("\ufffd")
    data = text.encode("utf-8", "replace")
    if len(data) > LIMIT_BYTES:
        # "Disallow: /private" cut after the slash would block the whole site.
        text = data[: data.rfind(b"\n", 0, LIMIT_BYTES) + 1].decode("utf-8", "replace")
    return _LONG_LINE.sub(r"\1", text)


def _sane_delay(delay_s: float | None) -> float | None:
    if not delay_s or delay_s > _NONSENSE_DELAY_S:
        return None
    return min(delay_s, MAX_CRAWL_DELAY_S)


def _blocks(line: str, url: str) -> bool:
    """Whether `line` is a rule that, all alone, keeps `url` from being fetched."""
    # Protego understands several spellings of "Disallow"; all begin like it.
    return line.lstrip()[:1] in {"d", "D"} and not (
        Protego.parse(f"User-agent: *\n{line}").can_fetch(url, "any")
    )


def _value(line: str) -> str:
    return line.partition("#")[0].partition(":")[2].strip()


def _path(url: str) -> str:
    return url[url.index("/", url.index("//") + 2) :]
