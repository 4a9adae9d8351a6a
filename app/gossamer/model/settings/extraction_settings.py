"""Decides which settings affect what is read of a page."""

from typing import Final

from gossamer.model.settings.crawl_settings import SETTINGS, THRESHOLDS, CrawlSettings

_BY_NUMBER: Final = frozenset({"custom_searches", "custom_extractions"})
"""Settings whose definitions are compared by their numbers."""
_COMPARED: Final = tuple(
    name
    for name, each in SETTINGS.items()
    if each.decides_reading and name not in {*THRESHOLDS, *_BY_NUMBER}
)


def read_alike(one: CrawlSettings, other: CrawlSettings) -> bool:
    """Whether a crawl with either would read the same of a page that arrived completely.

    Except for hosts: which links of a page are internal depends on them.
    """
    if {each.number for each in one.definitions} != {each.number for each in other.definitions}:
        return False
    return all(getattr(one, name) == getattr(other, name) for name in _COMPARED)
