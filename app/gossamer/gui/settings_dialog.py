"""The settings of the next crawl. Not modal: it never stands in a crawl's way."""

from pathlib import Path
from typing import Final

import msgspec
from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QMenu,
    QPushButton,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from gossamer.gui import theme
from gossamer.gui.help_pages import explain
from gossamer.gui.language import NAMES, Language
from gossamer.gui.messages import InlineMessage
from gossamer.gui.page_scroll import PageScroll
from gossamer.gui.placement import fitted
from gossamer.gui.sessions import NO_ACCESS, Access
from gossamer.gui.settings_fields import CONTROL_HEIGHT, DEFAULTS, Field
from gossamer.gui.settings_form import SettingsForm
from gossamer.gui.settings_page import SettingRow, SettingsPage
from gossamer.gui.tips import name_inner
from gossamer.gui.top_bar import buddy
from gossamer.gui.words import spoken
from gossamer.model.errors import KnownError, UsageError
from gossamer.model.profiles import CHANGES, Profile
from gossamer.model.said import enumerated
from gossamer.model.secrets import BasicAuth, OriginSecrets, SecretNames
from gossamer.model.settings import CrawlSettings
from gossamer.session.settings_file import read_changes, save_settings

_SIZE: Final = (760, 640)
_SECTIONS_WIDTH: Final = 136
_NAME: Final = Qt.ItemDataRole.UserRole


class SettingsDialog(QDialog):
    """A form over CrawlSettings, and over the secrets that are none of them.

    `chosen` carries the new settings once they are accepted; `access` then has the secrets.
    `forget_wanted` asks for the keyring to forget those of this site, `language_wanted` for
    another language of the window, which is no setting of a crawl.
    """

    chosen = Signal(object)
    forget_wanted = Signal()
    language_wanted = Signal(str)

    def __init__(
        self,
        settings: CrawlSettings,
        parent: QWidget | None = None,
        *,
        access: Access = NO_ACCESS,
        needs: tuple[SecretNames, ...] = (),
        spoken_now: Language = "system",
    ) -> None:
        super().__init__(parent)
        self.setObjectName("settings-dialog")
        explain(self, "settings")
        self.setWindowTitle(self.tr("Crawl settings"))
        self.setWindowModality(Qt.WindowModality.NonModal)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._settings = settings
        self.access = access
        self._form = SettingsForm()
        self._secrets = {field.name for field in self._form.access}
        self.message = InlineMessage()
        self.search = QLineEdit()
        self._spoken_now = spoken_now
        self.language = self._languages()
        self.page = SettingsPage(
            self._form.sections,
            lambda field: field.name not in self._secrets,
            {"access": self._about_secrets(needs)},
        )
        self._scroll = PageScroll(self.page)
        self.sections = self._list_of_sections()
        self._lay_out()
        self._connect()
        self._write(settings, access)
        self.resize(fitted(_SIZE, self.screen().availableGeometry()))
        name_inner(self)
        if needs:
            self.show_section("access")

    def field(self, name: str) -> Field:
        """The field of the setting `name`."""
        return self.row(name).field

    def row(self, name: str) -> SettingRow:
        """The row of the setting `name`."""
        return next(row for row in self.page.rows if row.field.name == name)

    def accept(self) -> None:
        """Take the settings over if they can be used; else say in a sentence why not."""
        wrong = next((row for row in self.page.rows if row.trouble()), None)
        try:
            settings, self.access = self._without_secrets(self._form.settings(self._settings))
        except UsageError as e:
            self.message.show_text("error", spoken(e.said))
            if wrong is not None:
                self.search.clear()
                self._scroll.ensureWidgetVisible(wrong)
                wrong.field.widget.setFocus()
            return
        self.chosen.emit(settings)
        super().accept()
        # Last: the window, and this dialog with it, is made anew in that language.
        if (wanted := self.language.currentData()) != self._spoken_now:
            self.language_wanted.emit(wanted)

    def restore_defaults(self) -> None:
        """Put the default into every field."""
        self._write(DEFAULTS, NO_ACCESS)

    def use_profile(self, profile: Profile) -> None:
        """Put what the profile says into the fields that it concerns."""
        for name, value in CHANGES[profile].items():
            self.field(name).write(value)

    def tell(self, sentence: str) -> None:
        """Say something on top of the form."""
        self.message.show_text("info", sentence)

    def import_from(self, path: Path) -> None:
        """Put what a file of settings, or a project, says into the fields; roots are left out."""
        try:
            changes = read_changes(path)
        except KnownError as e:
            self.message.show_text("error", spoken(e.said))
            return
        for row in self.page.rows:
            if row.field.name in changes:
                row.field.write(changes[row.field.name])
        self.tell(self.tr("The settings of {name} are shown; save to use them.").format(name=path))

    def export_to(self, path: Path) -> None:
        """Write what the fields say, without secrets, into a file."""
        try:
            settings, _ = self._without_secrets(self._form.settings(self._settings))
            save_settings(path, settings, replace=True)
        except KnownError as e:
            self.message.show_text("error", spoken(e.said))
        else:
            self.tell(self.tr("The settings are in {name}.").format(name=path))

    def show_section(self, name: str) -> None:
        """Scroll to the section called `name`."""
        self.page.adjustSize()
        self._scroll.verticalScrollBar().setValue(self.page.top_of(name))

    def _write(self, settings: CrawlSettings, access: Access) -> None:
        secrets = access.secrets
        for field in self._form.of_settings():
            if field.name == "headers":
                field.write((*settings.headers, *secrets.headers))
            else:
                field.write(getattr(settings, field.name))
        self.field("user").write("" if secrets.auth is None else secrets.auth.user)
        self.field("password").write("" if secrets.auth is None else secrets.auth.password)
        self.field("cookies").write(secrets.cookies)
        self.field("remember").write(access.remember)

    def _without_secrets(self, settings: CrawlSettings) -> tuple[CrawlSettings, Access]:
        """The settings without headers that are not public, and these with the other secrets."""
        user, password = self.field("user").read(), self.field("password").read()
        secrets = OriginSecrets(
            auth=BasicAuth(user, password) if user or password else None,
            cookies=self.field("cookies").read(),
            headers=settings.headers,
        )
        settings = msgspec.structs.replace(settings, headers=())
        return settings, Access(secrets.checked(), self.field("remember").read())

    def _show_fitting(self, typed: str) -> None:
        shown = self.page.show_fitting(typed)
        for row in range(self.sections.count()):
            item = self.sections.item(row)
            item.setHidden(item.data(_NAME) not in shown)
        self._nothing.setVisible(not shown)
        self._scroll.verticalScrollBar().setValue(0)

    def _follow_scrolling(self, value: int) -> None:
        at = self.page.section_at(value + theme.SPACE_L)
        for row in range(self.sections.count()):
            if self.sections.item(row).data(_NAME) == at:
                self.sections.setCurrentRow(row)

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
        box.addItem(self.tr("Like the system"), "system")
        for language, own_name in NAMES.items():
            box.addItem(own_name, language)
        box.setCurrentIndex(box.findData(self._spoken_now))
        return box

    def _profiles(self) -> QToolButton:
        button = QToolButton()
        button.setObjectName("profiles")
        button.setText(self.tr("Profile"))
        button.setProperty("raised", True)
        button.setProperty("menu", True)
        button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        menu = QMenu(button)
        for profile, title in (
            (Profile.POLITE, self.tr("Polite: slowly, for other people's sites")),
            (Profile.FAST, self.tr("Fast: on my own server")),
            (Profile.LINKS, self.tr("Links only: no images, scripts and styles")),
        ):
            action = menu.addAction(title)
            action.setObjectName(f"profile-{profile}")
            action.triggered.connect(lambda _checked, profile=profile: self.use_profile(profile))
        menu.addSeparator()
        for name, title, act in (
            ("import", self.tr("Import settings…"), self._ask_what_to_import),
            ("export", self.tr("Export settings…"), self._ask_where_to_export),
        ):
            action = menu.addAction(title)
            action.setObjectName(f"{name}-settings")
            action.triggered.connect(act)
        button.setMenu(menu)
        return button

    def _ask_what_to_import(self) -> None:
        dialog = self._file_dialog(self.tr("Import settings"))
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.fileSelected.connect(lambda name: self.import_from(Path(name)))
        dialog.open()

    def _ask_where_to_export(self) -> None:
        dialog = self._file_dialog(self.tr("Export settings"))
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setDefaultSuffix("toml")
        dialog.fileSelected.connect(lambda name: self.export_to(Path(name)))
        dialog.open()

    def _file_dialog(self, title: str) -> QFileDialog:
        dialog = QFileDialog(self, title, "", self.tr("Settings (*.toml);;Projects (*.gossamer)"))
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        return dialog

    def _connect(self) -> None:
        self.search.textChanged.connect(self._show_fitting)
        self.sections.itemActivated.connect(lambda item: self.show_section(item.data(_NAME)))
        self.sections.itemClicked.connect(lambda item: self.show_section(item.data(_NAME)))
        self._scroll.verticalScrollBar().valueChanged.connect(self._follow_scrolling)
        find = QShortcut(QKeySequence(QKeySequence.StandardKey.Find), self)
        find.activated.connect(self.search.setFocus)

    def _lay_out(self) -> None:
        self.search.setPlaceholderText(self.tr("Search the settings"))
        self.search.setAccessibleName(self.tr("Search the settings"))
        self.search.setClearButtonEnabled(True)
        self.search.setMinimumHeight(CONTROL_HEIGHT)
        self._nothing = QLabel(self.tr("No setting has these words."))
        self._nothing.setProperty("muted", True)
        self._nothing.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._nothing.hide()
        note = QLabel(
            self.tr("These settings are for the next crawl. Workers can be changed at any time.")
        )
        note.setProperty("muted", True)
        note.setWordWrap(True)
        top = QHBoxLayout()
        top.setContentsMargins(theme.SPACE_L, theme.SPACE_M, theme.SPACE_L, theme.SPACE_S)
        top.setSpacing(theme.SPACE_S)
        top.addWidget(self.search, 1)
        top.addWidget(self._profiles())
        body = QHBoxLayout()
        body.setSpacing(0)
        body.addWidget(self.sections)
        body.addWidget(self._scroll, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.message)
        column.addLayout(top)
        column.addWidget(self._nothing)
        column.addLayout(body, 1)
        bottom = _inset(note)
        bottom.setSpacing(theme.SPACE_S)
        bottom.setStretch(0, 1)
        bottom.addWidget(buddy(self.tr("&Language of the window"), self.language))
        bottom.addWidget(self.language)
        column.addLayout(bottom)
        column.addLayout(_inset(self._buttons()))

    def _buttons(self) -> QDialogButtonBox:
        kinds = QDialogButtonBox.StandardButton
        box = QDialogButtonBox(kinds.RestoreDefaults | kinds.Cancel | kinds.Save)
        box.accepted.connect(self.accept)
        box.rejected.connect(self.reject)
        box.button(kinds.RestoreDefaults).clicked.connect(self.restore_defaults)
        box.button(kinds.Save).setProperty("primary", True)
        return box

    def _about_secrets(self, needs: tuple[SecretNames, ...]) -> QWidget:
        """What the section of secrets is about, what is missing, and how to be rid of them."""
        box = QWidget()
        column = QVBoxLayout(box)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(theme.SPACE_S)
        column.addWidget(self._note(needs))
        button = QPushButton(self.tr("Forget what is remembered"))
        button.setObjectName("forget-secrets")
        button.setAccessibleDescription(
            self.tr("Takes what the system's keyring has for this site out of it.")
        )
        button.setAutoDefault(False)
        button.clicked.connect(self.forget_wanted)
        column.addWidget(button, 0, Qt.AlignmentFlag.AlignLeft)
        return box

    def _note(self, needs: tuple[SecretNames, ...]) -> QLabel:
        sentences = [
            self.tr(
                "Sent to the addresses that the crawl starts from alone, and kept in no file;"
                " so are the headers, but for the public ones."
            )
        ]
        if needs:
            missing = spoken(enumerated([needed.said for needed in needs]))
            sentences.insert(0, self.tr("The crawl needs {what}.").format(what=missing))
        note = QLabel("\n".join(sentences))
        note.setTextFormat(Qt.TextFormat.PlainText)
        note.setWordWrap(True)
        return note


def _inset(widget: QWidget) -> QHBoxLayout:
    row = QHBoxLayout()
    row.setContentsMargins(theme.SPACE_L, theme.SPACE_S, theme.SPACE_L, theme.SPACE_S)
    row.addWidget(widget)
    return row
