"""Widgets one below the other, without space between them."""

from PySide6.QtWidgets import QVBoxLayout, QWidget


def column_of(*parts: QWidget, filling: QWidget, inside: QWidget | None = None) -> QWidget:
    """Lay out `parts` in a new widget, or `inside` one; `filling` takes the height left over."""
    widget = inside or QWidget()
    column = QVBoxLayout(widget)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(0)
    for part in parts:
        column.addWidget(part, int(part is filling))
    return widget
