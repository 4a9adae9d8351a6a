"""Shows a page of the help, with pictures that fit and tables that can be read."""

from math import sqrt
from pathlib import Path
from typing import Final

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import (
    QFont,
    QImage,
    QTextBlock,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFrame,
    QTextFrameFormat,
    QTextLength,
    QTextTable,
)
from PySide6.QtWidgets import QFrame, QTextBrowser, QWidget

from gossamer.gui.help.help_pages import HelpPage, picture_of, slug
from gossamer.gui.look import theme

_CELL: Final = 5
_LEAST, _MOST = 8, 200
"""So many characters count for the width of a column."""
_MARGINS: Final = 2 * theme.SPACE_L + 24
"""Of the width is no room for a picture."""


class HelpView(QTextBrowser):
    """A page of the help. `pictures` is the folder of its pictures."""

    def __init__(self, pictures: Path, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._pictures = pictures
        self._page: HelpPage | None = None
        self.setAccessibleName(self.tr("Help topic"))
        self.setOpenLinks(False)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.document().setDocumentMargin(theme.SPACE_L)

    def show_page(self, page: HelpPage, fragment: str = "") -> None:
        """Show a page from its top, or from the heading that `fragment` names."""
        self._page = page
        if page.is_html:
            self.setHtml(page.text)
        else:
            self.document().setMarkdown(page.text)
            self._break_long_lines()
            for table in _tables(self.document().rootFrame()):
                _lay_out(table)
        self.moveCursor(QTextCursor.MoveOperation.Start)
        heading = self._heading(page.fragments.get(fragment, fragment)) if fragment else None
        if heading is not None:
            self.setTextCursor(QTextCursor(heading))
            top = self.document().documentLayout().blockBoundingRect(heading).top()
            self.verticalScrollBar().setValue(int(top))

    def loadResource(self, kind: int, name: QUrl | str) -> object:
        """A picture of the page, no wider than the window; nothing else is loaded."""
        if self._page is None or kind != QTextDocument.ResourceType.ImageResource.value:
            return None
        image = QImage(str(self._pictures / picture_of(self._page, QUrl(name).path())))
        room = max(self.width() - _MARGINS, 200)
        if image.width() <= room:
            return image
        ratio = self.devicePixelRatioF()
        smooth = Qt.TransformationMode.SmoothTransformation
        image = image.scaledToWidth(int(room * ratio), smooth)
        image.setDevicePixelRatio(ratio)
        return image

    def _break_long_lines(self) -> None:
        """Code is as wide as the page; headings stand apart from what is above them."""
        block = self.document().begin()
        while block.isValid():
            form = block.blockFormat()
            if form.nonBreakableLines() or form.headingLevel() > 1:
                form.setNonBreakableLines(False)
                if form.headingLevel() > 1:
                    form.setTopMargin(theme.SPACE_L)
                QTextCursor(block).setBlockFormat(form)
            block = block.next()

    def _heading(self, fragment: str) -> QTextBlock | None:
        block = self.document().begin()
        while block.isValid():
            if block.blockFormat().headingLevel() and slug(block.text()) == fragment:
                return block
            block = block.next()
        return None


def _tables(frame: QTextFrame) -> list[QTextTable]:
    return [each for each in frame.childFrames() if isinstance(each, QTextTable)]


def _lay_out(table: QTextTable) -> None:
    """Lines between the rows, room in the cells, and a head that stands out."""
    form = table.format()
    form.setBorder(1)
    form.setBorderStyle(QTextFrameFormat.BorderStyle.BorderStyle_Solid)
    form.setBorderBrush(theme.colour("border"))
    form.setBorderCollapse(True)
    form.setCellPadding(_CELL)
    form.setCellSpacing(0)
    form.setWidth(QTextLength(QTextLength.Type.PercentageLength, 100))
    form.setColumnWidthConstraints(_widths(table))
    table.setFormat(form)
    bold = QTextCharFormat()
    bold.setFontWeight(QFont.Weight.DemiBold)
    for column in range(table.columns()):
        cell = table.cellAt(0, column)
        cursor = cell.firstCursorPosition()
        end = cell.lastCursorPosition().position()
        cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
        cursor.mergeCharFormat(bold)


def _widths(table: QTextTable) -> list[QTextLength]:
    """The share of each column: more for one with more text, but enough for its words."""
    most = [
        max(len(_text(table, row, column)) for row in range(table.rows()))
        for column in range(table.columns())
    ]
    shares = [sqrt(min(max(each, _LEAST), _MOST)) for each in most]
    kind = QTextLength.Type.PercentageLength
    return [QTextLength(kind, 100 * share / sum(shares)) for share in shares]


def _text(table: QTextTable, row: int, column: int) -> str:
    return table.cellAt(row, column).firstCursorPosition().block().text()
