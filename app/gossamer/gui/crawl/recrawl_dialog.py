"""The dialog that asks how to crawl a project again."""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import (
    QButtonGroup,
    QCheckBox,
    QDialog,
    QDialogButtonBox,
    QLabel,
    QPushButton,
    QRadioButton,
    QVBoxLayout,
    QWidget,
)

from gossamer.gui.look import theme
from gossamer.gui.text import local_formatting as formatting
from gossamer.gui.text.translated_sentences import host_of, spoken
from gossamer.gui.widgets.help_context import explain
from gossamer.gui.widgets.labels import describe
from gossamer.model.settings.crawl_settings import SETTINGS, CrawlSettings
from gossamer.model.translatable import Translatable

NAME: Final = "recrawl-dialog"
_OPTIONS: Final = (
    "conditional_requests",
    "check_former_pages",
    "lastmod_first",
    "adaptive_interval",
)
"""The settings about recrawling, which a user may change each time."""
_WIDTH: Final = 520


class RecrawlDialog(QDialog):
    """Asks where the new crawl goes, and what to request. Deletes itself when closed.

    `recrawl_wanted` carries changed settings by name, and whether the project is to be updated.
    """

    recrawl_wanted = Signal(object, bool)

    def __init__(self, project: Path, settings: CrawlSettings, parent: QWidget | None) -> None:
        super().__init__(parent)
        self.setObjectName(NAME)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Crawl again"))
        explain(self, "window/again")
        self._settings = settings
        self.into_new = QRadioButton(self.tr("As a &new crawl; this one stays"))
        self.as_update = QRadioButton(self.tr("As an &update, in place of this one"))
        self.options = {name: _box(name, settings) for name in _OPTIONS if name in SETTINGS}
        self.start = QPushButton(self.tr("Crawl again"))
        self._lay_out(project)

    def changes(self) -> Mapping[str, object]:
        """The settings that are to differ from those of the project, by name."""
        return {
            name: box.isChecked()
            for name, box in self.options.items()
            if box.isChecked() != getattr(self._settings, name)
        }

    def showEvent(self, event: QShowEvent) -> None:
        """Be as high as the wrapped texts need: Qt takes them for narrower than they are."""
        super().showEvent(event)
        self.resize(self.width(), self.heightForWidth(self.width()))

    def accept(self) -> None:
        """Crawl."""
        self.recrawl_wanted.emit(self.changes(), self.as_update.isChecked())
        super().accept()

    def _lay_out(self, project: Path) -> None:
        host = host_of(next(iter(self._settings.roots), project.stem))
        about = QLabel(
            self.tr("Crawl {site} again with the same settings. Then compare both crawls.").format(
                site=formatting.clean(host)
            )
        )
        about.setTextFormat(Qt.TextFormat.PlainText)
        about.setWordWrap(True)
        group = QButtonGroup(self)
        column = QVBoxLayout(self)
        column.setContentsMargins(theme.SPACE_L, theme.SPACE_L, theme.SPACE_L, theme.SPACE_M)
        column.setSpacing(theme.SPACE_S)
        column.addWidget(about)
        for choice, words in (
            (self.into_new, self.tr("You can compare the two, and see how the site develops.")),
            (
                self.as_update,
                self.tr("It replaces {name} only when it is finished, and you say so.").format(
                    name=formatting.clean(project.name)
                ),
            ),
        ):
            group.addButton(choice)
            column.addWidget(choice)
            column.addWidget(_note(words))
        self.into_new.setChecked(True)
        if self.options:
            column.addSpacing(theme.SPACE_S)
        for name, box in self.options.items():
            column.addWidget(box)
            column.addWidget(_note(spoken(Translatable(SETTINGS[name].hint))))
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.start.setDefault(True)
        self.start.setProperty("primary", True)
        buttons.addButton(self.start, QDialogButtonBox.ButtonRole.AcceptRole)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        column.addSpacing(theme.SPACE_S)
        column.addStretch(1)
        column.addWidget(buttons)
        self.setMinimumWidth(_WIDTH)


def _box(name: str, settings: CrawlSettings) -> QCheckBox:
    setting = SETTINGS[name]
    box = QCheckBox(spoken(Translatable(setting.label)))
    box.setObjectName(f"recrawl-{name}")
    box.setChecked(bool(getattr(settings, name)))
    describe(box, spoken(Translatable(setting.hint)))
    return box


def _note(words: str) -> QLabel:
    """The text below a choice."""
    note = QLabel(words)
    note.setTextFormat(Qt.TextFormat.PlainText)
    note.setProperty("muted", True)
    note.setWordWrap(True)
    note.setIndent(theme.SPACE_L + theme.SPACE_S)
    note.setVisible(bool(words))
    return note
