"""The filters whose URLs a comparison counts: made of the views, facets and types of tables."""

from collections.abc import Iterator
from typing import Final

from msgspec import Struct

from gossamer.model.content_types import content_kind
from gossamer.model.fields.indexability import Indexability, indexable_or_not, why_not_indexable
from gossamer.model.fields.url_record import UNREACHED
from gossamer.model.outcome import Outcome
from gossamer.model.project_queries import NO_RESPONSE, Facet, Value, View

VIEW: Final = "view"
"""The section of the table's tabs that have URLs."""
SCOPE: Final = "scope"
"""The section of internal and external URLs, by type: see `SCOPE_VALUES`."""
ISSUE_SECTION: Final = "issue"
"""The section of issues, by the numbers of their rules."""
STATUS_CLASS: Final = "status_class"
STATUS: Final = "status"
INDEXABILITY: Final = "indexability"
REASON: Final = "indexability_status"
DEPTH: Final = "depth"
COMPARED_VIEWS: Final = (
    *(View.ALL, View.PAGES, View.REDIRECTS, View.ERRORS, View.RESOURCES, View.EXTERNAL),
)
"""The others have links, which are counted separately, or URLs that were never requested."""
DEEPEST: Final = 50
"""Deeper URLs count as this deep: filters of a trap would never end."""


class UrlTraits(Struct, frozen=True, array_like=True, gc=False):
    """What decides which filters a URL is in. `indexability` is a value of `Indexability`."""

    outcome: Outcome
    is_external: bool
    status: int | None
    content_type: str | None
    depth: int | None
    indexability: str


def filters_of(traits: UrlTraits) -> Iterator[tuple[Facet, Value]]:
    """The filters that a requested URL is in: section and value."""
    for view in COMPARED_VIEWS:
        if traits.outcome in view.outcomes and (view is not View.EXTERNAL or traits.is_external):
            yield VIEW, view.value
    scope = "external" if traits.is_external else "internal"
    yield SCOPE, scope
    yield SCOPE, f"{scope}/{content_kind(traits.content_type)}"
    status = traits.status or NO_RESPONSE
    yield STATUS_CLASS, status // 100
    yield STATUS, status
    reason = Indexability(traits.indexability)
    if (indexable := indexable_or_not(reason)) is not None:
        yield INDEXABILITY, indexable.value
    if (why := why_not_indexable(reason)) is not None:
        yield REASON, why.value
    yield DEPTH, UNREACHED if traits.depth is None else min(traits.depth, DEEPEST)
