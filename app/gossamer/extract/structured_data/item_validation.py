"""Checks items against the vocabulary of schema.org and the requirements of rich results."""

from collections.abc import Iterator
from functools import lru_cache
from typing import Final, NamedTuple

from gossamer.extract.structured_data.data_items import (
    Fault,
    Item,
    Value,
    all_items,
)
from gossamer.extract.structured_data.rich_results import ANY, RICH_RESULTS, RichResult
from gossamer.extract.structured_data.vocabulary import Vocabulary, schema_org
from gossamer.model.messages.page_contents_messages import MAX_ITEMS, FaultKind

MAX_FAULTS: Final = 500
_MAIN_PROPERTIES: Final = frozenset({"hasPart", "item", "itemListElement", "mainEntity"})
"""Properties whose values stand for themselves, like top-level items."""


class ItemValidation:
    """Finds the faults of the items of one page, and the rich results that it may have."""

    def __init__(self, items: list[Item]) -> None:
        self.faults: list[Fault] = []
        self.features: dict[str, list[Item]] = {}
        self._vocabulary = schema_org()
        self._left = MAX_ITEMS
        self._by_id: dict[str, Item] = {}
        for item in all_items(items):
            if item.id and item.properties:
                self._by_id.setdefault(item.id, item)
        for item in items:
            self._check(item, frozenset(), is_main=True)

    def _check(self, item: Item, parents: frozenset[str], *, is_main: bool) -> None:
        """Check an item that is a value of one that is all of `parents`, and those in it."""
        self._left -= 1
        if self._left < 0:
            return
        kinds, features, parts = _meaning(item.types)
        if item.is_known and len(self.faults) < MAX_FAULTS:
            self.faults += vocabulary_faults(item, kinds, self._vocabulary)
            for result in features if is_main else ():
                if self._wants(item, result):
                    self.features.setdefault(result.name, []).append(item)
                    self.faults += self._missing(item, result)
            for result in parts:
                if _is_part(result, parents, is_main=is_main):
                    self.faults += self._missing(item, result)
        for name, nested in item.items:
            self._check(nested, kinds, is_main=is_main and name in _MAIN_PROPERTIES)

    def _wants(self, item: Item, result: RichResult) -> bool:
        return not result.with_property or any(
            self._has(item, path) for path in result.with_property.split("|")
        )

    def _missing(self, item: Item, result: RichResult) -> Iterator[Fault]:
        for names, kind in (
            (result.required, FaultKind.MISSING_REQUIRED),
            (result.recommended, FaultKind.MISSING_RECOMMENDED),
        ):
            for requirement in names:
                if not self._is_met(item, requirement, names):
                    yield Fault(kind, item, result.name, requirement)

    def _is_met(self, item: Item, requirement: str, others: tuple[str, ...]) -> bool:
        first, dot, _ = requirement.partition(".")
        if dot and "|" not in first and first in others and not item.values_of(first):
            return True  # that it lacks the first is reported already
        return any(self._has(item, path) for path in requirement.split("|"))

    def _has(self, item: Item, path: str) -> bool:
        name, _, rest = path.partition(".")
        values = item.values_of(name)
        return bool(values) and (not rest or all(self._value_has(value, rest) for value in values))

    def _value_has(self, value: Value, path: str) -> bool:
        if not isinstance(value, Item):
            return False
        if value.id and not value.properties:
            known = self._by_id.get(value.id)
            return known is None or self._has(known, path)
        return self._has(value, path)


def vocabulary_faults(item: Item, kinds: frozenset[str], vocabulary: Vocabulary) -> Iterator[Fault]:
    """What schema.org's vocabulary lacks, or lacks for an item that is all of `kinds`."""
    subject = ", ".join(item.types)
    own = [name for name in item.types if not _is_foreign(name)]
    for name in own:
        if name not in vocabulary.types:
            yield Fault(FaultKind.UNKNOWN_TYPE, item, subject, name)
    are_known = bool(own) and all(name in vocabulary.types for name in item.types)
    for name in dict.fromkeys(name for name, _ in item.properties):
        if _is_foreign(name):
            continue
        known = vocabulary.property_named(name)
        if known is None:
            yield Fault(FaultKind.UNKNOWN_PROPERTY, item, subject, name)
        elif are_known and "Role" not in kinds and kinds.isdisjoint(known.types):
            yield Fault(FaultKind.MISPLACED_PROPERTY, item, subject, name)
        elif known.superseded_by:
            yield Fault(FaultKind.SUPERSEDED_PROPERTY, item, subject, name, known.superseded_by)


class _Meaning(NamedTuple):
    """What an item is by its types, and the rich results that it, or a part of one, may be."""

    kinds: frozenset[str]
    features: list[RichResult]
    parts: list[RichResult]


@lru_cache(maxsize=1_000)
def _meaning(types: tuple[str, ...]) -> _Meaning:
    kinds = schema_org().kinds(types)
    meant = [
        result
        for result in RICH_RESULTS
        if not (frozenset(types) if result.is_exact else kinds).isdisjoint(result.types)
        and kinds.isdisjoint(result.excluded)
    ]
    features = [result for result in meant if not result.part_of]
    return _Meaning(kinds, features, [result for result in meant if result.part_of])


def _is_part(result: RichResult, parents: frozenset[str], *, is_main: bool) -> bool:
    return (result.part_of == ANY and (is_main or bool(parents))) or result.part_of in parents


def _is_foreign(name: str) -> bool:
    return ":" in name or "/" in name
