"""Declares each panel around the table once, and shows it as a dock that users can move."""

from dataclasses import dataclass
from enum import Enum
from typing import Final

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QDockWidget,
    QHBoxLayout,
    QLabel,
    QMainWindow,
    QSizePolicy,
    QSpacerItem,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from gossamer.gui.actions.window_actions import WindowAction
from gossamer.gui.look import theme
from gossamer.gui.look.icons import icon
from gossamer.model.translatable import Sentence

_NARROWEST: Final = 160
_HEADING: Final = 36
_GRIP: Final = 7
_DOTS: Final = (-6, 0, 6)
_Area = Qt.DockWidgetArea
_MOVABLE: Final = (
    QDockWidget.DockWidgetFeature.DockWidgetMovable
    | QDockWidget.DockWidgetFeature.DockWidgetFloatable
)
_CLOSABLE: Final = _MOVABLE | QDockWidget.DockWidgetFeature.DockWidgetClosable


class HeadingStyle(Enum):
    """The title bar of a panel while it is docked."""

    TITLE = "title"
    TAB = "tab"
    """Its title is that of its tab; without a tab, a heading is shown."""
    GRIP = "grip"
    """Only a handle to drag it by: its content has tabs of its own."""


@dataclass(frozen=True, slots=True, eq=False)
class PanelSpec:
    """Declares a panel: where it is docked at first, and the action that toggles it."""

    title: Sentence
    area: Qt.DockWidgetArea
    action: WindowAction
    """Shows and hides all panels with this action."""
    heading: HeadingStyle = HeadingStyle.TITLE
    can_close: bool = True
    tip: Sentence = ""
    """The tool tip of its tab or heading."""


class Panel(Enum):
    """The panels in the order in which they are docked."""

    DISCOVERY = PanelSpec(
        "Discovery",
        _Area.LeftDockWidgetArea,
        WindowAction.TREES,
        HeadingStyle.TAB,
        tip="Each URL below the page it was first found on",
    )
    FOLDERS = PanelSpec(
        "Folders",
        _Area.LeftDockWidgetArea,
        WindowAction.TREES,
        HeadingStyle.TAB,
        tip="The same URLs by path, like folders on a disk",
    )
    DETAILS = PanelSpec(
        "Details",
        _Area.BottomDockWidgetArea,
        WindowAction.DETAILS,
        HeadingStyle.GRIP,
        can_close=False,
    )
    OVERVIEW = PanelSpec("Overview", _Area.RightDockWidgetArea, WindowAction.SIDE)
    IN_FLIGHT = PanelSpec("In flight", _Area.RightDockWidgetArea, WindowAction.SIDE)


class PanelDock(QDockWidget):
    """The dock of a panel. In a background tab its content is hidden and reads nothing."""

    def __init__(
        self, panel: Panel, content: QWidget, *buttons: QToolButton, parent: QMainWindow
    ) -> None:
        """Add it to its `parent`: a dock without one would be set up as a window first."""
        spec = panel.value
        super().__init__(QCoreApplication.translate("Sentences", spec.title), parent)
        self.setObjectName(f"dock-{panel.name.lower()}")
        self.setFeatures(_CLOSABLE if spec.can_close else _MOVABLE)
        self.heading = DockHeading(self, *buttons)
        self.setTitleBarWidget(self.heading)
        self.panel = panel
        self.content = content
        if spec.heading is HeadingStyle.GRIP:
            self.setWidget(content)
        else:
            self.setWidget(_boxed(content))
            content.hide()  # else one behind a tab is shown until the docks have their places
            self.visibilityChanged.connect(content.setVisible)
            # If floated from behind another tab, it becomes visible without that signal.
            self.topLevelChanged.connect(self._show_floating)
        self.topLevelChanged.connect(self.update_heading)
        self.tip = QCoreApplication.translate("Sentences", spec.tip) if spec.tip else ""
        self.heading.setToolTip(self.tip)
        self.update_heading()

    def _show_floating(self, floating: bool) -> None:  # noqa: FBT001 - a signal's argument
        if floating and not self.isHidden():
            self.content.show()

    def update_heading(self) -> None:
        """Show the title if nothing else shows it."""
        heading = self.panel.value.heading
        if self.isFloating() or heading is HeadingStyle.TITLE:
            self.heading.set_height(_HEADING)
        elif heading is HeadingStyle.GRIP:
            self.heading.set_height(_GRIP)
        else:
            window = self.parentWidget()
            alone = (
                isinstance(window, QMainWindow)
                and window.dockWidgetArea(self) is not _Area.NoDockWidgetArea
                and not window.tabifiedDockWidgets(self)
            )
            self.heading.set_height(_HEADING if alone else 0)


class DockHeading(QWidget):
    """The title bar of a dock with its buttons; a mere drag handle when space is low."""

    def __init__(self, dock: QDockWidget, *buttons: QToolButton) -> None:
        super().__init__(dock)
        self._height = -1
        name = QLabel(dock.windowTitle())
        name.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        row = self._row = QHBoxLayout(self)
        row.setContentsMargins(theme.SPACE_M, 0, theme.SPACE_XS, 0)
        row.setSpacing(0)
        self._strut = QSpacerItem(0, 0)
        row.addItem(self._strut)
        row.addWidget(name, 1)
        self._parts: list[QWidget] = [name, *buttons]
        if dock.features() & QDockWidget.DockWidgetFeature.DockWidgetClosable:
            self._parts.append(_close_button(dock))
        for button in self._parts[1:]:
            row.addWidget(button)

    def set_height(self, height: int) -> None:
        """Set the available height; the text needs all of it."""
        if height == self._height:
            return
        self._height = height
        for part in self._parts:
            part.setVisible(height == _HEADING)
        # Not by overriding sizeHint: a layout of docks calls that hundreds of times.
        self._strut.changeSize(0, height)
        self._row.invalidate()
        self.setFixedHeight(height)
        self.updateGeometry()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw three dots if there is only a grip."""
        del event
        if self._height != _GRIP:
            return
        with QPainter(self) as painter:
            middle = self.rect().center()
            for x in _DOTS:
                painter.fillRect(middle.x() + x - 1, middle.y(), 3, 2, theme.colour("outline"))


def _boxed(content: QWidget) -> QWidget:
    """A box as large as its dock, whether its content is hidden or not."""
    box = QWidget()
    box.setMinimumWidth(_NARROWEST)
    column = QVBoxLayout(box)
    column.setContentsMargins(0, 0, 0, 0)
    column.addWidget(content)
    return box


def _close_button(dock: QDockWidget) -> QToolButton:
    button = QToolButton()
    button.setProperty("quiet", True)
    button.setIcon(icon("close"))
    words = QCoreApplication.translate("Docks", "Close {panel}").format(panel=dock.windowTitle())
    button.setToolTip(words)
    button.setAccessibleName(words)
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    button.clicked.connect(dock.close)
    return button
