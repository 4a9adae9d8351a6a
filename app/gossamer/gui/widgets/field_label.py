"""Labels that name the field beside them."""

from PySide6.QtWidgets import QLabel, QWidget

from gossamer.gui.text.sentences import without_key


def buddy(text: str, field: QWidget) -> QLabel:
    """A label that names `field` for the eye, the keyboard and the screen reader."""
    label = QLabel(text)
    label.setBuddy(field)
    field.setAccessibleName(without_key(text))
    return label
