"""Shows in the rendering settings which browser renders pages, or how to install one."""

from collections.abc import Callable, Sequence
from typing import Final

from msgspec import Struct
from PySide6.QtCore import QCoreApplication, QProcess, Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from gossamer.gui.look import theme
from gossamer.gui.settings.settings_fields import SettingField
from gossamer.gui.text import local_formatting as formatting
from gossamer.gui.text.browser_sentences import FindBrowsers, what_to_install
from gossamer.gui.text.translated_sentences import spoken
from gossamer.model.errors import UsageError
from gossamer.render.browser_discovery import BrowserProgram, find_browsers
from gossamer.render.browser_installation import (
    BrowserPackage,
    browser_package,
    graphical_command,
)


def run_command(command: Sequence[str], done: Callable[[bool], None]) -> None:
    """Run a command in the background; it continues when the dialog is closed."""
    process = QProcess(QCoreApplication.instance())
    process.finished.connect(lambda code, _status: done(code == 0))
    process.errorOccurred.connect(lambda _error: done(False))
    process.finished.connect(process.deleteLater)
    process.start(command[0], list(command[1:]))


_TYPING_MS: Final = 300
"""The pause in typing the path of a browser after which it is looked up."""


class BrowserSetup(Struct, frozen=True):
    """The functions that find, install and run browsers on this computer."""

    find: FindBrowsers = find_browsers
    package: Callable[[], BrowserPackage | None] = browser_package
    command: Callable[[BrowserPackage], tuple[str, ...] | None] = graphical_command
    run: Callable[[Sequence[str], Callable[[bool], None]], None] = run_command


class BrowserStatus(QWidget):
    """The browser that renders; without one, a button that installs it.

    It shows size and command first.
    `version_wanted` asks for the version of a program; `show_version` takes it.
    """

    version_wanted = Signal(object)
    installed = Signal()
    """Emitted when a browser was installed."""

    def __init__(self, setup: BrowserSetup | None = None, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._setup: Final = setup or BrowserSetup()
        self._chosen = ""
        self._is_asked = False
        self._soon = QTimer(self, singleShot=True, interval=_TYPING_MS)
        self._soon.timeout.connect(self.look)
        self._program: BrowserProgram | None = None
        self._package: BrowserPackage | None = None
        self.text = QLabel()
        self.text.setWordWrap(True)
        self.text.setTextFormat(Qt.TextFormat.PlainText)
        self.text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.install = QPushButton(self.tr("Install…"))
        self.confirm = QPushButton(self.tr("Install now"))
        self.copy = QPushButton(self.tr("Copy the command"))
        buttons = QHBoxLayout()
        buttons.setSpacing(theme.SPACE_S)
        for button in (self.install, self.confirm, self.copy):
            button.setAutoDefault(False)
            button.hide()
            buttons.addWidget(button)
        buttons.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(theme.SPACE_S)
        column.addWidget(self.text)
        column.addLayout(buttons)
        self.install.clicked.connect(self._offer)
        self.confirm.clicked.connect(self._run)
        self.copy.clicked.connect(self._copy)

    def showEvent(self, event: QShowEvent) -> None:
        """Look for browsers when shown for the first time."""
        super().showEvent(event)
        if not self._is_asked:
            self._is_asked = True
            self.look()

    def follow(self, field: SettingField) -> None:
        """Show the browser that is named in this field, or the usual one if it is empty."""

        def choose() -> None:
            self._chosen = str(field.read())
            if self._is_asked:
                self._soon.start()

        for signal in field.changed:
            signal.connect(choose)

    def look(self) -> None:
        """Look for a browser and show it."""
        self._soon.stop()
        found, trouble = [], ""
        try:
            found = self._setup.find(self._chosen)
        except UsageError as e:
            trouble = spoken(e.said)
        self._program = found[0] if found else None
        self._package = None if found or trouble else self._setup.package()
        for button in (self.confirm, self.copy):
            button.hide()
        self.install.setVisible(self._package is not None)
        if trouble:
            self._say(trouble)
            return
        if self._program is not None:
            self._name_browser(formatting.clean(self._program.path))
            self.version_wanted.emit(self._program)
        else:
            self._say(what_to_install(self._package))

    def show_version(self, program: BrowserProgram, version: str) -> None:
        """Show the version of the rendering program; "" if it reports none."""
        if program != self._program:
            return
        path = formatting.clean(program.path)
        if version:
            self._name_browser(f"{version} ({path})")
            return
        words = self.tr(
            "{browser} does not report its version and may not start. Choose another browser "
            "below, or install one."
        )
        self._say(words.format(browser=path))
        self._package = self._setup.package()
        self.install.setVisible(self._package is not None)

    def _name_browser(self, browser: str) -> None:
        self._say(self.tr("Pages are rendered with {browser}.").format(browser=browser))

    def _say(self, text: str) -> None:
        self.text.setText(text)

    def _offer(self) -> None:
        """Show the installing command, and offer to run or copy it."""
        package = self._package
        if package is None:
            return
        words = self.tr("This command installs it: {command}")
        command = words.format(command=package.command_line)
        self.text.setText(f"{spoken(package.said)}\n{command}")
        can_run = self._setup.command(package) is not None
        self.confirm.setVisible(can_run)
        self.copy.show()
        # Before the button is hidden: else focus moves to the next field and scrolls to it.
        (self.confirm if can_run else self.copy).setFocus()
        self.install.hide()

    def _run(self) -> None:
        command = None if self._package is None else self._setup.command(self._package)
        if command is None:
            return
        self.text.setFocus()  # likewise, and screen readers read it
        self.confirm.setEnabled(False)
        self._say(self.tr("Installing…"))
        self._setup.run(command, self._finish)

    def _finish(self, is_done: bool) -> None:  # noqa: FBT001 - the argument of a callback
        try:
            self.confirm.setEnabled(True)
        except RuntimeError:  # the dialog was closed meanwhile
            return
        self.look()
        if is_done and self._program is not None:
            self.installed.emit()
        elif not is_done and self._package is not None:
            self._say(
                self.tr(
                    "The package was not installed. Run this command in a terminal: {command}"
                ).format(command=self._package.command_line)
            )
            self.copy.show()

    def _copy(self) -> None:
        if self._package is not None:
            QGuiApplication.clipboard().setText(self._package.command_line)
