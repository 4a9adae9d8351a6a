"""Whether the results of an audit rule in two projects can be compared: on what they are based."""

from collections.abc import Callable
from typing import NamedTuple

from gossamer.model.settings.crawl_settings import CrawlSettings


class RuleComparability(NamedTuple):
    """What has to be the same in two projects for the results of a rule to be comparable."""

    limit: str
    """The setting with its threshold; "" without one."""
    since: int
    """The version of the rules from which on it is decided as it is."""
    has_stage: bool
    """Whether the site audit decides, over the whole crawl."""
    is_decided: Callable[[CrawlSettings], bool]
    """Whether a crawl with these settings tells for which URLs it holds."""
