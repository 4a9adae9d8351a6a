"""Named sets of columns, for what people look at together."""

from typing import Final

from PySide6.QtCore import QCoreApplication

from gossamer.gui.text.formatting import QT_TRANSLATE_NOOP
from gossamer.model.fields import ColumnSet
from gossamer.model.link_record import LINK_COLUMNS
from gossamer.model.project_queries import Column
from gossamer.model.url_record import URL_COLUMNS

_NAMES: Final = {
    ColumnSet.ESSENTIALS: QT_TRANSLATE_NOOP("ColumnSet", "Essentials"),
    ColumnSet.SEO: QT_TRANSLATE_NOOP("ColumnSet", "SEO"),
    ColumnSet.TECHNICAL: QT_TRANSLATE_NOOP("ColumnSet", "Technical"),
    None: QT_TRANSLATE_NOOP("ColumnSet", "All columns"),
}


def column_sets() -> list[tuple[str, frozenset[Column]]]:
    """The name of each set, translated, and the columns that it shows of URLs and of links."""
    return [
        (
            QCoreApplication.translate("ColumnSet", name),
            frozenset(
                each.column
                for each in (*URL_COLUMNS, *LINK_COLUMNS)
                if column_set is None or column_set in each.field.sets
            ),
        )
        for column_set, name in _NAMES.items()
    ]
