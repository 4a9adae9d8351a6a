"""Paints a text on one line with some of its parts marked, and brings the first into sight."""

from typing import Final

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, Qt
from PySide6.QtGui import QFont, QFontMetrics, QPainter, QPalette, QTextCharFormat, QTextLayout
from PySide6.QtWidgets import QStyle, QStyleOptionViewItem

from gossamer.gui.tables.item_roles import MARKED
from gossamer.gui.tables.table_view import PaddedDelegate
from gossamer.gui.text.qt_positions import to_qt
from gossamer.model.search_excerpts import Excerpt

_ELLIPSIS: Final = "… "
_AHEAD: Final = 3
"""If the first mark would be out of sight, it begins in the first third of the line."""


def in_sight(found: Excerpt, metrics: QFontMetrics, width: int) -> Excerpt:
    """The part of a text that is shown in `width` pixels: its beginning, or its first mark.

    It begins with a word.
    """
    text, marks = found
    if not marks or metrics.horizontalAdvance(text[: marks[0][1]]) <= width:
        return found
    first = marks[0][0]
    start = first
    while start and metrics.horizontalAdvance(text[start - 1 : first]) < width // _AHEAD:
        start -= 1
    if start and (space := text.find(" ", start, first)) >= 0:
        start = space + 1
    shift = len(_ELLIPSIS) - start
    return Excerpt(
        f"{_ELLIPSIS}{text[start:]}",
        [(at + shift, end + shift) for at, end in marks if at >= start],
    )


def cut(shown: Excerpt, font: QFont, width: int) -> Excerpt:
    """The part of a text that fits into `width` pixels, with an ellipsis; marks are wider."""
    metrics, bold = QFontMetrics(font), QFont(font)
    bold.setBold(True)
    wider = QFontMetrics(bold).horizontalAdvance
    parts = [shown.text[start:end] for start, end in shown.marks]
    more = sum(wider(part) - metrics.horizontalAdvance(part) for part in parts)
    return shown._replace(
        text=metrics.elidedText(shown.text, Qt.TextElideMode.ElideRight, max(width - more, 0))
    )


def formats(shown: Excerpt) -> list[QTextLayout.FormatRange]:
    """The look of marked parts: bold, which is visible in all colours, also in selected rows."""
    style = QTextCharFormat()
    style.setFontWeight(QFont.Weight.Bold)
    made = []
    for mark in shown.marks:
        start, end = (to_qt(shown.text, position) for position in mark)
        each = QTextLayout.FormatRange()
        each.start, each.length, each.format = start, end - start, style
        made.append(each)
    return made


class MarkedDelegate(PaddedDelegate):
    """Paints cells of a column that has marks."""

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        """Paint the background as in any cell, then the text."""
        found = index.data(MARKED)
        self.initStyleOption(option, index)
        text, option.text = option.text, ""
        style = option.widget.style()
        style.drawControl(QStyle.ControlElement.CE_ItemViewItem, option, painter, option.widget)
        margin = style.pixelMetric(QStyle.PixelMetric.PM_FocusFrameHMargin) + 1
        room = option.rect.adjusted(margin, 0, -margin, 0)
        if not isinstance(found, Excerpt):
            found = Excerpt(text, [])
        shown = cut(in_sight(found, option.fontMetrics, room.width()), option.font, room.width())
        is_selected = bool(option.state & QStyle.StateFlag.State_Selected)
        role = QPalette.ColorRole.HighlightedText if is_selected else QPalette.ColorRole.Text
        painter.save()
        painter.setClipRect(room)
        painter.setPen(option.palette.color(role))
        layout = QTextLayout(shown.text, option.font)
        layout.setFormats(formats(shown))
        layout.beginLayout()
        line = layout.createLine()
        line.setNumColumns(to_qt(shown.text, len(shown.text)))
        layout.endLayout()
        top = room.top() + (room.height() - line.height()) / 2
        layout.draw(painter, QPointF(room.left(), top))
        painter.restore()
