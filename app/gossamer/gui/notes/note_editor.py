"""The dialog that asks for the text of a note, and for the day if it is about one."""

from datetime import date
from typing import Final

from PySide6.QtCore import QDate, Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QDateEdit,
    QDialog,
    QDialogButtonBox,
    QHBoxLayout,
    QLabel,
    QPlainTextEdit,
    QVBoxLayout,
    QWidget,
)

from gossamer.gui.text import local_formatting as formatting
from gossamer.gui.widgets.help_context import explain

_SIZE: Final = (460, 220)
_LONGEST: Final = 80
"""Characters of what a note is about, in the title."""


class NoteEditor(QDialog):
    """Asks for the text of a note; Ctrl+Enter accepts it. With a `day`, which day it is about.

    `about` is what the note is about in words; without a text, the note is a new one.
    """

    def __init__(self, about: str, text: str, parent: QWidget, day: date | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        explain(self, "window/history")
        words = self.tr("Edit note about {subject}")
        if not text:
            words = self.tr("New note about {subject}")
        self.setWindowTitle(words.format(subject=formatting.clean(about, _LONGEST)))
        self.resize(*_SIZE)
        self._field = QPlainTextEdit(text)
        self._field.setAccessibleName(self.tr("Note"))
        self._field.setTabChangesFocus(True)
        self.day_field: QDateEdit | None = None
        box = QDialogButtonBox(
            QDialogButtonBox.StandardButton.Save | QDialogButtonBox.StandardButton.Cancel
        )
        box.accepted.connect(self.accept)
        box.rejected.connect(self.reject)
        self._save = box.button(QDialogButtonBox.StandardButton.Save)
        column = QVBoxLayout(self)
        if day is not None:
            column.addLayout(self._day_row(day))
        column.addWidget(self._field, 1)
        column.addWidget(box)
        self._field.textChanged.connect(self._enable)
        self._field.setFocus()
        for keys in ("Ctrl+Return", "Ctrl+Enter"):
            QShortcut(QKeySequence(keys), self).activated.connect(self._save.click)
        self._enable()

    def text(self) -> str:
        """What was typed."""
        return self._field.toPlainText()

    def day(self) -> str:
        """The day as a note has it, such as 2026-11-23; "" if it is about none."""
        if self.day_field is None:
            return ""
        chosen = self.day_field.date()
        return date(chosen.year(), chosen.month(), chosen.day()).isoformat()

    def _day_row(self, day: date) -> QHBoxLayout:
        self.day_field = QDateEdit(QDate(day.year, day.month, day.day))
        self.day_field.setCalendarPopup(True)
        label = QLabel(self.tr("&Day:"))
        label.setBuddy(self.day_field)
        row = QHBoxLayout()
        row.addWidget(label)
        row.addWidget(self.day_field)
        row.addStretch(1)
        return row

    def _enable(self) -> None:
        self._save.setEnabled(bool(self.text().strip()))
