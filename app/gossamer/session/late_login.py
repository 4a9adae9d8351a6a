"""Examines what a project has read before its crawl has a login."""

from pathlib import Path

from gossamer.model.settings.crawl_settings import CrawlSettings


def examine_stored_links(path: Path, before: CrawlSettings, after: CrawlSettings) -> None:
    """Note which URLs sign out or delete, if `after` has a login that `before` had not.

    ProjectError if the file cannot be written.
    """
    from gossamer.engine.risky_links import login_origins, risky_rows  # noqa: PLC0415 - seldom needed
    from gossamer.engine.risky_words import MOST_CHARACTERS, risky_text  # noqa: PLC0415 - likewise

    origins = login_origins(after) - login_origins(before)
    if not origins:
        return
    from gossamer.model.store_batch import StoreBatch  # noqa: PLC0415 - likewise
    from gossamer.store.stored_link_texts import targets_by_text  # noqa: PLC0415 - likewise
    from gossamer.store.writing.writer import Writer  # noqa: PLC0415 - likewise

    rows = risky_rows(targets_by_text(path, risky_text, MOST_CHARACTERS), origins)
    with Writer(path) as writer:
        writer.commit(StoreBatch(risky=rows))
