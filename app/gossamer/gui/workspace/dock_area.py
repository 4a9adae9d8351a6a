"""Arranges the docks around the table: shows, hides, saves and restores their layout."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from PySide6.QtCore import QByteArray, QRect, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QHideEvent, QPainter, QPaintEvent, QShowEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QMainWindow,
    QSizePolicy,
    QTabBar,
    QTabWidget,
    QToolButton,
    QWidget,
)

from gossamer.gui.actions.window_actions import WindowAction
from gossamer.gui.look import theme
from gossamer.gui.look.icons import icon
from gossamer.gui.look.theme import UNLIMITED
from gossamer.gui.workspace.dock_panels import Panel, PanelDock

_BUTTON_WIDTH: Final = 34
"""The width of the button that shows hidden panels."""
STATE_VERSION: Final = 1
_ICON: Final = 16
_WIDEST: Final = 280
_NARROW: Final = 200
"""The minimum width of trees and overview, as long as nobody chooses another."""
_TREE_SHARE: Final = 0.2
_SIDE_SHARE: Final = 0.27
_IN_FLIGHT_SHARE: Final = 0.29
_DETAILS_HEIGHT: Final = 240
_TABLE_HEIGHT: Final = 244
"""Of the table with its tabs, filter, heading, three rows and counts, and a message below: the
details leave that."""
_IDLE_HEIGHT: Final = 66
"""Of requests in flight when there can be none: the heading, and a line that says so."""


class ShowPanelsButton(QToolButton):
    """A vertical button at the window's edge that shows hidden panels again."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setText(name)
        self.setAccessibleName(name)
        self.setToolTip(self.tr("Show {name} (Ctrl+3)").format(name=name))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Expanding)

    def sizeHint(self) -> QSize:
        """As narrow as can be."""
        return QSize(_BUTTON_WIDTH, 2 * _BUTTON_WIDTH)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the icon, and below it the name."""
        del event
        lit = self.underMouse() or self.hasFocus()
        with QPainter(self) as painter:
            painter.fillRect(0, 0, 1, self.height(), theme.colour("border"))
            if lit:
                painter.fillRect(self.rect(), theme.colour("track"))
            if self.hasFocus():
                painter.setPen(theme.colour("accent"))
                painter.drawRect(self.rect().adjusted(0, 0, -1, -1))
            sign = QRect((self.width() - _ICON) // 2, theme.SPACE_M, _ICON, _ICON)
            icon("panel").paint(painter, sign)
            painter.setPen(theme.colour("text" if lit else "muted"))
            top = theme.SPACE_M + _ICON + theme.SPACE_M
            painter.translate(self.width(), top)
            painter.rotate(90)
            box = QRect(0, 0, self.height() - top, self.width())
            sides = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
            painter.drawText(box, sides, self.text())


class DockArea(QMainWindow):
    """The central `table` with a dock for each panel in `contents`.

    `shown_changed` carries an action that shows and hides panels, and whether any of them is shown;
    `show_wanted` what the user has chosen.
    """

    shown_changed = Signal(object, bool)
    show_wanted = Signal(object, bool)

    def __init__(
        self, table: QWidget, contents: Mapping[Panel, QWidget], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent, Qt.WindowType.Widget)
        self.setObjectName("docks")
        options = QMainWindow.DockOption
        self.setDockOptions(options.AllowNestedDocks | options.AllowTabbedDocks)
        self.setDocumentMode(True)
        self.setTabPosition(Qt.DockWidgetArea.AllDockWidgetAreas, QTabWidget.TabPosition.North)
        for corner, area in (
            (Qt.Corner.BottomLeftCorner, Qt.DockWidgetArea.LeftDockWidgetArea),
            (Qt.Corner.BottomRightCorner, Qt.DockWidgetArea.RightDockWidgetArea),
        ):
            self.setCorner(corner, area)
        self.show_panels_button = ShowPanelsButton(self.tr("Overview and in flight"))
        self.show_panels_button.clicked.connect(
            lambda: self.show_wanted.emit(WindowAction.SIDE, True)
        )
        self.show_panels_button.hide()
        self._table = table
        self._centre(table)
        buttons = {Panel.OVERVIEW: [self._fold_button()]}
        self.docks = {
            panel: PanelDock(panel, content, *buttons.get(panel, ()), parent=self)
            for panel, content in contents.items()
        }
        for panel, dock in self.docks.items():
            self.addDockWidget(panel.value.area, dock)
            dock.visibilityChanged.connect(self._tell_shown)
            dock.dockLocationChanged.connect(self._update_headings_soon)
            dock.topLevelChanged.connect(self._update_headings_soon)
        self.docks[Panel.OVERVIEW].visibilityChanged.connect(self._update_headings_soon)
        self.tabifyDockWidget(self.docks[Panel.DISCOVERY], self.docks[Panel.FOLDERS])
        self.docks[Panel.DISCOVERY].raise_()
        self._width: int | None = None
        """The width that the columns share when they are first shown."""
        self._side_width = _WIDEST
        self._details_height = _DETAILS_HEIGHT
        self._is_idle = False
        self._in_flight_height = 0
        """The height of requests in flight when there last could be some; 0 for their share."""
        self._was_seen = False
        self._shown: dict[WindowAction, bool] = {}
        self._floating: list[PanelDock] = []
        self._default = self.saveState(STATE_VERSION)

    def parts(self) -> list[QWidget]:
        """What has a position of its own: the table, the docks, and the tabs of docks."""
        return [self._table, self.show_panels_button, *self.docks.values(), *self._tab_bars()]

    def is_shown(self, action: WindowAction) -> bool:
        """Whether any of the panels that an action shows and hides is shown."""
        return any(not dock.isHidden() for dock in self._of(action))

    def show_panels(self, action: WindowAction, *, shown: bool) -> None:
        """Show or hide the panels of an action, without losing the keyboard focus."""
        docks = self._of(action)
        focused = self.focusWidget()
        taker: QWidget | None = None
        if action is WindowAction.SIDE and shown and self.show_panels_button.hasFocus():
            taker = self.docks[Panel.OVERVIEW].content
        elif action is WindowAction.SIDE and not shown:
            self._side_width = max(dock.width() for dock in docks)
            if focused is not None and any(dock.isAncestorOf(focused) for dock in docks):
                taker = self.show_panels_button
        for dock in docks:
            dock.setVisible(shown)
        self._tell_shown()
        if shown and action is WindowAction.SIDE and self.isVisible():
            self._resize({Panel.OVERVIEW: self._side_width}, Qt.Orientation.Horizontal)
        if taker is not None:
            taker.setFocus(Qt.FocusReason.OtherFocusReason)

    def bring_to_front(self, panel: Panel) -> None:
        """Show a panel, in front of others in its tabs."""
        self.docks[panel].show()
        self.docks[panel].raise_()

    def open_details(self, *, opened: bool) -> None:
        """Give the details their room, or the table all of it except a row of tabs."""
        if not opened:
            self._details_height = self.docks[Panel.DETAILS].height()
        elif self.isVisible():
            self._resize_height()

    def set_idle(self, *, idle: bool) -> None:
        """Set whether no request can be in flight: then the overview above gets their room."""
        if idle is self._is_idle:
            return
        self._is_idle = idle
        dock = self.docks[Panel.IN_FLIGHT]
        if idle and dock.isVisible() and dock.height() > _IDLE_HEIGHT:
            self._in_flight_height = dock.height()
        self._fit_in_flight()

    def share_width(self, width: int) -> None:
        """Lay out the columns again for this width: the table gets at least half of it."""
        self._width = width
        if self.isVisible():
            self._share()

    def save(self) -> bytes:
        """The positions of the docks; b"" if they were never shown, and so have no sizes."""
        if not self._was_seen:
            return b""
        return bytes(self.saveState(STATE_VERSION).data())

    def restore(self, state: bytes) -> bool:
        """Put the docks where they were; False if the saved state is unusable."""
        return bool(state) and self.restoreState(QByteArray(state), STATE_VERSION)

    def reset(self) -> None:
        """Put every dock in its initial place, and show it."""
        self.restoreState(self._default, STATE_VERSION)
        for dock in self.docks.values():
            dock.show()
        self.docks[Panel.DISCOVERY].raise_()
        self._details_height = _DETAILS_HEIGHT
        self._in_flight_height = 0
        self.share_width(self.width())
        self._tell_shown()

    def showEvent(self, event: QShowEvent) -> None:
        """From now on docks have the sizes that are visible."""
        super().showEvent(event)
        is_first, self._was_seen = not self._was_seen, True
        if self._width is not None:
            self._share()
        for dock in self._floating:
            dock.show()
        QTimer.singleShot(0, self, self._show_floating_again if is_first else self._raise_floating)

    def _show_floating_again(self) -> None:
        """Have the window manager keep floating docks in front of the window.

        It does so only for those that it is told of after the window. A restored layout shows them
        before, so any click on the window would put it in front of them.
        """
        for dock in self.docks.values():
            if dock.isFloating() and dock.isVisible():
                dock.hide()
                dock.show()
        self._raise_floating()

    def _raise_floating(self) -> None:
        """Have floating docks in front: those shown before the window stay behind it otherwise."""
        for dock in self.docks.values():
            if dock.isFloating() and dock.isVisible():
                dock.raise_()

    def hideEvent(self, event: QHideEvent) -> None:
        """Floating docks are shown and hidden with the others."""
        super().hideEvent(event)
        self._floating = [
            dock for dock in self.docks.values() if dock.isFloating() and not dock.isHidden()
        ]
        for dock in self._floating:
            dock.hide()

    def _share(self) -> None:
        width, self._width = self._width or self.width(), None
        tree, side = (
            max(min(int(width * share), _WIDEST), _NARROW) for share in (_TREE_SHARE, _SIDE_SHARE)
        )
        self._side_width = side
        self._resize({Panel.DISCOVERY: tree, Panel.OVERVIEW: side}, Qt.Orientation.Horizontal)
        lower = int(self.height() * _IN_FLIGHT_SHARE)
        self._resize_height({Panel.OVERVIEW: self.height() - lower, Panel.IN_FLIGHT: lower})

    def _fit_in_flight(self) -> None:
        """Keep requests in flight low while there are none, if another panel takes the room."""
        dock, overview = self.docks[Panel.IN_FLIGHT], self.docks[Panel.OVERVIEW]
        is_below = (
            not dock.isFloating()
            and not overview.isFloating()
            and not overview.isHidden()
            and not self.tabifiedDockWidgets(dock)
            and dock.x() == overview.x()
        )
        is_low = self._is_idle and is_below
        dock.setMaximumHeight(_IDLE_HEIGHT if is_low else UNLIMITED)
        if is_low or not dock.isVisible():
            return
        self._lay_out_now()
        if dock.height() > _IDLE_HEIGHT:
            return
        # It was low before, perhaps when the layout was saved.
        height = self._in_flight_height or int(self.height() * _IN_FLIGHT_SHARE)
        if dock.isFloating():
            dock.resize(dock.width(), height)
        elif is_below:
            above = overview.height() + dock.height() - height
            sizes = {Panel.OVERVIEW: above, Panel.IN_FLIGHT: height}
            self._resize(sizes, Qt.Orientation.Vertical)

    def _resize_height(self, others: Mapping[Panel, int] = MappingProxyType({})) -> None:
        """Give the details their height, and others theirs."""
        height = self.height()
        details = max(min(self._details_height, height // 2, height - _TABLE_HEIGHT), 1)
        self._resize({**others, Panel.DETAILS: details}, Qt.Orientation.Vertical)

    def _resize(self, sizes: Mapping[Panel, int], along: Qt.Orientation) -> None:
        self._lay_out_now()
        docks = [self.docks[panel] for panel in sizes]
        self.resizeDocks(docks, list(sizes.values()), along)

    def _lay_out_now(self) -> None:
        """Give newly shown panels their place."""
        layout = self.layout()
        if layout is not None:
            layout.activate()

    def _of(self, action: WindowAction) -> list[PanelDock]:
        return [dock for panel, dock in self.docks.items() if panel.value.action is action]

    def _tell_shown(self) -> None:
        self.show_panels_button.setVisible(not self.is_shown(WindowAction.SIDE))
        for action in (WindowAction.TREES, WindowAction.SIDE):
            if (shown := self.is_shown(action)) is not self._shown.get(action):
                self._shown[action] = shown
                self.shown_changed.emit(action, shown)

    def _update_headings_soon(self) -> None:
        QTimer.singleShot(0, self, self._update_headings)

    def _update_headings(self) -> None:
        tips = {dock.windowTitle(): dock.tip for dock in self.docks.values()}
        for dock in self.docks.values():
            dock.update_heading()
        self._fit_in_flight()
        for bar in self._tab_bars():
            bar.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            bar.setAccessibleName(self.tr("Panels"))
            for i in range(bar.count()):
                bar.setTabToolTip(i, tips.get(bar.tabText(i), ""))

    def _tab_bars(self) -> list[QTabBar]:
        """The tabs of docks that share a position, which Qt makes."""
        here = Qt.FindChildOption.FindDirectChildrenOnly
        return self.findChildren(QTabBar, options=here)

    def _fold_button(self) -> QToolButton:
        name = self.show_panels_button.text()
        button = QToolButton()
        button.setProperty("quiet", True)
        button.setToolTip(self.tr("Collapse to a strip (Ctrl+3)"))
        button.setAccessibleName(self.tr("Collapse {name}").format(name=name))
        button.setIcon(icon("panel"))
        button.clicked.connect(lambda: self.show_wanted.emit(WindowAction.SIDE, False))
        return button

    def _centre(self, table: QWidget) -> None:
        centre = QWidget()
        row = QHBoxLayout(centre)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(table, 1)
        row.addWidget(self.show_panels_button)
        self.setCentralWidget(centre)
