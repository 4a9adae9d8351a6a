"""A project file filled by hand with what a crawl would have written."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Self

from gossamer.model.archive_record import ArchiveRecord
from gossamer.model.custom_definitions import CustomResult
from gossamer.model.discovery_rank import LISTED, Rank, SitemapRole
from gossamer.model.fields.page_facts import PageFacts
from gossamer.model.link_kinds import LinkKind
from gossamer.model.outcome import Outcome
from gossamer.model.outcome_details import Detail
from gossamer.model.redirect_types import RedirectKind
from gossamer.model.rendering import Rendering
from gossamer.model.response_warnings import Warnings
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.store_batch import LinkRows, StoreBatch, UrlRow, VisitRow
from gossamer.model.visit import Link, Visit
from gossamer.store.writing.robots_blocked_issues import RulesFor
from gossamer.store.writing.writer import Writer
from tests.fakes.actions import usual_action
from tests.fakes.empty_project import make_empty_project

SITE = "https://example.com"
HEADERS = [("Content-Type", "text/html"), ("Last-Modified", "Sun, 06 Nov 1994 08:49:37 GMT")]


class Crawled:
    """Pages, redirects and failures by path; each call is a commit, unless they are made together.
    URLs become known, and get the next id, when they are first named. The first one is the root.
    """

    def __init__(
        self,
        path: Path,
        settings: CrawlSettings | None = None,
        rules_for: RulesFor | None = None,
    ) -> None:
        make_empty_project(path, settings or CrawlSettings(roots=(SITE,)))
        self.path = path
        self.writer = Writer(path, rules_for=rules_for)
        self._together: StoreBatch | None = None
        self._ids: dict[str, int] = {}
        self._depths: dict[str, int] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.writer.close()

    @contextmanager
    def together(self) -> Iterator[None]:
        """What is visited inside is one commit, at its end: a fifth of the time of one for each."""
        self._together = StoreBatch()
        yield
        batch, self._together = self._together, None
        self.writer.commit(batch)

    def id(self, path: str) -> int:
        return self._ids[path]

    def url(self, path: str) -> str:
        return path if ":" in path else SITE + path

    def page(
        self,
        path: str,
        *links: str | tuple[str, Link],
        title: str | None = None,
        issues: Sequence[int] = (),
        link_issues: Sequence[tuple[int, int]] = (),
        custom: Sequence[CustomResult] = (),
        rendering: Rendering | None = None,
        text: bytes | None = None,
        archived: Sequence[ArchiveRecord] = (),
        outcome: Outcome = Outcome.PAGE,
        **facts: object,
    ) -> int:
        """A page with links to paths; anchors with the path as text where no link is given."""
        rows = [
            (link, Link(0, LinkKind.ANCHOR, link)) if isinstance(link, str) else link
            for link in links
        ]
        known = {"title": title, "word_count": 3, "content_hash": b"0123456789abcdef"} | facts
        return self.visited(
            path,
            Visit(
                outcome,
                200,
                "OK",
                headers=HEADERS,
                content_type="text/html",
                charset="utf-8",
                size_bytes=100,
                raw_bytes=50,
                elapsed_ms=7,
                fetched_at=1e9,
                facts=PageFacts(**known),  # type: ignore[arg-type]  # each test gives what fits
                issues=list(issues),
                link_issues=list(link_issues),
                custom=list(custom),
                rendering=rendering,
                text=text,
                archived=list(archived),
            ),
            rows,
        )

    def redirect(
        self, path: str, to: str, *, status: int = 301, outcome: Outcome = Outcome.REDIRECT
    ) -> int:
        visit = Visit(
            outcome,
            status,
            location=self.url(to),
            redirect_kind=RedirectKind.HTTP,
            elapsed_ms=2,
            fetched_at=1e9,
        )
        return self.visited(path, visit, [(to, Link(0, LinkKind.REDIRECT))])

    def failed(
        self,
        path: str,
        outcome: Outcome,
        *,
        status: int | None = None,
        detail: Detail | None = None,
        warnings: Warnings = (),
    ) -> int:
        visit = Visit(outcome, status, fetched_at=1e9, detail=detail, warnings=warnings)
        return self.visited(path, visit, [])

    def sitemap(self, path: str, *named: str | tuple[str, Link], size_bytes: int = 100) -> int:
        """A sitemap that names paths: these are reached by it alone, unless they are known."""
        visit = Visit(Outcome.FILE, 200, size_bytes=size_bytes, fetched_at=1e9)
        rows = [
            (each, Link(0, LinkKind.SITEMAP)) if isinstance(each, str) else each for each in named
        ]
        return self.visited(path, visit, rows, LISTED)

    def listed(self, path: str) -> int:
        """A sitemap that is known and not read yet."""
        batch = StoreBatch()
        rank = Rank(0, listed=SitemapRole.SITEMAP)
        url_id = self._name(path, None, batch, Outcome.PENDING_SITEMAP, rank)
        self.writer.commit(batch)
        return url_id

    def known(self, path: str, outcome: Outcome, *, parent: str | None = None) -> int:
        """A URL that was not asked: queued, or refused for a reason."""
        batch = StoreBatch()
        url_id = self._name(path, parent, batch, outcome)
        self.writer.commit(batch)
        return url_id

    def decided(self, path: str, outcome: Outcome) -> None:
        """A known URL gets another outcome, without a request."""
        self.writer.commit(StoreBatch(decided=[(self._ids[path], outcome, None)]))

    def visited(
        self,
        path: str,
        visit: Visit,
        links: Sequence[tuple[str, Link]] = (),
        found: Rank | None = None,
    ) -> int:
        """Any answer to a request for a path; what it leads to gets the rank `found`."""
        batch = StoreBatch() if self._together is None else self._together
        url_id = self._name(path, None, batch)
        rows = LinkRows.of(
            (self._name(target, path, batch, rank=found), usual_action(link.kind), link)
            for target, link in links
        )
        batch.visits.append(VisitRow(url_id, visit, visit.outcome, 1, rows))
        if batch is not self._together:
            self.writer.commit(batch)
        return url_id

    def _name(
        self,
        path: str,
        parent: str | None,
        batch: StoreBatch,
        outcome: Outcome = Outcome.PENDING,
        rank: Rank | None = None,
    ) -> int:
        if path not in self._ids:
            self._ids[path] = len(self._ids) + 1
            self._depths[path] = 0 if parent is None else self._depths[parent] + 1
            rank = rank or Rank(self._depths[path])
            found_on = None if parent is None else self._ids[parent]
            batch.new.append(UrlRow(self._ids[path], self.url(path), rank, outcome, found_on))
        return self._ids[path]
