"""Examines what a project has read before its crawl has a login.

That is done before a crawl host has the file open: reading it in the same process would end the
locks of its connection.
"""

from collections.abc import Set as AbstractSet
from pathlib import Path

from gossamer.model.secrets import Secrets
from gossamer.model.settings.crawl_settings import CrawlSettings


def examine_for_settings(path: Path, before: CrawlSettings, after: CrawlSettings) -> None:
    """Note which URLs sign out or delete, if `after` has a login that `before` had not.

    ProjectError if the file cannot be written.
    """
    from gossamer.engine.risky_links import login_origins  # noqa: PLC0415 - few crawls have a login

    _examine(path, login_origins(after) - login_origins(before))


def examine_for_secrets(path: Path, settings: CrawlSettings, secrets: Secrets) -> None:
    """The same, if there are secrets that the stored `settings` do not name."""
    known = {names.origin for names in settings.needs_secrets}
    if not settings.follow_sign_out:
        _examine(path, {names.origin for names in secrets.names()} - known)


def _examine(path: Path, origins: AbstractSet[str]) -> None:
    if not origins:
        return
    from gossamer.engine.risky_links import risky_rows  # noqa: PLC0415 - seldom needed
    from gossamer.engine.risky_words import MOST_CHARACTERS, risky_text  # noqa: PLC0415 - likewise
    from gossamer.model.store_batch import StoreBatch  # noqa: PLC0415 - likewise
    from gossamer.store.stored_link_texts import targets_by_text  # noqa: PLC0415 - likewise
    from gossamer.store.writing.writer import Writer  # noqa: PLC0415 - likewise

    if rows := risky_rows(targets_by_text(path, risky_text, MOST_CHARACTERS), origins):
        with Writer(path) as writer:
            writer.commit(StoreBatch(risky=rows))
