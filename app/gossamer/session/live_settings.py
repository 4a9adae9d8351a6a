"""Decides which settings of a crawl that has begun may change, and why others may not."""

from collections.abc import Mapping
from typing import Final

from msgspec import structs

from gossamer.extract.pattern_syntax import check_patterns
from gossamer.model.errors import UsageError
from gossamer.model.settings.crawl_settings import SETTINGS, CrawlSettings
from gossamer.model.settings.setting_declaration import ChangePolicy
from gossamer.model.translatable import Sentence, Translatable
from gossamer.urls.url_filters import compile_search

AT_ONCE: Final = frozenset(
    name for name, setting in SETTINGS.items() if setting.change is ChangePolicy.AT_ONCE
)
"""Settings that a running crawl applies at once. Its processes get the others when they start."""
CHANGEABLE: Final = AT_ONCE.union(
    name for name, setting in SETTINGS.items() if setting.change is ChangePolicy.WITH_NEW_WORKERS
)
"""How, how fast and how long to fetch: that may change at any URL. And limits that can be widened,
or exclude more of what was not fetched yet."""
_REASONS: Final[dict[ChangePolicy, Sentence]] = {
    ChangePolicy.NEVER_READ_PAGES: "some pages have already been parsed with the old value",
    ChangePolicy.NEVER_KNOWN_URLS: "it has already been applied to the URLs found so far",
}


def with_changes(settings: CrawlSettings, changes: Mapping[str, object]) -> CrawlSettings:
    """The settings with `changes`, by name; equal values are no change.

    UsageError with the reason for what cannot change any more, or is out of bounds.
    """
    new = structs.replace(settings, **changes)
    for name in sorted(differing_settings(settings, new)):
        refuse_unless_changeable(name)
    new = new.checked()
    check_patterns(new)
    for pattern in set(new.exclude).difference(settings.exclude):
        compile_search(pattern)
    _refuse_narrowing(settings, new)
    return new


def differing_settings(one: CrawlSettings, other: CrawlSettings) -> frozenset[str]:
    """The names of the settings that differ."""
    return frozenset(name for name in SETTINGS if getattr(one, name) != getattr(other, name))


def _refuse_narrowing(old: CrawlSettings, new: CrawlSettings) -> None:
    if new.max_depth is not None and (old.max_depth is None or new.max_depth < old.max_depth):
        raise UsageError(
            "Max depth can only be raised once a crawl has started, because deeper pages may "
            "already be crawled; start a new crawl, for example with 'gossamer crawl --settings "
            "FILE'."
        )
    if not set(old.exclude) <= set(new.exclude):
        raise UsageError(
            "Exclude patterns can only be added once a crawl has started, because excluded URLs "
            "were not queued; start a new crawl, for example with 'gossamer crawl --settings "
            "FILE'."
        )


def refuse_unless_changeable(name: str) -> None:
    """Raise UsageError with the reason if a crawl that has begun cannot change this setting."""
    setting = SETTINGS[name]
    reason = _REASONS.get(setting.change)
    if reason is None:
        return
    raise UsageError(
        "{setting} cannot change once a crawl has started: {why}; start a new crawl, for example "
        "with 'gossamer crawl --settings FILE'.",
        setting=setting.name,
        why=Translatable(reason),
    )


def changes_between(
    before: CrawlSettings, after: CrawlSettings, present: CrawlSettings
) -> dict[str, object]:
    """The changes to a crawl with the settings `present` that correspond to those of `after`.

    Additional exclude patterns stay.
    """
    changes: dict[str, object] = {
        name: getattr(after, name)
        for name in SETTINGS
        if getattr(after, name) != getattr(before, name)
    }
    if "exclude" in changes:
        gone = set(before.exclude) - set(after.exclude)
        kept = [pattern for pattern in present.exclude if pattern not in gone]
        added = [pattern for pattern in after.exclude if pattern not in before.exclude]
        changes["exclude"] = tuple(dict.fromkeys((*kept, *added)))
    return changes
