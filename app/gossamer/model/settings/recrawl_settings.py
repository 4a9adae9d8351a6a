"""Declares the settings of recrawls: what is requested when a project is crawled again."""

from typing import Annotated

from gossamer.model.settings.custom_settings import CustomSettings
from gossamer.model.settings.setting_declaration import ChangePolicy, Option, Section, Setting
from gossamer.model.settings.setting_types import Number, Switch

_MOST_HOURS = 24 * 365


class RecrawlSettings(CustomSettings, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is requested when a project is crawled again. A part of CrawlSettings."""

    conditional_requests: Annotated[
        bool,
        Setting(
            "Conditional requests",
            "Servers do not send again what is not modified.",
            Section.RECRAWL,
            Switch(),
            Option(
                "When crawling again, request every page in full.", name="--no-conditional-requests"
            ),
            change=ChangePolicy.AT_ONCE,
            decides_reading=False,
        ),
    ] = True
    """When a project is crawled again, request pages on the condition that they have changed since,
    by their `ETag` and `Last-Modified`. See
    [`gossamer recrawl`](command-line.md#gossamer-recrawl).
    """
    check_former_pages: Annotated[
        bool,
        Setting(
            "Check pages that nothing leads to any more",
            "Distinguishes pages that are gone from pages that are no longer linked.",
            Section.RECRAWL,
            Switch(),
            Option(
                "When crawling again, do not check pages that nothing leads to any more.",
                name="--no-former-pages",
            ),
            change=ChangePolicy.AT_ONCE,
            decides_reading=False,
        ),
    ] = True
    """When a project is crawled again, check in the end those pages of the earlier crawl to which
    nothing led in this one: they are *gone* (404 or 410), or *no longer linked*.
    """
    lastmod_first: Annotated[
        bool,
        Setting(
            "Modified pages first",
            "URLs whose lastmod is later than their last crawl.",
            Section.RECRAWL,
            Switch(),
            Option(
                "When crawling again, first fetch what a sitemap says was modified since (lastmod)."
            ),
            change=ChangePolicy.AT_ONCE,
            decides_reading=False,
        ),
    ] = False
    """When a project is crawled again, fetch those URLs first whose `lastmod` in a sitemap is later
    than their response in the earlier crawl.
    """
    adaptive_interval: Annotated[
        bool,
        Setting(
            "Request rarely changed pages less often",
            "A page that did not change for 20 days is requested every 10 days.",
            Section.RECRAWL,
            Switch(),
            Option("When crawling again, request pages that seldom change less often."),
            change=ChangePolicy.AT_ONCE,
            decides_reading=False,
        ),
    ] = False
    """When a project is crawled again, do not request a page that is *not due*: it is requested
    again half as long after its last response as it had been unchanged by then, within
    `min_interval_h` and `max_interval_h`. A page that is not due keeps its facts and links. Start
    pages, and pages that a sitemap says were modified since, are always due.
    """
    min_interval_h: Annotated[
        int,
        Setting(
            "Shortest interval",
            "",
            Section.RECRAWL,
            Number(0, _MOST_HOURS, unit=" hours"),
            Option("Shortest interval of --adaptive-interval, in hours."),
            change=ChangePolicy.AT_ONCE,
            needs="adaptive_interval",
            decides_reading=False,
        ),
    ] = 24
    """Shortest interval of `adaptive_interval`, in hours."""
    max_interval_h: Annotated[
        int,
        Setting(
            "Longest interval",
            "",
            Section.RECRAWL,
            Number(0, _MOST_HOURS, unit=" hours"),
            Option("Longest interval of --adaptive-interval, in hours."),
            change=ChangePolicy.AT_ONCE,
            needs="adaptive_interval",
            decides_reading=False,
        ),
    ] = 720
    """Longest interval of `adaptive_interval`, in hours."""
