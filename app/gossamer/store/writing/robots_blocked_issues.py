"""Keeps the issues of URLs that robots.txt kept from being requested, as their outcomes change."""

import sqlite3
from collections.abc import Callable, Iterable
from typing import Final, Protocol, TypeAlias

from gossamer.model.outcome import KEPT_BY_ROBOTS, Outcome
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.store_batch import UrlRow
from gossamer.store.stored_settings import settings_in
from gossamer.store.writing.issue_rows import count_issues, resources_among
from gossamer.store.writing.storable_text import clean_url

_ADDED: Final = "INSERT INTO issue (rule, id) VALUES (?, ?) ON CONFLICT DO NOTHING"
_REMOVED: Final = "DELETE FROM issue WHERE rule = ? AND id = ?"


class RobotsBlockedIssueRules(Protocol):
    """Says which issues a URL has by its outcome, without a visit."""

    @property
    def numbers(self) -> frozenset[int]:
        """Those of all such rules."""

    def holding(self, url: str, outcome: Outcome, *, is_resource: bool) -> list[int]:
        """The numbers of the rules that hold for a URL that its first page uses in this way."""


RulesFor: TypeAlias = Callable[[CrawlSettings], RobotsBlockedIssueRules]


class RobotsBlockedIssues:
    """Notes changes in the course of a transaction, and writes the issues at its end."""

    def __init__(self, connection: sqlite3.Connection, rules_for: RulesFor | None) -> None:
        """`rules_for` is asked once it is needed; without it, nothing is written."""
        self._connection = connection
        self._rules_for = rules_for
        self._rules: RobotsBlockedIssueRules | None = None
        self._changed: dict[int, tuple[str, Outcome]] = {}

    def forget(self) -> None:
        """Forget what is not written: after a rollback."""
        self._changed.clear()
        self._rules = None

    def add(self, rows: Iterable[UrlRow]) -> None:
        """These URLs are new."""
        for row in rows:
            if row.outcome in KEPT_BY_ROBOTS:
                self._changed[row.id] = clean_url(row.url), row.outcome

    def move(self, url_id: int, url: str, old: int, new: Outcome) -> None:
        """A URL has another outcome."""
        if old in KEPT_BY_ROBOTS or new in KEPT_BY_ROBOTS:
            self._changed[url_id] = url, new

    def flush(self) -> None:
        """Write the issues of all that changed, in the transaction that is open."""
        if self._changed and self._rules_for is not None:
            self._rules = self._rules or self._rules_for(settings_in(self._connection))
            self._write(self._rules)
        self._changed.clear()

    def _write(self, rules: RobotsBlockedIssueRules) -> None:
        used = resources_among(self._connection, self._changed)
        holding = {
            url_id: rules.holding(url, outcome, is_resource=url_id in used)
            for url_id, (url, outcome) in self._changed.items()
        }
        for rule in rules.numbers:
            has = [(rule, url_id) for url_id, those in holding.items() if rule in those]
            lacks = [(rule, url_id) for url_id, those in holding.items() if rule not in those]
            more = self._changes(_ADDED, has) - self._changes(_REMOVED, lacks)
            if more:
                count_issues(self._connection, rule, more)

    def _changes(self, sql: str, rows: list[tuple[int, int]]) -> int:
        """How many rows it adds or removes."""
        before = self._connection.total_changes
        self._connection.executemany(sql, rows)
        return self._connection.total_changes - before
