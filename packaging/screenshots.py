"""Makes the pictures of the window in docs/images: the real window, crawling the demo site.

Usage: .venv/bin/python packaging/screenshots.py

Needs Xvfb, and starts one of its own: no other display is used. Nothing of the person's is read
or changed: projects, settings and logs go to a folder that is removed at the end.
"""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from app.model.state import CrawlState

if TYPE_CHECKING:
    from collections.abc import Iterator

    from app.gui.window import MainWindow
    from app.model.messages import Progress

REPO = Path(__file__).resolve().parent.parent
IMAGES = REPO / "docs" / "images"
SIZE = (1280, 720)
RATE = 14.0
"""Pages per second, so that the crawl lasts long enough to be pictured."""
ENOUGH = 120
"""URLs that are done, at least, when the picture is taken; and some are in flight then."""
SETTLE_S = 0.6


def main() -> int:
    """Take the pictures in a display and a home of their own."""
    with (
        tempfile.TemporaryDirectory(prefix="gossamer-pictures-") as home,
        display() as name,
    ):
        for variable in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"):
            os.environ[variable] = home
        os.environ |= {"DISPLAY": name, "QT_QPA_PLATFORM": "xcb", "LANG": "C.UTF-8"}
        os.environ.pop("WAYLAND_DISPLAY", None)
        IMAGES.mkdir(parents=True, exist_ok=True)
        return take_pictures(Path(home))


@contextmanager
def display() -> Iterator[str]:
    """Run an X server without a screen; yields the name of its display."""
    read, write = os.pipe()
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(write), "-screen", "0", "1920x1080x24", "-nolisten", "tcp"],
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


def take_pictures(home: Path) -> int:
    """Run the program, crawl, picture it in both themes, and close it."""
    from PySide6.QtWidgets import QApplication  # noqa: PLC0415 - Qt reads the environment then

    from app.gui import loop  # noqa: PLC0415 - likewise
    from app.gui.application import Program, dress  # noqa: PLC0415 - likewise
    from app.gui.exporting import ProjectExporter  # noqa: PLC0415 - likewise
    from app.gui.faults import Faults  # noqa: PLC0415 - likewise
    from app.gui.memory import Memory  # noqa: PLC0415 - likewise
    from app.model.settings import CrawlSettings  # noqa: PLC0415 - likewise
    from app.session.crawl_session import CrawlSession  # noqa: PLC0415 - likewise
    from app.session.demo import demo_site  # noqa: PLC0415 - likewise

    app = QApplication(sys.argv[:1])
    dress(app)
    memory = Memory(home / "window.ini")
    memory.remember_settings(CrawlSettings(roots=(), rate=RATE))
    program = Program(CrawlSession, demo_site, ProjectExporter(), memory, Faults())

    async def life() -> int:
        async with asyncio.TaskGroup() as group:
            group.create_task(sit_for_pictures(program), name="photographer")
            return await program.main(None, home / "window.log")

    return loop.run(app, life())


async def sit_for_pictures(program: object) -> None:
    """Crawl the demo site in the program's window and picture it half-way."""
    window: MainWindow | None = None
    while window is None:
        await asyncio.sleep(0.05)
        window = getattr(program, "window", None)
    window.resize(*SIZE)
    window.move(0, 0)
    window.start_page.demo_wanted.emit()
    while not is_worth_a_picture(window.progress()):  # noqa: ASYNC110 - nothing tells of it
        await asyncio.sleep(0.05)
    select_a_redirect(window)
    for theme, name in (("light", "window.png"), ("dark", "window-dark.png")):
        window.menus.themes[theme].trigger()  # type: ignore[index] # two of its three words
        await asyncio.sleep(SETTLE_S)
        picture = window.screen().grabWindow(window.winId())
        picture.save(str(IMAGES / name))
        print(f"screenshots.py: {IMAGES / name}", file=sys.stderr)
    window.close()


def is_worth_a_picture(progress: Progress) -> bool:
    """Whether there is something to see in every part of the window, or no more is to come."""
    busy = progress.fetched >= ENOUGH and len(progress.in_flight) > 1
    return busy or progress.state is CrawlState.FINISHED


def select_a_redirect(window: MainWindow) -> None:
    """Show a redirect in tree, table and details, as a person would who found one."""
    from app.model.views import View  # noqa: PLC0415 - loaded only with the rest of the program

    def show(ids: object) -> None:
        url_id = list(ids)[3]  # type: ignore[call-overload] # the ids of the redirects
        for panel in (window.workspace.discovery, window.workspace.table, window.workspace.details):
            panel.select_url(url_id)

    window.reader.submit(lambda rows: rows.ids(View.REDIRECTS), show, key="picture")


if __name__ == "__main__":
    sys.exit(main())
