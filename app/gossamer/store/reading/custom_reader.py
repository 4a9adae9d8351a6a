"""Reads the results of custom searches and extractions."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Final

from msgspec.structs import replace

from gossamer.model.custom_definitions import (
    CustomCells,
    CustomCounts,
    CustomFailure,
    CustomResult,
    outcome_and_number,
)
from gossamer.model.facets import CUSTOM
from gossamer.model.fields.url_record import UrlRecord
from gossamer.model.project_queries import Filter, View, facet_values
from gossamer.store.bulk_insert import chunks, marks
from gossamer.store.count_tables import count_custom
from gossamer.store.reading.facet_counts import count_facet
from gossamer.store.reading.project_connection import ProjectConnection

_OF_PAGES: Final = (
    "SELECT id, definition, value, failure FROM custom_value"
    " WHERE definition IN (SELECT definition FROM custom_count) AND id IN ({ids})"
    " ORDER BY id, definition, position"
)


class CustomReader(ProjectConnection):
    """Reads custom results. Raises as `Reader` does. Definitions are told by their numbers."""

    def custom_counts(self, segments: Collection[str] = ()) -> dict[int, CustomCounts]:
        """How many pages each definition was applied to, by what came of it; those of `segments`.

        Without segments, all pages count.
        """
        if not segments:
            with self._reading():
                return count_custom(self._connection)
        those = Filter(facets=facet_values(segment=segments))
        self._functions.prepare(View.ALL, those)
        found: dict[int, CustomCounts] = {}
        with self._reading():
            for each in count_facet(self._connection, View.ALL, those, CUSTOM):
                outcome, number = outcome_and_number(str(each.value))
                counts = found.get(number, CustomCounts())
                found[number] = replace(counts, **{outcome.value: each.count})
        return found

    def most_custom_values(self) -> dict[int, int]:
        """The most values that each definition has for one page. Reads all values."""
        query = "SELECT definition, max(position) + 1 FROM custom_value GROUP BY definition"
        return dict(self._rows(query, ()))

    def with_custom(self, records: Mapping[int, UrlRecord]) -> Iterator[UrlRecord]:
        """Those of these records that have custom results, with these."""
        if self._row("SELECT 1 FROM custom_count LIMIT 1", ()) is None:
            return
        for chunk in chunks(list(records)):
            for url_id, cells in self._custom_cells(chunk):
                yield replace(records[url_id], custom=cells)

    def _custom_cells(self, ids: Sequence[int]) -> Iterator[tuple[int, CustomCells]]:
        rows = self._rows(_OF_PAGES.format(ids=marks(len(ids))), ids)
        for url_id, of_page in groupby(rows, key=itemgetter(0)):
            results: dict[int, CustomResult] = {}
            for number, of_definition in groupby(of_page, key=itemgetter(1)):
                found = [(value, failure) for _, _, value, failure in of_definition]
                failure = None if found[0][1] is None else CustomFailure(found[0][1])
                values = [value for value, _ in found if value is not None]
                results[number] = CustomResult(number, values, failure)
            yield url_id, CustomCells(results)
