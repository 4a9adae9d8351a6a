"""Compares the pages of two projects, row by row, in the order of the later one."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import chain
from typing import Any, Final, NamedTuple

import numpy as np

from gossamer.comparison.filter_sets import NO_SET, FilterSets
from gossamer.comparison.url_matching import MatchedUrls
from gossamer.model.comparison_results import PageChange
from gossamer.model.fields.compared_fields import COMPARABLE, SIMILARITY, is_same, sources_of
from gossamer.model.fields.field_declaration import DeclaredField, FieldKind
from gossamer.model.fields.indexability import indexability_sql
from gossamer.model.fields.url_record import DEPTH, URL_FIELDS
from gossamer.model.sketches import share_of
from gossamer.store.auditing.columns import Flags, Ids, Numbers
from gossamer.store.bulk_insert import NULL, Value
from gossamer.store.comparing.compared_project import ComparedProject
from gossamer.store.comparing.comparison_file import ComparisonFile
from gossamer.store.comparing.comparison_schema import stored_value, value_from
from gossamer.store.field_sql import URL_JOINS, joins_of, read_sql, with_needed
from gossamer.store.reading.filter_conditions import EXTERNAL
from gossamer.urls.url_mapping import UrlMapping

_FLUSHED: Final = 20_000
"""Values of rows that wait to be written."""
_DECLARED: Final = {each.name: each for each in URL_FIELDS}
_TRAITS: Final = (
    *("u.outcome", EXTERNAL, "v.status", "visit_content_type.value", DEPTH, indexability_sql()),
)
"""Those of `UrlTraits`."""
_FIRST_TRAIT: Final = 1
_LAST_TRAIT: Final = _FIRST_TRAIT + len(_TRAITS)
_ALL_OF_IT: Final = 100
_Row = tuple[Any, ...]


class _Compared(NamedTuple):
    """A field that is compared: where its sources stand in a row, and what they are."""

    field: DeclaredField
    places: tuple[int, ...]
    sources: tuple[DeclaredField, ...]

    def value(self, row: _Row) -> Any:  # noqa: ANN401 - of any field
        values = [_typed(x, row[at]) for x, at in zip(self.sources, self.places, strict=True)]
        return values[0] if self.field.made is None else self.field.made.make(*values)


class RowLayout:
    """What is read of each URL to compare some fields: the address, its traits, then the fields."""

    def __init__(self, names: Sequence[str]) -> None:
        """Take the names of the fields."""
        self.compares_text: Final = SIMILARITY.name in names
        fields = [COMPARABLE[name] for name in names if name != SIMILARITY.name]
        sql = ["u.url", *_TRAITS]
        places: dict[str, int] = {}
        for name in chain.from_iterable(map(sources_of, fields)):
            places[name] = _place(sql, read_sql(_DECLARED[name]))
        self.sketch: Final = _place(sql, "v.sketch") if self.compares_text else 0
        self.words: Final = _place(sql, "v.word_count") if self.compares_text else 0
        self.fields: Final = [_compared(each, places) for each in fields]
        self.columns: Final = ", ".join(sql)
        needed = with_needed(frozenset[str]().union(*map(joins_of, sql)))
        self.joins: Final = "".join(join for name, join in URL_JOINS.items() if name in needed)


def _place(sql: list[str], wanted: str) -> int:
    """Where an expression stands in a row; that of a trait may be another's, too."""
    if wanted not in sql:
        sql.append(wanted)
    return sql.index(wanted)


def _compared(each: DeclaredField, places: dict[str, int]) -> _Compared:
    names = sources_of(each)
    sources = tuple(_DECLARED[name] for name in names)
    return _Compared(each, tuple(places[name] for name in names), sources)


def _typed(each: DeclaredField, stored: Any) -> Any:  # noqa: ANN401 - of any field
    if each.type is bool:  # which SQL tells as any number
        return None if stored is None else bool(stored)
    return value_from(each, stored)


class PageDifferences:
    """Compares pages, and writes what differs. Rows are read from both projects side by side."""

    def __init__(
        self,
        matched: MatchedUrls,
        mapping: UrlMapping,
        fields: Sequence[str],
        file: ComparisonFile,
    ) -> None:
        self.sets: Final = FilterSets()
        self.changes: Final[Counter[PageChange]] = Counter()
        self.fields: Final[Counter[str]] = Counter()
        self._matched = matched
        self._mapping = mapping
        self._layout = RowLayout(fields)
        self._file = file
        self._pages: list[Value] = []
        self._field_rows: list[Value] = []
        self.change_of: Final[Numbers] = np.zeros(
            len(matched.before_of) + len(matched.after_of), np.uint8
        )
        """The change of each page with a row, by its id: UNCHANGED or ALONE for PageChange.NONE."""

    def run(
        self, before: ComparedProject, after: ComparedProject, done: Callable[[int], None]
    ) -> None:
        """Compare all; `done` is told how many URLs have been compared."""
        pairs = self._matched.pairs()
        for project, ids in zip((before, after), pairs, strict=True):
            project.stage(ids)
        read = partial(_rows, self._layout)
        count = 0
        for was, now in zip(read(before), read(after), strict=True):
            part = slice(count, count + len(was))
            both = (pairs[0][part].tolist(), pairs[1][part].tolist())
            for old, new, before_id, after_id in zip(was, now, *both, strict=True):
                self._compare(old, new, before_id, after_id)
            self._flush()
            count += len(was)
            done(count)
        for project, alone, add in (
            (after, self._matched.new(), self._add_new),
            (before, self._matched.missing(), self._add_missing),
        ):
            count = self._run_alone(project, alone, add, count, done)

    def _run_alone(
        self,
        project: ComparedProject,
        ids: Ids,
        add: Callable[[_Row, int], None],
        count: int,
        done: Callable[[int], None],
    ) -> int:
        fresh = ids[self._is_without_row(ids, project_is_after=add == self._add_new)]
        project.stage(fresh)
        at = 0
        for rows in _rows(self._layout, project):
            for row, url_id in zip(rows, fresh[at : at + len(rows)].tolist(), strict=True):
                add(row, url_id)
            at += len(rows)
            self._flush()
            done(count + at)
        return count + at

    def _is_without_row(self, ids: Ids, *, project_is_after: bool) -> Flags:
        """Two URLs that were parted have been added already."""
        pages = ids if project_is_after else ids + len(self._matched.before_of)
        is_without: Flags = self.change_of[pages] == 0
        return is_without

    # ------------------------------------------------------------ one page

    def _compare(self, old: _Row, new: _Row, before_id: int, after_id: int) -> None:
        if old == new:
            number = self.sets.number(new[_FIRST_TRAIT:_LAST_TRAIT])
            self.sets.count(number, number)
            return
        if old[0] != new[0] and self._mapping.map(old[0]) != new[0]:
            self._matched.part(before_id, after_id)
            self._add_new(new, after_id)
            self._add_missing(old, before_id)
            return
        was = self.sets.number(old[_FIRST_TRAIT:_LAST_TRAIT])
        now = self.sets.number(new[_FIRST_TRAIT:_LAST_TRAIT])
        self.sets.count(was, now)
        changed = self._add_field_changes(old, new, after_id)
        if changed or was != now:
            change = PageChange.CHANGED if changed else PageChange.NONE
            before_url = NULL if old[0] == new[0] else old[0]
            self._add_page(after_id, change, (new[0], before_url, before_id, after_id), (was, now))

    def _add_field_changes(self, old: _Row, new: _Row, page: int) -> bool:
        changes = [
            (each.field.name, *found)
            for each in self._layout.fields
            if (found := self._change_of(each, old, new)) is not None
        ]
        if self._layout.compares_text and (left := self._text_left(old, new)) is not None:
            changes.append((SIMILARITY.name, _ALL_OF_IT, left))
        for name, before, after in changes:
            self.fields[name] += 1
            self._field_rows += (page, name, before, after)
        return bool(changes)

    def _change_of(self, each: _Compared, old: _Row, new: _Row) -> tuple[Value, Value] | None:
        """What a field was and is, if a person sees that they differ."""
        for place in each.places:
            if old[place] != new[place]:
                break
        else:
            return None
        before, after = each.value(old), each.value(new)
        if each.field.kind is FieldKind.ADDRESS and isinstance(before, str):
            before = self._mapping.map(before)
        if is_same(before, after):
            return None
        return stored_value(each.field, before), stored_value(each.field, after)

    def _text_left(self, old: _Row, new: _Row) -> int | None:
        """How much of a page's text is as it was, in percent; None for all of it, or no pages."""
        was, now = old[self._layout.sketch], new[self._layout.sketch]
        if was == now or None in {old[self._layout.words], new[self._layout.words]}:
            return None
        if was is None or now is None:
            return 0
        # Different sketches are of different texts, however close the estimate comes to the whole.
        return min(round(_ALL_OF_IT * share_of(was, now)), _ALL_OF_IT - 1)

    def _add_new(self, row: _Row, after_id: int) -> None:
        number = self.sets.number(row[_FIRST_TRAIT:_LAST_TRAIT])
        self.sets.count(NO_SET, number)
        self._add_page(after_id, PageChange.NEW, (row[0], NULL, NULL, after_id), (NULL, number))

    def _add_missing(self, row: _Row, before_id: int) -> None:
        number = self.sets.number(row[_FIRST_TRAIT:_LAST_TRAIT])
        self.sets.count(number, NO_SET)
        url = self._mapping.map(row[0])
        before_url = NULL if url == row[0] else row[0]
        page = before_id + len(self._matched.before_of)
        known = -int(self._matched.after_of[before_id])
        fate = int(self._matched.after.outcome[known]) if known > 0 else NULL
        self._add_page(
            page,
            PageChange.MISSING,
            (url, before_url, before_id, known if known > 0 else NULL),
            (number, NULL),
            fate,
        )

    def _add_page(
        self,
        page: int,
        change: PageChange,
        names: tuple[Value, Value, Value, Value],
        sets: tuple[Value, Value],
        fate: Value = NULL,
    ) -> None:
        self.changes[change] += 1
        self.change_of[page] = int(change) or UNCHANGED
        self._pages += (page, *names, int(change), *sets, fate, NULL)

    def _flush(self) -> None:
        if len(self._pages) + len(self._field_rows) > _FLUSHED:
            self.finish()

    def finish(self) -> None:
        """Write what waits to be written."""
        self._file.add_pages(self._pages)
        self._file.add_field_changes(self._field_rows)
        self._pages, self._field_rows = [], []


UNCHANGED: Final = 255
"""In `change_of`: a page that has a row, though nothing that was compared has changed."""
ALONE: Final = 254
"""Likewise a URL that neither side requested and only one knows."""


def _rows(layout: RowLayout, project: ComparedProject) -> Iterator[list[_Row]]:
    return project.rows(layout.columns, layout.joins)
