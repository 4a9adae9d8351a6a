"""Detects that a rule about sitemaps has no input: crawls read them only if configured to."""

from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Final

from gossamer.model.errors import KnownError
from gossamer.model.settings.crawl_settings import SETTINGS, CrawlSettings
from gossamer.model.translatable import Translatable, said
from gossamer.notifying.conditions import ConditionKind, RuleCondition
from gossamer.notifying.notification_rules import NotificationRule
from gossamer.notifying.rule_store import RuleStore
from gossamer.session.series import Series, series_of
from gossamer.store.reading.reader import Reader

_SETTING: Final = Translatable(SETTINGS["use_sitemaps"].label)
"""What the form calls it."""


def reads_sitemaps(settings: CrawlSettings) -> bool:
    """Whether a crawl with these settings reads any sitemap."""
    return settings.use_sitemaps or bool(settings.sitemaps)


def sitemap_warning(
    conditions: Iterable[RuleCondition], series: Series | None = None
) -> Translatable | None:
    """What to do for the condition `sitemap` of a rule, if it has that and needs it."""
    if not any(each.kind is ConditionKind.SITEMAP for each in conditions):
        return None
    settings = None if series is None else _latest_settings(series)
    if settings is None:
        return said(
            "Sitemaps are compared in crawls that read them: “{setting}” (--use-sitemaps), which "
            "is off by default.",
            setting=_SETTING,
        )
    if reads_sitemaps(settings):
        return None
    return said(
        "The crawls of this site read no sitemaps, so a change of one is not seen; turn on "
        "“{setting}” (--use-sitemaps) and crawl again.",
        setting=_SETTING,
    )


def schedule_warning(settings: CrawlSettings, project: Path | None = None) -> Translatable | None:
    """That a rule needs sitemaps but a schedule with these settings reads none; else None.

    Rules of the series count if `project` belongs to it. KnownError if the rules cannot be read.
    """
    if reads_sitemaps(settings):
        return None
    rules = list(RuleStore().rules())
    if project is not None:
        rules += RuleStore(series_of(project)).rules()
    found = next(filter(_looks_at_sitemaps, rules), None)
    if found is None:
        return None
    return said(
        "The notification rule {name!r} looks at sitemaps, and this schedule reads none. To have "
        "it read them, add it again on the command line with --use-sitemaps and --replace.",
        name=found.name,
    )


def _looks_at_sitemaps(rule: NotificationRule) -> bool:
    is_about = any(each.kind is ConditionKind.SITEMAP for each in rule.conditions)
    return rule.is_enabled and is_about


def _latest_settings(series: Series) -> CrawlSettings | None:
    """The settings of the last readable crawl of a series; None if there is none."""
    try:
        crawls = series.crawls()
    except KnownError:
        return None
    for each in reversed(crawls):
        if each.project and Path(each.project).is_file():
            with suppress(KnownError), Reader(Path(each.project)) as reader:  # or an earlier one
                return reader.summary().settings
    return None
