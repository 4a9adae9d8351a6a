"""Filters that a user has named: without the ids of one project, they hold for every crawl."""

from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from gossamer.model.errors import UsageError
from gossamer.model.project_queries import Facet, Value
from gossamer.model.search_query import Search
from gossamer.model.text_cleaning import one_line

_LONGEST_NAME: Final = 200
FILTER_VERSION: Final = 1


class PortableFilter(Struct, frozen=True, kw_only=True):
    """A `Filter` that means the same in each crawl of a site.

    `folder` is an address and not an id, `found_on` a URL; the rest is as in a Filter.
    """

    version: int = FILTER_VERSION
    text: str = ""
    expression: bool = False
    folder: str | None = None
    found_on: str | None = None
    time_ms: tuple[int | None, int | None] | None = None
    facets: dict[Facet, tuple[Value, ...]] = {}
    search: Search | None = None


class SavedFilter(Struct, frozen=True, kw_only=True):
    """A filter that a user has named, available in every crawl of the series.

    `tab` is the table tab of the window that it belongs to.
    """

    name: str
    tab: str = "all"
    filter_: PortableFilter = PortableFilter()

    def checked(self) -> "SavedFilter":
        """Return it with a clean name; UsageError if it cannot be kept."""
        name = one_line(self.name, _LONGEST_NAME + 1)
        if not name:
            raise UsageError("Enter a name for the filter.")
        if len(name) > _LONGEST_NAME:
            raise UsageError(
                "The name of a filter has at most {most} characters.", most=_LONGEST_NAME
            )
        return replace(self, name=name)
