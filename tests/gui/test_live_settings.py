"""Settings that are changed in the dialog while a crawl is shown."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from gossamer.gui.settings_dialog import SettingsDialog
from gossamer.model.settings import CrawlSettings
from gossamer.model.state import CrawlState
from gossamer.session.changes import changes_between, sorted_out
from tests.gui.conftest import Run
from tests.gui.stage import Stage, staged, until

pytestmark = pytest.mark.usefixtures("light")
BASE = CrawlSettings(roots=("a.test",), exclude=("/old/",), max_depth=3)


def change(stage: Stage, **values: object) -> None:
    """Put values into the dialog and press OK."""
    stage.window.menus.settings.trigger()
    (dialog,) = stage.window.findChildren(SettingsDialog)
    for name, value in values.items():
        dialog.field(name).write(value)
    dialog.accept()
    dialog.setParent(None)


def test_what_can_change_does_so_at_once_and_the_rest_is_told(
    tmp_path: Path, run: Run[None]
) -> None:
    async def scenario() -> None:
        async with staged(tmp_path) as stage:
            session = await stage.start()
            change(stage, rate=3.0, max_redirects=4, user_agent="Test/1")
            await until(lambda: bool(stage.message("settings")))
            assert session.changed == [{"rate": 3.0}]
            told = stage.message("settings")
            assert told == (
                "Changed in this crawl: Rate. From the next crawl on: Redirect limit, User agent."
            )
            session.tell(state=CrawlState.FINISHED)
            change(stage, user_agent="Test/2")
            await until(lambda: session.changed[1:] == [{"user_agent": "Test/2"}])

    run(scenario())


def test_without_a_crawl_there_is_nothing_to_say(tmp_path: Path, run: Run[None]) -> None:
    async def scenario() -> None:
        async with staged(tmp_path) as stage:
            change(stage, rate=3.0)
            assert stage.message("settings") == ""

    run(scenario())


def test_patterns_are_added_to_those_of_the_crawl() -> None:
    after = replace(BASE, exclude=("/old/", "/new/"), max_depth=2, rate=2.0)
    present = replace(BASE, exclude=("/old/", "/folder/"))
    wanted = changes_between(BASE, after, present)
    assert wanted == {"exclude": ("/old/", "/folder/", "/new/"), "max_depth": 2, "rate": 2.0}
    now, later = sorted_out(present, wanted, live=True)
    assert now == {"exclude": wanted["exclude"], "rate": 2.0}
    assert later == ["max_depth"]
    without = changes_between(BASE, replace(BASE, exclude=()), present)
    assert sorted_out(present, without, live=False) == ({}, ["exclude"])
