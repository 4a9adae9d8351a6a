"""Declares the list of what known crawlers may do with a URL, and the texts of its cells."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from gossamer.gui.details.detail_lists import DetailList
from gossamer.gui.tables.row_kind import RowKind
from gossamer.gui.tables.table_columns import ColumnSpec
from gossamer.gui.text import local_formatting as formatting
from gossamer.gui.text.local_formatting import QT_TRANSLATE_NOOP, translator
from gossamer.gui.text.translated_sentences import spoken
from gossamer.model.translatable import Translatable

if TYPE_CHECKING:
    from collections.abc import Callable

    from gossamer.audit.crawler_access import CrawlerAccess
    from gossamer.gui.project.reader_interfaces import ProjectRows

_tr = translator("AccessList")
_HEADER: Final = "X-Robots-Tag"


def crawler_matrix(
    address_of: Callable[[ProjectRows, int], str | None],
) -> DetailList[CrawlerAccess]:
    """What each crawler may do with a URL, which `address_of` finds by the subject of the list."""

    def read(
        rows: ProjectRows, about: int, last: CrawlerAccess | None, limit: int
    ) -> list[CrawlerAccess]:
        from gossamer.audit.url_access import url_access  # noqa: PLC0415 - the start does without

        del limit
        url = None if last else address_of(rows, about)
        return [] if url is None else url_access(rows, url) or []

    text = text_column
    return DetailList(
        kind=RowKind(
            columns=(
                text(QT_TRANSLATE_NOOP("Column", "Crawler"), 21, lambda each: each.crawler.name),
                text(QT_TRANSLATE_NOOP("Column", "Operator"), 14, lambda x: x.crawler.operator),
                text(QT_TRANSLATE_NOOP("Column", "Purpose"), 14, _purpose),
                text(QT_TRANSLATE_NOOP("Column", "Result"), 16, access_words),
                text("robots.txt", 13, lambda each: verdict_text(allowed=each.may_fetch)),
                text(QT_TRANSLATE_NOOP("Column", "Deciding line"), 30, lambda x: line_text(x.line)),
                text(QT_TRANSLATE_NOOP("Column", "Meta robots"), 16, _meta),
                text(_HEADER, 18, _in_header),
            ),
            filling=5,
        ),
        read=read,
    )


def line_text(line: tuple[int, str] | None) -> str:
    """Number and text of a line; "" for none."""
    return "" if line is None else f"{line[0]}: {line[1]}"


def verdict_text(*, allowed: bool) -> str:
    """Whether robots.txt allows a URL, in words."""
    return f"✓ {_tr('allowed')}" if allowed else f"✕ {_tr('disallowed')}"


def text_column(title: str, width: int, text: Callable[[Any], str]) -> ColumnSpec:
    """A column of text from the web."""
    return ColumnSpec(None, title, width, lambda record: formatting.clean(text(record)))


def access_words(each: CrawlerAccess) -> str:
    """The result of robots.txt and the page together."""
    if not each.may_fetch:
        return f"✕ {_tr('may not fetch')}"
    return f"✓ {_tr('may use')}" if each.may_use else f"✕ {_tr('may not use')}"


def _purpose(each: CrawlerAccess) -> str:
    return spoken(Translatable(str(each.crawler.purpose)))


def _meta(each: CrawlerAccess) -> str:
    return "" if each.directive.startswith(_HEADER) else each.directive


def _in_header(each: CrawlerAccess) -> str:
    is_header = each.directive.startswith(_HEADER)
    return each.directive.partition(": ")[2] if is_header else ""
