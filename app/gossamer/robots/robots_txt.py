"""Parses and matches robots.txt by RFC 9309 and, where that is silent, as Google does.

The meaning of the response's status is decided here; Protego handles the rules themselves.
"""

import re
from functools import lru_cache
from typing import NamedTuple
from urllib.parse import quote, unquote_to_bytes

from msgspec import Struct
from protego import Protego

from gossamer.model.lazy_pattern import lazy_pattern
from gossamer.robots.product_token import product_token

USER_AGENT = "user-agent"
ALLOW = "allow"
DISALLOW = "disallow"
SITEMAP = "sitemap"
CRAWL_DELAY = "crawl-delay"

_SPELLINGS = {
    USER_AGENT: ("user-agent", "useragent", "user agent"),
    ALLOW: ("allow",),
    DISALLOW: ("disallow", "dissallow", "dissalow", "disalow", "diasllow", "disallaw"),
    SITEMAP: ("sitemap", "site-map"),
    CRAWL_DELAY: ("crawl-delay", "crawl delay", "crawldelay"),
}
_FIELDS = {spelling: field for field, spellings in _SPELLINGS.items() for spelling in spellings}
_NEWLINE = re.compile(r"\r\n|\r|\n")
_ESCAPES = lazy_pattern(r"(?:%[89a-fA-F][0-9a-fA-F])+")
"""Bytes that are not ASCII."""
_NO_UTF_8 = frozenset(map(chr, range(0xDC80, 0xDD00)))
"""What Python decodes bytes to that are not UTF-8."""
_LONGEST = 16_663
"""How much Google reads of a line: eight times the longest URL that browsers once supported."""
_FURTHER_LINE_ENDS = lazy_pattern("[\v\f\x1c-\x1e\x85\u2028\u2029]")
"""Further characters that Python, and so Protego, takes for the end of a line."""


class RobotsLine(Struct, frozen=True):
    """A meaningful line: one of the fields above, and its value."""

    field: str
    value: str

    def __str__(self) -> str:
        """The line as everybody reads it alike."""
        return f"{self.field}: {_FURTHER_LINE_ENDS.sub(_escaped, exact(self.value))}"


def lines_of(text: str) -> list[str]:
    """The lines of robots.txt, very long ones cut."""
    return [line[:_LONGEST] for line in _NEWLINE.split(text)]


def record_of(line: str) -> RobotsLine | None:
    """The record of a line; None if it has none, or an unknown one.

    >>> record_of("Disalow /private  # a frequent typo, and no colon")
    RobotsLine(field='disallow', value='/private')
    >>> record_of("Host: example.com")
    """
    said = line.partition("#")[0].strip()
    name, colon, value = said.partition(":")
    if colon and (field := _field(name)):
        return RobotsLine(field, value.strip())
    # Without a colon it is a record if nothing else stands there: prose begins like that too.
    *name_words, last = said.split() or [""]
    field = _FIELDS.get(" ".join(name_words).lower(), "")
    return RobotsLine(field, last) if field else None


def _field(name: str) -> str:
    """The field that stands before a colon, whatever its letters go on with; "" if it is none."""
    name = name.strip().lower()
    for spelling, name_of_field in _FIELDS.items():
        if name.startswith(spelling) and not re.search(r"\s", name[len(spelling) :]):
            return name_of_field
    return ""


def exact(address: str) -> str:
    """`address` with escapes that are no UTF-8 kept apart: Protego takes all for one character.

    Sites older than UTF-8 have them.

    >>> exact("/caf%E9/%C3%A9")
    '/caf%25E9/%C3%A9'
    """
    return _ESCAPES.sub(_kept_apart, address) if "%" in address else address


def _kept_apart(escapes: re.Match[str]) -> str:
    text = unquote_to_bytes(escapes[0]).decode(errors="surrogateescape")
    return "".join(
        f"%25{ord(each) & 0xFF:02X}" if each in _NO_UTF_8 else quote(each) for each in text
    )


def _escaped(character: re.Match[str]) -> str:
    return quote(character[0])


LIMIT_BYTES = 500 * 1024
"""RFC 9309 §2.5: at least this much is read. What follows is ignored."""
MAX_CRAWL_DELAY_S = 30.0
"""Longer delays are limited to this: a site of 10,000 pages then takes three days."""
_NONSENSE_DELAY_S = 86_400.0
_TOO_MANY_REQUESTS = 429
_FIRST_SERVER_ERROR = 500

_DISALLOW_ALL = "User-agent: *\nDisallow: /\n"
_AGENT = lazy_pattern(r"[^\s/;(),]*")
"""The significant part of a group's name: a version may follow."""
_ANY = "any"


class RobotsRules(Struct, frozen=True, eq=False):
    """The rules of one origin for one user agent. Made by `rules_for`.

    `crawl_delay_s` is the least time between two requests that the site asks for, at most
    MAX_CRAWL_DELAY_S; None without a usable one. `sitemaps` are as written, each once.
    """

    token: str
    text: str
    crawl_delay_s: float | None
    sitemaps: tuple[str, ...]
    _rules: Protego

    def allowed(self, url: str) -> bool:
        """Whether the serialised `url`, of the origin, may be fetched."""
        return self._rules.can_fetch(exact(url), self.token)

    def blocking_line(self, url: str) -> tuple[int, str] | None:
        """Number (from 1) and text of the line that keeps `url` from being fetched.

        None if it may be fetched, or if not a line but the response's status forbids it.
        """
        return None if self.allowed(url) else self.deciding_line(url)

    def deciding_line(self, url: str) -> tuple[int, str] | None:
        """Number (from 1) and text of the line that allows or disallows `url`; None if none does.

        Takes some microseconds for each rule, and much longer the first time.
        """
        decides = ALLOW if self.allowed(url) else DISALLOW
        for rule in _rules_of_group(self.text, self.token):
            if rule.field == decides and not rule.pattern.can_fetch(exact(url), _ANY):
                return rule.number, rule.line
        return None


class _GroupRule(NamedTuple):
    """A rule that holds for a crawler: its place in the file, and its pattern as a ban."""

    number: int
    line: str
    field: str
    pattern: Protego


@lru_cache(maxsize=16)
def _rules_of_group(text: str, token: str) -> tuple[_GroupRule, ...]:
    """The rules of the groups for a crawler, or of those for all, in the order of precedence.

    RFC 9309 §2.2.2: the most specific rule counts, which is the longest.
    """
    lines = lines_of(text)
    by_name: dict[str, list[tuple[int, RobotsLine]]] = {}
    names: list[str] = []
    in_rules = False
    for number, line in enumerate(lines):
        record = record_of(line)
        if record is None or record.field in {SITEMAP, CRAWL_DELAY}:
            continue
        if record.field == USER_AGENT:
            named = _AGENT.match(record.value)
            names = [] if in_rules else names
            names.append(named[0].lower() if named else "")
            by_name.setdefault(names[-1], [])
        else:
            for name in dict.fromkeys(names):
                by_name[name].append((number, record))
        in_rules = record.field != USER_AGENT
    rules = by_name.get(token) if token in by_name else by_name.get("*", [])
    in_order = sorted(rules or (), key=lambda rule: -len(rule[1].value))
    return tuple(
        _GroupRule(number + 1, lines[number].strip(), record.field, _ban(record.value))
        for number, record in in_order
    )


def _ban(pattern: str) -> Protego:
    return Protego.parse(f"User-agent: *\n{RobotsLine(DISALLOW, pattern)}")


def rules_for(status: int | None, text: str, user_agent: str) -> RobotsRules:
    """The rules for `user_agent` by a response to the request for robots.txt.

    2xx: what `text` says. 4xx: everything is allowed. 429, 5xx and no response (`status` None):
    nothing is, as the rules are unknown (RFC 9309 §2.3.1). Redirects that led nowhere count as 4xx.
    """
    if status is None or status == _TOO_MANY_REQUESTS or status >= _FIRST_SERVER_ERROR:
        return _read("", _DISALLOW_ALL, user_agent)
    text = _cut(text) if status // 100 == 2 else ""  # noqa: PLR2004 - a status 2xx
    return _read(text, text, user_agent)


def named_groups(text: str) -> frozenset[str]:
    """The names that groups of robots.txt are for, in lower case; "*" is everybody."""
    records = map(record_of, lines_of(_cut(text)))
    values = (each.value for each in records if each and each.field == USER_AGENT)
    return frozenset(found[0].lower() for value in values if (found := _AGENT.match(value)))


def _read(text: str, rules_text: str, user_agent: str) -> RobotsRules:
    token = product_token(user_agent)
    records = [record_of(line) for line in lines_of(rules_text)]
    rules = _rules_in(records, token)
    return RobotsRules(
        token=token,
        text=text,
        crawl_delay_s=_delay_in(records, token),
        sitemaps=tuple(dict.fromkeys(rules.sitemaps)),
        _rules=rules,
    )


def _rules_in(records: list[RobotsLine | None], token: str) -> Protego:
    """What the records allow.

    RFC 9309 §2.2.4: no record but allow and disallow ends the list of those that a group is for.
    """
    return _parsed([record for record in records if record and record.field != CRAWL_DELAY], token)


def _delay_in(records: list[RobotsLine | None], token: str) -> float | None:
    """The delay for us. It applies to the names right above it: many name each with its own."""
    if not any(record and record.field == CRAWL_DELAY for record in records):
        return None
    return _sane_delay(_parsed([record for record in records if record], token).crawl_delay(token))


def _parsed(records: list[RobotsLine], token: str) -> Protego:
    return Protego.parse("\n".join(str(_readdressed(record, token)) for record in records))


def _readdressed(record: RobotsLine, token: str) -> RobotsLine:
    """A record, with the name of another crawler changed so that it cannot match ours.

    RFC 9309 §2.2.1: a group is ours if it names us, in any case, whatever version follows.
    Protego is content with the beginning of a name.
    """
    named = _AGENT.match(record.value) if record.field == USER_AGENT else None
    if named is None:
        return record
    name = named[0].lower()
    is_for_us = name == "*" or (token and name == token)
    # Longer than ours, so that ours cannot begin with it.
    return RobotsLine(USER_AGENT, name if is_for_us else f"not-{token}")


def _cut(text: str) -> str:
    """`text` without byte order mark, whole or half, up to the last whole line within the limit."""
    text = text.removeprefix("\ufeff").removeprefix("\ufffd")
    data = text.encode("utf-8", "replace")
    if len(data) > LIMIT_BYTES:
        # "Disallow: /private" cut after the slash would block the whole site.
        text = data[: data.rfind(b"\n", 0, LIMIT_BYTES) + 1].decode("utf-8", "replace")
    return text


def _sane_delay(delay_s: float | None) -> float | None:
    if not delay_s or delay_s > _NONSENSE_DELAY_S:
        return None
    return min(delay_s, MAX_CRAWL_DELAY_S)
