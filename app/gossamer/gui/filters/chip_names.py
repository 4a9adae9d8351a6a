"""Reads the addresses of folders and URLs in the filter, for the chips that name them."""

from functools import partial

from gossamer.gui.filters.filter_bar import FilterBar
from gossamer.gui.project.reader_interfaces import ProjectRows
from gossamer.gui.project.reader_thread import ProjectReader
from gossamer.model.facets import FOLDER
from gossamer.model.project_queries import Facet


class ChipNames:
    """Gives the chips of `bar` the addresses of folders and URLs that are known only by id."""

    def __init__(self, reader: ProjectReader, bar: FilterBar) -> None:
        self._reader = reader
        self._bar = bar

    def read(self) -> None:
        """Read those that are missing."""
        for facet, value in self._bar.values_without_name():
            self._reader.submit(
                partial(_address_of, facet, value),
                partial(self._bar.name_value, facet, value),
                key=f"name of {facet} {id(self)}",
            )


def _address_of(facet: Facet, value: int, rows: ProjectRows) -> str:
    if facet == FOLDER:
        return rows.folder_address(value)
    return next((record.url for record in rows.records([value])), "")
