"""Reports the URLs that a crawl left out because of its trap limit."""

from collections.abc import Sequence
from typing import Final, Protocol

from msgspec import Struct

from gossamer.model.fields.url_record import UrlRecord
from gossamer.model.outcome import Outcome
from gossamer.model.outcome_details import Detail
from gossamer.model.project_queries import Filter, View, facet_values
from gossamer.model.translatable import Translatable, said

_LOOKED_AT: Final = 2000
_MOST_KINDS: Final = 5
_LEFT_OUT: Final = Filter(facets=facet_values(outcome={Outcome.OVER_BUDGET}))


class TrapRows(Protocol):
    """The project queries needed here; `gossamer.store.reading.reader.Reader` implements them."""

    def outcome_counts(self) -> dict[Outcome, int]:
        """How many URLs have each outcome."""

    def ids(self, view: View, filter_: Filter) -> Sequence[int]:
        """The ids of the URLs that pass the filter."""

    def records(self, ids: Sequence[int]) -> list[UrlRecord]:
        """What is known of these URLs."""


class TrapReport(Struct, frozen=True):
    """How many URLs were left out at the trap limit, with the first one of each kind."""

    urls: int
    examples: dict[Detail | None, str]
    """By what they were counted under, such as a pattern: see
    `gossamer.engine.traps.budget_keys`."""

    @property
    def sentence(self) -> Translatable:
        """What a user should know, with an example."""
        example = next(iter(self.examples.values()), "")
        if self.urls == 1:
            return said(
                "The trap limit skipped 1 URL, because its pages only lead to more of the same: "
                "{example}",
                example=example,
            )
        return said(
            "The trap limit skipped {number} URLs, because their pages only lead to more of the "
            "same, such as {example}",
            number=f"{self.urls:,}",
            example=example,
        )


def left_out(rows: TrapRows) -> TrapReport | None:
    """What was left out at the trap limit; None if nothing was."""
    urls = rows.outcome_counts().get(Outcome.OVER_BUDGET, 0)
    if not urls:
        return None
    first = rows.records(rows.ids(View.ALL, _LEFT_OUT)[:_LOOKED_AT])
    examples: dict[Detail | None, str] = {}
    for record in first:
        examples.setdefault(record.detail, record.url)
    return TrapReport(urls, dict(list(examples.items())[:_MOST_KINDS]))


def raised(limit: int) -> int:
    """A trap limit with which a crawl can continue for a while."""
    return 2 * limit
