"""Declares the lists of the dialog on crawlers: links of llms.txt, and changed verdicts."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from gossamer.gui.details.crawler_list import line_text, text_column, verdict_text
from gossamer.gui.details.detail_lists import DetailList
from gossamer.gui.tables.row_kind import RowKind, UrlOutcome
from gossamer.gui.tables.table_columns import ColumnSpec
from gossamer.gui.text import local_formatting as formatting
from gossamer.gui.text.local_formatting import QT_TRANSLATE_NOOP, translator
from gossamer.urls.url_folders import display_url

if TYPE_CHECKING:
    from collections.abc import Callable

    from gossamer.audit.llms_txt import CheckedLink
    from gossamer.gui.project.reader_interfaces import ProjectRows
    from gossamer.robots.robots_trial import RobotsChange, RobotsVerdict

_tr = translator("AccessList")


class ChangedUrl(NamedTuple):
    """A URL whose access an edited robots.txt changes: its index in the list, and its id."""

    place: int
    url_id: int
    change: RobotsChange


def llms_links(
    links_of: Callable[[ProjectRows, int], list[CheckedLink]],
) -> DetailList[CheckedLink]:
    """The links of an llms.txt. A row leads to its target."""
    text = text_column
    return DetailList(
        kind=RowKind(
            columns=(
                text(QT_TRANSLATE_NOOP("Column", "Section"), 18, lambda each: each.link.section),
                text(QT_TRANSLATE_NOOP("Column", "Text"), 24, lambda each: each.link.text),
                ColumnSpec(
                    None,
                    QT_TRANSLATE_NOOP("Column", "Address"),
                    40,
                    lambda each: formatting.clean(display_url(each.link.url)),
                    address=True,
                ),
                text(QT_TRANSLATE_NOOP("Column", "Status code"), 12, _status),
                text(QT_TRANSLATE_NOOP("Column", "Target"), 22, _target),
            ),
            url_id=lambda each: each.record.id if each.record else None,
            outcome=lambda each: (
                UrlOutcome(each.record.id, each.record.outcome, each.record.status)
                if each.record
                else None
            ),
            filling=2,
        ),
        read=lambda rows, about, last, _: [] if last else links_of(rows, about),
    )


def changed_urls(changes: Callable[[], list[ChangedUrl]]) -> DetailList[ChangedUrl]:
    """URLs whose access an edited robots.txt changes; `changes` may grow meanwhile."""

    def read(
        _rows: ProjectRows, _about: int, last: ChangedUrl | None, limit: int
    ) -> list[ChangedUrl]:
        start = last.place + 1 if last else 0
        return changes()[start : start + limit]

    text = text_column
    return DetailList(
        kind=RowKind(
            columns=(
                ColumnSpec(
                    None,
                    QT_TRANSLATE_NOOP("Column", "Address"),
                    40,
                    lambda each: formatting.clean(display_url(each.change.url)),
                    address=True,
                ),
                text(QT_TRANSLATE_NOOP("Column", "Before"), 13, lambda x: _words(x.change.before)),
                text(QT_TRANSLATE_NOOP("Column", "After"), 13, lambda x: _words(x.change.after)),
                text(
                    QT_TRANSLATE_NOOP("Column", "Deciding line before"),
                    26,
                    lambda each: line_text(each.change.before.line),
                ),
                text(
                    QT_TRANSLATE_NOOP("Column", "Deciding line after"),
                    26,
                    lambda each: line_text(each.change.after.line),
                ),
            ),
            url_id=lambda each: each.url_id,
        ),
        read=read,
    )


def verdict_words(verdict: RobotsVerdict) -> str:
    """A verdict, and the line that decides."""
    words = _words(verdict)
    return f"{words} · {line_text(verdict.line)}" if verdict.line else words


def _words(verdict: RobotsVerdict) -> str:
    return verdict_text(allowed=verdict.allowed)


def _status(each: CheckedLink) -> str:
    return str(each.record.status) if each.record and each.record.status else ""


def _target(each: CheckedLink) -> str:
    if each.record is None:
        return _tr("not crawled")
    if each.is_broken:
        return f"✕ {_tr('broken')}"
    return f"✕ {_tr('not indexable')}" if each.is_not_indexable else f"✓ {_tr('good')}"
