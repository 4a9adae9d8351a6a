"""The settings of the next crawl. Not modal: it never stands in a crawl's way."""

import msgspec
from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSizePolicy,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from app.gui import settings_form, theme
from app.gui.messages import InlineMessage
from app.gui.page_scroll import PageScroll
from app.gui.sessions import NO_ACCESS, Access
from app.gui.settings_form import DEFAULTS, Field, settings_of
from app.model.errors import UsageError
from app.model.secrets import BasicAuth, OriginSecrets, SecretNames, is_secret
from app.model.settings import CrawlSettings

_LABEL_WIDTH = 96
_ACCESS = 3
"""The place of the page of secrets among the others."""
_WIDTH = 600


class SettingsDialog(QDialog):
    """A form over CrawlSettings, and over the secrets that are none of them.

    `chosen` carries the new settings once they are accepted; `access` then has the secrets.
    `forget_wanted` asks for the keyring to forget those of this site.
    """

    chosen = Signal(object)
    forget_wanted = Signal()

    def __init__(
        self,
        settings: CrawlSettings,
        parent: QWidget | None = None,
        *,
        access: Access = NO_ACCESS,
        needs: tuple[SecretNames, ...] = (),
    ) -> None:
        super().__init__(parent)
        self.setObjectName("settings-dialog")
        self.setWindowTitle(self.tr("Crawl settings"))
        self.setWindowModality(Qt.WindowModality.NonModal)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setMinimumWidth(_WIDTH)
        self._settings = settings
        self.access = access
        self._secret_fields = settings_form.access()
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
            tabs.addTab(PageScroll(_page(fields)), title)
        access_page = PageScroll(_page(self._secret_fields, _note(needs), self._forget_button()))
        tabs.insertTab(_ACCESS, access_page, self.tr("Access"))
        if needs:
            tabs.setCurrentIndex(_ACCESS)
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
        self._write(settings, access)

    def field(self, name: str) -> Field:
        """The field of the setting `name`."""
        fields = (*self._fields, *self._secret_fields)
        return next(field for field in fields if field.name == name)

    def accept(self) -> None:
        """Take the settings over if they can be used; else say in a sentence why not."""
        try:
            settings = settings_of(self._fields, self._settings)
            settings, self.access = self._without_secrets(settings)
        except UsageError as e:
            self.message.show_text("error", str(e))
            return
        self.chosen.emit(settings)
        super().accept()

    def restore_defaults(self) -> None:
        """Put the default into every field."""
        self._write(DEFAULTS, NO_ACCESS)

    def _write(self, settings: CrawlSettings, access: Access) -> None:
        secrets = access.secrets
        headers = (*settings.headers, *secrets.headers)
        for field in self._fields:
            field.write(headers if field.name == "headers" else getattr(settings, field.name))
        self.field("user").write("" if secrets.auth is None else secrets.auth.user)
        self.field("password").write("" if secrets.auth is None else secrets.auth.password)
        self.field("cookies").write(secrets.cookies)
        self.field("remember").write(access.remember)

    def _without_secrets(self, settings: CrawlSettings) -> tuple[CrawlSettings, Access]:
        """The settings without secret headers, and these with the rest of what is secret."""
        user, password = self.field("user").read(), self.field("password").read()
        secrets = OriginSecrets(
            auth=BasicAuth(user, password) if user or password else None,
            cookies=self.field("cookies").read(),
            headers=tuple(pair for pair in settings.headers if is_secret(pair[0])),
        )
        public = tuple(pair for pair in settings.headers if not is_secret(pair[0]))
        settings = msgspec.structs.replace(settings, headers=public)
        return settings, Access(secrets.checked(), self.field("remember").read())

    def tell(self, sentence: str) -> None:
        """Say something on top of the form."""
        self.message.show_text("info", sentence)

    def _forget_button(self) -> QPushButton:
        button = QPushButton(self.tr("Forget what is remembered"))
        button.setObjectName("forget-secrets")
        button.setAccessibleDescription(
            self.tr("Takes what the system's keyring has for this site out of it.")
        )
        button.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        button.setAutoDefault(False)
        button.clicked.connect(self.forget_wanted)
        return button

    def _buttons(self) -> QDialogButtonBox:
        kinds = QDialogButtonBox.StandardButton
        box = QDialogButtonBox(kinds.RestoreDefaults | kinds.Cancel | kinds.Save)
        box.accepted.connect(self.accept)
        box.rejected.connect(self.reject)
        defaults = box.button(kinds.RestoreDefaults)
        defaults.clicked.connect(self.restore_defaults)
        box.button(kinds.Save).setProperty("primary", True)
        return box


def _note(needs: tuple[SecretNames, ...]) -> QLabel:
    """What the page of secrets is about, and what is missing."""
    sentences = [
        settings_form.tr(
            "Sent to the addresses that the crawl starts from alone, and kept in no file. Secret"
            " headers, such as Authorization, are typed with the others."
        )
    ]
    if needs:
        missing = "; ".join(map(str, needs))
        sentences.insert(0, settings_form.tr("The crawl needs {what}.").format(what=missing))
    note = QLabel("\n".join(sentences))
    note.setTextFormat(Qt.TextFormat.PlainText)
    note.setWordWrap(True)
    return note


def _page(
    fields: list[Field], note: QLabel | None = None, button: QPushButton | None = None
) -> QWidget:
    page = QWidget()
    form = QFormLayout(page)
    if note is not None:
        form.addRow(note)
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
    if button is not None:
        form.addRow("", button)
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
