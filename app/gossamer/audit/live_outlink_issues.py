"""Decides the rules about where the links of one page lead, so that their counts grow live.

The stages "Links" and "Depth and outlinks" of the site audit decide them again: another scope may
make other hosts internal, and thresholds may change.
"""

from collections.abc import Callable
from typing import Final

from gossamer.audit.live_page_issues import page_indexability
from gossamer.audit.rules.page_links import (
    MANY_EXTERNAL_OUTLINKS,
    MANY_INTERNAL_OUTLINKS,
    NO_INTERNAL_OUTLINKS,
)
from gossamer.model.fields.indexability import Indexability
from gossamer.model.link_kinds import HYPERLINK_KINDS
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.visit import Visit
from gossamer.urls.url_parsing import is_http, of_other_origins, origin

_HYPERLINKS: Final = frozenset(map(int, HYPERLINK_KINDS))


def outlink_issues(
    url: str, visit: Visit, settings: CrawlSettings, is_internal: Callable[[str], bool]
) -> list[int]:
    """The numbers of these rules that hold for a visit; none unless it is an indexable page."""
    facts = visit.facts
    if facts is None or not visit.is_page_read:
        return []
    found = []
    if not _leads_on(url, visit, is_internal) and not visit.truncated:
        found.append(NO_INTERNAL_OUTLINKS.number)
    targets = visit.targets
    # Nearly all targets have the origin of the page: where few have another, nothing is counted.
    own = origin(url)
    most = settings.external_outlinks_max
    if len(targets) > most and len(of_other_origins(targets, own)) > most:
        others = of_other_origins(_linked(visit), own)
        external = [is_http(each) and not is_internal(each) for each in others]
        if sum(external) > most:
            found.append(MANY_EXTERNAL_OUTLINKS.number)
    most = settings.internal_outlinks_max
    if len(targets) > most and sum(map(is_internal, _linked(visit))) > most:
        found.append(MANY_INTERNAL_OUTLINKS.number)
    is_listed = found and page_indexability(url, visit, facts) is Indexability.INDEXABLE
    return found if is_listed and is_internal(url) else []


def _leads_on(url: str, visit: Visit, is_internal: Callable[[str], bool]) -> bool:
    """Whether a hyperlink leads to another internal URL: mostly one of the first does."""
    targets = visit.targets
    for kind, place in zip(visit.links.kinds, visit.links.targets, strict=True):
        if kind in _HYPERLINKS and targets[place] != url and is_internal(targets[place]):
            return True
    return False


def _linked(visit: Visit) -> list[str]:
    """The distinct targets of hyperlinks."""
    links = visit.links
    pairs = zip(links.kinds, links.targets, strict=True)
    return [
        visit.targets[place] for place in {place for kind, place in pairs if kind in _HYPERLINKS}
    ]
