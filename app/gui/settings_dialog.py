"""The settings of the next crawl. Not modal: it never stands in a crawl's way."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QSizePolicy,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from app.gui import settings_form, theme
from app.gui.messages import InlineMessage
from app.gui.settings_form import DEFAULTS, Field, settings_of
from app.model.errors import UsageError
from app.model.settings import CrawlSettings

_LABEL_WIDTH = 96
_WIDTH = 600


class SettingsDialog(QDialog):
    """A form over CrawlSettings. `chosen` carries the new settings once they are accepted."""

    chosen = Signal(object)

    def __init__(self, settings: CrawlSettings, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("settings-dialog")
        self.setWindowTitle(self.tr("Crawl settings"))
        self.setWindowModality(Qt.WindowModality.NonModal)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setMinimumWidth(_WIDTH)
        self._settings = settings
        pages = (
            (self.tr("Limits"), settings_form.limits()),
            (self.tr("Scope"), settings_form.scope()),
            (self.tr("Requests"), settings_form.requests()),
            (self.tr("Reading"), settings_form.reading()),
        )
        self._fields = [field for _, fields in pages for field in fields]
        self.message = InlineMessage()
        tabs = QTabWidget()
        tabs.setDocumentMode(True)
        for title, fields in pages:
            tabs.addTab(_page(fields), title)
        note = QLabel(
            self.tr("These settings are for the next crawl. Workers can be changed at any time.")
        )
        note.setProperty("muted", True)
        note.setWordWrap(True)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.message)
        column.addWidget(tabs, 1)
        column.addLayout(_inset(note))
        column.addLayout(_inset(self._buttons()))
        self._write(settings)

    def field(self, name: str) -> Field:
        """The field of the setting `name`."""
        return next(field for field in self._fields if field.name == name)

    def accept(self) -> None:
        """Take the settings over if they can be used; else say in a sentence why not."""
        try:
            settings = settings_of(self._fields, self._settings)
        except UsageError as e:
            self.message.show_text("error", str(e))
            return
        self.chosen.emit(settings)
        super().accept()

    def restore_defaults(self) -> None:
        """Put the default into every field."""
        self._write(DEFAULTS)

    def _write(self, settings: CrawlSettings) -> None:
        for field in self._fields:
            field.write(getattr(settings, field.name))

    def _buttons(self) -> QDialogButtonBox:
        kinds = QDialogButtonBox.StandardButton
        box = QDialogButtonBox(kinds.RestoreDefaults | kinds.Cancel | kinds.Save)
        box.accepted.connect(self.accept)
        box.rejected.connect(self.reject)
        defaults = box.button(kinds.RestoreDefaults)
        defaults.clicked.connect(self.restore_defaults)
        box.button(kinds.Save).setProperty("primary", True)
        return box


def _page(fields: list[Field]) -> QWidget:
    page = QWidget()
    form = QFormLayout(page)
    form.setContentsMargins(theme.SPACE_L, theme.SPACE_L, theme.SPACE_L, theme.SPACE_S)
    form.setHorizontalSpacing(theme.SPACE_M)
    form.setVerticalSpacing(theme.SPACE_M)
    form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
    for field in fields:
        label = QLabel(field.label)
        label.setMinimumWidth(_LABEL_WIDTH)
        label.setBuddy(field.widget)
        if not isinstance(field.widget, QCheckBox):
            field.widget.setAccessibleName(field.label)
        field.widget.setObjectName(f"setting-{field.name}")
        form.addRow(label, _with_hint(field))
    return page


def _with_hint(field: Field) -> QWidget:
    """The widget, and below it what it means and what it is by default."""
    parts = [field.hint]
    if field.default:
        parts.append(settings_form.tr("Default: {value}.").format(value=field.default))
    text = " ".join(filter(None, parts))
    hint = QLabel(text)
    hint.setProperty("muted", True)
    hint.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
    field.widget.setAccessibleDescription(text)
    box = QWidget()
    box.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
    column = QVBoxLayout(box)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(theme.SPACE_XS)
    column.addWidget(field.widget)
    if text:
        column.addWidget(hint)
    return box


def _inset(widget: QWidget) -> QHBoxLayout:
    row = QHBoxLayout()
    row.setContentsMargins(theme.SPACE_L, theme.SPACE_S, theme.SPACE_L, theme.SPACE_S)
    row.addWidget(widget)
    return row
