"""Labels, tool tips and accessible names of widgets."""

from typing import Final

from PySide6.QtWidgets import QAbstractSpinBox, QComboBox, QLabel, QLineEdit, QToolButton, QWidget

from gossamer.gui.text import local_formatting as formatting
from gossamer.gui.text.translated_sentences import without_key

_OUTER: Final = (QAbstractSpinBox, QComboBox, QLineEdit)


def buddy(text: str, field: QWidget) -> QLabel:
    """A label that names `field` for the eye, the keyboard and the screen reader."""
    label = QLabel(text)
    label.setBuddy(field)
    field.setAccessibleName(without_key(text))
    return label


def describe(widget: QWidget, *lines: str) -> None:
    """Give it a tool tip of plain `lines`. A screen reader gets them without what lays it out."""
    widget.setToolTip(formatting.tooltip(*lines))
    widget.setAccessibleDescription("\n".join(formatting.clean(line) for line in lines if line))


def name_inner(window: QWidget) -> None:
    """Give the fields and signs that Qt puts into other fields the names of these.

    The keyboard is in them, and so is the screen reader.
    """
    for inner in (*window.findChildren(QLineEdit), *window.findChildren(QToolButton)):
        outer = inner.parentWidget()
        if isinstance(outer, _OUTER) and not inner.accessibleName():
            inner.setAccessibleName(outer.accessibleName())
