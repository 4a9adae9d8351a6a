"""The cells of exports about robots.txt files and sitemaps that differ between two crawls."""

from typing import Final

from gossamer.model.number_format import number
from gossamer.model.site_file_changes import SiteFileChange, SiteFileKind
from gossamer.model.translatable import Translatable, said

_MOST_LINES: Final = 2_000
"""Longer texts are not compared: that could take minutes."""


def difference_of(change: SiteFileChange) -> list[str]:
    """The lines of a robots.txt that differ, in the unified format; none for a sitemap."""
    was, now = change.before_text.splitlines(), change.after_text.splitlines()
    if max(len(was), len(now)) > _MOST_LINES:
        return []
    from difflib import unified_diff  # noqa: PLC0415 - few comparisons need it

    return list(unified_diff(was, now, "before", "after", lineterm="", n=1))


def what_changed(change: SiteFileChange) -> Translatable:
    """What has become of a file, in a few words."""
    if change.kind is SiteFileKind.ROBOTS:
        statuses = change.before_status, change.after_status
        if statuses[0] == statuses[1]:
            return said("Its text has changed.")
        was, now = (said("no response") if each is None else str(each) for each in statuses)
        return said("Its status was {before}, and is {after}.", before=was, after=now)
    if change.before_urls is None:
        return said("It is new; URLs in it: {number}.", number=number(change.after_urls or 0))
    if change.after_urls is None:
        return said("It is gone; URLs in it before: {number}.", number=number(change.before_urls))
    if change.before_urls == change.after_urls:
        return said("It names as many URLs as before, but others.")
    return said(
        "URLs in it: {before} before, {after} after.",
        before=number(change.before_urls),
        after=number(change.after_urls),
    )
