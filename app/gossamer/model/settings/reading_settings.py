"""Tells which settings decide what is read of a page."""

from typing import Final

from gossamer.model.settings.crawl_settings import SETTINGS, THRESHOLDS, CrawlSettings

_ELSEWHERE: Final = frozenset(
    {
        *THRESHOLDS,
        # Which URLs are asked for, how often and how fast.
        *("roots", "list_only", "include", "exclude", "use_sitemaps", "sitemaps", "turns"),
        *("max_redirects", "max_depth", "max_pages", "max_similar", "max_url_length"),
        *("follow_kinds", "check_kinds", "follow_nofollow", "follow_sign_out"),
        *("check_external", "external_rate", "obey_robots", "soft_404_probe", "llms_txt"),
        *("workers", "processes", "rate", "max_per_host", "max_tries", "timeout_s", "guard"),
        *("proxy", "insecure_hosts", "render_tabs", "browser"),
        *("conditional_requests", "check_former_pages", "lastmod_first"),
        *("adaptive_interval", "min_interval_h", "max_interval_h"),
        # What is made of pages that were read.
        "segments",
    }
)
"""Settings that make no difference to what is read of a page. Any other one may."""


def read_alike(one: CrawlSettings, other: CrawlSettings) -> bool:
    """Whether a crawl with either would read the same of a page that came whole.

    Hosts apart: which links of a page are internal hangs on them.
    """
    if {each.number for each in one.definitions} != {each.number for each in other.definitions}:
        return False
    by_number = {"custom_searches", "custom_extractions"}
    return all(
        getattr(one, name) == getattr(other, name)
        for name in SETTINGS
        if name not in _ELSEWHERE and name not in by_number
    )
