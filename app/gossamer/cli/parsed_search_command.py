"""The parsed command of `gossamer search`."""

from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from gossamer.model.search_query import Search


class SearchCommand(Struct, frozen=True):
    """Print the pages of a project with some words, best first, or write them to a file.

    `where` (FACET=VALUE) and `not_linking_to` are as typed.
    """

    project: Path
    search: "Search"
    not_linking_to: str = ""
    where: tuple[str, ...] = ()
    limit: int = 20
    json: bool = False
    output: Path | None = None
    columns: tuple[str, ...] = ()
