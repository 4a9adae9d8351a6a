"""What a table of URLs shows, in which order."""

from dataclasses import dataclass, field

from gossamer.model.project_queries import Filter, Order, View


@dataclass(frozen=True, slots=True)
class TableQuery:
    """A view, narrowed by a filter, sorted."""

    view: View = View.ALL
    filter_: Filter = field(default_factory=Filter)
    order: Order = field(default_factory=Order)

    @property
    def ascending(self) -> bool:
        """Whether the ids come in rising order."""
        return self.order.column is None and not self.order.descending

    @property
    def append_only(self) -> bool:
        """Whether new matches can only come at the end: no row ever changes sides."""
        return self.ascending and self.view is View.ALL and self.filter_ == Filter()
