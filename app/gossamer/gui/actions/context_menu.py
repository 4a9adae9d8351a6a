"""The context menu of a view: its actions, made of their declarations, in the declared order."""

from collections.abc import Callable, Mapping
from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenu, QWidget

from gossamer.gui.actions.action_spec import SelectionState, translated
from gossamer.gui.actions.view_actions import ViewAction
from gossamer.gui.look.icons import icon

_ORDER: Final = {declared: place for place, declared in enumerate(ViewAction)}
_PLACE: Final = "place"
"""The property of a QAction with its place in the menu; that of a line lies between two places."""


def add_view_action(
    view: QWidget,
    declared: ViewAction,
    perform: Callable[[], None],
    *,
    with_all_below: bool = False,
) -> QAction:
    """Put an action into the context menu of `view`. Its shortcut works inside the view."""
    spec = declared.value
    text = (spec.text_with_all_below if with_all_below else "") or spec.text
    action = QAction(translated(text), view)
    if spec.icon:
        action.setIcon(icon(spec.icon))
    if spec.shortcut:
        action.setShortcut(QKeySequence(spec.shortcut))
        action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
    action.triggered.connect(lambda _on: perform())
    _insert(view, declared, action)
    return action


def add_view_menu(view: QWidget, declared: ViewAction, menu: QMenu) -> None:
    """Put a submenu into the context menu of `view`."""
    spec = declared.value
    menu.setTitle(translated(spec.text))
    if spec.icon:
        menu.setIcon(icon(spec.icon))
    _insert(view, declared, menu.menuAction())


def offer_actions(actions: Mapping[ViewAction, QAction], state: SelectionState) -> None:
    """Enable what can be done with a selection, and nothing else."""
    for declared, action in actions.items():
        enabled = declared.value.enabled(state)
        if action.isEnabled() != enabled:
            action.setEnabled(enabled)


def _insert(view: QWidget, declared: ViewAction, action: QAction) -> None:
    place = _ORDER[declared]
    first = next(each for each in ViewAction if each.value.group == declared.value.group)
    line_place = _ORDER[first] - 0.5
    if all(each.property(_PLACE) != line_place for each in view.actions()):
        line = QAction(view)
        line.setSeparator(True)
        _insert_at(view, line, line_place)
    _insert_at(view, action, place)


def _insert_at(view: QWidget, action: QAction, place: float) -> None:
    action.setProperty(_PLACE, float(place))
    later = (each for each in view.actions() if (each.property(_PLACE) or 0.0) > place)
    view.insertAction(next(later, None), action)  # type: ignore[arg-type] # None puts it last
