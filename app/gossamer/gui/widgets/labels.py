"""Labels, tool tips and accessible names of widgets."""

from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QComboBox,
    QFormLayout,
    QLabel,
    QLineEdit,
    QSizePolicy,
    QToolButton,
    QWidget,
)

from gossamer.gui.look.stylesheet import CONTROL_HEIGHT
from gossamer.gui.text import local_formatting as formatting
from gossamer.gui.text.translated_sentences import without_key

_WRAPPED: Final = 16
"""The least width of a text that is wrapped, in average characters."""
_OUTER: Final = (QAbstractSpinBox, QComboBox, QLineEdit)


def buddy(text: str, field: QWidget) -> QLabel:
    """A label that names `field` for the eye, the keyboard and the screen reader."""
    label = QLabel(text)
    label.setTextFormat(Qt.TextFormat.PlainText)  # a page may have named the field
    label.setBuddy(field)
    field.setAccessibleName(without_key(text))
    return label


def wrap_text(label: QLabel) -> None:
    """Show plain text on several lines, without a long word widening the window.

    Qt breaks lines between words alone, and a label is at least as wide as its longest word, which
    may be a file name or a text from the web. Here the end of such a word is cut.
    """
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setWordWrap(True)
    label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
    label.setMinimumWidth(label.fontMetrics().averageCharWidth() * _WRAPPED)


def describe(widget: QWidget, *lines: str) -> None:
    """Give it a tool tip of plain `lines`. A screen reader gets them without formatting."""
    widget.setToolTip(formatting.tooltip(*lines))
    widget.setAccessibleDescription("\n".join(formatting.clean(line) for line in lines if line))


def centre_labels(form: QFormLayout) -> None:
    """Align each label with the middle of its field, or with the first line of a tall one.

    The layout itself puts labels at the top of their rows.
    """
    for row in range(form.rowCount()):
        item = form.itemAt(row, QFormLayout.ItemRole.LabelRole)
        label = None if item is None else item.widget()
        field = label.buddy() if isinstance(label, QLabel) else None
        if label is not None and field is not None:
            height = max(field.minimumHeight(), field.sizeHint().height())
            label.setMinimumHeight(height if height < 2 * CONTROL_HEIGHT else CONTROL_HEIGHT)


def name_inner(window: QWidget) -> None:
    """Give Qt's inner fields and buttons the names of the fields that contain them.

    They have the keyboard focus, and so the attention of the screen reader.
    """
    for inner in (*window.findChildren(QLineEdit), *window.findChildren(QToolButton)):
        outer = inner.parentWidget()
        if isinstance(outer, _OUTER) and not inner.accessibleName():
            inner.setAccessibleName(outer.accessibleName())
