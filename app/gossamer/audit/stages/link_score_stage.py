"""Link Score: PageRank over internal followed links, on a logarithmic scale from 0 to 100.

Brin, Page: "The Anatomy of a Large-Scale Hypertextual Web Search Engine", 1998.
"""

from collections.abc import Iterator
from typing import Final

import numpy as np

from gossamer.audit.audited_crawl import UNMEASURED, AuditedCrawl, Finding
from gossamer.audit.link_tallies import HYPERLINKS
from gossamer.model.fields.indexability import Indexability
from gossamer.model.fields.page_flags import Directive
from gossamer.model.link_kinds import LinkKind
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.store.auditing.link_arrays import NOFOLLOW, LinkArrays
from gossamer.store.auditing.number_arrays import (
    Flags,
    Numbers,
    distinct,
    first_of,
    pair_keys,
    second_of,
)

DAMPING: Final = 0.85
_MOST_ROUNDS: Final = 50
_CHANGE: Final = 1e-4
"""The total change of the last round."""
_BEST: Final = 100
_VOTE: Final = np.dtype([("source", "<i4"), ("target", "<i4")])


def link_score(crawl: AuditedCrawl, settings: CrawlSettings) -> Iterator[Finding]:
    """Fill the column `link_score`; there is no rule about it."""
    del settings
    members = crawl.urls.is_internal & crawl.urls.is_asked
    with LinkArrays(crawl.file.folder, _VOTE) as votes:
        _write_votes(crawl, members, votes)
        ranks = _ranks(crawl, members, votes)
    crawl.measured["link_score"] = np.full(len(members), UNMEASURED, np.int32)
    crawl.measured["link_score"][members] = scores(ranks[members])
    yield from ()


def scores(ranks: Numbers) -> Numbers:
    """Whole numbers from 0 for the lowest rank to 100 for the highest; 100 if all are equal."""
    if not len(ranks):
        return ranks
    logs = np.log(ranks)
    low, high = logs.min(), logs.max()
    if high - low < _CHANGE:
        return np.full(len(ranks), _BEST)
    relative: Numbers = np.rint(_BEST * (logs - low) / (high - low))
    return relative


def _write_votes(crawl: AuditedCrawl, members: Flags, votes: LinkArrays) -> None:
    """Each URL votes once for each URL it links to; one that leads on, only for its target."""
    urls = crawl.urls
    onward = crawl.onward(LinkKind.CANONICAL)
    onward[~urls.has_indexability(Indexability.CANONICALISED)] = 0
    redirects = crawl.onward(LinkKind.REDIRECT)
    onward[urls.is_redirect] = redirects[urls.is_redirect]
    passing = np.flatnonzero(members & (onward != 0) & members[onward])
    forbids = urls.directives & (Directive.NOFOLLOW | Directive.NONE) != 0
    voters = urls.is_html & ~forbids & (onward == 0)
    votes.append(_votes(pair_keys(passing, onward[passing])))
    for block in crawl.links.blocks():
        crawl.file.check_cancelled()
        kinds, rels = block["kind"], block["rel"]
        counts = np.isin(kinds, HYPERLINKS) & (rels & NOFOLLOW == 0)
        sources, targets = block["source"], block["target"]
        counts &= voters[sources] & members[targets] & (sources != targets)
        votes.append(_votes(distinct(pair_keys(sources[counts], targets[counts]))))


def _votes(pairs: Numbers) -> Numbers:
    votes = np.zeros(len(pairs), _VOTE)
    votes["source"], votes["target"] = first_of(pairs), second_of(pairs)
    return votes


def _ranks(crawl: AuditedCrawl, members: Flags, votes: LinkArrays) -> Numbers:
    """The probability of each URL; their sum is 1."""
    count = max(int(members.sum()), 1)
    given = np.zeros(len(members), np.int64)
    for block in votes.blocks():
        given += np.bincount(block["source"], minlength=len(members))
    gives_none = members & (given == 0)
    ranks = members / count
    for _ in range(_MOST_ROUNDS):
        crawl.file.check_cancelled()
        shares = ranks / np.maximum(given, 1)
        got = np.zeros(len(members))
        for block in votes.blocks():
            sources, targets = block["source"], block["target"]
            got += np.bincount(targets, shares[sources], minlength=len(members))
        lost = ranks[gives_none].sum()
        after = members * ((1 - DAMPING + DAMPING * lost) / count) + DAMPING * got
        change = np.abs(after - ranks).sum()
        ranks = after
        if change < _CHANGE:
            break
    return ranks
