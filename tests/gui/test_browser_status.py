"""The settings of rendering tell which browser there is, and install one."""

import sys
from collections.abc import Callable, Sequence

import pytest
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from gossamer.gui.settings.browser_status import BrowserSetup, BrowserStatus, run_command
from gossamer.gui.settings.settings_dialog import SettingsDialog
from gossamer.model.errors import UsageError
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.settings.rendering_choices import RenderMode
from gossamer.render.browser_discovery import BrowserKind, BrowserProgram
from gossamer.render.browser_installation import BrowserPackage, graphical_command
from tests.patience import PATIENCE_MS

SHELL = BrowserProgram("/usr/bin/chromium-headless-shell", BrowserKind.HEADLESS_SHELL)
PACKAGE = BrowserPackage("a-browser", ("apt-get", "install", "a-browser"), 96, 290)


class Computer:
    """A computer on which a browser can be installed."""

    def __init__(self, *browsers: BrowserProgram, package: BrowserPackage | None = PACKAGE) -> None:
        self.browsers = list(browsers)
        self.ran: list[tuple[str, ...]] = []
        self.done: Callable[[bool], None] = lambda _is_done: None
        self.setup = BrowserSetup(
            find=self._find,
            package=lambda: package,
            command=lambda each: ("pkexec", *each.command),
            run=self._run,
        )

    def _find(self, chosen: str) -> list[BrowserProgram]:
        if chosen and chosen not in {each.path for each in self.browsers}:
            raise UsageError("There is no browser {path}.", path=chosen)
        return [each for each in self.browsers if chosen in {"", each.path}]

    def _run(self, command: Sequence[str], done: Callable[[bool], None]) -> None:
        self.ran.append(tuple(command))
        self.done = done


def shown(qtbot: QtBot, setup: BrowserSetup) -> BrowserStatus:
    note = BrowserStatus(setup)
    qtbot.addWidget(note)
    note.show()
    return note


def test_the_browser_is_named_with_its_version_once_that_is_known(qtbot: QtBot) -> None:
    note = BrowserStatus(Computer(SHELL).setup)
    qtbot.addWidget(note)
    with qtbot.waitSignal(note.version_wanted) as wanted:
        note.show()
    assert wanted.args == [SHELL]
    assert note.text.text() == f"Pages are rendered with {SHELL.path}."
    note.show_version(SHELL, "Chromium 156.0")
    assert note.text.text() == f"Pages are rendered with Chromium 156.0 ({SHELL.path})."
    assert note.install.isHidden()


def test_the_browser_that_the_setting_names_is_told_not_the_usual_one(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = BrowserProgram("/opt/other", BrowserKind.FULL)
    setup = Computer(SHELL, other).setup
    monkeypatch.setattr(
        "gossamer.gui.settings.settings_dialog.BrowserStatus", lambda: BrowserStatus(setup)
    )
    dialog = SettingsDialog(CrawlSettings(roots=("a.test",), browser=other.path))
    qtbot.addWidget(dialog)
    dialog.show_section("rendering")
    dialog.show()
    text = dialog.browser_status.text.text
    qtbot.waitUntil(lambda: text() == f"Pages are rendered with {other.path}.")
    dialog.field("browser").write("/opt/oth")
    qtbot.waitUntil(lambda: text() == "There is no browser /opt/oth.")
    assert dialog.browser_status.install.isHidden()
    dialog.field("browser").write("")
    qtbot.waitUntil(lambda: text() == f"Pages are rendered with {SHELL.path}.")


def test_a_browser_can_be_chosen_where_no_pages_are_rendered_as_logins_use_it(
    qtbot: QtBot,
) -> None:
    dialog = SettingsDialog(CrawlSettings(roots=("a.test",), render=RenderMode.OFF))
    qtbot.addWidget(dialog)
    assert dialog.field("browser").widget.isEnabled()


def test_a_browser_that_does_not_answer_is_named_and_another_one_offered(qtbot: QtBot) -> None:
    note = shown(qtbot, Computer(SHELL).setup)
    note.show_version(SHELL, "")
    assert note.text.text().startswith(f"{SHELL.path} does not report its version")
    note.install.click()
    assert "sudo apt-get install a-browser" in note.text.text()


def test_a_browser_is_installed_once_size_and_command_were_told(qtbot: QtBot) -> None:
    computer = Computer()
    note = shown(qtbot, computer.setup)
    assert "96 MB to download, 290 MB on disk (BSD licence)" in note.text.text()
    note.install.click()
    assert "sudo apt-get install a-browser" in note.text.text()
    assert note.focusWidget() is note.confirm, "else another field is scrolled to"
    assert computer.ran == []
    note.confirm.click()
    assert computer.ran == [("pkexec", "apt-get", "install", "a-browser")]
    assert note.text.text() == "Installing…"
    assert note.focusWidget() is note.text, "likewise"
    computer.browsers.append(SHELL)
    with qtbot.waitSignal(note.installed):
        computer.done(True)
    assert SHELL.path in note.text.text()
    assert note.confirm.isHidden()


def test_an_installation_that_fails_leaves_the_command_to_copy(qtbot: QtBot) -> None:
    computer = Computer()
    note = shown(qtbot, computer.setup)
    note.install.click()
    note.confirm.click()
    computer.done(False)
    assert "was not installed" in note.text.text()
    note.copy.click()
    assert QGuiApplication.clipboard().text() == "sudo apt-get install a-browser"


def test_where_no_package_is_known_names_of_browsers_are_told(qtbot: QtBot) -> None:
    note = shown(qtbot, Computer(package=None).setup)
    assert "Install Chrome, Chromium or Edge" in note.text.text()
    assert note.install.isHidden()


@pytest.mark.parametrize(
    ("command", "is_done"),
    [
        ((sys.executable, "-c", "pass"), True),
        ((sys.executable, "-c", "raise SystemExit(100)"), False),
        (("/no/such/program",), False),
    ],
)
def test_a_command_tells_whether_it_has_done_its_work(
    qtbot: QtBot, command: tuple[str, ...], *, is_done: bool
) -> None:
    told: list[bool] = []
    run_command(command, told.append)
    qtbot.waitUntil(lambda: bool(told), timeout=PATIENCE_MS)
    assert told == [is_done]


def test_a_window_asks_for_a_password_where_it_can() -> None:
    is_root = graphical_command(PACKAGE, which=lambda _: None) == PACKAGE.command
    command = graphical_command(PACKAGE, which=lambda name: f"/usr/bin/{name}")
    assert command == (PACKAGE.command if is_root else ("/usr/bin/pkexec", *PACKAGE.command))


def test_settings_without_effect_are_disabled_until_pages_are_rendered(qtbot: QtBot) -> None:
    dialog = SettingsDialog(CrawlSettings(roots=("a.test",)))
    qtbot.addWidget(dialog)
    viewport = dialog.field("viewport").widget
    assert not viewport.isEnabled()
    dialog.field("render").write(RenderMode.AUTO)
    assert viewport.isEnabled()
    dialog.field("render").write(RenderMode.OFF)
    assert not viewport.isEnabled()
    assert dialog.field("render").widget.isEnabled()
