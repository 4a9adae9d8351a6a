"""Lists all groups of audit rules; each group is declared in a module of this folder."""

from typing import Final

from gossamer.audit.audit_rule import AuditRule
from gossamer.audit.empty_crawl_hints import CrawlFinding
from gossamer.audit.sitemap_rules import SitemapCheck, SitemapRule

RULE_GROUPS: Final[tuple[type[AuditRule], ...]] = (CrawlFinding, SitemapRule, SitemapCheck)
