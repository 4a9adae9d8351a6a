"""Counts the links from and to each URL, in one pass over all links of a crawl."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Self

import numpy as np

from gossamer.model.link_kinds import HYPERLINK_KINDS, RESOURCE_KINDS, LinkKind
from gossamer.model.link_traits import ORIGIN_BITS, ORIGIN_SHIFT, LinkOrigin
from gossamer.store.auditing.link_arrays import NOFOLLOW, LinkArrays
from gossamer.store.auditing.number_arrays import (
    Flags,
    Numbers,
    distinct,
    first_of,
    pair_keys,
    second_of,
)
from gossamer.store.auditing.url_arrays import UrlArrays

HYPERLINKS: Final = tuple(map(int, HYPERLINK_KINDS))
"""Links that a visitor clicks."""
RESOURCES: Final = tuple(map(int, RESOURCE_KINDS))
"""Links to what a page is displayed with."""


@dataclass(frozen=True, eq=False)
class LinkTallies:
    """The link counts of each URL. Links of a page to itself count only on it, not to it."""

    internal_outlinks: Numbers
    """Hyperlinks on the page to internal URLs."""
    unique_outlinks: Numbers
    """The internal URLs that they lead to."""
    external_outlinks: Numbers
    unique_external_outlinks: Numbers
    unique_js_inlinks: Numbers
    """The pages with hyperlinks to the URL that only rendering shows."""
    unique_js_outlinks: Numbers
    """The internal URLs that such hyperlinks on the page lead to."""
    unique_external_js_outlinks: Numbers
    leads_on: Flags
    """To another internal URL."""
    is_linked: Flags
    """By a hyperlink."""
    is_followed: Flags
    """By a hyperlink without nofollow."""
    is_nofollowed: Flags
    """By a hyperlink with nofollow."""
    is_linked_by_indexable: Flags
    is_redirected_to: Flags
    is_resource: Flags
    """Of a page."""
    sitemaps: Numbers
    """The sitemaps that name the URL."""
    sitemap_entries: Numbers
    """The entries of a sitemap with a URL; one may be named twice."""

    @classmethod
    def of(cls, count: int) -> Self:
        """The tallies of this many URLs without links."""
        columns: dict[str, Numbers] = {
            name: np.zeros(count, np.bool_ if each.type is Flags else np.int32)
            for name, each in cls.__dataclass_fields__.items()
        }
        return cls(**columns)


def tally_links(urls: UrlArrays, links: LinkArrays, check: Callable[[], None]) -> LinkTallies:
    """Count each link once; `check` is called now and then, and may raise."""
    tallies = LinkTallies.of(len(urls))
    for block in links.blocks():
        check()
        targets, kinds = block["target"], block["kind"]
        _add_hyperlinks(tallies, urls, block[np.isin(kinds, HYPERLINKS)])
        _add_sitemaps(tallies, block[kinds == LinkKind.SITEMAP])
        tallies.is_redirected_to[targets[kinds == LinkKind.REDIRECT]] = True
        tallies.is_resource[targets[np.isin(kinds, RESOURCES)]] = True
    return tallies


def _add_hyperlinks(tallies: LinkTallies, urls: UrlArrays, links: Numbers) -> None:
    count = len(urls)
    sources, targets = links["source"], links["target"]
    pairs = distinct(pair_keys(sources, targets))
    for all_links, unique_links, is_counted in (
        (tallies.internal_outlinks, tallies.unique_outlinks, urls.is_internal),
        (tallies.external_outlinks, tallies.unique_external_outlinks, urls.is_external),
    ):
        all_links[:] += _per_url(sources[is_counted[targets]], count)
        unique_links[:] += _per_url(first_of(pairs)[is_counted[second_of(pairs)]], count)
    _add_rendered(tallies, urls, links)
    others = links[sources != targets]
    sources, targets, rels = others["source"], others["target"], others["rel"]
    tallies.leads_on[sources[urls.is_internal[targets]]] = True
    is_nofollow = rels & NOFOLLOW != 0
    tallies.is_linked[targets] = True
    tallies.is_followed[targets[~is_nofollow]] = True
    tallies.is_nofollowed[targets[is_nofollow]] = True
    tallies.is_linked_by_indexable[targets[urls.is_indexable[sources]]] = True


def _add_rendered(tallies: LinkTallies, urls: UrlArrays, links: Numbers) -> None:
    """Count the hyperlinks that are in no HTML."""
    rendered = links[links["traits"] >> ORIGIN_SHIFT & ORIGIN_BITS == LinkOrigin.RENDERED]
    if not len(rendered):
        return
    count = len(urls)
    pairs = distinct(pair_keys(rendered["source"], rendered["target"]))
    sources, targets = first_of(pairs), second_of(pairs)
    tallies.unique_js_inlinks[:] += _per_url(targets, count)
    tallies.unique_js_outlinks[:] += _per_url(sources[urls.is_internal[targets]], count)
    tallies.unique_external_js_outlinks[:] += _per_url(sources[urls.is_external[targets]], count)


def _add_sitemaps(tallies: LinkTallies, links: Numbers) -> None:
    if not len(links):
        return
    pairs = distinct(pair_keys(links["source"], links["target"]))
    count = len(tallies.sitemaps)
    tallies.sitemaps[:] += _per_url(second_of(pairs), count)
    tallies.sitemap_entries[:] += _per_url(links["source"], count)


def _per_url(ids: Numbers, count: int) -> Numbers:
    return np.bincount(ids, minlength=count).astype(np.int32)
