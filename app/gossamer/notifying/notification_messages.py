"""The contents of a message: the conditions that hold for each crawl. Written in several forms."""

from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from html import escape
from typing import Any, Final

import msgspec
from msgspec import Struct

from gossamer import __version__
from gossamer.model.number_format import number
from gossamer.model.text_cleaning import one_line
from gossamer.model.translatable import Translatable, said

MESSAGE_VERSION: Final = 1
"""Of the JSON for webhooks and commands; docs/notifications.md describes it."""
MAX_CRAWLS: Final = 20
"""Crawls that one message is about, if several have ended while it waited."""
_MAX_TITLE: Final = 120
_MAX_DESKTOP: Final = 400
_MAX_SENTENCE: Final = 500
Translate = Callable[[str], str]
"""A template of a sentence in the language of the message."""


class ToldCondition(Struct, frozen=True):
    """A condition that holds: see `ConditionFinding`."""

    condition: str
    sentence: Translatable
    items: tuple[Translatable, ...] = ()
    count: int = 0


class CrawlDigest(Struct, frozen=True):
    """What there is to report about one crawl. Times are Unix times."""

    site: str
    project: str
    series: str
    started_at: float
    ended_at: float
    ending: str
    urls: int
    pages: int
    errors: int
    conditions: tuple[ToldCondition, ...]


class Message(Struct, frozen=True):
    """A message as a channel delivers it. `id` is the same each time it is tried."""

    id: str
    created_at: float
    crawls: tuple[CrawlDigest, ...]
    omitted: int = 0
    """Crawls beyond MAX_CRAWLS."""
    rules: tuple[str, ...] = ()
    """The names of the rules that require it."""


def title_of(message: Message, translate: Translate = str) -> str:
    """One line that summarises it; safe in a header."""
    sites = list(dict.fromkeys(one_line(each.site, _MAX_TITLE) for each in message.crawls))
    first = message.crawls[0].conditions[0]
    told = sum(len(each.conditions) for each in message.crawls)
    what = first.sentence.translated(translate)
    if told > 1:
        what = said("{first} (and {count} more)", first=what, count=told - 1).translated(translate)
    where = sites[0] if len(sites) == 1 else f"{sites[0]} (+{len(sites) - 1})"
    return one_line(f"{where}: {what}", 2 * _MAX_TITLE)


def text_of(message: Message, translate: Translate = str) -> str:
    """All of it as plain text."""
    return "\n".join(_lines(message, translate)) + "\n"


def brief_text_of(message: Message, translate: Translate = str) -> str:
    """A line for each condition, for a desktop."""
    lines = [_counted(each, translate) for crawl in message.crawls for each in crawl.conditions]
    return _cut("\n".join(lines), _MAX_DESKTOP)


def html_of(message: Message, translate: Translate = str) -> str:
    """All of it as an HTML page that loads nothing."""
    parts = ["<!DOCTYPE html><html><head><meta charset=utf-8><title>"]
    parts.append(f"{escape(title_of(message, translate))}</title></head><body>")
    for crawl in message.crawls:
        parts.append(f"<h2>{escape(one_line(crawl.site))}</h2>")
        for each in crawl.conditions:
            parts.append(f"<h3>{escape(_counted(each, translate))}</h3>")
            if each.items:
                parts.append("<ul>")
                parts += [f"<li>{escape(line)}</li>" for line in _items(each, translate)]
                parts.append("</ul>")
        parts.append(f"<p>{escape(_summary(crawl, translate))}</p>")
    return "".join([*parts, *_omitted(message, translate), "</body></html>\n"])


def json_of(message: Message) -> bytes:
    """The JSON for webhooks and commands, in English."""
    return msgspec.json.encode(
        {
            "version": MESSAGE_VERSION,
            "id": message.id,
            "created_at": _moment(message.created_at),
            "program": f"Gossamer {__version__}",
            "title": title_of(message),
            "crawls": [_object_of(each) for each in message.crawls],
            "omitted_crawls": message.omitted,
        }
    )


def _object_of(crawl: CrawlDigest) -> dict[str, Any]:
    return {
        "site": crawl.site,
        "project": crawl.project,
        "series": crawl.series,
        "started_at": _moment(crawl.started_at),
        "ended_at": _moment(crawl.ended_at),
        "ending": crawl.ending,
        "urls": crawl.urls,
        "pages": crawl.pages,
        "errors": crawl.errors,
        "conditions": [
            {
                "condition": each.condition,
                "text": str(each.sentence),
                "count": each.count,
                "items": [_line(item, str) for item in each.items],
            }
            for each in crawl.conditions
        ],
    }


def _lines(message: Message, translate: Translate) -> Iterator[str]:
    for crawl in message.crawls:
        yield one_line(crawl.site)
        for each in crawl.conditions:
            yield ""
            yield _counted(each, translate)
            yield from (f"  {line}" for line in _items(each, translate))
        yield from ("", _summary(crawl, translate), "")
    yield from _omitted(message, translate)
    yield "-- "
    yield "Gossamer"


def _counted(told: ToldCondition, translate: Translate) -> str:
    what = one_line(told.sentence.translated(translate), _MAX_SENTENCE)
    return f"{what}: {number(told.count)}" if told.items and told.count > 1 else what


def _items(told: ToldCondition, translate: Translate) -> Iterator[str]:
    yield from (_line(each, translate) for each in told.items)
    if told.count > len(told.items):
        yield said("… and {count} more", count=number(told.count - len(told.items))).translated(
            translate
        )


def _line(item: Translatable, translate: Translate) -> str:
    return one_line(item.translated(translate), _MAX_SENTENCE)


def _summary(crawl: CrawlDigest, translate: Translate) -> str:
    return said(
        "URLs: {urls}, pages: {pages}, errors: {errors}. Project: {project}",
        urls=number(crawl.urls),
        pages=number(crawl.pages),
        errors=number(crawl.errors),
        project=one_line(crawl.project, 1000),
    ).translated(translate)


def _omitted(message: Message, translate: Translate) -> Sequence[str]:
    if not message.omitted:
        return ()
    return (
        said("Crawls that are left out here: {count}", count=message.omitted).translated(translate),
    )


def _cut(text: str, limit: int) -> str:
    return text if len(text) <= limit else f"{text[: limit - 1]}…"


def _moment(unix_s: float) -> str:
    return datetime.fromtimestamp(unix_s, UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
