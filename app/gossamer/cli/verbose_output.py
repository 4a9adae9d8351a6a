"""What --verbose adds on standard error: the settings before a crawl, the errors after it."""

import json
from typing import Final

from gossamer.cli.crawl_summary import status_phrase
from gossamer.cli.terminal import printable, remark
from gossamer.model.fields.url_record import UrlRecord
from gossamer.model.outcome import sentence_of
from gossamer.model.project_queries import View
from gossamer.model.settings.crawl_settings import CrawlSettings, encode_settings
from gossamer.store.reading.reader import Reader

_SHOWN: Final = 30
"""Of the values of a setting: a list of addresses may have thousands."""


def list_settings(settings: CrawlSettings) -> None:
    """A line for each setting."""
    for line in settings_lines(settings):
        remark(line)


def list_errors(reader: Reader) -> None:
    """A line for each URL that did not work."""
    for record in reader.iterate(View.ERRORS):
        found_on = [] if record.parent is None else reader.nodes([record.parent])
        remark(error_line(record, found_on[0].url if found_on else None))


def settings_lines(settings: CrawlSettings) -> list[str]:
    """The settings with their names as in docs/settings.md, aligned."""
    values: dict[str, object] = json.loads(encode_settings(settings))
    values["needs_secrets"] = [str(names) for names in settings.needs_secrets]
    values["turns"] = [str(turn) for turn in settings.turns]
    width = max(len(name) for name in values)
    return [f"  {name:{width}}  {_value_text(value)}" for name, value in values.items()]


def error_line(record: UrlRecord, found_on: str | None) -> str:
    """What is wrong with a URL, and where it was first found."""
    status = f"{record.status} {status_phrase(record.status)}: " if record.status else ""
    detail = f" ({record.detail})" if record.detail else ""
    place = f", found on {found_on}" if found_on else ""
    return f"{record.url}{place}: {status}{sentence_of(record.outcome, record.status)}{detail}"


def _value_text(value: object) -> str:
    match value:
        case None:
            return "none"
        case bool():
            return "on" if value else "off"
        case list():
            # Of a header the name alone: its value may be a password, and this goes into logs.
            parts = [str(part[0]) if isinstance(part, list) else str(part) for part in value]
            more = [f"and {len(parts) - _SHOWN:,} more"] if len(parts) > _SHOWN else []
            return printable(", ".join([*parts[:_SHOWN], *more])) or "none"
        case _:
            return printable(str(value)) or "none"
