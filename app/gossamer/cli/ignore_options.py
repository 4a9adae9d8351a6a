"""Parses `--ignore ISSUE[=PATTERN]` and `--stop-ignoring`, and carries them out."""

from collections.abc import Sequence
from pathlib import Path

from gossamer.cli.parsed_commands import AuditCommand
from gossamer.cli.where_option import rule_number
from gossamer.model.errors import UsageError
from gossamer.model.ignored_issues import EVERY_URL, IgnoredIssue
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.session.ignore_commands import ignore, take_back
from gossamer.store.reading.reader import Reader
from gossamer.urls.url_parsing import parse_root


def ignored_of(
    texts: Sequence[str], settings: CrawlSettings, reason: str = ""
) -> list[IgnoredIssue]:
    """Parse ISSUE[=PATTERN]; UsageError, with similar names, for an unknown issue."""
    parts = (text.partition("=") for text in texts)
    return [
        IgnoredIssue(
            rule_number(name, settings),
            _pattern(pattern, settings) if equals else EVERY_URL,
            reason=reason,
        ).checked()
        for name, equals, pattern in parts
    ]


def change_ignored(project: Path, command: AuditCommand, settings: CrawlSettings) -> None:
    """Stop ignoring the former, then ignore the latter.

    UsageError if something that should no longer be ignored was not.
    """
    for text in command.stop_ignoring:
        (wanted,) = ignored_of([text], settings)
        taken_back = [wanted]
        if "=" not in text:
            with Reader(project) as reader:
                taken_back = [each for each in reader.ignored_issues() if each.rule == wanted.rule]
        if not taken_back or not take_back(project, taken_back):
            raise UsageError(f"{text!r} is not ignored in {project}.")
    if command.ignore:
        ignore(project, ignored_of(command.ignore, settings, command.reason))


def _pattern(text: str, settings: CrawlSettings) -> str:
    """An address as the crawl writes it; patterns as they are."""
    text = text.strip()
    if not text or "*" in text:
        return text
    try:
        return parse_root(text, hash_routes=settings.crawls_hash_routes)
    except UsageError:
        return text
