"""The pictures of the tutorial: the window while it is followed, step by step."""

from __future__ import annotations

import asyncio
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from gossamer.gui.actions.window_actions import WindowAction
from gossamer.model.crawl_state import CrawlState

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from gossamer.gui.main_window import MainWindow

PORT: Final = 8400
"""Of the demo site, so that pictures differ only where the window does."""
BROKEN: Final = "Response Codes: Internal Client Error (4xx)"
LOST: Final = "/collections/dust/"
MENDED: Final = """\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>The collection of dust · The Gossamer Museum</title>
<meta name="description" content="Nine kinds of dust, and where each was found.">
</head>
<body>
<h1>The collection of dust</h1>
<p>Nine kinds of dust, and where each was found.</p>
<p><a href="/collections/">All collections</a></p>
</body>
</html>
"""
"""What docs/tutorial.md has people write."""


@contextmanager
def museum(folder: Path) -> Iterator[str]:
    """Serve the demo site with the files of `folder`; yields the address of its start page."""
    from gossamer.demo.server import serve  # noqa: PLC0415 - loaded only where it is wanted

    folder.mkdir()
    with serve(PORT, folder) as origin:
        yield f"{origin}/"


async def follow(
    window: MainWindow, address: str, folder: Path, picture: Callable[[str], None]
) -> None:
    """Do what the tutorial says; `picture` keeps what is seen under a name."""
    field = window.parts.address
    field.setEditText(address)
    await settled()
    picture("start")
    field.submitted.emit()
    await finished(window)
    picture("crawl")
    await choose_the_issue(window)
    picture("issues")
    await show_its_links(window)
    picture("links")
    mend(folder)
    await crawl_again(window)
    picture("again")
    await compare(window, picture)


def mend(folder: Path) -> None:
    """Bring the page back that is missing."""
    place = folder / LOST.strip("/")
    place.mkdir(parents=True)
    (place / "index.html").write_text(MENDED, encoding="utf-8")


async def choose_the_issue(window: MainWindow) -> None:
    """Turn to the issues, and choose that of broken URLs."""
    from gossamer.audit.rule_catalogue import RULES  # noqa: PLC0415 - likewise
    from gossamer.gui.tables.table_tabs import ISSUES  # noqa: PLC0415 - likewise
    from gossamer.model.settings.crawl_settings import DEFAULTS  # noqa: PLC0415 - likewise

    table = window.workspace.table
    table.set_view(ISSUES)
    rule = next(rule for rule in RULES.values() if rule.full_name(DEFAULTS) == BROKEN)
    await until(lambda: table.issues.table.rows.rowCount() > 0)
    table.issues.choose(rule)
    await settled()


async def show_its_links(window: MainWindow) -> None:
    """Select the missing page, and show what links to it."""
    from gossamer.model.project_queries import Filter, View  # noqa: PLC0415 - likewise

    found: list[int] = []

    def show(ids: object) -> None:
        found.extend(ids)  # type: ignore[arg-type]  # the ids of the errors

    wanted = Filter(text=LOST)
    window.reader.submit(lambda rows: rows.ids(View.ERRORS, wanted), show, key="picture")
    await until(lambda: bool(found))
    window.workspace.table.select_url(found[0])
    window.workspace.details.show_inlinks(found[0])
    await settled()


async def crawl_again(window: MainWindow) -> None:
    """Crawl the site a second time, in the way that is offered first."""
    from gossamer.gui.crawl.recrawl_dialog import RecrawlDialog  # noqa: PLC0415 - likewise

    window.action_set[WindowAction.CRAWL_AGAIN].trigger()
    for dialog in window.findChildren(RecrawlDialog):
        dialog.start.click()
    await until(lambda: window.progress().state is not CrawlState.FINISHED)
    await finished(window)
    await until(lambda: window.messages.about("recrawl") is not None)
    await settled()


async def compare(window: MainWindow, picture: Callable[[str], None]) -> None:
    """Show the comparison that is offered."""
    from PySide6.QtWidgets import QApplication, QPushButton  # noqa: PLC0415 - likewise

    from gossamer.gui.comparison.comparison_window import (  # noqa: PLC0415 - likewise
        ComparisonWindow,
    )

    if message := window.messages.about("recrawl"):
        message.findChildren(QPushButton)[0].click()

    def shown() -> list[ComparisonWindow]:
        return [w for w in QApplication.topLevelWidgets() if isinstance(w, ComparisonWindow)]

    await until(lambda: bool(shown()))
    (comparison,) = shown()
    comparison.setGeometry(window.geometry())
    comparison.raise_()
    await settled()
    picture("comparison")
    comparison.close()


async def finished(window: MainWindow) -> None:
    """Wait until the crawl has ended and its audit is done."""
    await until(lambda: window.progress().state is CrawlState.FINISHED)
    for _ in range(5):
        await settled()


async def settled() -> None:
    """Wait until the window shows what it knows."""
    await asyncio.sleep(0.6)


async def until(condition: Callable[[], bool]) -> None:
    """Wait for what the program is about to do."""
    while not condition():  # noqa: ASYNC110 - nothing tells of it
        await asyncio.sleep(0.05)
