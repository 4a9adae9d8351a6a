"""The fields for the limits of a query, and how many of its rows are shown."""

from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QSpinBox, QWidget

from gossamer.gui.look import theme
from gossamer.gui.runtime.saved_ui_state import UiState
from gossamer.gui.sql.query_interfaces import MOST_ROWS
from gossamer.gui.widgets.flow_layout import FlowLayout
from gossamer.gui.widgets.labels import buddy
from gossamer.model.query_limits import QueryLimits

_MEGABYTE: Final = 1024 * 1024
_USUAL: Final = QueryLimits()
_MOST_SHOWN: Final = 100_000
"""More rows are for a file: they would take the window's memory, and nobody reads them."""


class LimitFields(QWidget):
    """Seconds, memory and rows; the choice is restored the next time.

    They wrap if the window is narrow, and so does what is added next to them.
    """

    def __init__(self, memory: UiState, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._memory = memory
        self.time = _field(1, 3_600, self.tr(" s"))
        self.memory = _field(16, 65_536, " MB")
        self.rows = _field(100, _MOST_SHOWN, "")
        usual = (int(_USUAL.time_s), _USUAL.memory_bytes // _MEGABYTE, MOST_ROWS)
        self._flow = FlowLayout(self, theme.SPACE_L)
        self._flow.setContentsMargins(0, 0, 0, 0)
        fields = (
            (self.tr("Ti&me limit"), self.time),
            (self.tr("Memor&y limit"), self.memory),
            (self.tr("Rows sho&wn"), self.rows),
        )
        for (words, field), value in zip(fields, memory.query_limits() or usual, strict=True):
            field.setValue(min(value, field.maximum()))
            named = QWidget()
            row = QHBoxLayout(named)
            row.setContentsMargins(0, 0, 0, 0)
            row.setSpacing(theme.SPACE_S)
            row.addWidget(buddy(words, field))
            row.addWidget(field)
            self._flow.addWidget(named)
            field.editingFinished.connect(self._remember)

    def put_beside(self, widget: QWidget) -> None:
        """Add a widget after them, with the same height."""
        widget.setMinimumHeight(self.rows.sizeHint().height())
        self._flow.addWidget(widget)

    def limits(self) -> QueryLimits:
        """The limits of a query."""
        return QueryLimits(float(self.time.value()), self.memory.value() * _MEGABYTE)

    def most_rows(self) -> int:
        """How many rows of a result are shown."""
        return self.rows.value()

    def _remember(self) -> None:
        fields = (self.time, self.memory, self.rows)
        self._memory.remember_query_limits([field.value() for field in fields])


def _field(low: int, high: int, unit: str) -> QSpinBox:
    field = QSpinBox()
    field.setRange(low, high)
    field.setSuffix(unit)
    field.setGroupSeparatorShown(True)
    field.setFont(theme.tabular(field.font()))
    field.setAlignment(Qt.AlignmentFlag.AlignRight)
    return field
