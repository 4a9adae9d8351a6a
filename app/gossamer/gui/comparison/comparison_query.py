"""Which pages of a comparison a table shows, as its model asks for them."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from gossamer.model.comparison_results import ComparisonFilter, ComparisonOrder
from gossamer.model.project_queries import Column, Order

if TYPE_CHECKING:
    from gossamer.gui.comparison.comparison_interfaces import ComparisonRows
    from gossamer.gui.project.reader_interfaces import Ids

ADDRESS: Final[Column] = "address"
CHANGE: Final[Column] = "change"
BEFORE: Final[Column] = "before"
AFTER: Final[Column] = "after"


@dataclass(frozen=True, slots=True)
class ComparisonQuery:
    """Pages that pass a filter, sorted; a `RowQuery`. What is compared changes no more."""

    filter_: ComparisonFilter = field(default_factory=ComparisonFilter)
    order: Order = field(default_factory=Order)

    @property
    def ascending(self) -> bool:
        """Whether the ids come in rising order."""
        return self.order.column is None and not self.order.descending

    @property
    def append_only(self) -> bool:
        """See `RowQuery`."""
        return False

    def ids(self, rows: "ComparisonRows", _after: int) -> "Ids":
        """See `RowQuery`."""
        order = ComparisonOrder(self.order.column or "", self.order.descending)
        return rows.ids(self.filter_, order)

    def first_ids(self, _rows: "ComparisonRows") -> None:
        """See `RowQuery`."""
