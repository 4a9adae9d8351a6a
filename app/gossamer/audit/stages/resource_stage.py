"""Images and other resources: their sizes, and how pages show them; URLs that are not encrypted."""

from collections.abc import Iterator
from typing import Final

import numpy as np

from gossamer.audit.audited_crawl import AuditedCrawl, Finding, found
from gossamer.audit.live_image_issues import IMAGE_TRAITS
from gossamer.model.fields.page_flags import ContentFlag
from gossamer.model.link_kinds import LinkKind
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.store.auditing.number_arrays import Flags, Numbers
from gossamer.store.auditing.url_arrays import UrlArrays

_OK: Final = 200
_TRAITS: Final = {f"{rule.group}: {rule.name}": trait for rule, trait in IMAGE_TRAITS.items()}


def resources(crawl: AuditedCrawl, settings: CrawlSettings) -> Iterator[Finding]:
    """Decide rules about what pages are displayed with; images have a page with them as value."""
    del settings
    urls = crawl.urls
    shown = {rule: np.zeros(len(urls), np.int64) for rule in (*_TRAITS, _BACKGROUND)}
    is_misused = np.zeros(len(urls), np.bool_)
    for block in crawl.links.blocks():
        crawl.file.check_cancelled()
        sources, targets, kinds = block["source"], block["target"], block["kind"]
        for kind, fitting in _FITTING.items():
            used = targets[kinds == kind]
            is_misused[used[~getattr(urls, fitting)[used]]] = True
        on_pages = block[urls.is_indexable[sources]]
        images = on_pages[on_pages["kind"] == LinkKind.IMAGE]
        for rule, trait in _TRAITS.items():
            _note(shown[rule], images[images["traits"] & trait != 0])
        of_shown = block[urls.is_indexable[sources] | urls.is_style_type[sources]]
        styles = of_shown[of_shown["kind"] == LinkKind.CSS]
        _note(shown[_BACKGROUND], styles[urls.is_image_type[styles["target"]]])
    yield found("Security: Bad Content Type", _has_bad_type(urls, is_misused))
    for rule, pages in shown.items():
        yield found(rule, urls.is_web & (pages > 0), pages)
    yield found("Security: HTTP URLs", urls.is_internal & urls.is_plain_http & urls.is_asked)


_FITTING: Final = {
    LinkKind.IMAGE: "is_image_type",
    LinkKind.SCRIPT: "is_script_type",
    LinkKind.STYLESHEET: "is_style_type",
}
"""Which types are right, by how a file is used."""
_BACKGROUND: Final = "Images: Background Images"


def _has_bad_type(urls: UrlArrays, is_misused: Flags) -> Flags:
    """For pages, as seen when they were read; for files, a type that is missing or does not fit.

    `is_misused` says which URLs are used as another type than they have.
    """
    files = urls.is_internal & (urls.status == _OK) & (is_misused | urls.names_no_type)
    pages = urls.is_html & (urls.content & ContentFlag.BAD_CONTENT_TYPE != 0)
    is_bad: Flags = files | pages
    return is_bad


def _note(pages: Numbers, links: Numbers) -> None:
    """Note for each target the first page that shows it in this way."""
    targets, sources = links["target"][::-1], links["source"][::-1]
    is_new = pages[targets] == 0
    pages[targets[is_new]] = sources[is_new]
