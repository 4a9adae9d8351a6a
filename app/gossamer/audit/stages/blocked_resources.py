"""Files that robots.txt kept from rendered pages, and that the crawl may not request either."""

from typing import Final

import numpy as np

from gossamer.audit.audited_crawl import AuditedCrawl
from gossamer.audit.link_tallies import RESOURCES
from gossamer.model.fields.page_flags import RenderFlag
from gossamer.model.rendering import BlockedBy
from gossamer.model.rendering_encoding import decode_details
from gossamer.store.auditing.number_arrays import Flags, distinct

_PAGES: Final = """
    SELECT r.id, v.javascript FROM rendering r CROSS JOIN visit v ON v.id = r.id
    WHERE r.blocked_requests > 0 AND v.javascript & ? AND r.id < ?
"""
_DETAILS: Final = "SELECT details FROM rendering_detail WHERE id IN ({marks})"
_URLS: Final = "SELECT id, url FROM url WHERE id IN ({marks})"


def kept_from_pages(crawl: AuditedCrawl) -> Flags:
    """The resources that a rendered page requested in vain, because of robots.txt."""
    flag = int(RenderFlag.BLOCKED_RESOURCES)
    pages = crawl.pairs(_PAGES, flag, len(crawl.urls))[:, 0]
    is_page = crawl.flags(pages)
    if not is_page.any():
        return is_page
    blocked = {
        resource.url
        for (details,) in crawl.file.rows_of(_DETAILS, pages.tolist())
        if isinstance(details, bytes)
        for resource in decode_details(details).resources
        if resource.blocked_by is BlockedBy.ROBOTS
    }
    links = crawl.links.where(
        lambda block: np.isin(block["kind"], RESOURCES) & is_page[block["source"]]
    )
    rows = crawl.file.rows_of(_URLS, distinct(links["target"]).tolist())
    return crawl.flags([int(str(url_id)) for url_id, url in rows if url in blocked])
