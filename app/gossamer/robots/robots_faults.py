"""Says, line by line, what crawlers may not understand in a robots.txt."""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from gossamer.model.translatable import Translatable, said
from gossamer.robots.robots_txt import (
    ALLOW,
    CRAWL_DELAY,
    DISALLOW,
    LIMIT_BYTES,
    SITEMAP,
    USER_AGENT,
    lines_of,
    record_of,
)

_MOST: Final = 1_000
_RULES: Final = frozenset({ALLOW, DISALLOW})
_OF_FEW: Final = frozenset(
    {
        *("host", "clean-param", "request-rate", "visit-time", "cache-delay"),
        *("content-signal", "content-usage", "noindex", "nofollow", "noarchive"),
    }
)
"""Fields that some crawlers know, or once knew."""
_WEB: Final = re.compile(r"https?://[^/\s]", re.IGNORECASE)


class RobotsFault(NamedTuple):
    """A fault of a line, counted from 1."""

    line: int
    sentence: Translatable
    is_error: bool
    """Whether the line does not do what it seems to."""


def robots_faults(text: str) -> list[RobotsFault]:
    """The faults of a robots.txt, in the order of its lines; on a long one, the first of them."""
    found: list[RobotsFault] = []
    if text.lstrip().startswith("<"):
        return [RobotsFault(1, said("This is HTML, not a robots.txt."), is_error=True)]
    size_bytes, has_group = 0, False
    for number, line in enumerate(lines_of(text), 1):
        size_bytes += len(line.encode("utf-8", "replace")) + 1
        if size_bytes > LIMIT_BYTES:
            sentence = said("Crawlers read 500 KiB: what follows is ignored.")
            found.append(RobotsFault(number, sentence, is_error=True))
            break
        record = record_of(line)
        has_group = has_group or (record is not None and record.field == USER_AGENT)
        for sentence, is_error in _faults_of(line, has_group=has_group):
            found.append(RobotsFault(number, sentence, is_error))
        if len(found) >= _MOST:
            break
    return found


def _faults_of(line: str, *, has_group: bool) -> Iterator[tuple[Translatable, bool]]:
    written = line.partition("#")[0].strip().removeprefix("\ufeff")
    if not written:
        return
    record = record_of(line)
    name, colon, _ = written.partition(":")
    name = name.strip()
    if record is None:
        yield _unknown(name, has_colon=bool(colon))
        return
    if not colon:
        yield said("A colon is missing after {field}.", field=record.field), False
    elif name.lower() != record.field:
        yield said("“{name}” is read as {field}.", name=name[:60], field=record.field), False
    if record.field in {*_RULES, CRAWL_DELAY} and not has_group:
        yield said("It comes before any User-agent line and is ignored."), True
    yield from _faults_of_value(record.field, record.value)


def _unknown(name: str, *, has_colon: bool) -> tuple[Translatable, bool]:
    if not has_colon:
        return said("This is not a record: a field, a colon and a value."), True
    if name.lower() in _OF_FEW:
        return said("Most crawlers ignore {name}.", name=name), False
    return said("There is no field “{name}”: crawlers ignore the line.", name=name[:60]), True


def _faults_of_value(field: str, value: str) -> Iterator[tuple[Translatable, bool]]:
    if field in _RULES:
        yield from _faults_of_path(value)
    elif field == USER_AGENT and not value:
        yield said("The name of a crawler is missing; * means all."), True
    elif field == SITEMAP and not _WEB.match(value):
        yield said("A sitemap needs a complete URL, with https://."), True
    elif field == CRAWL_DELAY and not _is_number(value):
        yield said("The delay is no number of seconds."), True


def _faults_of_path(value: str) -> Iterator[tuple[Translatable, bool]]:
    if not value:
        return  # an empty rule matches nothing, which is how everything is allowed
    if _WEB.match(value):
        yield said("A path is expected, not a URL: this matches nothing."), True
    elif value[0] not in "/*":
        yield said("A path begins with a slash: this may match nothing."), True
    if "$" in value[:-1]:
        yield said("$ means the end of a URL only as the last character."), False


def _is_number(value: str) -> bool:
    try:
        return float(value) >= 0
    except ValueError:
        return False
