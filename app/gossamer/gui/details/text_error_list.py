"""Declares the list of spelling and grammar errors in a page."""

from collections.abc import Callable

from gossamer.gui.details.detail_lists import DetailList
from gossamer.gui.proofreading.error_tables import error_kind_name
from gossamer.gui.tables.row_kind import RowKind
from gossamer.gui.tables.table_columns import ColumnSpec
from gossamer.gui.text import local_formatting as formatting
from gossamer.gui.text.local_formatting import QT_TRANSLATE_NOOP
from gossamer.gui.text.translated_sentences import listed
from gossamer.model.text_errors import TextError


def text_errors() -> DetailList[TextError]:
    """The errors in a page, in order."""
    return DetailList(
        kind=RowKind(
            columns=(
                _text(QT_TRANSLATE_NOOP("Column", "Error"), 24, lambda each: each.text),
                _text(
                    QT_TRANSLATE_NOOP("Column", "Type"), 12, lambda each: error_kind_name(each.kind)
                ),
                ColumnSpec(
                    None,
                    QT_TRANSLATE_NOOP("Column", "Occurrences"),
                    13,
                    lambda each: formatting.number(each.count),
                    numeric=True,
                ),
                _text(QT_TRANSLATE_NOOP("Column", "Context"), 50, lambda each: each.context),
                _text(
                    QT_TRANSLATE_NOOP("Column", "Suggestions"),
                    24,
                    lambda each: listed(each.suggestions),
                ),
                _text(QT_TRANSLATE_NOOP("Column", "Note"), 40, lambda each: each.message),
            ),
            filling=3,
        ),
        read=lambda rows, url_id, last, _: [] if last else rows.text_errors_of(url_id),
    )


def _text(title: str, width: int, text: Callable[[TextError], str]) -> ColumnSpec:
    return ColumnSpec(None, title, width, lambda each: formatting.clean(text(each)))
