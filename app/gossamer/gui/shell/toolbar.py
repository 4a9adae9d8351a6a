"""The tool bar: the field for the address, crawl limits, and the main commands."""

from dataclasses import replace
from typing import Final

from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtGui import QAction, QActionEvent, QMouseEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QApplication,
    QFrame,
    QHBoxLayout,
    QMenu,
    QToolButton,
    QWidget,
)

from gossamer.gui.actions.action_declaration import ToolBarStyle, WindowState
from gossamer.gui.actions.action_set import ActionSet
from gossamer.gui.actions.window_actions import (
    NEXT_STEPS,
    NEXT_STEPS_IN_MENU,
    WindowAction,
)
from gossamer.gui.look import theme
from gossamer.gui.look.icons import on_accent
from gossamer.gui.look.stylesheet import CONTROL_HEIGHT
from gossamer.gui.start.cluster_field import ClusterField
from gossamer.gui.start.root_field import RootField, UrlField, in_order, spin_box
from gossamer.gui.start.start_page import render_box
from gossamer.gui.widgets.labels import buddy
from gossamer.model.settings.limit_settings import MAX_REDIRECTS, MAX_WORKERS

DEBOUNCE_MS: Final = 300
"""Rest after the last change of the workers before it is sent."""
_ADDRESS_MORE: Final = 60
"""Pixels beyond its minimum that are kept for the address before all numbers are shown."""
_ICON: Final = QSize(20, 16)  # a little air between icon and text


class NextStepButton(QToolButton):
    """A button for the most likely next command of a crawl; its menu has all possible ones."""

    def __init__(self, actions: ActionSet, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("go")
        self.setProperty("raised", True)
        self.setProperty("split", True)
        self.setProperty("primary", True)
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.setPopupMode(QToolButton.ToolButtonPopupMode.MenuButtonPopup)
        self.setIconSize(_ICON)
        self.setFixedHeight(CONTROL_HEIGHT)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._actions = actions
        menu = QMenu(self)
        menu.setToolTipsVisible(True)
        menu.aboutToShow.connect(self._fill_menu)
        self.setMenu(menu)
        self.setDefaultAction(actions[WindowAction.START])

    def offer(self, *, prefer_start: bool) -> None:
        """Switch to the likeliest enabled command; if none is, stay."""
        enabled = [step for step in NEXT_STEPS if self._actions[step].isEnabled()]
        step = next(iter(enabled), None)
        if prefer_start and WindowAction.START in enabled:
            step = WindowAction.START
        if step is not None and self._actions[step] is not self.defaultAction():
            self.setDefaultAction(self._actions[step])

    def widest(self) -> int:
        """The width of the longest label, so that it never changes."""
        width_of = self.fontMetrics().horizontalAdvance
        margin = self.sizeHint().width() - width_of(self.text())
        return margin + max(map(width_of, map(self._actions.longest_label, NEXT_STEPS)))

    def actionEvent(self, event: QActionEvent) -> None:
        """Look as the action does, except for the colour of its icon."""
        super().actionEvent(event)
        self._paint_on_accent()

    def setDefaultAction(self, action: QAction) -> None:
        """Look as the action does, except for the colour of its icon."""
        super().setDefaultAction(action)
        self._paint_on_accent()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Ignore the second of two clicks: it would pause what the first one started."""
        event.accept()

    def _paint_on_accent(self) -> None:
        for step in NEXT_STEPS:
            if self._actions[step] is self.defaultAction():
                self.setIcon(on_accent(step.value.icon))

    def _fill_menu(self) -> None:
        self.menu().clear()
        actions = [self._actions[step] for step in NEXT_STEPS_IN_MENU]
        self.menu().addActions([action for action in actions if action.isEnabled()])


class TopBar(QFrame):
    """URL, workers, where, redirect limit, rendering, and the actions declared for the tool bar.

    `submitted` says that Enter was pressed in the address. `workers_changed` is emitted once the
    number has rested for DEBOUNCE_MS. `subject_changed` says that the address begins, or ceases, to
    differ from that of the crawl shown. `render_pages` is a choice for what is started from here,
    `where` also one for the crawl shown.
    """

    submitted = Signal()
    workers_changed = Signal(int)
    subject_changed = Signal()

    def __init__(self, actions: ActionSet, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("top-bar")
        self.setProperty("bar", True)
        self._actions = actions
        self._shown = ""
        """The address of the crawl shown, or its list."""
        self._has_crawl = False
        self.is_edited = False
        """Whether the address differs from that of the crawl shown."""
        self.url_field = UrlField()
        self.url_field.setObjectName("url")
        self.root_field = RootField(self.url_field)
        self.workers = spin_box("workers", 1, MAX_WORKERS)
        self.redirects = spin_box("redirects", 0, MAX_REDIRECTS)
        self.where = ClusterField("where")
        self.render_pages = render_box("render")
        self._rest = QTimer(self, singleShot=True, interval=DEBOUNCE_MS)
        self.go = NextStepButton(actions)
        self.buttons = {
            declared: _tool_button(actions[declared], style)
            for declared in WindowAction
            if (style := declared.value.toolbar) is not None
        }
        self._optional = self._lay_out()
        self.url_field.submitted.connect(self.submitted)
        self.url_field.editTextChanged.connect(lambda _text: self._offer())
        self.root_field.changed.connect(self._offer)
        self._rest.timeout.connect(lambda: self.workers_changed.emit(self.workers.value()))
        self.workers.valueChanged.connect(lambda _value: self._rest.start())
        self.where.editTextChanged.connect(lambda _text: self._share(self.width()))
        self.where.chosen.connect(lambda _address: self._share(self.width()))
        self._offer()

    def url(self) -> str:
        """The text of the URL field, trimmed."""
        return self.url_field.currentText().strip()

    def set_url(self, url: str) -> None:
        """Put the address of the crawl shown into the URL field, unless that crawled a list."""
        self.url_field.show_address(url)
        self._shown = self._typed()
        self._offer()

    def show_numbers(self, workers: int, redirects: int) -> None:
        """Show these numbers; nobody typed them, so `workers_changed` is not emitted."""
        self.workers.setValue(workers)
        self.redirects.setValue(redirects)
        self._rest.stop()

    def offer(self, state: WindowState, *, has_crawl: bool) -> None:
        """Offer what can be done in this state; `has_crawl` says that a crawl has begun.

        If that disables the focused button, Qt would focus whatever is next: the address gets the
        focus, where a space does nothing.
        """
        self._has_crawl = has_crawl
        disabled = [
            button for declared, button in self.buttons.items() if not declared.value.enabled(state)
        ]
        if not any(step.value.enabled(state) for step in NEXT_STEPS):
            disabled.append(self.go)
        if any(button.hasFocus() for button in disabled):
            self.url_field.setFocus(Qt.FocusReason.OtherFocusReason)
        had_focus = self.go.hasFocus()
        self._actions.offer(state)
        self._offer()
        if had_focus:  # between two steps it was disabled for a moment
            self.go.setFocus(Qt.FocusReason.OtherFocusReason)

    def showEvent(self, event: QShowEvent) -> None:
        """Make room for every label of the button: the bar does not move when it changes.

        Their widths are known when the window has its style sheet, which is when it is shown.
        """
        super().showEvent(event)
        self.go.setFixedWidth(self.go.widest())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Leave the address its room: what is also in the settings gives way to it."""
        super().resizeEvent(event)
        self._share(event.size().width())

    def minimumSizeHint(self) -> QSize:
        """As narrow as it is without what can give way."""
        layout = self.layout()
        least = super().minimumSizeHint()
        if layout is None:
            return least
        shown = [group for group in self._optional if not group.isHidden()]
        spare = sum(group.sizeHint().width() + layout.spacing() for group in shown)
        return QSize(least.width() - spare, least.height())

    def _share(self, width: int) -> None:
        """Show what fits next to the address, the first of the optional parts first."""
        layout = self.layout()
        gap = layout.spacing() if layout is not None else 0
        left = width - self.minimumSizeHint().width() - _ADDRESS_MORE
        # Nobody is to crawl on other machines without seeing it.
        first = None if self.where.is_here else self.where.parentWidget()
        for group in sorted(self._optional, key=lambda group: group is not first):
            left -= group.sizeHint().width() + gap
            # To hide what is being used would give the focus to a button.
            group.setVisible(left >= 0 or _has_focus(group))

    def _offer(self) -> None:
        was_edited = self.is_edited
        self.is_edited = bool(self._shown) and self._typed() != self._shown
        is_repeat = self._has_crawl and not self.is_edited
        self._actions.offer(replace(self._actions.state, is_repeat=is_repeat))
        self.go.offer(prefer_start=self.is_edited)
        can_start = self._actions[WindowAction.START].isEnabled()
        self.render_pages.setEnabled(can_start or self.is_edited)
        if self.is_edited is not was_edited:
            self.subject_changed.emit()

    def _typed(self) -> str:
        roots = self.root_field.roots
        return roots.text if roots.is_list else self.url()

    def _lay_out(self) -> tuple[QWidget, ...]:
        """What can be hidden, numbers with their names; the first one last."""
        row = QHBoxLayout(self)
        row.setContentsMargins(theme.SPACE_M, theme.SPACE_S, theme.SPACE_S, theme.SPACE_S)
        row.setSpacing(theme.SPACE_S)
        row.addWidget(self.root_field, 1)
        workers = _named(self.tr("&Workers"), self.workers)
        where = _named(self.tr("Where"), self.where)
        redirects = _named(self.tr("&Redirect limit"), self.redirects)
        for part in (workers, where, redirects, self.render_pages, self.go, *self.buttons.values()):
            row.addWidget(part)
        in_order(
            *self.root_field.stops(),
            self.workers,
            self.where,
            self.redirects,
            self.render_pages,
            self.go,
            *self.buttons.values(),
        )
        return workers, where, self.render_pages, redirects


def _tool_button(action: QAction, style: ToolBarStyle) -> QToolButton:
    button = QToolButton()
    button.setObjectName(action.objectName())
    button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    if style is ToolBarStyle.ICON:
        button.setProperty("quiet", True)
        button.setIconSize(QSize(20, 20))
        button.setFixedSize(CONTROL_HEIGHT, CONTROL_HEIGHT)
        button.setAccessibleName(action.iconText().rstrip("…"))
    else:
        button.setProperty("raised", True)
        button.setProperty("command", True)
        button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        button.setIconSize(_ICON)
        button.setFixedHeight(CONTROL_HEIGHT)
    button.setDefaultAction(action)
    return button


def _has_focus(group: QWidget) -> bool:
    focused = QApplication.focusWidget()
    return focused is not None and group.isAncestorOf(focused)


def _named(text: str, field: QWidget) -> QWidget:
    """A number or choice with its name, which are shown or hidden together."""
    group = QWidget()
    row = QHBoxLayout(group)
    row.setContentsMargins(theme.SPACE_XS, 0, theme.SPACE_XS, 0)
    row.setSpacing(theme.SPACE_S)
    row.addWidget(buddy(text, field))
    row.addWidget(field)
    return group
