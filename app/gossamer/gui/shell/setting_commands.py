"""Makes a command of each setting, so that the command palette finds it by its name."""

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction

from gossamer.gui.shell.command_palette import NamedCommand
from gossamer.gui.text.translated_sentences import setting_labels, spoken
from gossamer.model.settings.crawl_settings import SETTINGS
from gossamer.model.settings.setting_declaration import SECTION_TITLES
from gossamer.model.translatable import Translatable


class SettingCommands(QObject):
    """The commands that `edit` a setting, given its name in the code. Made when first asked for."""

    def __init__(self, parent: QObject, edit: Callable[[str], object]) -> None:
        super().__init__(parent)
        self._edit = edit
        self._made: list[NamedCommand] = []

    def commands(self) -> list[NamedCommand]:
        """One for each setting of the form, in its order."""
        self._made = self._made or self._new()
        return self._made

    def _new(self) -> list[NamedCommand]:
        form = self.tr("Crawl settings")
        made = []
        for name, setting in SETTINGS.items():
            if setting.section is None:
                continue
            action = QAction(self)
            action.triggered.connect(partial(self._edit, name))
            section = spoken(Translatable(SECTION_TITLES[setting.section]))
            (label,) = setting_labels([name])
            # Who knows the option of the command line, or English, types that.
            hint = spoken(Translatable(setting.hint)) if setting.hint else ""
            also = f"{name} {name.replace('_', '-')} {setting.label} {hint}"
            made.append(NamedCommand(action, label, f"{form} › {section}", "", also))
        return made
