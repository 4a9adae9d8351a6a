"""Parts of the engine, ready to be asked without a loop, a project file or a crawl around them."""

from gossamer.engine.crawl_memory import CrawlMemory, EngineLimits
from gossamer.engine.pending_batch import PendingBatch
from gossamer.engine.queue.frontier import Frontier
from gossamer.engine.queue.host_queues import HostRate
from gossamer.engine.seen_urls import id_of
from gossamer.engine.site_check_requests import SiteChecks
from gossamer.engine.url_outcomes import Reconsideration, UrlOutcomes
from gossamer.engine.url_tracker import FrontierEntry, UrlStage, UrlTracker
from gossamer.engine.visit_processing import Admission
from gossamer.model.crawl_state import CrawlState
from gossamer.model.discovery_rank import Rank
from gossamer.model.link_kinds import LinkKind
from gossamer.model.outcome import Outcome
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.store_batch import ProjectSummary, StoreBatch, UrlRow
from gossamer.model.visit import Link, PageLinks, Visit
from gossamer.urls.scope_and_limits import Scope
from gossamer.urls.url_parsing import host_of
from tests.fakes.web import NO_CHECKS, ROOT, absolute


def empty_frontier(capacity: int, pace: HostRate | None = None) -> Frontier:
    """A frontier of a project without URLs."""
    return Frontier(UrlTracker(PendingBatch()), capacity, pace or HostRate())


def entry_of(url_id: int, url: str, rank: Rank | None = None) -> FrontierEntry:
    """An entry that is in no queue yet; `url` may be a path on the fake site."""
    url = absolute(url)
    return FrontierEntry(url_id, url, rank or Rank(1), 1, host_of(url))


def settings_of(**changes: object) -> CrawlSettings:
    """Settings of a crawl of the fake site that checks no files."""
    settings = {"roots": (f"{ROOT}/",), "check_kinds": (), **NO_CHECKS, **changes}
    return CrawlSettings(**settings)  # type: ignore[arg-type]  # field by field


def page_with(*paths: str, kind: LinkKind = LinkKind.ANCHOR) -> Visit:
    """A page with a link to each of these."""
    links = PageLinks.of(Link(number, kind) for number in range(len(paths)))
    targets = [absolute(path) for path in paths]
    return Visit(Outcome.PAGE, status=200, raw_bytes=10, targets=targets, links=links)


def redirect_to(path: str, *, told: int = 0, ahead: int = 0) -> Visit:
    """A redirect; `told` and `ahead` stand for the cookies sent with it, and to its target."""
    location = absolute(path)
    return Visit(
        Outcome.REDIRECT, status=302, location=location, cookies_told=told, cookies_ahead=ahead
    )


class EngineParts:
    """What takes in a visit, joined as in a crawl of an empty project."""

    def __init__(self, **changes: object) -> None:
        settings = settings_of(**changes)
        summary = ProjectSummary(settings, CrawlState.NEW, 0.0, 0, 0, statuses={}, outcomes={})
        limits = EngineLimits(queued_urls=1_000, seen_urls=1_000)
        self.memory = memory = CrawlMemory.of(summary, Scope(settings), limits)
        self.counters, self.policy, self.batch = memory.counters, memory.policy, memory.batch
        self.tracker, self.frontier, self.known = memory.tracker, memory.frontier, memory.known
        self.decisions = UrlOutcomes(memory)
        self.reconsideration = Reconsideration(memory, self.decisions)
        self.site_checks = SiteChecks(memory, ())
        self.admission = Admission(memory, self.decisions, self.reconsideration, self.site_checks)
        self.rows: dict[str, UrlRow] = {}
        """The URLs that were committed, as they were found."""

    def visit(self, visit: Visit) -> FrontierEntry:
        """Take the next URL from the frontier, and admit this visit of it."""
        entry = self.frontier.take(0.0)
        assert entry is not None
        self.admit(entry, visit)
        return entry

    def admit(self, entry: FrontierEntry, visit: Visit) -> None:
        """Admit the visit of an entry that was taken."""
        self.frontier.release(entry)
        self.tracker.move(entry, UrlStage.FETCHED)
        self.admission.admit(entry, visit)

    def commit(self, *improved: UrlRow) -> StoreBatch:
        """Commit; `improved` are the URLs of which the project file says so."""
        batch = self.batch.take()
        self.rows |= {row.url: row for row in batch.new}
        self.reconsideration.committed(batch, list(improved))
        return batch

    def stage(self, path: str) -> UrlStage:
        """Where a URL is."""
        packed = self.known.get(absolute(path))
        assert packed is not None
        return self.tracker.stage(id_of(packed))
