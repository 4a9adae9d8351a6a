"""`gossamer browser` tells which browsers there are, and installs one on request."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from gossamer.cli import EXIT_NO_BROWSER
from gossamer.cli.browser_command import Installer, show_browsers
from gossamer.cli.parsed_commands import BrowserCommand
from gossamer.render.browser_discovery import BrowserKind, BrowserProgram
from gossamer.render.browser_installation import browser_package, version_of
from tests.cases import each_case

SHELL = BrowserProgram("/usr/bin/chromium-headless-shell", BrowserKind.HEADLESS_SHELL)
FULL = BrowserProgram("/usr/bin/chromium", BrowserKind.FULL)


class Computer:
    """A computer with these browsers, on which the package of a Debian can be installed."""

    def __init__(self, *browsers: BrowserProgram, exit_code: int = 0) -> None:
        self.browsers = list(browsers)
        self.exit_code = exit_code
        self.ran: list[tuple[str, ...]] = []

    def installer(
        self, as_root: tuple[str, ...] | None = (), *, system: str = "linux"
    ) -> Installer:
        return Installer(
            find=lambda: self.browsers,
            package=lambda: browser_package(
                system=system, release=lambda: {"ID": "debian"}, which=lambda name: name
            ),
            version=lambda _: "Chromium 156.0.8078.79",
            as_root=lambda: as_root,
            run=self._run,
        )

    def _run(self, command: Sequence[str]) -> int:
        self.ran.append(tuple(command))
        if not self.exit_code:
            self.browsers.append(SHELL)
        return self.exit_code


def test_the_first_browser_renders_and_the_first_with_a_window_logs_in(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert show_browsers(BrowserCommand(), Computer(SHELL, FULL).installer()) == 0
    shell, full = capsys.readouterr().out.splitlines()
    assert shell.split() == [SHELL.path, "Chromium", "156.0.8078.79", "renders", "pages"]
    assert full.endswith("can log in")


def test_one_browser_may_do_both(capsys: pytest.CaptureFixture[str]) -> None:
    show_browsers(BrowserCommand(), Computer(FULL).installer())
    assert capsys.readouterr().out.endswith("renders pages, can log in\n")


def test_a_lone_headless_shell_is_told_not_to_log_in(capsys: pytest.CaptureFixture[str]) -> None:
    show_browsers(BrowserCommand(), Computer(SHELL).installer())
    assert "window to log in" in capsys.readouterr().out


def test_the_report_in_json_names_what_would_install_one(
    capsys: pytest.CaptureFixture[str],
) -> None:
    show_browsers(BrowserCommand(json=True), Computer(FULL).installer())
    report = json.loads(capsys.readouterr().out)
    assert report["browsers"][0]["path"] == FULL.path
    assert report["browsers"][0]["renders"] is report["browsers"][0]["logs_in"] is True
    assert report["install_command"][-1] == "chromium-headless-shell"


def test_without_a_browser_the_package_its_size_and_licence_are_told(
    capsys: pytest.CaptureFixture[str],
) -> None:
    computer = Computer()
    assert show_browsers(BrowserCommand(), computer.installer()) == EXIT_NO_BROWSER
    said = capsys.readouterr().err
    assert "sudo apt-get install --yes chromium-headless-shell" in said
    assert "96 MB to download, 290 MB on disk (BSD licence)" in said
    assert computer.ran == []


def test_where_no_package_is_known_the_names_of_browsers_are_told(
    capsys: pytest.CaptureFixture[str],
) -> None:
    installer = Computer().installer(system="darwin")
    assert show_browsers(BrowserCommand(install=True), installer) == EXIT_NO_BROWSER
    assert "Install Chrome, Chromium or Edge" in capsys.readouterr().err


@pytest.mark.parametrize("begins", [(), ("sudo",)])
def test_the_package_is_installed_by_root_or_with_sudo_once_its_size_is_told(
    capsys: pytest.CaptureFixture[str], begins: tuple[str, ...]
) -> None:
    computer = Computer()
    assert show_browsers(BrowserCommand(install=True), computer.installer(begins)) == 0
    expected = (*begins, "apt-get", "install", "--yes", "chromium-headless-shell")
    assert computer.ran == [expected]
    said = capsys.readouterr()
    assert said.err.index("96 MB") < said.err.index("apt-get")
    assert "renders pages" in said.out


def test_whoever_may_not_install_gets_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    computer = Computer()
    code = show_browsers(BrowserCommand(install=True), computer.installer(None))
    assert code == EXIT_NO_BROWSER
    assert computer.ran == []
    assert "sudo apt-get install" in capsys.readouterr().err


def test_an_installation_that_fails_says_what_to_try(capsys: pytest.CaptureFixture[str]) -> None:
    computer = Computer(exit_code=100)
    code = show_browsers(BrowserCommand(install=True), computer.installer())
    assert code == EXIT_NO_BROWSER
    assert "apt-get update" in capsys.readouterr().err


def test_nothing_is_installed_where_there_is_a_browser() -> None:
    computer = Computer(FULL)
    assert show_browsers(BrowserCommand(install=True), computer.installer()) == 0
    assert computer.ran == []


@each_case(
    ("release", "name"),
    [
        ({"ID": "debian"}, "chromium-headless-shell"),
        ({"ID": "raspbian", "ID_LIKE": "debian"}, "chromium-headless-shell"),
        ({"ID": "ubuntu", "ID_LIKE": "debian"}, "chromium-browser"),
        ({"ID": "fedora"}, None),
        ({}, None),
    ],
)
def test_the_package_is_that_of_the_system(release: dict[str, str], name: str | None) -> None:
    package = browser_package(system="linux", release=lambda: release, which=lambda each: each)
    assert (package and package.name) == name


def test_a_system_without_apt_has_no_package() -> None:
    release = {"ID": "debian"}
    assert browser_package(system="linux", release=lambda: release, which=lambda _: None) is None


def _program(folder: Path, script: str) -> BrowserProgram:
    path = folder / "browser"
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return BrowserProgram(str(path), BrowserKind.FULL)


def test_the_version_is_that_which_the_program_tells(tmp_path: Path) -> None:
    chrome = _program(tmp_path, "echo 'Google Chrome 140.0.7339.80 unknown'")
    assert version_of(chrome) == "Google Chrome 140.0.7339.80"


def test_a_program_that_tells_nothing_or_does_not_start_has_no_version(tmp_path: Path) -> None:
    assert version_of(_program(tmp_path, "exit 3")) == ""
    missing = BrowserProgram(str(tmp_path / "missing"), BrowserKind.FULL)
    assert version_of(missing) == ""
