"""Makes a command of each setting and secret, so that the command palette finds it by its name."""

from collections.abc import Callable, Iterator
from functools import partial

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction

from gossamer.gui.shell.command_palette import NamedCommand
from gossamer.gui.text.secret_texts import secret_texts
from gossamer.gui.text.translated_sentences import setting_labels, spoken
from gossamer.model.settings.crawl_settings import SETTINGS
from gossamer.model.settings.setting_declaration import SECTION_TITLES, Section
from gossamer.model.translatable import Translatable


class SettingCommands(QObject):
    """Commands that `edit` a setting or a secret, given its name. Made when first asked for."""

    def __init__(self, parent: QObject, edit: Callable[[str], object]) -> None:
        super().__init__(parent)
        self._edit = edit
        self._made: list[NamedCommand] = []

    def commands(self) -> list[NamedCommand]:
        """One for each field of the form: the settings in its order, then the secrets."""
        self._made = self._made or [*self._of_settings(), *self._of_secrets()]
        return self._made

    def _of_settings(self) -> Iterator[NamedCommand]:
        for name, setting in SETTINGS.items():
            if setting.section is None:
                continue
            (label,) = setting_labels([name])
            # Who knows the option of the command line, or English, types that.
            hint = spoken(Translatable(setting.hint)) if setting.hint else ""
            also = f"{name} {name.replace('_', '-')} {setting.label} {hint}"
            yield self._command(name, label, setting.section, also)

    def _of_secrets(self) -> Iterator[NamedCommand]:
        for name, (label, hint) in secret_texts().items():
            also = f"login {name} {hint}"
            yield self._command(name, label, Section.ACCESS, also)

    def _command(self, name: str, label: str, section: Section, also: str) -> NamedCommand:
        action = QAction(self)
        action.triggered.connect(partial(self._edit, name))
        title = spoken(Translatable(SECTION_TITLES[section]))
        menu = f"{self.tr('Crawl settings')} › {title}"
        return NamedCommand(action, label, menu, "", also)
