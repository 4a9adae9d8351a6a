"""How many URLs there are of the kinds that rules of the audit are about."""

from msgspec import Struct


class AuditTotals(Struct, frozen=True):
    """What the share of an issue is of; see `audit.site_rule.ShareBase`.

    URLs are those that were asked, or would have been but for robots.txt.
    """

    urls: int = 0
    internal_urls: int = 0
    external_urls: int = 0
    pages: int = 0
    """HTML pages of the site that were read."""
    indexable_pages: int = 0
    """Those of them that search engines may list."""
