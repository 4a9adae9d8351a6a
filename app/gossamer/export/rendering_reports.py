"""The reports on rendered pages: resources that were blocked, and messages on the console."""

from collections.abc import Iterator
from typing import Final

from gossamer.export.export_selection import Check, ExportSelection, ExportView
from gossamer.export.sheet import Row, Sheet
from gossamer.export.url_views import size_of
from gossamer.model.project_queries import View
from gossamer.store.reading.reader import Reader

_BLOCKED: Final = ("Address", "Blocked Resource", "Type", "Blocked By")
_CONSOLE: Final = ("Address", "Level", "Message", "Source", "Line")


def _blocked(reader: Reader, _selection: ExportSelection, check: Check) -> Sheet:
    return Sheet(_BLOCKED, _blocked_rows(reader, check), size_of(reader, View.PAGES))


def _blocked_rows(reader: Reader, check: Check) -> Iterator[Row]:
    for url, resources in reader.blocked_resources():
        check()
        yield from ((url, each.url, each.type, each.blocked_by) for each in resources)


def _console(reader: Reader, _selection: ExportSelection, check: Check) -> Sheet:
    return Sheet(_CONSOLE, _console_rows(reader, check), size_of(reader, View.PAGES))


def _console_rows(reader: Reader, check: Check) -> Iterator[Row]:
    for url, messages in reader.console_messages():
        check()
        for each in messages:
            level = "Error" if each.is_error else "Warning"
            yield (url, level, each.text, each.source or None, each.line or None)


BLOCKED_RESOURCES: Final = ExportView("blocked_resources", "Pages with blocked resources", _blocked)
JAVASCRIPT_CONSOLE: Final = ExportView("javascript_console", "JavaScript console log", _console)
