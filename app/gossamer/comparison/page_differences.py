"""Compares the pages of two projects, row by row, in the order of the later one."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Final, TypeAlias

import numpy as np

from gossamer.comparison.filter_sets import NO_SET, FilterSets
from gossamer.comparison.row_layout import (
    FIRST_TRAIT,
    LAST_TRAIT,
    REASON_AT,
    STATUS_AT,
    ComparedField,
    Row,
    RowLayout,
    is_unread,
)
from gossamer.comparison.url_matching import MatchedUrls
from gossamer.comparison.value_equality import is_equal_value
from gossamer.model.comparison_results import PageChange
from gossamer.model.fields.comparison_only_fields import SIMILARITY
from gossamer.model.fields.field_declaration import FieldKind
from gossamer.model.sketches import share_of
from gossamer.store.auditing.number_arrays import Flags, Ids, Numbers
from gossamer.store.bulk_insert import NULL, Value
from gossamer.store.comparing.compared_project import ComparedProject
from gossamer.store.comparing.comparison_file import ComparisonFile
from gossamer.store.comparing.comparison_schema import stored_value
from gossamer.urls.url_mapping import UrlMapping

_FLUSHED: Final = 20_000
"""Values of rows that are buffered before they are written."""
_ALL_OF_IT: Final = 100
_Response: TypeAlias = tuple[Value, Value]
"""The status of a URL, and where it redirects to."""


class PageDifferences:
    """Compares pages, and writes the differences. Both projects are read row by row in parallel."""

    def __init__(
        self,
        sides: tuple[ComparedProject, ComparedProject],
        matched: MatchedUrls,
        mapping: UrlMapping,
        fields: Sequence[str],
        file: ComparisonFile,
    ) -> None:
        self._before, self._after = sides
        self.sets: Final = FilterSets()
        self.changes: Final[Counter[PageChange]] = Counter()
        self.fields: Final[Counter[str]] = Counter()
        self.fates: Final[Counter[int]] = Counter()
        """The outcomes of the missing URLs that the later crawl knows."""
        self._matched = matched
        self._mapping = mapping
        self._layout = RowLayout(fields, mapping)
        self._traits = RowLayout((), mapping)
        """Nothing of URLs that only one side has is compared: only their traits are read."""
        self._file = file
        self._pages: list[Value] = []
        self._field_rows: list[Value] = []
        self.change_of: Final[Numbers] = np.zeros(
            len(matched.before_of) + len(matched.after_of), np.uint8
        )
        """The change of each page with a row, by its id: UNCHANGED or ALONE for PageChange.NONE."""
        self.ended: Final[Flags] = np.zeros(len(matched.before_of), np.bool_)
        """Whether each URL of the later side was indexable, and no longer is."""
        self.began: Final[Flags] = np.zeros(len(matched.before_of), np.bool_)
        """Whether it was not, and is."""
        self.name_other_copy = 0
        """How many pages of either side have their canonical on the other copy of the site."""

    def run(self, done: Callable[[int], None]) -> None:
        """Compare all; `done` receives how many URLs have been compared."""
        pairs = self._matched.pairs()
        self._before.stage(pairs[0])
        self._after.stage(pairs[1])
        both_sides = (self._rows(self._before, self._layout), self._rows(self._after, self._layout))
        count = 0
        for was, now in zip(*both_sides, strict=True):
            part = slice(count, count + len(was))
            both = (pairs[0][part].tolist(), pairs[1][part].tolist())
            for old, new, before_id, after_id in zip(was, now, *both, strict=True):
                self._compare(old, new, before_id, after_id)
            self._flush()
            done(count := count + len(was))
        for ids, rows in self._alone(self._after, self._matched.new(), 0):
            for row, url_id in zip(rows, ids, strict=True):
                self._add_new(self._settled(row, self._traits), url_id)
            self._flush()
            done(count := count + len(rows))
        for ids, rows in self._alone(self._before, self._matched.missing(), self._border):
            known = self._known(ids)
            responses = self._after.responses([each for each in known if each])
            for row, url_id, after_id in zip(rows, ids, known, strict=True):
                response = responses.get(after_id, (NULL, NULL))
                self._add_missing(self._settled(row, self._traits), url_id, after_id, response)
            self._flush()
            done(count := count + len(rows))

    @property
    def _border(self) -> int:
        """The offset of the ids of pages that only the earlier project has."""
        return len(self._matched.before_of)

    def _known(self, before_ids: list[int]) -> list[int]:
        """The ids in the later project of URLs that it did not request; 0 for none."""
        found: list[int] = (-np.minimum(self._matched.after_of[before_ids], 0)).tolist()
        return found

    def _alone(
        self, project: ComparedProject, ids: Ids, base: int
    ) -> Iterator[tuple[list[int], list[Row]]]:
        """URLs of one side, except those that were separated, which have been added already."""
        fresh = ids[self.change_of[ids + base] == 0]
        project.stage(fresh)
        at = 0
        for rows in self._rows(project, self._traits):
            yield fresh[at : at + len(rows)].tolist(), rows
            at += len(rows)

    def _rows(self, project: ComparedProject, layout: RowLayout) -> Iterator[list[Row]]:
        return project.rows(layout.columns, layout.joins)

    def _set_of(self, project: ComparedProject, row: Row) -> int:
        try:
            return self.sets.number(row[FIRST_TRAIT:LAST_TRAIT])
        except (ValueError, TypeError) as e:
            raise project.damaged() from e

    # ------------------------------------------------------------ one page

    def _compare(self, old: Row, new: Row, before_id: int, after_id: int) -> None:
        old, new = self._settled(old, self._layout), self._settled(new, self._layout)
        if old == new:
            number = self._set_of(self._after, new)
            self.sets.count(number, number)
            return
        if old[0] != new[0] and self._mapping.map(old[0]) != new[0]:
            self._matched.part(before_id, after_id)
            self._add_new(new, after_id)
            self._add_missing(old, before_id, 0, (NULL, NULL))
            return
        was, now = self._set_of(self._before, old), self._set_of(self._after, new)
        self.sets.count(was, now)
        self.ended[after_id] = self.sets.has_ended(was, now)
        self.began[after_id] = self.sets.has_ended(now, was)
        changed = self._add_field_changes(old, new, after_id)
        if changed or was != now:
            change = PageChange.CHANGED if changed else PageChange.NONE
            before_url = NULL if old[0] == new[0] else old[0]
            self._add_page(after_id, change, (new[0], before_url, before_id, after_id), (was, now))

    def _settled(self, row: Row, layout: RowLayout) -> Row:
        """A row, whose page is indexable if it leads only to itself on the other copy."""
        if not layout.names_other_copy(row):
            return row
        self.name_other_copy += 1
        return layout.as_indexable(row)

    def _add_field_changes(self, old: Row, new: Row, page: int) -> bool:
        unread = is_unread(old) or is_unread(new)
        untimed = self._layout.is_taken_over(old) or self._layout.is_taken_over(new)
        changes = [
            (each.field.name, *found)
            for each in self._layout.fields
            if not ((unread and each.is_of_content) or (untimed and each.is_of_transfer))
            and (found := self._change_of(each, old, new)) is not None
        ]
        if self._layout.compares_text and (left := self._text_left(old, new)) is not None:
            changes.append((SIMILARITY.name, _ALL_OF_IT, left))
        for name, before, after in changes:
            self.fields[name] += 1
            self._field_rows += (page, name, before, after)
        return bool(changes)

    def _change_of(self, each: ComparedField, old: Row, new: Row) -> tuple[Value, Value] | None:
        """The former and present value of a field, if a user sees a difference."""
        # An address that is the same on both copies of a site leads from one of them to the other.
        is_mapped = each.field.kind is FieldKind.ADDRESS and bool(self._mapping)
        if not is_mapped and all(old[place] == new[place] for place in each.places):
            return None
        before, after = each.value(self._before, old), each.value(self._after, new)
        if is_mapped:  # on both sides: a copy may name its own addresses, or those of the other
            before, after = self._mapped(before), self._mapped(after)
        if is_equal_value(before, after, each.field.kind):
            return None
        return stored_value(each.field, before), stored_value(each.field, after)

    def _mapped(self, value: object) -> object:
        return self._mapping.map(value) if isinstance(value, str) else value

    def _text_left(self, old: Row, new: Row) -> int | None:
        """How much of a page's text is unchanged, in percent; None for all of it, or no pages."""
        was, now = old[self._layout.sketch], new[self._layout.sketch]
        if was == now or None in {old[self._layout.words], new[self._layout.words]}:
            return None
        if was is None or now is None:
            return 0
        # Different sketches mean different texts, however close to 100 % the estimate is.
        return min(round(_ALL_OF_IT * share_of(was, now)), _ALL_OF_IT - 1)

    def _add_new(self, row: Row, after_id: int) -> None:
        number = self._set_of(self._after, row)
        self.sets.count(NO_SET, number)
        self._add_page(
            after_id, PageChange.NEW, (row[0], NULL, NULL, after_id), (NULL, number), row=row
        )

    def _add_missing(self, row: Row, before_id: int, known: int, response: _Response) -> None:
        number = self._set_of(self._before, row)
        self.sets.count(number, NO_SET)
        url = self._mapping.map(row[0])
        before_url = NULL if url == row[0] else row[0]
        outcome: Value = NULL
        if known:
            outcome = int(self._matched.after.outcome[known])
            self.fates[outcome] += 1
        names = (url, before_url, before_id, known or NULL)
        self._add_page(
            before_id + self._border,
            PageChange.MISSING,
            names,
            (number, NULL),
            (outcome, *response),
            row,
        )

    def _add_page(
        self,
        page: int,
        change: PageChange,
        names: tuple[Value, Value, Value, Value],
        sets: tuple[Value, Value],
        fate: tuple[Value, Value, Value] = (NULL, NULL, NULL),
        row: Row | None = None,
    ) -> None:
        self.changes[change] += 1
        self.change_of[page] = int(change) or UNCHANGED
        found = (NULL, NULL) if row is None else (row[STATUS_AT], row[REASON_AT])
        self._pages += (page, *names, int(change), *sets, *fate, *found)

    def _flush(self) -> None:
        if len(self._pages) + len(self._field_rows) > _FLUSHED:
            self.finish()

    def finish(self) -> None:
        """Write the buffered values."""
        self._file.add_pages(self._pages)
        self._file.add_field_changes(self._field_rows)
        self._pages, self._field_rows = [], []


UNCHANGED: Final = 255
"""In `change_of`: a page that has a row, though nothing that is compared has changed."""
ALONE: Final = 254
"""Likewise a URL that neither side requested and only one knows."""
