"""The rows of which a condition is composed: column, comparison and value."""

from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QComboBox,
    QCompleter,
    QHBoxLayout,
    QLineEdit,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from gossamer.gui.look import theme
from gossamer.gui.look.icons import icon
from gossamer.gui.look.stylesheet import CONTROL_HEIGHT
from gossamer.gui.tables.table_columns import field_label
from gossamer.gui.text.local_formatting import QT_TRANSLATE_NOOP, translator
from gossamer.model.fields.field_declaration import DeclaredField
from gossamer.model.fields.url_record import URL_COLUMNS
from gossamer.model.segments import can_define_segments
from gossamer.model.url_conditions import (
    ColumnTest,
    Comparison,
    ConditionRow,
    ConditionRows,
    is_number,
    words_of,
)

_tr = translator("ConditionForm")
_COLUMNS: Final = {each.name: each for each in URL_COLUMNS if can_define_segments(each)}
_NAMES: Final[dict[tuple[Comparison, bool], str]] = {
    (Comparison.CONTAINS, False): QT_TRANSLATE_NOOP("ConditionForm", "contains"),
    (Comparison.CONTAINS, True): QT_TRANSLATE_NOOP("ConditionForm", "does not contain"),
    (Comparison.STARTS, False): QT_TRANSLATE_NOOP("ConditionForm", "starts with"),
    (Comparison.STARTS, True): QT_TRANSLATE_NOOP("ConditionForm", "does not start with"),
    (Comparison.ENDS, False): QT_TRANSLATE_NOOP("ConditionForm", "ends with"),
    (Comparison.ENDS, True): QT_TRANSLATE_NOOP("ConditionForm", "does not end with"),
    (Comparison.EQUAL, False): QT_TRANSLATE_NOOP("ConditionForm", "is"),
    (Comparison.UNEQUAL, False): QT_TRANSLATE_NOOP("ConditionForm", "is not"),
    (Comparison.LESS, False): QT_TRANSLATE_NOOP("ConditionForm", "less than"),
    (Comparison.AT_MOST, False): QT_TRANSLATE_NOOP("ConditionForm", "at most"),
    (Comparison.MORE, False): QT_TRANSLATE_NOOP("ConditionForm", "more than"),
    (Comparison.AT_LEAST, False): QT_TRANSLATE_NOOP("ConditionForm", "at least"),
    (Comparison.EMPTY, False): QT_TRANSLATE_NOOP("ConditionForm", "is empty"),
    (Comparison.FILLED, False): QT_TRANSLATE_NOOP("ConditionForm", "is not empty"),
}
_OF_NUMBERS: Final = (
    *(Comparison.EQUAL, Comparison.UNEQUAL, Comparison.LESS, Comparison.AT_MOST),
    *(Comparison.MORE, Comparison.AT_LEAST),
)
_OF_WORDS: Final = (Comparison.EQUAL, Comparison.UNEQUAL)
_OF_TEXTS: Final = (Comparison.CONTAINS, Comparison.STARTS, Comparison.ENDS, *_OF_WORDS)
_OF_ALL: Final = (Comparison.EMPTY, Comparison.FILLED)
_LONGEST_LIST: Final = 24


def _comparisons(each: DeclaredField) -> tuple[Comparison, ...]:
    if words_of(each):
        return (*_OF_WORDS, *_OF_ALL)
    return (*(_OF_NUMBERS if is_number(each) else _OF_TEXTS), *_OF_ALL)


class ConditionLine(QWidget):
    """One row: a column, a comparison and a value. `removed` asks to remove the row."""

    changed = Signal()
    removed = Signal()

    def __init__(self, row: ConditionRow, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.column = QComboBox()
        for name, each in _COLUMNS.items():
            self.column.addItem(field_label(each), name)
        self.comparison = QComboBox()
        self.value = QLineEdit()
        self.remove = QToolButton()
        self.remove.setIcon(icon("close"))
        self.remove.setProperty("quiet", True)
        self._name()
        line = QHBoxLayout(self)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(theme.SPACE_XS)
        for part, share in ((self.column, 4), (self.comparison, 3), (self.value, 5)):
            part.setMinimumHeight(CONTROL_HEIGHT)
            line.addWidget(part, share)
        line.addWidget(self.remove)
        self._show(row)
        self.column.currentIndexChanged.connect(self._change_column)
        self.comparison.currentIndexChanged.connect(self._change_comparison)
        self.value.textChanged.connect(self.changed)
        self.remove.clicked.connect(self.removed)

    def text(self) -> str:
        """The row in the syntax of conditions; its value may not fit the column."""
        comparison, negated = self.comparison.currentData()
        needs_none = comparison in _OF_ALL
        value = "" if needs_none else self.value.text().strip()
        return str(ConditionRow(ColumnTest(self.column.currentData(), comparison, value), negated))

    def _show(self, row: ConditionRow) -> None:
        test = row.test
        self.column.setCurrentIndex(max(self.column.findData(test.field), 0))
        self._offer_comparisons()
        index = self._index_of(test.comparison, negated=row.negated)
        if index < 0:  # one that is rarely used with texts, such as title < "m"
            self._add_comparison(test.comparison, negated=row.negated)
            index = self.comparison.count() - 1
        self.comparison.setCurrentIndex(index)
        self.value.setText(row.value_text)
        self._change_comparison()

    def _change_column(self) -> None:
        chosen = self.comparison.currentData()
        self._offer_comparisons()
        self.comparison.setCurrentIndex(max(self._index_of(chosen[0], negated=chosen[1]), 0))
        self._change_comparison()

    def _change_comparison(self) -> None:
        comparison, _ = self.comparison.currentData() or (Comparison.EMPTY, False)
        self.value.setVisible(comparison not in _OF_ALL)
        self.changed.emit()

    def _offer_comparisons(self) -> None:
        each = _COLUMNS[self.column.currentData()]
        self.comparison.blockSignals(True)
        self.comparison.clear()
        for comparison in _comparisons(each):
            for negated in (False, True):
                if (comparison, negated) in _NAMES:
                    self._add_comparison(comparison, negated=negated)
        self.comparison.blockSignals(False)
        words = words_of(each)
        completer = QCompleter(words, self.value)
        completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        completer.setFilterMode(Qt.MatchFlag.MatchContains)
        self.value.setCompleter(completer if words else None)  # type: ignore[arg-type] # Qt takes none
        self.value.setPlaceholderText(next(iter(words), ""))

    def _add_comparison(self, comparison: Comparison, *, negated: bool) -> None:
        name = _NAMES.get((comparison, negated))
        text = _tr(name) if name else f"{'not ' if negated else ''}{comparison}"
        self.comparison.addItem(text, (comparison, negated))

    def _index_of(self, comparison: Comparison, *, negated: bool) -> int:
        data = [self.comparison.itemData(index) for index in range(self.comparison.count())]
        wanted = (comparison, negated)
        return data.index(wanted) if wanted in data else -1

    def _name(self) -> None:
        names = (
            (self.column, self.tr("Column")),
            (self.comparison, self.tr("Comparison")),
            (self.value, self.tr("Value")),
            (self.remove, self.tr("Remove this condition")),
        )
        for widget, name in names:
            widget.setAccessibleName(name)
        for box in (self.column, self.comparison):
            box.view().setAccessibleName(box.accessibleName())
            box.setMaxVisibleItems(_LONGEST_LIST)
            box.setSizeAdjustPolicy(
                QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
            )
        self.remove.setToolTip(self.remove.accessibleName())


class ConditionForm(QWidget):
    """The rows of a condition, of which all or any have to hold."""

    changed = Signal()

    def __init__(self, rows: ConditionRows, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.lines: list[ConditionLine] = []
        self.joining = QComboBox()
        self.joining.addItem(self.tr("All of these hold"), " and ")
        self.joining.addItem(self.tr("Any of these holds"), " or ")
        self.joining.setMinimumHeight(CONTROL_HEIGHT)
        self.joining.setAccessibleName(self.tr("Conditions"))
        self.joining.setCurrentIndex(int(rows.any_of))
        self.add = QToolButton()
        self.add.setText(self.tr("Add condition"))
        self.add.setProperty("raised", True)
        self._rows = QVBoxLayout()
        self._rows.setSpacing(theme.SPACE_XS)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(theme.SPACE_XS)
        column.addWidget(self.joining, 0, Qt.AlignmentFlag.AlignLeft)
        column.addLayout(self._rows)
        column.addWidget(self.add, 0, Qt.AlignmentFlag.AlignLeft)
        for row in rows.rows:
            self.add_row(row)
        self.joining.currentIndexChanged.connect(self.changed)
        self.add.clicked.connect(self._add_new)

    def text(self) -> str:
        """The condition as text."""
        joining: str = self.joining.currentData()
        return joining.join(line.text() for line in self.lines)

    def set_rows(self, rows: ConditionRows) -> None:
        """Replace the rows."""
        for line in list(self.lines):
            self._remove(line)
        self.joining.setCurrentIndex(int(rows.any_of))
        for row in rows.rows:
            self.add_row(row)

    def add_row(self, row: ConditionRow) -> ConditionLine:
        """Add a row at the end."""
        line = ConditionLine(row)
        line.changed.connect(self.changed)
        line.removed.connect(lambda: self._remove(line))
        self.lines.append(line)
        self._rows.addWidget(line)
        self._enable()
        return line

    def _add_new(self) -> None:
        self.add_row(NEW_ROW).value.setFocus()

    def _remove(self, line: ConditionLine) -> None:
        self.lines.remove(line)
        self._rows.removeWidget(line)
        line.hide()
        line.deleteLater()
        self._enable()

    def _enable(self) -> None:
        several = len(self.lines) > 1
        self.joining.setVisible(several)
        for line in self.lines:
            line.remove.setEnabled(several)
        self.changed.emit()


NEW_ROW: Final = ConditionRow(ColumnTest("url", Comparison.CONTAINS))


def rows_or_new(rows: ConditionRows | None) -> ConditionRows:
    """The rows, or an empty one to fill in."""
    return ConditionRows((NEW_ROW,)) if rows is None else rows
