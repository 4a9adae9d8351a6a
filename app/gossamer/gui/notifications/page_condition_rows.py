"""Pages whose changes are reported: a pattern of addresses each, and which fields count."""

from typing import Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QPushButton, QToolButton, QVBoxLayout, QWidget

from gossamer.gui.look import theme
from gossamer.gui.look.icons import icon
from gossamer.gui.look.stylesheet import CONTROL_HEIGHT
from gossamer.gui.tables.table_columns import field_label
from gossamer.gui.text.local_formatting import clean
from gossamer.gui.text.translated_sentences import listed
from gossamer.gui.widgets.labels import describe
from gossamer.gui.widgets.sticky_menu import StickyMenu
from gossamer.model.comparison_field_choice import COMPARABLE, COMPARED
from gossamer.notifying.conditions import ConditionKind, RuleCondition

_NAMED: Final = 2


class PageFieldsButton(QPushButton):
    """Chooses the fields of a page that count: none chosen means any change.

    Fields that a newer version may know, or that somebody has mistyped, are offered as they are
    written: they stay until the user takes them away.
    """

    def __init__(self, chosen: tuple[str, ...] = (), parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAutoDefault(False)
        self.setMinimumHeight(CONTROL_HEIGHT)
        menu = StickyMenu(self)
        self.any_change = menu.addAction(self.tr("Any change"))
        self.any_change.setCheckable(True)
        menu.addSeparator()
        self.fields = {
            name: menu.addAction(_label(name).replace("&", "&&"))
            for name in dict.fromkeys((*COMPARED, *chosen))
        }
        for name, action in self.fields.items():
            action.setCheckable(True)
            action.setChecked(name in chosen)
            action.toggled.connect(self._describe)
        self.any_change.triggered.connect(self._choose_any)
        self.setMenu(menu)
        self._describe()

    def chosen(self) -> tuple[str, ...]:
        """The names of the fields that count."""
        return tuple(name for name, action in self.fields.items() if action.isChecked())

    def _choose_any(self) -> None:
        for action in self.fields.values():
            action.setChecked(False)
        self._describe()

    def _describe(self) -> None:
        labels = list(map(_label, self.chosen()))
        self.any_change.setChecked(not labels)
        text = listed(labels[:_NAMED]) if labels else self.tr("Any change")
        if len(labels) > _NAMED:
            more = self.tr("{fields} and %Ln more", "", len(labels) - _NAMED)
            text = more.format(fields=text)
        self.setText(text.replace("&", "&&"))
        self.setAccessibleName(self.tr("What counts"))
        describe(self, listed(labels))


def _label(name: str) -> str:
    return field_label(COMPARABLE[name]) if name in COMPARABLE else clean(name)


class PageConditionRow(QWidget):
    """One pattern with its fields; `removed` when the user takes it away."""

    removed = Signal()

    def __init__(self, condition: RuleCondition | None = None) -> None:
        super().__init__()
        self.pattern = QLineEdit("" if condition is None else condition.argument)
        self.pattern.setPlaceholderText(self.tr("Such as: /pricing"))
        self.pattern.setAccessibleName(self.tr("Regular expression for addresses"))
        self.pattern.setMinimumHeight(CONTROL_HEIGHT)
        describe(
            self.pattern,
            self.tr(
                "A regular expression, searched for in the whole address. A single dot means all."
            ),
        )
        self.fields = PageFieldsButton(() if condition is None else condition.fields)
        self.remove = QToolButton()
        self.remove.setIcon(icon("close"))
        self.remove.setProperty("quiet", True)
        self.remove.setAccessibleName(self.tr("Remove these pages"))
        self.remove.clicked.connect(self.removed)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(theme.SPACE_S)
        row.addWidget(self.pattern, 1)
        row.addWidget(self.fields)
        row.addWidget(self.remove)

    def condition(self) -> RuleCondition:
        """What is filled in."""
        argument = self.pattern.text().strip()
        return RuleCondition(ConditionKind.PAGE, argument, self.fields.chosen())


class PageConditionRows(QWidget):
    """Any number of patterns, at least one."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.rows: list[PageConditionRow] = []
        self.add = QPushButton(self.tr("Add more &pages"))
        self.add.setAutoDefault(False)
        self.add.setFlat(True)
        self.add.clicked.connect(self._add)
        self._column = QVBoxLayout()
        self._column.setSpacing(theme.SPACE_XS)
        below = QHBoxLayout()
        below.addWidget(self.add)
        below.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(theme.SPACE_XS)
        column.addLayout(self._column)
        column.addLayout(below)
        self._append(None)

    def conditions(self) -> list[RuleCondition]:
        """Those filled in, as they are typed."""
        return [row.condition() for row in self.rows]

    def show_conditions(self, conditions: list[RuleCondition]) -> None:
        """Fill these in, in place of what there is."""
        for row in list(self.rows):
            self._drop(row)
        for each in conditions or (None,):
            self._append(each)

    def _add(self) -> None:
        self._append(None).pattern.setFocus()

    def _append(self, condition: RuleCondition | None) -> PageConditionRow:
        row = PageConditionRow(condition)
        row.removed.connect(lambda: self._drop(row))
        self.rows.append(row)
        self._column.addWidget(row)
        self._offer()
        return row

    def _drop(self, row: PageConditionRow) -> None:
        self.rows.remove(row)
        self._column.removeWidget(row)
        row.hide()
        row.deleteLater()
        self._offer()

    def _offer(self) -> None:
        for row in self.rows:
            row.remove.setEnabled(len(self.rows) > 1)
