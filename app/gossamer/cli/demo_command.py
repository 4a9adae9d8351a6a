"""Runs `gossamer demo`: crawls the bundled demo site, or only serves it."""

import asyncio
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final

from gossamer.cli.crawl_command import announce, conclude
from gossamer.cli.foreground_crawl import RunResult, crawl_to_end
from gossamer.cli.interrupt_signals import noting_interrupt
from gossamer.cli.parsed_commands import DemoCommand, OutputOptions
from gossamer.cli.progress_display import display
from gossamer.cli.terminal import write_out
from gossamer.demo.server import serve_forever
from gossamer.model.errors import UsageError
from gossamer.model.settings.crawl_settings import DEFAULTS
from gossamer.session.crawl_session import CrawlSession
from gossamer.session.demo_process import demo_settings, demo_site
from gossamer.session.session_factory import SessionFactory

_LOOK_EVERY_S: Final = 0.25


def demo(command: DemoCommand) -> int:
    """Run `gossamer demo` and return the exit code. Serving ends with an interrupt."""
    if command.serve:
        with suppress(KeyboardInterrupt), noting_interrupt() as interrupted:
            serve_forever(
                announce=_print_address,
                until=lambda: _wait(interrupted),
                folder=_existing(command.folder),
            )
        return 0
    session, ending = asyncio.run(_crawl_demo())
    return conclude(session.path, ending, (), OutputOptions(), "gossamer demo")


async def _crawl_demo() -> tuple[CrawlSession, RunResult]:
    async with demo_site() as url:
        session = SessionFactory().create(demo_settings(DEFAULTS, url))
        announce(session, OutputOptions())
        with display(quiet=False) as shown:
            return session, await crawl_to_end(session, shown)


def _existing(folder: Path | None) -> Path | None:
    """That folder. Raises UsageError if it does not exist."""
    if folder is not None and not folder.is_dir():
        raise UsageError("There is no folder {path}; create it first.", path=folder)
    return folder


def _print_address(origin: str) -> None:
    write_out(f"{origin}/\n")


def _wait(interrupted: Callable[[], bool]) -> None:
    # In slices: on Windows a wait without a timeout is not interrupted by a signal.
    pause = threading.Event()
    while not interrupted():
        pause.wait(_LOOK_EVERY_S)
