"""Whether the results of an audit rule in two projects can be compared: what they are based on."""

from collections.abc import Callable
from typing import NamedTuple

from gossamer.model.settings.crawl_settings import CrawlSettings


class RuleComparability(NamedTuple):
    """What must be the same in two projects for the results of a rule to be comparable."""

    limit: str
    """The setting with its threshold; "" without one."""
    since: int
    """The version of the rules since which it is decided as it is."""
    has_stage: bool
    """Whether the site audit decides, over the whole crawl."""
    is_decided: Callable[[CrawlSettings], bool]
    """Whether a crawl with these settings decides for which URLs it holds."""
