"""What is read of each URL that is compared, and how to get field values from it."""

from collections.abc import Sequence
from itertools import chain
from typing import Any, Final, NamedTuple, TypeAlias

from gossamer.model.comparison_field_choice import COMPARABLE, sources_of
from gossamer.model.fields.comparison_only_fields import OF_BOTH_SIDES, SIMILARITY
from gossamer.model.fields.field_declaration import DeclaredField
from gossamer.model.fields.indexability import Indexability, indexability_sql
from gossamer.model.fields.page_flags import MarkupFlag
from gossamer.model.fields.url_record import DEPTH, URL_FIELDS
from gossamer.model.freshness import UNCHANGED
from gossamer.model.outcome import KEPT_BY_ROBOTS
from gossamer.store.bulk_insert import listed
from gossamer.store.comparing.compared_project import ComparedProject
from gossamer.store.comparing.comparison_schema import value_from
from gossamer.store.field_sql import URL_JOINS, joins_of, read_sql, with_needed
from gossamer.store.reading.filter_conditions import EXTERNAL
from gossamer.urls.url_mapping import UrlMapping

Row: TypeAlias = tuple[Any, ...]
"""The values read of a URL: its address first, then its traits."""
_DECLARED: Final = {each.name: each for each in URL_FIELDS}
_REASON: Final = indexability_sql()
_TRAITS: Final = (*("u.outcome", EXTERNAL, "v.status", "visit_content_type.value", DEPTH, _REASON),)
"""Those of `UrlTraits`."""
FIRST_TRAIT: Final = 1
LAST_TRAIT: Final = FIRST_TRAIT + len(_TRAITS)
OUTCOME_AT: Final = FIRST_TRAIT
STATUS_AT: Final = FIRST_TRAIT + _TRAITS.index("v.status")
REASON_AT: Final = FIRST_TRAIT + _TRAITS.index(_REASON)
_CONFLICTING: Final = f"coalesce(v.markup, 0) & {int(MarkupFlag.CONFLICTING_CANONICALS)}"
_TOLD_ANYWAY: Final = frozenset({"status", "status_text", "indexability", "indexability_status"})
_ANSWER: Final = "v"
_ELAPSED: Final = "elapsed_ms"
_TAKEN_OVER: Final = f"v.freshness IN ({listed(UNCHANGED)})"


class ComparedField(NamedTuple):
    """A field that is compared: the indexes of its sources in a row, and their kinds."""

    field: DeclaredField
    places: tuple[int, ...]
    sources: tuple[DeclaredField, ...]
    is_of_content: bool
    """Whether it is about what the server sent, which is unknown if it was not requested."""
    is_of_transfer: bool
    """Whether it is about the duration of the transfer: a 304 has nothing to send."""

    def value(self, project: ComparedProject, row: Row) -> Any:  # noqa: ANN401 - of any field
        """The value in a row of a project."""
        try:
            values = [_typed(x, row[at]) for x, at in zip(self.sources, self.places, strict=True)]
            return values[0] if self.field.made is None else self.field.made.make(*values)
        except (ValueError, TypeError) as e:
            raise project.damaged() from e


class RowLayout:
    """What is read of each URL to compare some fields: the address, its traits, then the fields."""

    def __init__(self, names: Sequence[str], mapping: UrlMapping) -> None:
        """The names of the fields, and how addresses are mapped."""
        self.compares_text: Final = SIMILARITY.name in names
        self._mapping = mapping
        fields = [COMPARABLE[name] for name in names if name not in OF_BOTH_SIDES]
        sql = ["u.url", *_TRAITS]
        places: dict[str, int] = {}
        for name in chain.from_iterable(map(sources_of, fields)):
            places[name] = _place(sql, read_sql(_DECLARED[name]))
        self.sketch: Final = _place(sql, "v.sketch") if self.compares_text else 0
        self.words: Final = _place(sql, "v.word_count") if self.compares_text else 0
        self._taken_over: Final = _place(sql, _TAKEN_OVER) if _ELAPSED in names else 0
        wanted = ("v.canonical", "v.canonical_header", _CONFLICTING) if mapping else ()
        self._canonicals = tuple(_place(sql, each) for each in wanted)
        self.fields: Final = [_compared(each, places) for each in fields]
        self.columns: Final = ", ".join(sql)
        needed = with_needed(frozenset[str]().union(*map(joins_of, sql)))
        self.joins: Final = "".join(join for name, join in URL_JOINS.items() if name in needed)

    def is_taken_over(self, row: Row) -> bool:
        """Whether the page is that of an earlier crawl, so that its time is not a page's."""
        return bool(self._taken_over and row[self._taken_over])

    def names_other_copy(self, row: Row) -> bool:
        """Whether a page is canonicalised to the same page of the other copy of the site."""
        if not self._canonicals or row[REASON_AT] != Indexability.CANONICALISED:
            return False
        *canonicals, conflicting = (row[place] for place in self._canonicals)
        own = self._mapping.map(row[0])
        named = [str(each).partition("#")[0] for each in canonicals if each]
        return not conflicting and all(self._mapping.map(each) == own for each in named)

    def as_indexable(self, row: Row) -> Row:
        """A row with another value of `Indexability`."""
        return (*row[:REASON_AT], Indexability.INDEXABLE.value, *row[REASON_AT + 1 :])


def is_unread(row: Row) -> bool:
    """Whether robots.txt kept the crawl from requesting a URL, so that its content is unknown."""
    return row[OUTCOME_AT] in KEPT_BY_ROBOTS


def _place(sql: list[str], wanted: str) -> int:
    """The index of an expression in a row; that of a trait may be another's, too."""
    if wanted not in sql:
        sql.append(wanted)
    return sql.index(wanted)


def _compared(each: DeclaredField, places: dict[str, int]) -> ComparedField:
    names = sources_of(each)
    sources = tuple(_DECLARED[name] for name in names)
    of_content = any(_ANSWER in joins_of(read_sql(source)) for source in sources)
    return ComparedField(
        each,
        tuple(places[name] for name in names),
        sources,
        of_content and each.name not in _TOLD_ANYWAY,
        each.name == _ELAPSED,
    )


def _typed(each: DeclaredField, stored: Any) -> Any:  # noqa: ANN401 - of any field
    if each.type is bool:  # which SQL returns as any number
        return None if stored is None else bool(stored)
    return value_from(each, stored)
