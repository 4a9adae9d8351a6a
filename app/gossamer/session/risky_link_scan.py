"""Finds links that sign out or delete in what a crawl has read before it had a login.

That is done before a crawl host has the file open: reading it in the same process would end the
locks of its connection.
"""

import asyncio
from collections.abc import Callable
from collections.abc import Set as AbstractSet
from pathlib import Path

from gossamer.model.secrets import Secrets
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.translatable import Translatable, said
from gossamer.session.interruptions import IsWanted

Show = Callable[[Translatable | None], None]
"""Shows how far the examination is; None: it is over."""


class _UnwantedError(Exception):
    """Nobody wants the examination any more."""


async def examine_for_settings(
    path: Path, before: CrawlSettings, after: CrawlSettings, show: Show, is_wanted: IsWanted
) -> bool:
    """Note which URLs sign out or delete, if `after` has a login that `before` had not.

    False if it was not wanted any more before it was over. ProjectError if the file cannot be
    written.
    """
    from gossamer.engine.risky_links import login_origins  # noqa: PLC0415 - few crawls have a login

    return await _examine(path, login_origins(after) - login_origins(before), show, is_wanted)


async def examine_for_secrets(
    path: Path, settings: CrawlSettings, secrets: Secrets, show: Show, is_wanted: IsWanted
) -> bool:
    """The same, if there are secrets that the stored `settings` do not name."""
    known = {names.origin for names in settings.needs_secrets}
    origins = {names.origin for names in secrets.names()} - known
    return settings.follow_sign_out or await _examine(path, origins, show, is_wanted)


async def _examine(path: Path, origins: AbstractSet[str], show: Show, is_wanted: IsWanted) -> bool:
    """Do it in a thread: a large project has millions of texts."""
    if not origins:
        return True
    loop = asyncio.get_running_loop()
    tenths_shown = -1
    is_over = False

    def show_tenths(tenths: int) -> None:
        if not is_over:
            percent = 10 * tenths
            show(
                said(
                    "Checking whether known links sign out or delete: {percent} %.", percent=percent
                )
            )

    def on_progress(done: int, of: int) -> None:
        nonlocal tenths_shown
        if is_over or not is_wanted():
            raise _UnwantedError
        tenths = 10 * done // of  # a shell may show each as a line
        if tenths > tenths_shown:
            tenths_shown = tenths
            loop.call_soon_threadsafe(show_tenths, tenths)

    thread = loop.run_in_executor(None, _note_risky, path, origins, on_progress)
    try:
        return await asyncio.shield(thread)
    except asyncio.CancelledError:
        is_over = True
        await asyncio.wait({thread})  # the project is for others only when it has let go of it
        raise
    finally:
        is_over = True
        show(None)


def _note_risky(
    path: Path, origins: AbstractSet[str], on_progress: Callable[[int, int], None]
) -> bool:
    from gossamer.engine.risky_links import risky_rows  # noqa: PLC0415 - seldom needed
    from gossamer.engine.risky_words import MOST_CHARACTERS, risky_text  # noqa: PLC0415 - likewise
    from gossamer.model.store_batch import StoreBatch  # noqa: PLC0415 - likewise
    from gossamer.store.targets_by_link_text import targets_by_text  # noqa: PLC0415 - likewise
    from gossamer.store.writing.writer import Writer  # noqa: PLC0415 - likewise

    try:
        found = targets_by_text(path, risky_text, MOST_CHARACTERS, on_progress)
        on_progress(1, 1)
    except _UnwantedError:
        return False
    if rows := risky_rows(found, origins):
        with Writer(path) as writer:
            writer.commit(StoreBatch(risky=rows))
    return True
