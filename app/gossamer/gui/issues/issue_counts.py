"""The number of URLs with each issue, read once for all widgets that show it."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final, TypeAlias

from PySide6.QtCore import QObject, Signal

from gossamer.audit.audit_rule import RuleKind, RulePriority
from gossamer.audit.rule_catalogue import RULES
from gossamer.audit.site_rule import SiteRule
from gossamer.gui.crawl.progress_line import IssueTotals
from gossamer.gui.project.reader_interfaces import ProjectRows
from gossamer.gui.project.reader_thread import ProjectReader
from gossamer.model.audit_state import AuditState
from gossamer.model.audit_totals import AuditTotals
from gossamer.model.content_types import ContentKind
from gossamer.model.custom_definitions import CustomCounts
from gossamer.model.facets import CONTENT_KIND
from gossamer.model.ignored_issues import IgnoredIssue
from gossamer.model.project_queries import Filter, View, facet_values
from gossamer.model.series_contents import Note, NoteSubject
from gossamer.model.settings.crawl_settings import DEFAULTS, CrawlSettings

_TOTALS_S: Final = 1.0
COUNTED_VIEWS: Final = (View.INTERNAL, View.EXTERNAL)
"""The views whose URLs are counted by kind of content."""


_Read: TypeAlias = tuple[
    Mapping[int, int],
    Mapping[int, int],
    Sequence[IgnoredIssue],
    AuditState,
    Mapping[int, CustomCounts],
    Sequence[Note],
]
ContentCounts: TypeAlias = Mapping[View, Mapping[ContentKind, int]]


class IssueCounts(QObject):
    """The counts of all rules and custom definitions, kept up to date by one query a refresh.

    `changed` is emitted after they are read.

    Totals and URLs by content take longer to count, so they are read apart and only on request.
    """

    changed = Signal()

    def __init__(self, reader: ProjectReader, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._reader = reader
        self._has_project = False
        self.settings: CrawlSettings = DEFAULTS
        """The settings of the crawl: names of rules contain their thresholds."""
        self.segments: frozenset[str] = frozenset()
        """The segments that counts are limited to, "" for URLs in none; empty for all URLs."""
        self.urls: Mapping[int, int] = {}
        """The URLs with each issue, by rule number; rules without URLs are missing."""
        self.site_urls: Mapping[int, int] = {}
        """The same, not limited to segments."""
        self.ignored: Sequence[IgnoredIssue] = ()
        """The ignored issues, which are not counted."""
        self.custom: Mapping[int, CustomCounts] = {}
        """Pages by outcome of each custom definition, by number."""
        self.notes: Sequence[Note] = ()
        """All notes of the series."""
        self.state: AuditState | None = None
        """Whether the audit is up to date; None if that is unknown."""
        self.content: ContentCounts = {}
        """URLs by kind of content, of internal and external ones; empty unless they are wanted."""
        self._is_content_wanted = False
        self._totals = AuditTotals()
        self._counting = reader.throttle.add(self._read)
        self._counting_content = reader.throttle.add(self._read_content)
        self._totalling = reader.throttle.add(self._read_totals, _TOTALS_S)

    def set_project(self, path: Path | None) -> None:
        """Count the issues of the project that the reader has just opened, if any."""
        for refresh in (self._counting, self._counting_content, self._totalling):
            refresh.reset()
        self._has_project = path is not None
        self.urls, self.site_urls, self.custom, self.content = {}, {}, {}, {}
        self.ignored, self.notes, self.state, self._totals = (), (), None, AuditTotals()
        self.changed.emit()
        self.refresh()

    def use_settings(self, settings: CrawlSettings) -> None:
        """Use these thresholds in the names of rules."""
        if settings != self.settings:
            self.settings = settings
            self.changed.emit()

    def use_segments(self, segments: frozenset[str]) -> None:
        """Limit counts to these segments, "" for URLs in none; an empty set removes the limit.

        Earlier counts stay until the new ones are read.
        """
        if segments != self.segments:
            self.segments = segments
            self.changed.emit()
            self._totalling.reset()
            self.refresh(at_once=True)
            self.request_totals()

    def refresh(self, *, at_once: bool = False) -> None:
        """Count again after a change of the project, at once or when the throttle allows."""
        if at_once:
            self._counting.reset()
            self._counting_content.reset()
        if self._has_project:
            self._counting.request()
            if self._is_content_wanted:
                self._counting_content.request()

    def want_content(self, *, wanted: bool) -> None:
        """Count URLs by kind of content too, or no more."""
        if wanted is not self._is_content_wanted:
            self._is_content_wanted = wanted
            if wanted:
                self.refresh(at_once=True)

    def request_totals(self) -> None:
        """Count the totals of shares; `changed` follows."""
        if self._has_project:
            self._totalling.request()

    def problems(self) -> list[SiteRule]:
        """The rules with URLs, except those that only count."""
        return _problems(self.urls)

    def notes_on(self, rule: SiteRule) -> list[Note]:
        """The notes about the issue of a rule."""
        return [
            note
            for note in self.notes
            if note.subject is NoteSubject.ISSUE and note.about == str(rule.number)
        ]

    def total(self, rule: SiteRule) -> int:
        """The number of URLs that the share of a rule refers to."""
        return rule.share_base.of(self._totals)

    def _read(self) -> None:
        segments = self.segments

        def read(rows: ProjectRows) -> _Read:
            site = rows.issue_counts()
            return (
                rows.issue_counts(among=_among(segments)) if segments else site,
                site,
                rows.ignored_issues(),
                rows.audit_state(),
                rows.custom_counts(segments),
                rows.notes(),
            )

        self._reader.submit(
            read,
            lambda found: self._take(found, segments),
            key=f"issue counts {id(self)}",
            on_failure=self._counting.finished,
            background=True,
        )

    def _take(self, found: _Read, segments: frozenset[str]) -> None:
        before = (self.urls, self.site_urls, self.ignored, self.state, self.custom, self.notes)
        if segments == self.segments and found != before:
            self.urls, self.site_urls, self.ignored, self.state, self.custom, self.notes = found
            self.changed.emit()
        self._counting.finished()

    def _read_content(self) -> None:
        segments = self.segments
        self._reader.submit(
            lambda rows: {view: _by_content(rows, view, segments) for view in COUNTED_VIEWS},
            lambda content: self._take_content(content, segments),
            key=f"content counts {id(self)}",
            on_failure=self._counting_content.finished,
            background=True,
        )

    def _take_content(self, content: ContentCounts, segments: frozenset[str]) -> None:
        if segments == self.segments and content != self.content:
            self.content = content
            self.changed.emit()
        self._counting_content.finished()

    def _read_totals(self) -> None:
        segments = self.segments
        self._reader.submit(
            lambda rows: rows.audit_totals(_among(segments)),
            lambda totals: self._take_totals(totals, segments),
            key=f"issue totals {id(self)}",
            on_failure=self._totalling.finished,
            background=True,
        )

    def _take_totals(self, totals: AuditTotals, segments: frozenset[str]) -> None:
        if segments == self.segments and totals != self._totals:
            self._totals = totals
            self.changed.emit()
        self._totalling.finished()


def _by_content(rows: ProjectRows, view: View, segments: frozenset[str]) -> dict[ContentKind, int]:
    counts = rows.facet(view, _among(segments), CONTENT_KIND)
    return {ContentKind(str(each.value)): each.count for each in counts}


def _among(segments: frozenset[str]) -> Filter:
    return Filter(facets=facet_values(segment=segments))


def issue_totals(urls: Mapping[int, int]) -> IssueTotals:
    """How many of these rules, given by number, are issues."""
    found = _problems(urls)
    return IssueTotals(len(found), sum(rule.priority is RulePriority.HIGH for rule in found))


def _problems(urls: Mapping[int, int]) -> list[SiteRule]:
    found = (RULES.get(number) for number in urls)
    return [rule for rule in found if rule is not None and rule.kind is not RuleKind.COUNT]
