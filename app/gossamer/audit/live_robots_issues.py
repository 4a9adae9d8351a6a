"""Decides rules about URLs that robots.txt kept from being requested, so that counts grow.

The stage "Response codes" decides them again: it also knows files that pages were found to use
later, and those that the browser of a rendered page did not get.
"""

from typing import Final

from gossamer.audit.rules import response_codes_external as external
from gossamer.audit.rules import response_codes_internal as internal
from gossamer.model.outcome import KEPT_BY_ROBOTS, Outcome
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.urls.scope_and_limits import Scope
from gossamer.urls.url_parsing import is_http


class BlockedUrlRules:
    """The rules that the outcome of a URL decides in a crawl with these settings."""

    numbers: Final = frozenset(
        rule.number
        for group in (internal, external)
        for rule in (group.BLOCKED, group.BLOCKED_RESOURCE)
    )

    def __init__(self, settings: CrawlSettings) -> None:
        """`settings` have the roots, which decide which URLs are internal."""
        self._is_internal = Scope(settings).is_internal

    def holding(self, url: str, outcome: Outcome, *, is_resource: bool) -> list[int]:
        """The numbers of those that hold; `is_resource` is whether a page is displayed with it."""
        if outcome not in KEPT_BY_ROBOTS or not is_http(url):
            return []
        group = internal if self._is_internal(url) else external
        found = [group.BLOCKED.number]
        return [*found, group.BLOCKED_RESOURCE.number] if is_resource else found
