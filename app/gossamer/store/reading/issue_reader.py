"""Reads the results of the audit of a project: which rules hold for which URLs."""

from collections.abc import Sequence

from gossamer.model.audit_state import AuditState
from gossamer.store.audit_status import read_audit_state
from gossamer.store.bulk_insert import Value, chunks, marks
from gossamer.store.count_tables import count_issues
from gossamer.store.reading.project_connection import ProjectConnection

_ISSUES_OF = """
    SELECT c.rule, i.value FROM issue_count c CROSS JOIN issue i ON i.rule = c.rule AND i.id = ?
    WHERE c.urls > 0 ORDER BY c.rule
"""
_FIRST_OF = "SELECT min(id, value) FROM issue WHERE rule = ? AND id = ? AND value IS NOT NULL"
_SAME = "SELECT id FROM issue WHERE rule = ? AND (value = ? OR id = ?) AND id <> ? LIMIT ?"


class IssueReader(ProjectConnection):
    """Reads issues. Raises as `Reader` does. Rules are told by their numbers."""

    def audit_state(self) -> AuditState:
        """Whether the results of the audit are up to date."""
        with self._reading():
            return read_audit_state(self._connection)

    def issue_counts(self) -> dict[int, int]:
        """How many URLs each rule holds for, by number; without rules that hold for none."""
        with self._reading():
            return count_issues(self._connection)

    def issue_values(self, rule: int, ids: Sequence[int]) -> dict[int, Value]:
        """What a rule measured of those of these URLs for which it holds; None for nothing."""
        found: dict[int, Value] = {}
        for chunk in chunks(ids):
            query = f"SELECT id, value FROM issue WHERE rule = ? AND id IN ({marks(len(chunk))})"  # noqa: S608 - marks only
            found.update(self._rows(query, (rule, *chunk)))
        return found

    def same_issue(self, rule: int, url_id: int, limit: int) -> list[int]:
        """Other URLs for which a rule about duplicates holds for the same reason, by id.

        The value of such a rule is the id of another one, the same for all but one of them.
        """
        found: list[int] = []
        for (first,) in self._rows(_FIRST_OF, (rule, url_id)):
            others = self._rows(_SAME, (rule, first, first, url_id, limit))
            found += [number for (number,) in others]
        return found

    def issues_of(self, url_id: int) -> dict[int, Value]:
        """The rules that hold for a URL, rising, and what each measured."""
        return dict(self._rows(_ISSUES_OF, (url_id,)))
