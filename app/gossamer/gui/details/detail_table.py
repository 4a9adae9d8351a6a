"""Views of the lists about one URL: a table, and the redirect chain as painted steps."""

from collections.abc import Callable
from typing import Final, Generic, TypeVar

from PySide6.QtCore import (
    QModelIndex,
    QPersistentModelIndex,
    QPointF,
    QRect,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QPainter, QPen, QShowEvent
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from gossamer.gui.actions.view_actions import ViewAction, add_view_action
from gossamer.gui.context_menu.url_menu import IN_WORKSPACE, UrlActions, ViewSelection
from gossamer.gui.details import detail_lists
from gossamer.gui.details.detail_lists import DetailList, NumberedHop, step_words
from gossamer.gui.look import theme
from gossamer.gui.look.outcome_style import role
from gossamer.gui.project.reader_thread import ProjectReader
from gossamer.gui.tables.empty_state import EmptyStateLabel
from gossamer.gui.tables.link_actions import LinkActions
from gossamer.gui.tables.table_model import PagedModel
from gossamer.gui.tables.table_view import TableView
from gossamer.gui.text import local_formatting as formatting
from gossamer.model.fields.link_record import LinkRecord
from gossamer.urls.url_folders import display_url

T = TypeVar("T")


class DetailTable(TableView, Generic[T]):
    """A table of rows about one URL. Enter or a double click shows the URL of a row."""

    url_wanted = Signal(int)
    source_wanted = Signal(str, str)
    """The address of a page, and that of a link to show in its source."""

    def __init__(
        self,
        shown: DetailList[T],
        reader: ProjectReader,
        parent: QWidget | None = None,
        *,
        columns: bool = True,
        in_workspace: bool = True,
    ) -> None:
        """With `columns`, the user may choose which are shown.

        In the workspace, its other panels can show and render URLs.
        """
        super().__init__(parent)
        self.rows: PagedModel[T] = PagedModel(shown.kind, shown.read, reader, self)
        self.setModel(self.rows)
        self.set_columns(shown.kind.columns, shown.kind.filling)
        self.note = EmptyStateLabel(self)
        self.activated.connect(self._go)
        self._end = shown.end
        self._reader = reader
        self._has_columns, self._in_workspace = columns, in_workspace
        self._url_actions: UrlActions | None = None
        self._waiting: list[Callable[[DetailTable[T]], None]] = []

    @property
    def url_actions(self) -> UrlActions:
        """The actions of the context menu, made when the table is first shown or on request.

        The window has a dozen of these tables, and most are never shown.
        """
        if self._url_actions is None:
            self._url_actions = UrlActions(
                self,
                self._reader,
                ViewSelection(self._selected_urls),
                possible=lambda: bool(self._selected_urls()),
                without=frozenset() if self._in_workspace else IN_WORKSPACE,
            )
            self._complete(self._url_actions)
        return self._url_actions

    @property
    def about(self) -> int | None:
        """The URL that the list is about."""
        return self.rows.about

    def show_url(self, url_id: int | None) -> None:
        """Turn to another URL."""
        self.rows.show_url(url_id)

    def refresh(self) -> None:
        """Compare with the project file, and apply the changes."""
        self.rows.refresh()

    def when_complete(self, connect: Callable[["DetailTable[T]"], None]) -> None:
        """Call `connect` with this table once its context menu is made."""
        if self._url_actions is None:
            self._waiting.append(connect)
        else:
            connect(self)

    def showEvent(self, event: QShowEvent) -> None:
        """Make the context menu, whose shortcuts work from then on."""
        self.url_actions.update_enabled()
        super().showEvent(event)

    def _complete(self, actions: UrlActions) -> None:
        actions.url_wanted.connect(self.url_wanted)
        if self._end is not None:
            add_view_action(self, ViewAction.SHOW_IN_SOURCE, self._show_in_source)
            LinkActions(self, self._reader, self._urls_about, only=self._end)
        if self._has_columns:
            self.add_layout_actions()
        waiting, self._waiting = self._waiting, []
        for connect in waiting:
            connect(self)

    def _show_in_source(self) -> None:
        rows = self.selectionModel().selectedRows()
        link = self.rows.record(rows[0].row()) if rows else None
        if isinstance(link, LinkRecord):
            self.source_wanted.emit(link.source_url, link.target_url)

    def _urls_about(self) -> list[int]:
        return [] if self.rows.about is None else [self.rows.about]

    def _selected_urls(self) -> list[int]:
        urls = (self.rows.url_id(index.row()) for index in self.selectionModel().selectedRows())
        return [url_id for url_id in urls if url_id is not None]

    def _go(self, index: QModelIndex) -> None:
        url_id = self.rows.url_id(index.row())
        if url_id is not None:
            self.url_wanted.emit(url_id)


_BADGE: Final = 22
_RAIL: Final = 40
"""Room for the badges and the line between them."""
_ADDRESS: Final = 2
"""The column that the list paints; the others are for screen readers and copying."""

AnyIndex = QModelIndex | QPersistentModelIndex


class StepDelegate(QStyledItemDelegate):
    """Paints a redirect step: number badge, address and time, and the response below."""

    def __init__(self, view: "RedirectChainView") -> None:
        super().__init__(view)
        self._view = view

    def sizeHint(self, option: QStyleOptionViewItem, index: AnyIndex) -> QSize:
        """All steps are equally high."""
        del option, index
        return QSize(200, self._view.step_height())

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        """Paint one step."""
        step = self._view.rows.record(index.row())
        if step is None:
            return
        rect = option.rect
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(rect, theme.scheme().highlight)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._draw_rail(painter, rect, index.row(), step)
        self._draw_words(painter, rect, step)
        painter.restore()

    def _draw_rail(self, painter: QPainter, rect: QRect, row: int, step: NumberedHop) -> None:
        number, hop = step
        badge = QRectF(rect.left() + (_RAIL - _BADGE) / 2, rect.top() + 8, _BADGE, _BADGE)
        x = badge.center().x()
        painter.setPen(QPen(theme.colour("outline"), 1.5))
        if row:
            painter.drawLine(QPointF(x, rect.top()), QPointF(x, badge.top() - 2))
        if row < self._view.rows.rowCount() - 1:
            painter.drawLine(QPointF(x, badge.bottom() + 2), QPointF(x, rect.bottom() + 1))
        sign = theme.colour(role(hop.outcome, hop.status))
        painter.setPen(QPen(sign, 1.5))
        painter.setBrush(theme.scheme().base)
        painter.drawEllipse(badge)
        painter.drawText(badge, Qt.AlignmentFlag.AlignCenter, str(number))

    @staticmethod
    def _draw_words(painter: QPainter, rect: QRect, step: NumberedHop) -> None:
        hop = step[1]
        metrics = painter.fontMetrics()
        line = metrics.height()
        words = rect.adjusted(_RAIL + 4, 7, -theme.SPACE_M, 0)
        words.setHeight(line)
        time = "" if hop.elapsed_ms is None else formatting.duration(hop.elapsed_ms)
        room = words.width() - metrics.horizontalAdvance(time) - theme.SPACE_M
        address = formatting.clean(display_url(hop.url))
        painter.setPen(theme.colour("text"))
        painter.drawText(
            words,
            Qt.AlignmentFlag.AlignLeft,
            metrics.elidedText(address, Qt.TextElideMode.ElideMiddle, room),
        )
        painter.setPen(theme.colour("muted"))
        painter.drawText(words, Qt.AlignmentFlag.AlignRight, time)
        words.translate(0, line + 2)
        response, joining = step_words(step)
        painter.setPen(theme.colour(role(hop.outcome, hop.status)))
        painter.drawText(words, Qt.AlignmentFlag.AlignLeft, response)
        if joining:
            words.setLeft(words.left() + metrics.horizontalAdvance(response))
            painter.setPen(theme.colour("muted"))
            painter.drawText(
                words,
                Qt.AlignmentFlag.AlignLeft,
                metrics.elidedText(
                    f" · {joining}", Qt.TextElideMode.ElideRight, max(0, words.width())
                ),
            )


class RedirectChainView(DetailTable[NumberedHop]):
    """The steps of a redirect chain as a list. Enter or a double click shows a step's URL."""

    def __init__(self, reader: ProjectReader, parent: QWidget | None = None) -> None:
        super().__init__(detail_lists.chain(), reader, parent, columns=False)
        self.setItemDelegateForColumn(_ADDRESS, StepDelegate(self))
        for column in range(self.rows.columnCount()):
            self.setColumnHidden(column, column != _ADDRESS)
        self.horizontalHeader().hide()
        self.setAlternatingRowColors(False)
        self.verticalHeader().setDefaultSectionSize(self.step_height())

    def step_height(self) -> int:
        """The height of each step in pixels."""
        return 2 * self.fontMetrics().height() + 18
