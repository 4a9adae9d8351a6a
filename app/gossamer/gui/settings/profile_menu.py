"""The profile menu of the settings dialog: choose, save, rename, delete, import, export."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Final, Protocol, cast

from PySide6.QtCore import QCoreApplication, Signal
from PySide6.QtWidgets import QFileDialog, QInputDialog, QLineEdit, QMenu, QToolButton, QWidget

from gossamer.gui.text.translated_sentences import spoken
from gossamer.gui.widgets.message_bar import InlineMessage, MessageButton
from gossamer.model.errors import KnownError, UsageError
from gossamer.model.settings.built_in_profiles import Profile
from gossamer.model.settings.crawl_settings import REUSABLE, CrawlSettings
from gossamer.session.profile_store import ProfileStore
from gossamer.session.settings_file import read_changes, save_settings

_TITLE_BUTTONS: Final = 120
_NARROWEST: Final = 320


def built_in_titles() -> dict[str, str]:
    """The titles of the built-in profiles, with their purpose."""
    translate = QCoreApplication.translate
    return {
        Profile.POLITE: translate("Profiles", "Polite: slow, for sites you do not own"),
        Profile.FAST: translate("Profiles", "Fast: for your own server"),
        Profile.LINKS: translate("Profiles", "Links only: no images, scripts or styles"),
    }


class ProfileForm(Protocol):
    """The dialog that contains the profile menu."""

    @property
    def message(self) -> InlineMessage:
        """The message bar for results and errors."""

    def read(self) -> CrawlSettings:
        """The settings in the fields; UsageError about an invalid value."""

    def write(self, changes: Mapping[str, object]) -> None:
        """Put values into the fields."""


class ProfileMenu(QToolButton):
    """Acts on the form of its window. `kept` reports that profiles or defaults have changed."""

    kept = Signal()

    def __init__(self, profiles: ProfileStore, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._profiles = profiles
        self.setObjectName("profiles")
        self.setText(self.tr("Profile"))
        self.setProperty("raised", True)
        self.setProperty("menu", True)
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        menu = QMenu(self)
        menu.aboutToShow.connect(self.fill)
        self.setMenu(menu)
        self.fill()

    def fill(self) -> None:
        """Fill the menu with the current profiles."""
        menu = self.menu()
        menu.clear()
        own = self._own()
        for name, title in (built_in_titles() | {name: name for name in own}).items():
            self._offer(menu, f"profile-{name}", title, partial(self.use, name))
        menu.addSeparator()
        self._offer(menu, "save-profile", self.tr("Save as profile…"), self._ask_name)
        for word, title, act in (
            ("rename", self.tr("Rename profile"), self._ask_new_name),
            ("delete", self.tr("Delete profile"), self.delete),
        ):
            if own:
                more = menu.addMenu(title)
                for name in own:
                    self._offer(more, f"{word}-{name}", name, partial(act, name))
        self._offer(menu, "save-defaults", self.tr("Save as defaults"), self.save_defaults)
        menu.addSeparator()
        self._offer(menu, "import-settings", self.tr("Import settings…"), self._ask_what_to_import)
        self._offer(menu, "export-settings", self.tr("Export settings…"), self._ask_where_to_export)

    def use(self, name: str) -> None:
        """Put the values of a profile into its fields."""
        with self._showing_errors():
            self._form.write(self._profiles.changes(name))

    def save(self, name: str, *, overwrite: bool = False) -> None:
        """Save the fields as a profile; ask before an older one is replaced."""
        with self._showing_errors():
            if not overwrite and name.strip() in self._own():
                replace = MessageButton(self.tr("Replace"), lambda: self.save(name, overwrite=True))
                sentence = self.tr("A profile named {name} already exists.")
                self._form.message.show_text("warning", sentence.format(name=name), replace)
                return
            known = self._profiles.save(name, self._settings(), overwrite=overwrite)
            self._show_message(self.tr("Saved as profile {name}.").format(name=known))

    def save_defaults(self) -> None:
        """Make the fields the defaults of new crawls."""
        with self._showing_errors():
            self._profiles.save_defaults(self._form.read())
            self._show_message(self.tr("New crawls will start with these settings."))

    def rename(self, name: str, new: str) -> None:
        """Rename a profile."""
        with self._showing_errors():
            known = self._profiles.rename(name, new)
            sentence = self.tr("Profile {name} renamed to {new}.")
            self._show_message(sentence.format(name=name, new=known))

    def delete(self, name: str) -> None:
        """Delete a profile, and offer to undo that."""
        buttons = []
        try:
            changes = self._profiles.changes(name)
            buttons = [MessageButton(self.tr("Undo"), lambda: self._save_again(name, changes))]
        except UsageError:
            pass  # an unreadable file can be deleted but not restored
        with self._showing_errors():
            self._profiles.delete(name)
            sentence = self.tr("Profile {name} deleted.")
            self._show_message(sentence.format(name=name), *buttons)

    def import_from(self, path: Path) -> None:
        """Put the settings of a file or a project into the fields, without roots."""
        with self._showing_errors():
            self._form.write(read_changes(path))
            sentence = self.tr("Showing the settings of {name}. Save to use them.")
            self._form.message.show_text("info", sentence.format(name=path))

    def export_to(self, path: Path) -> None:
        """Write the fields, without secrets, to a file."""
        with self._showing_errors():
            save_settings(path, self._form.read(), replace=True)
            sentence = self.tr("Settings saved to {name}.")
            self._form.message.show_text("info", sentence.format(name=path))

    @property
    def _form(self) -> ProfileForm:
        # Not stored: a reference cycle would keep both in memory.
        return cast("ProfileForm", self.window())

    def _own(self) -> list[str]:
        try:
            return self._profiles.names()
        except UsageError:
            return []

    def _settings(self) -> dict[str, object]:
        settings = self._form.read()
        return {name: getattr(settings, name) for name in REUSABLE}

    def _save_again(self, name: str, changes: Mapping[str, object]) -> None:
        with self._showing_errors():
            self._profiles.save(name, changes)
            self.kept.emit()

    @contextmanager
    def _showing_errors(self) -> Iterator[None]:
        """Show errors that are raised in this context."""
        try:
            yield
        except KnownError as e:
            self._form.message.show_text("error", spoken(e.said))

    def _show_message(self, sentence: str, *buttons: MessageButton) -> None:
        self._form.message.show_text("info", sentence, *buttons)
        self.kept.emit()

    def _offer(self, menu: QMenu, name: str, title: str, act: Callable[[], None]) -> None:
        action = menu.addAction(title.replace("&", "&&"))
        action.setObjectName(name)
        action.triggered.connect(lambda _checked: act())

    def _ask_name(self) -> None:
        self._ask(self.tr("Save as profile"), "", self.save)

    def _ask_new_name(self, name: str) -> None:
        self._ask(self.tr("Rename profile"), name, lambda new: self.rename(name, new))

    def _ask(self, title: str, text: str, then: Callable[[str], None]) -> None:
        dialog = QInputDialog(self)
        dialog.setWindowTitle(title)
        # The title bar has buttons too, and its font may be wider.
        room = 2 * dialog.fontMetrics().horizontalAdvance(title) + _TITLE_BUTTONS
        dialog.setMinimumWidth(max(room, _NARROWEST))
        dialog.setLabelText(self.tr("Profile name"))
        dialog.setTextEchoMode(QLineEdit.EchoMode.Normal)
        dialog.setTextValue(text)
        dialog.textValueSelected.connect(then)
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

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
        filters = self.tr("Settings (*.toml);;Projects (*.gossamer)")
        dialog = QFileDialog(self.window(), title, "", filters)
        dialog.finished.connect(dialog.deleteLater)
        return dialog
