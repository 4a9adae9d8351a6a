"""Declares the list of checked redirects: its columns, and the names of results."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from gossamer.audit.redirect_check import CheckedRedirect, RedirectResult
from gossamer.gui.details.detail_lists import DetailList
from gossamer.gui.look.outcome_style import label
from gossamer.gui.tables.row_kind import RowKind
from gossamer.gui.tables.table_columns import ColumnSpec
from gossamer.gui.text import local_formatting as formatting
from gossamer.gui.text.local_formatting import QT_TRANSLATE_NOOP, translator
from gossamer.urls.url_folders import display_url

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from gossamer.gui.project.reader_interfaces import ProjectRows

_tr = translator("RedirectList")

_RESULTS: Final[Mapping[RedirectResult, str]] = {
    RedirectResult.RIGHT: QT_TRANSLATE_NOOP("RedirectList", "Right"),
    RedirectResult.WRONG_TARGET: QT_TRANSLATE_NOOP("RedirectList", "Wrong target"),
    RedirectResult.NOT_REDIRECTED: QT_TRANSLATE_NOOP("RedirectList", "Not redirected"),
    RedirectResult.BROKEN: QT_TRANSLATE_NOOP("RedirectList", "Broken"),
    RedirectResult.NOT_CHECKED: QT_TRANSLATE_NOOP("RedirectList", "Not checked"),
}
_SIGNS: Final = {RedirectResult.RIGHT: "✓", RedirectResult.NOT_CHECKED: "?"}
_WRONG: Final = "✕"


class ListedRedirect(NamedTuple):
    """A checked redirect and its position in the list, from 0."""

    position: int
    checked: CheckedRedirect


def result_name(result: RedirectResult) -> str:
    """The name of a result."""
    return _tr(_RESULTS[result])


def checked_redirects(
    listed: Callable[[], Sequence[CheckedRedirect]],
) -> DetailList[ListedRedirect]:
    """The list of `listed`, which may grow meanwhile. A row leads to its old address."""

    def read(
        _rows: ProjectRows, _about: int, last: ListedRedirect | None, limit: int
    ) -> list[ListedRedirect]:
        start = last.position + 1 if last else 0
        shown = listed()[start : start + limit]
        return [ListedRedirect(start + position, each) for position, each in enumerate(shown)]

    return DetailList(
        kind=RowKind(
            columns=(
                _address(QT_TRANSLATE_NOOP("Column", "Old address"), lambda x: x.expected.old),
                ColumnSpec(None, QT_TRANSLATE_NOOP("Column", "Result"), 17, _result),
                ColumnSpec(None, QT_TRANSLATE_NOOP("Column", "Status code"), 12, _status),
                ColumnSpec(
                    None,
                    QT_TRANSLATE_NOOP("Column", "Redirects"),
                    11,
                    lambda each: formatting.number(each.checked.redirects),
                    numeric=True,
                ),
                _address(QT_TRANSLATE_NOOP("Column", "Leads to"), _end),
                _address(QT_TRANSLATE_NOOP("Column", "Should lead to"), lambda x: x.expected.new),
                ColumnSpec(None, QT_TRANSLATE_NOOP("Column", "Outcome"), 22, _outcome),
            ),
            url_id=lambda each: each.checked.chain[0].id if each.checked.chain else None,
        ),
        read=read,
    )


def _address(title: str, text: Callable[[CheckedRedirect], str]) -> ColumnSpec:
    def shown(each: ListedRedirect) -> str:
        url = text(each.checked)
        return formatting.clean(display_url(url)) if url else ""

    return ColumnSpec(None, title, 30, shown, address=True)


def _result(each: ListedRedirect) -> str:
    result = each.checked.result
    return f"{_SIGNS.get(result, _WRONG)} {result_name(result)}"


def _status(each: ListedRedirect) -> str:
    chain = each.checked.chain
    return str(chain[0].status) if chain and chain[0].status else ""


def _end(each: CheckedRedirect) -> str:
    """The target of the redirects; "" without one."""
    return each.chain[-1].url if each.redirects and not each.chain[-1].repeats else ""


def _outcome(each: ListedRedirect) -> str:
    """The outcome of the last URL of the chain."""
    chain = each.checked.chain
    return label(chain[-1].outcome) if chain else _tr("not in this crawl")
