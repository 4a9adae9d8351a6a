"""The editable list of named definitions in the settings: custom searches, segments and so on."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from msgspec.structs import replace
from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QHeaderView,
    QToolButton,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from gossamer.gui.custom_definitions.definition_dialog import (
    ExtractionDialog,
    FormDialog,
    SearchDialog,
)
from gossamer.gui.custom_definitions.definition_texts import summary
from gossamer.gui.look import theme
from gossamer.gui.look.stylesheet import CONTROL_HEIGHT
from gossamer.gui.text import local_formatting as formatting
from gossamer.gui.widgets.flow_layout import FlowLayout
from gossamer.gui.widgets.labels import describe
from gossamer.model.custom_definitions import (
    MAX_DEFINITIONS,
    CustomExtraction,
    CustomSearch,
)

_ROWS: Final = 5
_NAME_WIDTH: Final = 18


@dataclass(frozen=True, slots=True)
class DefinitionKind:
    """A kind of definition, which has a `name`: a new one, and the dialog that edits one.

    `summary` describes one in a line. Those `on_pages` can be tried on a page. `parse` makes one
    from a value of the setting, and `write` does the reverse.
    """

    new: Any
    dialog: Callable[[Any, Sequence[str], QWidget], FormDialog]
    summary: Callable[[Any], str]
    most: int = MAX_DEFINITIONS
    on_pages: bool = True
    parse: Callable[[Any], Any] = lambda definition: definition
    write: Callable[[Any], Any] = lambda definition: definition


SEARCHES: Final = DefinitionKind(CustomSearch("", ""), SearchDialog, summary)
EXTRACTIONS: Final = DefinitionKind(CustomExtraction("", ""), ExtractionDialog, summary)


class DefinitionList(QWidget):
    """Definitions in their order, with buttons to add, edit, duplicate, remove and move them.

    `changed` is emitted after a change, `try_wanted` asks to try them on a page.
    """

    changed = Signal()
    try_wanted = Signal()

    def __init__(self, kind: DefinitionKind, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._kind = kind
        self._definitions: list[Any] = []
        self.tree = self._tree()
        self.add = self._button(self.tr("Add…"), self._add)
        self.edit = self._button(self.tr("Edit…"), self._edit)
        self.duplicate = self._button(self.tr("Duplicate"), self._duplicate)
        self.remove = self._button(self.tr("Remove"), self._remove)
        self.up = self._arrow(Qt.ArrowType.UpArrow, self.tr("Move up"), -1)
        self.down = self._arrow(Qt.ArrowType.DownArrow, self.tr("Move down"), 1)
        self.try_button = self._button(self.tr("Try…"), self.try_wanted.emit)
        self.try_button.hide()  # until `offer_trial` connects it
        bar = QWidget()
        buttons = FlowLayout(bar, theme.SPACE_XS)
        buttons.setContentsMargins(0, 0, 0, 0)
        for button in (self.add, self.edit, self.duplicate, self.remove, self._arrows()):
            buttons.addWidget(button)
        buttons.addWidget(self.try_button)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(theme.SPACE_XS)
        column.addWidget(self.tree)
        column.addWidget(bar)
        self.bar = bar
        delete = QShortcut(QKeySequence(QKeySequence.StandardKey.Delete), self.tree)
        delete.setContext(Qt.ShortcutContext.WidgetShortcut)
        delete.activated.connect(self._remove)
        self._show(0)

    def definitions(self) -> tuple[Any, ...]:
        """The definitions as values of the setting."""
        return tuple(map(self._kind.write, self._definitions))

    def set_definitions(self, definitions: Sequence[Any]) -> None:
        """Replace the definitions."""
        if tuple(definitions) != self.definitions():
            self._change(list(map(self._kind.parse, definitions)), 0)

    def offer_trial(self, wanted: Callable[[], object]) -> None:
        """Show the button that tries the definitions on a page, if their kind can be tried."""
        if self._kind.on_pages:
            self.try_wanted.connect(wanted)
            self.try_button.show()

    # ------------------------------------------------------------ actions

    def _add(self) -> None:
        self._ask(self._kind.new, None)

    def _edit(self) -> None:
        if self._row >= 0:
            self._ask(self._definitions[self._row], self._row)

    def _ask(self, definition: Any, row: int | None) -> None:  # noqa: ANN401 - of the kind
        others = [each.name for index, each in enumerate(self._definitions) if index != row]
        dialog = self._kind.dialog(definition, others, self)
        self.prepare(dialog)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.accepted.connect(lambda: self._take(dialog.definition(), row))
        dialog.open()

    def prepare(self, dialog: FormDialog) -> None:
        """Give a dialog what it needs besides the definition, for kinds that need more."""

    def _take(self, definition: Any, row: int | None) -> None:  # noqa: ANN401 - of the kind
        index = len(self._definitions) if row is None else row
        after = self._definitions[index + 1 :]
        self._change([*self._definitions[:index], definition, *after], index)

    def _duplicate(self) -> None:
        if self._row >= 0 and self.add.isEnabled():
            definition = self._definitions[self._row]
            copy = replace(definition, name=self._free_name(definition.name))
            self._take(copy, None)

    def _free_name(self, name: str) -> str:
        taken = {each.name.casefold() for each in self._definitions}
        number = 2
        while f"{name} {number}".casefold() in taken:
            number += 1
        return f"{name} {number}"

    def _remove(self) -> None:
        row = self._row
        if row >= 0:
            left = [*self._definitions[:row], *self._definitions[row + 1 :]]
            self._change(left, min(row, len(left) - 1))

    def _move(self, by: int) -> None:
        row = self._row
        if row >= 0 and 0 <= row + by < len(self._definitions):
            moved = list(self._definitions)
            moved.insert(row + by, moved.pop(row))
            self._change(moved, row + by)

    # ------------------------------------------------------------ showing

    @property
    def _row(self) -> int:
        item = self.tree.currentItem()
        return -1 if item is None else self.tree.indexOfTopLevelItem(item)

    def _change(self, definitions: list[Any], row: int) -> None:
        self._definitions = definitions
        self._show(row)
        self.changed.emit()

    def _show(self, row: int) -> None:
        self.tree.clear()
        for each in self._definitions:
            words = formatting.clean(self._kind.summary(each))
            item = QTreeWidgetItem([formatting.clean(each.name), words])
            item.setSizeHint(0, QSize(0, _row_height(self.tree)))
            item.setToolTip(1, formatting.tooltip(words))
            self.tree.addTopLevelItem(item)
        if (chosen := self.tree.topLevelItem(max(row, 0))) is not None:
            self.tree.setCurrentItem(chosen)
        self._enable()

    def _enable(self) -> None:
        row, count = self._row, len(self._definitions)
        has_room = count < self._kind.most
        self.add.setEnabled(has_room)
        self.duplicate.setEnabled(has_room and row >= 0)
        for button in (self.edit, self.remove):
            button.setEnabled(row >= 0)
        self.up.setEnabled(row > 0)
        self.down.setEnabled(0 <= row < count - 1)
        self.try_button.setEnabled(count > 0)

    def _tree(self) -> QTreeWidget:
        tree = QTreeWidget()
        tree.setHeaderLabels([self.tr("Name"), self.tr("Definition")])
        tree.setRootIsDecorated(False)
        tree.setUniformRowHeights(True)
        tree.setAllColumnsShowFocus(True)
        tree.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        tree.setTextElideMode(Qt.TextElideMode.ElideRight)
        header = tree.header()
        header.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        header.setStretchLastSection(True)
        header.resizeSection(0, tree.fontMetrics().averageCharWidth() * _NAME_WIDTH)
        tree.setFixedHeight(_row_height(tree) * (_ROWS + 1) + theme.SPACE_S)
        tree.currentItemChanged.connect(self._enable)
        tree.itemActivated.connect(self._edit)
        return tree

    def _arrows(self) -> QWidget:
        """Both arrows in one widget, so that no line break separates them."""
        arrows = QWidget()
        row = QHBoxLayout(arrows)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(theme.SPACE_XS)
        row.addWidget(self.up)
        row.addWidget(self.down)
        return arrows

    def _arrow(self, arrow: Qt.ArrowType, name: str, by: int) -> QToolButton:
        button = self._button("", partial(self._move, by))
        button.setArrowType(arrow)
        button.setProperty("raised", False)
        button.setProperty("quiet", True)
        button.setFixedSize(CONTROL_HEIGHT, CONTROL_HEIGHT)
        describe(button, name)
        button.setAccessibleName(name)
        return button

    def _button(self, text: str, act: Callable[[], Any]) -> QToolButton:
        button = QToolButton()
        button.setText(text)
        button.setProperty("raised", True)
        button.clicked.connect(lambda: act())  # noqa: PLW0108 - Qt would pass whether it is checked
        return button


def _row_height(tree: QTreeWidget) -> int:
    return tree.fontMetrics().lineSpacing() + theme.SPACE_S
