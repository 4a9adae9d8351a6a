"""A desktop without a screen, and a user at it: the program's real window, keys and clicks."""

import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Final, TypeAlias

from gossamer.model.errors import ProjectError
from gossamer.store.reading.reader import Reader
from tests.e2e.program import command
from tests.fakes.x_server import x_server
from tests.patience import PATIENCE_S

SCREEN = (1280, 720)
_LOOK_S = 0.05
_AGAIN_S = 1.0

_FUNCTION_KEY = re.compile(r"\bF([1-9]|10)\b")
_BEFORE_F1 = 66
"""The keycode before that of F1: those of function keys follow each other."""

Place = tuple[int, int]
_FIRST_PLACES: Final[dict[str, Place]] = {}
"""Those of a window that remembers nothing, once they are known."""
Program: TypeAlias = "subprocess.Popen[str]"


class NoDesktopError(Exception):
    """A program is missing; says which package to install."""


@dataclass(frozen=True)
class Desktop:
    """An X display, and a home of its own for the program: settings, projects, logs."""

    display: str
    home: Path
    programs: ExitStack
    """Those that look at the display for us; they end with it."""

    @property
    def environment(self) -> dict[str, str]:
        """What a program on this desktop finds in its environment."""
        folders = {
            f"XDG_{name}_HOME": str(self.home / name.lower())
            for name in ("CONFIG", "DATA", "CACHE", "STATE", "DOCUMENTS")
        }
        kept = {k: v for k, v in os.environ.items() if not k.startswith(("QT_", "WAYLAND_"))}
        own = {"DISPLAY": self.display, "HOME": str(self.home), "LANG": "C.UTF-8"}
        own["GOSSAMER_NO_TOUR"] = "1"
        return kept | folders | own

    @property
    def config(self) -> Path:
        """Where the window remembers things."""
        return self.home / "config" / "gossamer" / "window.ini"

    def places(self) -> Mapping[str, Place]:
        """Where the window's buttons are, as the window itself lays them out on this display.

        It is asked once where it comes up for the first time: all displays are alike.
        """
        if self.config.exists():
            return self._places()
        if not _FIRST_PLACES:
            _FIRST_PLACES.update(self._places())
        return _FIRST_PLACES

    def _places(self) -> Mapping[str, Place]:
        told = self._told("tests.e2e.window_places")
        lines = (line.split("\t") for line in told.splitlines())
        return {name: (int(x), int(y)) for name, x, y in lines}

    def copied(self) -> str:
        """The text in the clipboard."""
        reader = self._clipboard
        assert reader.stdin is not None
        assert reader.stdout is not None
        reader.stdin.write("\n")
        reader.stdin.flush()
        text: str = json.loads(reader.stdout.readline())
        return text

    @cached_property
    def _clipboard(self) -> Program:
        """The program that reads it, which takes half a second to start."""
        return self.programs.enter_context(
            subprocess.Popen(
                [sys.executable, "-m", "tests.e2e.clipboard"],
                env=self.environment,
                cwd=Path(__file__).parents[2],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )
        )

    def command(self, name: str) -> None:
        """Choose a command by its name (Ctrl+K)."""
        self.press("ctrl+k")
        self.write(name)
        self.press("Return")

    def focus(self, title: str) -> None:
        """Wait for a window with this title (a pattern) and give it the keyboard.

        There is no window manager here that would.
        """
        until(lambda: self._focused(title), lambda: f"no window {title} takes the keyboard")

    def _focused(self, title: str) -> bool:
        """Whether it could be done: a window may go away while xdotool looks at each."""
        found = self._try("search", "--sync", "--onlyvisible", "--name", title)
        windows = found.stdout.split()
        return bool(windows) and not self._try("windowfocus", "--sync", windows[-1]).returncode

    def sees(self, title: str) -> bool:
        """Whether there is a window with this title (a pattern)."""
        words = ("xdotool", "search", "--onlyvisible", "--name", title)
        found = subprocess.run(words, env=self.environment, capture_output=True, check=False)
        return bool(found.stdout)

    def press(self, *keys: str) -> None:
        """Press keys, or chords like "ctrl+q", one after the other."""
        self._do("key", *(_FUNCTION_KEY.sub(_keycode, each) for each in keys))

    def write(self, text: str) -> None:
        """Type."""
        self._do("type", "--delay", "2", text)

    def click(self, place: Place) -> None:
        """Press the left button of the mouse there."""
        self._do("mousemove", str(place[0]), str(place[1]), "click", "1")

    def click_until(self, place: Place, holds: Callable[[], bool]) -> None:
        """Click until it has an effect, as a user would: a button may not be enabled yet."""
        _again_until(lambda: self.click(place), holds)

    def press_until(self, keys: str, holds: Callable[[], bool]) -> None:
        """Press keys until that has an effect."""
        _again_until(lambda: self.press(keys), holds)

    def _told(self, module: str) -> str:
        """What one of our modules prints on this display."""
        told = subprocess.run(
            [sys.executable, "-m", module],
            env=self.environment,
            cwd=Path(__file__).parents[2],
            check=True,
            capture_output=True,
            text=True,
            timeout=PATIENCE_S,
        )
        return told.stdout

    def _do(self, *words: str) -> None:
        self._try(*words).check_returncode()

    def _try(self, *words: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            ["xdotool", *words],
            env=self.environment,
            check=False,
            capture_output=True,
            text=True,
            timeout=PATIENCE_S,
        )


@contextmanager
def desktop(home: Path) -> Iterator[Desktop]:
    """An X server on a free display. Raises NoDesktopError."""
    for program, package in (("Xvfb", "xvfb"), ("xdotool", "xdotool")):
        if shutil.which(program) is None:
            raise NoDesktopError(f"needs {program} (the Debian package {package})")
    with x_server(*SCREEN) as display, ExitStack() as programs:
        assert display, "Xvfb does not start"
        yield Desktop(display, home, programs)


@contextmanager
def opened(desktop: Desktop, *arguments: str) -> Iterator[Program]:
    """The program with its window in front; it is gone afterwards."""
    with subprocess.Popen(
        command(*arguments),
        cwd=Path(__file__).parents[2],
        env=desktop.environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            desktop.focus("Gossamer$")
            yield process
        finally:
            process.kill()


def until(holds: Callable[[], bool], told: Callable[[], str] = str) -> None:
    """Wait for what another process does, by looking; `told` says how things stand instead."""
    assert _came(holds, PATIENCE_S), told()


def _again_until(act: Callable[[], None], holds: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while time.monotonic() < deadline:
        act()
        if _came(holds, _AGAIN_S):
            return
    raise AssertionError("it has no effect")


def _came(holds: Callable[[], bool], within_s: float) -> bool:
    deadline = time.monotonic() + within_s
    while not holds():
        if time.monotonic() > deadline:
            return False
        time.sleep(_LOOK_S)
    return True


def reads(project: Path, holds: Callable[[Reader], bool]) -> bool:
    """Whether `holds` is true of a project file; False as long as there is none."""
    try:
        with Reader(project) as reader:
            return holds(reader)
    except ProjectError:
        return False


def _keycode(key: re.Match[str]) -> str:
    """The code of a function key: by the name, xdotool presses Alt too in Debian testing.

    With its keyboards (xkeyboard-config 2.48) the name is found where Alt is needed.
    """
    return str(_BEFORE_F1 + int(key[1]))
