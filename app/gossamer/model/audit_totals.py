"""How many URLs there are of the kinds that audit rules are about."""

from msgspec import Struct


class AuditTotals(Struct, frozen=True):
    """What the share of an issue refers to; see `audit.site_rule.ShareBase`.

    It counts URLs that were requested, or would have been but for robots.txt.
    """

    urls: int = 0
    internal_urls: int = 0
    external_urls: int = 0
    pages: int = 0
    """HTML pages of the site that were read."""
    indexable_pages: int = 0
    """Those that search engines may list."""
