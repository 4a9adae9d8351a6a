"""The site audit: decides, stage by stage, the rules that need the whole crawl.

The decisions of a stage are written rule by rule, each in one transaction. Even if the audit is
killed or cancelled, every rule has all its rows of this audit or all of the one before.
"""

from collections.abc import Callable, Collection
from pathlib import Path
from typing import Final, NamedTuple, TypeAlias

from gossamer.audit.audited_crawl import AuditedCrawl, Finding, Stage
from gossamer.audit.rule_catalogue import RULES
from gossamer.audit.site_rule import PageRule, StageRule
from gossamer.audit.stages import limit_stages, near_duplicate_stage
from gossamer.audit.stages.amp_stage import amp_pages
from gossamer.audit.stages.bookmark_stage import bookmarks
from gossamer.audit.stages.canonical_stage import canonicals
from gossamer.audit.stages.duplicate_stage import (
    KEYWORD_LIMITS,
    duplicates,
    keyword_duplicates,
)
from gossamer.audit.stages.hreflang_stage import hreflang
from gossamer.audit.stages.link_score_stage import link_score
from gossamer.audit.stages.link_stage import site_links
from gossamer.audit.stages.near_duplicate_stage import near_duplicates
from gossamer.audit.stages.pagination_stage import pagination
from gossamer.audit.stages.resource_stage import resources
from gossamer.audit.stages.response_code_stage import response_codes
from gossamer.audit.stages.sitemap_stage import sitemaps
from gossamer.audit.stages.soft_404_stage import soft_404_pages
from gossamer.audit.stored_page_issues import redecide_page_rules
from gossamer.model.settings.crawl_settings import (
    RULES_VERSION_NAME,
    CrawlSettings,
    changed_thresholds,
    thresholds_of,
)
from gossamer.model.translatable import Sentence
from gossamer.store.auditing.audited_project import AuditedProject, PastAudit, audit_is_current
from gossamer.store.auditing.url_arrays import ALL_COLUMNS, OF_INDEXABLE

READING: Final[Sentence] = "Reading URLs and links"
THRESHOLDS: Final[Sentence] = "Applying thresholds"
WRITING: Final[Sentence] = "Writing results"
_READING_STEPS: Final = 100


class AuditStage(NamedTuple):
    """A stage by name."""

    name: Sentence
    decide: Stage
    limits: tuple[str, ...] = ()
    """The settings with the thresholds that it applies."""
    columns: tuple[str, ...] = ()
    """The columns it reads of URLs, if it has thresholds: read at once when one of them changes."""


STAGES: Final = (
    # It takes most memory, and does not need the links, which the first stage that does reads.
    AuditStage("Near duplicates", near_duplicates, near_duplicate_stage.LIMITS, OF_INDEXABLE),
    AuditStage("Response codes", response_codes),
    AuditStage("Soft 404 pages", soft_404_pages),
    AuditStage("Duplicates", duplicates),
    AuditStage("Meta keywords", keyword_duplicates, KEYWORD_LIMITS),
    AuditStage("Links", site_links),
    AuditStage(
        "Depth and outlinks",
        limit_stages.depth_and_outlinks,
        limit_stages.DEPTH_LIMITS,
        ("depth", *OF_INDEXABLE),
    ),
    AuditStage("Canonicals", canonicals),
    AuditStage("Hreflang annotations", hreflang),
    AuditStage("Pagination", pagination),
    AuditStage("Sitemaps", sitemaps),
    AuditStage("Images and resources", resources),
    AuditStage(
        "File sizes",
        limit_stages.sizes,
        limit_stages.SIZE_LIMITS,
        ("size_bytes", "status", "is_image_type", "is_web", "is_external", "has_facts"),
    ),
    AuditStage("Alt texts", limit_stages.alt_texts, limit_stages.ALT_LIMITS),
    AuditStage("AMP pages", amp_pages),
    AuditStage("Bookmarks", bookmarks),
    AuditStage("Link score", link_score),
)


class AuditProgress(NamedTuple):
    """The progress of the audit: `done` of `total` steps, and the current activity.

    Reading the links takes most of the time, so it makes up most of the steps.
    """

    stage: Sentence
    done: int
    total: int


OnAuditProgress: TypeAlias = Callable[[AuditProgress], None]


def is_current(project: Path) -> bool:
    """Whether the results of the audit match all that was crawled, and the settings."""
    return audit_is_current(project)


def run_site_audit(
    project: Path,
    settings: CrawlSettings | None = None,
    progress: OnAuditProgress = lambda _: None,
    is_cancelled: Callable[[], bool] = lambda: False,
) -> None:
    """Bring the results of the audit up to date, by the thresholds of `settings` or its own.

    A crawl may continue meanwhile: the results are of the moment when this began. ProjectError if
    the project cannot be read or written; AuditCancelled once `is_cancelled` is true.
    """
    with AuditedProject(project, is_cancelled) as file:
        settings = settings or file.settings()
        before = file.past_audit()
        if before.page_thresholds != thresholds_of(settings):
            progress(AuditProgress(THRESHOLDS, 0, 1))
            redecide_page_rules(file, before.page_thresholds, settings)
        if before.stage_thresholds != thresholds_of(settings):
            stages = _stages_to_run(before, settings)
            if stages:
                _SiteAudit(file, settings, progress, stages).run()
            if len(stages) < len(STAGES):  # the others are based on what was there before
                file.note_stages(settings, before.content_stamp)


def _stages_to_run(before: PastAudit, settings: CrawlSettings) -> tuple[AuditStage, ...]:
    """All stages, or those whose thresholds alone have changed since they ran."""
    if before.stage_thresholds is None:
        return STAGES
    changed = changed_thresholds(before.stage_thresholds, settings)
    if RULES_VERSION_NAME in changed:
        return STAGES
    return tuple(stage for stage in STAGES if not changed.isdisjoint(stage.limits))


class _SiteAudit:
    def __init__(
        self,
        file: AuditedProject,
        settings: CrawlSettings,
        progress: OnAuditProgress,
        stages: tuple[AuditStage, ...],
    ) -> None:
        self._file = file
        self._settings = settings
        self._progress = progress
        self._stages = stages
        self._done = 0
        self._links_done = 0
        self._now: Sentence = READING

    def run(self) -> None:
        """Read the crawl, run the stages, write their findings."""
        self._report(READING)
        with AuditedCrawl(self._file, self._report_links) as crawl:
            self._file.note_stages_begun(self._settings)
            crawl.urls.read(self._columns())
            for stage in self._stages:
                self._report(stage.name)
                for finding in stage.decide(crawl, self._settings):
                    self._write(finding)
                self._done += 1
            self._report(WRITING)
            self._file.replace_measured(crawl.measured, len(crawl.urls))
            self._file.note_stages(self._settings, crawl.content_stamp)

    def _columns(self) -> Collection[str]:
        """The columns that the stages read of URLs."""
        if len(self._stages) == len(STAGES):
            return ALL_COLUMNS
        return {name for stage in self._stages for name in stage.columns}

    def _write(self, finding: Finding) -> None:
        rule = _STAGE_RULES.get(finding.rule)
        if rule is not None:
            decision = RULES[rule].decision
            live = isinstance(decision, PageRule) or (
                isinstance(decision, StageRule) and decision.is_live
            )
            self._file.replace_issues(rule, finding.ids.tolist(), finding.values, live=live)

    def _report(self, now: Sentence) -> None:
        self._now = now
        total = len(self._stages) + _READING_STEPS
        self._progress(AuditProgress(now, self._done + self._links_done, total))

    def _report_links(self, done: int, total: int) -> None:
        self._links_done = _READING_STEPS * min(done, total) // max(total, 1)
        before = self._now
        self._report(READING)
        self._now = before


_STAGE_RULES: Final = {
    f"{rule.group}: {rule.name}": number
    for number, rule in RULES.items()
    if isinstance(rule.decision, StageRule)
    or (isinstance(rule.decision, PageRule) and rule.decision.has_stage)
}
