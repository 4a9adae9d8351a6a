"""Pictures of the window: the real one, crawling the demo site.

Usage: .venv/bin/python packaging/screenshots.py           those in docs/images and docs/zh/images
       .venv/bin/python packaging/screenshots.py FOLDER    every one: each place of the window in
                                                           English and Chinese, light and dark,
                                                           at 100 and 200 %

Needs Xvfb, and starts one of its own: no other display is used. Nothing of the user's is read
or changed: projects, settings and logs go to a folder that is removed at the end.
"""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import tempfile
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal

import tutorial_pictures
from script_arguments import script_arguments

from gossamer.gui.actions.window_actions import WindowAction
from gossamer.model.crawl_state import CrawlState

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from gossamer.gui.application import Program
    from gossamer.gui.main_window import MainWindow
    from gossamer.model.messages.crawl_messages import Progress

REPO: Final = Path(__file__).resolve().parent.parent
IMAGES: Final = REPO / "docs" / "images"
PICTURES: Final = {"en": IMAGES, "zh_CN": REPO / "docs" / "zh" / "images"}
"""Where the pictures of the window and of the tutorial lie, by language."""
SIZE: Final = (1280, 720)
SCREEN: Final = "2560x1440x24"
"""Room for the window at 200 %."""
RATE: Final = 14.0
"""Pages per second, so that the crawl lasts long enough to be pictured."""
REDIRECT_SHOWN: Final = 3
"""Which of the redirects found, from 0, is selected."""
ENOUGH: Final = 120
"""URLs that are done, at least, when the picture is taken; and some are in flight then."""
SETTLE_S: Final = 0.6
LANGUAGES: Final = ("en", "zh_CN")
SCALES: Final = ("1", "2")
THEMES: Final[tuple[Literal["light", "dark"], ...]] = ("light", "dark")


@dataclass(frozen=True)
class Sitting:
    """What is pictured by one process: its scale, in the environment, cannot change any more."""

    language: str
    folder: Path
    what: Literal["few", "full", "tutorial"]

    def name(self, place: str, theme: str) -> Path:
        """The file of one picture."""
        if self.what == "tutorial":
            return self.folder / f"tutorial-{place}.png"
        if self.what == "full":
            scale = int(float(os.environ["QT_SCALE_FACTOR"]) * 100)
            return self.folder / f"{place}-{self.language}-{theme}-{scale}.png"
        return self.folder / ("window.png" if theme == "light" else f"window-{theme}.png")


def main() -> int:
    """Take the pictures in a display of their own."""
    if sys.argv[1:2] == ["--sitting"]:
        language, folder, what = sys.argv[2:]
        return in_own_home(Sitting(language, Path(folder), what))  # type: ignore[arg-type]  # as sit() writes it
    arguments, _ = script_arguments(__doc__, operands=range(2))
    with display() as name:
        os.environ |= {"DISPLAY": name, "QT_QPA_PLATFORM": "xcb", "LANG": "C.UTF-8"}
        os.environ["GOSSAMER_NO_TOUR"] = "1"
        os.environ.pop("WAYLAND_DISPLAY", None)
        if not arguments:
            return max(
                sit(code, "1", folder, what)
                for code, folder in PICTURES.items()
                for what in ("few", "tutorial")
            )
        codes = [
            sit(language, scale, Path(arguments[0]).absolute(), "full")
            for language in LANGUAGES
            for scale in SCALES
        ]
        return max(codes)


def sit(language: str, scale: str, folder: Path, what: str) -> int:
    """Take the pictures of one language and scale, in a process of their own."""
    folder.mkdir(parents=True, exist_ok=True)
    command = [sys.executable, __file__, "--sitting", language, str(folder), what]
    return subprocess.run(
        command, env=os.environ | {"QT_SCALE_FACTOR": scale}, check=False
    ).returncode


def in_own_home(sitting: Sitting) -> int:
    """Take the pictures where nothing of the user's is."""
    with tempfile.TemporaryDirectory(prefix="gossamer-pictures-") as home:
        for variable in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"):
            os.environ[variable] = home
        return take_pictures(Path(home), sitting)


@contextmanager
def display() -> Iterator[str]:
    """Run an X server without a screen; yields the name of its display."""
    read, write = os.pipe()
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(write), "-screen", "0", SCREEN, "-nolisten", "tcp"],
        pass_fds=[write],
        stderr=subprocess.DEVNULL,
    )
    os.close(write)
    try:
        with os.fdopen(read, encoding="ascii") as numbers:
            number = numbers.readline().strip()
        if not number:
            raise SystemExit("screenshots.py: Xvfb does not start; is it installed?")
        yield f":{number}"
    finally:
        server.terminate()
        server.wait()


def take_pictures(home: Path, sitting: Sitting) -> int:
    """Run the program, picture it in both themes, and close it."""
    from PySide6.QtWidgets import QApplication  # noqa: PLC0415 - Qt reads the environment then

    from gossamer.gui.application import Program, set_up_application  # noqa: PLC0415 - likewise
    from gossamer.gui.runtime import event_loop  # noqa: PLC0415 - likewise
    from gossamer.gui.runtime.crash_reports import CrashReporter  # noqa: PLC0415 - likewise
    from gossamer.gui.runtime.saved_ui_state import UiState  # noqa: PLC0415 - likewise
    from gossamer.model.settings.crawl_settings import CrawlSettings  # noqa: PLC0415 - likewise
    from gossamer.session.demo_process import demo_site  # noqa: PLC0415 - likewise
    from gossamer.session.profile_store import ProfileStore  # noqa: PLC0415 - likewise
    from gossamer.session.session_factory import SessionFactory  # noqa: PLC0415 - likewise

    app = QApplication(sys.argv[:1])
    set_up_application(app)
    memory = UiState(home / "window.ini")
    if sitting.what != "tutorial":
        ProfileStore(home).save_defaults(CrawlSettings(roots=(), rate=RATE))
    memory.remember_language(sitting.language)  # type: ignore[arg-type] # one of LANGUAGES
    program = Program(SessionFactory(), demo_site, memory, CrashReporter())

    async def life() -> int:
        async with asyncio.TaskGroup() as group:
            sit_down = follow_the_tutorial if sitting.what == "tutorial" else sit_for_pictures
            group.create_task(sit_down(program, sitting), name="photographer")
            return await program.main(None, home / "window.log")

    return event_loop.run(app, life())


async def opened(program: Program) -> MainWindow:
    """The window, where it can be pictured."""
    while program.window is None:  # noqa: ASYNC110 - nothing tells of it
        await asyncio.sleep(0.05)
    program.window.resize(*SIZE)
    program.window.move(0, 0)
    return program.window


async def follow_the_tutorial(program: Program, sitting: Sitting) -> None:
    """Do what the tutorial says, and picture each step."""
    window = await opened(program)
    window.action_set.choice(WindowAction.THEME, "light").trigger()
    with tempfile.TemporaryDirectory(prefix="gossamer-museum-") as home:
        folder = Path(home) / "museum"
        with tutorial_pictures.museum(folder) as address:
            await tutorial_pictures.follow(
                window, address, folder, lambda place: picture(window, sitting.name(place, ""))
            )
            close_dialogs(window)
            window.close()


async def sit_for_pictures(program: Program, sitting: Sitting) -> None:
    """Go through the places of the window and picture each."""
    window = await opened(program)
    places = PLACES if sitting.what == "full" else {"crawl": PLACES["crawl"]}
    for place, go in places.items():
        if place == "crawl":
            await crawl_the_demo(window)
        go(window)
        for theme in THEMES:
            window.action_set.choice(WindowAction.THEME, theme).trigger()
            await settled(window)
            picture(window, sitting.name(place, theme))
    close_dialogs(window)
    window.close()


async def settled(window: MainWindow) -> None:
    """Wait until all is read that the window shows, however busy the machine is.

    What is read last comes after all else; what it brings may ask for more, so it is waited twice.
    """
    while any("audit" in name for name in window.tasks.names()):  # noqa: ASYNC110 - likewise
        await asyncio.sleep(0.05)
    for _ in range(2):
        await asyncio.sleep(SETTLE_S)
        await all_read(window)
    await asyncio.sleep(SETTLE_S)


async def all_read(window: MainWindow) -> None:
    """Wait until what was asked of the project so far is read; there is none on the start page."""
    if window.parts.on_start_page:
        return
    read = asyncio.Event()

    def note(_: bool) -> None:  # noqa: FBT001 - what was read
        read.set()

    window.reader.submit(lambda _: True, note, key="picture", background=True)
    await read.wait()


def picture(window: MainWindow, path: Path) -> None:
    """Keep what is seen where the window is: itself, and what lies over it."""
    frame = window.geometry()
    seen = window.screen().grabWindow(0, frame.x(), frame.y(), frame.width(), frame.height())
    seen.save(str(path))
    print(f"screenshots.py: {path}", file=sys.stderr)


async def crawl_the_demo(window: MainWindow) -> None:
    """Begin a crawl, and wait until it is worth a picture."""
    window.action_set[WindowAction.DEMO].trigger()
    while not is_worth_a_picture(window.progress()):  # noqa: ASYNC110 - nothing tells of it
        await asyncio.sleep(0.05)


def is_worth_a_picture(progress: Progress) -> bool:
    """Whether there is something to see in every part of the window, or no more is to come."""
    has_redirects = progress.redirects > REDIRECT_SHOWN
    busy = progress.fetched >= ENOUGH and has_redirects and len(progress.in_flight) > 1
    return busy or progress.state is CrawlState.FINISHED


def select_a_redirect(window: MainWindow) -> None:
    """Show a redirect in tree, table and details, as a user would who found one."""
    from gossamer.model.project_queries import View  # noqa: PLC0415 - loaded only with the rest of the program

    def show(ids: object) -> None:
        url_id = list(ids)[REDIRECT_SHOWN]  # type: ignore[call-overload] # the ids of the redirects
        for panel in (window.workspace.discovery, window.workspace.table, window.workspace.details):
            panel.select_url(url_id)

    window.reader.submit(lambda rows: rows.ids(View.REDIRECTS), show, key="picture")


def look_at_errors(window: MainWindow) -> None:
    """Show what links to a page that is missing."""
    from gossamer.model.project_queries import View  # noqa: PLC0415 - likewise

    table, details = window.workspace.table, window.workspace.details

    def show(ids: object) -> None:
        url_id = next(iter(ids))  # type: ignore[call-overload] # the ids of the errors
        table.select_url(url_id)
        details.show_inlinks(url_id)

    table.set_view(View.ERRORS)
    window.reader.submit(lambda rows: rows.ids(View.ERRORS), show, key="picture")


def export(window: MainWindow) -> None:
    """Open the dialog of exports."""
    window.command_bar.leave()
    window.action_set[WindowAction.EXPORT].trigger()


def edit_settings(window: MainWindow) -> None:
    """Open the settings in place of the exports."""
    close_dialogs(window)
    window.action_set[WindowAction.SETTINGS].trigger()


def close_dialogs(window: MainWindow) -> None:
    """Close all that is open."""
    from PySide6.QtWidgets import QDialog  # noqa: PLC0415 - likewise

    for dialog in window.findChildren(QDialog):
        dialog.close()


PLACES: Final[dict[str, Callable[[MainWindow], None]]] = {
    "start": lambda _window: None,
    "crawl": select_a_redirect,
    "errors": look_at_errors,
    "commands": lambda window: window.command_bar.open(),
    "export": export,
    "settings": edit_settings,
}
"""The places of the window, in the order in which one gets there."""


if __name__ == "__main__":
    sys.exit(main())
