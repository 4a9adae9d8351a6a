"""The groups of audit rules: a module of this folder declares the rules of each."""

from typing import Final

from gossamer.audit.audit_rule import AuditRule
from gossamer.audit.empty_crawl_hints import CrawlFinding
from gossamer.audit.sitemap_rules import SitemapCheck, SitemapRule

RULE_GROUPS: Final[tuple[type[AuditRule], ...]] = (CrawlFinding, SitemapRule, SitemapCheck)
