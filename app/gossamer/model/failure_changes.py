"""Counts errors and redirects of a recrawl whose responses were different before."""

from collections.abc import Sequence
from typing import Final, Protocol

from gossamer.model.facets import FacetCount
from gossamer.model.fields.derived_freshness_fields import FreshnessStatus
from gossamer.model.outcome import ERROR_OUTCOMES, PAGES
from gossamer.model.outcome_counts import REDIRECTS
from gossamer.model.project_queries import Facet, Filter, View

SINCE_LAST_CRAWL: Final = "since_last_crawl"
_CHANGED: Final = Filter(facets=((SINCE_LAST_CRAWL, frozenset({FreshnessStatus.CHANGED.value})),))
_FAILURES: Final = (ERROR_OUTCOMES | REDIRECTS) - PAGES


class FacetSource(Protocol):
    """Counts the values of a facet in a view: a project that is read."""

    def facet(self, view: View, filter_: Filter, facet: Facet, /) -> Sequence[FacetCount]:
        """The values with their numbers of URLs."""


def changed_failures(source: FacetSource) -> int:
    """How many errors and redirects of a recrawl had another response in the crawl before."""
    counts = source.facet(View.ALL, _CHANGED, "outcome")
    return sum(each.count for each in counts if each.value in _FAILURES)
