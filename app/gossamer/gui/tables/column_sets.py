"""Named sets of columns, for what people look at together."""

from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QCoreApplication

from gossamer.gui.text.formatting import QT_TRANSLATE_NOOP
from gossamer.model.project_queries import Column, View

_C = Column


@dataclass(frozen=True, slots=True)
class ColumnSet:
    """A name, and the columns that are shown of URLs and of links."""

    title: str
    columns: frozenset[Column]

    @property
    def name(self) -> str:
        """Its name, translated."""
        return QCoreApplication.translate("ColumnSet", self.title)


COLUMN_SETS: Final = (
    ColumnSet(
        QT_TRANSLATE_NOOP("ColumnSet", "Essentials"),
        frozenset(
            {
                *(_C.ADDRESS, _C.STATUS, _C.CONTENT_TYPE, _C.TITLE, _C.DEPTH, _C.INLINKS),
                *(_C.SOURCE, _C.TARGET, _C.ANCHOR, _C.KIND),
            }
        ),
    ),
    ColumnSet(
        QT_TRANSLATE_NOOP("ColumnSet", "SEO"),
        frozenset(
            {
                *(_C.ADDRESS, _C.STATUS, _C.TITLE, _C.H1, _C.DESCRIPTION, _C.CANONICAL),
                *(_C.LANGUAGE, _C.WORDS, _C.DEPTH, _C.INLINKS, _C.UNIQUE_INLINKS, _C.OUTLINKS),
                *(_C.SOURCE, _C.TARGET, _C.ANCHOR, _C.ACTION, _C.REL, _C.SOURCE_TITLE),
            }
        ),
    ),
    ColumnSet(
        QT_TRANSLATE_NOOP("ColumnSet", "Technical"),
        frozenset(
            {
                *(_C.ADDRESS, _C.STATUS, _C.OUTCOME, _C.REDIRECT, _C.CONTENT_TYPE, _C.SIZE),
                *(_C.TIME, _C.LAST_MODIFIED, _C.FETCHED_AT, _C.WARNINGS),
                *(_C.SOURCE, _C.TARGET, _C.KIND, _C.ACTION, _C.ELEMENT, _C.FRAGMENT, _C.POSITION),
            }
        ),
    ),
    ColumnSet(QT_TRANSLATE_NOOP("ColumnSet", "All columns"), View.ALL.columns | View.LINKS.columns),
)
