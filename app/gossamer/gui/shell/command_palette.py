"""The command palette: searches all actions of the window by name and runs one."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import (
    QAbstractListModel,
    QEvent,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QSize,
    Qt,
)
from PySide6.QtGui import QAction, QKeyEvent, QKeySequence, QPainter, QPalette, QShowEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QFrame,
    QLabel,
    QLineEdit,
    QListView,
    QMainWindow,
    QMenu,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)
from shiboken6 import isValid

from gossamer.gui.actions.action_set import ALSO
from gossamer.gui.look import theme
from gossamer.gui.text.translated_sentences import listed, without_key
from gossamer.gui.widgets.help_context import explain

_WIDTH: Final = 560
_ROWS: Final = 10
_ROW_HEIGHT: Final = 30
_SHORTCUT: Final = Qt.ItemDataRole.UserRole
_MENU: Final = Qt.ItemDataRole.UserRole + 1
_KEYS_OF_LIST: Final = frozenset(
    {Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown}
)

Index = QModelIndex | QPersistentModelIndex


@dataclass(frozen=True, slots=True)
class NamedCommand:
    """An action with the words that the command palette finds it by."""

    action: QAction
    name: str
    menu: str
    """The menus that lead to it, "File › Open recent", or the section of a setting.

    "" for actions of the focused widget.
    """
    shortcut: str
    also: str = ""
    """Other words that find it: ALSO of the action."""
    submenus: tuple[QAction, ...] = ()
    """The actions that open the menus that lead to it."""

    @property
    def is_possible(self) -> bool:
        """Whether it can be done now. Refilling a menu removes its old actions.

        What a disabled submenu has cannot, though Qt leaves its actions enabled.
        """
        return all(isValid(each) and each.isEnabled() for each in (*self.submenus, self.action))


def commands_of(window: QMainWindow, focused: QWidget | None) -> list[NamedCommand]:
    """Every action in the menus of `window`, in their order, after those of the `focused` widget.

    A widget's actions are its own and those of its ancestors, as in its context menu.
    """
    found: list[NamedCommand] = []
    while focused is not None and focused is not window:
        # The actions on a button are the window's.
        actions = [] if isinstance(focused, QAbstractButton) else focused.actions()
        for action in actions:
            if action.text() and action.isVisible():
                # Submenus of a widget may have lines that are only text.
                found += [
                    each for each in _below(action, ()) if not each.menu or each.action.isEnabled()
                ]
        focused = focused.parentWidget()
    return found + [
        command for action in window.menuBar().actions() for command in _below(action, ())
    ]


def matching(commands: Sequence[NamedCommand], typed: str) -> list[NamedCommand]:
    """The commands in whose names or menu every typed word occurs; the best fit first.

    Names that begin with the typed text come first, then those with a word that does, then others;
    what cannot be done now comes last. Equals keep their order.
    """
    words = typed.casefold().split()
    whole = " ".join(words)

    def rank(command: NamedCommand) -> tuple[bool, int]:
        name = command.name.casefold()
        if name.startswith(whole):
            fit = 0
        elif all(any(part.startswith(word) for part in name.split()) for word in words):
            fit = 1
        else:
            fit = 2
        return not command.is_possible, fit

    fitting = [
        command
        for command in commands
        if all(word in f"{command.menu} {command.name} {command.also}".casefold() for word in words)
    ]
    return sorted(fitting, key=rank)


class CommandPalette(QFrame):
    """An overlay at the top of `window`; returns the focus when it closes."""

    def __init__(self, window: QMainWindow) -> None:
        super().__init__(window)
        explain(self, "keyboard")
        self.setObjectName("command-bar")
        self.setAccessibleName(self.tr("Commands"))
        self._window = window
        self._known: list[NamedCommand] = []
        self._further: Callable[[], Sequence[NamedCommand]] = tuple
        self._before: QWidget | None = None
        self.field = QLineEdit()
        self.field.setPlaceholderText(self.tr("What do you want to do?"))
        self.field.setAccessibleName(self.tr("Name of a command"))
        self._model = _CommandList(self)
        self.list = QListView()
        self.list.setModel(self._model)
        self.list.setItemDelegate(_CommandLine(self.list))
        self.list.setUniformItemSizes(True)
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.setMouseTracking(True)
        self.list.setAccessibleName(self.tr("Matching commands"))
        self._nothing = QLabel(self.tr("No matching command."))
        self._nothing.setProperty("muted", True)
        self._nothing.setContentsMargins(theme.SPACE_S, theme.SPACE_S, theme.SPACE_S, theme.SPACE_S)
        column = QVBoxLayout(self)
        column.setContentsMargins(theme.SPACE_S, theme.SPACE_S, theme.SPACE_S, theme.SPACE_S)
        column.setSpacing(theme.SPACE_XS)
        column.addWidget(self.field)
        column.addWidget(self.list)
        column.addWidget(self._nothing)
        self.field.textChanged.connect(self._show_fitting)
        self.field.installEventFilter(self)
        self.list.clicked.connect(lambda index: self._do(index.row()))
        self.list.entered.connect(self.list.setCurrentIndex)
        window.installEventFilter(self)
        self.hide()

    def offer(self, further: Callable[[], Sequence[NamedCommand]]) -> None:
        """Find these by name too, which are in no menu; asked for when the palette opens."""
        self._further = further

    def open(self) -> None:
        """Show every command, ready for a name to be typed."""
        if not self.isHidden():
            self.leave()
            return
        if (popup := QApplication.activePopupWidget()) is not None:
            popup.close()  # suggestions below a field would take the first letter
        self._before = self._window.focusWidget()
        self._known = [*commands_of(self._window, self._before), *self._further()]
        self.field.clear()
        self._show_fitting("")
        self.show()
        self.raise_()
        self.field.setFocus(Qt.FocusReason.PopupFocusReason)

    def leave(self) -> None:
        """Close without doing anything."""
        if self.isHidden():
            return
        before, self._before = self._before, None
        self.hide()
        if before is not None and before.isVisible():
            before.setFocus(Qt.FocusReason.PopupFocusReason)

    def names(self) -> list[str]:
        """The names that are offered, the best fit first."""
        return [command.name for command in self._model.commands]

    def showEvent(self, event: QShowEvent) -> None:
        """Take the position in the middle of the top."""
        super().showEvent(event)
        self._place()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Handles keys that move in the list, the size of the window, and loss of focus."""
        kind = event.type()
        if watched is self.field and isinstance(event, QKeyEvent):
            return kind == QEvent.Type.KeyPress and self._take_key(event)
        if watched is self.field and kind == QEvent.Type.FocusOut:
            # The newly focused widget keeps the focus.
            self._before = None
            self.hide()
        elif kind == QEvent.Type.Resize and not self.isHidden():
            self._place()
        return False

    def _take_key(self, event: QKeyEvent) -> bool:
        key = event.key()
        if key in _KEYS_OF_LIST:
            QApplication.sendEvent(self.list, event)
        elif key in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            self._do(self.list.currentIndex().row())
        elif key == Qt.Key.Key_Escape:
            self.leave()
        else:
            return False
        return True

    def _do(self, row: int) -> None:
        """Close, and do the command in `row` if that is possible now."""
        if not 0 <= row < len(self._model.commands):
            return
        command = self._model.commands[row]
        if command.is_possible:
            self.leave()
            command.action.trigger()

    def _show_fitting(self, typed: str) -> None:
        self._model.show(matching(self._known, typed))
        rows = len(self._model.commands)
        self.list.setVisible(rows > 0)
        self._nothing.setVisible(rows == 0)
        self.list.setFixedHeight(min(rows, _ROWS) * _ROW_HEIGHT + 2)
        self.list.setCurrentIndex(self._model.index(0))
        self.adjustSize()
        self._place()

    def _place(self) -> None:
        width = min(_WIDTH, self._window.width() - 2 * theme.SPACE_L)
        self.setFixedWidth(width)
        self.adjustSize()
        self.move((self._window.width() - width) // 2, theme.SPACE_L * 3)


class _CommandList(QAbstractListModel):
    """The commands that fit, one a row."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.commands: list[NamedCommand] = []

    def show(self, commands: list[NamedCommand]) -> None:
        self.beginResetModel()
        self.commands = commands
        self.endResetModel()

    def rowCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self.commands)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        command = self.commands[index.row()]
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return command.name
            case Qt.ItemDataRole.AccessibleTextRole:
                return listed((command.name, command.menu, command.shortcut))
            case Qt.ItemDataRole.SizeHintRole:
                return QSize(0, _ROW_HEIGHT)
            case _ if role == _SHORTCUT:
                return command.shortcut
            case _ if role == _MENU:
                return command.menu
            case _:
                return None

    def flags(self, index: Index) -> Qt.ItemFlag:
        if self.commands[index.row()].is_possible:
            return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        return Qt.ItemFlag.ItemIsSelectable


class _CommandLine(QStyledItemDelegate):
    """A row: the name, then its menu in grey, and the shortcut at the right."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        state = option.state
        rect = option.rect
        palette = option.palette
        enabled = bool(state & QStyle.StateFlag.State_Enabled)
        painter.save()
        if state & QStyle.StateFlag.State_Selected:
            painter.fillRect(rect, palette.color(QPalette.ColorRole.Highlight))
        inner = rect.adjusted(theme.SPACE_S, 0, -theme.SPACE_S, 0)
        middle = Qt.AlignmentFlag.AlignVCenter
        shortcut = str(index.data(_SHORTCUT))
        painter.setPen(theme.colour("muted"))
        painter.drawText(inner, middle | Qt.AlignmentFlag.AlignRight, shortcut)
        name, menu = str(index.data()), str(index.data(_MENU))
        metrics = painter.fontMetrics()
        painter.drawText(
            inner.adjusted(metrics.horizontalAdvance(name) + theme.SPACE_M, 0, 0, 0), middle, menu
        )
        group = QPalette.ColorGroup.Active if enabled else QPalette.ColorGroup.Disabled
        painter.setPen(palette.color(group, QPalette.ColorRole.Text))
        painter.drawText(inner, middle, name)
        painter.restore()


def _below(action: QAction, submenus: tuple[QAction, ...]) -> Iterator[NamedCommand]:
    menu = action.menu()
    if isinstance(menu, QMenu):
        for inner in menu.actions():
            yield from _below(inner, (*submenus, action))
    elif not action.isSeparator() and action.isVisible():
        yield _named(action, submenus)


def _named(action: QAction, submenus: tuple[QAction, ...]) -> NamedCommand:
    # A menu shows what follows a tab as the shortcut, for keys that are no QShortcut of the action.
    text, _tab, told = action.text().partition("\t")
    keys = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
    also = str(action.property(ALSO) or "")
    path = " › ".join(without_key(submenu.text()) for submenu in submenus)
    return NamedCommand(action, without_key(text), path, keys or told, also, submenus)
