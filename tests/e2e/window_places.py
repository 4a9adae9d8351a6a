"""Prints where a user clicks in the window: a name, x and y in a line, with tabs between.

Run on the display, and with the home, that the program is going to have. The window stands on a
fake session, so that each of its states can be shown at once; it comes up where it was left.
"""

import shutil
import sys
import tempfile
from pathlib import Path

from PySide6.QtWidgets import QApplication, QWidget

from gossamer.gui.actions.window_actions import WindowAction
from gossamer.gui.application import set_up_application
from gossamer.gui.runtime import event_loop
from gossamer.gui.runtime.saved_ui_state import UnfinishedCrawl, default_path
from gossamer.model.crawl_state import Command
from tests.gui.stage import Stage, staged, until


def main() -> int:
    app = QApplication(sys.argv[:1])
    set_up_application(app)
    with tempfile.TemporaryDirectory() as folder:
        return event_loop.run(app, _tell(Path(folder)))


async def _tell(folder: Path) -> int:
    if default_path().exists():
        shutil.copy(default_path(), folder / "window.ini")
    async with staged(folder) as stage:
        stage.memory.remember_unfinished(UnfinishedCrawl(str(folder / "a.gossamer"), "127.0.0.1"))
        (folder / "a.gossamer").touch()
        stage.window.crawl_target(None)
        await until(lambda: stage.message("unfinished") != "")
        message = stage.window.messages.about("unfinished")
        assert message is not None
        await _print(stage, {"continue": message.answer("Continue")})
        await stage.start()
        bar, panels = stage.window.top_bar, stage.window.workspace
        buttons: dict[str, QWidget] = {str(command): bar.go for command in Command}
        buttons[Command.CANCEL] = bar.buttons[WindowAction.CANCEL]
        await _print(stage, {**buttons, "table": panels.table.view})
    return 0


async def _print(stage: Stage, widgets: dict[str, QWidget]) -> None:
    handle = stage.window.windowHandle()
    await until(lambda: handle.isExposed() and all(w.isVisible() for w in widgets.values()))
    for name, widget in widgets.items():
        place = widget.mapToGlobal(widget.rect().center())
        sys.stdout.write(f"{name}\t{place.x()}\t{place.y()}\n")


if __name__ == "__main__":
    sys.exit(main())
