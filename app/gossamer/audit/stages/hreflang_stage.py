"""Hreflang: whether the versions of a page in other languages name each other."""

from collections.abc import Iterator
from typing import Final

import numpy as np

from gossamer.audit.audited_crawl import AuditedCrawl, Finding, found, measured
from gossamer.audit.stages.canonical_stage import is_discoverable
from gossamer.audit.stages.pagination_stage import is_not_ok, of_pairs
from gossamer.extract.facts.language_codes import is_hreflang_code
from gossamer.model.fields.indexability import Indexability
from gossamer.model.fields.page_flags import MarkupFlag
from gossamer.model.hreflang_codes import comparable_code
from gossamer.model.link_kinds import LinkKind
from gossamer.model.link_traits import PLACE_BITS
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.store.auditing.number_arrays import Flags, Ids, Numbers, contains, distinct, pair_keys

_DEFAULT: Final = "x-default"
_IN_SITEMAP: Final = 2
"""The way of annotations in sitemaps; those in Link headers have 0, in elements 1."""
_INVALID: Final = MarkupFlag.HREFLANG_INVALID_CODE


def hreflang(crawl: AuditedCrawl, settings: CrawlSettings) -> Iterator[Finding]:
    """Decide the rules of the group that need more than one page."""
    del settings
    urls = crawl.urls
    links, default, is_invalid = _annotations(crawl)
    sources, targets = links["source"], links["target"]
    pairs = pair_keys(sources, targets)
    known = distinct(pairs)
    is_other = sources != targets

    def pages(rule: str, wrong: Numbers) -> Finding:
        return measured(f"Hreflang: {rule}", of_pairs(distinct(pairs[wrong])))

    is_whole = urls.is_whole
    indexable = urls.is_indexable[sources]
    yield pages("Non-200 Hreflang URLs", indexable & is_not_ok(urls)[targets])
    unlinked = urls.is_internal & ~is_discoverable(crawl)
    yield pages("Unlinked Hreflang URLs", indexable & is_other & unlinked[targets])
    is_returned = contains(known, pair_keys(targets, sources))
    open_ends = indexable & is_other & ~is_returned & (urls.is_html & is_whole)[targets]
    yield pages("Missing Return Links", open_ends & ~urls.is_redirect[targets])
    yield _inconsistent(crawl, links, default)
    for rule, reason in (
        ("Non-Canonical Return Links", Indexability.CANONICALISED),
        ("Noindex Return Links", Indexability.NOINDEX),
    ):
        is_wrong = urls.is_html & urls.has_indexability(reason)
        yield pages(rule, indexable & is_other & is_wrong[targets])
    yield _several_entries(crawl, links)
    annotated = crawl.flags(sources) & urls.is_indexable
    for rule, bit, named in (
        ("Contains Hreflang", MarkupFlag.HREFLANG, annotated),
        ("Incorrect Language & Region Codes", _INVALID, crawl.flags(sources[is_invalid])),
    ):
        says_so = (urls.markup & int(bit)) != 0
        yield found(f"Hreflang: {rule}", (says_so | named) & urls.is_indexable)
    refers_to_itself = crawl.flags(sources[~is_other])
    yield found("Hreflang: Missing Self Reference", annotated & is_whole & ~refers_to_itself)
    yield _not_canonical(crawl, known, sources[is_whole[sources]])
    languages = links["text"]
    has_default = crawl.flags(sources[languages == default])
    yield found("Hreflang: Missing X-Default", annotated & is_whole & ~has_default)
    lacking = urls.is_indexable & is_whole & ~annotated & bool(annotated.any())
    yield found("Hreflang: Missing", lacking)


def _annotations(crawl: AuditedCrawl) -> tuple[Numbers, int, Flags]:
    """The annotations of pages, the number of x-default, and which have an invalid code.

    `text` has a number for the language instead of a pooled text: case does not matter.
    """
    links = _of_pages(crawl.links_of(LinkKind.ALTERNATE, LinkKind.SITEMAP))
    sources, texts_of = links["source"], links["text"]
    links = links[(texts_of != 0) & crawl.urls.is_html[sources]]
    texts = crawl.texts(links["text"])
    numbers: dict[str, int] = {_DEFAULT: 1}
    by_text = {
        text_id: numbers.setdefault(comparable_code(text), len(numbers) + 1)
        for text_id, text in texts.items()
    }
    bad = [text_id for text_id, text in texts.items() if not is_hreflang_code(text.strip())]
    is_invalid = np.isin(links["text"], np.array(bad, links["text"].dtype))
    ids = np.array(sorted(by_text), np.int64)
    languages = np.array([by_text[text_id] for text_id in ids.tolist()], np.int32)
    if len(ids):
        links["text"] = languages[np.searchsorted(ids, links["text"])]
    return links, numbers[_DEFAULT], is_invalid


def _of_pages(links: Numbers) -> Numbers:
    """The annotations; in a sitemap, they are those of the entry that they belong to."""
    is_entry = links["kind"] == LinkKind.SITEMAP
    entries = np.maximum.accumulate(np.where(is_entry, np.arange(len(links)), -1))
    sources, targets = links["source"], links["target"]
    is_in_entry = (entries >= 0) & (sources[entries] == sources)
    sources[:] = np.where(is_in_entry, targets[entries], sources)
    # Annotations do not use this column otherwise: here it is the way in which they are written.
    links["fragment"] = np.where(is_in_entry, _IN_SITEMAP, (links["traits"] & PLACE_BITS) != 0)
    annotations: Numbers = links[~is_entry]
    return annotations


def _inconsistent(crawl: AuditedCrawl, links: Numbers, default: int) -> Finding:
    """Pages to which a page that they name gives another language than they do themselves."""
    links = links[links["text"] != default]
    sources, targets, languages = links["source"], links["target"], links["text"]
    own = sources == targets
    own_languages = distinct(pair_keys(sources[own], languages[own]))
    has_own = crawl.flags(sources[own]) & crawl.urls.is_indexable & crawl.urls.is_whole
    is_named = distinct(pair_keys(sources, targets))
    returns = ~own & has_own[targets] & contains(is_named, pair_keys(targets, sources))
    differs = returns & ~contains(own_languages, pair_keys(targets, languages))
    pairs = distinct(pair_keys(targets[differs], sources[differs]))
    return measured("Hreflang: Inconsistent Language & Region Return Links", of_pairs(pairs))


def _several_entries(crawl: AuditedCrawl, links: Numbers) -> Finding:
    """Pages that name several URLs for the same language, or one in several ways."""
    order = np.lexsort((links["fragment"], links["target"], links["text"], links["source"]))
    links = links[order]
    sources, languages = links["source"], links["text"]
    is_same = (sources[:-1] == sources[1:]) & (languages[:-1] == languages[1:])
    differs = (links["target"][:-1] != links["target"][1:]) | (
        links["fragment"][:-1] != links["fragment"][1:]
    )
    several = sources[1:][is_same & differs]
    pages = crawl.flags(several) & crawl.urls.is_indexable
    return found("Hreflang: Multiple Entries", pages)


def _not_canonical(crawl: AuditedCrawl, known: Ids, sources: Numbers) -> Finding:
    """Annotated pages with a canonical that their annotations do not include."""
    onward = crawl.onward(LinkKind.CANONICAL)
    pages = distinct(sources)
    pages = pages[onward[pages] != 0]
    wrong = pages[~contains(known, pair_keys(pages, onward[pages]))]
    return measured(
        "Hreflang: Not Using Canonical",
        dict(zip(wrong.tolist(), onward[wrong].tolist(), strict=True)),
    )
