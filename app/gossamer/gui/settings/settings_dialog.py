"""The modeless settings dialog: edits the defaults, the next crawl or the current crawl."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum, auto
from typing import Final

import msgspec
from PySide6.QtCore import QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QVBoxLayout,
    QWidget,
)

from gossamer.gui.crawl.session_interfaces import NO_ACCESS, TypedCredentials
from gossamer.gui.custom_definitions.definition_list import DefinitionList
from gossamer.gui.look import theme
from gossamer.gui.look.stylesheet import CONTROL_HEIGHT
from gossamer.gui.settings.browser_status import BrowserStatus
from gossamer.gui.settings.profile_menu import ProfileMenu
from gossamer.gui.settings.secrets_status import SecretsStatus
from gossamer.gui.settings.settings_fields import SettingField
from gossamer.gui.settings.settings_page import SettingRow, SettingsForm, SettingsPage
from gossamer.gui.text.language import NAMES, Language
from gossamer.gui.text.translated_sentences import spoken
from gossamer.gui.widgets.help_context import explain
from gossamer.gui.widgets.labels import buddy, name_inner
from gossamer.gui.widgets.message_bar import InlineMessage
from gossamer.gui.widgets.window_geometry import PageScroll, fitted
from gossamer.model.client_certificate import ClientCertificate
from gossamer.model.errors import UsageError
from gossamer.model.login_form import LoginForm
from gossamer.model.secrets import HttpAuth, OriginSecrets, SecretNames, Secrets
from gossamer.model.settings.crawl_settings import DEFAULTS, REUSABLE, CrawlSettings
from gossamer.session.live_settings import CHANGEABLE
from gossamer.session.profile_store import ProfileStore

_SIZE: Final = (760, 640)
_SECTIONS_WIDTH: Final = 136
_NAME: Final = Qt.ItemDataRole.UserRole


class SettingsTarget(Enum):
    """What the edited settings apply to."""

    DEFAULTS = auto()
    """New crawls."""
    NEXT = auto()
    """Only the next crawl."""
    CRAWL = auto()
    """The crawl shown; changes apply at once."""


@dataclass(frozen=True, slots=True)
class SettingsDialogSubject:
    """The subject of a settings dialog: whose settings it edits, and what else it shows.

    A button restores `defaults`. `check` raises UsageError if the changes are not possible.
    Secrets are for the origins of `roots`; `needs` are the missing ones.
    """

    subject: SettingsTarget = SettingsTarget.NEXT
    defaults: CrawlSettings = DEFAULTS
    check: Callable[[CrawlSettings], object] = lambda _settings: None
    roots: tuple[str, ...] = ()
    access: TypedCredentials = NO_ACCESS
    needs: tuple[SecretNames, ...] = ()


class SettingsDialog(QDialog):
    """The dialog that edits CrawlSettings, and the secrets, which are kept separately.

    Title and first line state what the settings apply to. `chosen` carries the new settings once
    they are accepted; `access` then has the secrets. `forget_wanted` asks to delete the stored
    secrets of this site, `language_wanted` for another language of the window, `trial_wanted` to
    try definitions on a page, `login_wanted` for a login by browser, `form_login_wanted` by form.
    """

    chosen = Signal(object)
    forget_wanted = Signal()
    login_wanted = Signal()
    form_login_wanted = Signal()
    language_wanted = Signal(str)
    trial_wanted = Signal()

    def __init__(
        self,
        settings: CrawlSettings,
        parent: QWidget | None = None,
        *,
        about: SettingsDialogSubject | None = None,
        profiles: ProfileStore | None = None,
        spoken_now: Language = "system",
    ) -> None:
        super().__init__(parent)
        self.setObjectName("settings-dialog")
        explain(self, "window/settings")
        self.about = about = about or SettingsDialogSubject()
        title, self._first_line = self._words()
        self.setWindowTitle(title)
        self.setWindowModality(Qt.WindowModality.NonModal)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._settings = settings
        self.access = about.access
        self._form = SettingsForm()
        self._secrets = {field.name for field in self._form.access}
        self.credentials = SecretsStatus(about.needs)
        self._login = about.access.login
        self._login_form = about.access.login_form
        self.message = InlineMessage()
        self.search = self._search_field()
        self._spoken_now = spoken_now
        self.language = self._languages()
        self._scroll = PageScroll(self)
        self.browser_status = BrowserStatus()
        self.page = SettingsPage(
            self._form.sections,
            lambda field: field.name not in self._secrets,
            {"access": self.credentials, "rendering": self.browser_status},
            about.defaults,
            self._scroll.viewport(),
        )
        self._scroll.setWidget(self.page)
        self.profiles = ProfileMenu(profiles or ProfileStore())
        self._section = self._form.sections[0].name
        self.sections = self._list_of_sections()
        self._lay_out()
        self._connect()
        self._write(settings, about.access)
        self._restrict()
        for each in self.findChildren(DefinitionList):
            each.offer_trial(self.trial_wanted.emit)
        self.resize(fitted(_SIZE, self.screen().availableGeometry()))
        name_inner(self)
        if about.needs:
            self.show_section("access")

    def field(self, name: str) -> SettingField:
        """The field of the setting `name`."""
        return self.row(name).field

    def row(self, name: str) -> SettingRow:
        """The row of the setting `name`."""
        return next(row for row in self.page.rows if row.field.name == name)

    def accept(self) -> None:
        """Accept valid settings; show the first error otherwise."""
        wrong = next((row for row in self.page.rows if row.error()), None)
        try:
            settings, access = self.read_with_secrets()
            self.about.check(settings)
        except UsageError as e:
            self.message.show_text("error", spoken(e.said) if wrong is None else wrong.error())
            if wrong is not None:
                self.show_section(self.page.section_of(wrong))
                self.page.adjustSize()
                self._scroll.ensureWidgetVisible(wrong)
                wrong.field.widget.setFocus()
            return
        self.access = access
        self.chosen.emit(settings)
        super().accept()
        # Last, because the window and this dialog are recreated in that language.
        if (wanted := self.language.currentData()) != self._spoken_now:
            self.language_wanted.emit(wanted)

    def restore_defaults(self) -> None:
        """Restore the default of every field that can be changed."""
        self.write(msgspec.structs.asdict(self.about.defaults))
        if self.about.subject is not SettingsTarget.DEFAULTS:
            self._write_access(NO_ACCESS)

    def read(self) -> CrawlSettings:
        """The settings in the fields, without secrets; UsageError about an invalid value."""
        return self.read_with_secrets()[0]

    def write(self, changes: Mapping[str, object]) -> None:
        """Put values into the fields of these settings that can be changed."""
        for row in self.page.rows:
            if row.field.name in changes and row.isEnabled() and not row.is_omitted:
                row.field.write(changes[row.field.name])

    def show_message(self, sentence: str) -> None:
        """Show a message above the form."""
        self.message.show_text("info", sentence)

    def show_section(self, name: str) -> None:
        """Show the section called `name`, and end a search."""
        self._section = name
        self.search.clear()
        self._show_matching()

    def show_setting(self, name: str) -> None:
        """Show the section of a setting, and focus its field."""
        row = next(row for row in self.page.rows if row.field.name == name)
        self.show_section(self.page.section_of(row))
        row.field.widget.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self._scroll.keep_in_sight(row)

    def _words(self) -> tuple[str, str]:
        """The title, and the first line below it."""
        return {
            SettingsTarget.DEFAULTS: (
                self.tr("Default settings"),
                self.tr("New crawls start with these settings."),
            ),
            SettingsTarget.NEXT: (
                self.tr("Settings of the next crawl"),
                self.tr("For the next crawl only. The defaults do not change."),
            ),
            SettingsTarget.CRAWL: (
                self.tr("Settings of this crawl"),
                self.tr(
                    "Changes apply to this crawl immediately. Greyed-out settings cannot change "
                    "once a crawl has started: choose “New crawl with these settings” in the menu "
                    "File."
                ),
            ),
        }[self.about.subject]

    def _restrict(self) -> None:
        """Omit or disable what cannot be changed here."""
        for row in self.page.rows:
            name = row.field.name
            if self.about.subject is SettingsTarget.DEFAULTS:
                row.is_omitted = name in self._secrets or name not in REUSABLE
            elif self.about.subject is SettingsTarget.CRAWL and name not in {
                *self._secrets,
                "headers",
            }:
                row.setEnabled(name in CHANGEABLE)
        self._show_matching()

    def _write(self, settings: CrawlSettings, access: TypedCredentials) -> None:
        for field in self._form.of_settings():
            field.write(getattr(settings, field.name))
        self._write_access(access)

    def _write_access(self, access: TypedCredentials) -> None:
        secrets = access.secrets
        self.field("headers").write((*self._settings.headers, *secrets.headers))
        self.field("user").write("" if secrets.auth is None else secrets.auth.user)
        self.field("password").write("" if secrets.auth is None else secrets.auth.password)
        self.field("digest").write(secrets.auth is not None and secrets.auth.is_digest)
        certificate = secrets.certificate or ClientCertificate("")
        self.field("certificate").write(certificate.path)
        self.field("passphrase").write(certificate.passphrase)
        self.field("cookies").write(secrets.cookies)
        self.field("remember").write(access.remember)
        self.take_login(access.login, access.login_form)

    @property
    def login_form(self) -> LoginForm | None:
        """The form of the login, made here or in the crawl."""
        return self._login_form or self._settings.login_form

    def take_login(self, login: Secrets, form: LoginForm | None = None) -> None:
        """Add a login to the typed secrets, and its form if it was made with one."""
        self._login, self._login_form = login, form
        self.credentials.show_login(login)

    def read_with_secrets(self) -> tuple[CrawlSettings, TypedCredentials]:
        """The settings without private headers, and the secrets with them."""
        settings = self._form.settings(self._settings)
        user, password = self.field("user").read(), self.field("password").read()
        is_digest, path = self.field("digest").read(), self.field("certificate").read()
        secrets = OriginSecrets(
            auth=HttpAuth(user, password, is_digest) if user or password else None,
            cookies=self.field("cookies").read(),
            headers=settings.headers,
            certificate=ClientCertificate(path, self.field("passphrase").read()) if path else None,
        )
        settings = msgspec.structs.replace(settings, headers=())
        remember = self.field("remember").read()
        login = self._login
        return settings, TypedCredentials(secrets.checked(), remember, login, self._login_form)

    def _show_matching(self) -> None:
        """Show the search results of all sections, or the chosen section without a search."""
        typed = self.search.text().strip()
        found = self.page.show_matching(typed, self._section)
        marked = found[0] if typed and found else self._section
        with QSignalBlocker(self.sections):
            for row in range(self.sections.count()):
                item = self.sections.item(row)
                item.setHidden(item.data(_NAME) not in found)
                if item.data(_NAME) == marked:
                    self.sections.setCurrentItem(item)
        self._nothing.setVisible(not found)
        self._scroll.go_to_top()

    def _turn_to(self, item: QListWidgetItem) -> None:
        self.show_section(str(item.data(_NAME)))

    def _search_field(self) -> QLineEdit:
        field = QLineEdit()
        field.setPlaceholderText(self.tr("Search settings"))
        field.setAccessibleName(self.tr("Search settings"))
        field.setClearButtonEnabled(True)
        field.setFixedHeight(CONTROL_HEIGHT)
        return field

    def _list_of_sections(self) -> QListWidget:
        sections = QListWidget()
        sections.setObjectName("settings-sections")
        sections.setAccessibleName(self.tr("Sections"))
        sections.setFixedWidth(_SECTIONS_WIDTH)
        sections.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        for section in self._form.sections:
            item = QListWidgetItem(section.title, sections)
            item.setData(_NAME, section.name)
            item.setSizeHint(QSize(0, CONTROL_HEIGHT))
        return sections

    def _languages(self) -> QComboBox:
        box = QComboBox()
        box.setObjectName("language")
        box.setMinimumHeight(CONTROL_HEIGHT)
        box.addItem(self.tr("System default"), "system")
        for language, own_name in NAMES.items():
            box.addItem(own_name, language)
        box.setCurrentIndex(box.findData(self._spoken_now))
        return box

    def _connect(self) -> None:
        self.credentials.forget_wanted.connect(self.forget_wanted)
        self.credentials.login_wanted.connect(self.login_wanted)
        self.credentials.form_login_wanted.connect(self.form_login_wanted)
        self.credentials.agent_wanted.connect(self.field("user_agent").write)
        self.browser_status.follow(self.field("browser"))
        self.search.textChanged.connect(self._show_matching)
        # A click or Enter on the current section also ends a search.
        self.sections.currentItemChanged.connect(self._turn_to)
        self.sections.itemActivated.connect(self._turn_to)
        self.sections.itemClicked.connect(self._turn_to)
        QShortcut(QKeySequence.StandardKey.Find, self, self.search.setFocus)

    def _lay_out(self) -> None:
        self._nothing = QLabel(self.tr("No settings match."))
        self._nothing.setProperty("muted", True)
        self._nothing.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._nothing.hide()
        first = QLabel(self._first_line)
        first.setObjectName("settings-subject")
        first.setWordWrap(True)
        top = QHBoxLayout()
        top.setContentsMargins(theme.SPACE_L, theme.SPACE_M, theme.SPACE_L, theme.SPACE_S)
        top.setSpacing(theme.SPACE_S)
        top.addWidget(self.search, 1)
        self.profiles.setFixedHeight(CONTROL_HEIGHT)
        top.addWidget(self.profiles)
        body = QHBoxLayout()
        body.setContentsMargins(theme.SPACE_M, 0, 0, 0)
        body.setSpacing(0)
        body.addWidget(self.sections)
        body.addWidget(self._scroll, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(_inset(first))
        column.addLayout(top)
        column.addWidget(self._nothing)
        column.addLayout(body, 1)
        # Below the fields, so that showing or hiding it moves none of them.
        column.addWidget(self.message)
        label = buddy(self.tr("Window &language"), self.language)
        bottom = _inset(label, self.language, self._buttons())  # one row: screens may be low
        bottom.insertSpacing(2, theme.SPACE_M)
        bottom.setStretch(3, 1)
        column.addLayout(bottom)

    def _buttons(self) -> QDialogButtonBox:
        kinds = QDialogButtonBox.StandardButton
        box = QDialogButtonBox(kinds.RestoreDefaults | kinds.Cancel | kinds.Save)
        box.accepted.connect(self.accept)
        box.rejected.connect(self.reject)
        box.button(kinds.RestoreDefaults).clicked.connect(self.restore_defaults)
        box.button(kinds.Save).setProperty("primary", True)
        if self.about.subject is not SettingsTarget.DEFAULTS:
            at_once = self.about.subject is SettingsTarget.CRAWL
            box.button(kinds.Save).setText(self.tr("Apply") if at_once else self.tr("Use"))
        return box


def _inset(*widgets: QWidget) -> QHBoxLayout:
    row = QHBoxLayout()
    row.setContentsMargins(theme.SPACE_L, theme.SPACE_S, theme.SPACE_L, theme.SPACE_S)
    row.setSpacing(theme.SPACE_S)
    for widget in widgets:
        row.addWidget(widget)
    return row
